"""Formulas."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from fencepost.readers.markdown.rules.state import lookahead, push

if TYPE_CHECKING:
    from markdown_it.rules_block import StateBlock

MATH_LINES: Final = 1000
"""Most lines of a formula: a hundred thousand `\\begin{a}` must not each be searched to the end."""
_BEGIN = re.compile(r"\\begin\{([a-zA-Z]+\*?)\}")


def math(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    r"""Match `$$` … `$$` and `\begin{x}` … `\end{x}`, blank lines inside allowed."""
    at = state.bMarks[start] + state.tShift[start]
    if state.src[at : at + 2] not in {"$$", "\\b"} or state.is_code_block(start):
        return False
    text = state.src[at : state.eMarks[start]].rstrip(" \t")
    if text.startswith("$$"):
        if text.endswith("$$") and len(text) > 3:  # noqa: PLR2004
            last: int | None = start
        else:
            last = lookahead(state).next_dollars(start) if "$$" not in text[2:] else None
    else:
        name = _BEGIN.match(text)
        last = lookahead(state).next_end(name[1], start) if name else None
    if last is None or last >= min(end, lookahead(state).container_end, start + MATH_LINES):
        return False
    if state.blkIndent and any(
        state.sCount[line] < state.blkIndent and not state.isEmpty(line)
        for line in range(start, last + 1)
    ):
        return False
    if not silent:
        push(state, "math", start, last + 1)
    return True
