"""Hold what all checks share: the document read once, its chunks, the budget, the faults so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from .components import Dialect
from .front import Front, find_front
from .lines import Lines, split_lines
from .outline import Outline, outline
from .reading import Reading, read
from .records import Count, Fault, Figures, Piece, Record, as_mapping, as_records


@dataclass(frozen=True, slots=True)
class Budget:
    """Hold the options that decide what a chunk may be."""

    max_tokens: int
    hard_max_tokens: int
    min_tokens: int
    count: Count


@dataclass(frozen=True, slots=True)
class Dropped:
    """Hold a dropped span."""

    start: int
    end: int
    reason: str


@dataclass(slots=True)
class Case:
    """Hold one document under judgement."""

    lines: Lines
    records: list[Record]
    dropped: list[Dropped]
    budget: Budget
    document: Any
    faults: list[Fault] = field(default_factory=list)
    figures: Figures = field(default_factory=Figures)

    def fault(self, code: str, chunk: int, line: int, message: str) -> None:
        """Note a fault; the line counts from 0 here and from 1 in the fault."""
        self.faults.append(Fault(code, chunk, line + 1, message))


@dataclass(slots=True)
class Structure:
    """Hold a Markdown document as the judge reads it, and where its lines went."""

    reading: Reading
    outline: Outline
    front: Front
    front_kept: bool
    """Whether front matter stands in a chunk (malformed) and is not dropped."""
    tags_apart: bool
    """Whether tag lines over fences are read as blocks of their own, in chunks too."""
    dialect: Dialect
    """What counts as a line of tags, in chunks too."""
    holders: list[tuple[int, int]]
    """First and last chunk that hold each line; (-1, -1) where none does."""


def open_case(document: Any, budget: Budget) -> Case:
    """Read a document's chunks and dropped spans."""
    lines = split_lines(document.text)
    dropped = [_dropped(item) for item in document.dropped]
    dropped.sort(key=lambda span: span.start)
    return Case(lines, as_records(document, lines), dropped, budget, document)


def _dropped(value: Any) -> Dropped:
    data = as_mapping(value)
    return Dropped(int(data["start"]), int(data["end"]), str(data["reason"]))


def structure(case: Case, *, tags_apart: bool = False, dialect: Dialect = "") -> Structure:
    """Read the document's Markdown with the judge's own eyes."""
    front = find_front(case.lines)
    if not front.sure:
        metadata = getattr(case.document, "metadata", None) or {}
        title = metadata.get("title")
        front = replace(
            front, title=None if title is None or isinstance(title, dict | list) else str(title)
        )
    reading = read(case.lines.text, blank_first=front.size, tags_apart=tags_apart, dialect=dialect)
    body = case.lines.starts[front.size] if front.size < len(case.lines) else len(case.lines.text)
    kept = front.size > 0 and any(record.start < body for record in case.records if record.own)
    title = None if kept else front.title
    found = outline(reading, title, front.size)
    return Structure(reading, found, front, kept, tags_apart, dialect, _holders(case))


def _holders(case: Case) -> list[tuple[int, int]]:
    holders = [(-1, -1)] * len(case.lines)
    for record in case.records:
        for piece in record.own:
            if not 0 <= piece.start < piece.end <= len(case.lines.text):
                continue
            for line in range(case.lines.at(piece.start), case.lines.at(piece.end - 1) + 1):
                first, _ = holders[line]
                holders[line] = (first if first >= 0 else record.index, record.index)
    return holders


def runs(pieces: Sequence[Piece]) -> list[Piece]:
    """Join source pieces that follow each other without a seam in the text and in the source."""
    joined: list[Piece] = []
    for piece in pieces:
        before = joined[-1] if joined else None
        if before and before.end == piece.start and before.text_end == piece.text_start:
            joined[-1] = replace(before, end=piece.end, text_end=piece.text_end)
        else:
            joined.append(piece)
    return joined
