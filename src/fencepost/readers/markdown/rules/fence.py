"""Fences (CommonMark 4.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fencepost import fences
from fencepost.readers.markdown.rules.state import lookahead, push

if TYPE_CHECKING:
    from markdown_it.rules_block import StateBlock


def fence(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Match a fence; one that nothing closes before the end of the document is text.

    CommonMark 4.5, but for that and for indentation inside `!!!` and `===` bodies.
    """
    at = state.bMarks[start] + state.tShift[start]
    if state.src[at : at + 3] not in {"```", "~~~"}:
        return False
    ahead = lookahead(state)
    if state.is_code_block(start) and not ahead.loose:
        return False
    opening = fences.opening(state.src[at : state.eMarks[start]])
    if opening is None:
        return False
    found = _fence_end(state, start, min(end, ahead.container_end), opening)
    if found is None:
        ahead.unclosed.add(start)
        return False
    if not silent:
        line, closed = found
        push(state, "fence", start, line, opening=opening, closed=closed)
    return True


def _fence_end(
    state: StateBlock, start: int, end: int, opening: fences.Opening
) -> tuple[int, bool] | None:
    """Return the line after a fence, and whether a line closes it; None where it is text."""
    ahead = lookahead(state)
    key = (start, end, state.blkIndent)
    if key in ahead.fence_ends:
        return ahead.fence_ends[key]
    place = (opening.marker[0], end, state.blkIndent)
    raw = ahead.tags.fences.get(start) if ahead.loose else None
    if raw is not None and raw.end <= end:
        ahead.fence_ends[key] = raw.end, True
        return raw.end, True
    least = ahead.failed.get(place)
    found = None
    if least is None or len(opening.marker) < least:
        found = _search(state, start, end, opening)
        if found is None:
            ahead.failed[place] = len(opening.marker)
    ahead.fence_ends[key] = found
    return found


def _search(
    state: StateBlock, start: int, end: int, opening: fences.Opening
) -> tuple[int, bool] | None:
    ahead = lookahead(state)
    char = opening.marker[0]
    most = state.sCount[start] + fences.SLACK if ahead.loose else state.blkIndent + fences.SLACK
    line = start + 1
    while line < end:
        at = state.bMarks[line] + state.tShift[line]
        if at < state.eMarks[line]:
            if state.sCount[line] < state.blkIndent:
                # "- ```" over " text": the item, and the fence with it, has ended.
                break
            if (
                state.src[at] == char
                and state.sCount[line] <= most
                and opening.closed_by(state.src[at : state.eMarks[line]])
            ):
                return line + 1, True
        line += 1
    # The end of a component or of a `!!!` body closes nothing.
    return None if ahead.loose or line > ahead.last_line else (line, False)
