"""Lines of tags, HTML blocks (CommonMark 4.6), imports and exports."""

from __future__ import annotations

import re
from typing import Final

from markdown_it.rules_block import StateBlock
from markdown_it.rules_block import html_block as stock_html

from fencepost.readers.markdown.rules.containers import container
from fencepost.readers.markdown.rules.state import lookahead, push, text_of

_VERBATIM = re.compile(r"<!--|<(?:script|pre|style|textarea)\b", re.IGNORECASE)


def tag(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Match a line of tags alone: a container, if a later line closes what it opens."""
    ahead = lookahead(state)
    run = ahead.tags.runs.get(start)
    limit = min(end, ahead.container_end)
    if run is None or run.end > limit:
        return False
    closer = ahead.tags.closer(start)
    inner = 0
    if closer is not None:
        inner = _least(state, run.end, closer.start)
        if closer.end > limit or inner < state.blkIndent:
            closer = None
    if silent:
        return ahead.jsx or closer is not None or start in ahead.tags.closers
    if closer is None:
        push(state, LEAVES[run.kind], start, run.end, run=run)
        return True
    with ahead.inside_tag(state):
        body = (run.end, closer.start)
        container(state, "tag", (start, closer.end), body, inner, run=run, closer=closer)
    return True


LEAVES: Final = {"tag": "tag", "comment": "comment", "esm": "esm", "html": "html_block"}
"""Token types by kind of run."""


def _least(state: StateBlock, start: int, end: int) -> int:
    """Return how far the lines of a body are indented at least, code in fences aside."""
    fenced = lookahead(state).tags.fences
    columns = []
    line = start
    while line < end:
        if not state.isEmpty(line):
            columns.append(state.sCount[line])
        line = fenced[line].end if line in fenced else line + 1
    return min(columns, default=state.blkIndent)


def html(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Match an HTML block (CommonMark 4.6), not past a fence under it; none in MDX."""
    ahead = lookahead(state)
    if ahead.dialect == "mdx" or not stock_html(state, start, end, silent):
        return False
    first = text_of(state, start)
    if not silent and ahead.dialect != "off" and not _VERBATIM.match(first):
        token = state.tokens[-1]
        after = next((i for i in range(start + 1, state.line) if i in ahead.tags.fences), None)
        if after is not None:
            token.map = [start, after]
            state.line = after
    return True


def esm(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Match a block of imports and exports, in MDX."""
    run = lookahead(state).tags.runs.get(start)
    if run is None or run.kind != "esm" or run.end > end:
        return False
    if not silent:
        push(state, "esm", start, run.end)
    return True
