"""Sections to drafts: each section packed, small ones joined under the same parent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fencepost.breadcrumbs import Breadcrumbs
from fencepost.cutting.ground import NEAR, Ground
from fencepost.model import Block, Section
from fencepost.packing import Budget, Draft, pack, run_units
from fencepost.sections import common_path, is_bare


@dataclass(frozen=True, slots=True)
class Placed:
    """A draft, and where in the heading tree it stands."""

    draft: Draft
    path: tuple[str, ...]
    """Common path of the sections in it that have content."""
    first: tuple[str, ...]
    """Path of the first section in it, be it a bare heading."""
    small: bool
    """Whether it is all of its section and below `min_tokens`."""
    fixed: bool = False
    """Whether a block in it is to be a chunk of its own."""


def draft_sections(sections: Sequence[Section], ground: Ground, crumbs: Breadcrumbs) -> list[Draft]:
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
        if not all(map(is_bare, section.blocks)):
            yield run
            run = []
    if run:
        yield run


def _placed(run: list[Section], ground: Ground, crumbs: Breadcrumbs) -> list[Placed]:
    options = ground.options
    own = run[-1]
    blocks: list[Block] = [block for section in run for block in section.blocks]
    shown = run[0].path[: len(run[0].path) - (run[0].heading is not None)]
    budget = Budget(
        crumbs.room(shown, options.max_tokens),
        max(1, crumbs.room(own.path, options.max_tokens) - options.overlap_tokens),
        options.hard_max_tokens,
    )
    end = ground.end(blocks[-1].end)
    tokens = ground.measure.between(ground.start(blocks[0].start), end)
    fits = tokens <= budget.first - NEAR and not options.policy and ground.counter.adds_up
    units = run_units(blocks, ground, fits=fits)
    drafts = [Draft(tuple(units), end, tokens)] if fits else pack(units, end, budget, ground)
    small = len(drafts) == 1 and _is_small(drafts[0], ground)
    fixed = any(options.policy.get(block.kind) == "separate" for block in blocks)
    return [
        Placed(draft, own.path, own.path if i else run[0].path, small and not fixed, fixed)
        for i, draft in enumerate(drafts)
    ]


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
        before_fits = before is not None and _fits(before, now, ground, crumbs)
        after_fits = after is not None and _fits(now, after, ground, crumbs)
        choice = _choice(before if before_fits else None, now, after if after_fits else None)
        if choice is None:
            done.append(now)
        elif choice is before:
            done[-1] = _join(choice, now, ground)
        else:
            queue[-1] = _join(now, choice, ground)
    return done


def _choice(before: Placed | None, now: Placed, after: Placed | None) -> Placed | None:
    """Return the neighbour that a small section joins, of those that it fits with."""
    related = []
    if before is not None and _related(before.path, now.first):
        if before.small:
            return before
        related.append(before)
    if after is not None and _related(now.path, after.first):
        related.append(after)
    if related:
        return min(related, key=lambda one: one.draft.tokens)
    # The last chunk of a sibling's last sub-section stands under the same parent still.
    parent = now.first[:-1]
    return before if before is not None and before.path[: len(parent)] == parent else None


def _fits(one: Placed, other: Placed, ground: Ground, crumbs: Breadcrumbs) -> bool:
    if one.fixed or other.fixed:
        return False
    tokens = one.draft.tokens + other.draft.tokens
    path = common_path([one.path, other.path])
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
    return Placed(draft, path, one.first, tokens < least and one.small and other.small)
