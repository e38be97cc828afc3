"""Block rules of our own for markdown-it: they give spans and nothing else, one construct a file.

Each has the signature of a markdown-it rule: `(state, first line, line after the last, silent) ->
matched`; `silent` asks only whether the rule would match, to end a paragraph.
"""

from __future__ import annotations

from fencepost.readers.markdown.rules.containers import colon, indented, parse_header
from fencepost.readers.markdown.rules.definition import definition, may_be_term
from fencepost.readers.markdown.rules.fence import fence
from fencepost.readers.markdown.rules.math import math
from fencepost.readers.markdown.rules.paragraph import heading, indented_code, paragraph
from fencepost.readers.markdown.rules.state import CODE_INDENT, lookahead
from fencepost.readers.markdown.rules.table import table
from fencepost.readers.markdown.rules.tags import esm, html, html_text, tag

__all__ = [
    "CODE_INDENT",
    "colon",
    "definition",
    "esm",
    "fence",
    "heading",
    "html",
    "html_text",
    "indented",
    "indented_code",
    "lookahead",
    "math",
    "may_be_term",
    "paragraph",
    "parse_header",
    "table",
    "tag",
]
