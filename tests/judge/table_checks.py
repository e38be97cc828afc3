"""Check that table rows have their header before them and are read as rows."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Final

from .case import Case, Structure
from .reading import Reading
from .records import Record

_DELIMITER: Final = re.compile(r"[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")


def _is_table(reading: Reading, head: int) -> bool:
    """Tell whether GFM agrees: pulldown-cmark takes "---- -----|" for a delimiter row."""
    return head + 1 < len(reading.masked) and bool(_DELIMITER.match(reading.masked[head + 1]))


def check_rows(case: Case, structure: Structure) -> list[int]:
    """Check that each row has its header before it in its chunk; return the lines of all rows."""
    lines: list[int] = []
    for table in structure.reading.parse.tables:
        if not _is_table(structure.reading, table.head):
            continue
        lines += table.rows
        head = _span_of(case, table.head, table.head_text)
        delimiter = _span_of(
            case, table.head + 1, structure.reading.masked[table.head + 1].strip(" \t>")
        )
        for row in table.rows:
            case.figures.rows += 1
            holder = structure.holders[row][0]
            if holder < 0 or _has_before(
                case.records[holder], (head, delimiter), case.lines.starts[row]
            ):
                continue
            parts = [case.lines.get(line) for line in (table.head, table.head + 1, row)]
            if case.budget.count("\n".join(parts)) > case.budget.hard_max_tokens:
                continue
            case.figures.rows_without_header += 1
            case.fault(
                "row", holder, row, f"a table row without its header: {parts[2].strip()[:60]!r}"
            )
    return lines


def _span_of(case: Case, line: int, shown: str) -> tuple[int, int]:
    at = case.lines.get(line).rfind(shown)
    start = case.lines.starts[line] + max(at, 0)
    return start, start + len(shown)


def _has_before(record: Record, spans: Sequence[tuple[int, int]], row: int) -> bool:
    """Tell whether a chunk shows some spans before the piece in which a row stands."""
    wanted = list(spans)
    for piece in record.pieces:
        if piece.start < 0:
            continue
        while wanted and piece.start <= wanted[0][0] and wanted[0][1] <= piece.end:
            wanted.pop(0)
        if not piece.repeated and piece.end > row:
            break
    return not wanted


def check_table_read(case: Case, record: Record, alone: Reading, row_lines: Sequence[int]) -> None:
    """Check that a parser sees as many rows in a chunk alone as the document has in its lines."""
    if (record.start, record.end) != (case.lines.start(record.first), case.lines.ends[record.last]):
        return
    wanted = bisect_right(row_lines, record.last) - bisect_left(row_lines, record.first)
    found = sum(len(table.rows) for table in alone.parse.tables if _is_table(alone, table.head))
    if wanted != found:
        case.fault(
            "table",
            record.index,
            record.first,
            f"{found} table rows read, the document has {wanted} there",
        )
