"""The plain text of a heading."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from fencepost.model import Heading
from fencepost.readers.markdown.parser import inline_parser

if TYPE_CHECKING:
    from markdown_it.token import Token

_MARKUP = re.compile(r"[\\`*_\[\]!<>&~]")
# `{#id}`, `{ #id .wide data-x="1" }`, `{.class}`; `{a, b}` is text.
_ATTRIBUTES = re.compile(
    r"(?:^|[ \t]+)\{:?[ \t]*(?P<all>(?:[#.][\w:.-]+|[\w:-]+=(?:\"[^\"]*\"|'[^']*'|[^\s\"'{}]+))"
    r"(?:[ \t]+(?:[#.][\w:.-]+|[\w:-]+=(?:\"[^\"]*\"|'[^']*'|[^\s\"'{}]+)))*)[ \t]*\}$"
)
_ID = re.compile(r"(?:^|\s)#([\w:.-]+)")
_CLOSING = re.compile(r"(?:^|[ \t])#+[ \t]*$")


def read_heading(text: str, level: int, env: dict[str, Any], *, atx: bool) -> Heading:
    """Return level, plain title and given anchor of a heading's source text.

    >>> read_heading("## The `init()` [call](x) {#go} ##", 2, {}, atx=True)
    Heading(level=2, title='The init() call', anchor='go')
    """
    if atx:
        text = text.strip(" \t\r\n").lstrip("#")
        text = _CLOSING.sub("", text)
    text = text.strip()
    anchor = None
    if text.endswith("}"):
        found = _ATTRIBUTES.search(text)
        if found:
            text = text[: found.start()]
            given = _ID.search(found["all"])
            anchor = given[1] if given else None
    return Heading(level, plain_text(text, env), anchor)


def plain_text(text: str, env: dict[str, Any]) -> str:
    """Return inline Markdown as the text that a reader sees, white space collapsed."""
    if _MARKUP.search(text):
        # A link by reference needs the definitions, or the brackets stay in the title.
        known = {"references": env.get("references", {})}
        text = "".join(map(_seen, inline_parser().parseInline(text, known)))
    return " ".join(text.split())


def _seen(token: Token) -> str:
    if token.type in {"softbreak", "hardbreak"}:
        return " "
    if token.type in {"text", "code_inline"}:
        return token.content
    if token.type == "image" and not token.children:
        return token.content
    return "".join(map(_seen, token.children or ()))
