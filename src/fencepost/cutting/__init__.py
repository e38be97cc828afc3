"""How to cut what cannot fit: one kind of block in each file, the tables of them here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final, TypeAlias

from fencepost.cutting import code, containers, items, markup, prose, quote, table
from fencepost.cutting.frames import Frames
from fencepost.cutting.ground import Ground
from fencepost.cutting.unit import Unit
from fencepost.model import Block, Kind

Cutter: TypeAlias = Callable[[Block, Ground, Frames, Unit], list[Unit]]
"""Cuts a block that holds no blocks: given the block, the ground, what it stands in, and the unit
at its start, returns its units, the first at its start and the last with that unit's tail."""

Opener: TypeAlias = Callable[[Block, Ground, Frames, Unit], list[tuple[Block, Frames, Unit]]]
"""Opens a container: returns each block in it with what that stands in and the unit at its start;
the first begins where the container does."""

CUTTERS: Final[dict[Kind, Cutter]] = {
    "code": code.cut,
    "table": table.cut,
    "html": markup.cut,
    "comment": markup.cut_comment,
    "math": markup.cut_math,
    "raw": markup.cut_lines,
    "tag": markup.cut_lines,
    "esm": markup.cut_lines,
}
"""Kinds that are in neither table are prose."""

OPENERS: Final[dict[Kind, Opener]] = {
    "list": items.open_list,
    "definition_list": items.open_list,
    "item": quote.open_container,
    "quote": quote.open_container,
    "admonition": quote.open_container,
    "definition": quote.open_container,
    "tag": quote.open_container,
}


def units_of(
    block: Block,
    ground: Ground,
    frames: Frames = (),
    first: Unit | None = None,
    taken: int = 0,
) -> list[Unit]:
    """Return the units of a block: one where it stays whole, else where it can be cut.

    Args:
        block: the block.
        ground: the document and its options.
        frames: the containers that it stands in.
        first: the unit at its start, where a container begins there too.
        taken: tokens of the headings right before it.
    """
    if first is None:
        first = Unit(ground.start(block.start), tail=containers.closing(frames))
    if ground.whole(block, taken):
        return [first]
    opener = OPENERS.get(block.kind)
    if opener is None or not block.children:
        return CUTTERS.get(block.kind, prose.cut)(block, ground, frames, first)
    units = [
        unit
        for child, inside, start in opener(block, ground, frames, first)
        for unit in units_of(child, ground, inside, start)
    ]
    units[-1] = replace(units[-1], tail=first.tail)
    return units
