"""Rulers: functions from an offset in one document to the number of tokens before it.

Each is made in one pass over the document and answers in the time of a bisection.
"""

from __future__ import annotations

import operator
import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from functools import partial
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Final, TypeAlias

from fencepost.tokens.vocabulary import token_ends

if TYPE_CHECKING:
    import tiktoken

Ruler: TypeAlias = Callable[[int], int]
"""From an offset to the tokens that end at or before it."""

MakeRuler: TypeAlias = Callable[[str, Sequence[int], Sequence[int]], Ruler]
"""From a text, the starts of its lines (and its end), and those of them where counts add up."""

_WORD: Final = re.compile(r"\S+")
_STEP: Final = 1024
_PART: Final = 1 << 18


def of_tokens(
    encoding: tiktoken.Encoding, text: str, starts: Sequence[int], safe: Sequence[int]
) -> Ruler:
    r"""Return the ruler of a tiktoken encoding, which encodes the document once.

    >>> from fencepost.tokens.vocabulary import load_encoding
    >>> upto = of_tokens(load_encoding("cl100k_base", ""), "be\nbetter\n", [0, 3, 10], [0, 3])
    >>> upto(3), upto(10)
    (2, 4)
    """
    del starts
    # 10 MB encoded in one call would hold 3 million number objects at once.
    cuts = [0]
    while len(text) - cuts[-1] > _PART and safe:
        at = bisect_left(safe, cuts[-1] + _PART)
        if at == len(safe):
            break
        cuts.append(safe[at])
    ends = array("q")
    for start, end in pairwise([*cuts, len(text)]):
        ends.extend(token_ends(encoding, text[start:end], start))
    return partial(bisect_right, ends)


def of_lines(
    count: Callable[[str], int], text: str, starts: Sequence[int], safe: Sequence[int]
) -> Ruler:
    r"""Return the ruler that adds up the counts of lines and takes a share of a line by length.

    >>> upto = of_lines(len, "be\nbetter\n", [0, 3, 10], [])
    >>> upto(5)
    5
    """
    del safe
    bounds = sorted({0, *starts, len(text)})
    counts = list(accumulate((count(text[a:b]) for a, b in pairwise(bounds)), initial=0))

    def upto(offset: int) -> int:
        line = bisect_right(bounds, offset) - 1
        if bounds[line] == offset:
            return counts[line]
        share = (offset - bounds[line]) / (bounds[line + 1] - bounds[line])
        return counts[line] + round((counts[line + 1] - counts[line]) * share)

    return upto


def of_characters(text: str, starts: Sequence[int], safe: Sequence[int]) -> Ruler:
    """Return the ruler of characters, exact at every offset."""
    del text, starts, safe
    return operator.index


def of_bytes(text: str, starts: Sequence[int], safe: Sequence[int]) -> Ruler:
    """Return the ruler of UTF-8 bytes, exact at every offset."""
    if text.isascii():
        return of_characters(text, starts, safe)

    def size(start: int, end: int) -> int:
        return len(text[start:end].encode(errors="surrogatepass"))

    steps = (size(at, at + _STEP) for at in range(0, len(text), _STEP))
    before = array("q", accumulate(steps, initial=0))

    def upto(offset: int) -> int:
        step = offset // _STEP
        return before[step] + size(step * _STEP, offset)

    return upto


def of_words(text: str, starts: Sequence[int], safe: Sequence[int]) -> Ruler:
    """Return the ruler of words; one that is cut counts to the right side."""
    del starts, safe
    return partial(bisect_right, array("q", (word.end() for word in _WORD.finditer(text))))
