"""tiktoken encodings: where their vocabulary comes from, and how wide their tokens are.

`cl100k_base` is built from the rank file in `fencepost/data`; nothing is downloaded for it.
"""

from __future__ import annotations

import re
from binascii import a2b_base64
from functools import lru_cache
from itertools import accumulate, islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

from fencepost.errors import OptionsError

if TYPE_CHECKING:
    from collections.abc import Iterator

    import tiktoken

CL100K: Final = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"
    r"|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
)
_UPPER, _LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
_PREFIX, _SUFFIX = r"[^\r\n\p{L}\p{N}]?", r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
O200K: Final = (
    rf"{_PREFIX}{_UPPER}*{_LOWER}+{_SUFFIX}|{_PREFIX}{_UPPER}+{_LOWER}*{_SUFFIX}"
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)

SPLITS_AT_LINES: Final = {CL100K: "", O200K: "/"}
"""Patterns that always split between a line end and a line that is not blank, and what the line
must not start with: ` ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*` of o200k_base takes `;\\n//` in one."""

_RUN: Final = 900_000
_BLANKS: Final = re.compile(r"\s\s")
_LONG_RUN: Final = re.compile(rf"(?<![^\S\r\n])[^\S\r\n]{{{_RUN},}}+(?![\r\n])")
_CONTINUATION: Final = bytes(range(0x80, 0xC0))


def load_encoding(name: str, others: str) -> tiktoken.Encoding:
    """Return an encoding by its name; `others` lists what else the option could be.

    Raises:
        OptionsError: no encoding has this name, or its vocabulary cannot be had.
    """
    import tiktoken

    if name == "cl100k_base":
        return _shipped()
    names = tiktoken.list_encoding_names()
    if name not in names:
        raise OptionsError("tokenizer", name, f"one of {', '.join(names)}, {others}")
    try:
        return tiktoken.get_encoding(name)
    except (OSError, ValueError, ImportError) as error:
        raise OptionsError("tokenizer", name, _remedy(name, error)) from error


def encode(encoding: tiktoken.Encoding, text: str) -> list[int]:
    """Return the tokens of a text, special tokens taken as text.

    A million blanks in one run (a "blank" page, a hostile one) overflow tiktoken's stack; they are
    encoded in parts.
    """
    # Each run of `_RUN` characters holds two of these samples.
    samples = text[:: _RUN // 2]
    if len(samples) > 1 and _BLANKS.search(samples):
        parts = [text[slice(*span)] for span in _spans(text)]
        return [token for part in parts for token in encoding.encode_ordinary(part)]
    return encoding.encode_ordinary(text)


def token_ends(encoding: tiktoken.Encoding, text: str, start: int) -> Iterator[int]:
    """Return, token by token of a text that starts at an offset, the offset where it ends.

    A token that ends inside a character ends after it, so that one of whole characters is exact:

    >>> list(token_ends(load_encoding("cl100k_base", ""), "be 漢", 10))
    [12, 14, 14, 14]
    """
    widths = map(_widths(encoding).__getitem__, encode(encoding, text))
    return islice(accumulate(widths, initial=start), 1, None)


def _shipped() -> tiktoken.Encoding:
    import tiktoken

    data = (Path(__file__).parents[1] / "data" / "cl100k_base.tiktoken").read_bytes()
    # `IQ== 0`, `Ig== 1`, ...: the rank is the place, so every other word can be skipped.
    words = data.split()[::2]
    ranks = dict(zip(map(a2b_base64, words), range(len(words)), strict=True))
    return tiktoken.Encoding(
        "cl100k_base", pat_str=CL100K, mergeable_ranks=ranks, special_tokens={}
    )


@lru_cache(maxsize=8)
def _widths(encoding: tiktoken.Encoding) -> _Widths:
    return _Widths(encoding)


class _Widths(dict[int, int]):
    """How many characters begin in a token, for the tokens seen so far."""

    def __init__(self, encoding: tiktoken.Encoding) -> None:
        super().__init__()
        self._encoding = encoding

    def __missing__(self, token: int) -> int:
        data = self._encoding.decode_single_token_bytes(token)
        self[token] = width = len(data.translate(None, _CONTINUATION))
        return width


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield the parts of a text in which tiktoken finds no run of blanks too long for it."""
    at = 0
    for run in _LONG_RUN.finditer(text):
        for cut in range(run.start() + _RUN // 2, run.end(), _RUN // 2):
            yield at, cut
            at = cut
    yield at, len(text)


def _remedy(name: str, error: Exception) -> str:
    import hashlib

    url = getattr(getattr(error, "request", None), "url", None)
    file = "its file, named by the SHA-1 of its address"
    if isinstance(url, str):
        file = f"{url} as {hashlib.sha1(url.encode(), usedforsecurity=False).hexdigest()}"
    return (
        f"'cl100k_base', which is shipped, or make {name!r} available: set TIKTOKEN_CACHE_DIR to a"
        f" folder that holds {file}, or run once with a network ({type(error).__name__})"
    )
