"""Build the heading stack of a document: sections, paths, and what is content."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from .parse import Head
from .reading import Reading
from .tags import shows_nothing, tag_balance

_ANCHOR: Final = re.compile(r"\s*\{:?\s*#[^{}\s]+[^{}]*\}\s*$")

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """Describe one section; the first of a document has level 0 and no heading."""

    level: int
    path: Path
    first: int
    body: int
    """First line after the heading."""
    last: int
    parent: int


@dataclass(frozen=True, slots=True)
class Outline:
    """Hold the sections of a document and which lines are content of them."""

    sections: tuple[Section, ...]
    firsts: tuple[int, ...]
    heads: tuple[Head, ...]
    """Headings that open a section."""
    content: tuple[int, ...]
    """Number of content lines before each line."""
    maybe: tuple[int, ...]
    """Number of lines before each line that can be seen as content or not (``<br>``)."""
    shown: tuple[int, ...]
    """Number of lines before each line that a reader sees, headings left out (``<img>``)."""
    wraps: tuple[int, ...]
    """Number of lines before each line that stand in an html block or are a ``:::`` line."""

    def between(self, first: int, last: int) -> range:
        """Return the indexes of the sections that stand in some lines."""
        return range(bisect_right(self.firsts, first) - 1, bisect_right(self.firsts, last))

    def has_content(self, section: Section, first: int, last: int) -> bool:
        """Tell whether a section has content in some lines."""
        return _count(self.content, max(first, section.first), min(last, section.last)) > 0

    def has_maybe(self, section: Section, first: int, last: int) -> bool:
        """Tell whether a section has lines there that can be seen as content."""
        return _count(self.maybe, max(first, section.first), min(last, section.last)) > 0

    def shows(self, first: int, last: int) -> bool:
        """Tell whether a reader sees anything but headings in some lines."""
        return _count(self.shown, first, last) > 0

    def has_wraps(self, first: int, last: int) -> bool:
        """Tell whether tags or ``:::`` lines stand in some lines."""
        return _count(self.wraps, first, last) > 0


def _count(sums: Sequence[int], first: int, last: int) -> int:
    return sums[last + 1] - sums[first] if last >= first else 0


def outline(reading: Reading, title: str | None, front_lines: int) -> Outline:
    """Fold the counted headings into sections with their paths."""
    inside = nesting(reading.marks.slashes, len(reading.lines))
    under = _under_openers(reading)
    heads = tuple(
        head
        for head in reading.parse.heads
        if not inside[head.first] and head.first not in under and counts(reading, head)
    )
    outer = _outer(title, heads)
    sections = [Section(0, outer, 0, 0, len(reading.lines) - 1, -1)]
    stack = [(0, 0)]
    for number, head in enumerate(heads):
        while stack[-1][0] >= head.level:
            stack.pop()
        parent = stack[-1][1]
        name = clean_title(head.title)
        path = sections[parent].path + ((name,) if name else ())
        last = heads[number + 1].first - 1 if number + 1 < len(heads) else len(reading.lines) - 1
        stack.append((head.level, len(sections)))
        sections.append(Section(head.level, path, head.first, head.last + 1, last, parent))
    first = heads[0].first if heads else len(reading.lines)
    sections[0] = Section(0, outer, 0, 0, first - 1, -1)
    content, maybe, shown = _weigh(reading, heads, front_lines)
    firsts = tuple(section.first for section in sections)
    return Outline(tuple(sections), firsts, heads, content, maybe, shown, _wraps(reading))


def counts(reading: Reading, head: Head) -> bool:
    """Tell whether a heading opens a section: at top level, not right under a ``:::`` opener."""
    above = head.first - 1
    return (
        head.depth == 0 and not reading.marks.colons.get(above) and above not in reading.marks.tags
    )


def _under_openers(reading: Reading) -> set[int]:
    """Return the lines right under an opening tag that is no html block: "<my_tag>" over "# A"."""
    return {
        top.last + 1
        for top in reading.parse.tops
        if top.kind == "Tags"
        and (tag_balance("\n".join(reading.masked[top.first : top.last + 1])) or 0) > 0
    }


def nesting(blocks: Iterable[tuple[int, int]], size: int) -> list[int]:
    """Count for each line the blocks it stands in."""
    steps = [0] * (size + 1)
    for first, last in blocks:
        steps[first] += 1
        steps[last] -= 1
    return list(accumulate(steps))


def clean_title(title: str) -> str:
    """Take an explicit anchor off a title: "Install {#setup}" is "Install"."""
    return _ANCHOR.sub("", title).strip()


def fold(text: str) -> str:
    """Collapse white space and case, the way titles are compared."""
    return " ".join(text.split()).casefold()


def _outer(title: str | None, heads: Iterable[Head]) -> Path:
    if not title or not title.strip():
        return ()
    tops = [clean_title(head.title) for head in heads if head.level == 1]
    same = len(tops) == 1 and fold(tops[0]) == fold(title)
    return () if same else (" ".join(title.split()),)


def _weigh(
    reading: Reading, heads: Iterable[Head], front_lines: int
) -> tuple[tuple[int, ...], ...]:
    """Count the lines before each line that are content, that may be content, and that show."""
    size = len(reading.lines)
    sure = bytearray(not reading.lines.is_blank(line) for line in range(size))
    open_to_view = bytearray(size)
    for head in heads:
        sure[head.first : head.last + 1] = bytes(head.last + 1 - head.first)
    for line in (*reading.marks.colons, *reading.marks.tags):
        sure[line] = 0
    open_to_view[:front_lines] = sure[:front_lines]
    sure[:front_lines] = bytes(min(front_lines, size))
    shown = bytearray(sure)
    for span in reading.parse.tops:
        if span.kind not in ("HtmlBlock", "Tags"):
            continue
        text = "\n".join(reading.masked[span.first : span.last + 1])
        net = reading.marks.components.nets.get(span.first, tag_balance(text))
        if net is None:
            continue
        if shows_nothing(text) and span.first not in reading.marks.components.shows:
            shown[span.first : span.last + 1] = bytes(span.last + 1 - span.first)
        length = span.last + 1 - span.first
        if net == 0:
            open_to_view[span.first : span.last + 1] = sure[span.first : span.last + 1]
        sure[span.first : span.last + 1] = bytes(length)
    for span in reading.marks.components.tops:
        if span.kind == "Comment":
            open_to_view[span.first : span.last + 1] = sure[span.first : span.last + 1]
            sure[span.first : span.last + 1] = bytes(span.last + 1 - span.first)
    return (0, *accumulate(sure)), (0, *accumulate(open_to_view)), (0, *accumulate(shown))


def _wraps(reading: Reading) -> tuple[int, ...]:
    marks = bytearray(len(reading.lines))
    for line in (*reading.marks.colons, *reading.marks.tags):
        marks[line] = 1
    for span in reading.parse.tops:
        if span.kind in ("HtmlBlock", "Tags"):
            marks[span.first : span.last + 1] = b"\x01" * (span.last + 1 - span.first)
    return (0, *accumulate(marks))
