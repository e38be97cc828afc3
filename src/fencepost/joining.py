"""Sections to drafts: each section packed, small ones joined with a neighbour of the same parent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fencepost.breadcrumbs import Breadcrumbs
from fencepost.cutting.ground import NEAR, Ground
from fencepost.model import Block, Section
from fencepost.packing import BARE, Budget, Draft, pack, run_units
from fencepost.sections import common_path


@dataclass(frozen=True, slots=True)
class Placed:
    """A draft, and where in the heading tree it stands."""

    draft: Draft
    path: tuple[str, ...]
    """Common path of the sections in it that have content."""
    small: bool
    """Whether it is all of its section and below `min_tokens`."""
    fixed: bool = False
    """Whether a block in it is to be a chunk of its own."""


def draft_sections(
    sections: Sequence[Section], ground: Ground, crumbs: Breadcrumbs
) -> list[Draft]:
    """Return the drafts of a document, in order."""
    placed: list[Placed] = []
    for run in _runs(sections):
        placed += _placed(run, ground, crumbs)
    return [one.draft for one in _joined(placed, ground, crumbs)]


def _runs(sections: Sequence[Section]) -> Iterator[list[Section]]:
    """Yield sections to be packed together: a heading with nothing under it goes with the next."""
    run: list[Section] = []
    for section in sections:
        if not section.blocks:
            continue
        run.append(section)
        if any(block.kind not in BARE for block in section.blocks):
            yield run
            run = []
    if run:
        yield run


def _placed(run: list[Section], ground: Ground, crumbs: Breadcrumbs) -> list[Placed]:
    options = ground.options
    own = run[-1]
    blocks: list[Block] = [block for section in run for block in section.blocks]
    units = run_units(blocks, ground)
    shown = run[0].path[: len(run[0].path) - run[0].has_heading]
    budget = Budget(
        crumbs.room(shown, options.max_tokens),
        max(1, crumbs.room(own.path, options.max_tokens) - options.overlap_tokens),
        options.hard_max_tokens,
    )
    drafts = pack(units, ground.end(blocks[-1].end), budget, ground)
    small = len(drafts) == 1 and _is_small(drafts[0], ground)
    fixed = any(options.policy.get(block.kind) == "separate" for block in blocks)
    return [Placed(draft, own.path, small and not fixed, fixed) for draft in drafts]


def _is_small(draft: Draft, ground: Ground) -> bool:
    """Return whether a draft is below `min_tokens`; exact near it."""
    least = ground.options.min_tokens
    if abs(draft.tokens - least) > NEAR:
        return draft.tokens < least
    return ground.measure.exact(draft.start, draft.end) < least


def _joined(placed: list[Placed], ground: Ground, crumbs: Breadcrumbs) -> list[Placed]:
    """Join small sections, in one pass; joining stops when the sum reaches `min_tokens`.

    A small section joins the chunk before it if that is small too, else the smaller of its related
    neighbours.
    """
    done: list[Placed] = []
    queue = list(reversed(placed))
    while queue:
        now = queue.pop()
        before = done[-1] if done else None
        after = queue[-1] if queue else None
        if not now.small:
            done.append(now)
            continue
        options = [one for one in (before, after) if one and _may_join(one, now, ground, crumbs)]
        if before in options and before is not None and before.small:
            done[-1] = _join(before, now, ground)
        elif options:
            choice = min(options, key=lambda one: one.draft.tokens)
            if choice is before:
                done[-1] = _join(choice, now, ground)
            else:
                queue[-1] = _join(now, choice, ground)
        else:
            done.append(now)
    return done


def _may_join(neighbour: Placed, small: Placed, ground: Ground, crumbs: Breadcrumbs) -> bool:
    if neighbour.fixed or not _related(neighbour.path, small.path):
        return False
    tokens = neighbour.draft.tokens + small.draft.tokens
    path = common_path([neighbour.path, small.path])
    return tokens < crumbs.room(path, ground.options.max_tokens)


def _related(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Return whether two paths are the same, siblings, or parent and child."""
    if one == other or (one and other and one[:-1] == other[:-1]):
        return True
    return one == other[:-1] if len(one) < len(other) else one[:-1] == other


def _join(one: Placed, other: Placed, ground: Ground) -> Placed:
    tokens = one.draft.tokens + other.draft.tokens
    draft = Draft(one.draft.units + other.draft.units, other.draft.end, tokens)
    least = ground.options.min_tokens
    # A parent below the minimum is labelled with its child's path.
    parent = min(one, other, key=lambda placed: len(placed.path))
    child = other if parent is one else one
    nested = len(parent.path) < len(child.path) and parent.small
    path = child.path if nested else common_path([one.path, other.path])
    return Placed(draft, path, tokens < least and one.small and other.small)


