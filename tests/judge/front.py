"""Recognise front matter and take its title, without a YAML library."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass
from typing import Final

from .lines import Lines

_FENCES: Final = {"---": ("---", "..."), "+++": ("+++",), ";;;": (";;;",), "{": ("}",)}
_YAML_TITLE: Final = re.compile(r"title[ \t]*:(?:[ \t]+(.*))?$")
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}


@dataclass(frozen=True, slots=True)
class Front:
    """Say how many lines front matter takes and what its title is."""

    size: int
    title: str | None
    sure: bool
    """Whether the title could be read; block scalars are left to the document's metadata."""


def find_front(lines: Lines) -> Front:
    """Read the front matter at the start of a document; size 0 where there is none."""
    opening = lines.get(0).removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}").rstrip(" \t")
    closers = _FENCES.get(opening)
    if not closers:
        return Front(0, None, sure=True)
    for number in range(1, len(lines)):
        if lines.get(number).rstrip(" \t") in closers:
            body = [lines.get(line) for line in range(1, number)]
            if opening == "{" and _json(body) is None:
                return Front(0, None, sure=True)
            title, sure = _title(opening, body)
            return Front(number + 1, title, sure)
    return Front(0, None, sure=True)


def _json(body: list[str]) -> dict[str, object] | None:
    try:
        value = json.loads("{" + "\n".join(body) + "}")
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _title(opening: str, body: list[str]) -> tuple[str | None, bool]:
    if opening == "---":
        return _yaml_title(body)
    try:
        value = tomllib.loads("\n".join(body)) if opening == "+++" else _json(body) or {}
    except ValueError:
        return None, True
    title = value.get("title")
    return (str(title) if title is not None else None), True


def _yaml_title(body: list[str]) -> tuple[str | None, bool]:
    for number, line in enumerate(body):
        match = _YAML_TITLE.match(line)
        if not match:
            continue
        value = (match.group(1) or "").strip(" \t")
        following = body[number + 1] if number + 1 < len(body) else ""
        if not value or value[0] in "|>&*!{[%@`" or following.startswith((" ", "\t")):
            return None, False
        return _scalar(value)
    return None, True


def _scalar(value: str) -> tuple[str | None, bool]:
    """Read a one-line scalar: 'it''s', "a\\tb", or plain with a comment after it."""
    if value[0] == "'":
        match = re.match(r"'((?:[^']|'')*)'", value)
        return (match.group(1).replace("''", "'"), True) if match else (None, False)
    if value[0] == '"':
        match = re.match(r'"((?:[^"\\]|\\.)*)"', value)
        if not match or re.search(r"\\[^\\\"/ntr0]", match.group(1)):
            return None, False
        return re.sub(
            r"\\(.)", lambda hit: _ESCAPES.get(hit.group(1), hit.group(1)), match.group(1)
        ), True
    plain = re.split(r"[ \t]#", value, maxsplit=1)[0].rstrip(" \t")
    # "title: ~", "title: 404" and "title: a: b" are no strings for YAML: ask the document
    odd = (
        re.fullmatch(r"~|null|true|false|yes|no|on|off|[-+.\d].*|", plain, re.IGNORECASE)
        or ": " in plain
    )
    return (None, False) if odd else (plain, True)
