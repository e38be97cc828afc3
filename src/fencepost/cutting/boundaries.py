"""Where prose can be cut: between sentences, words, and as a last resort graphemes.

Sentence ends follow the rules of UAX #29 (Unicode Text Segmentation), section 5.1, by number:
SB4 a blank line ends one; SB6, SB7 `3.14`, `v1.2.3` and `file.md` do not, as no blank follows; SB8
nor does a stop before a lower-case letter; SB8a nor one before `,` or `)`; SB9 to SB11 closing
quotes and blanks belong to the sentence that they end. Tailored, as section 5.1 invites to:
abbreviations and initials; marks of emphasis and `[^1]` count as closing, markup that opens a word
as opening; stops of scripts without blanks (`。`, `।`) end a sentence wherever they stand.
Graphemes are the extended clusters of UAX #29, section 3.
"""

from __future__ import annotations

import importlib
import re
from bisect import bisect_right
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

SENTENCE: Final = 0
WORD: Final = 1
GRAPHEME: Final = 2

_LONG_RUN: Final = 40
"""Characters without a better point from which on graphemes are points."""
_LONG_SPAN: Final = 400
"""Characters from which on a protected span may be cut between words, and a run of what looks like
markup (`- - - -`, `=====`) between graphemes: else no limit could be kept."""

# What opens a block at a line start, and the characters that it begins with. Each alternative
# looks at a bounded or disjoint stretch, so that a run of any of them is linear.
_MARKS: Final = frozenset("#>-+*=_0123456789|`~:!?<[$")
_OPENS: Final = re.compile(
    r"#{1,6}(?:\s|\Z)|>|[-+*](?:\s|\Z)|\d{1,9}[.)](?:\s|\Z)"
    r"|=(?:\s|\Z)|==(?:[=\s]|\Z)|--(?:[-\s]|\Z)|\*\*(?:[*\s]|\Z)|_(?:\s|\Z)|__(?:[_\s]|\Z)"
    r"|\||`{3}|~{3}|:::|!!!|\?\?\?|<[A-Za-z/!?]|\[(?:[^\[\]\\]|\\[^\[\]]){0,999}+(?:\]:|\\)"
    r"|:\s|\$\$"
)

_GAP: Final = re.compile(r"[\s\u200b]++")
_BLANK_LINE: Final = re.compile(r"(?:\r\n?+|\n)[ \t]*+(?:\r\n?+|\n)[\s\u200b]*+")
# A line end with `> ` after it is no more than a blank.
_BLANKS: Final = re.compile(r"(?:\s*[\r\n][ \t]*+(?:>[ \t]*+)++)*+[\s\u200b]*+")
_NO_BREAK: Final = "\xa0\u202f"

# Sentence_Terminal (UAX #44) of the scripts that documentation is written in.
_STOPS: Final = (
    "\u0589\u061d-\u061f\u06d4\u0700-\u0702\u0964\u0965\u104a\u104b\u1362\u1367\u1368\u17d4\u17d5"
    "\u1803\u1809\u203c\u203d\u2047-\u2049\u3002\ufe52\ufe56\ufe57\uff01\uff0e\uff1f\uff61"
)
_CLOSING: Final = (
    r"\"')\]}*_~`\u2019\u201d\u00bb\u203a\u300b\u300d\u300f\u3011\u3015\uff09\uff3d\uff5d"
)
_STOP: Final = re.compile(rf"([.!?\u2026{_STOPS}]++)[{_CLOSING}]*+(?:\[\^[^\]\s]{{1,40}}\])*+")
_OPENING: Final = re.compile(
    r"[\"'(\[{*_~`\u00a1\u00bf\u2018\u201a\u201c\u201e\u00ab\u2039\u2026"
    r"\u3008\u300a\u300c\u300e\u3010\uff08]*+"
)
_GOES_ON: Final = frozenset(".!?,;:-)]}%&=/\u2013\u2014\u2026\u060c\u061b\u3001\uff0c\uff1a\uff1b")

_LETTERS: Final = re.compile(r"(?:[^\W_]|['\u2019])*+")
# English, German, French, Spanish, Russian; those of one letter (`e.g.`, `z.B.`) need no list.
_TITLES_AND_TERMS: Final = (
    "al approx apr aug ave blvd capt cf col dec dept dr ed eds eq eqs esp est feb fig figs gen gov"
    " hon incl jan jr lt ltd messrs mr mrs ms mt nov oct op prof ref refs rep resp rev sec sen sep"
    " sept sr st vs viz abb abs anm bspw bzw ca evtl exkl ggf hrsg inkl nr sog tel usw vgl zzgl"
    " mlle mme mmes av ej pag sra srta \u0441\u043c \u0440\u0438\u0441 \u0442\u0430\u0431\u043b"
    " \u043d\u0430\u043f\u0440 \u0434\u0440"
)
_NUMBERED: Final = "art ch chap no nos num p pp par sect vol ver v"
_ABBREVIATIONS: Final = frozenset(_TITLES_AND_TERMS.split())
_BEFORE_NUMBER: Final = frozenset(_NUMBERED.split())

# What is not cut between words: code, links, tags and formulas.
_TOKEN: Final = re.compile(r"[\\`\[\]<$]")
_ESCAPE: Final = re.compile(r"\\(?:\(((?:[^\\]|\\(?![()])){1,200}?)\\\)|.)", re.DOTALL)
_TICKS: Final = re.compile(r"`+")
_TAG: Final = re.compile(r"<[A-Za-z/!?][^<>]{0,1000}>")
_MATH: Final = re.compile(r"\$\$[^$]{1,400}\$\$|\$(?![\s$])[^$]{0,199}[^\s$\\]\$(?!\d)")
_TARGET: Final = re.compile(
    r"""\(\s*+(?:<[^<>\n]*+>|(?:[^\s()<\\]++|\\.|\([^\s()]*+\))*+)"""
    r"""(?:\s++(?:"[^"]*+"|'[^']*+'|\([^()]*+\)))?+\s*+\)|\[[^\[\]]{0,999}\]"""
)
_SHORT_LABEL: Final = 100
"""Characters up to which a label in brackets alone is taken for a link."""


def cut_points(text: str) -> list[tuple[int, int]]:
    """Return the offsets where a text may be cut, in order, each with its level.

    0: a sentence ends; 1: between words; 2: between graphemes, only in runs of more than 40
    characters without a better point. White space stays on the left. The right side never looks
    like markup at a line start, except at level 2 in runs of more than 400 characters where every
    point does. Takes linear time.

    >>> cut_points("See e.g. `a b`. Then go.")
    [(4, 1), (9, 1), (16, 0), (21, 1)]
    """
    begin = len(text) - len(text.lstrip())
    points = list(_word_points(text, begin))
    bounds = [begin, *(offset for offset, _ in points), len(text)]
    fine = [
        (offset, GRAPHEME)
        for start, end in pairwise(bounds)
        if end - start > _LONG_RUN
        for offset in _grapheme_points(text, start, end)
    ]
    return sorted(points + fine) if fine else points


def _word_points(text: str, begin: int) -> Iterator[tuple[int, int]]:
    """Yield the points of levels 0 and 1 after an offset."""
    sentences = _sentence_starts(text)
    spans = iter(_protected_spans(text))
    last = (len(text), len(text))
    start, end = next(spans, last)
    for offset in _word_starts(text, sentences):
        if not begin < offset < len(text):
            continue
        while end <= offset and end < len(text):
            start, end = next(spans, last)
        level = SENTENCE if offset in sentences else WORD
        if start < offset < end:
            if end - start <= _LONG_SPAN:
                continue
            level = WORD
        if not (_is_markup(text, offset) or _joins_left(text[offset])):
            yield offset, level


def _word_starts(text: str, sentences: set[int]) -> list[int]:
    """Return the ends of all white space that may be broken, and the starts of sentences."""
    gaps = _GAP.finditer(text)
    if any(one in text for one in _NO_BREAK):
        starts = [gap.end() for gap in gaps if gap.group().strip(_NO_BREAK)]
    else:
        starts = [gap.end() for gap in gaps]
    more = sentences.difference(starts)
    return sorted([*starts, *more]) if more else starts


def _sentence_starts(text: str) -> set[int]:
    starts = {blank.end() for blank in _BLANK_LINE.finditer(text)}
    for stop in _STOP.finditer(text):
        blanks = _BLANKS.match(text, stop.end())
        start = blanks.end() if blanks else stop.end()
        if start < len(text) and _ends_sentence(text, stop, start, starts):
            starts.add(start)
    return starts


def _ends_sentence(text: str, stop: re.Match[str], start: int, starts: set[int]) -> bool:
    """Return whether a sentence ends at a stop, if the next word starts at an offset.

    `starts` are those found up to there.
    """
    marks, following = stop.group(1), text[start]
    if start == stop.end():
        # `了。这` and `真的?是` have no blank; `3.14` and `a.b` go on, in wide digits too.
        wide = marks[-1] > "\u2026" or "\u0589" <= marks[-1] < "\u2000"
        if following.isdigit() or not (wide or (marks[-1] in "!?" and following >= "\u2e80")):
            return False
    if following in _GOES_ON and not text.startswith("![", start):
        return False
    opening = _OPENING.match(text, start)
    inner = text[opening.end() : opening.end() + 1] if opening else ""
    # A sentence can start with `code` or a [link](to) in lower case.
    if inner.islower() and following not in "`[":
        return False
    if marks != ".":
        return True
    word = _word_before(text, stop.start())
    if word.isdigit():
        # `1. One. 2. Two`: a number alone is no sentence.
        first = stop.start() - len(word)
        return first not in starts and text[max(0, first - 1) : first] not in "\n\r"
    return not _is_abbreviation(word, inner)


def _word_before(text: str, offset: int) -> str:
    """Return the letters, digits and apostrophes before an offset, at most 16."""
    backwards = text[max(0, offset - 16) : offset][::-1]
    match = _LETTERS.match(backwards)
    return match.group()[::-1] if match else ""


def _is_abbreviation(word: str, following: str) -> bool:
    """Return whether a full stop belongs to the word before it: `Dr.`, `e.g.`, `No. 5`.

    `isn't.` is no initial.
    """
    word = word.strip("'\u2019")
    if len(word) == 1 and (word.islower() or word.isupper()):
        return True
    word = word.lower()
    return word in _ABBREVIATIONS or (word in _BEFORE_NUMBER and following.isdigit())


def _grapheme_points(text: str, start: int, end: int) -> Iterator[int]:
    """Yield the points of level 2 between two offsets, not in order."""
    offsets = _graphemes(text, start, end)
    free = [offset for offset in offsets if not _is_markup(text, offset)]
    yield from free
    if len(free) < len(offsets):
        for left, right in pairwise([start, *free, end]):
            if right - left > _LONG_SPAN:
                yield from offsets[bisect_right(offsets, left) : bisect_right(offsets, right - 1)]


def _graphemes(text: str, start: int, end: int) -> list[int]:
    """Return where graphemes start between two offsets, those of white space left out."""
    run = text[start:end]
    if run.isascii():
        return [start + at for at, one in enumerate(run) if at and not one.isspace()]
    found = (cluster.start() for cluster in _patterns()[0].finditer(run))
    return [start + at for at in found if at and not run[at].isspace()]


def _is_markup(text: str, offset: int) -> bool:
    """Return whether what follows would open a block at a line start."""
    return text[offset] in _MARKS and _OPENS.match(text, offset) is not None


def _joins_left(character: str) -> bool:
    """Return whether a character belongs to the grapheme before it, be that a blank."""
    return character > "\u02ff" and _patterns()[1].match(character) is not None


@cache
def _patterns() -> tuple[Any, Any]:
    """Return the patterns of a grapheme and of what joins the one before."""
    regex: Any = importlib.import_module("regex")
    joins = r"[\p{GCB=Extend}\p{GCB=SpacingMark}\p{GCB=ZWJ}]"
    # `\X` looks back over all flags before each flag: 50,000 in a row took a minute.
    flag = rf"[\U0001f1e6-\U0001f1ff]{{2}}{joins}*+"
    return regex.compile(rf"{flag}|\X"), regex.compile(joins)


def _protected_spans(text: str) -> list[tuple[int, int]]:
    """Return the spans, in order and disjoint, each with whatever stands inside it.

    A bare URL needs none: it has no blank inside.

    >>> text = "Use `a b` or [c `]` d](<e f>)."
    >>> [text[start:end] for start, end in _protected_spans(text)]
    ['`a b`', '[c `]` d](<e f>)']
    """
    closers = _closing_ticks(text)
    spans: list[tuple[int, int]] = []
    open_at: list[int] = []
    token = _TOKEN.search(text)
    while token:
        start = token.start()
        mark = text[start]
        if mark == "`":
            end = _code(text, start, closers, spans)
        elif mark == "[":
            open_at.append(start)
            end = start + 1
        elif mark == "]":
            end = _link(text, start, open_at, spans)
        else:
            end = _other(text, start, mark, spans)
        token = _TOKEN.search(text, end)
    return _outermost(spans)


def _closing_ticks(text: str) -> dict[int, int]:
    """Return the end of each code span by its start: the next run of as many backticks."""
    closers: dict[int, int] = {}
    next_end: dict[int, int] = {}
    for run in reversed(list(_TICKS.finditer(text))):
        length = run.end() - run.start()
        if length in next_end:
            closers[run.start()] = next_end[length]
        next_end[length] = run.end()
    return closers


def _code(text: str, start: int, closers: dict[int, int], spans: list[tuple[int, int]]) -> int:
    end = closers.get(start)
    if end is None:
        run = _TICKS.match(text, start)
        return run.end() if run else start + 1
    spans.append((start, end))
    return end


def _link(text: str, start: int, open_at: list[int], spans: list[tuple[int, int]]) -> int:
    """Take a `]`, its target or second label, and the `[` or `![` that it closes."""
    if not open_at:
        return start + 1
    first = open_at.pop()
    target = _TARGET.match(text, start + 1)
    end = target.end() if target else start + 1
    if target or end - first <= _SHORT_LABEL:
        spans.append((first - text.startswith("!", first - 1) if first else 0, end))
    return end


def _other(text: str, start: int, mark: str, spans: list[tuple[int, int]]) -> int:
    """Take an escape, a tag or autolink, or a formula."""
    pattern = {"\\": _ESCAPE, "<": _TAG, "$": _MATH}[mark]
    match = pattern.match(text, start)
    if not match:
        return start + 1
    if mark != "\\" or match.group(1):
        spans.append(match.span())
    return match.end()


def _outermost(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return spans in order, those inside another left out."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if found and start < found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found
