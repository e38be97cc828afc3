"""Check what holds for every format: positions right, edges on full lines, budgets kept."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from .case import Case, Dropped
from .front import find_front
from .name_checks import check_names
from .records import Piece, Record

_REASONS: Final = re.compile(r"[a-z][a-z-]*")
_BOM: Final = "\N{ZERO WIDTH NO-BREAK SPACE}"
_FILLED: Final = re.compile(r"\S")


def check_texts(case: Case) -> None:
    """Run all checks on texts, pieces, positions and budgets."""
    for record in case.records:
        _check_pieces(case, record)
        _check_edges(case, record)
        _check_positions(case, record)
        _check_budget(case, record)
    _check_cover(case)
    _check_dropped(case)
    _check_restore(case)
    check_names(case)
    case.figures.chunks = len(case.records)
    if len(case.records) > 1:
        case.figures.tiny = sum(case.budget.count(record.text) < 30 for record in case.records)


def _check_pieces(case: Case, record: Record) -> None:
    at = 0
    for piece in record.pieces:
        if piece.text_start != at or piece.text_end < piece.text_start:
            case.fault(
                "pieces",
                record.index,
                record.first,
                f"piece at {piece.text_start} of the text, expected {at}",
            )
        at = piece.text_end
        shown = record.text[piece.text_start : piece.text_end]
        if piece.start >= 0:
            _check_slice(case, record, piece, shown)
        elif not piece.inserted or not _REASONS.fullmatch(piece.inserted):
            case.fault(
                "insertion",
                record.index,
                record.first,
                f"insertion without a reason: {shown[:40]!r}",
            )
        elif (
            piece.inserted == "fence"
            and shown.strip()
            and "```" not in shown
            and "~~~" not in shown
        ):
            case.fault(
                "insertion",
                record.index,
                record.first,
                f"an inserted fence that is none: {shown[:40]!r}",
            )
    if at != len(record.text):
        case.fault(
            "pieces",
            record.index,
            record.first,
            f"pieces end at {at}, the text at {len(record.text)}",
        )
    if not record.own:
        case.fault("pieces", record.index, record.first, "no source piece of its own")


def _check_slice(case: Case, record: Record, piece: Piece, shown: str) -> None:
    line = case.lines.at(min(piece.start, len(case.lines.text)))
    if not 0 <= piece.start < piece.end <= len(case.lines.text):
        case.fault(
            "slice",
            record.index,
            line,
            f"span {piece.start}:{piece.end} is empty or outside of the document",
        )
    elif case.lines.text[piece.start : piece.end] != shown:
        case.fault(
            "slice",
            record.index,
            line,
            f"text differs from source {piece.start}:{piece.end}: {shown[:40]!r}",
        )
    elif piece.repeated and record.own and piece.end > record.start:
        case.fault("order", record.index, line, "a repeated piece that no earlier chunk holds")


def _check_edges(case: Case, record: Record) -> None:
    """Check that a text begins and ends on lines that are not blank, without a line end."""
    lines = re.split(r"\r\n|\n|\r", record.text)
    for where, edge in (("begins", lines[0]), ("ends", lines[-1])):
        if not edge.strip(" \t"):
            case.fault("edge", record.index, record.first, f"text {where} on a blank line")
    rest = case.lines.text[record.end : case.lines.ends[record.last]] if record.own else ""
    if rest and not rest.strip() and record.pieces[-1].start >= 0:
        case.fault(
            "edge", record.index, record.last, "white space at the end of its last line is left out"
        )


def _check_positions(case: Case, record: Record) -> None:
    if not record.own:
        return
    for code, what, seen in (
        ("index", "index", (record.start, record.end)),
        ("lines", "line", (record.first + 1, record.last + 1)),
    ):
        said = (record.raw[f"start_{what}"], record.raw[f"end_{what}"])
        if said != seen:
            case.fault(
                code, record.index, record.first, f"start_{what}, end_{what} {said}, not {seen}"
            )
    for line in (record.first, record.last):
        if case.lines.is_blank(line):
            case.fault(
                "lines", record.index, line, "starts or ends on a blank line of the document"
            )


def _check_budget(case: Case, record: Record) -> None:
    budget = case.budget
    embedded = budget.count(record.embed_text)
    for name, value in (
        ("embed_token_count", embedded),
        ("token_count", budget.count(record.text)),
    ):
        if record.raw[name] != value:
            case.fault(
                "count", record.index, record.first, f"{name} {record.raw[name]}, counted {value}"
            )
    if embedded > budget.hard_max_tokens:
        case.figures.over_hard += 1
        case.fault(
            "hard", record.index, record.first, f"{embedded} tokens, limit {budget.hard_max_tokens}"
        )
    crumb = record.embed_text.removesuffix(record.text)
    if not record.embed_text.endswith(record.text) or (crumb and not crumb.endswith("\n\n")):
        case.fault(
            "embed",
            record.index,
            record.first,
            "embed_text is not a breadcrumb, a blank line and the text",
        )
    elif crumb:
        known = {" ".join(part.split()) for part in record.path}
        parts = {" ".join(part.split()) for part in crumb.strip().split(" > ")}
        whole = crumb.strip() in " > ".join(record.path)
        if not whole and not any(part in known for part in parts):
            case.fault(
                "embed",
                record.index,
                record.first,
                f"breadcrumb {crumb[:60]!r} is not from the path",
            )


def _check_cover(case: Case) -> None:
    """Check that own pieces come in order with only white space and dropped spans between."""
    spans = [
        (piece.start, piece.end, record.index) for record in case.records for piece in record.own
    ]
    edges = [(0, 0, -1), *spans, (len(case.lines.text), len(case.lines.text), -1)]
    dropped = iter([*case.dropped, Dropped(len(case.lines.text) + 1, len(case.lines.text) + 1, "")])
    pending = next(dropped)
    for (_, end, _), (start, _, index) in pairwise(edges):
        if start < end:
            case.fault(
                "order", index, case.lines.at(start), f"source piece at {start} begins before {end}"
            )
            continue
        at = end
        while pending.start < start:
            _check_gap(case, at, max(at, pending.start), index)
            at = max(at, pending.end)
            pending = next(dropped)
        if at > start:
            case.fault(
                "order", index, case.lines.at(start), f"dropped text up to {at} is in a chunk too"
            )
        else:
            _check_gap(case, at, start, index)


def _check_gap(case: Case, start: int, end: int, index: int) -> None:
    gap = case.lines.text[start:end]
    hit = _FILLED.search(gap)
    if not hit:
        return
    first = case.lines.at(start + hit.start())
    last = case.lines.at(max(start, end - 1))
    lost = sum(
        bool(
            case.lines.text[
                max(start, case.lines.starts[line]) : min(end, case.lines.ends[line])
            ].strip()
        )
        for line in range(first, last + 1)
    )
    case.figures.lines_lost += lost
    case.fault("lost", index, first, f"{lost} lines in no chunk: {gap.strip()[:60]!r}")


def _check_dropped(case: Case) -> None:
    """Check that nothing but a BOM and front matter is dropped from Markdown."""
    if getattr(case.document, "format", "markdown") not in {"markdown", "mdx"}:
        return
    front = find_front(case.lines)
    body = case.lines.starts[front.size] if front.size < len(case.lines) else len(case.lines.text)
    for span in case.dropped:
        text = case.lines.text[span.start : span.end]
        if text == _BOM or not text.strip() or (span.start <= 1 and span.end <= body):
            continue
        case.fault(
            "dropped", -1, case.lines.at(span.start), f"dropped ({span.reason}): {text[:60]!r}"
        )


def _check_restore(case: Case) -> None:
    try:
        same = case.document.restore() == case.lines.text
        message = "restore() differs from the text"
    except Exception as error:  # noqa: BLE001 - any exception is the fault looked for
        same, message = False, f"restore() raised {type(error).__name__}: {error}"
    if not same:
        case.figures.restore_failed += 1
        case.fault("restore", -1, 0, message)
