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
    if silent:
        return ahead.jsx or closer is not None or start in ahead.tags.closers
    inner = 0
    if closer is not None:
        inner = _least(state, run.end, closer.start)
        if closer.end > limit or inner < state.blkIndent:
            closer = None
    if closer is None:
        push(state, LEAVES[run.kind], start, run.end, run=run)
        return True
    plain = ahead.is_html(run)
    with ahead.inside_tag(state, code=plain and state.indented_code):  # type: ignore[attr-defined]
        body = (run.end, closer.start)
        indent = state.blkIndent if plain else inner
        container(state, "tag", (start, closer.end), body, indent, run=run, closer=closer)
    return True


def html_text(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Match lines right under an HTML tag: HTML to CommonMark, up to a blank line.

    A line of tags and a fence in them are seen all the same.
    """
    ahead = lookahead(state)
    if not ahead.under_html(start):
        return False
    if not silent and start not in ahead.tags.runs and start not in ahead.tags.fences:
        line = start + 1
        limit = min(end, ahead.container_end)
        while line < limit and not state.isEmpty(line):
            if line in ahead.tags.runs or line in ahead.tags.fences:
                break
            line += 1
        push(state, "html_block", start, line)
        ahead.html_lines.add(line)
        return True
    if silent:
        return True
    # "<a>" in the middle of HTML: what follows it, and its closing tag, is HTML too.
    runs = (ahead.tags.runs.get(start), ahead.tags.closer(start))
    ahead.html_lines.update(run.end for run in runs if run)
    return tag(state, start, end, False)


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
