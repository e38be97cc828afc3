"""Rewrite lines of tags, expressions and imports, one for one, so that CommonMark reads on.

Lines of tags alone become blank and what they wrap is dedented; in MDX nothing is indented code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate
from typing import Final, Literal

from .fence_rule import CONTAINER, opener
from .lines import column
from .markup_scan import Item, Scanner, begins_module, module_end
from .parse import Code, Span
from .raw_fences import RawFences

Dialect = Literal["", "md", "mdx"]

_VERBATIM: Final = frozenset(("pre", "script", "style", "textarea"))
_WHOLE: Final = _VERBATIM | {"table", "svg"}
_VOID: Final = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta")
)
_COMPONENT: Final = re.compile(r"[ \t]*(?:</?[A-Z][\w.]*(?:[\s/>]|$)|<>|\{/\*)")
_TAB: Final = 4
_HERE: Final = "\x01"
"""What stands for a line of tags until its body is dedented."""


@dataclass(slots=True)
class Components:
    """Collect the runs of lines that the mask blanks."""

    tops: list[Span] = field(default_factory=list)
    """Tags, Comment, Expression, Module and Html."""
    nets: dict[int, int] = field(default_factory=dict)
    """By first line of a run: opening less closing tags."""
    openers: set[int] = field(default_factory=set)
    """Last lines of runs of tags that open more than they close."""
    shows: set[int] = field(default_factory=set)
    """First lines of runs of tags that show something: "<Image />"."""
    pairs: dict[int, int] = field(default_factory=dict)
    """First lines of runs that open something, each with the last line of what closes it."""
    fences: list[tuple[int, int]] = field(default_factory=list)
    """First and last line of the fences where the fence rule decides."""
    unclosed: list[int] = field(default_factory=list)
    """Lines of openers that are text by the fence rule."""
    inside: set[int] = field(default_factory=set)
    """Lines that stand between two tags."""


def holds_components(lines: Sequence[str]) -> bool:
    """Tell whether a Markdown document may hold tags on lines of their own."""
    return any(line.lstrip(" \t").startswith(("<", "{/*")) for line in lines)


def mask_components(lines: list[str], dialect: Dialect) -> Components:
    """Blank what is no Markdown, dedent what stands in it."""
    found = Components()
    raw = [*lines]
    jsx = dialect == "mdx" or any(map(_COMPONENT.match, raw))
    walk = _Walk(raw, dialect, jsx=jsx)
    for span, items in walk.runs():
        found.tops.append(span)
        _note(found, span, items)
        lead = _lead(raw[span.first]) + _HERE if span.kind == "Tags" else ""
        lines[span.first : span.last + 1] = [lead] * (span.last + 1 - span.first)
    spans = list(_pairs(found.tops, walk.items))
    for first, last in spans:
        found.pairs[first.first] = max(last.last, found.pairs.get(first.first, 0))
        found.inside.update(range(first.last + 1, last.first))
    fenced = {line for first, last in walk.fences for line in range(first, last + 1)}
    for first, last in sorted(spans, key=lambda pair: pair[0].first):
        _dedent(lines, range(first.last + 1, last.first), _indent(lines[first.first]), fenced)
    lines[:] = ["" if line.endswith(_HERE) else line for line in lines]
    found.fences = [
        (first, last) for first, last in walk.fences if dialect == "mdx" or first in found.inside
    ]
    found.unclosed = [n for n in walk.unclosed if dialect == "mdx" or n in found.inside]
    if dialect == "mdx":
        for number, line in enumerate(lines):
            if number not in fenced and line.lstrip(" \t").startswith("<"):
                lines[number] = line.replace("<", "x", 1)
    return found


def _note(found: Components, span: Span, items: Sequence[Item]) -> None:
    net = 0
    for item in items:
        if item.form == "empty" or item.name.lower() in _VOID:
            found.shows.add(span.first)
        else:
            net += (item.form == "open") - (item.form == "close")
    found.nets[span.first] = net
    if net > 0:
        found.openers.add(span.last)


class _Walk:
    def __init__(self, lines: list[str], dialect: Dialect, *, jsx: bool) -> None:
        self.lines, self.dialect, self.jsx = lines, dialect, jsx
        self.text = "\n".join(lines)
        self.starts = [0, *accumulate(len(line) + 1 for line in lines)]
        self.scanner = Scanner(self.text)
        self.raw = RawFences(lines)
        self.fences: list[tuple[int, int]] = []
        self.unclosed: list[int] = []
        self.items: dict[int, list[Item]] = {}

    def runs(self) -> Iterator[tuple[Span, list[Item]]]:
        """Yield the runs in order; note the fences between them."""
        number = 0
        while number < len(self.lines):
            last = self._fence(number)
            if last >= 0:
                self.fences.append((number, last))
                number = last + 1
                continue
            span, items = self._run(number)
            if span is None:
                number += 1
                continue
            self.items[span.first] = items
            yield span, items
            number = span.last + 1

    def _fence(self, number: int) -> int:
        """Return the last line of the fence that a line opens, or -1; quotes have their own."""
        line = self.lines[number]
        if ("```" not in line and "~~~" not in line) or line.lstrip(" \t").startswith(">"):
            return -1
        last = self.raw.last(number)
        if last < 0 and opener(line.lstrip(" \t")) and line.lstrip(" \t")[0] in "`~":
            self.unclosed.append(number)
        return last

    def _run(self, number: int) -> tuple[Span | None, list[Item]]:
        line = self.lines[number]
        lead = len(line) - len(line.lstrip(" \t"))
        char = line[lead : lead + 1]
        if char == "<" or (char == "{" and self.jsx):
            return self._tags(number, self.starts[number] + lead)
        above = self.lines[number - 1] if number else ""
        if self.dialect == "mdx" and not lead and not above.strip() and begins_module(line):
            last = module_end(self.lines, number)
            if last >= 0:
                return Span("Module", number, last), []
        return None, []

    def _tags(self, number: int, at: int) -> tuple[Span | None, list[Item]]:
        items: list[Item] = []
        place = at
        while True:
            item = self.scanner.item(place, expressions=self.dialect == "mdx", comments=self.jsx)
            if item is None or (not self.jsx and not (item.name or item.form == "comment")):
                return None, []
            gap = re.search(r"\n[ \t]*\n", self.text[place : item.end])
            if gap and not self.jsx and item.form != "comment":
                return None, []
            if not items and item.form == "open" and item.name.lower() in _WHOLE:
                whole = self._whole(number, item)
                if whole or item.name.lower() in _VERBATIM:
                    return whole, []
            items.append(item)
            rest = re.compile(r"[ \t]*").match(self.text, item.end)
            place = rest.end() if rest else item.end
            if place >= len(self.text) or self.text[place] == "\n":
                break
            if self.text[place] not in "<{":
                return None, []
        last = self._line_of(max(at, items[-1].end - 1), number)
        forms = {item.form for item in items}
        kind = "Tags" if forms - {"comment", "expression"} else "Comment"
        return Span(kind, number, last), items

    def _whole(self, number: int, item: Item) -> Span | None:
        found = re.compile(rf"</{item.name}\s*>", re.IGNORECASE).search(self.text, item.end)
        if not found:
            return None
        last = self._line_of(found.end() - 1, number)
        if self.text[found.end() : self.starts[last + 1] - 1].strip():
            return None
        holds = any("```" in line or "~~~" in line for line in self.lines[number : last + 1])
        if holds and item.name.lower() not in _VERBATIM:
            return None
        return Span("Html", number, last)

    def _line_of(self, offset: int, number: int) -> int:
        while self.starts[number + 1] <= offset:
            number += 1
        return number


def _pairs(tops: Sequence[Span], items: dict[int, list[Item]]) -> Iterator[tuple[Span, Span]]:
    """Yield the runs that open and close something."""
    stack: list[tuple[str, Span]] = []
    names: dict[str, int] = {}
    for span in tops:
        for item in items[span.first] if span.kind == "Tags" else []:
            if item.form == "open":
                stack.append((item.name, span))
                names[item.name] = names.get(item.name, 0) + 1
            elif item.form == "close" and names.get(item.name):
                while stack[-1][0] != item.name:
                    names[stack.pop()[0]] -= 1
                names[item.name] -= 1
                _, opening = stack.pop()
                if opening.first != span.first:
                    yield opening, span


def _dedent(lines: list[str], body: range, at: int, fenced: set[int]) -> None:
    """Take off what a body has more indentation than its tag; fences count by their openers."""
    filled = (n for n in body if lines[n].strip(" \t") and _counts(n, fenced))
    extra = min((_indent(lines[n]) for n in filled), default=0) - at
    for number in body if extra > 0 else ():
        lines[number] = strip_columns(lines[number], extra)


def _counts(number: int, fenced: set[int]) -> bool:
    return number not in fenced or number - 1 not in fenced


def _lead(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t"))]


def _indent(line: str) -> int:
    return column(_lead(line))


def strip_columns(line: str, columns: int) -> str:
    """Take up to some columns of blanks off a line; a tab that is cut becomes blanks."""
    rest = line.lstrip(" \t")
    width = column(line[: len(line) - len(rest)])
    return " " * (width - columns) + rest if width > columns else rest


def mend(lines: list[str], codes: Sequence[Code], found: Components, dialect: Dialect) -> bool:
    """Bring to light what the parser did not see: fences too far right, text indented by four."""
    changed = False
    seen = {(code.first, code.last) for code in codes if code.info is not None}
    fenced: set[int] = set()
    for first, last in found.fences:
        fenced.update(range(first, last + 1))
        indent = _indent(lines[first])
        if (first, last) in seen or not indent or lines[first].lstrip(" \t")[:1] not in {"`", "~"}:
            continue
        for number in range(first, last + 1):
            lines[number] = strip_columns(lines[number], indent)
        changed = True
    for code in codes:
        if code.info is not None or not (dialect == "mdx" or code.first in found.inside):
            continue
        near = _nearer if code.depth else partial(strip_columns, columns=_TAB)
        for number in range(code.first, code.last + 1):
            if number not in fenced:
                lines[number] = near(lines[number])
                changed = True
    return changed


def _nearer(line: str) -> str:
    """Take four columns off what is indented behind the markers of a line's containers."""
    match = re.match(CONTAINER, line)
    prefix = match[0] if match else ""
    kept = prefix.rstrip(" \t")
    return kept + " " + line[len(prefix) :] if kept else strip_columns(line, _TAB)
