"""Faults, figures, and the plain shape in which the judge reads anyone's chunks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from .lines import Lines

Count = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Fault:
    """Name one broken promise: what, in which chunk (-1 for the document), at which line from 1."""

    code: str
    chunk: int
    line: int
    message: str


@dataclass(slots=True)
class Figures:
    """Count what a table of documents wants to know."""

    chunks: int = 0
    lines_lost: int = 0
    codes: int = 0
    codes_cut: int = 0
    unbalanced: int = 0
    over_hard: int = 0
    rows: int = 0
    rows_without_header: int = 0
    paths_wrong: int = 0
    restore_failed: int = 0
    tiny: int = 0
    leads: int = 0
    leads_parted: int = 0
    long_chunks: int = 0
    """Chunks of the sections that need several."""
    long_ideal: int = 0
    """Sum of ceil(section tokens / target) over these sections."""
    parted: list[int] = field(default_factory=list)
    """Lines, from 1, of the code blocks parted from their lead-in."""

    def add(self, other: Figures) -> None:
        """Add another document's figures."""
        for item in fields(self):
            setattr(self, item.name, getattr(self, item.name) + getattr(other, item.name))


@dataclass(frozen=True, slots=True)
class Piece:
    """Hold one piece of a chunk; start is -1 for an insertion."""

    text_start: int
    text_end: int
    start: int
    end: int
    inserted: str | None
    repeated: bool


@dataclass(frozen=True, slots=True)
class Record:
    """Hold one chunk as the judge reads it."""

    index: int
    raw: Mapping[str, Any]
    text: str
    embed_text: str
    path: tuple[str, ...]
    pieces: tuple[Piece, ...]
    first: int
    """First and last line of the chunk's own source, from 0, found from its pieces."""
    last: int
    start: int
    end: int

    @property
    def own(self) -> tuple[Piece, ...]:
        """Return the source pieces that are not repeated."""
        return tuple(piece for piece in self.pieces if piece.start >= 0 and not piece.repeated)


def as_mapping(value: Any) -> Mapping[str, Any]:
    """Return an object's fields as a mapping: itself, its ``to_dict()``, or its attributes."""
    if isinstance(value, Mapping):
        return value
    if hasattr(value, "to_dict"):
        made = value.to_dict()
        return made if isinstance(made, Mapping) else dict(made)
    return _Attributes(value)


class _Attributes(Mapping[str, Any]):
    __slots__ = ("_value",)

    def __init__(self, value: Any) -> None:
        self._value = value

    def __getitem__(self, key: str) -> Any:
        try:
            return getattr(self._value, key)
        except AttributeError:
            raise KeyError(key) from None

    def __iter__(self) -> Any:
        return iter(dir(self._value))

    def __len__(self) -> int:
        return len(dir(self._value))


def _piece(value: Any) -> Piece:
    data = as_mapping(value)
    inserted = data.get("inserted")
    start = data.get("start")
    end = data.get("end")
    is_source = not inserted and start is not None and end is not None
    return Piece(
        int(data["text_start"]),
        int(data["text_end"]),
        int(start) if is_source and start is not None else -1,
        int(end) if is_source and end is not None else -1,
        str(inserted) if inserted else None,
        bool(data.get("repeated", False)),
    )


def as_records(chunks: Iterable[Any], lines: Lines) -> list[Record]:
    """Read chunks into records; lines come from the pieces, not from what a chunk says."""
    records = []
    for index, chunk in enumerate(chunks):
        raw = as_mapping(chunk)
        pieces = tuple(_piece(item) for item in raw["pieces"])
        own = [piece for piece in pieces if piece.start >= 0 and not piece.repeated]
        size = len(lines.text)
        start = min(own[0].start, size) if own else 0
        end = min(own[-1].end, size) if own else 0
        records.append(
            Record(
                index=index,
                raw=raw,
                text=str(raw["text"]),
                embed_text=str(raw["embed_text"]),
                path=tuple(raw["heading_path"]),
                pieces=pieces,
                first=lines.at(start),
                last=lines.at(max(start, end - 1)),
                start=start,
                end=end,
            )
        )
    return records
