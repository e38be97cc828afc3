"""One format each: `Source -> Reading`. The table below is all there is to register."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import PurePath
from typing import TYPE_CHECKING, Final, TypeAlias

from fencepost.errors import UnknownFormatError
from fencepost.model import Block, Diagnostic, Dropped, Metadata

if TYPE_CHECKING:
    from fencepost.options import Options
    from fencepost.source import Source


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reader gives: the blocks of a document, and what it learned on the way."""

    blocks: tuple[Block, ...]
    """In source order; every line that is not blank stands in one of them or is dropped."""
    metadata: Metadata = field(default_factory=dict)
    """Front matter and the like."""
    dropped: tuple[Dropped, ...] = ()
    """Spans that stand in no chunk, in order."""
    dedents: tuple[tuple[int, int], ...] = ()
    """White space that stands in no chunk: the indentation of what a component held."""
    outline: tuple[Block, ...] | None = None
    """The blocks as they stood, where an option took some apart."""
    diagnostics: tuple[Diagnostic, ...] = ()


Reader: TypeAlias = Callable[["Source", "Options"], Reading]
"""Reads one format. Never raises on a bad document: it gives blocks and diagnostics."""


@dataclass(frozen=True, slots=True)
class Format:
    """A document format."""

    name: str
    suffixes: tuple[str, ...]
    module: str | None
    """The module with its `read`; None where there is no reader yet."""
    limits: str
    """What it cannot do, in one line."""


FORMATS: Final = (
    Format(
        "markdown",
        (".md", ".markdown", ".mdown", ".mkd", ".mdc", ".qmd", ".rmd"),
        "fencepost.readers.markdown",
        "JSX in it is found by content",
    ),
    Format("mdx", (".mdx",), "fencepost.readers.mdx", "expressions are not evaluated"),
    Format("rst", (".rst", ".rest"), None, "no reader yet"),
    Format("asciidoc", (".adoc", ".asciidoc", ".asc"), None, "no reader yet"),
    Format("html", (".html", ".htm", ".xhtml"), None, "no reader yet"),
    Format("notebook", (".ipynb",), None, "no reader yet"),
)

BY_SUFFIX: Final = {suffix: format_ for format_ in FORMATS for suffix in format_.suffixes}
BY_NAME: Final = {format_.name: format_ for format_ in FORMATS}


def format_of(path: PurePath | str) -> Format | None:
    """Return the format that a file's suffix names, or None.

    >>> format_of("guide/Install.MD").name
    'markdown'
    """
    return BY_SUFFIX.get(PurePath(path).suffix.lower())


def reader_for(name: str) -> Reader:
    """Return the reader of a format; import it on first use.

    Raises:
        UnknownFormatError: there is no such format, or no reader for it yet.
    """
    format_ = BY_NAME.get(name)
    readable = ", ".join(one.name for one in FORMATS if one.module)
    if format_ is None:
        msg = f"there is no format {name!r}: give one of {readable}"
        raise UnknownFormatError(msg)
    if format_.module is None:
        msg = f"there is no reader for {name!r} yet: give one of {readable}"
        raise UnknownFormatError(msg)
    read: Reader = import_module(format_.module).read
    return read
