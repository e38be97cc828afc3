"""What a part must begin and end with to be read as it was in the document.

The lines that follow keep their columns: what is put before a part's first line fills the columns
that stand empty there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from fencepost.cutting.frames import (
    CODE_COLUMN,
    Frame,
    Frames,
    blanks,
    first_column,
)
from fencepost.cutting.unit import Part, Rule, Unit
from fencepost.fences import column as column_after
from fencepost.model import Block, Insertion
from fencepost.source import Source

PROSE: Final = frozenset({"paragraph", "heading", "list", "item", "quote", "definition"})
"""Kinds whose first line may stand behind a repeated marker."""

_ATTRIBUTES = re.compile(r"^(<[^\s>]+)[^\0]*>$")
_TITLE = re.compile(r"^((?:!!!|\?\?\?\+?|:{3,}|/{3,})[ \t]*[\w-]+)[^\n]*$")
_BULLETS: Final = "-+"


@dataclass(slots=True)
class _Line:
    """The first line of a part as it is put together: strings, and None for a `>`."""

    head: str = ""
    """Whole lines that go before it."""
    parts: list[str | None] = None  # type: ignore[assignment]
    column: int = 0
    base: int = 0
    marked: bool = False

    def __post_init__(self) -> None:
        self.parts = []

    def put(self, text: str, at: int) -> None:
        """Put text at a column."""
        self.parts.append(" " * max(0, at - self.column) + text)
        self.column = max(at, self.column) + len(text)

    def text(self) -> str:
        """Return the line so far, `>` put in where the source would have it."""
        return "".join("> " if part is None else part for part in self.parts)


def _rebuild(frames: Frames, column: int | None, *, forced: bool = False) -> _Line:
    """Return what goes before a part; `column` is where its first character stood, if known."""
    line = _Line()
    pending: list[Frame] = []
    for frame in frames:
        if frame.term:
            _flush(line, pending, frame.at, forced=False)
            line.head += line.text() + frame.term.strip() + "\n"
            _next_line(line)
        if frame.form == "item":
            pending.append(frame)
            continue
        _flush(line, pending, frame.at, forced=False)
        if frame.form == "quote":
            line.parts.append(None)
            line.column = line.base = max(frame.column, line.column + 2)
            continue
        before = line.text() + " " * max(0, frame.at - line.column if line.parts else 0)
        line.head += before + frame.marker + "\n"
        if frame.blank:
            line.head += "".join(">" for part in line.parts if part is None) + "\n"
        _next_line(line)
        line.base = frame.column
    _flush(line, pending, column, forced=forced)
    return line


def _next_line(line: _Line) -> None:
    """Go to the next line: only the quotes are left of what stood before."""
    line.parts = [part for part in line.parts if part is None]
    line.column = 2 * len(line.parts)
    line.marked = False


def _flush(line: _Line, items: list[Frame], target: int | None, *, forced: bool) -> None:
    """Put the markers of list items, where the part needs them."""
    needed = forced or any(item.always or item.wide for item in items)
    if target is not None and items:
        needed = needed or target - line.base >= CODE_COLUMN
    last = ""
    for item in items if needed else ():
        marker = item.marker
        if marker in _BULLETS and marker == last:
            # "- - - a" is a rule.
            marker = _BULLETS[1 - _BULLETS.index(marker)]
        line.put(marker, item.at)
        last = marker
        line.marked = True
    if needed and items:
        at = items[-1].column if target is None else target
        line.put("", max(at, line.column + 1))
    items.clear()


def at_line(
    source: Source, frames: Frames, line: int, *, forced: bool = False, prose: bool = False
) -> tuple[tuple[Part, ...], int]:
    """Return the lead for a part that begins with a line, and where its slice begins.

    `forced` asks for the markers of the list items around it at any column: a sub-item read alone
    must be a sub-item. The first line of `prose` may stand behind the marker; that of code or of a
    table stays as it is, below it.
    """
    start = source.starts[line]
    if not frames:
        return (), start
    text = source.line(line)
    column = first_column(source, frames, line)
    rebuilt = _rebuild(_spaced(source, frames, line), column, forced=forced)
    if rebuilt.marked and not prose and _may_stand_alone(frames, column):
        markers = rebuilt.head + rebuilt.text().rstrip(" ") + "\n"
        return (Part(markers, "list-marker"),), start
    lead: list[Part] = []
    if rebuilt.head:
        lead.append(Part(rebuilt.head, _reason(rebuilt, head=True)))
    at, clean = 0, True
    for part in rebuilt.parts:
        if part is None:
            quote = at + blanks(text[at:])
            if text[quote : quote + 1] == ">":
                after = quote + 1 + (text[quote + 1 : quote + 2] == " ")
                begin = start + (at if clean else quote)
                lead.append(Part(start=begin, end=start + after))
                at, clean = after, True
            else:
                lead.append(Part("> ", "quote-prefix"))
                at, clean = quote, False
        elif part:
            lead.append(Part(part, "list-marker"))
            at, clean = at + blanks(text[at:]), False
    return _joined(lead, start + at)


def _spaced(source: Source, frames: Frames, line: int) -> Frames:
    """Return frames with a blank line after a repeated tag only where one stands before the line.

    "<div>" over "    <p>" without one is HTML; with one it is code.
    """
    last = max((i for i, frame in enumerate(frames) if frame.close.startswith("</")), default=-1)
    if last < 0 or line == 0:
        return frames
    spaced = replace(frames[last], blank=source.is_blank(line - 1))
    return (*frames[:last], spaced, *frames[last + 1 :])


def _may_stand_alone(frames: Frames, column: int) -> bool:
    """Return whether a marker on a line of its own gives a line below it the same meaning.

    "-" over "    text": the item's content then begins one column right of the marker, and the line
    may be indented by three more. So its first line too stays as it stood. Indented code needs the
    exact column.
    """
    inner = next(frame for frame in reversed(frames) if frame.form == "item")
    if inner.always:
        # "[^a]:" may; ":" without text opens no definition.
        return inner.marker.startswith("[") and column >= inner.column
    content = inner.at + len(inner.marker) + 1
    return content <= column < content + CODE_COLUMN or content == inner.column


def _joined(lead: list[Part], resume: int) -> tuple[tuple[Part, ...], int]:
    """Leave slices at the end of a lead to the slice that follows."""
    while lead and lead[-1].reason is None and lead[-1].end == resume:
        resume = lead.pop().start
    return tuple(lead), resume


def _reason(line: _Line, *, head: bool) -> Insertion:
    if head:
        return "tag"
    return "list-marker" if line.marked else "quote-prefix"


def within_line(frames: Frames) -> tuple[Part, ...]:
    """Return the lead for a part that begins in the middle of a line."""
    if not frames:
        return ()
    rebuilt = _rebuild(frames, None)
    text = rebuilt.text()
    bodies = [frame for frame in frames if frame.form == "body"]
    if bodies and rebuilt.column < bodies[-1].column:
        text += " " * (bodies[-1].column - rebuilt.column)
    parts = []
    if rebuilt.head:
        parts.append(Part(rebuilt.head, "tag"))
    if text:
        reason: Insertion = _reason(rebuilt, head=False) if ">" in text or rebuilt.marked else "tag"
        parts.append(Part(text, reason))
    return tuple(parts)


def line_before(frames: Frames, text: str, prefix: str | None = None) -> str:
    """Return a whole line of our own, such as a fence's opener, to go before a part.

    Args:
        frames: the containers that it stands in.
        text: the line, without prefix and end.
        prefix: what such a line had before it in the source, list markers as blanks; what any
            further line inside the containers has, if not given.
    """
    content = frames[-1].column if frames else 0
    before = continuation(frames) if prefix is None else prefix
    rebuilt = _rebuild(frames, max(content, column_after(before)))
    if not rebuilt.marked:
        return rebuilt.head + before + text + "\n"
    inline = rebuilt.text()
    if column_after(before) > content:
        # "-" alone, then "    ```": a fence indented beyond its item keeps its indentation.
        return rebuilt.head + inline.rstrip(" ") + "\n" + before + text + "\n"
    return rebuilt.head + inline + text + "\n"


def continuation(frames: Frames) -> str:
    """Return what a further line inside the containers begins with."""
    text = ""
    for frame in frames:
        text = _continued(text, frame)
    return text


def _continued(text: str, frame: Frame) -> str:
    if frame.form == "quote":
        return text + " " * max(0, frame.at - len(text)) + "> "
    return text + " " * max(0, frame.column - len(text))


def closing(frames: Frames) -> tuple[Part, ...]:
    """Return the tail that closes the `:::` containers and elements around a part."""
    lines: list[str] = []
    before = ""
    for frame in frames:
        if frame.form == "colon":
            blank = "\n" + before.rstrip() if frame.blank_end else ""
            lines.append(blank + "\n" + before + frame.close)
        before = _continued(before, frame)
    return (Part("".join(reversed(lines)), "tag"),) if lines else ()


def unit_at(
    source: Source, frames: Frames, block: Block, place: tuple[Rule, int], *, forced: bool = False
) -> Unit:
    """Return the unit for a block inside containers, with what a part that begins there needs."""
    prose = block.kind in PROSE
    lead, resume = at_line(source, frames, block.start, forced=forced, prose=prose)
    rule, depth = place
    return Unit(source.starts[block.start], rule, depth, lead, resume, closing(frames))


def shorter(frames: Frames) -> Iterator[Frames]:
    """Yield frames that cost less to reopen: without attributes and titles, then without tags."""
    brief = tuple(
        replace(frame, marker=_TITLE.sub(r"\1", _ATTRIBUTES.sub(r"\1>", frame.marker)))
        for frame in frames
    )
    yield brief
    while tags := [frame for frame in brief if frame.form == "colon"]:
        # The outer half goes first: two hundred levels are tried in eight steps.
        outer = {id(frame) for frame in tags[: (len(tags) + 1) // 2]}
        brief = tuple(frame for frame in brief if id(frame) not in outer)
        yield brief
