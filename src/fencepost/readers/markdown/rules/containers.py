"""Containers: `:::name`, `/// name`, `!!! note`, `??? note`, `=== "Tab"`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from fencepost.readers.markdown.rules.state import CODE_INDENT, lookahead, text_of

if TYPE_CHECKING:
    from markdown_it.rules_block import StateBlock

_COLON = re.compile(r":{3,}[ \t]*\S|/{3,}[ \t]+[\w-]")
_INDENTED = re.compile(
    r"(?P<mark>!!!|\?\?\?\+?)[ \t]+(?P<type>[\w-]+(?:[ \t]+[\w-]+)*)?[ \t]*"
    r"(?P<title>\"[^\"]*\")?[ \t]*$"
    r"|===[!+]{0,2}[ \t]+(?P<label>\"[^\"]*\"|'[^']*')[ \t]*$"
)


def colon(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Match a container between `:::name` and `:::` (Docusaurus, VitePress, Pandoc), or `///`."""
    at = state.bMarks[start] + state.tShift[start]
    if state.src[at : at + 3] not in {":::", "///"} or state.is_code_block(start):
        return False
    text = state.src[at : state.eMarks[start]]
    if not _COLON.match(text):
        return False
    ahead = lookahead(state)
    close = ahead.colons.get(start)
    if close is None or close >= min(end, ahead.container_end):
        return False
    if silent:
        return True
    container(state, "colon", (start, close + 1), (start + 1, close), state.blkIndent)
    return True


def indented(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Match `!!! note`, `??? note` and `=== "Tab"`, whose body is indented by four."""
    at = state.bMarks[start] + state.tShift[start]
    if state.src[at : at + 3] not in {"!!!", "???", "==="} or state.is_code_block(start):
        return False
    text = state.src[at : state.eMarks[start]]
    if not _INDENTED.match(text):
        return False
    if silent:
        return True
    inner = state.sCount[start] + CODE_INDENT
    line = last = start + 1
    while line < end and (state.isEmpty(line) or state.sCount[line] >= inner):
        if not state.isEmpty(line):
            last = line + 1
        line += 1
    ahead = lookahead(state)
    ahead.loose += 1
    container(state, "indented", (start, last), (start + 1, last), inner)
    ahead.loose -= 1
    return True


def container(
    state: StateBlock,
    kind: str,
    lines: tuple[int, int],
    body: tuple[int, int],
    indent: int,
    **meta: Any,  # noqa: ANN401
) -> None:
    """Read the lines of a body as the blocks of a container."""
    token = state.push(kind + "_open", "", 1)
    token.map = list(lines)
    token.meta = meta or {"text": text_of(state, lines[0])}
    kept = (state.lineMax, state.parentType, state.blkIndent)
    start, end = body
    state.lineMax, state.parentType, state.blkIndent = end, kind, indent
    if start < end:
        state.md.block.tokenize(state, start, end)
    state.lineMax, state.parentType, state.blkIndent = kept
    state.push(kind + "_close", "", -1)
    state.line = lines[1]


def parse_header(text: str) -> tuple[str, str, str]:
    """Return form, type and title of a container's first line.

    >>> parse_header('!!! note "Mind"'), parse_header('=== "Go"'), parse_header("::: tip Hot")
    (('indented', 'note', 'Mind'), ('tab', '', 'Go'), ('colon', 'tip', 'Hot'))
    """
    if text.startswith("///"):
        kind, _, title = text.strip("/ \t").partition("|")
        return "colon", kind.partition("(")[0].strip().lower(), title.strip()
    if text.startswith(":::"):
        words = text.strip(": \t").replace("{", " ").replace("[", " ", 1).split(maxsplit=1)
        kind = words[0].strip("{}.") if words else ""
        return "colon", kind.lower(), words[1].rstrip("]} \t") if len(words) > 1 else ""
    found = _INDENTED.match(text)
    if found is None:
        return "indented", "", ""
    if found["label"]:
        return "tab", "", found["label"][1:-1]
    type_ = (found["type"] or "").partition(" ")[0].lower()
    return "indented", type_, (found["title"] or "").strip('"')
