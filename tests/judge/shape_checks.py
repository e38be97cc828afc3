"""Check what a chunk says it holds, and that only a lone block takes a chunk past the target."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Final

from .case import Case, Structure
from .outline import nesting
from .parse import Code, Span
from .reading import Reading
from .records import Record
from .tags import tag_balance, tag_net

_KINDS: Final = {
    "CodeBlock": frozenset({"code"}),
    "Table": frozenset({"table"}),
    "List": frozenset({"list"}),
    "BlockQuote": frozenset({"quote", "admonition"}),
    "Paragraph": frozenset({"section", "paragraph"}),
}


def check_shapes(case: Case, structure: Structure) -> None:
    """Run the checks on kind, code flags and the target."""
    groups = _groups(structure.reading)
    inside = nesting(structure.reading.marks.containers, len(case.lines))
    codes = structure.reading.codes
    stops = [code.last for code in codes]
    firsts = [top.first for top in structure.reading.parse.tops]
    lasts = [top.last for top in structure.reading.parse.tops]
    for record in case.records:
        if not record.own:
            continue
        here = _codes_in(codes, stops, record)
        _check_flags(case, record, here)
        window = range(bisect_left(lasts, record.first), bisect_right(firsts, record.last))
        if not inside[record.first] and not inside[record.last] and _is_whole(case, record):
            _check_kind(
                case, structure, record, [structure.reading.parse.tops[index] for index in window]
            )
        _check_tags(case, structure, record, window)
        if record.raw["embed_token_count"] > case.budget.max_tokens:
            _check_target(case, structure, record, window, groups)


def _codes_in(codes: Sequence[Code], stops: Sequence[int], record: Record) -> list[Code]:
    held = []
    for index in range(bisect_left(stops, record.first), len(codes)):
        if codes[index].first > record.last:
            break
        held.append(codes[index])
    return held


def _check_flags(case: Case, record: Record, codes: Sequence[Code]) -> None:
    if any(piece.repeated for piece in record.pieces):
        return
    if bool(record.raw["has_code"]) != bool(codes):
        case.fault(
            "has_code",
            record.index,
            record.first,
            f"has_code is {record.raw['has_code']}, seen {len(codes)}",
        )
    wanted: list[frozenset[str]] = []
    for code in codes:
        forms = languages(code.info or "")
        if forms and forms not in wanted:
            wanted.append(forms)
    said = list(record.raw["code_languages"])
    fits = len(said) == len(set(said)) and all(
        any(name in forms for forms in wanted) for name in said
    )
    covered = all(any(name in forms for name in said) for forms in wanted)
    if not (fits and covered):
        shown = [min(forms, key=len) for forms in wanted]
        case.fault("language", record.index, record.first, f"code_languages {said}, seen {shown}")


def languages(info: str) -> frozenset[str]:
    """Return the names an info string may give: "rust,ignore" gives "rust" or all of it."""
    words = info.split()
    if not words:
        return frozenset()
    word = words[0]
    if word.startswith("["):
        # "```[vite.config.ts]" names a file
        return frozenset()
    short = re.match(r"[^\s{},:;=\[(]+", word)
    braced = re.match(r"\{\s*[.=]?([\w+#-]+)", info.strip())
    names = {word, word.strip("{}")}
    names.update(match.group(match.lastindex or 0) for match in (short, braced) if match)
    return frozenset(names | {name.lower() for name in names})


def _is_whole(case: Case, record: Record) -> bool:
    """Tell whether a chunk is one span of whole lines; the kind of a part is left open."""
    whole = (record.start, record.end) == (
        case.lines.start(record.first),
        case.lines.ends[record.last],
    )
    return whole and all(piece.start >= 0 and not piece.repeated for piece in record.pieces)


def _check_kind(case: Case, structure: Structure, record: Record, tops: Sequence[Span]) -> None:
    """Check the clear cases: blocks of one kind, with or without one paragraph that leads in."""
    marks = structure.reading.marks
    if any(
        line in marks.headers or line in marks.colons
        for line in range(record.first, record.last + 1)
    ):
        return
    if (
        "$$" in record.text
        or marks.slashes
        or record.first < structure.front.size
        or _unseen(structure, record, tops)
    ):
        return
    found = marks.components
    if record.first in found.inside or not found.nets.keys().isdisjoint(
        range(record.first, record.last + 1)
    ):
        # what a component and a part of one are called is left open
        return
    blocks = [top for top in tops if top.kind != "Heading"]
    if not blocks or (blocks[0].kind == "Paragraph" and "{/*" in record.text):
        # "{/* note */}" is a comment for those who know MDX
        return
    kinds = {block.kind for block in blocks}
    led = (
        len(blocks) > 1
        and blocks[0].kind == "Paragraph"
        and "Paragraph" not in {top.kind for top in blocks[1:]}
    )
    if led and "BlockQuote" in kinds:
        # only some paragraphs lead in to a quote
        return
    # "text", "#### Next", "```js": a heading parts the paragraph from the code
    if led and tops[tops.index(blocks[0]) + 1] is blocks[1]:
        kinds.discard("Paragraph")
    wanted = _KINDS.get(next(iter(kinds))) if len(kinds) == 1 else None
    said = record.raw["kind"]
    if wanted and said not in wanted:
        case.fault(
            "kind", record.index, record.first, f"kind {said!r}, the chunk holds {sorted(kinds)}"
        )
    named = [kind for kind, names in _KINDS.items() if said in names and kind != "Paragraph"]
    if named and named[0] not in kinds:
        case.fault(
            "kind", record.index, record.first, f"kind {said!r}, the chunk holds {sorted(kinds)}"
        )


def _unseen(structure: Structure, record: Record, tops: Sequence[Span]) -> bool:
    """Tell whether lines that no event reports stand in a chunk: "[a]: b" is a definition."""
    line = record.first
    lines = structure.reading.lines
    for top in [*tops, Span("End", record.last + 1, record.last + 1)]:
        if any(
            not lines.is_blank(number) for number in range(line, min(top.first, record.last + 1))
        ):
            return True
        line = max(line, top.last + 1)
    return False


def _check_tags(case: Case, structure: Structure, record: Record, window: range) -> None:
    """Check that an opening tag stays with what follows, a closing one with what precedes."""
    tops, records = structure.reading.parse.tops, case.records
    if not window:
        return
    reading, last, first = structure.reading, tops[window[-1]], tops[window[0]]
    if record.index + 1 < len(records) and last.last <= record.last and _net(reading, last) > 0:
        _check_near(case, record, last, records[record.index + 1])
    if record.index and first.first >= record.first and _net(reading, first) < 0:
        _check_near(case, record, first, records[record.index - 1])


def _check_near(case: Case, record: Record, tag: Span, near: Record) -> None:
    """Name a tag that a neighbouring chunk has room for."""
    tokens = case.budget.count("\n\n" + case.lines.slice(tag.first, tag.last))
    if near.raw["embed_token_count"] + tokens <= case.budget.hard_max_tokens:
        case.fault("tag", record.index, tag.first, "a line of tags is parted from what it wraps")


def _net(reading: Reading, span: Span) -> int:
    if span.kind not in ("HtmlBlock", "Tags"):
        return 0
    known = reading.marks.components.nets.get(span.first)
    return known if known is not None else tag_balance(_masked(reading, span)) or 0


def _masked(reading: Reading, span: Span) -> str:
    return "\n".join(reading.masked[span.first : span.last + 1])


def _groups(reading: Reading) -> list[int]:
    """Number the top-level blocks; those between paired tags or ``:::`` lines share a number."""
    tops = reading.parse.tops
    paired = _paired(reading)
    numbers, until, number = [], -1, 0
    for top in tops:
        if top.first > until:
            number += 1
        until = max(until, paired.get(top.first, -1))
        for line in range(top.first - 1, max(top.first - 3, -1), -1):
            if line in reading.marks.colons and paired.get(line, -1) > top.first > until:
                until = paired[line]
        numbers.append(number)
    return numbers


def _paired(reading: Reading) -> dict[int, int]:
    """Return the lines that open something, with the line that closes it."""
    pairs = dict(reading.marks.containers) | reading.marks.components.pairs
    tags: list[int] = []
    for top in reading.parse.tops:
        wraps = top.kind in ("HtmlBlock", "Tags")
        net = tag_net(_masked(reading, top)) if wraps else 0
        tags += [top.first] * min(net, 8)
        for _ in range(min(-net, len(tags))):
            pairs[tags.pop()] = top.first
    return pairs


def _check_target(
    case: Case, structure: Structure, record: Record, window: range, groups: Sequence[int]
) -> None:
    """Check, loosely, that a chunk past the target is one block with its headings and lead-in."""
    tops, marks = structure.reading.parse.tops, structure.reading.marks
    held: set[int] = set()
    for index in window:
        top = tops[index]
        # the header of a body and the body are one block; consecutive tabs are one group
        if (
            top.kind in ("Heading", "Tags", "Rule")
            or top.last in marks.headers
            or top.first in marks.body
        ):
            held.update([-1] if top.kind == "BlockQuote" else [])
            continue
        if top.kind != "HtmlBlock" or tag_balance(_masked(structure.reading, top)) is None:
            held.add(groups[index])
    if len(held) > 2:
        tokens = record.raw["embed_token_count"]
        message = f"{tokens} tokens in {len(held)} blocks, target {case.budget.max_tokens}"
        case.fault("target", record.index, record.first, message)
