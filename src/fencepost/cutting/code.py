"""Code: between lines, best at blank lines of least indentation; each part is a fence again."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from fencepost import fences
from fencepost.cutting import containers
from fencepost.cutting.frames import Frames, content_index, is_blank, own_indent
from fencepost.cutting.ground import Ground
from fencepost.cutting.unit import Part, Rule, Unit
from fencepost.model import Block, Code

_NO_MARK = re.compile(r"[^>\s]")
_MOST_DEPTH = 12
_BETWEEN = re.compile(r"[\s,;{}()\[\]]+")
_JOINERS = "\u200d\ufe0e\ufe0f"
_RUN = 40
"""Characters of one-line code without a place to cut after which any place will do."""


def cut(block: Block, ground: Ground, frames: Frames, first: Unit) -> list[Unit]:
    """Return the units of a code block: its lines."""
    detail = block.detail if isinstance(block.detail, Code) else Code("", "")
    last = block.end - 1 if detail.marker and detail.closed else block.end
    body = range(block.start + 1 if detail.marker else block.start, last)
    lines = [line for line in body if not _is_blank(ground, frames, line)]
    lead, tail = _fence(block, detail, ground, frames, first)
    least = min((_indent(ground, line) for line in lines), default=0)
    room = ground.options.hard_max_tokens - ground.cost(lead) - ground.cost(tail)
    units = [replace(first, tail=tail)]
    for before, line in pairwise([body.start - 1, *lines]):
        place = _place(ground, line, before, least)
        if line != lines[0]:
            units.append(_unit(ground, frames, line, place, lead, tail))
        # A line that is cut goes on under the prefix of its containers.
        under = _prefix(ground, frames, block) if detail.marker else ""
        inner = (*lead, Part(under, "fence")) if under and lead else lead
        units += _within(ground, line, inner, tail, room)
    units[-1] = replace(units[-1], tail=first.tail)
    return units


def _fence(
    block: Block, detail: Code, ground: Ground, frames: Frames, first: Unit
) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    """Return what a part begins and ends with: an opener and a closer, or nothing."""
    if not detail.marker and not _needs_fence(frames):
        return (), first.tail
    prefix = _prefix(ground, frames, block) if detail.marker else containers.continuation(frames)
    marker = detail.marker or "```"
    tail = (Part("\n" + prefix + marker, "fence"), *first.tail)
    half = ground.options.hard_max_tokens // 2
    for info in dict.fromkeys((detail.info, detail.info.partition(" ")[0], "")):
        lead = (Part(containers.line_before(frames, marker + info, prefix), "fence"),)
        if ground.cost(lead) + ground.cost(tail) <= half:
            return lead, tail
        ground.note("info-shortened", "an info string was shortened to fit", block.start)
    ground.note("fence-left-out", "the limit leaves no room to reopen a fence", block.start)
    return (), first.tail


def _prefix(ground: Ground, frames: Frames, block: Block) -> str:
    """Return what stands before a fence's opener, list markers and terms as blanks."""
    at = content_index(ground.source, frames, block.start)
    before = _NO_MARK.sub(" ", ground.source.line(block.start)[:at])
    return before + " " * own_indent(ground.source, frames, block.start)


def _needs_fence(frames: Frames) -> bool:
    """Return whether indented code cannot be cut as it is.

    "-   a" over "        code": the code begins six columns right of the marker and four right of
    the text; behind a repeated marker it would begin at the one or the other.
    """
    inner = frames[-1] if frames else None
    return (
        inner is not None
        and inner.form == "item"
        and inner.column != inner.at + len(inner.marker) + 1
    )


def _unit(
    ground: Ground,
    frames: Frames,
    line: int,
    place: tuple[Rule, int],
    lead: tuple[Part, ...],
    tail: tuple[Part, ...],
) -> Unit:
    rule, depth = place
    start = ground.start(line)
    if not lead and frames:
        lead, start = containers.at_line(ground.source, frames, line)
    return Unit(ground.start(line), rule, depth, lead, start, tail)


def _place(ground: Ground, line: int, before: int, least: int) -> tuple[Rule, int]:
    rule: Rule = "code-blank" if line - before > 1 else "code-line"
    return rule, min(_MOST_DEPTH, _indent(ground, line) - least)


def _indent(ground: Ground, line: int) -> int:
    text = ground.source.lines[line]
    return fences.column(text[: len(text) - len(text.lstrip())])


def _is_blank(ground: Ground, frames: Frames, line: int) -> bool:
    return is_blank(ground.source, frames, line)


def _within(
    ground: Ground, line: int, lead: tuple[Part, ...], tail: tuple[Part, ...], room: int
) -> Iterator[Unit]:
    """Yield units inside a line that does not fit: minified code, a base64 string."""
    start, end = ground.start(line), ground.end(line + 1)
    if ground.fits(start, end, room):
        return
    step = ground.step(start, end, room)
    for at, rule in _cuts(ground.source.text[start:end], step):
        yield Unit(start + at, rule, 0, lead, -1, tail, exact=True)


def _cuts(text: str, step: int) -> Iterator[tuple[int, Rule]]:
    """Yield places inside a line of code: behind blanks and brackets, else anywhere.

    They are `step` characters apart or more, so that a line of a megabyte stays cheap.
    """
    last = 0
    for at in [*(found.end() for found in _BETWEEN.finditer(text)), len(text)]:
        if at - last > max(_RUN, 2 * step):
            yield from ((place, "grapheme") for place in _anywhere(text, last + step, at, step))
        if at - last >= step and at < len(text):
            last = at
            yield at, "word"


def _anywhere(text: str, start: int, end: int, step: int) -> Iterator[int]:
    """Yield places in a run, none before a combining mark or a joiner."""
    for place in range(start, end, step):
        if not unicodedata.combining(text[place]) and text[place] not in _JOINERS:
            yield place
