"""Containers of blocks: quotes, list items, admonitions, footnotes, between the blocks inside."""

from __future__ import annotations

from dataclasses import replace

from fencepost.cutting import containers
from fencepost.cutting.containers import Frames, unit_at
from fencepost.cutting.ground import Ground
from fencepost.cutting.unit import Unit
from fencepost.model import Admonition, Block

HELD = 600
"""What it costs to part a callout's marker from its text."""


def open_container(
    block: Block, ground: Ground, frames: Frames, first: Unit
) -> list[tuple[Block, Frames, Unit]]:
    """Return the blocks in a container; the first begins where the container does."""
    inside = containers.enter(ground.source, frames, block)
    tail = containers.closing(inside)
    opened = [(block.children[0], inside, replace(first, tail=tail))]
    depth = len(inside)
    before = block.children[0]
    for child in block.children[1:]:
        unit = unit_at(
            ground.source, inside, child, ("child", depth), forced=child.kind == "list"
        )
        lone = before is block.children[0] and before.end - before.start == 1
        held = HELD if lone and isinstance(block.detail, Admonition) else 0
        if before.kind == "paragraph" and child.kind in {"code", "table", "list"}:
            held = HELD
        opened.append((child, inside, replace(unit, glued=held)))
        before = child
    return opened
