"""What is found out about a document's raw lines before, and while, it is parsed."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from markdown_it.common.html_blocks import block_names
from markdown_it.common.html_re import HTML_OPEN_CLOSE_TAG_STR

from fencepost import fences
from fencepost.readers.markdown.jsx import Tag
from fencepost.readers.markdown.tags import Dialect, Run, Tags

_COLONS = re.compile(r"[ \t]*(?P<quotes>(?:>[ \t]?)*)[ \t]*(?P<run>:{3,}|/{3,})[ \t]*(?P<name>\S?)")
HTML_NAMES: Final = frozenset(block_names) | frozenset(
    ["a", "abbr", "b", "br", "code", "em", "i", "img", "kbd", "mark", "picture", "s", "small"]
).union(["span", "strong", "sub", "sup", "u", "video", "wbr"])
"""Names of elements that are HTML's own; others are structure of the author's."""

_ONE_TAG = re.compile(HTML_OPEN_CLOSE_TAG_STR + r"\s*$")
_BLOCK_TAG = re.compile(rf"</?(?:{'|'.join(block_names)})(?=[\s/>]|$)", re.IGNORECASE)
_END = re.compile(r"\\end\{([a-zA-Z]+\*?)\}[ \t]*$")


@dataclass
class Lookahead:
    """Facts on the lines of one document, each found in one pass, and the parser's memory."""

    lines: Sequence[str]
    last_line: int
    """The last line that is not blank."""
    unclosed: set[int] = field(default_factory=set)
    """Lines of fence openers that are text."""
    fence_ends: dict[tuple[int, int, int], tuple[int, bool] | None] = field(default_factory=dict)
    """Per opener, end of container and indentation: where the fence ends."""
    failed: dict[tuple[str, int, int], int] = field(default_factory=dict)
    """Per character, end of container and indentation: the shortest opener without a closer, so
    that thousands of them are searched once."""
    ends: list[int] = field(default_factory=list)
    """Where the containers that are being read end, outermost first."""
    loose: int = 0
    """How many bodies are open in which a fence may stand at any indentation; in MDX always one."""
    tags: Tags = field(default_factory=Tags)
    """Lines of tags alone, and the fences of the fence rule where it decides."""
    html_lines: set[int] = field(default_factory=set)
    """Lines right under lines that were read as HTML text."""
    dialect: Dialect = "off"
    """What counts as a line of tags."""

    def again(self) -> Lookahead:
        """Return what was found out before parsing, for another try."""
        return Lookahead(
            self.lines,
            self.last_line,
            loose=int(self.dialect == "mdx"),
            tags=self.tags,
            dialect=self.dialect,
        )

    def sticks(self, line: int) -> bool:
        """Return whether a line stands right under a line of tags, where CommonMark sees HTML.

        "<img src=a>" over "# Not a heading"; in MDX it is one.
        """
        if self.dialect in {"off", "mdx"}:
            return False
        run = self._ending.get(line)
        while run is not None and run.kind == "tag":
            text = self.lines[run.start].lstrip(" \t>")
            if _BLOCK_TAG.match(text):
                return True
            # "text" over "</Tip>" over "# Heading": the tag goes on with the paragraph. So does
            # "<a id=b></a>": it is more than one tag.
            first = run.start == 0 or not self.lines[run.start - 1].strip(" \t>\r\n")
            if first and _ONE_TAG.match(text):
                return True
            run = self._ending.get(run.start)
        return False

    @cached_property
    def _ending(self) -> dict[int, Run]:
        """The runs of tags by the line after them."""
        return {run.end: run for run in self.tags.runs.values()}

    def text_of(self, tag: Tag) -> str:
        """Return a tag as written."""
        return self._text[tag.start : tag.end]

    @cached_property
    def _text(self) -> str:
        return "".join(self.lines)

    @property
    def jsx(self) -> bool:
        """Whether any line of tags ends a paragraph, not only those of HTML's blocks."""
        return self.dialect in {"jsx", "mdx"}

    def is_html(self, run: Run) -> bool:
        """Return whether a run holds HTML's own elements, in a document that is no JSX."""
        return self.dialect == "html" and all(tag.name.lower() in HTML_NAMES for tag in run.tags)

    def under_html(self, line: int) -> bool:
        """Return whether a line stands right under a line of HTML tags."""
        if self.dialect != "html":
            return False
        if line in self.html_lines:
            return bool(self.lines[line].strip())
        run = self._ending.get(line)
        return run is not None and bool(run.tags) and self.is_html(run) and self.sticks(line)

    @contextmanager
    def inside_tag(self, state: Any, *, code: bool) -> Iterator[None]:  # noqa: ANN401
        """Read a component's body: a fence at any indentation, no indented code but in HTML."""
        kept, state.indented_code = state.indented_code, code
        self.loose += 1
        yield
        self.loose -= 1
        state.indented_code = kept

    @property
    def container_end(self) -> int:
        """The line after the container that is being read.

        A paragraph asks its terminators about lines past the end of its quote.
        """
        return self.ends[-1] if self.ends else len(self.lines)

    @cached_property
    def colons(self) -> dict[int, int]:
        """Lines that open a `:::` or `///` container, each with the line that closes it."""
        if not any(":::" in line or "///" in line for line in self.lines):
            return {}
        inside = {i for fence in fences.scan(self.lines)[0] for i in range(fence.start, fence.end)}
        pairs: dict[int, int] = {}
        open_: dict[tuple[int, str], list[tuple[int, int]]] = {}
        for i, line in enumerate(self.lines):
            found = None if i in inside else _COLONS.match(line)
            if found is None:
                continue
            stack = open_.setdefault((found["quotes"].count(">"), found["run"][0]), [])
            length = len(found["run"])
            if found["name"]:
                stack.append((i, length))
                continue
            # The `:::` that ends an inner container does not close an outer `::::`.
            if stack and stack[-1][1] <= length:
                pairs[stack.pop()[0]] = i
        return pairs

    @cached_property
    def _dollars(self) -> list[int]:
        return [i for i, line in enumerate(self.lines) if line.rstrip().endswith("$$")]

    @cached_property
    def _ends(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for i, line in enumerate(self.lines):
            match = _END.search(line) if "\\end{" in line else None
            if match:
                found.setdefault(match[1], []).append(i)
        return found

    def next_dollars(self, line: int) -> int | None:
        """Return the next line that ends in `$$`."""
        return _after(self._dollars, line)

    def next_end(self, name: str, line: int) -> int | None:
        r"""Return the line, from this one on, that ends in `\end{name}`."""
        return _after(self._ends.get(name, []), line - 1)


def _after(lines: list[int], line: int) -> int | None:
    at = bisect_right(lines, line)
    return lines[at] if at < len(lines) else None
