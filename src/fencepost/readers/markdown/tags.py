"""Lines of tags alone: where they are, and which opens what.

One pass over the raw lines, with the fences of the fence rule left out. A run of lines is *tags
alone* if it holds nothing but tags, comments and expressions: `<Tabs>`, `</Tab>`, a tag with its
attributes over twenty lines, `{/* … */}`, `<!-- … -->`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from fencepost import fences
from fencepost.readers.markdown.esm import esm_end
from fencepost.readers.markdown.jsx import Room, Tag, expression_end, read_tag

if TYPE_CHECKING:
    from fencepost.options import MdxMode

Dialect: TypeAlias = Literal["off", "html", "jsx", "mdx"]
"""`off`: as CommonMark has it; `html`: tags and `<!-- -->`; `jsx`: `{/* */}` too; `mdx`: any
expression, and imports and exports."""

_LEAD = re.compile(r"[ \t]*")
_MARKERS = re.compile(r"(?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t])))+[ \t]*")
_JSX = re.compile(
    r"^[ \t]*(?:</?[A-Z][\w.]*(?:[\s/>]|$)|<>|\{/\*|import\s+[\w{*][^;\n]*\sfrom\s+[\"'])",
    re.MULTILINE,
)
_HTML = re.compile(r"^[ \t]*<", re.MULTILINE)
_STARTS: Final = {
    "html": re.compile(r"^[ \t]*<", re.MULTILINE),
    "jsx": re.compile(r"^[ \t]*[<{]", re.MULTILINE),
    "mdx": re.compile(r"^(?:[ \t]*[<{]|import|export)", re.MULTILINE),
}
"""By dialect: what a line that may begin a run looks like."""
VERBATIM: Final = frozenset({"pre", "script", "style", "textarea"})
"""Elements whose text CommonMark does not read."""
WHOLE: Final = VERBATIM | {"table", "svg"}
"""Elements that stay HTML: their insides are no Markdown."""


@dataclass(frozen=True, slots=True)
class Run:
    """Lines of tags alone, or of a comment, an expression, an import."""

    start: int
    end: int
    kind: Literal["tag", "comment", "esm", "html"]
    tags: tuple[Tag, ...] = ()


@dataclass(slots=True)
class Tags:
    """What a scan found."""

    runs: dict[int, Run] = field(default_factory=dict)
    """By first line."""
    pairs: dict[int, int] = field(default_factory=dict)
    """First lines of runs that open a container, each with the first line of the one that closes
    it."""
    fences: dict[int, fences.Fence] = field(default_factory=dict)
    """By first line: fences as the fence rule has them."""
    closers: frozenset[int] = frozenset()
    """First lines of runs that close a container."""

    def closer(self, line: int) -> Run | None:
        """Return the run that closes what the run at a line opens."""
        close = self.pairs.get(line)
        return None if close is None else self.runs[close]


def scan_tags(lines: Sequence[str], dialect: Dialect, runs: fences.Runs) -> Tags:
    """Return the runs of tags in raw lines, and which belong together."""
    scan = _Scan(lines, dialect, runs)
    found = Tags()
    after = 0
    for line in scan.candidates():
        if line < after:
            continue
        fence = runs.fence(line)
        if fence is not None:
            found.fences[line] = fence
            after = fence.end
            continue
        run = scan.run(line)
        if run is not None:
            found.runs[line] = run
            after = run.end
    found.pairs = dict(_pairs(list(found.runs.values())))
    found.closers = frozenset(found.pairs.values())
    return found


class _Scan:
    """The text, its lines, and how much of it may still be looked through."""

    def __init__(self, lines: Sequence[str], dialect: Dialect, runs: fences.Runs) -> None:
        self._lines, self._dialect, self._runs = lines, dialect, runs
        self._text = "".join(lines)
        self._starts = list(accumulate(map(len, lines), initial=0))
        self._room = Room.of(self._text)
        self._no_closer: dict[str, int] = {}
        """By name: the offset from which on no closing tag follows."""
        self._no_comment_end = len(self._text)
        """Offset from which on no `-->` follows."""

    def candidates(self) -> list[int]:
        """Return the lines that may open a fence or begin a run, in order."""
        found = (match.start() for match in _STARTS[self._dialect].finditer(self._text))
        starts = self._starts
        lines = {bisect_right(starts, at) - 1 for at in found}
        return sorted(lines.union(self._runs.lines))

    def run(self, line: int) -> Run | None:
        """Return the run that begins with a line."""
        text = self._lines[line]
        start = _LEAD.match(text)
        at = start.end() if start else 0
        char = text[at : at + 1]
        if char == "<" or (char == "{" and self._dialect in {"jsx", "mdx"}):
            return self._tags_alone(line, self._starts[line] + at)
        if self._dialect == "mdx" and at == 0 and char in {"i", "e"}:
            before = line == 0 or not self._lines[line - 1].strip()
            end = esm_end(self._lines, line, self._room) if before else None
            return Run(line, end, "esm") if end else None
        return None

    def _tags_alone(self, line: int, at: int) -> Run | None:
        tags: list[Tag] = []
        kind: Literal["tag", "comment", "esm", "html"] = "comment"
        text, place = self._text, at
        while True:
            tag, end = self._item(place)
            if end is None:
                return None
            if tag is not None:
                name = tag.name.lower()
                whole = self._whole(line, tag) if name in WHOLE and not tags else None
                if whole is not None or name in VERBATIM:
                    return whole
                tags.append(tag)
                kind = "tag"
            place = end
            gap = _LEAD.match(text, place)
            place = gap.end() if gap else place
            if place >= len(text) or text[place] in "\r\n":
                break
            if text[place] not in "<{":
                return None
        last = self._line_of(max(at, place - 1), line)
        return Run(line, last + 1, kind, tuple(tags))

    def _item(self, at: int) -> tuple[Tag | None, int | None]:
        """Return the tag at an offset, if it is one, and where the item ends."""
        text = self._text
        if text.startswith("<!--", at):
            return None, self._comment_end(at)
        if text[at] == "{":
            if self._dialect == "mdx" or text.startswith("{/*", at):
                return None, expression_end(text, at, self._room)
            return None, None
        tag = read_tag(text, at, self._room)
        if tag is None or (self._dialect == "html" and not tag.name):
            return None, None
        blank = "\n" in text[tag.start : tag.end] and re.search(
            r"\n[ \t]*\n", text[tag.start : tag.end]
        )
        # CommonMark ends HTML at a blank line; JSX does not.
        return (None, None) if blank and self._dialect == "html" else (tag, tag.end)

    def _comment_end(self, at: int) -> int | None:
        if at >= self._no_comment_end:
            return None
        end = self._text.find("-->", at + 4)
        if end < 0:
            self._no_comment_end = at
            return None
        return end + 3

    def _whole(self, line: int, tag: Tag) -> Run | None:
        """Return an element that stays HTML, up to the end of the line that closes it."""
        end = self._closer_end(tag) if tag.form == "open" else None
        if end is None:
            return None
        last = self._line_of(end - 1, line)
        if self._text[end : self._starts[last + 1]].strip():
            return None
        # A table with a fence in a cell is a container like others.
        if tag.name.lower() not in VERBATIM and any(map(self._runs.opens, range(line, last + 1))):
            return None
        return Run(line, last + 1, "html")

    def _closer_end(self, tag: Tag) -> int | None:
        """Return the offset after the next closing tag of this name."""
        if tag.end >= self._no_closer.get(tag.name, len(self._text)):
            return None
        closer = re.compile(rf"</{tag.name}\s*>", re.IGNORECASE)
        found = closer.search(self._text, tag.end)
        if found is None:
            self._no_closer[tag.name] = tag.end
            return None
        return found.end() if self._room.take(found.end() - tag.end) else None

    def _line_of(self, offset: int, line: int) -> int:
        while self._starts[line + 1] <= offset:
            line += 1
        return line


def _pairs(runs: list[Run]) -> Iterator[tuple[int, int]]:
    """Yield openers and closers that belong together: names and nesting must match.

    Of `<Tabs><Tab>` the outer tag makes the container. Tags left open, or closed out of turn, are
    lines on their own.
    """
    stack: list[tuple[str, int, bool]] = []
    depth: dict[str, list[int]] = {}
    for run in runs:
        if run.kind != "tag":
            continue
        pure_close = all(tag.form == "close" for tag in run.tags)
        first = True
        opened: tuple[int, int] | None = None
        for tag in run.tags:
            if tag.form == "open":
                depth.setdefault(tag.name, []).append(len(stack))
                stack.append((tag.name, run.start, first))
                first = False
            elif tag.form == "close" and depth.get(tag.name):
                at = depth[tag.name][-1]
                for name, _, _ in stack[at:]:
                    depth[name].pop()
                _, start, outer = stack[at]
                del stack[at:]
                if start == run.start:
                    first = True
                elif pure_close and outer and (opened is None or start < opened[0]):
                    opened = (start, run.start)
        if opened is not None:
            yield opened


def dialect_of(text: str, mode: MdxMode, *, mdx: bool) -> Dialect:
    """Return the dialect of a document: what its suffix says, else what its text holds.

    >>> dialect_of("<Tabs>\\n", "auto", mdx=False), dialect_of("a < b\\n", "auto", mdx=False)
    ('jsx', 'off')
    """
    if mode == "off":
        return "off"
    if mdx:
        return "mdx"
    if "{/*" not in text and not _HTML.search(text):
        return "off"
    first = _JSX.search(text)
    if first is None:
        return "html"
    # JSX in an example of code makes no JSX of the page.
    lines = text.splitlines(keepends=True)
    fenced = {i for f in fences.scan(lines)[0] for i in range(f.start, f.end)}
    return "jsx" if any(i not in fenced and _JSX.match(t) for i, t in enumerate(lines)) else "html"
