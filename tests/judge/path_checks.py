"""Check heading paths against the judge's own heading stack."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from math import ceil
from typing import Final

from .case import Case, Structure
from .outline import Path, Section
from .records import Record
from .section_checks import check_join, check_orphan, check_sections, present, spaced

# With more sections that may count or not, only all and none of them are tried.
_LOOSE: Final = 8


def check_paths(case: Case, structure: Structure) -> None:
    """Run all checks on headings."""
    for record in case.records:
        if not record.own:
            continue
        _check_path(case, structure, record)
        check_sections(case, structure, record)
        check_join(case, structure, record)
        check_orphan(case, structure, record)
    _count_long(case, structure)


def common(paths: Sequence[Path]) -> Path:
    """Return the longest path that all paths begin with."""
    shared = paths[0]
    for path in paths[1:]:
        size = 0
        while size < min(len(shared), len(path)) and shared[size] == path[size]:
            size += 1
        shared = shared[:size]
    return shared


def _own_tokens(case: Case, structure: Structure, section: Section, *, heading: bool) -> int:
    """Return the tokens of a section, or without its heading of the lines that are content."""
    first = section.first if heading else section.body
    if section.level == 0 and not structure.front_kept:
        first = structure.front.size
    if heading and first <= section.last:
        return case.budget.count(case.lines.slice(first, section.last).strip())
    sums = structure.outline.content
    held = [line for line in range(first, section.last + 1) if sums[line + 1] > sums[line]]
    return case.budget.count("\n".join(map(case.lines.get, held)))


def _split_parents(
    case: Case, structure: Structure, record: Record, held: list[Section], maybe: list[Section]
) -> tuple[list[Section], list[Section]]:
    """Return the sections that count for a path, and the parents near min_tokens that may count."""
    outline = structure.outline
    parents, perhaps = _ancestors(structure, held), _ancestors(structure, maybe)
    sure, open_to_view = [], []
    for section in held:
        index = bisect_right(outline.firsts, section.first) - 1 if section.level else 0
        if not case.budget.min_tokens or (index not in parents and index not in perhaps):
            sure.append(section)
        elif index not in parents:
            # "intro", "## A", "<br>": a parent, if the tag is content of A
            open_to_view.append(section)
        elif _own_tokens(case, structure, section, heading=True) < case.budget.min_tokens:
            continue
        elif (
            section.first >= record.first
            and _own_tokens(case, structure, section, heading=False) >= case.budget.min_tokens
        ):
            sure.append(section)
        else:
            open_to_view.append(section)
    return sure, open_to_view


def _ancestors(structure: Structure, held: list[Section]) -> set[int]:
    found: set[int] = set()
    for section in held:
        parent = section.parent
        while parent >= 0 and parent not in found:
            found.add(parent)
            parent = structure.outline.sections[parent].parent
    return found


def acceptable(case: Case, structure: Structure, record: Record) -> set[Path]:
    """Return the heading paths that a chunk may have; one, where nothing is open to view."""
    here, held, maybe = present(structure, record)
    # headings and tags alone: any of the paths will do
    alone = [section.path for section in here] if not held else []
    found = {*alone, common(alone)} if alone else set()
    after = bisect_right(structure.outline.firsts, record.last)
    # "<Update>" alone in a chunk, over "## Fixes" in the next one, belongs to that heading
    if alone and record.last in structure.reading.marks.components.openers:
        found.update(section.path for section in structure.outline.sections[after : after + 1])
    sure, parents = _split_parents(case, structure, record, held, maybe)
    loose = [*parents, *maybe]
    choices: list[list[Section]] = [[], loose]
    if len(loose) <= _LOOSE:
        choices += [[one] for one in loose]
        choices += [[two for two in loose if two is not one] for one in loose]
    paths = [[section.path for section in [*sure, *choice]] for choice in choices]
    return found | {common(some) for some in paths if some}


def _check_path(case: Case, structure: Structure, record: Record) -> None:
    wanted = {spaced(path) for path in acceptable(case, structure, record)}
    if spaced(record.path) not in wanted:
        case.figures.paths_wrong += 1
        shown = " or ".join(" > ".join(path) or "(none)" for path in sorted(wanted))
        case.fault(
            "path",
            record.index,
            record.first,
            f"path {' > '.join(record.path) or '(none)'!r}, not {shown!r}",
        )
    elif record.raw["breadcrumb"] != " > ".join(record.path):
        case.fault(
            "path",
            record.index,
            record.first,
            f"breadcrumb {record.raw['breadcrumb']!r} is not the path joined",
        )


def _count_long(case: Case, structure: Structure) -> None:
    """Sum up how many chunks the sections past the target take, and the least they could take."""
    target = case.budget.max_tokens
    for section in structure.outline.sections:
        if section.first > section.last:
            continue
        text = case.lines.slice(section.first, section.last)
        # a token is a byte or more, so shorter texts cannot pass the target
        tokens = case.budget.count(text) if len(text) * 4 > target else 0
        if tokens <= target:
            continue
        holders = [
            pair for pair in structure.holders[section.first : section.last + 1] if pair[0] >= 0
        ]
        if holders:
            case.figures.long_chunks += holders[-1][1] - holders[0][0] + 1
            case.figures.long_ideal += ceil(tokens / target)
