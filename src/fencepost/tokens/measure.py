"""`Measure`: how many tokens the slices of one document have, which is encoded once."""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fencepost.tokens.counter import Counter
    from fencepost.tokens.rulers import Ruler


class Measure:
    r"""Counts tokens within one document; nothing is encoded before the first question.

    >>> from fencepost.tokens import counter_for
    >>> text = "# Gates\n\nA gate swings.\n"
    >>> measure = Measure(text, [0, 8, 9, 24], counter_for("cl100k_base"))
    >>> measure.between(0, 9), measure.exact(0, 22)
    (3, 6)
    """

    def __init__(self, text: str, starts: Sequence[int], counter: Counter) -> None:
        """Take a text, the offsets of the starts of its lines and of its end, and a counter."""
        self._text = text
        self._starts = starts
        self._counter = counter
        self._known: dict[str, int] = {}

    def between(self, start: int, end: int) -> int:
        """Return about how many tokens stand between two offsets.

        Exact where both are starts of lines that are not blank and counts add up, else off by a
        few. A tokenizer whose counts do not add up gives the sum over lines.
        """
        upto = self._upto
        return upto(end) - upto(start)

    def exact(self, start: int, end: int) -> int:
        """Return the tokens of a slice counted on its own.

        Where counts add up, only what stands before the slice's first line start and after its
        last one is encoded; else all of it, once.
        """
        safe, text = self._safe, self._text
        if start >= end:
            return 0
        if safe and self._ends_alone(start, end):
            return self.between(start, end)
        first, after = bisect_left(safe, start), bisect_left(safe, end)
        if end == len(text) or (after < len(safe) and safe[after] == end):
            stop = end
        else:
            # `a\n   ` is `a`, `\n   `: blanks at the end of the slice join the line end.
            after -= after > 0 and text[safe[after - 1] : end].isspace()
            stop = safe[after - 1] if after else start
        if first == len(safe) or safe[first] >= stop:
            return self._encoded(start, end)
        begin = safe[first]
        return self._encoded(start, begin) + self.between(begin, stop) + self._encoded(stop, end)

    def _ends_alone(self, start: int, end: int) -> bool:
        r"""Return whether a slice of whole lines ends in a token of its own.

        A letter or a digit before a line end: the patterns of tiktoken split between them whatever
        follows, while `);\n` may be one token.
        """
        text = self._text
        last = text[end - 1]
        if not (last.isascii() and last.isalnum() and text[end : end + 1] in {"\n", "\r"}):
            return False
        at = bisect_left(self._safe, start)
        return at < len(self._safe) and self._safe[at] == start

    def _encoded(self, start: int, end: int) -> int:
        if start >= end:
            return 0
        part = self._text[start:end]
        count = self._known.get(part)
        if count is None:
            count = self._known[part] = self._counter.count(part)
        return count

    @cached_property
    def _upto(self) -> Ruler:
        return self._counter.ruler(self._text, self._starts, self._safe)

    @cached_property
    def _safe(self) -> list[int]:
        """The offsets where counts add up whatever stands on either side.

        The first line start is none where a byte-order mark stands before it: it would be one
        token with `#`.
        """
        if not self._counter.adds_up:
            return []
        text, bad = self._text, self._counter.not_before
        return [
            start
            for start, end in pairwise(self._starts)
            # A byte-order mark alone leaves one line, which is empty. `\xa0` is blank, too.
            if start < end
            and ("!" <= text[start] <= "~" or not text[start:end].isspace())
            and text[start] not in bad
            and (start == 0 or text[start - 1] in "\r\n")
        ]
