"""Block rules of our own for markdown-it: they give spans and nothing else.

Each has the signature of a markdown-it rule: `(state, first line, line after the last, silent) ->
matched`; `silent` asks only whether the rule would match, to end a paragraph.
"""

from __future__ import annotations

import re
from typing import Any, Final

from markdown_it.common.html_re import HTML_OPEN_CLOSE_TAG_STR
from markdown_it.rules_block import StateBlock
from markdown_it.rules_block import html_block as stock_html
from markdown_it.rules_block import reference as stock_reference

from fencepost import fences
from fencepost.readers.markdown.lookahead import Lookahead

CODE_INDENT: Final = 4
MATH_LINES: Final = 1000
"""Most lines of a formula: a hundred thousand `\\begin{a}` must not each be searched to the end."""

_COLON = re.compile(r":{3,}[ \t]*\S|/{3,}[ \t]+[\w-]")
_INDENTED = re.compile(
    r"(?P<mark>!!!|\?\?\?\+?)[ \t]+(?P<type>[\w-]+(?:[ \t]+[\w-]+)*)?[ \t]*"
    r"(?P<title>\"[^\"]*\")?[ \t]*$"
    r"|===[!+]{0,2}[ \t]+(?P<label>\"[^\"]*\"|'[^']*')[ \t]*$"
)
_DELIMITER_STARTS: Final = frozenset("|-:")
# As markdown-it has it: two characters at least, and "- | -" is a list item.
_DELIMITER = re.compile(r"(?=..)(?!-[ \t])\|?[ \t]*:?-+:?(?:[ \t]*\|[ \t]*:?-+:?)*[ \t]*\|?$")
_PIPE = re.compile(r"(?<!\\)\|")
_VERBATIM = re.compile(r"<!--|<(?:script|pre|style|textarea)\b", re.IGNORECASE)
_TAG = re.compile(HTML_OPEN_CLOSE_TAG_STR + r"[ \t]*$")
_BEGIN = re.compile(r"\\begin\{([a-zA-Z]+\*?)\}")


def lookahead(state: StateBlock) -> Lookahead:
    """Return what was found out about the document before it was parsed."""
    found: Lookahead = state.env["lookahead"]
    return found


def text_of(state: StateBlock, line: int) -> str:
    """Return a line without the prefix of its containers, its indentation and its end."""
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


def _push(state: StateBlock, kind: str, start: int, end: int, **meta: Any) -> None:  # noqa: ANN401
    token = state.push(kind, "", 0)
    token.map = [start, end]
    token.meta = meta
    state.line = end


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
        _push(state, "fence", start, line, opening=opening, closed=closed)
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
    return None if line > ahead.last_line else (line, False)


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
        _push(state, LEAVES[run.kind], start, run.end, run=run)
        return True
    with ahead.inside_tag(state):
        body = (run.end, closer.start)
        _container(state, "tag", (start, closer.end), body, inner, run=run, closer=closer)
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
        _push(state, "esm", start, run.end)
    return True


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
    _push(state, "code_block", start, last)
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
        _push(state, "heading", start, line + 1, level=level, last=line)
    else:
        _push(state, "paragraph", start, line)
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
        _push(state, "heading", start, start + 1, level=level, last=0)
    return True


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
        _push(state, "table", start, _table_end(state, start + 2, end))
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


def may_be_term(state: StateBlock, start: int, end: int) -> bool:
    """Return whether the line after this one, or the next but one, begins a definition."""
    line = start + 1
    if line < end and state.isEmpty(line):
        line += 1
    at = state.bMarks[line] + state.tShift[line] if line < end else len(state.src)
    return state.src[at : at + 1] in {":", "~"}


def definition(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Match a link reference definition, and leave a token where the stock rule leaves none."""
    if not stock_reference(state, start, end, silent):
        return False
    _push(state, "definition", start, state.line)
    return True


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
        _push(state, "math", start, last + 1)
    return True


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
    _container(state, "colon", (start, close + 1), (start + 1, close), state.blkIndent)
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
    _container(state, "indented", (start, last), (start + 1, last), inner)
    ahead.loose -= 1
    return True


def _container(
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
