"""Check the sections a chunk lists, which it may join, and that headings stay with their text."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable

from .case import Case, Structure
from .outline import Path, Section
from .records import Record, as_mapping


def spaced(path: Iterable[str]) -> Path:
    """Return a path with the white space of its titles collapsed."""
    return tuple(" ".join(part.split()) for part in path)


def present(
    structure: Structure, record: Record
) -> tuple[list[Section], list[Section], list[Section]]:
    """Return the sections in a chunk's lines: all, those with content, those that may have some."""
    outline = structure.outline
    here = [outline.sections[index] for index in outline.between(record.first, record.last)]
    held, maybe = [], []
    for section in here:
        if outline.has_content(section, record.first, record.last):
            held.append(section)
        elif outline.has_maybe(section, record.first, record.last):
            maybe.append(section)
    return here, held, maybe


def check_sections(case: Case, structure: Structure, record: Record) -> None:
    """Check that each listed section starts where it says and that none with content is missing."""
    _, held, _ = present(structure, record)
    entries = [as_mapping(entry) for entry in record.raw["sections"]]
    named: set[int] = set()
    for entry in entries:
        path, first, last = (
            spaced(entry["heading_path"]),
            entry["start_line"] - 1,
            entry["end_line"] - 1,
        )
        near = bisect_right(structure.outline.firsts, first) - 1
        # "<div>" over "# A" may be where A starts, so the section after the line is looked at too
        fits = [
            section
            for section in structure.outline.sections[max(0, near) : near + 3]
            if spaced(section.path) == path and _starts(structure, section, first, record)
        ]
        if not fits:
            case.fault(
                "sections", record.index, first, f"no section {' > '.join(path)!r} starts here"
            )
        elif not first <= last < len(case.lines):
            case.fault("sections", record.index, first, f"section lines {first + 1} to {last + 1}")
        named.update(section.first for section in fits)
    for section in held:
        if section.first not in named:
            shown = " > ".join(section.path)
            case.fault(
                "sections",
                record.index,
                section.first,
                f"section {shown!r} is in the chunk and not listed",
            )


def _starts(structure: Structure, section: Section, first: int, record: Record) -> bool:
    """Tell whether a section starts at a line: at its heading, or where the chunk comes to it."""
    if section.level and first == section.first:
        return True
    lines = structure.reading.lines
    start = max(section.first, record.first)
    while start < section.last and lines.is_blank(start):
        start += 1
    if first == start:
        return True
    # the first section starts on its first line that is not blank;
    # a tag line that wraps a heading belongs to its section
    low, high = (0, record.first) if not section.level else (first, section.first)
    outline = structure.outline
    return low <= first <= high and not any(
        outline.content[line + 1] - outline.content[line] for line in range(first, high)
    )


def check_join(case: Case, structure: Structure, record: Record) -> None:
    """Check that a chunk holds at most one section of min_tokens or more.

    A tag block that fits stays whole with its headings, so chunks with tags are left aside.
    """
    _, held, _ = present(structure, record)
    if len(held) < 2 or structure.outline.has_wraps(record.first, record.last):
        return
    large = []
    for section in held:
        first, last = max(section.body, record.first), min(section.last, record.last)
        if case.budget.count(case.lines.slice(first, last).strip()) >= case.budget.min_tokens:
            large.append(section)
    if len(large) > 1:
        names = " and ".join(repr(" > ".join(section.path)) for section in large)
        case.fault(
            "joined",
            record.index,
            large[1].first,
            f"sections of {case.budget.min_tokens} tokens joined: {names}",
        )


def check_orphan(case: Case, structure: Structure, record: Record) -> None:
    """Check that no chunk but the last ends with a heading, where it would fit with its text."""
    if record.index + 1 >= len(case.records):
        return
    heads = structure.outline.heads
    number = bisect_right(structure.outline.firsts, record.last) - 2
    if number < 0 or not _is_bare(structure, number + 1, record):
        return
    first = heads[number].first
    limit = case.budget.hard_max_tokens
    if (
        record.last < heads[number].last
        and case.budget.count(case.lines.slice(first, heads[number].last)) > limit
    ):
        return
    while (
        number
        and heads[number - 1].last + 1 >= first - 2
        and heads[number - 1].first >= record.first
    ):
        number -= 1
        first = heads[number].first
    tops = structure.reading.parse.tops
    following = bisect_right(tops, record.last, key=lambda top: top.first)
    while following < len(tops) and tops[following].kind == "Heading":
        following += 1
    block = tops[following] if following < len(tops) else None
    if block:
        last = _item_end(case, block.first, block.last) if block.kind == "List" else block.last
        alone = case.budget.count(case.lines.slice(block.first, last))
        both = case.budget.count(case.lines.slice(first, last))
        if alone <= limit < both:
            return
    case.fault(
        "orphan",
        record.index,
        record.last,
        "the chunk ends with a heading, its text is in the next one",
    )


_ITEM = re.compile(r"([ \t>]*)(?:[-+*]|\d{1,9}[.)])(?:[ \t]|$)")


def _item_end(case: Case, first: int, last: int) -> int:
    """Return the last line of a list's first item: one that fits is never cut either."""
    opened = _ITEM.match(case.lines.get(first))
    for line in range(first + 1, last + 1):
        found = _ITEM.match(case.lines.get(line))
        if opened and found and len(found[1]) <= len(opened[1]):
            return line - 1
    return last


def _is_bare(structure: Structure, index: int, record: Record) -> bool:
    """Tell whether a chunk ends with a heading, or with tags under it while its text comes next."""
    section = structure.outline.sections[index]
    if section.first < record.first:
        return False
    if record.last < section.body:
        return True
    shows = structure.outline.shows
    return not shows(section.body, record.last) and shows(record.last + 1, section.last)
