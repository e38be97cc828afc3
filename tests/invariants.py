"""What holds for every chunked document, whatever its text and the options."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest
from judge import Fault, judge
from sweep import counter

from fencepost.model import ChunkedDocument
from fencepost.options import Options

ROOM: Final = 128
"""From this hard limit up the structure of every part is kept; below, text and budget are."""

STRUCTURE: Final = frozenset(
    {"cut", "indent", "fence", "row", "table", "orphan", "target", "kind", "has_code", "language"}
)
"""Faults that a limit under `ROOM` may force."""

_COUNTERS: Final[dict[str, Callable[[str], int]]] = {
    "characters": len,
    "bytes": lambda text: len(text.encode("utf-8", "surrogatepass")),
    "words": lambda text: len(text.split()),
}


def count_for(options: Options) -> Callable[[str], int]:
    """Return the count of tokens that the options ask for, made without the library."""
    tokenizer = options.tokenizer
    if callable(tokenizer):
        return tokenizer
    assert isinstance(tokenizer, str)
    return _COUNTERS.get(tokenizer) or counter()


def faults(doc: ChunkedDocument, options: Options, *, room: int = ROOM) -> list[Fault]:
    """Return what the judge finds wrong in a document, as far as the options promise it."""
    found = judge(
        doc,
        max_tokens=options.max_tokens,
        hard_max_tokens=options.hard_max_tokens,
        min_tokens=options.min_tokens,
        count=count_for(options),
    )
    left_out = set(STRUCTURE) if options.hard_max_tokens < room else set()
    if options.policy:
        left_out |= {"cut", "target", "orphan"}
    if "whole" in options.policy.values():
        left_out.add("hard")
    if options.split_levels != Options().split_levels:
        left_out |= {"path", "sections", "joined", "orphan"}
    return [fault for fault in found if fault.code not in left_out]


def check(doc: ChunkedDocument, options: Options) -> None:
    """Fail with all faults of a document."""
    __tracebackhide__ = True
    assert doc.restore() == doc.text
    assert ["".join(_pieces(doc, i)) for i in range(len(doc))] == [chunk.text for chunk in doc]
    if "whole" not in options.policy.values():
        assert all(chunk.embed_token_count <= options.hard_max_tokens for chunk in doc)
    found = faults(doc, options)
    if found:
        pytest.fail("\n".join(map(str, found)))


def _pieces(doc: ChunkedDocument, index: int) -> list[str]:
    """Return the text of a chunk piece by piece: from the source, or what was put in."""
    chunk = doc[index]
    return [
        chunk.text[piece.text_start : piece.text_end]
        if piece.start is None
        else doc.text[piece.start : piece.end]
        for piece in chunk.pieces
    ]
