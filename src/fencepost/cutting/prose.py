"""Prose: at sentences, then words, then graphemes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Final

from fencepost.cutting import containers
from fencepost.cutting.boundaries import cut_points
from fencepost.cutting.frames import Frames
from fencepost.cutting.ground import Ground
from fencepost.cutting.unit import Part, Rule, Unit
from fencepost.model import Block

MOST_BLANKS: Final = 4
"""Blanks behind a `>` that make no code of what follows."""
RULES: Final[tuple[Rule, ...]] = ("sentence", "word", "grapheme")
"""By level of a cut point."""


def cut(block: Block, ground: Ground, frames: Frames, first: Unit) -> list[Unit]:
    """Return the units of a paragraph, a heading, a definition."""
    units = [first, *within(ground, frames, (block.start, block.end), first.tail)]
    return [replace(unit, tail=first.tail) for unit in units]


def within(
    ground: Ground, frames: Frames, lines: tuple[int, int], tail: tuple[Part, ...]
) -> list[Unit]:
    """Return the places inside lines where prose can be cut.

    Words count only inside a sentence that does not fit, graphemes only inside such a word.
    """
    start, end = ground.start(lines[0]), ground.end(lines[1])
    lead = containers.within_line(frames)
    taken = ground.cost(lead)
    room = max(1, ground.options.max_tokens - taken)
    points = [(start + at, level) for at, level in cut_points(ground.source.text[start:end])]
    units = []
    for at, level in _needed(ground, points, (start, end), room, 0):
        quoted = _quote_start(ground, frames, at)
        if quoted is None:
            units.append(Unit(at, RULES[level], len(frames), lead, -1, tail))
        else:
            units.append(Unit(quoted, RULES[level], len(frames), (), -1, tail))
    return units


def _quote_start(ground: Ground, frames: Frames, at: int) -> int | None:
    """Return where the `>` of a line stands, if what comes after it begins at an offset."""
    if not frames or frames[0].form != "quote":
        return None
    start = ground.start(ground.source.line_at(at))
    prefix = ground.source.text[start:at]
    mark = prefix.find(">")
    # "> a" over ">     b": alone it would be code.
    deep = len(prefix) - len(prefix.rstrip(" \t")) > MOST_BLANKS
    return None if mark < 0 or deep or prefix.strip(" \t>") else start + mark


def _needed(
    ground: Ground,
    points: list[tuple[int, int]],
    span: tuple[int, int],
    room: int,
    level: int,
) -> Iterator[tuple[int, int]]:
    """Yield the points of a level, and finer ones inside the spans between them that do not fit."""
    here = [i for i, (_, found) in enumerate(points) if found <= level]
    if level:
        here = _spaced(points, here, ground.step(*span, room))
    bounds = [-1, *here, len(points)]
    for left, right in pairwise(bounds):
        start = span[0] if left < 0 else points[left][0]
        end = span[1] if right == len(points) else points[right][0]
        if left >= 0:
            yield points[left]
        inner = points[left + 1 : right]
        if inner and level + 1 < len(RULES) and not ground.fits(start, end, room):
            yield from _needed(ground, inner, (start, end), room, level + 1)


def _spaced(points: list[tuple[int, int]], here: list[int], step: int) -> list[int]:
    """Leave out points that stand closer than needed: a megabyte of words has 200,000."""
    kept: list[int] = []
    for i in here:
        if not kept or points[i][0] - points[kept[-1]][0] >= step:
            kept.append(i)
    return kept
