"""Lists: between items, and a part read alone is still a list."""

from __future__ import annotations

from dataclasses import replace

from fencepost.cutting.containers import unit_at
from fencepost.cutting.frames import Frames
from fencepost.cutting.ground import Ground
from fencepost.cutting.unit import Unit
from fencepost.model import Block


def open_list(
    block: Block, ground: Ground, frames: Frames, first: Unit
) -> list[tuple[Block, Frames, Unit]]:
    """Return the items of a list, or the terms of a definition list.

    A sub-list's item begins with the markers of the items around it: read alone it is a sub-item.
    """
    depth = sum(frame.form == "item" for frame in frames)
    opened = [(block.children[0], frames, first)]
    opened += [
        (item, frames, unit_at(ground.source, frames, item, ("item", depth), forced=True))
        for item in block.children[1:]
    ]
    return [(item, frames, replace(unit, tail=first.tail)) for item, frames, unit in opened]
