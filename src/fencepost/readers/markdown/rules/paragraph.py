"""Paragraphs, headings and indented code (CommonMark 4.2 to 4.4 and 4.8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fencepost.readers.markdown.rules.state import CODE_INDENT, lookahead, push, text_of

if TYPE_CHECKING:
    from markdown_it.rules_block import StateBlock


def indented_code(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: ARG001
    """Match indented code (CommonMark 4.4)."""
    if not state.is_code_block(start):
        return False
    line = last = start + 1
    while line < end:
        if not state.isEmpty(line):
            if not state.is_code_block(line):
                break
            last = line + 1
        line += 1
    push(state, "code_block", start, last)
    return True


def paragraph(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: ARG001
    """Match a setext heading or a paragraph, in one scan (CommonMark 4.3 and 4.8)."""
    (interrupt,) = state.md.block.ruler.getRules("paragraph")
    parent, state.parentType = state.parentType, "paragraph"
    src, loose = state.src, bool(lookahead(state).loose)
    line, limit = start + 1, state.lineMax
    level = 0
    stuck = lookahead(state).sticks(start)
    while line < limit:
        at = state.bMarks[line] + state.tShift[line]
        if at >= state.eMarks[line]:
            break
        indent = state.sCount[line]
        if indent - state.blkIndent < CODE_INDENT or loose:
            if indent >= state.blkIndent and line < end and src[at] in "=-" and not stuck:
                level = _underline(state, line)
                if level:
                    break
            # A lazy line of a quote was looked at by the quote's own rule.
            if indent >= 0 and interrupt(state, line, limit, True):
                break
        line += 1
    state.parentType = parent
    if level:
        push(state, "heading", start, line + 1, level=level, last=line)
    else:
        push(state, "paragraph", start, line)
    return True


def _underline(state: StateBlock, line: int) -> int:
    run = text_of(state, line).rstrip(" \t")
    if run.strip(run[0]):
        return 0
    return 1 if run[0] == "=" else 2


def heading(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: ARG001
    """Match an ATX heading (CommonMark 4.2)."""
    at = state.bMarks[start] + state.tShift[start]
    if state.src[at : at + 1] != "#" or state.is_code_block(start):
        return False
    text = state.src[at : state.eMarks[start]]
    level = len(text) - len(text.lstrip("#"))
    if lookahead(state).sticks(start):
        return False
    if level > 6 or (level < len(text) and text[level] not in " \t"):  # noqa: PLR2004
        return False
    if not silent:
        push(state, "heading", start, start + 1, level=level, last=0)
    return True
