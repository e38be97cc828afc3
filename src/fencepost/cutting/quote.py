"""Containers of blocks: quotes, list items, admonitions, footnotes, between the blocks inside."""

from __future__ import annotations

from dataclasses import replace

from fencepost.cutting import containers
from fencepost.cutting.containers import unit_at
from fencepost.cutting.frames import Frames, enter
from fencepost.cutting.ground import Ground
from fencepost.cutting.unit import Part, Unit
from fencepost.model import CODE_GROUP, Admonition, Block, Element, TagLine

HELD = 600
"""What it costs to part a callout's marker from its text."""


def open_container(
    block: Block, ground: Ground, frames: Frames, first: Unit
) -> list[tuple[Block, Frames, Unit]]:
    """Return the blocks in a container; the first begins where the container does."""
    inside = _affordable(ground, enter(ground.source, frames, block))
    tail = containers.closing(inside)
    opened = [(block.children[0], inside, replace(first, tail=tail))]
    depth = len(inside)
    before = block.children[0]
    rest = block.children[1:]
    if before.start > block.start and not _holds(ground, first, before, tail):
        # `::: code-group` over a block that fits, but not with the line above it.
        before = Block("tag", block.start, _opened(block))
        opened = [(before, frames, replace(first, tail=first.tail))]
        rest = block.children
    for child in rest:
        unit = unit_at(ground.source, inside, child, ("child", depth), forced=child.kind == "list")
        lone = before is block.children[0] and before.end - before.start == 1
        held = HELD if lone and isinstance(block.detail, Admonition) else 0
        leads_in = before.kind == "paragraph" and child.kind in {"code", "table", "list"}
        if leads_in or (before.kind == "tag" and not before.children):
            held = HELD
        if child.detail == TagLine("close"):
            held = HELD
        # Two tabs, or two blocks of a group of code, are never in one part.
        forced = _is_tab(block, child) and _is_tab(block, before)
        opened.append((child, inside, replace(unit, glued=held, forced=forced)))
        before = child
    return opened


def _is_tab(group: Block, child: Block) -> bool:
    """Return whether a block in a container is one of several tabs."""
    if isinstance(child.detail, Element) and child.detail.role == "tab":
        return True
    detail = group.detail
    grouped = isinstance(detail, Admonition) and detail.type == CODE_GROUP
    tabs = isinstance(detail, Element) and detail.role == "tabs"
    return child.kind == "code" and (grouped or tabs)


def _opened(block: Block) -> int:
    """Return the line after a container's opening line."""
    return block.detail.body[0] if isinstance(block.detail, Element) else block.start + 1


def _affordable(ground: Ground, frames: Frames) -> Frames:
    """Return frames that take at most a quarter of the limit to reopen."""
    quarter = ground.options.hard_max_tokens // 4
    for choice in (frames, *containers.shorter(frames)):
        line = containers.line_before(choice, "")
        closed = "".join(part.text for part in containers.closing(choice))
        if ground.counter.count(line + closed) <= quarter:
            return choice
    return frames


def _holds(ground: Ground, first: Unit, child: Block, tail: tuple[Part, ...]) -> bool:
    """Return whether a container's own line and its first block fit in one chunk, if that does."""
    limit = ground.options.hard_max_tokens - ground.cost(tail) - ground.cost(first.lead)
    end = ground.end(child.end)
    return ground.fits(first.start, end, limit) or not ground.whole(child)
