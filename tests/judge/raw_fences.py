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
    marks = [mark for number, line in enumerate(lines) if (mark := _mark(number, line))]
    longest = _longest_after(marks)
    pairs: list[tuple[int, int]] = []
    alone: list[int] = []
    index = 0
    while index < len(marks):
        mark = marks[index]
        able = mark.opens and longest[index].get(mark.run[0], 0) >= len(mark.run)
        end = _closer(marks, index) if able else None
        if end is not None:
            pairs.append((mark.line, marks[end].line))
            index = end
        elif mark.opens:
            alone.append(mark.line)
        index += 1
    return pairs, alone


def _mark(number: int, line: str) -> _Mark | None:
    found = _RUN.match(line) if "```" in line or "~~~" in line else None
    if not found:
        return None
    run, info = found["run"], found["info"]
    opens = run[0] == "~" or "`" not in info
    closes = not info.strip() and not found["items"]
    return _Mark(number, run, column(found["before"]), opens, closes)


def _closer(marks: Sequence[_Mark], index: int) -> int | None:
    mark = marks[index]
    for later in range(index + 1, len(marks)):
        other = marks[later]
        if other.closes and other.run.startswith(mark.run) and other.at <= mark.at + _SLACK:
            return later
    return None


def _longest_after(marks: Sequence[_Mark]) -> list[dict[str, int]]:
    """Return per mark the longest closer of each kind after it, so that lost openers are cheap."""
    longest = {"`": 0, "~": 0}
    found: list[dict[str, int]] = []
    for mark in reversed(marks):
        found.append(longest)
        if mark.closes and len(mark.run) > longest[mark.run[0]]:
            longest = {**longest, mark.run[0]: len(mark.run)}
    return found[::-1]
