"""Walk the events of pyromark and keep what the judge asks about, as lines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import pyromark

from .lines import ByteLines, last_filled

_OPTIONS: Final = (
    pyromark.Options.ENABLE_TABLES
    | pyromark.Options.ENABLE_FOOTNOTES
    | pyromark.Options.ENABLE_DEFINITION_LIST
)
_CONTAINERS: Final = frozenset(
    {"BlockQuote", "Item", "FootnoteDefinition", "DefinitionListDefinition"}
)
_BLOCKS: Final = _CONTAINERS | {
    "Paragraph",
    "Heading",
    "CodeBlock",
    "HtmlBlock",
    "List",
    "DefinitionList",
    "DefinitionListTitle",
    "Table",
    "TableHead",
    "TableRow",
}


@dataclass(frozen=True, slots=True)
class Span:
    """Name a block's kind and its first and last line."""

    kind: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Code:
    """Describe a code block; blank lines after its last content line are not in it."""

    first: int
    last: int
    body: int
    """Line of the first content line."""
    content: tuple[str, ...]
    """Content lines as the parser gives them, container prefixes taken off."""
    info: str | None
    """Info string; None for indented code."""
    closed: bool
    """Whether a line closes it, not the end of its container or of the text."""
    depth: int
    """How many containers it stands in."""
    lead: Span | None
    """The paragraph right before it in the same container."""


@dataclass(frozen=True, slots=True)
class Head:
    """Describe a heading."""

    first: int
    last: int
    level: int
    title: str
    depth: int


@dataclass(frozen=True, slots=True)
class Table:
    """Describe a table: the line of its header row, that row's text, the lines of its rows."""

    head: int
    head_text: str
    rows: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Parse:
    """Hold what pyromark sees in a text."""

    codes: tuple[Code, ...]
    heads: tuple[Head, ...]
    tables: tuple[Table, ...]
    tops: tuple[Span, ...]
    """Blocks at top level in order; a paragraph of tags alone has the kind Tags."""
    html: tuple[Span, ...]


@dataclass(slots=True)
class _Frame:
    kind: str
    value: Any
    before: Span | None = None
    """The child that ended last."""
    texts: list[str] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)
    head: int = -1
    head_start: int = -1
    tags_only: bool = True


def parse(lines: list[str]) -> Parse:
    """Parse lines that hold no line end, NUL or surrogate of their own."""
    walk = _Walk(lines)
    text = "\n".join(lines)
    for event, where in pyromark.Markdown(options=_OPTIONS).events_with_range(text):
        walk.take(event, where["start"], where["end"])
    return Parse(
        tuple(walk.codes), tuple(walk.heads), tuple(walk.tables), tuple(walk.tops), tuple(walk.html)
    )


class _Walk:
    __slots__ = (
        "bytes",
        "codes",
        "depth",
        "filled",
        "heads",
        "html",
        "lines",
        "stack",
        "tables",
        "tops",
    )

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.bytes = ByteLines(lines)
        self.filled = last_filled(lines)
        self.stack = [_Frame("Root", None)]
        self.depth = 0
        self.codes: list[Code] = []
        self.heads: list[Head] = []
        self.tables: list[Table] = []
        self.tops: list[Span] = []
        self.html: list[Span] = []

    def take(self, event: Any, start: int, end: int) -> None:
        """Take one event with its byte range."""
        if not isinstance(event, dict):
            if event == "Rule":
                self._done(Span("Rule", self.bytes.at(start), self.bytes.at(start)))
            else:
                self._inline(" " if event in ("SoftBreak", "HardBreak") else "", start, tag=False)
            return
        name, value = next(iter(event.items()))
        if name == "Start":
            self._start(value, start)
        elif name == "End":
            self._end(value, start, end)
        else:
            shown = (
                value
                if isinstance(value, str) and name not in ("InlineHtml", "FootnoteReference")
                else ""
            )
            self._inline(shown, start, tag=name == "InlineHtml")

    def _start(self, tag: Any, start: int) -> None:
        kind, value = next(iter(tag.items())) if isinstance(tag, dict) else (tag, None)
        if kind not in _BLOCKS:
            # "![](a.png)" has no text and is content all the same
            self._inline("", start, tag=False)
            self.stack[-1].tags_only = False
            return
        self.depth += kind in _CONTAINERS
        self.stack.append(_Frame(kind, value))

    def _end(self, tag: Any, start: int, end: int) -> None:
        kind = next(iter(tag)) if isinstance(tag, dict) else tag
        if kind not in _BLOCKS:
            return
        frame = self.stack.pop()
        self.depth -= kind in _CONTAINERS
        first, stop = self.bytes.at(start), self.bytes.at(max(start, end - 1))
        last = max(first, self.filled[stop])
        if kind == "DefinitionList" and frame.before:
            # its range takes in the line after "a\n: b\n\n", which could have been the next term
            last = frame.before.last
        elif kind == "CodeBlock":
            last = self._code(frame, first, stop)
        elif kind == "Heading":
            title = " ".join("".join(frame.texts).split())
            self.heads.append(Head(first, last, int(frame.value["level"][1]), title, self.depth))
        elif kind == "Table":
            self._table(frame)
        elif kind == "HtmlBlock":
            self.html.append(Span(kind, first, last))
        elif kind in ("TableHead", "TableRow"):
            self._row(kind, first, start)
            return
        elif kind == "Paragraph" and frame.tags_only:
            kind = "Tags"
        self._done(Span(kind, first, last))

    def _done(self, span: Span) -> None:
        self.stack[-1].before = span
        if len(self.stack) == 1:
            self.tops.append(span)

    def _code(self, frame: _Frame, first: int, stop: int) -> int:
        text = "".join(frame.texts)
        content = tuple(text.removesuffix("\n").split("\n")) if frame.texts else ()
        value = frame.value
        info = value["Fenced"] if isinstance(value, Mapping) else None
        body = first if info is None else first + 1
        after = body + len(content)
        # "~~~\n " at the end: the last line is in the block, and neither content nor a fence
        closed = (
            info is not None
            and after <= stop
            and self.lines[after].rstrip(" \t").endswith(("```", "~~~"))
        )
        filled = len(content)
        while filled and not content[filled - 1].strip(" \t"):
            filled -= 1
        last = body + len(content) if closed else max(first, body + filled - 1)
        before = self.stack[-1].before
        lead = before if before and before.kind in ("Paragraph", "Text") else None
        self.codes.append(Code(first, last, body, content, info, closed, self.depth, lead))
        return last

    def _row(self, kind: str, line: int, start: int) -> None:
        table = self.stack[-1]
        if kind == "TableHead":
            table.head, table.head_start = line, start
        else:
            table.rows.append(line)

    def _table(self, frame: _Frame) -> None:
        skip = frame.head_start - self.bytes.starts[frame.head]
        text = self.lines[frame.head].encode()[skip:].decode().strip()
        self.tables.append(Table(frame.head, text, tuple(frame.rows)))

    def _inline(self, shown: str, start: int, *, tag: bool) -> None:
        frame = self.stack[-1]
        if frame.kind in ("Heading", "CodeBlock"):
            frame.texts.append(shown)
        elif frame.kind == "Paragraph":
            frame.tags_only = frame.tags_only and (tag or not shown.strip())
        elif frame.kind in _CONTAINERS:
            # "- text\n  ```": the text of a tight item has no paragraph event
            line = self.bytes.at(start)
            before = frame.before
            first = before.first if before and before.kind == "Text" else line
            frame.before = Span("Text", first, line)
