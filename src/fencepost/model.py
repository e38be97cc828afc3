"""The values that travel from reader to chunk.

Lines and offsets, once for the whole package: a *span* is half-open lines counted from 0; an
*offset* is characters of the document's text, counted from 0. What leaves the package (`Chunk`,
`Diagnostic`) counts lines from 1, both ends inclusive.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Final, Literal, TypeAlias, get_args, overload

from fencepost.errors import DocumentError

Kind: TypeAlias = Literal[
    "heading",
    "paragraph",
    "code",
    "table",
    "list",
    "item",
    "quote",
    "html",
    "tag",
    "admonition",
    "math",
    "definition",
    "definition_list",
    "esm",
    "front_matter",
    "rule",
    "comment",
    "raw",
]
"""What a block can be; `item` stands only inside `list`, and inside `definition_list` as term."""

# "sh [npm]" in a group of code blocks.
_LABEL = re.compile(r"\[([^\]]+)\]")
# "ts{1,3}", "ts:line-numbers", "js,ignore", "ts[src/a.ts]".
_NOT_LANGUAGE = re.compile(r"[{:,\[]")

KINDS: tuple[str, ...] = get_args(Kind)

Insertion: TypeAlias = Literal["fence", "quote-prefix", "list-marker", "tag"]
"""Why text that is not in the source stands in a chunk."""

Metadata: TypeAlias = dict[str, Any]
"""Front matter and the like: JSON values only."""


@dataclass(frozen=True, slots=True)
class Heading:
    """What is known of a heading."""

    level: int
    """1 to 6."""
    title: str
    """Plain text: markup, attribute block and closing `#`s removed."""
    anchor: str | None = None
    """The id given in the source (`{#id}`), if any."""


@dataclass(frozen=True, slots=True)
class Code:
    """What is known of a code block."""

    info: str
    """The info string as written, stripped; empty for indented code."""
    marker: str
    """The opening run (three or more backticks or tildes); empty for indented code."""
    closed: bool = True
    """False where the end of the quote or list item closes the fence."""

    @property
    def label(self) -> str:
        """Return the label that a block has in a group: `[npm]`, or what follows the language.

        >>> Code("sh [npm]", "```").label, Code("sh npm run", "```").label
        ('npm', 'npm run')
        """
        found = _LABEL.search(self.info)
        return found[1] if found else self.info.partition(" ")[2].strip()

    @property
    def language(self) -> str:
        """Return the language: the info string's first word, without braces and attributes.

        >>> Code("{.python .numberLines}", "```").language
        'python'
        >>> Code("ts{1,3} title='a'", "```").language
        'ts'
        """
        word = self.info.split(maxsplit=1)[0] if self.info else ""
        if word.startswith("{"):
            word = word.strip("{}").split(",", 1)[0]
        return _NOT_LANGUAGE.split(word, maxsplit=1)[0].lstrip(".")


@dataclass(frozen=True, slots=True)
class Admonition:
    """What is known of an admonition, a callout or a content tab."""

    form: Literal["callout", "colon", "indented", "tab"]
    """`> [!NOTE]`, `:::note` (or `/// note`), `!!! note` with an indented body, or `=== "Tab"`."""
    type: str
    """`note`, `warning`, ... in lower case; empty for a tab."""
    title: str = ""
    """The title given beside the type; a tab's label."""


@dataclass(frozen=True, slots=True)
class Element:
    """What is known of a component or an HTML element whose tags stand on lines of their own."""

    name: str
    opening: str
    """The opening tag, as written."""
    body: tuple[int, int]
    """Span of the lines between the tags."""
    role: Literal["", "admonition", "tab", "tabs"] = ""
    """What it is like in other dialects, by its name."""
    type: str = ""
    """Of an admonition: `note`, `warning`, ..."""
    title: str = ""
    """Its label or title, if one is given."""
    labels: tuple[str, ...] = ()
    """Of tabs: the labels in order, where they stand on the tag around them."""
    dense: bool = False
    """Whether a heading right under the opening tag counts, without a blank line (MDX)."""


@dataclass(frozen=True, slots=True)
class TagLine:
    """What is known of a line of tags (or of `:::`) that holds no blocks."""

    form: Literal["open", "close", "empty", "shown"]
    """Whether it opens something, closes something, shows something itself (`<Links />`, `<img>`),
    or none of these (`<a id="x"></a>`)."""


CODE_GROUP: Final = "code-group"
"""Type of a `:::` container that is no admonition: its code blocks are tabs (VitePress)."""

Detail: TypeAlias = Heading | Code | Admonition | Element | TagLine | None


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of structure: a span of lines, and what is inside it."""

    kind: Kind
    start: int
    """First line."""
    end: int
    """After the last line that is not blank."""
    children: tuple[Block, ...] = ()
    """In source order, disjoint, inside this span; two may share a line only where a container
    opens on it (`- > text`)."""
    detail: Detail = None
    """What only this kind has."""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """Something about a document that its author may want to know."""

    level: Literal["info", "warning", "error"]
    """`error` raises where `Options.strict` is set."""
    code: str
    """A short name that stays the same: `unclosed-fence`, `nul`, ..."""
    message: str
    """One sentence."""
    line: int
    """From 1."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """A span of the text that stands in no chunk, and why."""

    start: int
    """Offset."""
    end: int
    """Offset, exclusive."""
    reason: str
    """`bom`, `front_matter`, ..."""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what stands under it, down to the next heading that opens a section."""

    path: tuple[str, ...]
    """Plain-text titles, outermost first, own heading included."""
    anchor: str | None
    """Slug of its own heading; None before the first heading."""
    start: int
    """First line: the heading's."""
    end: int
    """After the last line that is not blank."""
    blocks: tuple[Block, ...]
    """In order; the heading is among them unless it stands inside a container."""
    heading: int | None
    """Line of its heading; None before the first heading, and where the heading is empty."""
    content: tuple[tuple[int, int], ...]
    """Spans of what is content of its own: no heading, no line of tags."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of a chunk's text: a slice of the source, or an insertion."""

    text_start: int
    """Offset in `Chunk.text`."""
    text_end: int
    start: int | None = None
    """Offset in `ChunkedDocument.text`; None for an insertion."""
    end: int | None = None
    inserted: Insertion | None = None
    """Why this text was put in; None for a slice of the source."""
    repeated: bool = False
    """True where the slice stood in an earlier chunk too."""

    def to_dict(self) -> dict[str, Any]:
        """Return only the keys that apply.

        >>> Piece(0, 4, inserted="fence").to_dict()
        {'text_start': 0, 'text_end': 4, 'inserted': 'fence'}
        """
        place: dict[str, Any] = {"text_start": self.text_start, "text_end": self.text_end}
        if self.inserted is not None:
            return place | {"inserted": self.inserted}
        place |= {"start": self.start, "end": self.end}
        return place | {"repeated": True} if self.repeated else place


@dataclass(frozen=True, slots=True)
class SectionRef:
    """A section that stands, whole or in part, in a chunk."""

    heading_path: tuple[str, ...]
    anchor: str | None
    start_line: int
    """From 1: the section's first line in this chunk."""
    end_line: int
    """Inclusive."""

    def to_dict(self) -> dict[str, Any]:
        """Return JSON values."""
        return {
            "heading_path": list(self.heading_path),
            "anchor": self.anchor,
            "start_line": self.start_line,
            "end_line": self.end_line,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A part of a document that can be read, embedded and traced back on its own."""

    id: str
    """32 hex characters from document name, heading path and text, and how many equal ones came
    before; the same in every process."""
    text: str
    """The source, verbatim, plus insertions (see `pieces`)."""
    embed_text: str
    """What to embed: the path elements that `text` does not show, a blank line, `text`."""
    heading_path: tuple[str, ...]
    """Plain-text titles, outermost first, own heading included."""
    breadcrumb: str
    """`heading_path` joined with `" > "`, for stores that take scalars only."""
    sections: tuple[SectionRef, ...]
    """Each section in the chunk."""
    kind: str
    """The one kind of block in it, headings and a lead-in aside; `section` for mixtures."""
    has_code: bool
    """Whether it holds any fenced, indented or literal block."""
    code_languages: tuple[str, ...]
    """Languages of its code, in order, once each."""
    token_count: int
    """Exact tokens of `text`."""
    embed_token_count: int
    """Exact tokens of `embed_text`; what the budgets are about."""
    start_index: int
    """Offset in `ChunkedDocument.text` of the first piece that is not repeated."""
    end_index: int
    """Offset, exclusive, of the last one."""
    start_line: int
    """From 1."""
    end_line: int
    """Inclusive."""
    part: int
    """Place among the chunks of its section, from 1."""
    parts: int
    """How many chunks its section has."""
    prev_id: str | None
    next_id: str | None
    section_id: str | None
    """Equal for the chunks of one section."""
    anchor: str | None
    """Slug of its own heading."""
    url: str | None
    """`Options.url` filled in."""
    source: str
    """Name of the document."""
    format: str
    """`markdown`, `mdx`, `rst`, ..."""
    pieces: tuple[Piece, ...]
    """`text`, run by run."""
    metadata: Metadata = field(default_factory=dict)
    """Front matter, admonition types, resolved links, ..."""

    def to_dict(self) -> dict[str, Any]:
        """Return the chunk with JSON values only, keys in the order of the fields."""
        values = {f.name: getattr(self, f.name) for f in _CHUNK_FIELDS}
        values["heading_path"] = list(self.heading_path)
        values["code_languages"] = list(self.code_languages)
        values["sections"] = [section.to_dict() for section in self.sections]
        values["pieces"] = [piece.to_dict() for piece in self.pieces]
        return values


_CHUNK_FIELDS = fields(Chunk)


@dataclass(frozen=True, slots=True)
class ChunkedDocument(Sequence[Chunk]):
    """The chunks of one document, and what they were cut from."""

    chunks: tuple[Chunk, ...]
    """In source order; the document itself is the sequence of them."""
    source: str
    """Name of the document."""
    format: str
    text: str
    """What offsets and lines refer to."""
    metadata: Metadata = field(default_factory=dict)
    """Front matter and the like."""
    diagnostics: tuple[Diagnostic, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    """Spans of `text` that stand in no chunk, with reasons, in order."""

    @overload
    def __getitem__(self, index: int) -> Chunk: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Chunk, ...]: ...
    def __getitem__(self, index: int | slice) -> Chunk | tuple[Chunk, ...]:
        """Return a chunk, or some of them."""
        return self.chunks[index]

    def __len__(self) -> int:
        """Return the number of chunks."""
        return len(self.chunks)

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return every chunk with JSON values only."""
        return [chunk.to_dict() for chunk in self.chunks]

    def restore(self) -> str:
        """Put `text` together again from the pieces of the chunks and what was dropped.

        Only white space may stand between them; anything else raises `DocumentError`.
        """
        spans = [
            (piece.start, piece.end, chunk.text[piece.text_start : piece.text_end])
            for chunk in self.chunks
            for piece in chunk.pieces
            if piece.start is not None and piece.end is not None and not piece.repeated
        ]
        spans += [(span.start, span.end, self.text[span.start : span.end]) for span in self.dropped]
        parts: list[str] = []
        at = 0
        for start, end, text in sorted(spans):
            parts += [_white(self.text, at, start), text]
            at = end
        parts.append(_white(self.text, at, len(self.text)))
        return "".join(parts)


def _white(text: str, start: int, end: int) -> str:
    """Return the white space between two spans; raise if it is more, or if they overlap."""
    gap = text[start:end]
    if end < start or gap.strip():
        line = text.count("\n", 0, min(start, end)) + 1
        what = "overlap" if end < start else "leave text out"
        msg = f"the chunks {what} at offset {min(start, end)} (line {line})"
        raise DocumentError(msg)
    return gap
