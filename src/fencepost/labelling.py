"""Drafts to chunks: text and pieces, exact counts, paths, ids, parts, neighbours, links."""

from __future__ import annotations

import hashlib
from bisect import bisect_left, bisect_right
from collections import Counter as Tally
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from fencepost.breadcrumbs import AFTER, SEPARATOR, Breadcrumbs
from fencepost.cutting.ground import Ground
from fencepost.model import (
    Admonition,
    Block,
    Chunk,
    Code,
    Element,
    Metadata,
    Section,
    SectionRef,
)
from fencepost.packing import BARE, Draft
from fencepost.rendering import Rendered, render
from fencepost.sections import common_path


@dataclass(frozen=True, slots=True)
class Document:
    """What the chunks of one document share."""

    ground: Ground
    crumbs: Breadcrumbs
    sections: tuple[Section, ...]
    blocks: tuple[Block, ...]
    metadata: Metadata
    format: str


def label(drafts: Sequence[Draft], document: Document) -> tuple[Chunk, ...]:
    """Return the chunks of a document."""
    places = _Places(document)
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


def _labels(drafts: Sequence[Draft], document: Document, places: _Places) -> list[_Label]:
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


def _chunk(one: _Label, document: Document, places: _Places, names: _Names) -> Chunk:
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


def _embedded(one: _Label, document: Document, places: _Places) -> tuple[str, int]:
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


class _Places:
    """What stands on the lines of a document: sections, code, admonitions."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._sections = document.sections
        self._starts = [section.start for section in document.sections]
        self._code: list[tuple[int, int, str]] = []
        self._notes: list[tuple[int, int, Admonition | Element]] = []
        stack = list(reversed(document.blocks))
        while stack:
            block = stack.pop()
            if isinstance(block.detail, Code):
                self._code.append((block.start, block.end, block.detail.language))
            elif isinstance(block.detail, (Admonition, Element)):
                self._notes.append((block.start, block.end, block.detail))
            stack.extend(reversed(block.children))
        self._code_starts = [start for start, _, _ in self._code]

    def sections(self, lines: tuple[int, int]) -> tuple[int, ...]:
        """Return the sections that stand on lines (inclusive), by index."""
        first, last = lines
        stop = bisect_right(self._starts, last)
        found = []
        for i in range(stop - 1, -1, -1):
            if self._sections[i].end > first:
                found.append(i)
            elif self._sections[i].blocks:
                break
        return tuple(found[::-1])

    def counted(self, held: Sequence[int], lines: tuple[int, int]) -> tuple[int, ...]:
        """Return the sections whose paths count: a bare heading and a small parent do not."""
        sections = self._sections
        own = tuple(i for i in held if _has_content(sections[i], lines)) or tuple(held)
        if len(held) == 1:
            return own
        kept = tuple(
            i
            for i in own
            if not (
                any(_is_below(sections[j].path, sections[i].path) for j in own)
                and self._is_small(sections[i])
            )
        )
        return kept or own

    def _is_small(self, section: Section) -> bool:
        ground = self._document.ground
        spans = list(section.content)
        if section.heading is not None:
            spans.append((section.heading, section.heading + 1))
        between = ground.measure.between
        own = sum(between(ground.start(start), ground.end(end)) for start, end in spans)
        return own < ground.options.min_tokens

    def shown(self, held: Sequence[int], path: tuple[str, ...], lines: tuple[int, int]) -> int:
        """Return how many leading elements of a path no heading in the chunk shows."""
        depth = len(path)
        for i in held:
            section = self._sections[i]
            line = section.heading
            visible = line is not None and lines[0] <= line <= lines[1]
            if visible and path[: len(section.path)] == section.path:
                depth = min(depth, len(section.path) - 1)
        return depth

    def refs(self, held: Sequence[int], lines: tuple[int, int]) -> tuple[SectionRef, ...]:
        """Return the sections of a chunk as it tells of them."""
        source = self._document.ground.source
        refs = []
        for n, i in enumerate(held):
            section = self._sections[i]
            start = max(section.start, lines[0])
            end = min(section.end, lines[1] + 1)
            if n + 1 < len(held):
                end = min(end, max(start + 1, self._sections[held[n + 1]].start))
            while end - 1 > start and source.is_blank(end - 1):
                end -= 1
            refs.append(SectionRef(section.path, section.anchor, start + 1, end))
        return tuple(refs)

    def languages(self, lines: tuple[int, int]) -> tuple[str, ...] | None:
        """Return the languages of the code on lines, once each; None where there is no code."""
        first, last = lines
        stop = bisect_right(self._code_starts, last)
        start = max(0, bisect_left(self._code_starts, first) - 1)
        found = [language for _, end, language in self._code[start:stop] if end > first]
        return tuple(dict.fromkeys(filter(None, found))) if found else None

    def metadata(self, lines: tuple[int, int]) -> dict[str, Any]:
        """Return the types of admonitions and the labels of tabs on lines."""
        found = [note for start, end, note in self._notes if start <= lines[1] and end > lines[0]]
        types = dict.fromkeys(note.type for note in found if note.type)
        tabs = dict.fromkeys(note.title for note in found if _is_tab(note) and note.title)
        rows = {"admonitions": list(types), "tabs": list(tabs)}
        return {key: row for key, row in rows.items() if row}


def _is_tab(note: Admonition | Element) -> bool:
    return note.form == "tab" if isinstance(note, Admonition) else note.role == "tab"


def _has_content(section: Section, lines: tuple[int, int]) -> bool:
    """Return whether a section has content of its own on lines (inclusive)."""
    return any(start <= lines[1] and end > lines[0] for start, end in section.content)


def _is_below(path: tuple[str, ...], parent: tuple[str, ...]) -> bool:
    return len(path) > len(parent) and path[: len(parent)] == parent
