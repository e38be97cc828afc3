"""Blocks to sections: heading paths, anchors, and what opens a section."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from fencepost.model import Admonition, Block, Element, Heading, Section, TagLine

_NOT_IN_SLUG = re.compile(r"[^\w\- ]")


def fold_sections(
    blocks: Sequence[Block],
    levels: Sequence[int],
    title: str | None,
    keep: Callable[[Block], bool],
) -> tuple[Section, ...]:
    """Return the sections of a document, in order; together they hold every block.

    Args:
        blocks: top-level blocks, in source order.
        levels: heading levels that open a section.
        title: the document's title from its front matter, if any.
        keep: says of a container with headings of its own whether it stays whole; one that does
            not is taken apart into its first line, its blocks and its last line.

    A skipped level invents no parent and an empty heading adds no element to the path. The title is
    the outermost element, unless the only heading of level 1 says the same.
    """
    opened = set(levels)
    top = [block.detail for block in blocks if isinstance(block.detail, Heading)]
    folding = _Folding(_root(title, top))
    for block in _flat(blocks, keep):
        if block.kind == "heading" and isinstance(block.detail, Heading):
            folding.heading(block, block.detail, opens=block.detail.level in opened)
        else:
            folding.add(block, opened)
    return folding.sections()


def has_headings(block: Block) -> bool:
    """Return whether a container directly holds headings that may open sections.

    `:::` containers do; quotes, list items, callouts and `!!!` bodies do not.
    """
    return _transparent(block) and any(_headings_in(block))


def _transparent(block: Block) -> bool:
    if isinstance(block.detail, Element):
        return True
    return isinstance(block.detail, Admonition) and block.detail.form == "colon"


def _headings_in(block: Block) -> Iterator[Block]:
    """Yield the headings of a container, and of containers in it, that count."""
    return (one for one in _leaves(block) if one.kind == "heading")


def _leaves(block: Block) -> Iterator[Block]:
    """Yield what a container holds, containers in it that may hold headings opened.

    In Markdown a blank line must part the first heading from the container's own line: one that
    sticks to it is left out.
    """
    for child in block.children:
        if child.kind == "heading":
            if not _sticks(block, child):
                yield child
        elif child.children and _transparent(child):
            yield from _leaves(child)
        else:
            yield child


def _opened(block: Block) -> int:
    """Return the line after a container's opening line."""
    return block.detail.body[0] if isinstance(block.detail, Element) else block.start + 1


def _sticks(block: Block, child: Block) -> bool:
    """Return whether a block stands right under its container's opening line and is no Markdown."""
    dense = isinstance(block.detail, Element) and block.detail.dense
    return not dense and child.start <= _opened(block)


def _flat(blocks: Iterable[Block], keep: Callable[[Block], bool]) -> Iterator[Block]:
    """Yield blocks, containers with headings that do not stay whole taken apart."""
    for block in blocks:
        if not (block.children and has_headings(block)) or keep(block):
            yield block
            continue
        first = block.children[0]
        glued = first.kind == "heading" and _sticks(block, first)
        opened = first.end if glued else _opened(block)
        yield Block("tag", block.start, opened, (), TagLine("open"))
        yield from _flat(block.children[1:] if glued else block.children, keep)
        last = max(child.end for child in block.children)
        closing = block.detail.body[1] if isinstance(block.detail, Element) else block.end - 1
        if last <= closing < block.end:
            yield Block("tag", closing, block.end, (), TagLine("close"))


def _root(title: str | None, headings: Sequence[Heading]) -> tuple[str, ...]:
    name = " ".join(title.split()) if title else ""
    if not name:
        return ()
    firsts = [heading.title for heading in headings if heading.level == 1]
    same = len(firsts) == 1 and " ".join(firsts[0].split()).casefold() == name.casefold()
    return () if same else (name,)


@dataclass(slots=True)
class _Open:
    """A section that is being filled."""

    path: tuple[str, ...]
    anchor: str | None
    start: int
    heading: int | None
    blocks: list[Block] = field(default_factory=list)
    content: list[tuple[int, int]] = field(default_factory=list)
    end: int = 0
    inner: bool = False
    """Whether its heading stands inside a container that stays whole."""


class _Folding:
    """The heading stack, the anchors given so far, and the sections."""

    def __init__(self, root: tuple[str, ...]) -> None:
        self.root = root
        self.stack: list[tuple[int, str]] = []
        self.slugs = Slugs()
        self.open = [_Open(root, None, 0, None)]

    def add(self, block: Block, opened: set[int]) -> None:
        """Put a block into the section that is open.

        Each heading of a container that stays whole opens a section; what follows the container
        belongs to the last of them.
        """
        now = self.open[-1]
        if block.detail == TagLine("close") and not now.blocks:
            # "</examples>" right behind an example with a heading: it goes with the example.
            now = next((one for one in reversed(self.open) if one.blocks), now)
        if not now.blocks and now.heading is None and not now.inner:
            now.start = block.start
        now.blocks.append(block)
        now.end = max(now.end, block.end)
        if not (block.children and has_headings(block)):
            if not is_bare(block):
                now.content.append((block.start, block.end))
            return
        for leaf in _leaves(block):
            heading = leaf.detail
            if isinstance(heading, Heading) and heading.level in opened:
                self._push(heading, leaf.start)
                self.open[-1].inner = True
            elif not is_bare(leaf):
                self.open[-1].content.append((leaf.start, leaf.end))
            self.open[-1].end = block.end

    def heading(self, block: Block, heading: Heading, *, opens: bool) -> None:
        """Open a section, or add a heading of a level that opens none.

        Opening lines of tags right before it go with it.
        """
        if not opens:
            self.slugs.take(heading)
            self.add(block, set())
            return
        before = self.open[-1]
        kept = len(before.blocks)
        while kept and before.blocks[kept - 1].detail == TagLine("open"):
            kept -= 1
        wrapping = before.blocks[kept:]
        del before.blocks[kept:]
        before.end = max((one.end for one in before.blocks), default=before.end)
        self._push(heading, block.start)
        now = self.open[-1]
        now.blocks = [*wrapping, block]
        now.start = now.blocks[0].start
        now.end = block.end

    def _push(self, heading: Heading, start: int) -> None:
        while self.stack and self.stack[-1][0] >= heading.level:
            self.stack.pop()
        self.stack.append((heading.level, heading.title))
        path = self.root + tuple(title for _, title in self.stack if title)
        line = start if heading.title else None
        self.open.append(_Open(path, self.slugs.take(heading), start, line))

    def sections(self) -> tuple[Section, ...]:
        """Return what was gathered; an empty start is no section."""
        return tuple(
            Section(
                one.path,
                one.anchor,
                one.start,
                one.end,
                tuple(one.blocks),
                one.heading,
                tuple(one.content),
            )
            for one in self.open
            if one.blocks or one.inner
        )


def is_bare(block: Block) -> bool:
    """Return whether a block is no content of its own: a heading, a line of tags.

    A component that shows something by itself, `<Links />`, is content.
    """
    if block.detail == TagLine("shown"):
        return False
    return block.kind in {"heading", "tag"} and not block.children


class Slugs:
    """GitHub's anchors: duplicates are numbered, an id given in the source is taken as it is.

    >>> slugs = Slugs()
    >>> [slugs.take(Heading(2, title)) for title in ("Set up!", "Set up", "Set-up")]
    ['set-up', 'set-up-1', 'set-up-2']
    """

    def __init__(self) -> None:
        """Start with no anchor given."""
        self._given: dict[str, int] = {}

    def take(self, heading: Heading) -> str:
        """Return the next anchor for a heading."""
        slug = heading.anchor or slug_of(heading.title)
        if slug not in self._given:
            self._given[slug] = 0
            return slug
        name = slug
        while name in self._given:
            self._given[slug] += 1
            name = f"{slug}-{self._given[slug]}"
        self._given[name] = 0
        return name


def slug_of(title: str) -> str:
    """Return GitHub's slug of a plain-text title, without a number.

    >>> slug_of("What's new in 2.0 (beta)?")
    'whats-new-in-20-beta'
    """
    return _NOT_IN_SLUG.sub("", title.strip().lower()).replace(" ", "-")


def common_path(paths: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    """Return the longest path that all begin with.

    >>> common_path([("A", "B"), ("A", "C")])
    ('A',)
    """
    rows = list(paths)
    if not rows:
        return ()
    shortest = min(rows, key=len)
    for i, title in enumerate(shortest):
        if any(path[i] != title for path in rows):
            return shortest[:i]
    return shortest


SEPARATOR: Final = " > "
"""What stands between the elements of a breadcrumb."""
