"""Tables: between rows, header and delimiter repeated."""

from __future__ import annotations

from dataclasses import replace

from fencepost.cutting import containers, prose
from fencepost.cutting.frames import Frames
from fencepost.cutting.ground import Ground
from fencepost.cutting.unit import Part, Unit
from fencepost.model import Block

HEADER_LINES = 2


def cut(block: Block, ground: Ground, frames: Frames, first: Unit) -> list[Unit]:
    """Return the units of a GFM table: its rows.

    Where the header leaves less than half of the limit it is not repeated. A row that does not fit
    with the header is cut between cells and words, and goes without.
    """
    body = block.start + HEADER_LINES
    lead, room = _header(block, ground, frames)
    units = [first]
    if not lead:
        ground.note("header-left-out", "a table header is too large to be repeated", block.start)
        units += prose.within(ground, frames, (block.start, body), first.tail)
    torn = False
    for line in range(body, block.end):
        if line > body or not lead:
            # Behind the rest of a row that was cut, the next one needs a header of its own.
            units.append(replace(_row(ground, frames, line, lead, first), forced=torn))
        torn = False
        if not ground.fits(ground.start(line), ground.end(line + 1), room):
            parts = prose.within(ground, frames, (line, line + 1), first.tail)
            units += parts
            torn = bool(parts and lead)
    return [replace(unit, tail=first.tail) for unit in units]


def _header(block: Block, ground: Ground, frames: Frames) -> tuple[tuple[Part, ...], int]:
    """Return the repeated header, and the tokens that it leaves for rows."""
    lead, resume = containers.at_line(ground.source, frames, block.start)
    end = ground.source.starts[block.start + HEADER_LINES]
    again = tuple(
        part if part.reason else replace(part, repeated=True)
        for part in (*lead, Part(start=resume, end=end))
    )
    taken = ground.measure.between(resume, end) + ground.cost(lead)
    hard = ground.options.hard_max_tokens
    if taken > hard // 2:
        return (), hard
    return again, hard - taken


def _row(ground: Ground, frames: Frames, line: int, lead: tuple[Part, ...], first: Unit) -> Unit:
    start = ground.start(line)
    if lead:
        return Unit(start, "row", len(frames), lead, start, first.tail)
    lead, resume = containers.at_line(ground.source, frames, line)
    return Unit(start, "row", len(frames), lead, resume, first.tail)
