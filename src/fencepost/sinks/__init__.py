"""Where chunks go: each sink takes chunks one by one and writes bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import PurePath
from typing import TYPE_CHECKING, BinaryIO, Final, TypeAlias

if TYPE_CHECKING:
    from fencepost.model import Chunk

Sink: TypeAlias = "Callable[[Iterable[Chunk], BinaryIO], None]"
"""Writes chunks as they come; keeps none of them."""

SINKS: Final = {
    "jsonl": ("fencepost.sinks.jsonl", "write_lines"),
    "json": ("fencepost.sinks.jsonl", "write_array"),
    "text": ("fencepost.sinks.text", "write"),
}
"""Name of the output format -> module and function."""

BY_SUFFIX: Final = {".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "json", ".txt": "text"}


def format_for(path: str) -> str:
    """Return the output format that a file's suffix asks for.

    >>> format_for("chunks.JSON"), format_for("chunks")
    ('json', 'jsonl')
    """
    return BY_SUFFIX.get(PurePath(path).suffix.lower(), "jsonl")


def sink_for(name: str) -> Sink:
    """Return the sink of an output format; import it on first use."""
    module, function = SINKS[name]
    sink: Sink = getattr(import_module(module), function)
    return sink
