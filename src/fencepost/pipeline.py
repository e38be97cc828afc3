"""The whole flow, readable in one screen; and `Chunker`, which holds the options for it."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field

from fencepost.breadcrumbs import Breadcrumbs
from fencepost.cutting.ground import Ground, StrippedMeasure
from fencepost.cutting.skipping import Skips
from fencepost.errors import DocumentError
from fencepost.joining import draft_sections
from fencepost.labelling import label
from fencepost.links import resolve_links
from fencepost.model import Block, ChunkedDocument, Diagnostic
from fencepost.options import Options
from fencepost.places import Document
from fencepost.readers import Reader, Reading, reader_for
from fencepost.refitting import refit
from fencepost.sections import fold_sections
from fencepost.source import Source, decode
from fencepost.tokens import Counter, Measure, counter_for

DEFAULT_FORMAT = "markdown"


def chunk_source(source: Source, format: str, read: Reader, options: Options) -> ChunkedDocument:
    """Return the chunks of a document: read, fold, pack, label."""
    clock = _Clock(options.time_limit_s)
    reading = read(source, options)
    clock.check()
    counter = counter_for(options.tokenizer)
    ground = _ground(source, reading, counter, options)
    crumbs = Breadcrumbs(counter, wanted=options.breadcrumb)

    def keep(block: Block) -> bool:
        start, end = ground.start(block.start), ground.end(block.end)
        return ground.fits(start, end, options.max_tokens)

    title = reading.metadata.get("title")
    sections = fold_sections(
        reading.blocks, options.split_levels, title if isinstance(title, str) else None, keep
    )
    drafts = draft_sections(sections, ground, crumbs)
    clock.check()
    drafts = refit(drafts, ground)
    outline = reading.blocks if reading.outline is None else reading.outline
    document = Document(ground, crumbs, sections, outline, reading.metadata, format)
    chunks = label(drafts, document)
    if options.url is not None:
        chunks = resolve_links(chunks, source.text, options.url)
    clock.check()
    diagnostics = _sorted([*source.diagnostics, *reading.diagnostics, *ground.notes])
    _refuse_errors(diagnostics, options)
    return ChunkedDocument(
        chunks,
        source.name,
        format,
        source.text,
        reading.metadata,
        diagnostics,
        (*source.dropped, *reading.dropped),
    )


def _ground(source: Source, reading: Reading, counter: Counter, options: Options) -> Ground:
    """Return what the cutters need to know; what is stripped counts for nothing."""
    if reading.outline is None:
        measure = Measure(source.text, source.starts, counter)
        return Ground(source, measure, counter, options, Skips(source.text))
    stripped = [*((span.start, span.end) for span in reading.dropped), *reading.dedents]
    skips = Skips(source.text, stripped)
    return Ground(source, StrippedMeasure(skips, counter), counter, options, skips)


@dataclass(frozen=True, slots=True)
class Chunker:
    """Cuts documents with one set of options. It keeps no state and can be pickled.

    >>> doc = Chunker(Options(max_tokens=512)).chunk("# Gate\\n\\nMind the gap.\\n")
    >>> doc[0].heading_path, doc[0].text
    (('Gate',), '# Gate\\n\\nMind the gap.')
    """

    options: Options = field(default_factory=Options)

    def chunk(
        self,
        text: str | bytes,
        *,
        format: str | None = None,
        source: str = "",
    ) -> ChunkedDocument:
        """Return the chunks of a document.

        Args:
            text: the document, decoded or not.
            format: `markdown`, ...; what the suffix of `source` says, else Markdown.
            source: name of the document, used for ids and links.

        Raises:
            UnknownFormatError: there is no reader for the format.
            EncodingError: bytes that are neither UTF-8 nor UTF-16 with BOM.
            DocumentError: the document is past a limit, or faulty where `strict` is set.
        """
        name = format or format_for(source)
        read = reader_for(name)
        limit = self.options.max_document_bytes
        if limit is not None and _size(text, limit) > limit:
            msg = f"the document has more than max_document_bytes={limit}"
            raise DocumentError(msg)
        decoded = decode(text) if isinstance(text, bytes) else text
        return chunk_source(Source.of(decoded, source), name, read, self.options)


def format_for(name: str) -> str:
    """Return the format that a document's name tells, Markdown where it tells none."""
    from fencepost.readers import format_of

    found = format_of(name) if name else None
    return found.name if found else DEFAULT_FORMAT


def _size(text: str | bytes, limit: int) -> int:
    if isinstance(text, bytes) or len(text) > limit:
        return len(text)
    return len(text.encode("utf-8", "surrogatepass"))


@dataclass(frozen=True, slots=True)
class _Clock:
    limit: float | None
    began: float = field(default_factory=time.monotonic)

    def check(self) -> None:
        """Raise if the document has taken longer than it may."""
        if self.limit is not None and time.monotonic() - self.began > self.limit:
            msg = f"the document took longer than time_limit_s={self.limit}"
            raise DocumentError(msg)


def _sorted(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    return tuple(sorted(diagnostics, key=lambda one: one.line))


def _refuse_errors(diagnostics: Iterable[Diagnostic], options: Options) -> None:
    found = next((one for one in diagnostics if one.level == "error"), None)
    if options.strict and found is not None:
        msg = f"line {found.line}: {found.code}: {found.message}"
        raise DocumentError(msg)
