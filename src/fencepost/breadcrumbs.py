"""The breadcrumb: the path that a chunk's text does not show, as long as there is room."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fencepost.tokens import Counter

SEPARATOR: Final = " > "
"""What stands between the elements of a path."""
ELIDED: Final = "\u2026"
AFTER: Final = "\n\n"
"""What stands between breadcrumb and text."""
SHARE: Final = 4
"""A breadcrumb that takes more than one part in so many of the target is shortened."""


class Breadcrumbs:
    """Breadcrumbs of one document and what they cost; each is counted once."""

    def __init__(self, counter: Counter, *, wanted: bool) -> None:
        """Take the counter, and whether there are to be breadcrumbs at all."""
        self._counter, self._wanted = counter, wanted
        self._known: dict[str, int] = {"": 0}

    def cost(self, crumb: str) -> int:
        """Return the tokens of a breadcrumb and the blank line behind it."""
        if crumb not in self._known:
            self._known[crumb] = self._counter.count(crumb + AFTER)
        return self._known[crumb]

    def versions(self, path: Sequence[str]) -> list[str]:
        """Return a path as text, longest first: whole, elided from the middle, left out.

        >>> from fencepost.tokens import counter_for
        >>> Breadcrumbs(counter_for("words"), wanted=True).versions(["A", "B", "C"])
        ['A > B > C', 'A > … > C', '… > C', '']
        """
        if not (path and self._wanted):
            return [""]
        rows = [list(path)]
        if len(path) > 2:  # noqa: PLR2004
            rows.append([path[0], ELIDED, path[-1]])
        if len(path) > 1:
            rows.append([ELIDED, path[-1]])
        return [*(SEPARATOR.join(row) for row in rows), ""]

    def room(self, path: Sequence[str], target: int) -> int:
        """Return what is left of a target for text under a path."""
        for crumb in self.versions(path):
            cost = self.cost(crumb)
            if cost * SHARE <= target:
                return target - cost
        return target
