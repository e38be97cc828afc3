"""Counting: a `Counter` for any text, a `Measure` for the slices of one document."""

from __future__ import annotations

from fencepost.tokens.counter import Counter, counter_for
from fencepost.tokens.measure import Measure

__all__ = ["Counter", "Measure", "counter_for"]
