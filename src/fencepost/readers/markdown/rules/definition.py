"""Link reference definitions (CommonMark 4.7), and what may be a term of a definition list."""

from __future__ import annotations

from markdown_it.rules_block import StateBlock
from markdown_it.rules_block import reference as stock_reference

from fencepost.readers.markdown.rules.state import push


def definition(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Match a link reference definition, and leave a token where the stock rule leaves none."""
    if not stock_reference(state, start, end, silent):
        return False
    push(state, "definition", start, state.line)
    return True


def may_be_term(state: StateBlock, start: int, end: int) -> bool:
    """Return whether the line after this one, or the next but one, begins a definition."""
    line = start + 1
    if line < end and state.isEmpty(line):
        line += 1
    at = state.bMarks[line] + state.tShift[line] if line < end else len(state.src)
    return state.src[at : at + 1] in {":", "~"}
