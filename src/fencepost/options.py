"""`Options`: everything that can be chosen, checked when it is made."""

from __future__ import annotations

import string
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, cast, get_args

from fencepost.errors import OptionsError
from fencepost.model import KINDS

if TYPE_CHECKING:
    import tiktoken
    import tokenizers

    Tokenizer: TypeAlias = "str | Callable[[str], int] | tiktoken.Encoding | tokenizers.Tokenizer"
else:
    Tokenizer = object

Policy: TypeAlias = Literal["fit", "split", "separate", "whole"]
"""How a kind of block may be cut: see `Options.policy`."""

MdxMode: TypeAlias = Literal["auto", "keep", "strip", "off"]

MAX_TOKENS: Final = 800
HARD_MAX_TOKENS: Final = 1200
MIN_TOKENS: Final = 40
LEAST_HARD_MAX: Final = 16

_UNSET: Final = cast("int", None)
_URL_FIELDS: Final = {"path", "stem", "anchor"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What a chunk may be. A value that cannot be raises `OptionsError`.

    >>> Options(max_tokens=100).min_tokens
    25
    >>> Options(hard_max_tokens=500).max_tokens
    500
    """

    max_tokens: int = _UNSET
    """Target for the tokens of `embed_text`; 800. Passed only by a chunk that holds one block with
    its headings and lead-in and nothing else."""
    hard_max_tokens: int = _UNSET
    """Never exceeded; 1200, or `max_tokens` if that is larger. Given alone and below 800,
    `max_tokens` follows it."""
    min_tokens: int = _UNSET
    """Sections below join a neighbour under the same parent; 40, or a quarter of `max_tokens` if
    that is less. 0 turns it off."""
    overlap_tokens: int = 0
    """Tokens repeated from the chunk before, in whole blocks or sentences."""
    tokenizer: Tokenizer = "cl100k_base"
    """A tiktoken encoding or its name; `"characters"`, `"words"`, `"bytes"`; `"hf:NAME_OR_PATH"`
    or a `tokenizers.Tokenizer`; any callable from text to a number."""
    policy: Mapping[str, Policy] = field(default_factory=dict)
    """Per kind of block: `fit` (whole while it fits `hard_max_tokens`), `split` (may be cut to
    stay within `max_tokens`), `separate` (like fit, and a chunk of its own), `whole` (never)."""
    breadcrumb: bool = True
    """Whether `embed_text` starts with the path elements that `text` does not show."""
    split_levels: tuple[int, ...] = (1, 2, 3, 4, 5, 6)
    """Heading levels that open a section."""
    mdx: MdxMode = "auto"
    """How JSX in Markdown is read."""
    url: str | None = None
    """Template for links: `{path}` is the document's name, `{stem}` the same without its suffix,
    `{anchor}` the slug of the heading."""
    strict: bool = False
    """Whether a diagnostic of level error raises `DocumentError`."""
    max_document_bytes: int | None = None
    """A larger document raises `DocumentError`."""
    time_limit_s: float | None = None
    """A document that takes longer raises `DocumentError`."""

    def __post_init__(self) -> None:
        """Fill in the defaults that depend on each other, then check every field."""
        put = object.__setattr__
        for name in ("max_tokens", "hard_max_tokens", "min_tokens"):
            if getattr(self, name) is not None:
                _whole_number(name, getattr(self, name), LEAST[name])
        hard = self.hard_max_tokens
        if self.max_tokens is None:
            put(self, "max_tokens", MAX_TOKENS if hard is None else min(MAX_TOKENS, hard))
        if hard is None:
            put(self, "hard_max_tokens", max(HARD_MAX_TOKENS, self.max_tokens))
        elif self.max_tokens > hard:
            valid = f"at most hard_max_tokens={hard}"
            raise OptionsError("max_tokens", self.max_tokens, valid)
        if self.min_tokens is None:
            put(self, "min_tokens", min(MIN_TOKENS, self.max_tokens // 4))
        elif self.min_tokens > self.max_tokens:
            valid = f"at most max_tokens={self.max_tokens}"
            raise OptionsError("min_tokens", self.min_tokens, valid)
        put(self, "policy", dict(_checked_policy(self.policy)))
        put(self, "split_levels", _checked_levels(self.split_levels))
        _check_rest(self)


LEAST: Final = {"max_tokens": 1, "hard_max_tokens": LEAST_HARD_MAX, "min_tokens": 0}

FIELDS: Final = tuple(f.name for f in fields(Options))
"""Names of all options, in order."""


def _whole_number(name: str, value: object, least: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise OptionsError(name, value, f"a whole number of at least {least}")


def _checked_policy(policy: object) -> Mapping[str, Policy]:
    if not isinstance(policy, Mapping):
        raise OptionsError("policy", policy, "a mapping such as {'code': 'separate'}")
    for kind, choice in policy.items():
        if kind not in KINDS:
            raise OptionsError("policy", kind, f"kinds among {', '.join(KINDS)}")
        if choice not in get_args(Policy):
            raise OptionsError(f"policy[{kind!r}]", choice, f"one of {_listed(get_args(Policy))}")
    return policy


def _checked_levels(levels: Any) -> tuple[int, ...]:  # noqa: ANN401 - what a caller may pass
    valid = "heading levels from 1 to 6, such as (1, 2)"
    if isinstance(levels, (str, bytes)) or not hasattr(levels, "__iter__"):
        raise OptionsError("split_levels", levels, valid)
    found = tuple(levels)
    if any(isinstance(one, bool) or one not in range(1, 7) for one in found):
        raise OptionsError("split_levels", levels, valid)
    return tuple(sorted(set(found)))


def _check_rest(options: Options) -> None:
    _whole_number("overlap_tokens", options.overlap_tokens, 0)
    if options.overlap_tokens >= options.max_tokens:
        valid = f"less than max_tokens={options.max_tokens}"
        raise OptionsError("overlap_tokens", options.overlap_tokens, valid)
    for name in ("breadcrumb", "strict"):
        if not isinstance(getattr(options, name), bool):
            raise OptionsError(name, getattr(options, name), "True or False")
    if options.mdx not in get_args(MdxMode):
        raise OptionsError("mdx", options.mdx, f"one of {_listed(get_args(MdxMode))}")
    tokenizer: object = options.tokenizer
    known = callable(tokenizer) or hasattr(tokenizer, "encode")
    if not (bool(tokenizer) if isinstance(tokenizer, str) else known):
        valid = "the name of an encoding, an object with `encode`, or a callable"
        raise OptionsError("tokenizer", tokenizer, valid)
    if options.max_document_bytes is not None:
        _whole_number("max_document_bytes", options.max_document_bytes, 1)
    limit: object = options.time_limit_s
    if limit is not None and (
        not isinstance(limit, (int, float)) or isinstance(limit, bool) or not limit > 0
    ):
        raise OptionsError("time_limit_s", limit, "a number of seconds above 0")
    _check_url(options.url)


def _check_url(url: object) -> None:
    valid = "a template such as 'https://x.dev/{path}#{anchor}'"
    if url is None:
        return
    if not isinstance(url, str):
        raise OptionsError("url", url, valid)
    try:
        names = {name for _, name, _, _ in string.Formatter().parse(url) if name is not None}
    except ValueError:
        raise OptionsError("url", url, valid) from None
    if names - _URL_FIELDS:
        raise OptionsError("url", url, f"{valid}, with no fields but {_listed(_URL_FIELDS)}")


def _listed(names: tuple[str, ...] | set[str]) -> str:
    return ", ".join(sorted(names))
