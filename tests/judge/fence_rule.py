"""Say the fence rule once more, apart from the library, line by line."""

from __future__ import annotations

import re
from dataclasses import dataclass

# Each repetition starts with a marker, so a run of blanks matches in one way: "- - -" stays linear.
CONTAINER = r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t][ \t>]*)*"

_OPENER = re.compile(rf"({CONTAINER})(`{{3,}}(?=[^`]*$)|~{{3,}})")
_BARE = re.compile(r"[ \t>]*(`{3,}|~{3,})[ \t]*$")


@dataclass(frozen=True, slots=True)
class Escaped:
    """Remember how an opener that is text was written and what stands in its place."""

    written: str
    shown: str


def opener(line: str) -> tuple[int, str] | None:
    """Return index and run of a line that could open a fence, behind container markers too."""
    match = _OPENER.match(line)
    return (match.end(1), match.group(2)) if match else None


def closes(line: str, run: str) -> bool:
    """Tell whether a line is a bare run that closes a fence, whatever container it stands in."""
    match = _BARE.match(line)
    return match is not None and match.group(1).startswith(run)


def escape(line: str) -> tuple[str, Escaped] | None:
    r"""Return the line with its fence run escaped, so that a parser reads the run as text.

    The title of "~~~\n===" stays "~~~" this way; letters in place of the run would change it.
    """
    found = opener(line)
    if not found:
        return None
    at, run = found
    shown = "".join("\\" + char for char in run)
    return line[:at] + shown + line[at + len(run) :], Escaped(run, shown)


def hopeless(lines: list[str], start: int) -> list[int]:
    """Return the lines from start on that open a fence which no later line can close.

    One backward pass. Only openers at column 0 count: one further right may be closed by the end of
    its list item. A bare run is left out too, as it may be what closes an opener above it.
    """
    longest = {"`": 0, "~": 0}
    found = []
    for number in range(len(lines) - 1, start - 1, -1):
        line = lines[number]
        bare = _BARE.match(line)
        if bare:
            run = bare.group(1)
            # "````", "```", "a", "```": the last line closes the second
            longest[run[0]] = max(longest[run[0]], len(run))
        elif line.startswith(("```", "~~~")):
            hit = opener(line)
            if hit and len(hit[1]) > longest[line[0]]:
                found.append(number)
    return found
