"""What every rule asks of the parser's state, and how it leaves a token."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from fencepost.readers.markdown.lookahead import Lookahead

if TYPE_CHECKING:
    from markdown_it.rules_block import StateBlock

CODE_INDENT: Final = 4
"""Blanks that make code of a line."""


def lookahead(state: StateBlock) -> Lookahead:
    """Return what was found out about the document before it was parsed."""
    found: Lookahead = state.env["lookahead"]
    return found


def text_of(state: StateBlock, line: int) -> str:
    """Return a line without the prefix of its containers, its indentation and its end."""
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


def push(state: StateBlock, kind: str, start: int, end: int, **meta: Any) -> None:  # noqa: ANN401
    """Leave a token for a block and go on after it."""
    token = state.push(kind, "", 0)
    token.map = [start, end]
    token.meta = meta
    state.line = end
