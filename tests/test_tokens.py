"""Counting: exact for every slice, offline, whatever the tokenizer."""

from __future__ import annotations

import hashlib
import importlib
import os
import pickle
import subprocess
import sys
import time
import types
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import tiktoken
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fencepost.errors import MissingExtraError, OptionsError
from fencepost.source import Source
from fencepost.tokens import Counter, Measure, counter_for, vocabulary

DATA = Path(vocabulary.__file__).parents[1] / "data" / "cl100k_base.tiktoken"
CL100K = vocabulary.load_encoding("cl100k_base", "")
RANKS: dict[bytes, int] = vars(CL100K)["_mergeable_ranks"]
# The pattern decides where counts add up, not the ranks: so o200k_base needs no download here.
O200K_LIKE = tiktoken.Encoding(
    "o200k_like",
    pat_str=vocabulary.O200K,
    mergeable_ranks=RANKS,
    special_tokens={},
)
COUNTERS = {
    "cl100k_base": counter_for("cl100k_base"),
    "o200k": counter_for(O200K_LIKE),
    "characters": counter_for("characters"),
    "words": counter_for("words"),
    "bytes": counter_for("bytes"),
    "callable": counter_for(lambda text: len(text) // 3),
}

FRAGMENTS = (
    *("a", "Word", " word", "it's", "12345", "e.g. ", "()", "};", "/", "//", "|", "```", "# "),
    *("\n", "\n\n", "\r\n", "\r", "\t", " ", "    ", " \n", "\t\n", "\x0c", "\x1c", "\x85", "\xa0"),
    *("\u2028", "\u2003", "\ufeff", "\ufffd", "\u200b", "é", "e\u0301", "漢字", "。", "👩\u200d🚀"),
    *("<|endoftext|>", ";\n\n", ".\n/", "=\n    x"),
)
TEXTS = st.lists(st.sampled_from(FRAGMENTS), max_size=40).map("".join)
OFFSETS = st.tuples(st.integers(0, 200), st.integers(0, 200)).map(sorted)


def measure_of(text: str, counter: Counter) -> tuple[str, list[int], Measure]:
    """Return what a reader would hand over: the cleaned text and the starts of its lines."""
    source = Source.of(text)
    return source.text, source.starts, Measure(source.text, source.starts, counter)


def run_apart(program: str, **environment: str) -> None:
    """Run a program in an interpreter of its own; it must exit with 0."""
    environment["PYTHONPATH"] = os.pathsep.join(sys.path)
    subprocess.run([sys.executable, "-c", program], check=True, env=os.environ | environment)


@pytest.mark.parametrize("name", COUNTERS)
@settings(max_examples=150, deadline=None)
@given(text=TEXTS, places=OFFSETS, by_line=st.booleans())
@example(text="a\n   b", places=[0, 4], by_line=False)
@example(text="x;\n\n/y\n", places=[0, 2], by_line=True)
@example(text="\ufeff# T\nb\n", places=[0, 4], by_line=False)
@example(text="\ufeff", places=[0, 1], by_line=False)
@example(text="a;\n\xa0\n\u2003\nb", places=[0, 5], by_line=False)
def test_exact_is_the_count_of_the_slice(
    name: str, text: str, places: list[int], *, by_line: bool
) -> None:
    counter = COUNTERS[name]
    text, starts, measure = measure_of(text, counter)
    where = [starts[at % len(starts)] if by_line else at % (len(text) + 1) for at in places]
    start, end = sorted(where)
    assert measure.exact(start, end) == counter.count(text[start:end])
    assert measure.exact(start, end) == counter.count(text[start:end]), "the memo"


@pytest.mark.parametrize("name", [name for name in COUNTERS if COUNTERS[name].adds_up])
@settings(max_examples=150, deadline=None)
@given(text=TEXTS)
def test_between_is_exact_from_line_to_line(name: str, text: str) -> None:
    counter = COUNTERS[name]
    text, starts, measure = measure_of(text, counter)
    bad = counter.not_before
    lines = [
        start
        for start, end in pairwise(starts)
        if text[start:end].strip()
        and text[start] not in bad
        and text[start - 1 : start] != "\ufeff"
    ]
    for start, end in pairwise(lines):
        assert measure.between(start, end) == counter.count(text[start:end])
    for start in lines[:1]:
        assert measure.between(start, len(text)) == counter.count(text[start:])


@pytest.mark.parametrize("name", COUNTERS)
@settings(max_examples=100, deadline=None)
@given(text=TEXTS, places=OFFSETS)
def test_between_is_near_everywhere(name: str, text: str, places: list[int]) -> None:
    text, _, measure = measure_of(text, COUNTERS[name])
    start, end = (at % (len(text) + 1) for at in places)
    start, end = sorted((start, end))
    count = COUNTERS[name].count(text[start:end])
    assert abs(measure.between(start, end) - count) <= 3 + count // 2
    assert measure.between(0, start) + measure.between(start, end) == measure.between(0, end)


def test_a_part_boundary_of_a_long_document_changes_no_count() -> None:
    text = "Some line of prose; and more.\n\n    indented\n" * 20_000
    _, starts, measure = measure_of(text, COUNTERS["cl100k_base"])
    assert measure.between(0, len(text)) == COUNTERS["cl100k_base"].count(text)
    middle = starts[30_000]
    assert measure.exact(0, middle) == COUNTERS["cl100k_base"].count(text[:middle])


def test_exact_encodes_little_more_than_the_document() -> None:
    encoded: list[int] = []

    class Spy(tiktoken.Encoding):
        def encode_ordinary(self, text: str) -> list[int]:
            encoded.append(len(text))
            return super().encode_ordinary(text)

    spy = Spy(
        "spy",
        pat_str=vocabulary.CL100K,
        mergeable_ranks={bytes([i]): i for i in range(256)},
        special_tokens={},
    )
    text = "A line of some ten words, as documentation has them often.\n" * 2000
    _, starts, measure = measure_of(text, counter_for(spy))
    for first in range(0, 2000, 40):
        assert measure.exact(starts[first], starts[first + 40] - 1) == 40 * 59 - 1
    assert sum(encoded) < 1.1 * len(text)


@pytest.mark.parametrize("run", ["a", "=", " ", "\n", "1", "漢", "- ", "aB", "\u2003"])
def test_a_long_run_takes_linear_time(run: str) -> None:
    def seconds(size: int) -> float:
        text, _, measure = measure_of((run * size)[:size] + "x", COUNTERS["cl100k_base"])
        start = time.perf_counter()
        measure.between(0, len(text))
        measure.exact(1, len(text))
        return time.perf_counter() - start

    small = min(seconds(50_000) for _ in range(3))
    assert any(seconds(400_000) < 8 * 4 * small + 0.2 for _ in range(3))


@pytest.mark.parametrize("encoding", [CL100K, O200K_LIKE], ids=lambda one: str(one.name))
@pytest.mark.parametrize("blank", [" ", "\u2003"])
def test_a_million_blanks_do_not_overflow(encoding: tiktoken.Encoding, blank: str) -> None:
    text = "a" + blank * 1_100_000 + "b\n"
    counter = counter_for(encoding)
    _, _, measure = measure_of(text, counter)
    assert measure.exact(0, len(text)) == counter.count(text) > 1_100_000 // 128
    assert abs(measure.between(0, len(text)) - counter.count(text)) < 3


def test_shipped_vocabulary_is_the_one_that_tiktoken_pins() -> None:
    digest = "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"
    assert hashlib.sha256(DATA.read_bytes()).hexdigest() == digest
    assert digest in (DATA.parent / "NOTICE").read_text(encoding="utf-8")
    assert len(RANKS) == 100_256
    lines = DATA.read_text(encoding="ascii").splitlines()
    assert [int(line.split()[1]) for line in lines] == list(range(100_256))


def test_patterns_are_those_of_tiktoken(monkeypatch: pytest.MonkeyPatch) -> None:
    openai_public: Any = importlib.import_module("tiktoken_ext.openai_public")
    monkeypatch.setattr(openai_public, "load_tiktoken_bpe", lambda *_, **__: {})
    assert openai_public.cl100k_base()["pat_str"] == vocabulary.CL100K
    assert openai_public.o200k_base()["pat_str"] == vocabulary.O200K


@pytest.mark.parametrize("text", ["<|endoftext|>", "a<|fim_prefix|>b<|endofprompt|>", "<s>"])
def test_special_tokens_are_text(text: str) -> None:
    counter = counter_for("cl100k_base")
    assert counter.count(text) == len(CL100K.encode(text, disallowed_special=()))
    assert measure_of(text, counter)[2].between(0, len(text)) == counter.count(text) > 1


def test_a_lone_surrogate_is_counted() -> None:
    assert counter_for("cl100k_base").count("a\ud800b") > 0
    assert counter_for("bytes").count("a\ud800b") == 5


def test_names_are_loaded_once() -> None:
    assert counter_for("cl100k_base") is counter_for("cl100k_base")


@pytest.mark.parametrize("tokenizer", ["cl100k_base", "words", "bytes", "characters", len])
def test_counters_travel_to_another_process(tokenizer: Any) -> None:
    there = pickle.loads(pickle.dumps(counter_for(tokenizer)))  # noqa: S301 - made here
    assert there.count("one two\n") == counter_for(tokenizer).count("one two\n")


def test_a_custom_encoding_adds_up_only_with_a_known_pattern() -> None:
    assert COUNTERS["o200k"].adds_up
    words = tiktoken.Encoding(
        "cl100k_base",
        pat_str=r"\s*\S+|\s+",
        mergeable_ranks={bytes([i]): i for i in range(256)},
        special_tokens={},
    )
    counter = counter_for(words)
    assert not counter.adds_up
    text, _, measure = measure_of("é\n b\n\n c\n", counter)
    assert measure.exact(2, 8) == counter.count(text[2:8])
    assert measure.between(0, len(text)) == counter.count(text)


def test_empty_text_and_empty_slices_have_no_tokens() -> None:
    for counter in COUNTERS.values():
        assert measure_of("", counter)[2].exact(0, 0) == 0
        _, _, measure = measure_of("a\nb", counter)
        assert (measure.exact(1, 1), measure.between(2, 2)) == (0, 0)


def test_nothing_is_loaded_by_the_import() -> None:
    program = (
        "import sys, fencepost.tokens;"
        "sys.exit(bool({'tiktoken', 'tokenizers', 'regex'} & set(sys.modules)))"
    )
    run_apart(program)


# What cannot be had.


@pytest.mark.parametrize("name", ["cl100k", "gpt-4", "Words", "hf"])
def test_an_unknown_name_lists_what_is_valid(name: str) -> None:
    with pytest.raises(OptionsError, match=r"cl100k_base.*'characters'.*hf:NAME") as caught:
        counter_for(name)
    assert (caught.value.field, caught.value.value) == ("tokenizer", name)


def test_an_object_that_cannot_count_is_refused() -> None:
    number: Any = 3
    with pytest.raises(OptionsError, match="'words'"):
        counter_for(number)


def test_a_callable_must_return_a_number() -> None:
    wrong: Any = CL100K.encode_ordinary
    with pytest.raises(OptionsError, match="whole number, not list"):
        counter_for(wrong).count("a")


def test_a_vocabulary_out_of_reach_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    requests = pytest.importorskip("requests")
    url = "https://openaipublic.blob.core.windows.net/encodings/p50k_base.tiktoken"

    def unreachable(address: str, *_: object, **__: object) -> None:
        raise requests.ConnectionError(request=requests.Request("GET", address))

    monkeypatch.setattr(requests, "get", unreachable)
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    monkeypatch.delitem(tiktoken.registry.ENCODINGS, "p50k_base", raising=False)
    with pytest.raises(OptionsError, match="TIKTOKEN_CACHE_DIR") as caught:
        counter_for("p50k_base")
    assert f"{url} as {hashlib.sha1(url.encode()).hexdigest()}" in str(caught.value)  # noqa: S324


def test_cl100k_base_needs_neither_network_nor_cache(tmp_path: Path) -> None:
    program = (
        "import socket, sys; socket.socket = None;"
        "from fencepost.tokens import counter_for;"
        "sys.exit(counter_for('cl100k_base').count('a') - 1)"
    )
    run_apart(program, TIKTOKEN_CACHE_DIR=str(tmp_path))
    assert not list(tmp_path.iterdir())


# Hugging Face.


def test_without_tokenizers_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(MissingExtraError, match=r"fencepost\[hf\]"):
        counter_for("hf:some/tokenizer")


def test_a_name_that_the_hub_does_not_give(monkeypatch: pytest.MonkeyPatch) -> None:
    class Tokenizer:
        @staticmethod
        def from_pretrained(name: str) -> None:
            raise OSError(name)

    fake: Any = types.ModuleType("tokenizers")
    fake.Tokenizer = Tokenizer
    monkeypatch.setitem(sys.modules, "tokenizers", fake)
    with pytest.raises(OptionsError, match=r"tokenizer\.json.*OSError: not/there"):
        counter_for("hf:not/there")


@pytest.fixture(scope="module")
def word_level() -> Any:
    tokenizers = pytest.importorskip("tokenizers", reason="tokenizers (extra hf) is not installed")
    vocabulary = {"[UNK]": 0, "[CLS]": 1, "gate": 2, "fence": 3}
    made = tokenizers.Tokenizer(tokenizers.models.WordLevel(vocabulary, unk_token="[UNK]"))  # noqa: S106
    made.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    made.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS] $A", special_tokens=[("[CLS]", 1)]
    )
    return made


def test_hugging_face_counts_without_limits_or_additions(word_level: Any, tmp_path: Path) -> None:
    word_level.enable_truncation(4)
    word_level.enable_padding(length=4)
    file = tmp_path / "tokenizer.json"
    word_level.save(str(file))
    text = "gate fence " * 10
    for tokenizer in (word_level, f"hf:{file}", f"hf:{tmp_path}"):
        counter = counter_for(tokenizer)
        assert (counter.count(text), counter.count(""), counter.adds_up) == (20, 0, False)
        assert pickle.loads(pickle.dumps(counter)).count(text) == 20  # noqa: S301 - made here
    assert word_level.truncation["max_length"] == 4, "the caller's object is left alone"
    _, starts, measure = measure_of("gate fence\n\na gate\n", counter_for(word_level))
    assert (measure.between(0, starts[-1]), measure.exact(5, 14)) == (4, 2)


def test_hugging_face_files_that_are_none(tmp_path: Path) -> None:
    pytest.importorskip("tokenizers", reason="tokenizers (extra hf) is not installed")
    (tmp_path / "bad.json").write_text("{}", encoding="utf-8")
    for place in (tmp_path, tmp_path / "bad.json", ""):
        with pytest.raises(OptionsError, match="tokenizer"):
            counter_for(f"hf:{place}")


def test_lists_of_transformers_are_counted_too() -> None:
    class Slow:
        def encode(self, text: str, *, add_special_tokens: bool) -> list[str]:
            return (["<s>"] if add_special_tokens else []) + text.split()

    class Other:
        def encode(self, text: str) -> list[str]:
            return text.split()

    slow: Any = Slow()
    other: Any = Other()
    assert counter_for(slow).count("a b") == 2
    with pytest.raises(OptionsError, match="add_special_tokens"):
        counter_for(other)
