"""Rewrite lines, one for one, so that CommonMark reads the small extensions as containers."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from .components import Components
from .fence_rule import CONTAINER
from .lines import column, expand_indent
from .parse import Parse

_BODY_HEADER: Final = re.compile(
    rf"""({CONTAINER})(?:(?:!!!|\?\?\?\+?)[ \t]*[^!?\s].*|===[!+]?[ \t]+["'].*)$"""
)
_COLONS: Final = re.compile(r"[ \t]*:{3,}[ \t]*(.*?)[ \t]*$")
_SLASHES: Final = re.compile(r"[ \t]*/{3,}(?:[ \t]+([\w-].*?))?[ \t]*$")
_MATH_OPEN: Final = re.compile(rf"({CONTAINER})\$\$(.*)$")
_MATH_CLOSE: Final = re.compile(r".*\$\$[ \t]*(?:\([^()$]*\)[ \t]*)?$")
_BODY_INDENT: Final = 4
_UNSAFE: Final = re.compile("[\x00\ud800-\udfff]")


@dataclass(slots=True)
class Marks:
    """Collect what the masks know about lines and the parser does not."""

    body: set[int] = field(default_factory=set)
    """Lines inside the body of ``!!!``, ``???`` or ``===``."""
    headers: dict[int, int] = field(default_factory=dict)
    """Header lines of such bodies and the last line of each."""
    colons: dict[int, bool] = field(default_factory=dict)
    """``:::`` lines, and whether each opens a container."""
    containers: list[tuple[int, int]] = field(default_factory=list)
    """First and last line of each ``:::`` container."""
    slashes: list[tuple[int, int]] = field(default_factory=list)
    """First and last line of each ``///`` block."""
    tags: set[int] = field(default_factory=set)
    """Lines of tags alone right over a fence, blanked."""
    math: list[tuple[int, int]] = field(default_factory=list)
    """First and last line of each ``$$`` block."""
    components: Components = field(default_factory=Components)
    """Runs of tags, comments, expressions and imports, blanked."""


def safe_lines(lines: list[str]) -> list[str]:
    """Put U+FFFD for NUL and lone surrogates; pyromark raises on these."""
    return [_UNSAFE.sub("\N{REPLACEMENT CHARACTER}", line) for line in lines]


def opaque_lines(parse: Parse, size: int) -> bytearray:
    """Mark the lines of code (1) and of html blocks (2)."""
    marks = bytearray(size)
    for span in parse.html:
        marks[span.first : span.last + 1] = b"\x02" * (span.last + 1 - span.first)
    for code in parse.codes:
        marks[code.first : code.last + 1] = b"\x01" * (code.last + 1 - code.first)
    return marks


def mask_bodies(lines: list[str], opaque: bytearray, marks: Marks) -> bool:
    """Write the outermost bodies as quotes: under "!!! note", "    text" becomes "> text"."""
    changed, number = False, 0
    while number < len(lines):
        line = lines[number]
        hit = None
        if (
            number not in marks.headers
            and not opaque[number]
            and ("!!!" in line or "???" in line or "===" in line)
        ):
            hit = _BODY_HEADER.match(line)
        if not hit:
            number += 1
            continue
        body = _body(lines, number, hit.group(1))
        marks.headers[number] = number + len(body)
        for offset, text in enumerate(body, number + 1):
            lines[offset] = text
            marks.body.add(offset)
        changed = changed or bool(body)
        number += len(body) + 1
    return changed


def _body(lines: list[str], header: int, prefix: str) -> list[str]:
    at, quotes = column(prefix), prefix.count(">")
    body: list[str] = []
    filled = 0
    for number in range(header + 1, len(lines)):
        line = expand_indent(lines[number])
        rest, inside = _unquote(line, quotes)
        if not rest.strip(" \t"):
            # a blank line may stand between a header and its body and inside a body
            body.append(line[:at].rstrip().ljust(at) + ">" if inside else lines[number])
            continue
        indent = len(line) - len(rest) + len(rest) - len(rest.lstrip(" "))
        if not inside or indent < at + _BODY_INDENT:
            break
        body.append(line[:at] + "> " + line[at + _BODY_INDENT :])
        filled = len(body)
    return body[:filled]


def _unquote(line: str, quotes: int) -> tuple[str, bool]:
    """Return what follows a number of quote marks, and whether the line has them all."""
    at = 0
    for _ in range(quotes):
        mark = line.find(">", at)
        if mark < 0 or line[at:mark].strip(" "):
            return line[at:], False
        at = mark + 1
    return line[at:], True


def mask_colons(lines: list[str], opaque: bytearray, marks: Marks) -> bool:
    """Blank the two lines of each ``:::`` container; "::: my.Class" that nothing closes is text."""
    open_lines: list[int] = []
    changed = False
    for number, line in enumerate(lines):
        hit = _COLONS.match(line) if ":::" in line and opaque[number] != 1 else None
        if hit and hit.group(1) and not opaque[number]:
            open_lines.append(number)
        elif hit and not hit.group(1) and open_lines:
            # "::: tabs", "<center>", "</center>", ":::": the container ends in an html block
            first = open_lines.pop()
            marks.colons[first], marks.colons[number] = True, False
            marks.containers.append((first, number))
            lines[first] = lines[number] = ""
            changed = True
    return changed


def mask_slashes(lines: list[str], opaque: bytearray, marks: Marks) -> bool:
    """Blank the two lines of each ``/// name`` … ``///`` block."""
    known = {number for pair in marks.slashes for number in pair}
    open_lines: list[int] = []
    changed = False
    for number, line in enumerate(lines):
        hit = (
            _SLASHES.match(line)
            if "///" in line and not opaque[number] and number not in known
            else None
        )
        if hit and hit.group(1):
            open_lines.append(number)
        elif hit and open_lines:
            first = open_lines.pop()
            marks.slashes.append((first, number))
            lines[first] = lines[number] = ""
            changed = True
    return changed


def mask_math(lines: list[str], opaque: bytearray, parse: Parse, marks: Marks) -> bool:
    """Write each ``$$`` block that spans lines as one paragraph of x, whatever stands in it."""
    closers = _next_closers(lines)
    regions = _regions(parse, len(lines))
    changed, number = False, 0
    while number < len(lines):
        hit = (
            _MATH_OPEN.match(lines[number])
            if "$$" in lines[number] and not opaque[number]
            else None
        )
        if not hit or hit.group(2).rstrip().endswith("$$"):
            number += 1
            continue
        last = closers[number]
        if last < 0:
            break
        if regions[number] not in (0, regions[last]) or 1 in opaque[number:last]:
            # "$$" in an item, then the next one outside; or a "$$" alone, then a fence
            number = last
            continue
        _blot(lines, number, last, hit.group(1))
        marks.math.append((number, last))
        changed, number = True, last + 1
    return changed


def _blot(lines: list[str], first: int, last: int, prefix: str) -> None:
    plain = "".join(char if char in " \t>" else " " for char in prefix)
    lines[first] = prefix + "x"
    for number in range(first + 1, last):
        lines[number] = plain + "x"
    # blank, so that "---" right under a block does not make it a heading
    lines[last] = plain.rstrip(" \t")


def _next_closers(lines: list[str]) -> list[int]:
    """Return for each line the next line after it that ends in ``$$``, or -1."""
    found, last = [-1] * len(lines), -1
    for number in range(len(lines) - 1, -1, -1):
        found[number] = last
        if "$$" in lines[number] and _MATH_CLOSE.match(lines[number]):
            last = number
    return found


def _regions(parse: Parse, size: int) -> list[int]:
    """Number the lines by the top-level container they stand in, 0 outside of all."""
    regions = [0] * size
    for index, top in enumerate(parse.tops, 1):
        if top.kind in ("List", "BlockQuote", "FootnoteDefinition", "DefinitionList"):
            regions[top.first : top.last + 1] = [index] * (top.last + 1 - top.first)
    return regions
