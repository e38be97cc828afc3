"""Judge a chunked document with an independent parser (pyromark) and a re-statement of the rules.

The judge shares no code with the library: what it knows of Markdown comes from pyromark, what it
knows of the small extensions stands in ``masks``, ``tags`` and ``fence_rule``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .case import Budget, open_case, structure
from .code_checks import check_code
from .path_checks import check_paths
from .records import Count, Fault, Figures
from .shape_checks import check_shapes
from .tags import hides_fences
from .text_checks import check_texts

__all__ = ["Count", "Fault", "Figures", "Verdict", "examine", "judge"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Hold the faults of a document and its figures."""

    faults: list[Fault]
    figures: Figures


def examine(
    doc: Any, *, max_tokens: int, hard_max_tokens: int, min_tokens: int, count: Count
) -> Verdict:
    """Check every promise on a document and count what the tables of a sweep show.

    A fence right under a line of tags is html for CommonMark and code by the fence rule. Where such
    a document has faults by the first reading it is judged by the second too, and the reading with
    fewer faults stands.
    """
    budget = Budget(max_tokens, hard_max_tokens, min_tokens, count)
    verdict, other = _examine(doc, budget, tags_apart=False)
    if other and verdict.faults:
        second, _ = _examine(doc, budget, tags_apart=True)
        verdict = min(verdict, second, key=lambda one: len(one.faults))
    return verdict


def _examine(doc: Any, budget: Budget, *, tags_apart: bool) -> tuple[Verdict, bool]:
    """Return a verdict, and whether the other reading of tag lines would differ."""
    case = open_case(doc, budget)
    check_texts(case)
    other = False
    if getattr(doc, "format", "markdown") == "markdown":
        found = structure(case, tags_apart=tags_apart)
        check_code(case, found)
        check_paths(case, found)
        check_shapes(case, found)
        other = hides_fences(found.reading.masked)
    case.faults.sort(key=lambda fault: (fault.line, fault.chunk, fault.code))
    return Verdict(case.faults, case.figures), other


def judge(
    doc: Any, *, max_tokens: int, hard_max_tokens: int, min_tokens: int, count: Count
) -> list[Fault]:
    """Return the faults of an object with the interface of ``ChunkedDocument``."""
    return examine(
        doc,
        max_tokens=max_tokens,
        hard_max_tokens=hard_max_tokens,
        min_tokens=min_tokens,
        count=count,
    ).faults
