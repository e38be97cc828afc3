"""`Counter`: how many tokens a text has, for everything that `Options.tokenizer` takes."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Final

from fencepost.errors import OptionsError
from fencepost.tokens import hugging_face, rulers, vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable

    import tiktoken

    from fencepost.options import Tokenizer
    from fencepost.tokens.rulers import MakeRuler

_OTHERS: Final = (
    "'characters', 'words', 'bytes', 'hf:NAME_OR_PATH', a tokenizer object, or a callable that"
    " takes a text and returns a whole number"
)


@dataclass(frozen=True, slots=True, eq=False)
class Counter:
    """Counts tokens. It can be pickled if its tokenizer can."""

    tokenizer: Tokenizer
    """What it was made from."""
    count: Callable[[str], int]
    """Return the exact tokens of a text, special tokens' names counted as the text they are."""
    ruler: MakeRuler
    """Make a function from an offset in one document to the tokens before it, see `Measure`."""
    adds_up: bool
    """Whether counts add up where the left side ends in a line end and the right side starts with
    a line that is not blank."""
    not_before: str = ""
    """Where they do not add up after all: a line that starts with one of these characters."""

    def __reduce__(self) -> tuple[Callable[[Tokenizer], Counter], tuple[Tokenizer]]:
        """Travel to another process as the tokenizer alone."""
        return (counter_for, (self.tokenizer,))


def counter_for(tokenizer: Tokenizer) -> Counter:
    """Return the counter for a value of `Options.tokenizer`.

    Raises:
        OptionsError: nothing has this name, or what it names cannot be loaded.
        MissingExtraError: `tokenizers` is needed and not installed.

    >>> counter_for("cl100k_base").count("<|endoftext|>")
    7
    >>> counter_for("words").count("no fence left open")
    4
    """
    if isinstance(tokenizer, str):
        return _named(tokenizer)
    known: Any = tokenizer
    if hasattr(known, "encode_ordinary"):
        return _tiktoken(known, known)
    if hasattr(known, "encode"):
        return _hugging_face(known, known)
    if callable(known):
        return _summed(known, partial(_checked, known))
    raise OptionsError("tokenizer", tokenizer, f"the name of a tiktoken encoding, {_OTHERS}")


@cache
def _named(name: str) -> Counter:
    plain = _PLAIN.get(name)
    if plain:
        return Counter(name, *plain, adds_up=True)
    if name.startswith("hf:"):
        return _hugging_face(name, hugging_face.from_name(name))
    return _tiktoken(name, vocabulary.load_encoding(name, _OTHERS))


def _tiktoken(tokenizer: Tokenizer, encoding: tiktoken.Encoding) -> Counter:
    pattern: str = getattr(encoding, "_pat_str", "")

    def count(text: str) -> int:
        return len(vocabulary.encode(encoding, text))

    return Counter(
        tokenizer,
        count,
        partial(rulers.of_tokens, encoding),
        adds_up=pattern in vocabulary.SPLITS_AT_LINES,
        not_before=vocabulary.SPLITS_AT_LINES.get(pattern, ""),
    )


def _hugging_face(tokenizer: Tokenizer, loaded: object) -> Counter:
    return _summed(tokenizer, partial(hugging_face.count, hugging_face.unlimited(loaded)))


def _summed(tokenizer: Tokenizer, count: Callable[[str], int]) -> Counter:
    return Counter(tokenizer, count, partial(rulers.of_lines, count), adds_up=False)


def _checked(function: Callable[[str], Any], text: str) -> int:
    result = function(text)
    try:
        return operator.index(result)
    except TypeError:
        # `Encoding.encode` itself, given as the callable, returns a list.
        valid = f"a callable that returns a whole number, not {type(result).__name__}"
        raise OptionsError("tokenizer", function, valid) from None


def _words(text: str) -> int:
    return len(text.split())


def _bytes(text: str) -> int:
    return len(text.encode(errors="surrogatepass"))


_PLAIN: Final[dict[str, tuple[Callable[[str], int], MakeRuler]]] = {
    "characters": (len, rulers.of_characters),
    "words": (_words, rulers.of_words),
    "bytes": (_bytes, rulers.of_bytes),
}
