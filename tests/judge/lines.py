"""Split a text into lines as Markdown does, and measure columns."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate

_LINE_END = re.compile(r"\r\n|\n|\r")
_TAB = 4


@dataclass(frozen=True, slots=True)
class Lines:
    """Hold a text with the offsets of its lines; lines count from 0 here."""

    text: str
    starts: tuple[int, ...]
    """Offset of each line's first character."""
    ends: tuple[int, ...]
    """Offset after each line's last character, its line end left out."""

    def __len__(self) -> int:
        return len(self.starts)

    def get(self, line: int) -> str:
        """Return one line without its end."""
        return self.text[self.starts[line] : self.ends[line]]

    def start(self, line: int) -> int:
        """Return where a line's text starts; a BOM is not part of it."""
        bom = line == 0 and self.text.startswith("\N{ZERO WIDTH NO-BREAK SPACE}")
        return self.starts[line] + bom

    def at(self, offset: int) -> int:
        """Return the line that holds the character at an offset."""
        return bisect_right(self.starts, offset) - 1

    def slice(self, first: int, last: int) -> str:
        """Return the lines from first to last, the last line's end left out."""
        return self.text[self.starts[first] : self.ends[last]]

    def is_blank(self, line: int) -> bool:
        """Tell whether CommonMark calls a line blank: spaces and tabs only."""
        return not self.get(line).strip(" \t")


def split_lines(text: str) -> Lines:
    r"""Split at ``\r\n``, ``\n`` and ``\r`` and at nothing else.

    ``str.splitlines`` would also split at form feed and U+2028: ``"a\x0cb"`` is one line.
    """
    starts, ends = [0], []
    for match in _LINE_END.finditer(text):
        ends.append(match.start())
        starts.append(match.end())
    ends.append(len(text))
    return Lines(text, tuple(starts), tuple(ends))


def column(text: str) -> int:
    """Return the column after a text that starts at column 0, tabs stopping every 4."""
    if "\t" not in text:
        return len(text)
    width = 0
    for char in text:
        width += _TAB - width % _TAB if char == "\t" else 1
    return width


def expand_indent(line: str) -> str:
    """Write the tabs of a line's leading blanks and quote marks as spaces."""
    rest = line.lstrip(" \t>")
    lead = line[: len(line) - len(rest)]
    return lead.expandtabs(_TAB) + rest if "\t" in lead else line


class ByteLines:
    r"""Find the line of a UTF-8 byte offset in lines joined by ``\n``."""

    __slots__ = ("starts",)

    def __init__(self, lines: list[str]) -> None:
        # "é" is two bytes, and pyromark counts bytes
        self.starts = [0, *accumulate(len(line.encode()) + 1 for line in lines)]

    def at(self, offset: int) -> int:
        """Return the line that holds a byte."""
        return min(bisect_right(self.starts, offset) - 1, len(self.starts) - 2)


def last_filled(lines: list[str]) -> list[int]:
    """Return for each line the nearest line at or before it that is not blank, or -1."""
    found, last = [], -1
    for number, line in enumerate(lines):
        if line.strip(" \t"):
            last = number
        found.append(last)
    return found
