"""Check ids, neighbours and parts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

from .case import Case
from .records import Record


def check_names(case: Case) -> None:
    """Check ids, neighbours and parts."""
    ids = [record.raw["id"] for record in case.records]
    seen: set[object] = set()
    for record, before, after in zip(case.records, [None, *ids], [*ids[1:], None], strict=False):
        own = record.raw["id"]
        if own in seen or not re.fullmatch(r"[0-9a-f]{32}", str(own)):
            case.fault(
                "id",
                record.index,
                record.first,
                f"id {own!r} is not unique or not 32 hex characters",
            )
        seen.add(own)
        said = (record.raw["prev_id"], record.raw["next_id"])
        if said != (before, after):
            case.fault(
                "chain", record.index, record.first, f"neighbours {said}, not {(before, after)}"
            )
        part, parts = record.raw["part"], record.raw["parts"]
        if not 1 <= part <= parts:
            case.fault("part", record.index, record.first, f"part {part} of {parts}")
    for one, two in pairwise(case.records):
        if one.raw["section_id"] is None or one.raw["section_id"] != two.raw["section_id"]:
            continue
        said = (one.raw["part"] + 1, one.raw["parts"])
        if (two.raw["part"], two.raw["parts"]) != said:
            case.fault(
                "part",
                two.index,
                two.first,
                f"part {two.raw['part']} of {two.raw['parts']} after {said}",
            )
    _check_scattered(
        case, (record for record in case.records if record.raw["section_id"] is not None)
    )


def _check_scattered(case: Case, records: Iterable[Record]) -> None:
    """Check that chunks with one section_id follow each other."""
    closed: set[object] = set()
    current: object = None
    for record in records:
        section = record.raw["section_id"]
        if section != current:
            if section in closed:
                case.fault(
                    "part", record.index, record.first, "its section_id was seen before another one"
                )
            closed.add(current)
            current = section
