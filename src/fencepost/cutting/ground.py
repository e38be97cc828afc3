"""What every cutter needs to know: the source, what things cost, and how much fits."""

from __future__ import annotations

from dataclasses import dataclass, field

from fencepost.cutting.skipping import Skips
from fencepost.cutting.unit import Part
from fencepost.model import Block, Diagnostic
from fencepost.options import Options
from fencepost.source import Source
from fencepost.tokens import Counter, Measure

NEAR = 8
"""A quick count this close to a limit is made exact."""


class StrippedMeasure:
    """Counts tokens of what is left of slices when spans are left out."""

    def __init__(self, skips: Skips, counter: Counter) -> None:
        """Take what is left out, and a counter."""
        self._shifted = skips.shifted
        self._measure = Measure(skips.text, Source(skips.text).starts, counter)

    def between(self, start: int, end: int) -> int:
        """Return about how many tokens are left between two offsets."""
        return self._measure.between(self._shifted(start), self._shifted(end))

    def exact(self, start: int, end: int) -> int:
        """Return the tokens of what is left of a slice, counted on its own."""
        return self._measure.exact(self._shifted(start), self._shifted(end))


@dataclass(frozen=True, slots=True)
class Ground:
    """One document and the options that it is cut by."""

    source: Source
    measure: Measure | StrippedMeasure
    counter: Counter
    options: Options
    skips: Skips
    """What stands in no chunk although it stands between what does."""
    notes: list[Diagnostic] = field(default_factory=list)
    """What had to give way, told in the document's diagnostics."""

    def start(self, line: int) -> int:
        """Return the offset of a line's first character."""
        return self.source.starts[line]

    def end(self, line: int) -> int:
        """Return the offset after the last character of the line before `line`."""
        return self.source.end_of(line - 1)

    def fits(self, start: int, end: int, limit: int) -> bool:
        """Return whether a slice has at most so many tokens; exact near the limit."""
        tokens = self.measure.between(start, end)
        if abs(tokens - limit) <= NEAR or not self.counter.adds_up:
            tokens = self.measure.exact(start, end)
        return tokens <= limit

    def cost(self, parts: tuple[Part, ...]) -> int:
        """Return about how many tokens what is put in takes; repeated slices are counted too."""
        text = self.source.text
        return sum(
            self.counter.count(part.text)
            if part.reason
            else self.counter.count(text[part.start : part.end])
            for part in parts
        )

    def step(self, start: int, end: int, room: int) -> int:
        """Return how many characters apart places to cut need to stand, about forty a part."""
        tokens = max(1, self.measure.between(start, end))
        return max(1, (end - start) * room // tokens // 40)

    def whole(self, block: Block, taken: int = 0) -> bool:
        """Return whether a block stays whole: it fits, or its policy says so.

        `taken` is what the headings right before it take. Code is not cut for them.
        """
        policy = self.options.policy.get(block.kind, "fit")
        if policy == "whole":
            return True
        options = self.options
        limit = options.max_tokens if policy == "split" else options.hard_max_tokens
        room = limit if block.kind == "code" else limit - taken
        return self.fits(self.start(block.start), self.end(block.end), room)

    def note(self, code: str, message: str, line: int) -> None:
        """Tell once per line what had to give way."""
        one = Diagnostic("warning", code, message, line + 1)
        if one not in self.notes:
            self.notes.append(one)
