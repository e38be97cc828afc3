"""Drafts to chunks: text and pieces, exact counts, paths, ids, parts, neighbours, links."""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections import Counter as Tally
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from fencepost.breadcrumbs import AFTER, SEPARATOR
from fencepost.model import (
    Chunk,
)
from fencepost.packing import BARE, Draft
from fencepost.places import Document, Places
from fencepost.rendering import Rendered, render
from fencepost.sections import common_path


def label(drafts: Sequence[Draft], document: Document) -> tuple[Chunk, ...]:
    """Return the chunks of a document."""
    places = Places(document)
    labels = _labels(drafts, document, places)
    ids = _ids(labels, document.ground.source.name)
    around = [None, *ids, None]
    parts = _parts(labels)
    section_ids = _section_ids(document)
    return tuple(
        _chunk(
            one, document, places, _Names(ids[i], around[i], around[i + 2], parts[i], section_ids)
        )
        for i, one in enumerate(labels)
    )


@dataclass(frozen=True, slots=True)
class _Label:
    """A draft with its text, and the sections that stand in it."""

    draft: Draft
    rendered: Rendered
    held: tuple[int, ...]
    """All of them, by index."""
    counted: tuple[int, ...]
    """Those whose paths count."""
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Names:
    """What a chunk is called, and the chunks around it."""

    own: str
    before: str | None
    after: str | None
    part: tuple[int, int]
    sections: Sequence[str]


def _labels(drafts: Sequence[Draft], document: Document, places: Places) -> list[_Label]:
    found = []
    for draft, before in _with_before(drafts):
        rendered = render(draft, document.ground, before)
        held = places.sections(rendered.lines)
        counted = places.counted(held, rendered.lines)
        path = common_path(document.sections[i].path for i in counted)
        found.append(_Label(draft, rendered, held, counted, path))
    return found


def _with_before(drafts: Sequence[Draft]) -> Iterator[tuple[Draft, Draft | None]]:
    """Yield each draft with the one before it, where both are parts of one section."""
    before: Draft | None = None
    for draft in drafts:
        yield draft, before if draft.units[0].rule != "start" else None
        before = draft


def _ids(labels: Sequence[_Label], name: str) -> list[str]:
    """Return an id per chunk, from document, path and text; equal ones are numbered."""
    seen: Tally[str] = Tally()
    ids = []
    for one in labels:
        first = _digest(name, *one.path, one.rendered.text)
        ids.append(_digest(first, str(seen[first])) if seen[first] else first)
        seen[first] += 1
    return ids


def _parts(labels: Sequence[_Label]) -> list[tuple[int, int]]:
    """Return each chunk's place among the chunks that hold its section, and how many do."""
    holders: dict[int, list[int]] = {}
    for i, one in enumerate(labels):
        for section in one.held:
            holders.setdefault(section, []).append(i)
    chunks = [holders[one.counted[0]] if one.counted else [i] for i, one in enumerate(labels)]
    return [(bisect_left(row, i) + 1, len(row)) for i, row in enumerate(chunks)]


def _chunk(one: _Label, document: Document, places: Places, names: _Names) -> Chunk:
    options, source = document.ground.options, document.ground.source
    rendered = one.rendered
    embed, tokens = _embedded(one, document, places)
    languages = places.languages(rendered.lines)
    owner = one.counted[0] if one.counted else None
    anchor = None if owner is None else document.sections[owner].anchor
    return Chunk(
        id=names.own,
        text=rendered.text,
        embed_text=embed,
        heading_path=one.path,
        breadcrumb=SEPARATOR.join(one.path),
        sections=places.refs(one.held, rendered.lines),
        kind=_kind(one.draft),
        has_code=languages is not None,
        code_languages=languages or (),
        token_count=rendered.tokens,
        embed_token_count=tokens,
        start_index=rendered.start,
        end_index=rendered.end,
        start_line=rendered.lines[0] + 1,
        end_line=rendered.lines[1] + 1,
        part=names.part[0],
        parts=names.part[1],
        prev_id=names.before,
        next_id=names.after,
        section_id=None if owner is None else names.sections[owner],
        anchor=anchor,
        url=None if options.url is None else fill_url(options.url, source.name, anchor),
        source=source.name,
        format=document.format,
        pieces=rendered.pieces,
        metadata=document.metadata | places.metadata(rendered.lines),
    )


def _embedded(one: _Label, document: Document, places: Places) -> tuple[str, int]:
    """Return the text to embed, and its exact tokens."""
    options, counter = document.ground.options, document.ground.counter
    text, tokens = one.rendered.text, one.rendered.tokens
    shown = places.shown(one.held, one.path, one.rendered.lines)
    limit = options.hard_max_tokens if one.draft.single else max(options.max_tokens, tokens)
    for crumb in document.crumbs.versions(one.path[:shown]):
        cost = document.crumbs.cost(crumb)
        if not crumb:
            break
        if cost + tokens > limit:
            continue
        embed = crumb + AFTER + text
        # "> x" under a breadcrumb: counts add up but for a few first characters.
        sums = counter.adds_up and not text[0].isspace() and text[0] not in counter.not_before
        total = cost + tokens if sums else counter.count(embed)
        if total <= limit:
            return embed, total
    return text, tokens


def _kind(draft: Draft) -> str:
    kinds = {unit.kind for unit in draft.units if unit.content}
    if not kinds:
        kinds = {unit.kind for unit in draft.units if unit.kind not in BARE}
    return "section" if len(kinds) != 1 or kinds == {"paragraph"} else kinds.pop()


def _section_ids(document: Document) -> list[str]:
    seen: Tally[tuple[str, ...]] = Tally()
    ids = []
    for section in document.sections:
        name = document.ground.source.name
        ids.append(_digest("section", name, *section.path, str(seen[section.path])))
        seen[section.path] += 1
    return ids


def _digest(*parts: str) -> str:
    """Return 32 hex characters; lengths go in, so that no two lists of parts spell the same."""
    text = "".join(f"{len(part)}:{part}" for part in parts)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def fill_url(template: str, source: str, anchor: str | None) -> str:
    """Return a template filled in; without an anchor its `#` goes too.

    >>> fill_url("https://x.dev/{path}#{anchor}", "guide/a.md", "set-up")
    'https://x.dev/guide/a.md#set-up'
    >>> fill_url("https://x.dev/{stem}#{anchor}", "guide/a.md", None)
    'https://x.dev/guide/a'
    """
    stem = str(PurePosixPath(source).with_suffix("")) if PurePosixPath(source).name else source
    filled = template.format(path=source, stem=stem, anchor=anchor or "")
    return filled if anchor else filled.removesuffix("#")
