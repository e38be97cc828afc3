"""Judge a chunked document with an independent parser (pyromark) and a re-statement of the rules.

The judge shares no code with the library: what it knows of Markdown comes from pyromark, what it
knows of the small extensions stands in ``masks``, ``tags`` and ``fence_rule``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .case import Budget, open_case, structure
from .code_checks import check_code
from .components import Dialect, holds_components
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

    A fence right under a line of tags is html for CommonMark and code by the fence rule, and a
    component's text may be either's. Where such a document has faults by CommonMark's reading it is
    judged by the others too, and the one with the fewest faults stands. MDX has one reading.
    """
    budget = Budget(max_tokens, hard_max_tokens, min_tokens, count)
    if getattr(doc, "format", "markdown") == "mdx":
        return _examine(doc, budget, dialect="mdx")
    verdict = _examine(doc, budget)
    if getattr(doc, "format", "markdown") != "markdown" or not verdict.faults:
        return verdict
    lines = doc.text.splitlines()
    others = []
    if hides_fences(lines):
        others.append(_examine(doc, budget, tags_apart=True))
    if holds_components(lines):
        others.append(_examine(doc, budget, dialect="md"))
    return min([verdict, *others], key=lambda one: len(one.faults))


def _examine(
    doc: Any, budget: Budget, *, tags_apart: bool = False, dialect: Dialect = ""
) -> Verdict:
    """Return a verdict by one reading of lines of tags."""
    case = open_case(doc, budget)
    check_texts(case)
    if getattr(doc, "format", "markdown") in {"markdown", "mdx"}:
        found = structure(case, tags_apart=tags_apart, dialect=dialect)
        check_code(case, found)
        check_paths(case, found)
        check_shapes(case, found)
    case.faults.sort(key=lambda fault: (fault.line, fault.chunk, fault.code))
    return Verdict(case.faults, case.figures)


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
