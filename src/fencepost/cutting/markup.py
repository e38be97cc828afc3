"""HTML, comments, formulas and raw lines: between lines, what is open there closed and reopened."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from fencepost.cutting import containers, prose
from fencepost.cutting.frames import Frames
from fencepost.cutting.ground import Ground
from fencepost.cutting.unit import Part, Rule, Unit
from fencepost.model import Block

_TAG = re.compile(
    r"<!--.*?(?:-->|\Z)|<(?P<close>/?)(?P<name>[A-Za-z][\w:.-]*)"
    r"(?P<rest>(?:[^<>\"']|\"[^\"]*\"|'[^']*')*)>",
    re.DOTALL,
)
_ROWSPAN = re.compile(r"rowspan\s*=\s*[\"']?(\d+)", re.IGNORECASE)
VOID: Final = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source"]
).union(["track", "wbr"])
RAW_TEXT: Final = frozenset({"pre", "script", "style", "textarea"})
IMPLIED: Final = {
    "li": frozenset({"li"}),
    "tr": frozenset({"tr", "td", "th"}),
    "td": frozenset({"td", "th"}),
    "th": frozenset({"td", "th"}),
    "p": frozenset({"p"}),
    "dt": frozenset({"dt", "dd"}),
    "dd": frozenset({"dt", "dd"}),
    "tbody": frozenset({"thead", "tbody", "tr", "td", "th"}),
}
"""By element: those that its opening tag closes where HTML lets their closing tags be left out."""

_SPREAD: Final = 600
"""What a break inside a table's head, a row or a group of rows costs."""


@dataclass(slots=True)
class _Element:
    """An element that is open at some place."""

    name: str
    opening: tuple[int, int]
    """Offsets of its opening tag."""
    head: tuple[int, int] | None = None
    """Of a table: offsets of its `<thead>`, or of a first row of `<th>`."""
    rows: int = 0
    """Of a table: rows still held together by a `rowspan`."""
    open_row: int = -1
    header_cells: bool = False


@dataclass(slots=True)
class _State:
    """What is open at an offset."""

    stack: tuple[_Element, ...] = ()
    held: bool = False
    """Whether a break here would part a row from its group or a head from its table."""


@dataclass(slots=True)
class _Scan:
    """Tags of a run of HTML, and what is open after each."""

    places: list[int] = field(default_factory=list)
    states: list[_State] = field(default_factory=list)
    insides: list[tuple[int, int]] = field(default_factory=list)
    """Offsets of tags and comments over several lines: no cut in them."""

    def at(self, offset: int) -> _State:
        """Return what is open at an offset."""
        i = bisect_right(self.places, offset) - 1
        return self.states[i] if i >= 0 else _State()


def cut(block: Block, ground: Ground, frames: Frames, first: Unit) -> list[Unit]:
    """Return the units of an HTML block: its lines, rows of a table before others."""
    start, end = ground.start(block.start), ground.end(block.end)
    scan = _scan(ground.source.text, start, end)
    units = [first]
    for line in range(block.start, block.end):
        at = ground.start(line)
        if line > block.start and not ground.source.is_blank(line) and not _in_tag(scan, at):
            units.append(_unit(ground, frames, scan, line))
        units += _rows(ground, frames, scan, line, first)
        if not ground.fits(at, ground.end(line + 1), ground.options.hard_max_tokens // 2):
            units += prose.within(ground, frames, (line, line + 1), first.tail)
    return _closed(scan, _sorted(units), first)


def _sorted(units: list[Unit]) -> list[Unit]:
    """Order units by offset, one for each; the one with a lead wins."""
    best: dict[int, Unit] = {}
    for unit in units:
        if unit.start not in best or (unit.lead and not best[unit.start].lead):
            best[unit.start] = unit
    return [best[start] for start in sorted(best)]


def _in_tag(scan: _Scan, offset: int) -> bool:
    i = bisect_right(scan.insides, (offset, -1)) - 1
    return i >= 0 and scan.insides[i][0] < offset < scan.insides[i][1]


def _unit(ground: Ground, frames: Frames, scan: _Scan, line: int) -> Unit:
    start = ground.start(line)
    text = ground.source.line(line)
    at = start + len(text) - len(text.lstrip())
    state = scan.at(at - 1)
    row = ground.source.text.startswith(("<tr", "<TR"), at) and not state.held
    rule: Rule = "row" if row else "line"
    held = _SPREAD if state.held else 0
    lead = (*containers.within_line(frames), *_reopen(ground, state, at))
    if not lead and not ground.source.text.startswith("<", at):
        # A line of text or "# x" inside HTML is HTML only behind a tag.
        lead = (Part("<div>\n", "tag"),)
    return Unit(start, rule, len(state.stack), lead, at, (), glued=held)


def _rows(ground: Ground, frames: Frames, scan: _Scan, line: int, first: Unit) -> Iterator[Unit]:
    """Yield the rows that begin in the middle of a line."""
    start, end = ground.start(line), ground.end(line + 1)
    for found in re.finditer(r"<tr[\s>]", ground.source.text[start:end], re.IGNORECASE):
        at = start + found.start()
        state = scan.at(at - 1)
        if at > start and not state.held and ground.source.text[start:at].strip():
            lead = (*containers.within_line(frames), *_reopen(ground, state, at))
            yield Unit(at, "row", len(state.stack), lead, -1, first.tail)


def _reopen(ground: Ground, state: _State, at: int) -> tuple[Part, ...]:
    """Return the opening tags of what is open, and the head of each table."""
    parts: list[Part] = []
    half = ground.options.hard_max_tokens // 2
    for element in state.stack:
        tag = ground.source.text[slice(*element.opening)]
        if ground.counter.count(tag) > half // 4:
            tag = f"<{element.name}>"
        parts.append(Part(tag + "\n", "tag"))
        head = element.head
        if head is not None and head[1] <= at and ground.fits(*head, half):
            parts += [
                Part(start=head[0], end=head[1], repeated=True),
                Part("\n", "tag"),
            ]
    return tuple(parts)


def _closed(scan: _Scan, units: list[Unit], first: Unit) -> list[Unit]:
    """Give each unit the closing tags of what is open where it ends."""
    tails = [
        "".join(f"\n</{element.name}>" for element in reversed(scan.at(unit.start - 1).stack))
        for unit in units[1:]
    ]
    parted = [
        replace(unit, tail=((Part(tail, "tag"),) if tail else ()) + first.tail)
        for unit, tail in zip(units, tails, strict=False)
    ]
    return [*parted, replace(units[-1], tail=first.tail)]


def _scan(text: str, start: int, end: int) -> _Scan:
    """Follow the tags of a run of HTML."""
    scan = _Scan()
    stack: list[_Element] = []
    at = start
    while found := _TAG.search(text, at, end):
        at = found.end()
        if "\n" in found[0]:
            scan.insides.append(found.span())
        name = (found["name"] or "").lower()
        if not name:
            continue
        if found["close"]:
            _close(stack, name, found)
        elif name not in VOID and not found["rest"].rstrip().endswith("/"):
            _open(stack, name, found)
            if name in RAW_TEXT:
                at = _raw_end(text, name, at, end)
        scan.places.append(found.end() - 1)
        scan.states.append(_State(tuple(stack), _held(stack)))
    return scan


def _raw_end(text: str, name: str, at: int, end: int) -> int:
    """Return where the text of a `<pre>` or `<script>` ends: tags in it count for nothing."""
    found = re.compile(f"</{name}", re.IGNORECASE).search(text, at, end)
    return found.start() if found else end


def _open(stack: list[_Element], name: str, found: re.Match[str]) -> None:
    while stack and stack[-1].name in IMPLIED.get(name, ()):
        stack.pop()
    table = next((element for element in reversed(stack) if element.name == "table"), None)
    if table is not None and name == "tr":
        table.open_row, table.header_cells = found.start(), False
        table.rows = max(0, table.rows - 1)
    elif table is not None and name in {"td", "th"}:
        span = _ROWSPAN.search(found["rest"])
        table.rows = max(table.rows, min(int(span[1][:4]), 1000) if span else 1)
        table.header_cells = name == "th"
    stack.append(_Element(name, found.span()))


def _close(stack: list[_Element], name: str, found: re.Match[str]) -> None:
    depth = next((i for i in range(len(stack) - 1, -1, -1) if stack[i].name == name), None)
    if depth is None:
        return
    closed = stack[depth]
    del stack[depth:]
    table = next((element for element in reversed(stack) if element.name == "table"), None)
    if table is None or table.head is not None:
        return
    if name == "thead":
        table.head = (closed.opening[0], found.end())
    elif name == "tr" and table.header_cells and stack[-1] is table:
        table.head = (table.open_row, found.end())


def _held(stack: list[_Element]) -> bool:
    for element in stack:
        if element.name in {"thead", "tr"}:
            return True
        if element.name == "table" and element.rows > 1:
            return True
    return False


def cut_comment(block: Block, ground: Ground, frames: Frames, first: Unit) -> list[Unit]:
    """Return the units of a comment; each part is a comment."""
    jsx = ground.source.line(block.start).lstrip(" \t>").startswith("{")
    marks = ("{/*", "*/}") if jsx else ("<!--", "-->")
    return _between(block, ground, frames, first, marks)


def cut_math(block: Block, ground: Ground, frames: Frames, first: Unit) -> list[Unit]:
    r"""Return the units of a formula; each part is a formula."""
    opener = ground.source.line(block.start).strip()
    if opener.startswith("\\begin"):
        return _between(block, ground, frames, first, (opener, opener.replace("begin", "end", 1)))
    return _between(block, ground, frames, first, ("$$", "$$"))


def cut_lines(block: Block, ground: Ground, frames: Frames, first: Unit) -> list[Unit]:
    """Return the units of raw lines."""
    return _between(block, ground, frames, first, None)


def _between(
    block: Block,
    ground: Ground,
    frames: Frames,
    first: Unit,
    marks: tuple[str, str] | None,
) -> list[Unit]:
    """Return a unit for each line; parts open and close with the marks."""
    lead: tuple[Part, ...] = ()
    tail = first.tail
    if marks and ground.counter.count("".join(marks)) < ground.options.hard_max_tokens // 3:
        lead = (Part(containers.line_before(frames, marks[0]), "tag"),)
        tail = (Part("\n" + containers.continuation(frames) + marks[1], "tag"), *tail)
    units = [replace(first, tail=tail)]
    room = ground.options.hard_max_tokens - 2 * ground.cost((*lead, *tail))
    for line in range(block.start, block.end):
        if line > block.start and not ground.source.is_blank(line):
            start, before = ground.start(line), lead
            resume = start
            if not lead:
                before, resume = containers.at_line(ground.source, frames, line)
                if not before:
                    # Four blanks would make code of it.
                    text = ground.source.line(line)
                    resume += len(text) - len(text.lstrip()) if not frames else 0
            units.append(Unit(start, "line", len(frames), before, resume, tail))
        if not ground.fits(ground.start(line), ground.end(line + 1), room):
            within = prose.within(ground, frames, (line, line + 1), tail)
            units += [replace(unit, lead=lead or unit.lead) for unit in within]
    units = _sorted(units)
    return [*units[:-1], replace(units[-1], tail=first.tail)]
