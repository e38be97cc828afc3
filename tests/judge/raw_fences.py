"""Pair the fences of raw lines: the fence rule in full, columns and list markers included."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from .lines import column

_SLACK: Final = 3
# Quote marks, then list markers with a blank behind each: "> - 1. ```".
_RUN: Final = re.compile(
    r"(?P<before>(?:[ \t]*>)*(?P<items>(?:[ \t]*(?:[-+*]|[0-9]{1,9}[.)])(?=[ \t]))*)[ \t]*)"
    r"(?P<run>`{3,}|~{3,})(?P<info>.*)$",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class _Mark:
    line: int
    run: str
    at: int
    """Column of the run."""
    opens: bool
    closes: bool


def pair(lines: Sequence[str]) -> tuple[list[tuple[int, int]], list[int]]:
    """Return first and last line of each closed fence, and the lines of the other openers."""
    fences = RawFences(lines)
    pairs: list[tuple[int, int]] = []
    alone: list[int] = []
    for line in fences.openers:
        if pairs and line <= pairs[-1][1]:
            continue
        last = fences.last(line)
        if last < 0:
            alone.append(line)
        else:
            pairs.append((line, last))
    return pairs, alone


class RawFences:
    """Answer which line closes the fence that a line opens, if it is not in a fence itself."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._marks = [mark for number, line in enumerate(lines) if (mark := _mark(number, line))]
        self._longest = _longest_after(self._marks)
        self._places = {mark.line: index for index, mark in enumerate(self._marks) if mark.opens}
        self._failed: dict[tuple[str, int], int] = {}

    @property
    def openers(self) -> list[int]:
        """Return the lines that could open a fence."""
        return list(self._places)

    def last(self, line: int) -> int:
        """Return the line that closes the fence opened by a line, or -1; ask in ascending order."""
        index = self._places.get(line, -1)
        if index < 0:
            return -1
        mark = self._marks[index]
        char, size = mark.run[0], len(mark.run)
        # six thousand openers over one closer too far right are not each searched to the end
        if self._longest[index][char] < size or self._failed.get((char, mark.at), size + 1) <= size:
            return -1
        for other in self._marks[index + 1 :]:
            if other.closes and other.run.startswith(mark.run) and other.at <= mark.at + _SLACK:
                return other.line
        self._failed[char, mark.at] = size
        return -1


def _mark(number: int, line: str) -> _Mark | None:
    found = _RUN.match(line) if "```" in line or "~~~" in line else None
    if not found:
        return None
    run, info = found["run"], found["info"]
    opens = run[0] == "~" or "`" not in info
    closes = not info.strip() and not found["items"]
    return _Mark(number, run, column(found["before"]), opens, closes)


def _longest_after(marks: Sequence[_Mark]) -> list[dict[str, int]]:
    """Return per mark the longest closer of each kind after it, so that lost openers are cheap."""
    longest = {"`": 0, "~": 0}
    found: list[dict[str, int]] = []
    for mark in reversed(marks):
        found.append(longest)
        if mark.closes and len(mark.run) > longest[mark.run[0]]:
            longest = {**longest, mark.run[0]: len(mark.run)}
    return found[::-1]
