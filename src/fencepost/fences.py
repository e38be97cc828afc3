"""The fence rule: everyone who asks "is this a fence" asks here.

An opener is three or more backticks or tildes, at any indentation, with a list marker or quote
markers before it or not; a backtick info string holds no backtick. A closer is a bare run of the
same character, at least as long, at most three columns right of the opener (tabs stop every four
columns), without a list marker. An opener that is never closed is text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

TAB: Final = 4
SLACK: Final = 3
"""How many columns right of its opener a closer may stand."""

_RUN = re.compile(r"(`{3,})([^`]*)$|(~{3,})(.*)$", re.DOTALL)
_PREFIX = re.compile(r"(?:[ \t]*>)*(?P<marks>(?:[ \t]*(?:[-+*]|\d{1,9}[.)])(?=[ \t]))*)[ \t]*")


@dataclass(frozen=True, slots=True)
class Opening:
    """A line's opening run."""

    marker: str
    """The run itself."""
    info: str
    """What stands behind it, stripped."""

    def closed_by(self, text: str) -> bool:
        """Return whether a line, its indentation removed, closes this fence by its characters.

        >>> Opening("~~~", "").closed_by("~~~~ "), Opening("~~~", "").closed_by("~~~ x")
        (True, False)
        """
        run = text.rstrip(" \t\r\n")
        return len(run) >= len(self.marker) and not run.strip(self.marker[0])


@dataclass(frozen=True, slots=True)
class Fence:
    """A closed fence: a half-open span of lines, opener and closer included."""

    start: int
    end: int
    opening: Opening


def opening(text: str) -> Opening | None:
    """Return the opening run of a line whose prefix is removed, or None.

    >>> opening("```py title='a'")
    Opening(marker='```', info="py title='a'")
    >>> opening("```npm i```") is None
    True
    """
    found = _RUN.match(text.rstrip("\r\n"))
    if found is None:
        return None
    if found[1]:
        return Opening(found[1], found[2].strip())
    return Opening(found[3], found[4].strip())


def column(text: str) -> int:
    """Return the column after `text`, tabs stopping every four.

    >>> column("  \\t")
    4
    """
    at = 0
    for char in text:
        at += TAB - at % TAB if char == "\t" else 1
    return at


def scan(lines: Sequence[str]) -> tuple[list[Fence], list[int]]:
    """Return the closed fences of raw lines, and the lines of openers that nothing closes.

    >>> scan(["- ~~~", "  a", "  ~~~", "```js", "never closed"])
    ([Fence(start=0, end=3, opening=Opening(marker='~~~', info=''))], [3])
    """
    runs = Runs(lines)
    fences: list[Fence] = []
    unclosed: list[int] = []
    after = 0
    for line in runs.lines:
        if line < after:
            continue
        fence = runs.fence(line)
        if fence is not None:
            fences.append(fence)
            after = fence.end
        elif runs.opens(line):
            unclosed.append(line)
    return fences, unclosed


class Runs:
    """The lines of a document that open or close a fence, and which belongs to which."""

    def __init__(self, lines: Sequence[str]) -> None:
        """Look at every line once."""
        marked = [i for i, text in enumerate(lines) if "```" in text or "~~~" in text]
        found = (_run(line, lines[line]) for line in marked)
        self._runs = [run for run in found if run is not None]
        self._places = {run.line: i for i, run in enumerate(self._runs)}
        self._closable = _closable(self._runs)
        self._failed: dict[tuple[str, int], int] = {}

    @property
    def lines(self) -> list[int]:
        """The lines with a run."""
        return list(self._places)

    def opens(self, line: int) -> bool:
        """Return whether a line could open a fence."""
        return line in self._places and self._runs[self._places[line]].opens is not None

    def fence(self, line: int) -> Fence | None:
        """Return the fence that a line opens, or None if it opens none or nothing closes it.

        To be asked from the first line to the last: what failed is remembered for those after it.
        """
        at = self._places.get(line)
        if at is None or self._runs[at].opens is None:
            return None
        run = self._runs[at]
        hopeless = not self._closable[at] or self._hopeless(run)
        end = None if hopeless else self._closer(at)
        if end is None or run.opens is None:
            key = run.char, run.column
            self._failed[key] = min(run.length, self._failed.get(key, run.length))
            return None
        return Fence(line, self._runs[end].line + 1, run.opens)

    def _closer(self, at: int) -> int | None:
        run, runs = self._runs[at], self._runs
        return next((i for i in range(at + 1, len(runs)) if _closes(run, runs[i])), None)

    def _hopeless(self, run: _Run) -> bool:
        """Return whether an earlier opener, no longer and no further left, found no closer.

        Six thousand openers over one closer that stands too far right for each of them.
        """
        return any(
            char == run.char and col >= run.column and length <= run.length
            for (char, col), length in self._failed.items()
        )


@dataclass(frozen=True, slots=True)
class _Run:
    line: int
    char: str
    length: int
    column: int
    opens: Opening | None
    bare: bool
    """Whether it can close: nothing behind it, no list marker before it."""


def _run(line: int, text: str) -> _Run | None:
    prefix = _PREFIX.match(text)
    at = prefix.end() if prefix else 0
    rest = text[at:].rstrip(" \t\r\n")
    char = rest[:1]
    if char not in {"`", "~"} or not rest.startswith(char * 3):
        return None
    length = len(rest) - len(rest.lstrip(char))
    bare = length == len(rest) and not (prefix and prefix["marks"])
    return _Run(line, char, length, column(text[:at]), opening(rest), bare)


def _closes(run: _Run, closer: _Run) -> bool:
    return (
        closer.bare
        and closer.char == run.char
        and closer.length >= run.length
        and closer.column <= run.column + SLACK
    )


def _closable(runs: list[_Run]) -> list[bool]:
    """Return, per run, whether any later run is bare, long enough and of its kind.

    One backward pass: 8,000 openers without a closer must not each be searched to the end.
    """
    longest = {"`": 0, "~": 0}
    able = [False] * len(runs)
    for i in range(len(runs) - 1, -1, -1):
        run = runs[i]
        able[i] = longest[run.char] >= run.length
        if run.bare:
            longest[run.char] = max(longest[run.char], run.length)
    return able
