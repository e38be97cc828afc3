"""The unit: the least that packing moves about. A chunk is a lead, one slice of units, a tail."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from fencepost.model import Insertion, Kind

Rule: TypeAlias = Literal[
    "start",
    "heading",
    "after-rule",
    "after-list",
    "after-code",
    "block",
    "item",
    "child",
    "row",
    "code-blank",
    "code-line",
    "line",
    "sentence",
    "word",
    "grapheme",
]
"""What kind of place a break would be at."""

SCORES: Final[dict[Rule, int]] = {
    "start": 0,
    "heading": 0,
    "after-rule": 4,
    "after-list": 6,
    "after-code": 8,
    "block": 10,
    "item": 12,
    "row": 14,
    "child": 20,
    "code-blank": 16,
    "code-line": 32,
    "line": 34,
    "sentence": 30,
    "word": 60,
    "grapheme": 200,
}
"""What a break costs by its kind; each level of nesting, and of indentation in code, adds one.
A chunk costs 100, so a break is moved rather than a chunk added."""


@dataclass(frozen=True, slots=True)
class Part:
    """A run of what stands before the slice in a chunk that begins in the middle of a block."""

    text: str = ""
    """For an insertion."""
    reason: Insertion | None = None
    """Why; None for a slice of the source."""
    start: int = 0
    """Offset, for a slice of the source."""
    end: int = 0
    repeated: bool = False
    """Whether the slice stands in an earlier chunk."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A place where a chunk may begin, and what follows it up to the next such place."""

    start: int
    """Offset of its first character; the blanks that indent the line included."""
    rule: Rule = "block"
    """What kind of place it is."""
    depth: int = 0
    """How deep the place is nested, or how far the code is indented."""
    lead: tuple[Part, ...] = ()
    """What a chunk that begins here has before the slice."""
    resume: int = -1
    """Where that slice begins, if not at `start`."""
    tail: tuple[Part, ...] = ()
    """What a chunk that ends with this unit has behind the slice."""
    kind: Kind = "raw"
    """Kind of the block at top level that it is, or is a part of."""
    content: bool = True
    """False for a heading, a line of tags and a lead-in."""
    glued: int = 0
    """What a break before it costs beside its score: it belongs to what stands before it."""
    forced: bool = False
    """Whether there must be a break before it."""
    whole: bool = False
    """Whether it may pass the hard limit (policy `whole`)."""
    exact: bool = False
    """Whether the blanks before it are kept by what ends there (code cut within a line)."""

    @property
    def slice_start(self) -> int:
        """Where the slice of a chunk that begins here begins."""
        return self.start if self.resume < 0 else self.resume
