"""Find where a tag, an expression or a block of imports ends, character by character."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_HEAD: Final = re.compile(r"<(/?)([A-Za-z][\w:.-]*|)(?=[\s/>]|$)")
_PLAIN: Final = re.compile(r"[^\s<>{}\"'`/]+|/(?!>)")
_IMPORT: Final = re.compile(r"import(?:\s*[\"'{]|\s+\*\s+as\b|\s+[\w$]+\s*(?:,|from\s*[\"']))")
_EXPORT: Final = re.compile(
    r"export(?:\s*[{*]|\s+(?:default|const|let|var|function|class|async|type|interface|enum)\b)"
)
_STRING: Final = re.compile(r"(['\"])(?:\\.|(?!\1)[^\\\n])*\1")
_PATIENCE: Final = 20


@dataclass(frozen=True, slots=True)
class Item:
    """Name a tag, a comment or an expression, and where it ends."""

    name: str
    form: str
    """``open``, ``close``, ``empty``, ``comment`` or ``expression``."""
    end: int


class Scanner:
    """Look through one text, with a limit on all looking together."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._left = _PATIENCE * len(text) + 10_000

    def item(self, at: int, *, expressions: bool, comments: bool) -> Item | None:
        """Return what begins at a ``<`` or ``{``."""
        text = self.text
        if text.startswith("<!--", at):
            end = self._find("-->", at + 4)
            return None if end < 0 else Item("", "comment", end)
        if text.startswith("{", at):
            is_comment = text.startswith("{/*", at)
            if not (expressions or (comments and is_comment)):
                return None
            end = self.braces(at)
            return None if end < 0 else Item("", "comment" if is_comment else "expression", end)
        return self._tag(at)

    def _tag(self, at: int) -> Item | None:
        text = self.text
        head = _HEAD.match(text, at)
        if not head:
            return None
        closing, name = head.groups()
        place = head.end()
        while place < len(text) and self._left > 0:
            char = text[place]
            if char == ">":
                return Item(name, "close" if closing else "open", place + 1)
            if text.startswith("/>", place):
                return None if closing else Item(name, "empty", place + 2)
            place = self._attribute(place)
            if place < 0:
                return None
        return None

    def _attribute(self, at: int) -> int:
        """Go past a blank, a word, a string or an expression of a tag."""
        char = self.text[at]
        if char.isspace():
            self._left -= 1
            return at + 1
        if char in "\"'":
            return self._find(char, at + 1)
        if char == "{":
            return self.braces(at)
        word = _PLAIN.match(self.text, at)
        if not word:
            return -1
        self._left -= word.end() - at
        return word.end()

    def _find(self, what: str, at: int) -> int:
        end = self.text.find(what, at)
        self._left -= (end if end >= 0 else len(self.text)) - at
        return end + len(what) if end >= 0 and self._left > 0 else -1

    def braces(self, at: int) -> int:
        """Return the offset after the ``}`` of a ``{``, strings and templates followed, or -1."""
        stack, place = ["{"], at + 1
        while stack and 0 <= place < len(self.text) and self._left > 0:
            self._left -= 1
            place = (
                self._in_template(place, stack) if stack[-1] == "`" else self._in_code(place, stack)
            )
        return -1 if stack else place

    def _in_template(self, at: int, stack: list[str]) -> int:
        char = self.text[at]
        if char == "`":
            stack.pop()
        elif self.text.startswith("${", at):
            stack.append("{")
            return at + 2
        return at + 1 + (char == "\\")

    def _in_code(self, at: int, stack: list[str]) -> int:
        text, char = self.text, self.text[at]
        if char in "{`":
            stack.append(char)
        elif char == "}":
            stack.pop()
        elif char in "\"'":
            return self._string(at)
        elif text.startswith(("//", "/*"), at) and text[at - 1] != ":":
            return self._find("\n" if text[at + 1] == "/" else "*/", at + 2)
        return at + 1

    def _string(self, at: int) -> int:
        """Go past a string on one line; of "don't" only past the apostrophe."""
        found = _STRING.match(self.text, at)
        return found.end() if found else at + 1


def begins_module(line: str) -> bool:
    """Tell whether a line begins an import or an export, and no sentence."""
    return bool(_IMPORT.match(line) or _EXPORT.match(line))


def module_end(lines: list[str], first: int) -> int:
    """Return the last line of imports and exports: over a blank line, all brackets closed; or -1.

    The strings of a template literal may hold blank lines too.
    """
    depth, until = 0, ""
    for number in range(first, len(lines)):
        change, until = _weigh(lines[number], until)
        depth += change
        below = lines[number + 1] if number + 1 < len(lines) else ""
        if depth < 0:
            return -1
        if not (depth or until or below.strip()):
            return number
    return -1


def _weigh(line: str, until: str) -> tuple[int, str]:
    """Return opening less closing brackets of a line, and what ends the literal left open."""
    depth, at = 0, 0
    while at < len(line):
        if until:
            found = re.compile(r"(?:\\.|(?!" + re.escape(until) + r").)*").match(line, at)
            at = (found.end() if found else at) + len(until)
            until = until if at > len(line) else ""
            continue
        char = line[at]
        if line.startswith(("/*", "`"), at):
            until = "*/" if char == "/" else "`"
            at += len(until) - 1
        elif line.startswith("//", at):
            break
        elif char in "\"'":
            at = max(at, line.find(char, at + 1))
        depth += (char in "([{") - (char in ")]}")
        at += 1
    return depth, until
