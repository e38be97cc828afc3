"""`mdx="strip"`: what is left of a document without tags, imports, exports and comments."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from fencepost.fences import TAB
from fencepost.model import Block, Dropped, Element
from fencepost.readers.markdown.jsx import Room, expression_end, read_tag
from fencepost.readers.markdown.lookahead import HTML_NAMES

if TYPE_CHECKING:
    from fencepost.readers.markdown.lookahead import Lookahead
    from fencepost.source import Source

Span = tuple[int, int]

_INLINE = re.compile(r"\\.|`+|<|\{/\*")
_WORD = re.compile(r"\w")
_PROSE: Final = frozenset({"paragraph", "heading", "table", "definition"})


def strip(
    source: Source, blocks: Sequence[Block], lookahead: Lookahead
) -> tuple[tuple[Block, ...], tuple[Dropped, ...], tuple[Span, ...]]:
    """Return the blocks that are left, the spans that are dropped, and the indentation of bodies.

    Lines of tags, imports and comments go with their line; of a tag inside a paragraph the text
    stays. What a component had indented loses that much indentation, code in it too.
    """
    left = tuple(_hoisted(blocks))
    dropped = [*_lines(source, lookahead), *_inline(source, left)]
    dedents = tuple(sorted(_dedents(source, blocks, lookahead, 0)))
    return left, tuple(sorted(dropped, key=lambda one: one.start)), dedents


def _hoisted(blocks: Sequence[Block]) -> Iterator[Block]:
    """Yield blocks with components replaced by what they hold."""
    for block in blocks:
        if isinstance(block.detail, Element):
            yield from _hoisted(block.children)
        elif block.kind not in {"tag", "esm", "comment"}:
            children = tuple(_hoisted(block.children))
            yield Block(block.kind, block.start, block.end, children, block.detail)


def _lines(source: Source, lookahead: Lookahead) -> Iterator[Dropped]:
    """Yield the lines of tags, each with its line end where a blank line stands beside it.

    So one blank line is left where tags stood between two paragraphs.
    """
    blank = True
    after = 0
    for run in lookahead.tags.runs.values():
        if run.kind == "html":
            continue
        if run.start > after:
            blank = source.is_blank(run.start - 1)
        after = run.end
        beside = blank or (after < source.line_count and source.is_blank(after))
        end = source.starts[after] if beside else source.end_of(after - 1)
        blank = True
        yield Dropped(source.starts[run.start], end, run.kind)


def _inline(source: Source, blocks: Sequence[Block]) -> Iterator[Dropped]:
    """Yield the tags and comments inside prose; not those in code spans."""
    stack = list(blocks)
    while stack:
        block = stack.pop()
        stack += block.children
        if block.kind in _PROSE and not block.children:
            start, end = source.starts[block.start], source.end_of(block.end - 1)
            yield from _tags_in(source.text[start:end], start)


def _tags_in(text: str, offset: int) -> Iterator[Dropped]:
    room = Room.of(text)
    at = 0
    while found := _INLINE.search(text, at):
        mark, at = found[0], found.end()
        if mark[0] == "`":
            close = re.compile(rf"(?<!`){mark}(?!`)").search(text, at)
            at = close.end() if close and room.take(close.end() - at) else at
        elif mark == "<":
            end = _tag_end(text, found.start(), room)
            if end is not None:
                yield Dropped(offset + found.start(), offset + end, "tag")
                at = end
        elif mark == "{/*":
            end = expression_end(text, found.start(), room)
            if end is not None:
                yield Dropped(offset + found.start(), offset + end, "comment")
                at = end


def _tag_end(text: str, at: int, room: Room) -> int | None:
    if text.startswith("<!--", at):
        end = text.find("-->", at)
        return end + 3 if end >= 0 else None
    tag = read_tag(text, at, room)
    if tag is None:
        return None
    # `Array<Foo>` is no tag, `one<br/>two` holds one.
    if at and _WORD.match(text[at - 1]) and tag.form == "open" and tag.name not in HTML_NAMES:
        return None
    return tag.end


def _dedents(
    source: Source, blocks: Sequence[Block], lookahead: Lookahead, outer: int
) -> Iterator[Span]:
    """Yield the indentation that components put before the lines of their bodies.

    `outer` is what the components around take off already.
    """
    for block in blocks:
        if not isinstance(block.detail, Element):
            yield from _dedents(source, block.children, lookahead, outer)
            continue
        own = outer + _deeper(source, block, lookahead)
        inner = {
            line
            for child in block.children
            for line in range(child.start, child.end)
            if isinstance(child.detail, Element)
        }
        for line in range(*block.detail.body):
            if line not in inner and own:
                start = source.starts[line]
                after = start + _blanks(source.line(line), own)
                if after > start:
                    yield start, after
        yield from _dedents(source, block.children, lookahead, own)


def _deeper(source: Source, block: Block, lookahead: Lookahead) -> int:
    """Return how much further a body is indented than its component's tag, in columns."""
    if not isinstance(block.detail, Element):
        return 0
    line, end = block.detail.body
    columns = []
    while line < end:
        if not source.is_blank(line):
            columns.append(_column(source.line(line)))
        fence = lookahead.tags.fences.get(line)
        line = fence.end if fence else line + 1
    return max(0, min(columns, default=0) - _column(source.line(block.start)))


def _column(text: str) -> int:
    return len(text.expandtabs(TAB)) - len(text.expandtabs(TAB).lstrip(" "))


def _blanks(text: str, columns: int) -> int:
    """Return how many characters of a line's indentation stand in so many columns."""
    at = column = 0
    while at < len(text) and text[at] in " \t" and column < columns:
        column += TAB - column % TAB if text[at] == "\t" else 1
        at += 1
    return at
