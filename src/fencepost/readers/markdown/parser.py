"""markdown-it-py, set up for spans: block rules only, tried by a line's first character.

The stock parser tries every rule on every line. Here a table says which rules a character can
begin, and which of them may end a paragraph, a list item or a quote; the tokens are the same.
"""

from __future__ import annotations

from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final

from markdown_it import MarkdownIt
from markdown_it.parser_block import ParserBlock, RuleFuncBlockType
from markdown_it.rules_block import StateBlock, blockquote, hr, list_block
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote.index import footnote_def

from fencepost.fences import column
from fencepost.readers.markdown import rules
from fencepost.readers.markdown.lookahead import Lookahead

if TYPE_CHECKING:
    from markdown_it.token import Token

NESTING: Final = (200, 40, 8)
"""Levels of nesting to try: what is deeper becomes a `raw` block. The first that does not overflow
the stack of the caller counts."""

_DIGITS: Final = dict.fromkeys("0123456789", (list_block,))

START: Final[dict[str, tuple[RuleFuncBlockType, ...]]] = {
    "`": (rules.fence,),
    "~": (rules.fence,),
    "$": (rules.math,),
    "\\": (rules.math,),
    ":": (rules.colon,),
    "/": (rules.colon,),
    "!": (rules.indented,),
    "?": (rules.indented,),
    "=": (rules.indented,),
    ">": (blockquote,),
    "-": (hr, list_block),
    "*": (hr, list_block),
    "_": (hr,),
    "+": (list_block,),
    "[": (footnote_def, rules.definition),
    "<": (rules.tag, rules.html),
    "{": (rules.tag,),
    "i": (rules.esm,),
    "e": (rules.esm,),
    "#": (rules.heading,),
    **_DIGITS,
}
"""By a line's first character: the rules that it can begin, in order of precedence."""

_NOT_IN_LISTS: Final = (
    list_block,
    rules.html,
    rules.heading,
    footnote_def,
    rules.definition,
    rules.esm,
)
_NOT_IN_QUOTES: Final = (footnote_def, rules.definition, rules.esm)
_NOT_IN_PARAGRAPHS: Final = (rules.definition, rules.esm)


def _without(*left_out: RuleFuncBlockType) -> dict[str, tuple[RuleFuncBlockType, ...]]:
    rows = {char: tuple(r for r in row if r not in left_out) for char, row in START.items()}
    return {char: row for char, row in rows.items() if row}


INTERRUPT: Final = {
    "paragraph": _without(*_NOT_IN_PARAGRAPHS),
    "reference": _without(*_NOT_IN_PARAGRAPHS),
    "blockquote": _without(*_NOT_IN_QUOTES),
    "list": _without(*_NOT_IN_LISTS),
}
"""By what is being read, then by a line's first character: the rules that end it."""


def _interrupter(chain: str) -> RuleFuncBlockType:
    """Return one rule that asks those which may end a paragraph, a list item or a quote."""
    table = INTERRUPT[chain]
    asks_table = chain in {"paragraph", "reference"}

    def interrupt(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        at = state.bMarks[start] + state.tShift[start]
        row = table.get(state.src[at : at + 1])
        if row is not None and any(rule(state, start, end, silent) for rule in row):
            return True
        if asks_table and rules.table(state, start, end, silent):
            return True
        return state.ddIndent >= 0 and chain != "list" and _definition(state, start, end)

    return interrupt


def _definition(state: StateBlock, start: int, end: int) -> bool:
    """Return whether a line goes on with the definition list that is being read."""
    return bool(state.md.block.deflist(state, start, end, True))  # type: ignore[attr-defined]


class Blocks(ParserBlock):
    """The block parser."""

    def __init__(self, md: MarkdownIt) -> None:
        """Take the rule for definition lists from its plugin; put our interrupters in place."""
        super().__init__()
        md.block = self
        deflist_plugin(md)
        found = {rule.name: rule.fn for rule in self.ruler.__rules__}
        self.deflist: RuleFuncBlockType = found["deflist"]
        """The rule of the plugin."""
        self.ruler.disable([name for name in found if name != "code"])
        for chain in INTERRUPT:
            self.ruler.push(f"interrupt_{chain}", _interrupter(chain), {"alt": [chain]})

    def tokenize(self, state: StateBlock, startLine: int, endLine: int) -> None:  # noqa: N803
        """Read lines as blocks, up to the end of the container that they stand in."""
        ends = rules.lookahead(state).ends
        ends.append(endLine)
        line, empty_lines, limit = startLine, False, self._limit(state)
        while line < endLine:
            state.line = line = state.skipEmptyLines(line)
            if line >= endLine or state.sCount[line] < state.blkIndent:
                break
            if state.level >= limit:
                state.line = endLine
                break
            self._block(state, line, endLine)
            state.tight = not empty_lines
            line = state.line
            # A paragraph may take the blank line after it in nested lists.
            if (line - 1) < endLine and state.isEmpty(line - 1):
                empty_lines = True
            if line < endLine and state.isEmpty(line):
                empty_lines = True
                line += 1
                state.line = line
        ends.pop()

    def parse(
        self,
        src: str,
        md: MarkdownIt,
        env: Any,  # noqa: ANN401
        outTokens: list[Token],  # noqa: N803
    ) -> list[Token] | None:
        """Read a whole text."""
        state = Lines(src, md, env, outTokens)
        self.tokenize(state, state.line, state.lineMax)
        return state.tokens

    def _limit(self, state: StateBlock) -> int:
        return int(state.md.options.maxNesting)

    def _block(self, state: StateBlock, line: int, end: int) -> None:
        """Read one block."""
        at = state.bMarks[line] + state.tShift[line]
        if rules.html_text(state, line, end, False):
            return
        if state.is_code_block(line):
            # Inside a `!!!` body a fence may be indented by four and more.
            if rules.fence(state, line, end, False):
                return
            rules.indented_code(state, line, end, False)
            return
        if rules.table(state, line, end, False):
            return
        kept = state.blkIndent
        if rules.lookahead(state).loose and state.sCount[line] - kept >= rules.CODE_INDENT:
            # "    - a" over "    - b" would be one item: the list rule counts from its container.
            state.blkIndent = state.sCount[line]
        for rule in START.get(state.src[at], ()):
            if rule(state, line, end, False):
                state.blkIndent = kept
                return
        state.blkIndent = kept
        if rules.may_be_term(state, line, end) and self.deflist(state, line, end, False):
            return
        rules.paragraph(state, line, end, False)


class Lines(StateBlock):
    """The state of the block parser, its index of lines made by whole-list operations."""

    def __init__(self, src: str, md: MarkdownIt, env: dict[str, Any], tokens: list[Token]) -> None:
        """Index the lines of a text: where they begin and end, and how far they are indented."""
        super().__init__("", md, env, tokens)
        self.src = src
        lines = src.split("\n")
        # A last line without "\n" that holds only blanks is no line for markdown-it.
        if not lines[-1].strip(" \t"):
            lines.pop()
        lengths = list(map(len, lines))
        indents = [len(line) - len(line.lstrip(" \t")) for line in lines]
        columns = indents.copy()
        if "\t" in src:
            for i, indent in enumerate(indents):
                if indent and "\t" in lines[i][:indent]:
                    columns[i] = column(lines[i][:indent])
        starts = list(accumulate((length + 1 for length in lengths), initial=0))
        starts[-1] = len(src)
        self.bMarks = starts
        self.eMarks = [start + length for start, length in zip(starts, lengths, strict=False)] + [
            len(src)
        ]
        self.tShift = [*indents, 0]
        self.sCount = [*columns, 0]
        self.bsCount = [0] * (len(lines) + 1)
        self.lineMax = len(lines)
        self.indented_code = rules.lookahead(self).dialect != "mdx"
        """Whether four blanks make code: not in MDX, nor inside a component."""

    def is_code_block(self, line: int) -> bool:
        """Return whether a line is indented as code."""
        return self.indented_code and self.sCount[line] - self.blkIndent >= rules.CODE_INDENT


@cache
def _markdown(nesting: int) -> MarkdownIt:
    md = MarkdownIt("commonmark", {"maxNesting": nesting})
    Blocks(md)
    return md


@cache
def inline_parser() -> MarkdownIt:
    """Return the parser for the text of headings: CommonMark with strikethrough."""
    return MarkdownIt("commonmark").enable("strikethrough")


def parse(text: str, lookahead: Lookahead) -> tuple[list[Token], dict[str, Any]]:
    """Return the block tokens of a text (line ends are `\\n`), and the environment.

    The environment holds the link references under `references`.
    """
    for nesting in NESTING:
        env: dict[str, Any] = {"lookahead": lookahead}
        tokens: list[Token] = []
        try:
            md = _markdown(nesting)
            md.block.parse(text, md, env, tokens)
        except RecursionError:
            lookahead = lookahead.again()
            continue
        return tokens, env
    return [], {"lookahead": lookahead}


def definitions_of(text: str) -> dict[str, Any]:
    """Return the link reference definitions of a Markdown text."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    _, env = parse(lines, Lookahead(lines.split("\n"), lines.count("\n")))
    references: dict[str, Any] = env.get("references", {})
    return references
