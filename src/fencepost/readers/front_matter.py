"""Front matter: YAML between `---`, TOML between `+++`, JSON between `;;;` or as an object."""

from __future__ import annotations

import datetime as dt
import json
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from fencepost.model import Metadata
from fencepost.source import Source


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What stands before the first line of the document proper."""

    end: int
    """The line after it; 0 where there is none."""
    metadata: Metadata = field(default_factory=dict)
    error: str = ""
    """Why it could not be read; it is then text."""


_NONE: Final = FrontMatter(0)
_FENCES: Final = {"---": ("---", "..."), "+++": ("+++",), ";;;": (";;;",)}
_KEY = re.compile(r"""\s*(?:[\w"'.-][^:#]*:(?:\s|$)|#|$)""")


def read_front_matter(source: Source) -> FrontMatter:
    """Return the front matter of a document; one that cannot be read has `error` set.

    >>> read_front_matter(Source.of("+++\\ntitle = 'Salt'\\n+++\\n# Salt"))
    FrontMatter(end=3, metadata={'title': 'Salt'}, error='')
    """
    if not source.line_count:
        return _NONE
    first = source.line(0).rstrip()
    if first in _FENCES:
        return _fenced(source, first)
    if first.startswith("{"):
        return _object(source)
    return _NONE


def _fenced(source: Source, first: str) -> FrontMatter:
    closers = _FENCES[first]
    end = next((i for i in range(1, source.line_count) if source.line(i).rstrip() in closers), None)
    if end is None:
        return _NONE
    body = "".join(source.lines[1:end])
    found = _parsed(_PARSERS[first], body, end + 1)
    # A page may begin with a rule, `---`, a blank line, a paragraph.
    return _NONE if found.error and first == "---" and source.is_blank(1) else found


def _object(source: Source) -> FrontMatter:
    """Read a JSON object that begins the document and ends at a line's end."""
    text = source.text[source.starts[0] :]
    try:
        value, length = json.JSONDecoder().raw_decode(text)
        value = plain(value)
    except (ValueError, RecursionError):
        return _NONE
    last = source.line_at(source.starts[0] + length - 1)
    if not isinstance(value, dict) or source.starts[0] + length != source.end_of(last):
        return _NONE
    return FrontMatter(last + 1, value)


def _parsed(parse: Callable[[str], Any], body: str, end: int) -> FrontMatter:
    try:
        value = plain(parse(body))
    except (ValueError, RecursionError, TypeError, OverflowError) as error:
        message = " ".join(str(error).split())[:200] or type(error).__name__
        return FrontMatter(end, error=message)
    if value is None:
        return FrontMatter(end)
    if isinstance(value, dict):
        return FrontMatter(end, value)
    # `---` over a sentence and another `---`: a rule and a setext heading, as CommonMark reads it.
    lines = body.splitlines()
    if parse is _yaml and not (lines and _KEY.match(lines[0])):
        return _NONE
    return FrontMatter(end, error="it holds no keys")


def _yaml(body: str) -> Any:  # noqa: ANN401 - whatever the author wrote
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return yaml.load(body, Loader=loader)  # noqa: S506 - both are safe loaders
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from error


def _toml(body: str) -> Any:  # noqa: ANN401
    import tomllib

    return tomllib.loads(body.replace("\r\n", "\n").replace("\r", "\n"))


MAX_NODES: Final = 20_000
"""Most values in one front matter: nine lines of YAML aliases can stand for a billion."""


def plain(value: Any) -> Any:  # noqa: ANN401
    """Return a value as JSON has it: dates as ISO text, keys as text, NaN as None.

    Raises:
        ValueError: it holds more than `MAX_NODES` values.

    >>> plain({1: dt.date(2024, 5, 6)})
    {'1': '2024-05-06'}
    """
    return _plain(value, iter(range(MAX_NODES)))


def _plain(value: Any, room: Iterator[int]) -> Any:  # noqa: ANN401
    if next(room, None) is None:
        msg = f"it holds more than {MAX_NODES} values"
        raise ValueError(msg)
    if isinstance(value, dict):
        return {_key(key): _plain(one, room) for key, one in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_plain(one, room) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    if isinstance(value, (dt.date, dt.time)):
        return value.isoformat()
    return str(value)


def _key(key: object) -> str:
    return key.isoformat() if isinstance(key, dt.date) else str(key)


_PARSERS: Final[dict[str, Callable[[str], Any]]] = {
    "---": _yaml,
    "+++": _toml,
    ";;;": json.loads,
}
"""By first line."""
