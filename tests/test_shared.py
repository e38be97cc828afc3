"""The fault cases and the corpora in `../shared`, where that lies beside the checkout.

`../shared/cases/check.py` runs small inputs of known faults against a chunker and says what broke;
`sweep.py` judges all Markdown of `../shared/corpora`.
"""

from __future__ import annotations

import json
import os
import runpy
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
import sweep

from fencepost import Chunk, ChunkedDocument, Chunker, Options

if TYPE_CHECKING:
    from _pytest.mark import ParameterSet

SHARED: Final = Path(__file__).parents[2] / "shared"
RUNNER: Final = SHARED / "cases" / "check.py"
CORPORA: Final = SHARED / "corpora"
LATER: Final = frozenset({"mdx", "xml tag", "html"})
"""Kinds of cases that readers to come are for."""

# The runner leaves its files to the garbage collector.
pytestmark = pytest.mark.filterwarnings(
    "ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"
)
needs_cases = pytest.mark.skipif(
    not RUNNER.exists(), reason="there is no folder ../shared/cases beside the checkout"
)
needs_corpora = pytest.mark.skipif(
    not CORPORA.exists(), reason="there is no folder ../shared/corpora beside the checkout"
)

SUFFIXES: Final = {"md": "markdown"}


def chunker(text: str, suffix: str, max_tokens: int | None, overlap: int) -> list[dict[str, Any]]:
    """Chunk a case: the target is the hard limit too, and only tiny sections' cases join any."""
    limits = {} if max_tokens is None else {"max_tokens": max_tokens, "hard_max_tokens": max_tokens}
    if os.environ.get("CASE_KIND") != "tiny":
        limits["min_tokens"] = 0
    options = Options(**limits, overlap_tokens=overlap)  # type: ignore[arg-type]
    doc = Chunker(options).chunk(text, format=SUFFIXES[suffix])
    return [_answer(doc, chunk) for chunk in doc]


def _answer(doc: ChunkedDocument, chunk: Chunk) -> dict[str, Any]:
    last = chunk.sections[-1].heading_path if chunk.sections else chunk.heading_path
    return {
        "text": chunk.text,
        "embed": chunk.embed_text,
        "heading_path": list(last),
        "kind": chunk.kind,
        "code_language": next(iter(chunk.code_languages), None),
        "has_code": chunk.has_code,
        "lines": (chunk.start_line, chunk.end_line),
        "id": chunk.id,
        "start": chunk.start_index,
        "end": chunk.end_index,
        "doc_meta": doc.metadata,
    }


def _cases() -> Iterator[ParameterSet]:
    """Yield the cases; those that measure time on megabytes of text are slow."""
    path = RUNNER.parent / "cases.jsonl"
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        case = json.loads(line)
        if case["file"].endswith(".md") and case["kind"] not in LATER:
            marks = [pytest.mark.slow] if case["kind"] == "speed" else []
            yield pytest.param(case, id=f"{case['id']}: {case['kind']}", marks=marks)


@pytest.fixture(scope="module")
def run() -> Callable[..., tuple[str | None, list[tuple[str, str]]]]:
    """Return the function of the runner that evaluates one case."""
    found: Callable[..., tuple[str | None, list[tuple[str, str]]]] = runpy.run_path(str(RUNNER))[
        "run"
    ]
    return found


@needs_cases
@pytest.mark.parametrize("case", [*_cases()])
@pytest.mark.timeout(300)
def test_fault_case(
    case: dict[str, Any], run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No check of a case fails, and none is left out."""
    monkeypatch.setenv("CASE_KIND", case["kind"])
    error, results = run(case, chunker, sweep.counter())
    failed = [text for verdict, text in results if verdict != "pass"]

    assert not failed, error


@needs_corpora
@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(
    "name", sorted(one.name for one in CORPORA.glob("*") if any(one.rglob("*.md")))
)
def test_sweep(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The judge finds no fault in any Markdown file of a set."""
    status = sweep.main([str(CORPORA / name), "--jobs", "1", "-v"])

    assert status == 0, capsys.readouterr().out
