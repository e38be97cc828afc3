"""Show chunks as text that a person can read, and spell characters that nobody can see.

A chunk is a line with its path, kind and place, then its text. What the source does not hold there
is marked: «fence:```py¶» was put in, «again:| a | b |¶» stood in an earlier chunk too. A mark that
ends in ¶ ends a line. Unseen characters have names: «CR» «NUL» «BOM» «TAB» «FF» «LS», «SP» for a
blank at the end of a line, «DOT» for a line that holds one dot, «U+200B» for any other; «END» is
the end of a text without a line end, «3*ab» is `ababab`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from fencepost.model import Chunk, ChunkedDocument, Piece

NAMES: Final = {
    "\r": "CR",
    "\0": "NUL",
    "\ufeff": "BOM",
    "\t": "TAB",
    "\f": "FF",
    "\u2028": "LS",
    "\u00a0": "NBSP",
}
CHARACTERS: Final = {name: char for char, name in NAMES.items()} | {"SP": " ", "DOT": "."}

_UNSEEN = re.compile("[\0-\x08\x0b-\x1f\t\x7f-\x9f\u00a0\u200b\u2028\u2029\ufeff\ud800-\udfff]")
_LAST_BLANK = re.compile(r" (?=\n|\Z)")
_LONE_DOT = re.compile(r"^\.$", re.MULTILINE)
_SPELLED = re.compile(
    r"«(?:(?P<name>[A-Z]{2,4})|U\+(?P<code>[0-9A-F]{4,6})|(?P<times>\d+)\*(?P<run>[^»]*))»"
)
_LONGEST_LINE: Final = 240
_LONGEST_TITLE: Final = 60
_MOST_LINES: Final = 30
_MOST_CHUNKS: Final = 40


def spell(text: str) -> str:
    """Return a text with its unseen characters named.

    >>> spell("a\\r\\nb \\n.")
    'a«CR»\\nb«SP»\\n«DOT»'
    """
    text = _UNSEEN.sub(lambda one: f"«{NAMES.get(one[0], f'U+{ord(one[0]):04X}')}»", text)
    return _LONE_DOT.sub("«DOT»", _LAST_BLANK.sub("«SP»", text))


def unspell(text: str) -> str:
    """Return the text that was spelled.

    >>> unspell("a«CR»\\n«3*ab»«U+200B»")
    'a\\r\\nababab\\u200b'
    """
    return _SPELLED.sub(_meant, text).split("«END»", 1)[0]


def _meant(mark: re.Match[str]) -> str:
    if mark["times"]:
        return mark["run"].replace("¶", "\n") * int(mark["times"])
    if mark["code"]:
        return chr(int(mark["code"], 16))
    return CHARACTERS.get(mark["name"], mark[0])


def show(doc: ChunkedDocument, *, extra: Sequence[str] = (), brief: bool = False) -> str:
    """Return a document's chunks, what was dropped, its metadata and diagnostics.

    Args:
        doc: the chunks.
        extra: further fields of a chunk to show.
        brief: show of every slice its first and its last line only.
    """
    shown = [
        "\n".join([_header(number, chunk), *_fields(chunk, extra), *_body(chunk, brief=brief)])
        for number, chunk in enumerate(doc, 1)
    ]
    if len(shown) > _MOST_CHUNKS:
        left_out = f"«{len(shown) - _MOST_CHUNKS} chunks»"
        shown = [*shown[: _MOST_CHUNKS - 4], left_out, *shown[-4:]]
    notes = [_dropped(doc, span.start, span.end, span.reason) for span in doc.dropped]
    if doc.metadata:
        notes.append(f"metadata {json.dumps(doc.metadata, ensure_ascii=False)}")
    notes += [f"{one.level} {one.code} · line {one.line}" for one in doc.diagnostics]
    return "\n\n".join([*shown, "\n".join(notes)] if notes else shown) or "no chunks"


def _header(number: int, chunk: Chunk) -> str:
    parts = [f"▌{number} {_path(chunk.heading_path) or '(no path)'}", chunk.kind]
    parts.append(f"lines {chunk.start_line}-{chunk.end_line}")
    if chunk.parts > 1:
        parts.append(f"part {chunk.part} of {chunk.parts}")
    if chunk.has_code:
        parts.append(f"with {', '.join(chunk.code_languages) or 'code'}")
    crumb = chunk.embed_text.removesuffix(chunk.text).rstrip("\n")
    if crumb:
        parts.append(f"under {_short(crumb, _LONGEST_TITLE * 2)}")
    if len(chunk.sections) > 1:
        parts.append(f"holds {'; '.join(_path(one.heading_path) for one in chunk.sections)}")
    return spell(" · ".join(parts))


def _path(titles: Sequence[str]) -> str:
    return " > ".join(_short(title, _LONGEST_TITLE) for title in titles)


def _fields(chunk: Chunk, extra: Sequence[str]) -> Iterator[str]:
    for name in extra:
        yield f"{name} = {json.dumps(chunk.to_dict()[name], ensure_ascii=False)}"


def _dropped(doc: ChunkedDocument, start: int, end: int, reason: str) -> str:
    first = doc.text.count("\n", 0, start) + 1
    return f"dropped {reason} · lines {first}-{first + doc.text.count(chr(10), start, end)}"


def _body(chunk: Chunk, *, brief: bool) -> list[str]:
    parts = []
    for piece in chunk.pieces:
        text = chunk.text[piece.text_start : piece.text_end]
        reason = "again" if piece.repeated else piece.inserted
        parts.append(_marked(reason, text) if reason else _plain(piece, text, brief=brief))
    lines = _joined(parts).split("\n")
    return lines if brief else [_short(line) for line in _few(lines)]


def _plain(piece: Piece, text: str, *, brief: bool) -> str:
    assert piece.start is not None
    text = spell(text)
    if not brief:
        return text
    lines = text.split("\n")
    kept = lines if len(lines) <= 3 else [lines[0], f"«{len(lines) - 2} lines»", lines[-1]]
    return "\n".join(_short(line, 72) for line in kept)


def _marked(reason: str, text: str) -> str:
    if not text.strip("\n"):
        return f"«{reason}:{'¶' * len(text)}»"
    before = "\n" if text.startswith("\n") else ""
    return f"{before}«{reason}:{spell(text).replace(chr(10), '¶')}»"


def _joined(parts: Sequence[str]) -> str:
    """Join the parts of a text; a mark that ends in a line end is followed by one."""
    return "".join(
        one + "\n" if one.endswith("¶»") and after and not after.startswith("\n") else one
        for one, after in pairwise([*parts, ""])
    )


def _few(lines: list[str]) -> list[str]:
    if len(lines) <= _MOST_LINES:
        return lines
    half = _MOST_LINES // 2 - 1
    return [*lines[:half], f"«{len(lines) - 2 * half} lines»", *lines[-half:]]


def _short(line: str, longest: int = _LONGEST_LINE) -> str:
    if len(line) <= longest:
        return line
    half = longest // 2 - 8
    return f"{line[:half]}«{len(line) - 2 * half} more»{line[-half:]}"
