"""The last word on the hard limit: drafts whose exact count passes it are cut again."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace

from fencepost.cutting.ground import NEAR, Ground
from fencepost.cutting.unit import Part, Unit
from fencepost.packing import Budget, Draft, pack
from fencepost.rendering import render

_TITLE = re.compile(r"^([ \t>]*(?:!!!|\?\?\?\+?|:{3,})[ \t]*[\w-]+)[^\n]*", re.MULTILINE)
_JOINERS = "\u200d\ufe0e\ufe0f"


def refit(drafts: Sequence[Draft], ground: Ground) -> list[Draft]:
    """Return drafts that are all within the hard limit; most are as they were.

    Counts during packing are estimates near cuts within a line and for tokenizers whose counts do
    not add up, and what is put in costs tokens too.
    """
    hard = ground.options.hard_max_tokens
    fitted: list[Draft] = []
    for draft in drafts:
        sure = ground.counter.adds_up and draft.tokens <= hard - 4 * NEAR
        if sure or any(unit.whole for unit in draft.units) or _tokens(draft, ground) <= hard:
            fitted.append(draft)
        else:
            fitted += _smaller(draft, ground)
    _note_whole(fitted, ground)
    return [draft for draft in fitted if not _is_blank(draft, ground)]


def _is_blank(draft: Draft, ground: Ground) -> bool:
    """Return whether a draft holds white space only: a page of form feeds gives no chunk."""
    slice_ = ground.source.text[draft.start : draft.end]
    return not draft.units[0].lead and not slice_.strip()


def _tokens(draft: Draft, ground: Ground) -> int:
    return render(draft, ground, None).tokens


def _note_whole(drafts: Sequence[Draft], ground: Ground) -> None:
    for draft in drafts:
        if (
            any(unit.whole for unit in draft.units)
            and draft.tokens > ground.options.hard_max_tokens
        ):
            line = ground.source.line_at(draft.start)
            ground.note("over-budget", "policy 'whole' keeps a block past the limit", line)


def _smaller(draft: Draft, ground: Ground) -> list[Draft]:
    """Cut a draft again: at fewer units, then without what is put in, then anywhere."""
    hard = ground.options.hard_max_tokens
    room = hard
    units = draft.units
    while len(units) > 1 and room > 1:
        room = room * 3 // 4
        parts = pack(units, draft.end, Budget(room, room, room), ground)
        if len(parts) > 1:
            return [one for part in parts for one in refit([part], ground)]
    unit = units[0]
    bare = replace(unit, lead=(), resume=_html_start(unit, draft.end, ground), tail=())
    line = ground.source.line_at(draft.start)
    for less in (replace(unit, lead=_shortened(unit.lead)), replace(unit, tail=()), bare):
        alone = Draft((less,), draft.end, draft.tokens)
        if _tokens(alone, ground) <= hard:
            ground.note(
                "context-left-out", "the limit leaves little room for what a part stands in", line
            )
            return [alone]
    ground.note("cut-anywhere", "the limit leaves no place to cut but within a word", line)
    return list(_anywhere(bare, draft.end, ground))


def _html_start(unit: Unit, end: int, ground: Ground) -> int:
    """Return where a part of HTML begins without its indentation: four blanks would make code."""
    text = ground.source.text[unit.start : end]
    blanks = len(text) - len(text.lstrip(" \t"))
    return unit.start + blanks if text.startswith("<", blanks) else -1


def _shortened(lead: tuple[Part, ...]) -> tuple[Part, ...]:
    """Leave out titles: `!!! note "Mind the gap"` becomes `!!! note`."""
    return tuple(
        replace(part, text=_TITLE.sub(r"\1", part.text)) if part.reason == "tag" else part
        for part in lead
    )


def _anywhere(unit: Unit, end: int, ground: Ground) -> Iterator[Draft]:
    """Cut text into the longest parts that fit, none within a character and its marks."""
    text, hard = ground.source.text, ground.options.hard_max_tokens
    at = unit.start
    while at < end:
        low, high = at + 1, end
        while low < high:
            middle = (low + high + 1) // 2
            if ground.counter.count(text[at:middle]) <= hard:
                low = middle
            else:
                high = middle - 1
        stop = low
        while at + 1 < stop < end and (text[stop] in _JOINERS or unicodedata.combining(text[stop])):
            stop -= 1
        kept = at + len(text[at:stop].rstrip()) or stop
        if text[at:stop].strip():
            part = replace(unit, start=at, resume=-1, rule="grapheme")
            yield Draft((part,), kept, ground.counter.count(text[at:kept]))
        at = stop
        while at < end and text[at].isspace():
            at += 1
