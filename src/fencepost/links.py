"""Relative links and images of a chunk, each resolved against the document's place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

from fencepost.labelling import fill_url
from fencepost.model import Chunk

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token


def resolve_links(chunks: Sequence[Chunk], text: str, template: str) -> tuple[Chunk, ...]:
    """Return the chunks with `metadata["links"]`: each relative link as written, and its URL.

    Links by reference are resolved with the definitions of the whole document.
    """
    references = _references(text)
    return tuple(_with_links(chunk, references, template) for chunk in chunks)


def _with_links(chunk: Chunk, references: dict[str, Any], template: str) -> Chunk:
    base = fill_url(template, chunk.source, None)
    tokens = _parser().parse(chunk.text, {"references": dict(references)})
    links = {
        link: urljoin(base, link) for link in dict.fromkeys(_targets(tokens)) if _relative(link)
    }
    if not links:
        return chunk
    return replace(chunk, metadata=chunk.metadata | {"links": links})


def _relative(link: str) -> bool:
    try:
        parts = urlsplit(link)
    except ValueError:
        # "http://[broken": no address, so nothing to resolve.
        return False
    return bool(link) and not parts.scheme and not parts.netloc


def _targets(tokens: Sequence[Token]) -> Iterator[str]:
    for token in tokens:
        for name in ("href", "src"):
            if name in token.attrs:
                yield str(token.attrs[name])
        yield from _targets(token.children or ())


def _references(text: str) -> dict[str, Any]:
    from fencepost.readers.markdown.parser import definitions_of

    return definitions_of(text)


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").enable("table")
    # Links stay as they are written.
    parser.normalizeLink = lambda url: url  # type: ignore[method-assign]
    return parser
