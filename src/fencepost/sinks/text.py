"""Chunks as a person reads them: a line that says what it is, then the text.

Every line of text stands behind a mark of two columns: blank for the source, `+ ` for a line that
was put in, `= ` for one repeated from an earlier chunk, `~ ` for a line with both kinds.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import BinaryIO

    from rich.console import Console

    from fencepost.model import Chunk

Run: TypeAlias = tuple[str, str]
"""Text without line ends, and the mark of the piece that it comes from."""

_SOURCE, _INSERTED, _REPEATED, _BOTH = " ", "+", "=", "~"
_LINE_END: Final = re.compile(r"\r\n|\n|\r")
# A document with an escape sequence in it (`\x1b[2J`) must not drive the reader's terminal.
_PICTURES: Final = {code: 0x2400 + code for code in range(32) if code != ord("\t")} | {
    0x7F: 0x2421,
    **dict.fromkeys(range(0x80, 0xA0), 0xFFFD),
}


def header(chunk: Chunk) -> str:
    """Return the line above a chunk: path, place, kind, size and part."""
    parts = [
        chunk.breadcrumb or "(no heading)",
        f"{chunk.source or '-'}:{chunk.start_line}-{chunk.end_line}",
        chunk.kind,
        f"{chunk.embed_token_count} tokens",
    ]
    if chunk.parts > 1:
        parts.append(f"part {chunk.part}/{chunk.parts}")
    return "── " + " · ".join(parts)


def write(chunks: Iterable[Chunk], out: BinaryIO) -> None:
    """Write chunks without colour, text unwrapped, a blank line after each."""
    for chunk in chunks:
        lines = [header(chunk)]
        lines += [(_mark(line) + " " + _plain(line)).rstrip(" ") for line in lines_of(chunk)]
        out.write(("\n".join(lines) + "\n\n").encode("utf-8", "replace"))


def show(chunks: Iterable[Chunk], console: Console) -> None:
    """Print chunks on a terminal, with what does not come from the source dimmed."""
    from rich.text import Text

    for chunk in chunks:
        console.print(Text(header(chunk).translate(_PICTURES), "bold cyan"), soft_wrap=True)
        for line in lines_of(chunk):
            shown = Text(_mark(line) + " ")
            for text, mark in line:
                shown.append(text.translate(_PICTURES), "" if mark == _SOURCE else "dim italic")
            console.print(shown, soft_wrap=True)
        console.print()


def lines_of(chunk: Chunk) -> Iterator[list[Run]]:
    """Yield the lines of a chunk's text, each as runs of one origin."""
    line: list[Run] = []
    for piece in chunk.pieces:
        mark = _REPEATED if piece.repeated else _SOURCE
        if piece.inserted is not None:
            mark = _INSERTED
        first, *rest = _LINE_END.split(chunk.text[piece.text_start : piece.text_end])
        line.append((first, mark))
        for text in rest:
            yield line
            line = [(text, mark)]
    if _plain(line):
        yield line


def _mark(line: list[Run]) -> str:
    marks = {mark for text, mark in line if text.strip()}
    if len(marks) > 1:
        return _BOTH
    return marks.pop() if marks else _SOURCE


def _plain(line: list[Run]) -> str:
    return "".join(text for text, _ in line)
