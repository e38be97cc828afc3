"""Tokens to blocks: one table of what opens, one of what stands alone, and a stack."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from fencepost.model import Admonition, Block, Code, Detail, Element, Kind, TagLine
from fencepost.readers.markdown.elements import read_element
from fencepost.readers.markdown.headings import read_heading
from fencepost.readers.markdown.rules import parse_header
from fencepost.source import Source

if TYPE_CHECKING:
    from markdown_it.token import Token

_CALLOUT = re.compile(r"[ \t>]*>[ \t]*\[!(?P<type>[\w/|-]+)\][+-]?[ \t]*(?P<title>.*)$")

CONTAINERS: Final[dict[str, Kind]] = {
    "bullet_list": "list",
    "ordered_list": "list",
    "list_item": "item",
    "blockquote": "quote",
    "footnote_reference": "definition",
    "dl": "definition_list",
    "dd": "item",
    "colon": "admonition",
    "indented": "admonition",
    "tag": "tag",
}
"""Token types, `_open` and `_close` removed, that hold blocks."""

VOID: Final = frozenset({"img", "input", "source", "embed", "br", "hr", "wbr"})
"""HTML elements without a closing tag."""
UNSEEN: Final = frozenset({"br", "hr", "wbr", "a"})
"""Elements that show nothing by themselves."""

LEAVES: Final[dict[str, Kind]] = {
    "paragraph": "paragraph",
    "heading": "heading",
    "fence": "code",
    "code_block": "code",
    "html_block": "html",
    "table": "table",
    "hr": "rule",
    "math": "math",
    "definition": "definition",
    "tag": "tag",
    "comment": "comment",
    "esm": "esm",
}
"""Token types that hold no blocks."""


@dataclass(slots=True)
class _Open:
    """A container that is being read."""

    kind: Kind
    start: int
    end: int
    detail: Detail = None
    children: list[Block] = field(default_factory=list)
    term: int | None = None
    """In a definition list: the line of the term that the next definition explains."""


def fold(
    source: Source, tokens: Sequence[Token], env: dict[str, Any], first: int
) -> tuple[Block, ...]:
    """Return the blocks of a document from its tokens; they cover every line that is not blank."""
    lines, blank = source.lines, source.is_blank
    top = _Open("raw", first, source.line_count)
    stack = [top]
    for token in tokens:
        type_ = token.type
        if type_ in LEAVES:
            start, end = token.map or (0, 0)
            while end - 1 > start and blank(end - 1):
                end -= 1
            kind = LEAVES[type_]
            if kind == "html" and lines[start].lstrip().startswith("<!--"):
                kind = "comment"
            detail = DETAILS[type_](source, token, env) if type_ in DETAILS else None
            stack[-1].children.append(Block(kind, start, end, (), detail))
        elif token.nesting == 1 and type_[:-5] in CONTAINERS:
            stack.append(_opened(source, type_[:-5], token, env))
        elif type_ == "dt_open" and token.map:
            stack[-1].term = token.map[0]
        elif token.nesting == -1 and type_[:-6] in CONTAINERS:
            _close(source, stack)
    while len(stack) > 1:
        _close(source, stack)
    return _complete(source, top.children, first, source.line_count)


def _opened(source: Source, name: str, token: Token, env: dict[str, Any]) -> _Open:
    start, end = token.map or (0, 0)
    kind = CONTAINERS[name]
    detail: Detail = None
    if kind == "quote":
        callout = _CALLOUT.match(source.line(start))
        if callout:
            type_ = callout["type"].split("|", 1)[0].lower()
            return _Open("admonition", start, end, Admonition("callout", type_, callout["title"]))
    elif kind == "tag":
        element = read_element(token.meta["run"], token.meta["closer"], env["lookahead"])
        return _Open("admonition" if element.role == "admonition" else "tag", start, end, element)
    elif kind == "admonition":
        form, type_, title = parse_header(token.meta["text"])
        detail = Admonition(form, type_, title)  # type: ignore[arg-type]
    return _Open(kind, start, end, detail)


def _close(source: Source, stack: list[_Open]) -> None:
    """Make a block of the innermost container and put it into the one around it."""
    done = stack.pop()
    start, end = done.start, min(done.end, source.line_count)
    while end - 1 > start and source.is_blank(end - 1):
        end -= 1
    parent = stack[-1]
    children = done.children
    if isinstance(done.detail, Element):
        children = list(_complete(source, children, *done.detail.body))
    elif done.kind in {"item", "quote", "definition", "admonition"}:
        children = list(_complete(source, children, start, end))
    if done.kind == "item" and parent.kind == "definition_list" and parent.term is not None:
        # "Term" over ": text": the term goes with its first definition.
        start, parent.term = parent.term, None
    parent.children.append(Block(done.kind, start, end, tuple(children), done.detail))


def _complete(source: Source, blocks: list[Block], start: int, end: int) -> tuple[Block, ...]:
    """Fill the gaps between blocks: what the parser did not report becomes `raw`.

    A container's own lines (`>`, `:::`) need no block, but for what stands past the parser's limit
    of nesting nothing is reported at all, so a container without any block is checked too.
    """
    whole: list[Block] = []
    at = start
    lines = source.lines
    for block in blocks:
        if block.start > at and not all(map(str.isspace, lines[at : block.start])):
            whole += _gap(source, at, block.start)
        whole.append(block)
        at = max(at, block.end)
    if at < end:
        whole += _gap(source, at, end)
    return tuple(whole)


_OWN = re.compile(r"[ \t>]*(?::{3,}.*|/{3,}.*|!!!.*|\?\?\?.*|===.*|(?:[-+*]|\d{1,9}[.)])[ \t]*)?$")


def _gap(source: Source, start: int, end: int) -> list[Block]:
    """Return a `raw` block for each run of lines that are no container's own."""
    found: list[Block] = []
    line = start
    while line < end:
        # A form feed is white space, though no blank to Markdown.
        if source.is_blank(line) or _OWN.match(source.line(line)):
            line += 1
            continue
        first = line
        while line < end and not source.is_blank(line):
            line += 1
        found.append(Block("raw", first, line))
    return found


def _heading(source: Source, token: Token, env: dict[str, Any]) -> Detail:
    start, end = token.map or (0, 0)
    last = token.meta["last"]
    text = " ".join(_content(source, line) for line in range(start, last or end))
    return read_heading(text, token.meta["level"], env, atx=not last)


def _content(source: Source, line: int) -> str:
    """Return a heading's line without what its containers put before it.

    Only headings at top level count; those in lists and quotes keep a rough title.
    """
    return source.line(line).strip(" \t").removeprefix(">").strip(" \t")


def _fence(source: Source, token: Token, env: dict[str, Any]) -> Detail:  # noqa: ARG001
    opening = token.meta["opening"]
    return Code(opening.info, opening.marker, token.meta["closed"])


def _tag_line(source: Source, token: Token, env: dict[str, Any]) -> Detail:  # noqa: ARG001
    tags = token.meta["run"].tags
    void = [tag for tag in tags if tag.form == "empty" or tag.name.lower() in VOID]
    paired = [tag.form for tag in tags if tag not in void]
    if paired and all(form == "close" for form in paired):
        return TagLine("close")
    if paired.count("open") > paired.count("close"):
        return TagLine("open")
    return TagLine("shown" if any(tag.name.lower() not in UNSEEN for tag in void) else "empty")


DETAILS: Final[dict[str, Callable[[Source, Token, dict[str, Any]], Detail]]] = {
    "heading": _heading,
    "fence": _fence,
    "code_block": lambda *_: Code("", ""),
    "tag": _tag_line,
}
