"""Imports and exports in MDX: where a block of them ends."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fencepost.readers.markdown.jsx import Room

# `import a from "b"`, `import {` over several lines, `import "b"`; "import the module" is prose.
_IMPORT = re.compile(
    r"import\s*(?:[\"']|\{|\*\s+as\s|type\s+[\w{]|[\w$]+\s*,|[\w$]+\s+from\s*[\"'])"
)
_EXPORT = re.compile(
    r"export\s*(?:\{|\*|(?:default|const|let|var|function|class|async|type|interface|enum)\b)"
)
_MARK = re.compile(r"[(){}\[\]\"'`/\\]")
# "\\`" in a template string is no end of it.
_ENDS = {"`": re.compile(r"\\.|`"), "*/": re.compile(r"\*/")}
_OPENERS = "([{"
_CLOSERS = ")]}"


def esm_end(lines: Sequence[str], line: int, room: Room) -> int | None:
    r"""Return the line after a block of imports and exports, or None where none begins.

    >>> lines = ["import {\n", "\n", "  a,\n", "} from 'b'\n", "export const c = 1\n", "\n", "d\n"]
    >>> esm_end(lines, 0, Room(1000))
    5
    """
    if not (_IMPORT.match(lines[line]) or _EXPORT.match(lines[line])):
        return None
    state = _State()
    for at in range(line, len(lines)):
        if not room.take(len(lines[at])):
            return None
        state.read(lines[at])
        if state.depth < 0:
            return None
        following = lines[at + 1] if at + 1 < len(lines) else ""
        if state.depth == 0 and not state.open and not following.strip():
            return at + 1
    return None


class _State:
    """How deep in brackets, and in which string, the text stands after a line."""

    def __init__(self) -> None:
        self.depth = 0
        self.open = ""
        """A backtick inside a template string, `*/` inside a comment."""

    def read(self, line: str) -> None:
        at = 0
        while at < len(line):
            if self.open:
                found = _ENDS[self.open].search(line, at)
                if found is None:
                    return
                at = found.end()
                if found[0] == self.open:
                    self.open = ""
                continue
            found = _MARK.search(line, at)
            if found is None:
                return
            at = self._mark(line, found[0], found.start())

    def _mark(self, line: str, mark: str, at: int) -> int:
        if mark in _OPENERS:
            self.depth += 1
        elif mark in _CLOSERS:
            self.depth -= 1
        elif mark == "`":
            self.open = "`"
        elif line.startswith("/*", at):
            self.open = "*/"
            return at + 2
        elif line.startswith("//", at):
            return len(line)
        elif mark in "\"'":
            end = line.find(mark, at + 1)
            return end + 1 if end >= 0 else at + 1
        elif mark == "\\":
            return at + 2
        return at + 1
