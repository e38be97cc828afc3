"""Try the judge from both sides: chunks that are right, and wrong in one known way."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from judge import Fault, examine, judge
from judge.reading import read

GUIDE = """\
---
title: Harbour
---
# Crane

The crane lifts crates.

Run this:

```js
const a = 1;

  const b = 2;
```

## Tables

| name | size |
|------|------|
| one  | 1    |
| two  | 2    |

## Notes

!!! note
    Inside the note:

    ```sh
    ls
    ```

- item

  ```py
  x = 1
  ```

      indented = 2

> # not a section
"""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Stand in for a chunk."""

    fields: dict[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as the library's chunks do."""
        return self.fields


@dataclass(frozen=True, slots=True)
class Document:
    """Stand in for a chunked document."""

    text: str
    chunks: tuple[Chunk, ...]
    dropped: tuple[dict[str, Any], ...] = ()
    metadata: dict[str, Any] = field(default_factory=dict)
    format: str = "markdown"
    restored: str | None = None

    def __iter__(self) -> Iterator[Chunk]:
        return iter(self.chunks)

    def __len__(self) -> int:
        return len(self.chunks)

    def restore(self) -> str:
        """Return the text, or what a test wants to be returned."""
        return self.text if self.restored is None else self.restored


@dataclass(frozen=True, slots=True)
class Part:
    """Say what one chunk is to be: its lines from 1 to, its path, and what is put around them."""

    first: int
    last: int
    path: tuple[str, ...] = ()
    lead: str = ""
    tail: str = ""
    repeat: tuple[int, int] | None = None
    sections: tuple[tuple[tuple[str, ...], int], ...] = ()
    changes: dict[str, Any] = field(default_factory=dict)


def tokens(text: str) -> int:
    """Count words, the tests' tokens."""
    return len(text.split())


def document(text: str, *parts: Part, front: int = 0) -> Document:
    """Build a document from parts, right in every field that a part does not change."""
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    made = [_fields(text, starts, part, number) for number, part in enumerate(parts)]
    for number, (fields, part) in enumerate(zip(made, parts, strict=True)):
        fields["prev_id"] = made[number - 1]["id"] if number else None
        fields["next_id"] = made[number + 1]["id"] if number + 1 < len(made) else None
        fields.update(part.changes)
    dropped = ({"start": 0, "end": starts[front] - 1, "reason": "front-matter"},) if front else ()
    return Document(text, tuple(Chunk(fields) for fields in made), dropped)


def _fields(text: str, starts: Sequence[int], part: Part, number: int) -> dict[str, Any]:
    start, end = starts[part.first - 1], starts[part.last] - 1
    shown = ""
    pieces: list[dict[str, Any]] = []
    if part.repeat:
        again = (starts[part.repeat[0] - 1], starts[part.repeat[1]])
        pieces.append(
            {"text_start": 0, "text_end": again[1] - again[0], "start": again[0], "end": again[1]}
        )
        pieces[0]["repeated"] = True
        shown = text[again[0] : again[1]]
    for insertion in (part.lead, None, part.tail):
        before = len(shown)
        shown += text[start:end] if insertion is None else insertion
        span = {"text_start": before, "text_end": len(shown)}
        if insertion is None:
            pieces.append({**span, "start": start, "end": end})
        elif insertion:
            pieces.append({**span, "inserted": "fence"})
    codes = read(shown).codes
    names = dict.fromkeys(code.info.split()[0] for code in codes if code.info)
    entries = part.sections or ((part.path, part.first),)
    return {
        "id": hashlib.md5(f"{number}".encode(), usedforsecurity=False).hexdigest(),
        "text": shown,
        "embed_text": shown,
        "heading_path": list(part.path),
        "breadcrumb": " > ".join(part.path),
        "sections": [
            {"heading_path": list(path), "anchor": None, "start_line": line, "end_line": part.last}
            for path, line in entries
        ],
        "kind": "section",
        "has_code": bool(codes),
        "code_languages": list(names),
        "token_count": tokens(shown),
        "embed_token_count": tokens(shown),
        "start_index": start,
        "end_index": end,
        "start_line": part.first,
        "end_line": part.last,
        "part": 1,
        "parts": 1,
        "section_id": None,
        "anchor": None,
        "pieces": pieces,
    }


def faults(doc: Document, *, target: int = 100, limit: int = 150, least: int = 0) -> list[Fault]:
    """Judge a document by a budget of words."""
    return judge(doc, max_tokens=target, hard_max_tokens=limit, min_tokens=least, count=tokens)


def codes(doc: Document, *, target: int = 100, limit: int = 150, least: int = 0) -> set[str]:
    """Return the codes of a document's faults."""
    return {fault.code for fault in faults(doc, target=target, limit=limit, least=least)}


CRANE = Part(4, 14, ("Harbour", "Crane"))
TABLE = Part(16, 21, ("Harbour", "Crane", "Tables"), changes={"kind": "table"})
NOTES = Part(23, 40, ("Harbour", "Crane", "Notes"))


def guide(*parts: Part) -> Document:
    """Build the guide from some parts."""
    return document(GUIDE, *parts, front=3)


def changed(part: Part, **changes: Any) -> Part:
    """Return a part with some of its fields overwritten."""
    return replace(part, changes={**part.changes, **changes})


def test_leaves_a_right_document_alone() -> None:
    assert faults(guide(CRANE, TABLE, NOTES)) == []


LONG = "# A\n\n```js\n" + "".join(f"line {number};\n" for number in range(20)) + "```\n\nAfter.\n"


def test_leaves_a_cut_that_reopens_its_fence_alone() -> None:
    doc = document(
        LONG,
        Part(1, 13, ("A",), tail="\n```"),
        Part(14, 26, ("A",), lead="```js\n", changes={"kind": "section"}),
    )
    assert faults(doc, target=30, limit=38) == []


def test_leaves_a_cut_table_that_repeats_its_header_alone() -> None:
    doc = guide(
        CRANE,
        Part(16, 20, ("Harbour", "Crane", "Tables"), changes={"kind": "table"}),
        Part(21, 21, ("Harbour", "Crane", "Tables"), repeat=(18, 19), changes={"kind": "table"}),
        NOTES,
    )
    assert faults(doc) == []


def test_leaves_joined_sections_alone() -> None:
    doc = document(
        "# A\n\n## B\n\none\n\n## C\n\ntwo\n",
        Part(1, 9, ("A",), sections=((("A",), 1), (("A", "B"), 3), (("A", "C"), 7))),
    )
    assert faults(doc, least=5) == []


def test_names_a_small_parent_by_its_child() -> None:
    text = "# A\n\nintro\n\n## B\n\none two three four five six\n"
    sections = ((("A",), 1), (("A", "B"), 5))
    assert codes(document(text, Part(1, 7, ("A", "B"), sections=sections)), least=5) == set()
    assert codes(document(text, Part(1, 7, ("A",), sections=sections)), least=5) == {"path"}


def test_leaves_a_fence_alone_that_the_end_of_its_item_closes() -> None:
    code = {"kind": "list", "has_code": True, "code_languages": ["js"]}
    doc = document("- ```js\n  a\n\nend\n", Part(1, 2, changes=code), Part(4, 4))
    assert codes(doc) == set()


def test_reads_an_opener_that_nothing_closes_as_text() -> None:
    text = "```js\ntext\n\n# A\n\ntext\n"
    assert codes(document(text, Part(1, 2), Part(4, 6, ("A",)))) == set()


def test_counts_headings_in_containers_by_the_blank_line_over_them() -> None:
    parted = "::: tip\n\n# A\n\none\n\n:::\n\n# B\n\ntwo\n"
    assert codes(document(parted, Part(1, 7, ("A",)), Part(9, 11, ("B",)))) == set()
    close = "::: tip\n# A\n\none\n\n:::\n\n# B\n\ntwo\n"
    assert codes(document(close, Part(1, 6), Part(8, 10, ("B",)))) == set()


def test_takes_fences_under_a_tag_line_by_either_reading() -> None:
    text = "<Good>\n```ts\na\n\nb\n```\n</Good>\n\nend\n"
    by_rule = {"has_code": True, "code_languages": ["ts"]}
    assert codes(document(text, Part(1, 9, changes=by_rule))) == set()


WRONG: list[tuple[str, str, Callable[[], Document]]] = [
    ("a line is dropped", "lost", lambda: guide(replace(CRANE, first=5, changes={}), TABLE, NOTES)),
    ("chunks are swapped", "order", lambda: guide(TABLE, CRANE, NOTES)),
    ("a span stands in two chunks", "order", lambda: guide(CRANE, TABLE, TABLE, NOTES)),
    (
        "a fence is cut",
        "cut",
        lambda: guide(replace(CRANE, last=11), Part(13, 14, CRANE.path), TABLE, NOTES),
    ),
    (
        "a fence is cut and closed, though it fits",
        "cut",
        lambda: guide(
            replace(CRANE, last=11, tail="\n```"),
            Part(13, 14, CRANE.path, lead="```js\n"),
            TABLE,
            NOTES,
        ),
    ),
    (
        "a fence is not reopened",
        "fence",
        lambda: document(LONG, Part(1, 13, ("A",), tail="\n```"), Part(14, 26, ("A",))),
    ),
    (
        "a reopened fence is not closed",
        "fence",
        lambda: document(LONG, Part(1, 13, ("A",)), Part(14, 26, ("A",), lead="```js\n")),
    ),
    (
        "a part without code lines opens and closes a fence",
        "fence",
        lambda: document(
            LONG, Part(1, 3, ("A",), tail="\n```"), Part(4, 26, ("A",), lead="```js\n")
        ),
    ),
    (
        "indentation is stripped",
        "indent",
        lambda: shifted("a\n\n    code\n    more\n", 7, "code\n    more"),
    ),
    ("a body is read alone without its header", "fence", lambda: guide(CRANE, TABLE, *cut_note())),
    (
        "a table row has no header",
        "row",
        lambda: guide(CRANE, replace(TABLE, last=20), Part(21, 21, TABLE.path), NOTES),
    ),
    (
        "a table part is not read as a table",
        "table",
        lambda: guide(CRANE, replace(TABLE, last=20), Part(21, 21, TABLE.path), NOTES),
    ),
    (
        "a heading is invented",
        "path",
        lambda: guide(CRANE, TABLE, replace(NOTES, path=("Harbour", "x", "Notes"))),
    ),
    (
        "a heading is missing",
        "path",
        lambda: guide(CRANE, TABLE, replace(NOTES, path=("Crane", "Notes"))),
    ),
    (
        "a quoted heading counts",
        "path",
        lambda: guide(CRANE, TABLE, replace(NOTES, path=("not a section",))),
    ),
    (
        "a section is not listed",
        "sections",
        lambda: document("# A\n\none\n\n# B\n\ntwo\n", Part(1, 7, (), sections=((("A",), 1),))),
    ),
    (
        "a section starts elsewhere",
        "sections",
        lambda: guide(CRANE, TABLE, replace(NOTES, sections=((NOTES.path, 25),))),
    ),
    ("offsets are shifted", "index", lambda: guide(changed(CRANE, start_index=21), TABLE, NOTES)),
    ("a piece is shifted", "slice", lambda: shifted("one two three\n", 1, "one two three")),
    ("lines are shifted", "lines", lambda: guide(changed(CRANE, start_line=5), TABLE, NOTES)),
    (
        "an id is used twice",
        "id",
        lambda: guide(CRANE, changed(TABLE, id="0" * 32), changed(NOTES, id="0" * 32)),
    ),
    ("neighbours are wrong", "chain", lambda: guide(CRANE, changed(TABLE, next_id=None), NOTES)),
    ("a part is out of count", "part", lambda: guide(changed(CRANE, parts=0), TABLE, NOTES)),
    ("a count is wrong", "count", lambda: guide(changed(CRANE, token_count=1), TABLE, NOTES)),
    (
        "a heading is orphaned",
        "orphan",
        lambda: guide(replace(CRANE, last=16), Part(18, 21, TABLE.path), NOTES),
    ),
    ("a text begins on a blank line", "edge", lambda: guide(replace(CRANE, last=15), TABLE, NOTES)),
    ("has_code is wrong", "has_code", lambda: guide(changed(CRANE, has_code=False), TABLE, NOTES)),
    (
        "a language is missing",
        "language",
        lambda: guide(changed(CRANE, code_languages=[]), TABLE, NOTES),
    ),
    ("a kind is wrong", "kind", lambda: guide(CRANE, changed(TABLE, kind="code"), NOTES)),
    (
        "the breadcrumb is foreign",
        "embed",
        lambda: guide(changed(CRANE, embed_text="x"), TABLE, NOTES),
    ),
    (
        "text is dropped",
        "dropped",
        lambda: replace(
            guide(TABLE, NOTES),
            dropped=({"start": 0, "end": GUIDE.index("\n\n## T"), "reason": "x"},),
        ),
    ),
    ("restore fails", "restore", lambda: replace(guide(CRANE, TABLE, NOTES), restored="x")),
    (
        "text is not its pieces",
        "pieces",
        lambda: guide(changed(CRANE, text="# Crane"), TABLE, NOTES),
    ),
    (
        "an insertion has no fence",
        "insertion",
        lambda: document(LONG, Part(1, 26, ("A",), tail="\n\nadvertisement")),
    ),
]


def shifted(text: str, start: int, shown: str) -> Document:
    """Build a document of one chunk whose last piece says it begins at a given offset."""
    doc = document(text, Part(1, text.count("\n")))
    end = len(text) - 1
    fields = dict(doc.chunks[0].fields)
    head = text[: max(0, start - 4)].rstrip()
    pieces = [{"text_start": 0, "text_end": len(shown), "start": start, "end": end}]
    first = Chunk(
        {**fields, "text": head, "embed_text": head, "next_id": "1" * 32, "has_code": False}
    )
    first.fields["pieces"] = [
        {"text_start": 0, "text_end": len(head), "start": 0, "end": len(head)}
    ]
    last = Chunk({**fields, "id": "1" * 32, "text": shown, "embed_text": shown, "pieces": pieces})
    return replace(doc, chunks=(first, last) if head else (last,))


def cut_note() -> tuple[Part, Part]:
    """Cut the note before its fence and give its second part no header."""
    return replace(NOTES, last=26), Part(28, 40, NOTES.path)


@pytest.mark.parametrize(("what", "code", "build"), WRONG, ids=[what for what, _, _ in WRONG])
def test_names_a_fault(what: str, code: str, build: Callable[[], Document]) -> None:
    assert code in codes(build(), target=30 if "reopened" in what else 100, limit=200), what


def test_names_a_chunk_over_the_hard_limit() -> None:
    assert "hard" in codes(document("one two three\n", Part(1, 1)), target=2, limit=2)


def test_names_a_chunk_past_the_target_with_several_blocks() -> None:
    assert codes(document("a b\n\nc d\n\ne f\n", Part(1, 5)), target=4, limit=9) == {"target"}
    assert codes(document("a b\n\nc d e\n", Part(1, 3)), target=4, limit=9) == set()


def test_names_two_large_sections_in_one_chunk() -> None:
    text = "# A\n\none two three\n\n# B\n\nfour five six\n"
    doc = document(text, Part(1, 7, (), sections=((("A",), 1), (("B",), 5))))
    assert codes(doc, least=3) == {"joined"}
    assert codes(doc, least=4) == set()


def test_counts_what_is_no_fault() -> None:
    doc = guide(
        replace(CRANE, last=8), Part(10, 14, CRANE.path, changes={"kind": "code"}), TABLE, NOTES
    )
    verdict = examine(doc, max_tokens=100, hard_max_tokens=150, min_tokens=0, count=tokens)
    assert (verdict.faults, verdict.figures.parted, verdict.figures.tiny) == ([], [10], 4)


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ('=== "A"\n\n    ```js\n    a\n    ```\n', ["a"]),
        ("!!! note\n    !!! tip\n        ```\n        a\n        ```\n", ["a"]),
        ("!!! note\n    ```js\n    a\n\nend\n\n```\nb\n```\n", ["b"]),
        ('1. x\n\n    === "A"\n\n        ```js\n          a\n        ```\n', ["  a"]),
        ("> ```\n> a\n", []),
        ("````\n```\na\n```\n", ["a"]),
        ("a\r```\rb\r```\r", ["b"]),
        ("a\x0c\n```\nb\u2028c\n```\n", ["b\u2028c"]),
        ("$$\n- a\n\n    b\n===\n$$\n", []),
        ("[^1]: a\n\n    b\n\n        c\n", ["c"]),
        ("a\n: b\n\n        c\n", ["  c"]),
        ("```\n\x00\ud800\n```\n", ["\ufffd\ufffd"]),
        ("::: code-group\n```js\na\n```\n```ts\nb\n```\n:::\n", ["a", "b"]),
    ],
)
def test_sees_code(text: str, seen: list[str]) -> None:
    assert ["\n".join(code.content) for code in read(text).codes] == seen


@pytest.mark.parametrize(
    "unit",
    [
        "```js\n",
        "  ```js\n",
        "!!! note\n",
        "$$ x\n",
        "- ",
        ">",
        "::: a\n",
        "#\n",
        "<a b='\n\n",
        "    a\n\n",
    ],
)
def test_reads_in_linear_time(unit: str) -> None:
    spent = []
    for size in (1_000, 4_000):
        began = time.process_time()
        read(unit * size + "x")
        spent.append(time.process_time() - began)
    assert spent[1] < 10 * spent[0] + 0.2
