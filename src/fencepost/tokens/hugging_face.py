"""Hugging Face tokenizers: found by name, and kept from cutting or padding what they count."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fencepost.errors import MissingExtraError, OptionsError


def from_name(name: str) -> Any:  # noqa: ANN401 - tokenizers is optional
    """Return the `tokenizers.Tokenizer` that `hf:NAME_OR_PATH` means.

    A file or a folder with `tokenizer.json` is read; anything else is a name on the hub, which
    needs a network unless it is in the hub's cache.

    Raises:
        MissingExtraError: `tokenizers` is not installed.
        OptionsError: it cannot be loaded.
    """
    try:
        import tokenizers
    except ImportError as error:
        raise MissingExtraError("tokenizers", "hf") from error
    place = name.removeprefix("hf:")
    path = Path(place).expanduser()
    if not place or (path.is_dir() and not (path / "tokenizer.json").is_file()):
        raise OptionsError("tokenizer", name, "'hf:' and a folder that holds tokenizer.json")
    file = path / "tokenizer.json" if path.is_dir() else path
    try:
        if file.is_file():
            return tokenizers.Tokenizer.from_file(str(file))
        return tokenizers.Tokenizer.from_pretrained(place)
    except Exception as error:
        # tokenizers raises a bare Exception for a bad file; the hub raises a dozen kinds.
        valid = (
            "'hf:' and a path to a tokenizer.json or to its folder, or the name of a tokenizer on"
            f" the hub; once loaded with a network, it is kept ({type(error).__name__}: {error})"
        )
        raise OptionsError("tokenizer", name, valid) from error


def unlimited(tokenizer: Any) -> Any:  # noqa: ANN401 - of tokenizers or transformers
    """Return the tokenizer, or a copy of it, that neither truncates nor pads.

    Many a tokenizer.json is set to 128 tokens, whatever the text.

    Raises:
        OptionsError: it does not take `add_special_tokens`, so it is no such tokenizer.
    """
    found = getattr(tokenizer, "backend_tokenizer", tokenizer)
    limits = (getattr(found, "truncation", None), getattr(found, "padding", None))
    if any(isinstance(limit, dict) for limit in limits):
        found = type(found).from_str(found.to_str())
        found.no_truncation()
        found.no_padding()
    try:
        count(found, "a")
    except TypeError as error:
        valid = "a tokenizer whose `encode` takes `add_special_tokens`, or a callable"
        raise OptionsError("tokenizer", tokenizer, valid) from error
    return found


def count(tokenizer: Any, text: str) -> int:  # noqa: ANN401 - the same
    """Return the tokens of a text, without those put around every text.

    `tokenizers` returns an object with `ids`, `transformers` a list.
    """
    encoded = tokenizer.encode(text, add_special_tokens=False)
    return len(getattr(encoded, "ids", encoded))
