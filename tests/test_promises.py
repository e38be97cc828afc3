"""The ten promises, over random documents and options (promise 10, linear time: `test_growth.py`).

The main run tries few examples, always the same ones. `-m slow` tries `FENCEPOST_EXAMPLES` (2,000
unless set) new ones for each promise.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

import pytest
import strategies as made
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from invariants import check, count_for, faults

import fencepost
from fencepost import Chunk, Chunker, FencepostError, Options
from fencepost.options import Policy

pytestmark = pytest.mark.timeout(120)
EXAMPLES: Final = int(os.environ.get("FENCEPOST_EXAMPLES", "2000"))
_CHECKS: Final = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
LONG: Final = settings(
    max_examples=EXAMPLES,
    deadline=None,
    database=None,
    print_blob=True,
    suppress_health_check=_CHECKS,
)
QUICK: Final = settings(LONG, max_examples=25, derandomize=True, phases=[Phase.generate])
"""Nothing is made smaller: that takes minutes. `-m slow` does it."""


def a_quarter_and_one(text: str) -> int:
    """Count more for two parts than for the whole."""
    return 1 + len(text) // 4


def distinct(text: str) -> int:
    """Count characters that differ: hardly more for the whole than for a part."""
    return len(set(text))


TOKENIZERS: Final[tuple[Any, ...]] = (
    "cl100k_base",
    "characters",
    "words",
    "bytes",
    a_quarter_and_one,
    distinct,
)
FINE: Final = frozenset({"characters", "bytes"})
"""Kinds whose tokens are about a quarter of the others'."""


@st.composite
def options(
    draw: st.DrawFn, *, least: int = 128, tokenizers: tuple[Any, ...] = ("cl100k_base",)
) -> Options:
    """Give options of every kind; limits are drawn near the least one half of the time."""
    hard = draw(st.one_of(st.integers(least, least * 3 // 2), st.integers(least, 2000)))
    target = draw(st.one_of(st.just(hard), st.integers(max(1, hard // 2), hard)))
    minimum = draw(st.sampled_from((0, target // 10, target // 4)))
    overlap = draw(st.sampled_from((0, 0, 0, target // 8)))
    return Options(
        max_tokens=target,
        hard_max_tokens=hard,
        min_tokens=minimum,
        overlap_tokens=overlap,
        tokenizer=draw(st.sampled_from(tokenizers)),
        breadcrumb=draw(st.sampled_from((True, True, False))),
    )


@st.composite
def any_options(draw: st.DrawFn) -> Options:
    """Give options with policies and levels too."""
    some = draw(options(least=16, tokenizers=TOKENIZERS))
    kinds = st.sampled_from(("code", "table", "list", "quote", "paragraph", "html", "admonition"))
    choices: tuple[Policy, ...] = ("fit", "split", "separate", "whole")
    policies = st.sampled_from(choices)
    return replace(
        some,
        policy=draw(st.dictionaries(kinds, policies, max_size=2)),
        split_levels=draw(st.sampled_from(((1, 2, 3, 4, 5, 6), (1, 2), (), (3,)))),
        url=draw(st.sampled_from((None, "https://x.dev/{stem}#{anchor}"))),
    )


Promise = Callable[..., None]


def keeps_text(text: str, some: Options) -> None:
    """Promise 1: nothing is lost, from the least limit up."""
    doc = Chunker(some).chunk(text)

    assert doc.restore() == doc.text
    assert len(text) == len(doc.text)


def keeps_structure(text: str, some: Options) -> None:
    """Promises 2 to 7: the judge finds no fault, from 128 tokens up."""
    check(Chunker(some).chunk(text), some)


def keeps_budgets(text: str, some: Options) -> None:
    """Promise 4: no limit is passed and every count is exact, whatever counts."""
    doc = Chunker(some).chunk(text)
    count = count_for(some)

    assert [count(chunk.embed_text) for chunk in doc] == [one.embed_token_count for one in doc]
    assert [count(chunk.text) for chunk in doc] == [one.token_count for one in doc]
    assert all(chunk.embed_token_count <= some.hard_max_tokens for chunk in doc)


def keeps_structure_for_any_counter(text: str, some: Options) -> None:
    """Promises 2 to 7 do not depend on what a token is."""
    doc = Chunker(some).chunk(text)
    room = 512 if some.tokenizer in FINE else 128

    found = faults(doc, some, room=room)

    assert not found


def takes_any_text(text: str, some: Options) -> None:
    """Promise 9: any text gives chunks, and the rest is kept as well."""
    doc = Chunker(some).chunk(text)

    assert doc.restore() == doc.text
    assert json.loads(json.dumps(doc.to_dicts())) == doc.to_dicts()


def takes_any_bytes(data: bytes, some: Options) -> None:
    """Promise 9: any bytes give chunks or a named error."""
    try:
        doc = Chunker(some).chunk(data)
    except FencepostError:
        return

    assert doc.restore() == doc.text


MORE: Final = options(least=128)
ANY: Final = options(least=16, tokenizers=TOKENIZERS)
PROMISES: Final[dict[Promise, tuple[st.SearchStrategy[Any], st.SearchStrategy[Options]]]] = {
    keeps_text: (made.documents(), ANY),
    keeps_structure: (made.documents(), MORE),
    keeps_budgets: (made.documents(), ANY),
    keeps_structure_for_any_counter: (
        made.documents(),
        options(least=128, tokenizers=TOKENIZERS),
    ),
    takes_any_text: (st.one_of(made.hostile_text(), st.text(), made.documents()), any_options()),
    takes_any_bytes: (
        st.one_of(
            st.binary(),
            made.hostile_text().map(lambda text: text.encode("utf-8", "surrogatepass")),
            made.hostile_text().map(lambda text: text.encode("utf-16", "surrogatepass")),
        ),
        any_options(),
    ),
}


def _named(promise: Promise) -> str:
    return promise.__name__


@pytest.mark.parametrize("promise", PROMISES, ids=_named)
def test_promise(promise: Promise) -> None:
    """Each promise holds for some documents."""
    QUICK(given(*PROMISES[promise])(promise))()


@pytest.mark.slow
@pytest.mark.timeout(6 * 3600)
@pytest.mark.parametrize("promise", PROMISES, ids=_named)
def test_promise_at_length(promise: Promise) -> None:
    """Each promise holds for many documents."""
    LONG(given(*PROMISES[promise])(promise))()


@dataclass(frozen=True, slots=True)
class Edit:
    """Sections of a document, and which of them gets a paragraph more."""

    sections: list[str]
    place: int

    @property
    def before(self) -> str:
        """The document."""
        return "".join(self.sections)

    @property
    def after(self) -> str:
        """The document, edited."""
        parts = [*self.sections]
        parts[self.place] += "A word that nothing else says: zyzzyva.\n\n"
        return "".join(parts)

    @property
    def span(self) -> tuple[int, int]:
        """Where the edited section stands before the edit."""
        start = sum(map(len, self.sections[: self.place]))
        return start, start + len(self.sections[self.place])


@st.composite
def edits(draw: st.DrawFn) -> Edit:
    """Give a document of several sections and an edit in one of them."""
    sections = draw(
        st.lists(
            st.tuples(
                made.atx_headings().map(str.lstrip),
                st.lists(made.blocks(1), min_size=1, max_size=3),
            ),
            min_size=2,
            max_size=5,
        )
    )
    texts = ["\n\n".join([heading, *blocks]) + "\n\n" for heading, blocks in sections]
    return Edit(texts, draw(st.integers(0, len(texts) - 1)))


def keeps_ids(edit: Edit, some: Options) -> None:
    """Promise 8: an edit changes ids in its section only, where no sections are joined."""
    some = replace(some, min_tokens=0, overlap_tokens=0)
    before, after = (Chunker(some).chunk(text) for text in (edit.before, edit.after))
    start, end = edit.span
    more = len(edit.after) - len(edit.before)
    edited = {_said(one) for one in before if start < one.end_index and one.start_index < end}
    edited |= {
        _said(one) for one in after if start < one.end_index and one.start_index < end + more
    }
    kept = {one.id for one in before if _said(one) not in edited}

    assert kept <= {one.id for one in after}


def _said(chunk: Chunk) -> tuple[tuple[str, ...], str]:
    return chunk.heading_path, chunk.text


def test_an_edit_changes_ids_near_it() -> None:
    QUICK(given(edits(), options(least=64))(keeps_ids))()


@pytest.mark.slow
@pytest.mark.timeout(6 * 3600)
def test_an_edit_changes_ids_near_it_at_length() -> None:
    LONG(given(edits(), options(least=64))(keeps_ids))()


_SCRIPT: Final = """
import json, sys
import fencepost
texts = json.load(sys.stdin)
docs = [fencepost.chunk(text, source="a.md", max_tokens=64) for text in texts]
json.dump([[one.id for one in doc] for doc in docs], sys.stdout)
"""


def test_ids_are_the_same_in_any_process() -> None:
    """Promise 8: hash seeds and what was chunked before change nothing."""
    texts: list[str] = []

    def keep(text: str) -> None:
        texts.append(text)

    settings(QUICK, max_examples=20)(given(made.documents(depth=1))(keep))()
    expected = [
        [one.id for one in fencepost.chunk(text, source="a.md", max_tokens=64)] for text in texts
    ]
    for seed in ("1", "2"):
        run = subprocess.run(
            [sys.executable, "-X", "utf8", "-c", _SCRIPT],
            input=json.dumps(texts),
            capture_output=True,
            encoding="utf-8",
            check=True,
            env=os.environ | {"PYTHONHASHSEED": seed},
        )

        assert expected == json.loads(run.stdout)


def test_chunking_twice_gives_the_same() -> None:
    """Nothing is remembered from one document to the next."""

    def twice(text: str, other: str) -> None:
        first = fencepost.chunk(text).to_dicts()
        fencepost.chunk(other)

        assert first == fencepost.chunk(text).to_dicts()

    QUICK(given(made.documents(depth=1), made.documents(depth=1))(twice))()
