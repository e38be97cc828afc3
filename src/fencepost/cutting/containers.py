"""Containers around a cut: what a part must begin with to be read as it was in the document.

Columns are those of the source line, so the lines that follow keep theirs: what is put before a
part's first line fills the columns that stand empty there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from fencepost.cutting.unit import Part, Rule, Unit
from fencepost.fences import column as column_after
from fencepost.model import Admonition, Block, Element, Insertion
from fencepost.source import Source

CODE_COLUMN: Final = 4
"""From this column on, relative to its container, a line would read as indented code."""

PROSE: Final = frozenset({"paragraph", "heading", "list", "item", "quote", "definition"})
"""Kinds whose first line may stand behind a repeated marker."""
LONG_TAG: Final = 240
"""Characters from which on an opening tag is repeated without its attributes."""

_ATTRIBUTES = re.compile(r"^(<[^\s>]+)[^\0]*>$")
_TITLE = re.compile(r"^((?:!!!|\?\?\?\+?|:{3,}|/{3,})[ \t]*[\w-]+)[^\n]*$")
_MARKER = re.compile(r"[-+*]|\d{1,9}[.)]")
_NOTE = re.compile(r"\[\^[^\]\s]+\]:")
_BULLETS: Final = "-+"


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
        blanks = [source.is_blank(child.start - 1) for child in block.children[1:]]
        blank = source.is_blank(detail.body[0]) or any(blanks)
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
    column += column_after(" " * column + text[at:][: _blanks(text[at:])]) - column
    start = at + _blanks(text[at:])
    found = _NOTE.match(text, start) or _MARKER.match(text, start)
    marker = found[0] if found else text[start : start + 1]
    after = column + len(marker)
    if note is not None:
        inner, always = column + CODE_COLUMN, True
    elif marker in {":", "~"}:
        inner, always = column + 2, True
    else:
        gap = _blanks(text[start + len(marker) :])
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


def _blanks(text: str) -> int:
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
            start = at + _blanks(text[at:])
            if text[start : start + 1] != ">":
                break
            column = column_after(text[:start]) + 1
            at = start + 1
            if text[at : at + 1] == " ":
                at, column = at + 1, column + 1
        elif frame.form == "item" and line == frame.first:
            start = at + _blanks(text[at:]) + len(frame.marker)
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
    blanks = text[at : at + _blanks(text[at:])]
    return column + len(blanks.expandtabs(4))


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
            quote = at + _blanks(text[at:])
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
            at, clean = at + _blanks(text[at:]), False
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
