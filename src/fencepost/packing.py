"""Where to break: the cheapest way to cut a run of units into chunks, by dynamic programming."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import Final

from fencepost.cutting import units_of
from fencepost.cutting.ground import NEAR, Ground
from fencepost.cutting.unit import SCORES, Part, Rule, Unit
from fencepost.model import Block, TagLine
from fencepost.sections import is_bare

CHUNK: Final = 100
"""What a chunk costs."""
UNEVEN: Final = 30
"""What an almost empty chunk costs more; by the square of what is missing."""
TINY: Final = 60
"""What a chunk under `min_tokens` costs more."""
OVER: Final = 20
"""What a chunk over the target costs more, where it may be."""
LEAD_IN: Final = 1_000
"""What a break costs between code, a table, a list and the paragraph that leads in to it."""
COLON: Final = 600
"""What a break costs behind any other paragraph that ends in a colon."""
ORPHAN: Final = 5_000
"""What a break costs between a heading and what it heads."""

NEAREST: Final = 8
"""Places to break that are always weighed, nearest first. Past them those are that make a chunk of
half the target or more, `FARTHEST` of them: a section of 20,000 blocks stays cheap."""
FARTHEST: Final = 64

LED: Final = frozenset({"code", "table", "list", "math"})
"""Kinds that the paragraph right before leads in to."""
BARE: Final = frozenset({"heading", "tag"})
"""Kinds that may be no content of their own, see `sections.is_bare`."""
_LEADS: Final = frozenset({LEAD_IN, COLON})
_ENDS_LIST: Final = frozenset({"list", "tag", "admonition", "definition_list", "quote"})


@dataclass(frozen=True, slots=True)
class Draft:
    """A chunk to be: consecutive units, and where the last of them ends."""

    units: tuple[Unit, ...]
    end: int
    """Offset after the slice."""
    tokens: int
    """About how many tokens its text has."""

    @property
    def start(self) -> int:
        """Offset where the slice begins."""
        return self.units[0].slice_start

    @property
    def single(self) -> bool:
        """Whether it holds one block with its headings and lead-in, and may pass the target."""
        return len(self.units) == 1 or weight(self.units) <= 1


def weight(units: Sequence[Unit]) -> int:
    """Return how many blocks units hold: a heading is none, a lead-in none before its block."""
    return sum(unit.content for unit in units) + _hangs(units[-1])


def _hangs(unit: Unit) -> bool:
    """Return whether a unit is a lead-in; at the end of a chunk it is a block like others."""
    return not unit.content and unit.kind not in BARE


@dataclass(frozen=True, slots=True)
class Budget:
    """What a chunk of a run may hold, in tokens of its text."""

    first: int
    """Target of the first chunk, which shows its own heading."""
    rest: int
    """Target of the others."""
    hard: int
    """Limit of any: the breadcrumb gives way."""


def run_units(blocks: Sequence[Block], ground: Ground, *, fits: bool) -> list[Unit]:
    """Return the units of a run of blocks, with what a break before each is and costs.

    `fits` says that the run is one chunk as it is, so that no block need be looked into.
    """
    units: list[Unit] = []
    policy = ground.options.policy
    glue = [_glue(ground, before, block) for before, block in pairwise([None, *blocks])]
    glue += [0, 0]
    headed = 0
    before: Block | None = None
    for i, block in enumerate(blocks):
        # One paragraph leads in: of "a:" over "b:" over code, the second.
        leads_in = (
            glue[i + 1] in _LEADS and glue[i + 2] not in _LEADS and not is_bare(blocks[i + 1])
        )
        kinds = (block.kind, before.kind if before else block.kind)
        alone = bool(policy) and any(policy.get(kind) == "separate" for kind in kinds)
        first = Unit(
            ground.start(block.start),
            _rule(before, block),
            kind=block.kind,
            glued=glue[i],
            content=not is_bare(block) and not leads_in,
            forced=alone and before is not None and not is_bare(before),
            whole=policy.get(block.kind) == "whole",
        )
        if fits:
            units.append(first)
            before = block
            continue
        found = units_of(block, ground, (), first, headed)
        headed = _tokens(ground, block) + headed if block.kind == "heading" else 0
        units.append(found[0])
        units += [replace(unit, kind=block.kind) for unit in found[1:]]
        before = block
    return units


def _tokens(ground: Ground, block: Block) -> int:
    return ground.measure.between(ground.start(block.start), ground.start(block.end))


def _rule(before: Block | None, block: Block) -> Rule:
    if before is None:
        return "start"
    if block.kind == "heading":
        return "heading"
    if "rule" in {before.kind, block.kind}:
        return "after-rule"
    if before.kind in _ENDS_LIST:
        return "after-list"
    return "after-code" if before.kind in {"code", "table"} else "block"


def _glue(ground: Ground, before: Block | None, block: Block | None) -> int:
    """Return what it costs to part a block from the one before it."""
    if before is None or block is None:
        return 0
    if before.kind == "heading" or (is_bare(before) and not _closes(before)):
        return ORPHAN
    if block.kind == "tag" and is_bare(block) and _closes(block):
        return ORPHAN
    if before.kind != "paragraph":
        return 0
    if block.kind in LED:
        return LEAD_IN
    return COLON if ground.source.line(before.end - 1).rstrip().endswith((":", "\uff1a")) else 0


def _closes(block: Block) -> bool:
    """Return whether a line of tags closes a container: `</Tab>`, a bare `:::`."""
    return block.detail == TagLine("close")


def pack(units: Sequence[Unit], end: int, budget: Budget, ground: Ground) -> list[Draft]:
    """Return the chunks of a run that cost least; `end` is the offset after its last line."""
    sizes = Sizes(units, end, ground)
    count = len(units)
    cuts: list[int] = []
    if sizes.tokens(0, count) > budget.first - NEAR or any(unit.forced for unit in units):
        cuts = _cheapest(units, sizes, budget, ground.options.min_tokens)
    return [
        Draft(tuple(units[i:k]), sizes.ends[k - 1], sizes.tokens(i, k))
        for i, k in pairwise([0, *cuts, count])
    ]


class Sizes:
    """Token counts of the chunks that a run could be cut into."""

    def __init__(self, units: Sequence[Unit], end: int, ground: Ground) -> None:
        """Take the units of a run and the offset after its last line."""
        self.ends = [*_ends(units, ground), end]
        """Where a chunk ends whose last unit this is."""
        self._units, self._ground = units, ground
        between = ground.measure.between
        self._before = [between(0, unit.slice_start) for unit in units]
        self._after = [between(0, at) for at in self.ends]
        costs: dict[tuple[Part, ...], int] = {(): 0}
        for unit in units:
            for parts in (unit.lead, unit.tail):
                if parts not in costs:
                    costs[parts] = ground.cost(parts)
        self._leads = [costs[unit.lead] for unit in units]
        self._tails = [costs[unit.tail] for unit in units]

    def tokens(self, i: int, k: int) -> int:
        """Return about how many tokens the chunk of units i to k (exclusive) has."""
        return self._leads[i] + self._after[k - 1] - self._before[i] + self._tails[k - 1]

    def fits(self, i: int, k: int, limit: int) -> bool:
        """Return whether that chunk is within a limit; exact near it."""
        tokens = self.tokens(i, k)
        if abs(tokens - limit) > NEAR:
            return tokens < limit
        exact = self._ground.measure.exact(self._units[i].slice_start, self.ends[k - 1])
        return self._leads[i] + exact + self._tails[k - 1] <= limit


def _ends(units: Sequence[Unit], ground: Ground) -> list[int]:
    """Return where each unit but the last ends: with the last line that is not blank."""
    source = ground.source
    ends = []
    for unit, following in pairwise(units):
        if following.exact:
            ends.append(following.start)
            continue
        at = ground.skips.trimmed(source.text, unit.start, following.start)
        # The blanks at the end of a line are part of it, unless the line goes on in the next.
        line_end = source.end_of(source.line_at(max(unit.start, at - 1)))
        ends.append(line_end if line_end <= following.start else at)
    return ends


def _cheapest(units: Sequence[Unit], sizes: Sizes, budget: Budget, least: int) -> list[int]:
    """Return the places to break, as indices of the units that begin a chunk."""
    count = len(units)
    heavy = list(accumulate((unit.content for unit in units), initial=0))
    breaks = [SCORES[unit.rule] + min(12, unit.depth) + unit.glued for unit in units]
    breaks[0] = 0
    best: list[float] = [0.0] * (count + 1)
    back = [0] * (count + 1)
    for k in range(1, count + 1):
        lowest = float("inf")
        far = 0
        hangs = _hangs(units[k - 1])
        for i in range(k - 1, -1, -1):
            target = budget.rest if i else budget.first
            tokens = sizes.tokens(i, k)
            if i < k - 1 and (
                units[i + 1].forced or tokens > max(target, budget.hard) + NEAR or far > FARTHEST
            ):
                break
            if k - i > NEAREST and i and not units[i].forced:
                if tokens * 2 < target:
                    continue
                far += 1
            cost = best[i] + CHUNK + breaks[i]
            if tokens <= target - NEAR or sizes.fits(i, k, target):
                missing = 1 - tokens / target
                cost += UNEVEN * missing * missing + (TINY if tokens < least else 0)
            elif i == k - 1 or (heavy[k] + hangs - heavy[i] <= 1 and sizes.fits(i, k, budget.hard)):
                cost += OVER
            else:
                continue
            if cost < lowest:
                lowest, back[k] = cost, i
        best[k] = lowest
    cuts = []
    at = back[count]
    while at:
        cuts.append(at)
        at = back[at]
    return cuts[::-1]
