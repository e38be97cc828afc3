"""Markdown: CommonMark, tables, footnotes, definition lists, math, admonitions, front matter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fencepost.fences import Runs
from fencepost.model import Block, Diagnostic, Dropped, Metadata
from fencepost.readers import Reading
from fencepost.readers.front_matter import read_front_matter
from fencepost.readers.markdown.fold import fold
from fencepost.readers.markdown.lookahead import Lookahead
from fencepost.readers.markdown.parser import parse
from fencepost.readers.markdown.strip import strip
from fencepost.readers.markdown.tags import Tags, dialect_of, scan_tags

if TYPE_CHECKING:
    from fencepost.options import Options
    from fencepost.source import Source


def read(source: Source, options: Options, *, mdx: bool = False) -> Reading:
    """Return the blocks of a Markdown document.

    >>> from fencepost.options import Options
    >>> from fencepost.source import Source
    >>> [block.kind for block in read(Source.of("# A\\n\\n- b\\n"), Options()).blocks]
    ['heading', 'list']
    """
    front = read_front_matter(source)
    metadata: Metadata = {}
    dropped: tuple[Dropped, ...] = ()
    diagnostics: list[Diagnostic] = []
    kept: tuple[Block, ...] = ()
    if front.error:
        message = f"front matter kept as text: {front.error}"
        diagnostics.append(Diagnostic("error", "front-matter", message, 1))
        kept = (Block("raw", 0, front.end),)
    elif front.end:
        metadata = front.metadata
        end = source.end_of(front.end - 1)
        dropped = (Dropped(source.starts[0], end, "front_matter"),)
    lookahead = _look(source, front.end, options, mdx=mdx)
    tokens, env = parse(_plain_text(source, front.end), lookahead)
    blocks = (*kept, *fold(source, tokens, env, front.end))
    diagnostics += [
        Diagnostic("error", "unclosed-fence", "a fence that nothing closes is text", line + 1)
        for line in sorted(env["lookahead"].unclosed)
    ]
    if options.mdx != "strip":
        return Reading(blocks, metadata, dropped, diagnostics=tuple(diagnostics))
    left, stripped, dedents = strip(source, blocks, lookahead)
    return Reading(left, metadata, (*dropped, *stripped), dedents, blocks, tuple(diagnostics))


def _look(source: Source, first: int, options: Options, *, mdx: bool) -> Lookahead:
    """Return what is to be known of the lines from one on before they are parsed."""
    lines = source.lines
    last = len(lines) - 1
    while last >= first and source.is_blank(last):
        last -= 1
    ended = "\r" in source.text
    rest = ["\n"] * first + (
        [source.line(i) + "\n" for i in range(first, len(lines))] if ended else lines[first:]
    )
    dialect = dialect_of("".join(rest), options.mdx, mdx=mdx)
    tags = Tags() if dialect == "off" else scan_tags(rest, dialect, Runs(rest))
    return Lookahead(rest, last, loose=int(dialect == "mdx"), tags=tags, dialect=dialect)


def _plain_text(source: Source, first: int) -> str:
    """Return the text for the parser: line for line the source, front matter blanked."""
    if "\r" in source.text:
        return "\n" * first + "".join(
            source.line(i) + "\n" for i in range(first, source.line_count)
        )
    return "\n" * first + source.text[source.starts[first] :]
