"""What stands in no chunk although it stands between what does: tags that were stripped."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate

Span = tuple[int, int]


class Skips:
    """Spans of a text that are left out, and the text without them.

    >>> skips = Skips("a<b>c</b>d", [(1, 4), (5, 9)])
    >>> skips.text, skips.shifted(9), list(skips.visible(0, 10))
    ('acd', 2, [(0, 1), (4, 5), (9, 10)])
    """

    def __init__(self, text: str, spans: Iterable[Span] = ()) -> None:
        """Take a text and the spans to leave out, in any order; they may overlap."""
        self._spans = _merged(spans)
        self._ends = [end for _, end in self._spans]
        widths = (end - start for start, end in self._spans)
        self._before = list(accumulate(widths, initial=0))
        self.text = "".join(text[start:end] for start, end in self.visible(0, len(text)))
        """What is left."""

    def __bool__(self) -> bool:
        """Return whether anything is left out."""
        return bool(self._spans)

    def shifted(self, offset: int) -> int:
        """Return the place in what is left for an offset in the text."""
        i = bisect_right(self._ends, offset)
        inside = 0
        if i < len(self._spans) and self._spans[i][0] < offset:
            inside = offset - self._spans[i][0]
        return offset - self._before[i] - inside

    def visible(self, start: int, end: int) -> Iterator[Span]:
        """Yield what is left of a slice, as spans."""
        i = bisect_right(self._ends, start)
        while i < len(self._spans) and self._spans[i][0] < end:
            skip = self._spans[i]
            if start < skip[0]:
                yield start, skip[0]
            start = max(start, skip[1])
            i += 1
        if start < end:
            yield start, end

    def trimmed(self, text: str, start: int, end: int) -> int:
        """Return where a slice ends without the blanks and the left-out spans at its end."""
        while True:
            kept = start + len(text[start:end].rstrip())
            i = bisect_left(self._ends, kept)
            if i < len(self._spans) and start <= self._spans[i][0] < kept <= self._ends[i]:
                end = self._spans[i][0]
                continue
            return kept


def _merged(spans: Iterable[Span]) -> list[Span]:
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        elif end > start:
            merged.append((start, end))
    return merged
