"""The text of a document, once: decoded, cleaned of what no store takes, and cut into lines."""

from __future__ import annotations

import codecs
import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Final

from fencepost.errors import EncodingError
from fencepost.model import Diagnostic, Dropped

_BAD = re.compile("[\0\ud800-\udfff]")
# Markdown, docutils and editors agree on these three; `str.splitlines` also ends a line at form
# feed, U+0085 and U+2028, which are ordinary characters inside a line.
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|$)")
BOM: Final = "\ufeff"


def decode(data: bytes) -> str:
    """Return the text of bytes in UTF-8 (with or without BOM) or in UTF-16 with BOM.

    Raises:
        EncodingError: they are neither.

    >>> decode("é".encode("utf-16"))
    '\\ufeffé'
    """
    try:
        if data.startswith(codecs.BOM_UTF16_LE):
            return data.decode("utf-16-le")
        if data.startswith(codecs.BOM_UTF16_BE):
            return data.decode("utf-16-be")
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        msg = f"the bytes are not {error.encoding} (byte {error.start}: {error.reason})"
        raise EncodingError(msg) from error


@dataclass(frozen=True)
class Source:
    """A document's text and its lines.

    >>> source = Source.of("one\\r\\ntwo\\x0c2\\rthree")
    >>> [source.line(i) for i in range(source.line_count)]
    ['one', 'two\\x0c2', 'three']
    """

    text: str
    """NUL and lone surrogates are replaced by U+FFFD, so that offsets stay."""
    name: str = ""
    """Name of the document."""
    diagnostics: tuple[Diagnostic, ...] = ()
    """What had to be replaced."""
    dropped: tuple[Dropped, ...] = ()
    """The byte-order mark, if there is one."""

    @classmethod
    def of(cls, text: str, name: str = "") -> Source:
        """Return the source of a text."""
        found: list[Diagnostic] = []
        if _BAD.search(text):
            found = [_replaced(text, one, code, what) for one, code, what in _BAD_KINDS]
            found = [one for one in found if one.line]
            text = _BAD.sub("\ufffd", text)
        bom = (Dropped(0, 1, "bom"),) if text.startswith(BOM) else ()
        return cls(text, name, tuple(found), bom)

    @cached_property
    def lines(self) -> list[str]:
        """Every line with its end, the byte-order mark left out of the first."""
        text = self.text
        if "\r" in text:
            lines = _LINE.findall(text)
            if lines and not lines[-1]:
                lines.pop()
        else:
            lines = [line + "\n" for line in text.split("\n")]
            last = lines.pop()[:-1]
            if last:
                lines.append(last)
        if self.dropped and lines:
            lines[0] = lines[0][1:]
        return lines

    @cached_property
    def starts(self) -> list[int]:
        """Offset of every line's first character, and of the end of the text."""
        first = len(BOM) if self.dropped else 0
        return list(accumulate(map(len, self.lines), initial=first))

    @property
    def line_count(self) -> int:
        """How many lines there are."""
        return len(self.lines)

    def line(self, index: int) -> str:
        """Return a line without its end."""
        return self.lines[index].rstrip("\r\n")

    def line_at(self, offset: int) -> int:
        """Return the line that an offset stands in."""
        return max(0, bisect_right(self.starts, offset, 0, self.line_count) - 1)

    def is_blank(self, index: int) -> bool:
        """Return whether a line holds white space only."""
        return not self.lines[index].strip()

    def end_of(self, index: int) -> int:
        """Return the offset after a line's last character, its line end left out."""
        return self.starts[index] + len(self.line(index))


_BAD_KINDS: Final = (
    ("\0", "nul", "NUL characters"),
    ("[\ud800-\udfff]", "surrogate", "lone surrogates"),
)


def _replaced(text: str, pattern: str, code: str, what: str) -> Diagnostic:
    """Tell where a character that no store takes stands first; line 0 if nowhere."""
    places = [match.start() for match in re.finditer(pattern, text)]
    line = 0 if not places else len(re.findall(r"\r\n|\n|\r", text[: places[0]])) + 1
    message = f"{len(places)} {what} replaced by U+FFFD"
    return Diagnostic("warning", code, message, line)
