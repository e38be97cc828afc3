"""GFM tables (GFM 4.10)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from markdown_it.common.html_re import HTML_OPEN_CLOSE_TAG_STR

from fencepost.readers.markdown.rules.state import push, text_of

if TYPE_CHECKING:
    from markdown_it.rules_block import StateBlock

_DELIMITER_STARTS: Final = frozenset("|-:")
# As markdown-it has it: two characters at least, and "- | -" is a list item.
_DELIMITER = re.compile(r"(?=..)(?!-[ \t])\|?[ \t]*:?-+:?(?:[ \t]*\|[ \t]*:?-+:?)*[ \t]*\|?$")
_PIPE = re.compile(r"(?<!\\)\|")
_TAG = re.compile(HTML_OPEN_CLOSE_TAG_STR + r"[ \t]*$")


def table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Match a GFM table (GFM 4.10): a header row, a delimiter row with as many cells, rows."""
    line = start + 1
    if line >= end or state.sCount[line] < state.blkIndent:
        return False
    at = state.bMarks[line] + state.tShift[line]
    if state.src[at : at + 1] not in _DELIMITER_STARTS or at >= state.eMarks[line]:
        return False
    if state.is_code_block(line) or state.is_code_block(start):
        return False
    delimiter = state.src[at : state.eMarks[line]].rstrip(" \t")
    header = text_of(state, start).strip(" \t")
    if "|" not in header or not _DELIMITER.match(delimiter):
        return False
    if len(_cells(header)) != len(_cells(delimiter)):
        return False
    if not silent:
        push(state, "table", start, _table_end(state, start + 2, end))
    return True


def _cells(row: str) -> list[str]:
    cells = _PIPE.split(row)
    return cells[not cells[0] : len(cells) - (not cells[-1])]


def _table_end(state: StateBlock, line: int, end: int) -> int:
    (interrupt,) = state.md.block.ruler.getRules("blockquote")
    parent, state.parentType = state.parentType, "table"
    while line < end and state.sCount[line] >= state.blkIndent and not state.isEmpty(line):
        if state.is_code_block(line) or interrupt(state, line, end, True):
            break
        # "| 1 | 2 |" over "</Tab>": a tag alone ends a table, though no paragraph.
        if state.src[state.bMarks[line] + state.tShift[line]] == "<" and _TAG.match(
            text_of(state, line)
        ):
            break
        line += 1
    state.parentType = parent
    return line
