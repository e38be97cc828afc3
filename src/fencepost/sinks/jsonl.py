"""Chunks as JSON: a line each, or one array; UTF-8."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import BinaryIO

    from fencepost.model import Chunk

# JSON allows these in a string as they are, but `str.splitlines` and editors end a line at them.
_LINE_ENDS: Final = {"\x85": "\\u0085", "\u2028": "\\u2028", "\u2029": "\\u2029"}


def encode(chunk: Chunk) -> bytes:
    """Return a chunk as JSON on one line, without a line end."""
    values = chunk.to_dict()
    line = json.dumps(values, ensure_ascii=False)
    if not line.isascii():
        for end, escape in _LINE_ENDS.items():
            if end in line:
                line = line.replace(end, escape)
    try:
        return line.encode()
    except UnicodeEncodeError:  # front matter in JSON can spell half a pair: "\ud800"
        return json.dumps(values).encode()


def write_lines(chunks: Iterable[Chunk], out: BinaryIO) -> None:
    """Write one `Chunk.to_dict()` a line."""
    out.writelines(encode(chunk) + b"\n" for chunk in chunks)


def write_array(chunks: Iterable[Chunk], out: BinaryIO) -> None:
    """Write one array, an element a line."""
    before = b"[\n"
    for chunk in chunks:
        out.write(before + encode(chunk))
        before = b",\n"
    out.write(b"[]\n" if before == b"[\n" else b"\n]\n")
