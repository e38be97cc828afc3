"""Where a JSX or HTML tag, an expression or a comment ends, quotes and braces in it followed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_NAME = re.compile(r"<(?P<close>/?)(?P<name>[A-Za-z][\w:.-]*)?(?=[\s/>]|$)")
_SPACE = re.compile(r"\s*")
_ATTRIBUTE = re.compile(r"[\w$@:#*.\[\]()-]+")
_BARE_VALUE = re.compile(r"[^\s\"'<>{}=`]+")
_IN_CODE = re.compile(r"[{}\"'`/]")
_IN_TEMPLATE = re.compile(r"\\.|`|\$\{", re.DOTALL)
_STRING: Final = {
    '"': re.compile(r'"(?:[^"\\\n]|\\.)*"'),
    "'": re.compile(r"'(?:[^'\\\n]|\\.)*'"),
}
WORK: Final = 16
"""How many times its length a text may be looked through; past that what is open stays text."""


@dataclass(slots=True)
class Room:
    """How much may still be looked through: thousands of tags that never end stay linear."""

    left: int

    @classmethod
    def of(cls, text: str) -> Room:
        """Return the room for a text."""
        return cls(WORK * len(text) + 10_000)

    def take(self, count: int) -> bool:
        """Use some of it; return whether there was any left."""
        self.left -= count
        return self.left > 0


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag."""

    name: str
    """Empty for a fragment."""
    form: str
    """`open`, `close` or `empty` (self-closing)."""
    start: int
    end: int
    """Offset after `>`."""


def read_tag(text: str, at: int, room: Room) -> Tag | None:
    """Return the tag that begins at `<`, or None where none does.

    >>> read_tag('<Tab label={"}>"} of="<">x', 0, Room(1000))
    Tag(name='Tab', form='open', start=0, end=25)
    """
    head = _NAME.match(text, at)
    if head is None:
        return None
    name = head["name"] or ""
    place = head.end()
    while room.take(1):
        gap = _SPACE.match(text, place)
        place = gap.end() if gap else place
        if text.startswith(">", place):
            form = "close" if head["close"] else "open"
            return Tag(name, form, at, place + 1)
        if text.startswith("/>", place) and not head["close"]:
            return Tag(name, "empty", at, place + 2)
        end = None if head["close"] or not name else _attribute(text, place, room)
        if end is None:
            return None
        room.take(end - place)
        place = end
    return None


def _attribute(text: str, at: int, room: Room) -> int | None:
    """Return the offset after an attribute, its value included."""
    if text.startswith("{", at):
        return expression_end(text, at, room)
    found = _ATTRIBUTE.match(text, at)
    if found is None:
        return None
    gap = _SPACE.match(text, found.end())
    place = gap.end() if gap else found.end()
    if not text.startswith("=", place):
        return found.end()
    gap = _SPACE.match(text, place + 1)
    place = gap.end() if gap else place + 1
    if text.startswith("{", place):
        return expression_end(text, place, room)
    if text[place : place + 1] in {'"', "'"}:
        end = text.find(text[place], place + 1)
        room.take(len(text) - place if end < 0 else 0)
        return end + 1 if end >= 0 else None
    bare = _BARE_VALUE.match(text, place)
    return bare.end() if bare else None


def expression_end(text: str, at: int, room: Room) -> int | None:
    r"""Return the offset after the `}` that belongs to the `{` at an offset, or None.

    >>> expression_end("{`a}${ {b: '}'} }`} c", 0, Room(1000))
    19
    """
    stack = ["{"]
    place = at + 1
    while stack and room.left > 0:
        found = (_IN_CODE if stack[-1] == "{" else _IN_TEMPLATE).search(text, place)
        if found is None:
            room.take(len(text) - at)
            return None
        place = _step(text, found, stack)
    room.take(place - at)
    return None if stack else place


def _step(text: str, found: re.Match[str], stack: list[str]) -> int:
    """Go past one mark inside an expression; return where to go on."""
    mark, at = found[0], found.start()
    if stack[-1] == "`":
        if mark == "`":
            stack.pop()
        elif mark == "${":
            stack.append("{")
        return found.end()
    if mark in "{`":
        stack.append(mark)
    elif mark == "}":
        stack.pop()
    elif mark == "/":
        return _comment_end(text, at)
    else:
        # `don't` in the text of an element opens no string.
        string = _STRING[mark].match(text, at)
        return string.end() if string else at + 1
    return found.end()


def _comment_end(text: str, at: int) -> int:
    if text.startswith("/*", at):
        end = text.find("*/", at + 2)
        return end + 2 if end >= 0 else len(text)
    # "https://x" is no comment.
    if text.startswith("//", at) and text[at - 1] != ":":
        end = text.find("\n", at)
        return end if end >= 0 else len(text)
    return at + 1
