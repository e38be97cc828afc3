"""Cases as data, one file per construct in `cases/`: what a careful reader wants to get.

A case is a title, a line of options (`keyword=value`, may be empty), a line with a dot, the input,
a line with a dot, the expected chunks, a line with a dot. Options are those of `Options`, and
`format`, `source`, `encoding` (the input is given as bytes) and `show` (more fields of a chunk).
How chunks and unseen characters are written, says `readable.py`. `UPDATE=1` writes what comes out
as what is expected: read it before you keep it.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import pytest
from invariants import check
from readable import show, unspell

import fencepost
from fencepost import FencepostError, Options

FOLDER: Final = Path(__file__).parent / "cases"
UPDATE: Final = bool(os.environ.get("UPDATE"))
LEAST: Final = 150


@dataclass(frozen=True, slots=True)
class Case:
    """One case of a file."""

    title: str
    options: str
    source: str
    expected: str

    def written(self) -> str:
        """Return the case as it stands in its file."""
        return f"{self.title}\n{self.options}\n.\n{self.source}\n.\n{self.expected}\n.\n"


def read_cases(path: Path) -> list[Case]:
    """Return the cases of a file."""
    lines = path.read_text(encoding="utf-8").split("\n")
    dots = [number for number, line in enumerate(lines) if line == "."]
    assert len(dots) % 3 == 0, f"{path.name}: a case has three lines with a dot"
    return [_case(lines, *dots[i : i + 3]) for i in range(0, len(dots), 3)]


def _case(lines: list[str], first: int, second: int, third: int) -> Case:
    return Case(
        lines[first - 2],
        lines[first - 1],
        "\n".join(lines[first + 1 : second]),
        "\n".join(lines[second + 1 : third]),
    )


FILES: Final = sorted(FOLDER.glob("*.md"))
CASES: Final = [(path, case) for path in FILES for case in read_cases(path)]


def arguments(line: str) -> dict[str, Any]:
    """Return the values of a line of options."""
    call = ast.parse(f"f({line})", mode="eval").body
    assert isinstance(call, ast.Call)
    return {word.arg: ast.literal_eval(word.value) for word in call.keywords if word.arg}


def chunks_of(case: Case) -> str:
    """Return the chunks of a case as they are shown; the invariants are asserted before."""
    given = arguments(case.options)
    extra = given.pop("show", ())
    named = {name: given.pop(name) for name in ("format", "source") if name in given}
    encoding = given.pop("encoding", None)
    text = unspell(case.source + "\n")
    try:
        options = Options(**given)
        data = text.encode(encoding, "surrogatepass") if encoding else text
        doc = fencepost.Chunker(options).chunk(data, **named)
    except FencepostError as error:
        return f"{type(error).__name__}: {error}"
    check(doc, options)
    return show(doc, extra=extra)


@pytest.mark.parametrize(
    ("path", "case"), CASES, ids=[f"{path.stem}: {case.title}" for path, case in CASES]
)
def test_case(path: Path, case: Case) -> None:
    """Each case gives the chunks that a careful reader wants."""
    actual = chunks_of(case)
    if UPDATE and actual != case.expected:
        _rewrite(path, replace(case, expected=actual))

    assert UPDATE or case.expected == actual


def _rewrite(path: Path, changed: Case) -> None:
    cases = [changed if one.title == changed.title else one for one in read_cases(path)]
    path.write_text("\n".join(one.written() for one in cases), encoding="utf-8")


def test_files_are_written_as_they_are_read() -> None:
    """A file holds its cases, a blank line between them, and nothing else."""
    for path in FILES:
        expected = "\n".join(case.written() for case in read_cases(path))

        assert expected == path.read_text(encoding="utf-8")


def test_titles_are_distinct() -> None:
    titles = [case.title for _, case in CASES]

    assert sorted(set(titles)) == sorted(titles)
    assert all(titles)


def test_there_are_cases_enough() -> None:
    assert len(CASES) >= LEAST


def _lone_dots(text: str) -> Iterator[str]:
    yield from (line for line in text.split("\n") if line == ".")


def test_dots_are_spelled() -> None:
    """No input and no rendering can hold a line that would end it."""
    doc = fencepost.chunk("A\n\n.\n\n- a\n\n.\n")

    assert list(_lone_dots(show(doc))) == []
    assert unspell("«DOT»") == "."
