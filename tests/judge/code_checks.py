"""Check code blocks, tables and lead-ins against what pyromark sees in the document."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Final

from .case import Case, Structure, runs
from .lines import column
from .parse import Code
from .reading import Reading, read
from .records import Piece, Record
from .table_checks import check_rows, check_table_read

# What reopening a container may add to each part, per level: "> ", "10. ".
_LEVEL_COST: Final = 8

Block = tuple[str, ...]


def check_code(case: Case, structure: Structure) -> None:
    """Run all checks on code, tables and lead-ins."""
    for code in structure.reading.codes:
        _check_whole(case, structure, code)
        _check_lead(case, structure, code)
    stops = [max(code.last, code.first) for code in structure.reading.codes]
    row_lines = check_rows(case, structure)
    for record in case.records:
        alone = read_chunk(structure, record)
        _check_balance(case, structure, record, alone, stops)
        check_table_read(case, record, alone, row_lines)


def read_chunk(structure: Structure, record: Record, *, keep_open: bool = False) -> Reading:
    """Read a chunk's text alone; front matter that stands in it is not Markdown there either."""
    blank = 0
    if structure.front_kept and record.first < structure.front.size:
        blank = min(record.last, structure.front.size - 1) - record.first + 1
    return read(
        record.text,
        blank_first=blank,
        whole=False,
        keep_open=keep_open,
        tags_apart=structure.tags_apart,
        dialect=structure.dialect,
    )


def container_cost(case: Case, structure: Structure, code: Code) -> int:
    """Return what a part of a block may need besides its own lines to be read in its containers."""
    if not code.depth:
        return 0
    cost = code.depth * _LEVEL_COST
    if code.first in structure.reading.marks.body:
        heads = structure.reading.marks.headers
        at = code.first
        cost += sum(
            case.budget.count(case.lines.get(line)) + 1
            for line in range(max(0, at - 200), at)
            if heads.get(line, -1) >= at
        )
    return cost


def _check_whole(case: Case, structure: Structure, code: Code) -> None:
    case.figures.codes += 1
    start, end = case.lines.start(code.first), case.lines.ends[code.last]
    holder = structure.holders[code.first][0]
    if holder >= 0:
        for run in runs(case.records[holder].own):
            if run.start <= start and end <= run.end:
                return
            lead = case.lines.text[start : run.start]
            if start < run.start and end <= run.end and not lead.strip(" \t"):
                _check_indent(case, case.records[holder], run, code.first, lead)
                return
    tokens = case.budget.count(case.lines.text[start:end])
    if tokens + container_cost(case, structure, code) <= case.budget.hard_max_tokens:
        case.figures.codes_cut += 1
        case.fault(
            "cut", holder, code.first, f"a code block of {tokens} tokens is not whole in one chunk"
        )


def _check_indent(case: Case, record: Record, run: Piece, line: int, lead: str) -> None:
    """Check that what replaces a first line's indentation is as wide: "- " for two blanks."""
    shown = record.text[: run.text_start].rsplit("\n", 1)[-1]
    if column(shown) != column(lead):
        message = "the indentation of a code block's first line is stripped"
        case.fault("indent", record.index, line, message)


def _check_lead(case: Case, structure: Structure, code: Code) -> None:
    lead = code.lead
    marks = structure.reading.marks
    if (
        not lead
        or lead.last in marks.headers
        or any(line in marks.colons for line in range(lead.last, code.first))
    ):
        return
    case.figures.leads += 1
    held, holds = structure.holders[lead.last][1], structure.holders[code.first][0]
    if held == holds:
        return
    tokens = case.budget.count(case.lines.slice(lead.first, code.last))
    if tokens + container_cost(case, structure, code) <= case.budget.hard_max_tokens:
        case.figures.leads_parted += 1
        case.figures.parted.append(code.first + 1)


def content_of(code: Code, case: Case, start: int, end: int) -> list[str]:
    """Return the content lines of a block in a span of the source, cut where the span cuts them."""
    first = max(0, case.lines.at(start) - code.body)
    last = min(len(code.content) - 1, case.lines.at(max(start, end - 1)) - code.body)
    found = []
    for index in range(first, last + 1):
        line, text = code.body + index, code.content[index]
        after = case.lines.ends[line] - end
        if after > 0:
            text = text[:-after] if after < len(text) else ""
        ahead = start - case.lines.starts[line]
        if ahead > 0:
            kept = max(0, min(end, case.lines.ends[line]) - start)
            text = text[-kept:] if kept else ""
        found.append(text)
    return found


def trim(content: Sequence[str]) -> Block:
    """Take blank lines off both ends."""
    filled = [index for index, line in enumerate(content) if line.strip()]
    return tuple(content[filled[0] : filled[-1] + 1]) if filled else ()


def expected(
    case: Case, codes: Sequence[Code], stops: Sequence[int], pieces: Sequence[Piece]
) -> list[Block]:
    """Return the code a chunk must hold, block by block, from its source pieces."""
    held: list[tuple[int, list[str]]] = []
    for piece in pieces:
        low, high = case.lines.at(piece.start), case.lines.at(max(piece.start, piece.end - 1))
        for index in range(bisect_left(stops, low), len(codes)):
            if codes[index].first > high:
                break
            content = content_of(codes[index], case, piece.start, piece.end)
            if held and held[-1][0] == index:
                held[-1][1].extend(content)
            else:
                held.append((index, content))
    return [
        trim(content) for index, content in held if trim(content) or not trim(codes[index].content)
    ]


def _check_balance(
    case: Case, structure: Structure, record: Record, alone: Reading, stops: Sequence[int]
) -> None:
    codes = structure.reading.codes
    pieces = runs([piece for piece in record.pieces if piece.start >= 0])
    wanted = expected(case, codes, stops, pieces)
    found = [trim(code.content) for code in alone.codes]
    if wanted == found:
        return
    final = bisect_right(stops, record.last) - 1
    if final >= 0 and _ends_open(codes[final], record):
        alone = read_chunk(structure, record, keep_open=True)
        if wanted == [trim(code.content) for code in alone.codes]:
            return
    case.figures.unbalanced += 1
    case.fault("fence", record.index, record.first, _difference(wanted, found))


def _ends_open(code: Code, record: Record) -> bool:
    """Tell whether a block that no line closes stands in a chunk.

    The end of an item closes its fence: the chunk of an item may end on an open one.
    """
    return code.info is not None and not code.closed and code.last >= record.first


def _difference(wanted: list[Block], found: list[Block]) -> str:
    for index in range(max(len(wanted), len(found))):
        here = wanted[index] if index < len(wanted) else None
        there = found[index] if index < len(found) else None
        if here != there:
            return f"code block {index + 1}: document {_brief(here)}, chunk alone {_brief(there)}"
    return ""


def _brief(block: Block | None) -> str:
    if block is None:
        return "has none"
    return (
        f"has {len(block)} lines {block[0][:30]!r}..{block[-1][-30:]!r}"
        if block
        else "has an empty one"
    )
