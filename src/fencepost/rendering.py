"""A draft as text: lead, repeated overlap, slice, tail; and what does not fit after all."""

from __future__ import annotations

from dataclasses import dataclass

from fencepost.cutting.boundaries import cut_points
from fencepost.cutting.ground import Ground
from fencepost.cutting.unit import Part
from fencepost.model import Piece
from fencepost.packing import Draft

_REPEATABLE = frozenset(
    {"paragraph", "list", "quote", "admonition", "definition", "definition_list", "math"}
)


@dataclass(frozen=True, slots=True)
class Rendered:
    """The text of a chunk and where it comes from."""

    text: str
    pieces: tuple[Piece, ...]
    start: int
    """Offset of the first slice that is not repeated."""
    end: int
    lines: tuple[int, int]
    """First and last line, both inclusive, from 0."""
    tokens: int
    """Exact."""


def render(draft: Draft, ground: Ground, before: Draft | None) -> Rendered:
    """Return the text of a draft; `before` is the draft whose end it may repeat."""
    lead, tail = draft.units[0].lead, draft.units[-1].tail
    overlap = _overlap(draft, before, ground) if before and not lead else None
    if overlap is not None:
        lead = (Part(start=overlap, end=draft.start, repeated=True),)
    parts = _visible((*lead, Part(start=draft.start, end=draft.end), *tail), ground)
    source = ground.source.text
    texts = [part.text if part.reason else source[part.start : part.end] for part in parts]
    text = "".join(texts)
    if not any(part.reason for part in parts) and (len(lead) == 0 or overlap is not None):
        tokens = ground.measure.exact(parts[0].start, draft.end)
    else:
        tokens = ground.counter.count(text)
    own = [part for part in parts if part.reason is None and not part.repeated]
    start, end = own[0].start, own[-1].end
    first, last = ground.source.line_at(start), ground.source.line_at(max(start, end - 1))
    return Rendered(text, _pieces(parts, texts), start, end, (first, last), tokens)


def _visible(parts: tuple[Part, ...], ground: Ground) -> tuple[Part, ...]:
    """Return parts with what is left out of the source taken out of their slices."""
    if not ground.skips:
        return parts
    return tuple(
        one
        for part in parts
        for one in (
            [part]
            if part.reason
            else [
                Part(start=start, end=end, repeated=part.repeated)
                for start, end in ground.skips.visible(part.start, part.end)
            ]
        )
    )


def _pieces(parts: tuple[Part, ...], texts: list[str]) -> tuple[Piece, ...]:
    """Return the pieces of a text."""
    pieces: list[Piece] = []
    at = 0
    for part, text in zip(parts, texts, strict=True):
        if not text:
            continue
        after = at + len(text)
        if part.reason:
            pieces.append(Piece(at, after, inserted=part.reason))
        else:
            pieces.append(Piece(at, after, part.start, part.end, repeated=part.repeated))
        at = after
    return tuple(pieces)


def _overlap(draft: Draft, before: Draft, ground: Ground) -> int | None:
    """Return where the text that a draft repeats begins: whole blocks, or sentences, or nothing."""
    options = ground.options
    room = min(options.overlap_tokens, options.max_tokens - draft.tokens)
    if room <= 0 or before.units[-1].tail:
        return None
    begin = None
    for unit in reversed(before.units):
        whole = unit.kind in _REPEATABLE and not unit.lead
        if not whole or not ground.fits(unit.start, draft.start, room):
            break
        begin = unit.start
    last = before.units[-1]
    if begin is not None or last.kind != "paragraph" or last.lead:
        return begin
    text = ground.source.text[last.start : draft.start]
    for at, level in cut_points(text):
        if level == 0 and ground.fits(last.start + at, draft.start, room):
            return last.start + at
    return None
