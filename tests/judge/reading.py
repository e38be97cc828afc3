"""Read a document or a chunk: mask the extensions, parse, and mask again until nothing changes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from .components import Dialect, mask_components, mend
from .fence_rule import Escaped, escape, hopeless
from .lines import Lines, split_lines
from .masks import (
    Marks,
    mask_bodies,
    mask_colons,
    mask_math,
    mask_slashes,
    opaque_lines,
    safe_lines,
)
from .parse import Code, Parse, Span, parse
from .tags import mask_tags, tag_balance

_ROUNDS: Final = 16


@dataclass(frozen=True, slots=True)
class Reading:
    """Hold the lines of a text and what stands in them."""

    lines: Lines
    masked: tuple[str, ...]
    parse: Parse
    marks: Marks
    codes: tuple[Code, ...]
    """Code blocks in order, openers that are text left out."""


def read(
    text: str,
    *,
    blank_first: int = 0,
    whole: bool = True,
    keep_open: bool = False,
    tags_apart: bool = False,
    dialect: Dialect = "",
) -> Reading:
    """Read a text; its first lines can be blanked (front matter).

    A whole document may begin with a BOM; in a part, U+FEFF is a character like others.
    With keep_open a fence that reaches the end of the text unclosed is code, as in plain
    CommonMark. With tags_apart a line of tags alone right over a fence is a block of its own; with
    a dialect every line of tags alone is one.
    """
    lines = split_lines(text)
    masked = safe_lines([lines.get(number) for number in range(len(lines))])
    if whole:
        masked[0] = masked[0].removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}")
    masked[:blank_first] = [""] * blank_first
    marks = Marks()
    if tags_apart:
        mask_tags(masked, marks)
    escaped: dict[int, Escaped] = {}
    if dialect:
        _mask_components(masked, marks, escaped, dialect)
    for turn in range(_ROUNDS + 1):
        found = parse(masked)
        if turn == _ROUNDS or not _mask(
            masked, found, marks, escaped, dialect, keep_open=keep_open, last=turn == _ROUNDS - 1
        ):
            break
    codes = tuple(_unescape(code, escaped) for code in found.codes)
    tops = _with_runs([_name_tags(masked, top) for top in found.tops], marks.components.tops)
    return Reading(lines, tuple(masked), replace(found, tops=tops), marks, codes)


def _mask_components(
    masked: list[str], marks: Marks, escaped: dict[int, Escaped], dialect: Dialect
) -> None:
    marks.components = mask_components(masked, dialect)
    for number in marks.components.unclosed:
        hit = escape(masked[number])
        if hit:
            masked[number], escaped[number] = hit
    if dialect == "md":
        # "# A" right under "<Tab>" is html in Markdown and a heading in MDX
        runs = [top for top in marks.components.tops if top.kind == "Tags"]
        marks.tags.update(line for top in runs for line in range(top.first, top.last + 1))


def _with_runs(tops: list[Span], runs: list[Span]) -> tuple[Span, ...]:
    """Put the masked runs that stand in no list or quote among the blocks."""
    inside = {line for top in tops for line in range(top.first, top.last + 1)}
    apart = [run for run in runs if run.first not in inside]
    return tuple(sorted([*tops, *apart], key=lambda top: top.first))


def _name_tags(masked: list[str], top: Span) -> Span:
    """Call a paragraph tags where CommonMark knows no such tag: "<my_tag>", "<Tabs v={[1]}>"."""
    if top.kind != "Paragraph" or not masked[top.first].lstrip(" ").startswith("<"):
        return top
    alone = tag_balance("\n".join(masked[top.first : top.last + 1])) is not None
    return Span("Tags", top.first, top.last) if alone else top


def _mask(
    masked: list[str],
    found: Parse,
    marks: Marks,
    escaped: dict[int, Escaped],
    dialect: Dialect,
    *,
    keep_open: bool,
    last: bool,
) -> bool:
    opaque = opaque_lines(found, len(masked))
    changed = mask_bodies(masked, opaque, marks)
    changed = mask_colons(masked, opaque, marks) or changed
    changed = mask_slashes(masked, opaque, marks) or changed
    changed = mask_math(masked, opaque, found, marks) or changed
    if dialect:
        changed = mend(masked, found.codes, marks.components, dialect) or changed
    # A fence may look unclosed only because a body is not masked yet, so fences come last.
    return changed or _escape_open(masked, found, marks, escaped, keep_open=keep_open, last=last)


def _escape_open(
    masked: list[str],
    found: Parse,
    marks: Marks,
    escaped: dict[int, Escaped],
    *,
    keep_open: bool,
    last: bool,
) -> bool:
    """Turn openers into text that run to the last line unclosed or are not closed in their body."""
    end = max((number for number, line in enumerate(masked) if line.strip(" \t>")), default=0)
    numbers: set[int] = set()
    for code in found.codes:
        if code.info is None or code.closed:
            continue
        if code.first in marks.body:
            numbers.add(code.first)
        elif code.last >= end and not keep_open:
            numbers.add(code.first)
            # 40,000 lines of "```js" would take as many rounds one by one
            numbers.update(range(code.first, len(masked)) if last else hopeless(masked, code.first))
    changed = False
    for number in numbers:
        hit = escape(masked[number]) if number not in escaped else None
        if hit:
            masked[number], escaped[number] = hit
            changed = True
    return changed


def _unescape(code: Code, escaped: dict[int, Escaped]) -> Code:
    """Give the content lines back as written where an escaped run came to stand in code."""
    content = list(code.content)
    for index in range(len(content)):
        mark = escaped.get(code.body + index)
        if mark:
            content[index] = content[index].replace(mark.shown, mark.written, 1)
    return replace(code, content=tuple(content))
