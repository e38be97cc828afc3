"""What stands on the lines of a document: its sections, its code, its admonitions and tabs."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fencepost.breadcrumbs import Breadcrumbs
from fencepost.cutting.ground import Ground
from fencepost.model import (
    CODE_GROUP,
    Admonition,
    Block,
    Code,
    Element,
    Metadata,
    Section,
    SectionRef,
)


@dataclass(frozen=True, slots=True)
class Document:
    """What the chunks of one document share."""

    ground: Ground
    crumbs: Breadcrumbs
    sections: tuple[Section, ...]
    blocks: tuple[Block, ...]
    metadata: Metadata
    format: str


class Places:
    """What stands on the lines of a document: sections, code, admonitions."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._sections = document.sections
        self._starts = [section.start for section in document.sections]
        self._code: list[tuple[int, int, str]] = []
        self._types: list[tuple[int, int, str]] = []
        self._tabs: list[tuple[int, int, str]] = []
        stack = list(reversed(document.blocks))
        while stack:
            block = stack.pop()
            self._note(block)
            stack.extend(reversed(block.children))
        self._code_starts = [start for start, _, _ in self._code]

    def _note(self, block: Block) -> None:
        """Remember what a block tells of the chunks that it stands in."""
        detail, span = block.detail, (block.start, block.end)
        if detail is None:
            return
        if isinstance(detail, Code):
            self._code.append((*span, detail.language))
        elif isinstance(detail, Admonition) and detail.form == "tab":
            self._tabs.append((*span, detail.title))
        elif isinstance(detail, (Admonition, Element)):
            if detail.type not in {"", CODE_GROUP}:
                self._types.append((*span, detail.type))
            if isinstance(detail, Element) and detail.role == "tab" and detail.title:
                self._tabs.append((*span, detail.title))
            for child, text in zip(block.children, _tab_labels(block), strict=False):
                if text:
                    self._tabs.append((child.start, child.end, text))

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
                and not _is_unnamed(sections[i])
                and self._is_small(sections[i])
            )
        )
        return kept or own

    def _is_small(self, section: Section) -> bool:
        ground = self._document.ground
        spans = list(section.content)
        if section.heading is not None:
            spans.append((section.heading, section.heading + 1))
        start, end = min(start for start, _ in spans), max(end for _, end in spans)
        return ground.fits(ground.start(start), ground.end(end), ground.options.min_tokens - 1)

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
        rows = {
            name: list(dict.fromkeys(text for start, end, text in kept if _on(lines, start, end)))
            for name, kept in (("admonitions", self._types), ("tabs", self._tabs))
        }
        return {name: row for name, row in rows.items() if row}


def _on(lines: tuple[int, int], start: int, end: int) -> bool:
    return start <= lines[1] and end > lines[0]


def _tab_labels(group: Block) -> list[str]:
    """Return the labels of the tabs that a block holds, one for each child, empty for others."""
    detail = group.detail
    if isinstance(detail, Element) and detail.labels:
        left = iter(detail.labels)
        return [
            next(left, "") if isinstance(child.detail, Element) and not child.detail.title else ""
            for child in group.children
        ]
    grouped = isinstance(detail, Admonition) and detail.type == CODE_GROUP
    if grouped or (isinstance(detail, Element) and detail.role == "tabs"):
        return [
            child.detail.label if isinstance(child.detail, Code) else "" for child in group.children
        ]
    return []


def _has_content(section: Section, lines: tuple[int, int]) -> bool:
    """Return whether a section has content of its own on lines (inclusive)."""
    return any(_on(lines, start, end) for start, end in section.content)


def _is_unnamed(section: Section) -> bool:
    """Return whether a section has an empty heading: it has its parent's path, and is a sibling."""
    first = section.blocks[0] if section.blocks else None
    return section.heading is None and first is not None and first.kind == "heading"


def _is_below(path: tuple[str, ...], parent: tuple[str, ...]) -> bool:
    return len(path) > len(parent) and path[: len(parent)] == parent
