"""Containers around a place: where their markers stand, and where their content begins.

Columns are those of the source line, from 0, tabs stopping every four.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from fencepost.fences import column as column_after
from fencepost.model import Admonition, Block, Element
from fencepost.source import Source

CODE_COLUMN: Final = 4
"""From this column on, relative to its container, a line would read as indented code."""
LONG_TAG: Final = 240
"""Characters from which on an opening tag is repeated without its attributes."""

_MARKER = re.compile(r"[-+*]|\d{1,9}[.)]")
_NOTE = re.compile(r"\[\^[^\]\s]+\]:")


@dataclass(frozen=True, slots=True)
class Frame:
    """A container as seen from inside."""

    form: Literal["quote", "item", "body", "colon"]
    first: int
    """The line with its marker."""
    at: int
    """Column of its marker."""
    column: int
    """Column where its content begins."""
    marker: str = ""
    """The marker, or the whole first line of a `:::` or `!!!` container."""
    always: bool = False
    """Whether a part must repeat the marker at any column: footnotes and definitions."""
    wide: bool = False
    """Whether it holds a block that would read as code without the marker."""
    blank: bool = False
    """Whether a blank line follows the first line."""
    close: str = ""
    """The line that closes a `:::` container or an element."""
    blank_end: bool = False
    """Whether a blank line stands before that."""
    term: str = ""
    """The term that a definition explains, with its line."""


Frames = tuple[Frame, ...]


def enter(source: Source, frames: Frames, block: Block) -> Frames:
    """Return the frames for what is inside a container."""
    detail = block.detail
    if block.kind == "item" or (block.kind == "definition" and block.children):
        return (*frames, _item(source, frames, block))
    at, column = _content(source, frames, block.start)
    text = source.line(block.start)[at:].lstrip(" \t")
    column += len(source.line(block.start)[at:]) - len(text)
    if isinstance(detail, Admonition) and detail.form in {"indented", "tab"}:
        following = block.start + 1
        blank = following < source.line_count and source.is_blank(following)
        return (*frames, Frame("body", block.start, column, column + 4, text, blank=blank))
    if isinstance(detail, Element):
        gaps = [source.is_blank(child.start - 1) for child in block.children[1:]]
        blank = source.is_blank(detail.body[0]) or any(gaps)
        opening = detail.opening if len(detail.opening) <= LONG_TAG else f"<{detail.name}>"
        frame = Frame(
            "colon",
            block.start,
            column,
            column,
            opening,
            blank=blank,
            close=f"</{detail.name}>",
            blank_end=source.is_blank(detail.body[1] - 1),
        )
        return (*frames, frame)
    if isinstance(detail, Admonition) and detail.form == "colon":
        last = source.line(block.end - 1)
        close = last[_content(source, frames, block.end - 1)[0] :].strip(" \t")
        following = block.start + 1
        blank = following < source.line_count and source.is_blank(following)
        mark = text[:3]
        close = close if close.startswith(mark) and block.end > block.start + 1 else mark
        frame = Frame("colon", block.start, column, column, text, blank=blank, close=close)
        return (*frames, frame)
    if block.kind in {"quote", "admonition"}:
        return (*frames, Frame("quote", block.start, column, column + 2))
    return frames


def _item(source: Source, frames: Frames, block: Block) -> Frame:
    """Return the frame of a list item, a definition or a footnote."""
    line, term = block.start, ""
    children = block.children
    text = source.line(line)
    at, column = _content(source, frames, line)
    note = _NOTE.match(text, at + len(text[at:]) - len(text[at:].lstrip(" \t")))
    if note is None and children and not _MARKER.match(text[at:].lstrip(" \t")):
        # "Term" over ": text"; the marker stands on the first line of the first child.
        term, line = text[at:], children[0].start
        text = source.line(line)
        at, column = _content(source, frames, line)
    elif note is None and text[at:].lstrip(" \t")[:1] in {":", "~"}:
        term = ""
    column += column_after(" " * column + text[at:][: blanks(text[at:])]) - column
    start = at + blanks(text[at:])
    found = _NOTE.match(text, start) or _MARKER.match(text, start)
    marker = found[0] if found else text[start : start + 1]
    after = column + len(marker)
    if note is not None:
        inner, always = column + CODE_COLUMN, True
    elif marker in {":", "~"}:
        inner, always = column + 2, True
    else:
        gap = blanks(text[start + len(marker) :])
        rest = text[start + len(marker) + gap :]
        width = column_after(" " * after + text[start + len(marker) :][:gap]) - after
        inner = after + (width if rest and 1 <= width <= CODE_COLUMN else 1)
        always = False
    frame = Frame("item", line, column, inner, marker, always=always, term=term)
    inside = (*frames, frame)
    base = _base(frames)
    wide = any(
        child.start > line and first_column(source, inside, child.start) - base >= CODE_COLUMN
        for child in children
    )
    return Frame("item", line, column, inner, marker, always=always, wide=wide, term=term)


def blanks(text: str) -> int:
    """Return how many blanks a text begins with."""
    return len(text) - len(text.lstrip(" \t"))


def _base(frames: Frames) -> int:
    """Return the column that what stands inside the last quote or body counts from."""
    for frame in reversed(frames):
        if frame.form != "item":
            return frame.column
    return 0


def _content(source: Source, frames: Sequence[Frame], line: int) -> tuple[int, int]:
    """Return index and column in a line after what its containers put before it."""
    text = source.line(line)
    at = column = 0
    for frame in frames:
        if frame.form == "quote":
            start = at + blanks(text[at:])
            if text[start : start + 1] != ">":
                break
            column = column_after(text[:start]) + 1
            at = start + 1
            if text[at : at + 1] == " ":
                at, column = at + 1, column + 1
        elif frame.form == "item" and line == frame.first:
            start = at + blanks(text[at:]) + len(frame.marker)
            at, column = start, column_after(text[:start])
            at, column = _skip(text, at, column, frame.column)
        elif line != frame.first:
            at, column = _skip(text, at, column, frame.column)
    return at, column


def _skip(text: str, at: int, column: int, target: int) -> tuple[int, int]:
    while at < len(text) and text[at] in " \t" and column < target:
        column += 4 - column % 4 if text[at] == "\t" else 1
        at += 1
    return at, column


def first_column(source: Source, frames: Sequence[Frame], line: int) -> int:
    """Return the column of the first character that is content or a marker inside."""
    at, column = _content(source, frames, line)
    text = source.line(line)
    indent = text[at : at + blanks(text[at:])]
    return column + len(indent.expandtabs(4))


def own_indent(source: Source, frames: Sequence[Frame], line: int) -> int:
    """Return how far a line is indented beyond the content of its containers, in columns."""
    column = _content(source, frames, line)[1]
    return first_column(source, frames, line) - column


def content_index(source: Source, frames: Sequence[Frame], line: int) -> int:
    """Return the index in a line after what its containers put before it."""
    return _content(source, frames, line)[0]


def is_blank(source: Source, frames: Sequence[Frame], line: int) -> bool:
    """Return whether a line holds nothing but what its containers put there."""
    return not source.line(line)[_content(source, frames, line)[0] :].strip()
