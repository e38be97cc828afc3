"""Whole documents: the chunks of `corpora/sample`, beside what they were when a person read them.

`documents/` has one file per page, with the chunks of two budgets: of each slice the first and the
last line, insertions in full (see `readable.py`). `UPDATE=1` writes what comes out.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import pytest
from invariants import check
from readable import show

import fencepost
from fencepost import Options

SAMPLE: Final = Path(__file__).parents[1] / "corpora" / "sample"
FOLDER: Final = Path(__file__).parent / "documents"
UPDATE: Final = bool(os.environ.get("UPDATE"))
PAGES: Final = sorted(SAMPLE.rglob("*.md"))
BUDGETS: Final = {
    "as it comes": Options(),
    "at most 200 tokens": Options(max_tokens=200, hard_max_tokens=200),
}


def name_of(page: Path) -> str:
    """Return the name of a page's snapshot."""
    return "-".join(page.relative_to(SAMPLE).with_suffix(".txt").parts)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_document(page: Path) -> None:
    """Each page gives the chunks that were found good, and no fault."""
    parts = []
    for title, options in BUDGETS.items():
        doc = fencepost.Chunker(options).chunk(page.read_bytes(), source=page.name)
        check(doc, options)
        parts.append(f"═══ {title}: {len(doc)} chunks\n\n{show(doc, brief=True)}\n")
    actual = "\n".join(parts)
    path = FOLDER / name_of(page)
    if UPDATE:
        FOLDER.mkdir(exist_ok=True)
        path.write_text(actual, encoding="utf-8", newline="\n")

    assert path.read_text(encoding="utf-8") == actual


def test_snapshots_have_pages() -> None:
    """No snapshot is left of a page that is gone, and there are pages enough."""
    expected = sorted(name_of(page) for page in PAGES)

    assert expected == sorted(path.name for path in FOLDER.iterdir())
    assert len(PAGES) >= 25
