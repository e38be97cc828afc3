"""MDX: no fence hidden, no heading invented, nothing torn.

The pages in `torture/` hold one construct each, or one combination; `torture/expected.toml` says
what a reader of the page sees in it. Fences are found by a raw scan of the judge's, which knows no
tags, and compared with what the library makes of them.
"""

from __future__ import annotations

import gc
import re
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pytest
from invariants import check
from judge.raw_fences import pair

import fencepost
from fencepost.model import Block, Chunk, ChunkedDocument
from fencepost.options import Options
from fencepost.readers import mdx
from fencepost.source import Source

PAGES: Final = Path(__file__).with_name("torture")
BUDGETS: Final = ((800, 1200), (96, 128))
LINE_ENDS: Final = {"lf": "\n", "crlf": "\r\n", "cr": "\r"}

_TAG_LINE: Final = re.compile(r"[ \t]*<(?P<close>/?)(?P<name>[a-z][\w.:-]*)[^<>]*>[ \t]*$")


@dataclass(frozen=True, slots=True)
class Page:
    """What a page holds; lines count from 1."""

    name: str
    paths: list[str]
    code: int | None = None
    """How many code blocks; None where `fences` says."""
    fences: list[list[int]] | None = None
    """First and last line of each, where a raw scan of the page would pair them wrongly."""
    hidden: list[int] = field(default_factory=list)
    """First lines of fences that stand in a comment or an attribute."""
    tabs: list[str] = field(default_factory=list)
    admonitions: list[str] = field(default_factory=list)
    unclosed: int = 0
    apart: bool = False
    """Whether tabs that are cut must not share a chunk."""
    xml: bool = False
    """Whether tags that are cut must be reopened and closed."""

    def text(self, line_end: str = "\n") -> str:
        """Return the page."""
        text = (PAGES / f"{self.name}.mdx").read_text(encoding="utf-8")
        return text.replace("\n", line_end)

    def spans(self) -> list[tuple[int, int]]:
        """Return first and last line of each fence, from 0."""
        if self.fences is not None:
            return [(first - 1, last - 1) for first, last in self.fences]
        found, _ = pair(self.text().split("\n"))
        return [(first, last) for first, last in found if first + 1 not in self.hidden]


def _expected() -> Iterator[Page]:
    with (PAGES / "expected.toml").open("rb") as file:
        for name, row in tomllib.load(file).items():
            yield Page(name, **row)


EXPECTED: Final = list(_expected())
each_page = pytest.mark.parametrize("page", EXPECTED, ids=lambda page: page.name)
each_budget = pytest.mark.parametrize("budget", BUDGETS, ids=lambda budget: str(budget[0]))
each_line_end = pytest.mark.parametrize("line_end", LINE_ENDS.values(), ids=LINE_ENDS)


def chunked(text: str, budget: tuple[int, int] = BUDGETS[0]) -> ChunkedDocument:
    return fencepost.chunk(text, format="mdx", max_tokens=budget[0], hard_max_tokens=budget[1])


def leaves(blocks: Sequence[Block]) -> Iterator[Block]:
    for block in blocks:
        yield block
        yield from leaves(block.children)


def codes(text: str) -> list[tuple[int, int]]:
    """Return first and last line, from 0, of the fenced code blocks that the reader sees."""
    blocks = mdx.read(Source.of(text), Options()).blocks
    fenced = [block for block in leaves(blocks) if block.kind == "code"]
    return [(block.start, block.end - 1) for block in fenced]


def lines_of(text: str) -> list[str]:
    return re.split(r"\r\n|\r|\n", text)


def opened(text: str) -> int:
    """Return how many fences of a text nothing closes."""
    return len(pair(lines_of(text))[1])


def test_every_page_is_expected() -> None:
    assert sorted(path.stem for path in PAGES.glob("*.mdx")) == [page.name for page in EXPECTED]
    assert len(EXPECTED) >= 70


@each_page
@each_line_end
def test_fence_is_code(page: Page, line_end: str) -> None:
    spans = page.spans()
    assert page.code in {None, len(spans)} or page.name == "html-pre"
    fenced = codes(page.text(line_end))
    assert [span for span in fenced if span not in spans] == []
    assert [span for span in spans if span not in fenced] == []


@each_page
@each_budget
def test_fence_is_whole(page: Page, budget: tuple[int, int]) -> None:
    doc = chunked(page.text(), budget)
    lines = page.text().split("\n")
    for first, last in page.spans():
        block = "\n".join(lines[first : last + 1])
        holders = [chunk for chunk in doc if block in chunk.text]
        assert len(holders) == 1, block


@each_page
@each_budget
def test_fences_of_chunks_pair(page: Page, budget: tuple[int, int]) -> None:
    doc = chunked(page.text(), budget)
    assert sum(opened(chunk.text) for chunk in doc) == opened(page.text())
    assert sum(one.code == "unclosed-fence" for one in doc.diagnostics) == page.unclosed


@each_page
@each_budget
@each_line_end
def test_nothing_is_lost(page: Page, budget: tuple[int, int], line_end: str) -> None:
    text = page.text(line_end)
    doc = chunked(text, budget)
    assert doc.restore() == text
    body = text[max((span.end for span in doc.dropped), default=0) :]
    held = {line.strip() for chunk in doc for line in lines_of(chunk.text)}
    assert {line.strip() for line in lines_of(body)} - {""} <= held
    assert all(chunk.embed_token_count <= budget[1] for chunk in doc)


@each_page
@each_budget
def test_judge_agrees(page: Page, budget: tuple[int, int]) -> None:
    options = Options(max_tokens=budget[0], hard_max_tokens=budget[1])
    check(chunked(page.text(), budget), options)


@each_page
@each_budget
def test_headings(page: Page, budget: tuple[int, int]) -> None:
    doc = chunked(page.text(), budget)
    refs = [ref for chunk in doc for ref in chunk.sections if ref.heading_path]
    assert list(dict.fromkeys(" > ".join(ref.heading_path) for ref in refs)) == page.paths
    for chunk in doc:
        assert not chunk.heading_path or chunk.breadcrumb in page.paths


@each_page
@each_budget
def test_metadata(page: Page, budget: tuple[int, int]) -> None:
    doc = chunked(page.text(), budget)
    for key, wanted in (("tabs", page.tabs), ("admonitions", page.admonitions)):
        assert _in_order(doc, key) == wanted


def _in_order(doc: ChunkedDocument, key: str) -> list[str]:
    return list(dict.fromkeys(one for chunk in doc for one in chunk.metadata.get(key, ())))


@pytest.mark.parametrize("page", [one for one in EXPECTED if one.apart], ids=lambda page: page.name)
def test_tabs_that_are_cut_stay_apart(page: Page) -> None:
    doc = chunked(page.text(), BUDGETS[1])
    assert [chunk.metadata["tabs"] for chunk in doc if "tabs" in chunk.metadata] == [
        [label] for label in page.tabs
    ]


@pytest.mark.parametrize("page", [one for one in EXPECTED if one.xml], ids=lambda page: page.name)
def test_parts_of_a_tag_are_tagged(page: Page) -> None:
    doc = chunked(page.text(), BUDGETS[1])
    tagged = [chunk for chunk in doc if "<example>" in page.text()]
    assert len(tagged) > 1
    for chunk in tagged:
        lines = [line for line in chunk.text.split("\n") if line.strip()]
        first, last = _TAG_LINE.match(lines[0]), _TAG_LINE.match(lines[-1])
        assert first is None or not first["close"], chunk.text
        assert last is None or last["close"], chunk.text
        assert _net(chunk) == 0, chunk.text


def _net(chunk: Chunk) -> int:
    found = filter(None, map(_TAG_LINE.match, chunk.text.split("\n")))
    return sum(-1 if tag["close"] else 1 for tag in found)


def shape(text: str) -> str:
    """Return the kinds of the blocks that the reader sees, containers with what they hold."""

    def shown(block: Block) -> str:
        inside = " ".join(map(shown, block.children))
        return f"{block.kind}({inside})" if inside else block.kind

    return " ".join(map(shown, mdx.read(Source.of(text), Options()).blocks))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("import the crates first, then weigh them.\n", "paragraph"),
        ("import duties\nare due.\n", "paragraph"),
        ("exported crates are gone.\n", "paragraph"),
        ("export the crates last.\n", "paragraph"),
        ("import a from 'b'\n\nText.\n", "esm paragraph"),
        ("import a, { b } from 'b'\nimport 'c'\n\nText.\n", "esm paragraph"),
        ("import {\n\n  a,\n\n} from 'b'\n\nText.\n", "esm paragraph"),
        ("export const a = {\n\n  b: 1,\n\n}\n\nText.\n", "esm paragraph"),
        ("export const a = `\n\n# B\n\n`\n\nText.\n", "esm paragraph"),
        ("export default () => <A />\n\nText.\n", "esm paragraph"),
        ("Text.\nimport a from 'b'\n", "paragraph"),
    ],
)
def test_imports(text: str, shown: str) -> None:
    assert shape(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<A>\n\n<B>\n\ntext\n\n</A>\n\n</B>\n", "tag(tag paragraph) tag"),
        ("<A>\n\n<A>\n\ntext\n\n</A>\n\nmore\n\n</A>\n", "tag(tag(paragraph) paragraph)"),
        ("<A>\n\ntext\n", "tag paragraph"),
        ("</A>\n\ntext\n", "tag paragraph"),
        ("<A>text</A>\n", "paragraph"),
        ("<A />\n<B/>\n\ntext\n", "tag tag paragraph"),
        ("<A\n  b={{\n\n    c: '>' }}\n>\ntext\n</A>\n", "tag(paragraph)"),
        ("<>\ntext\n</>\n", "tag(paragraph)"),
        ("text\n<A>\ntext\n</A>\ntext\n", "paragraph tag(paragraph) paragraph"),
        ("a < b\n<c\n", "paragraph"),
        ("`<A>`\n\ntext\n\n`</A>`\n", "paragraph paragraph paragraph"),
        ("{/* a\n\nb */}\n\ntext\n", "comment paragraph"),
        ("<!-- a\n\nb -->\n\ntext\n", "comment paragraph"),
        ("- a\n\n  <A>\n  text\n  </A>\n", "list(item(paragraph tag(paragraph)))"),
        (
            "<A>\ntext\n\n    - a\n    - b\n</A>\n",
            "tag(paragraph list(item(paragraph) item(paragraph)))",
        ),
        ("    text\n", "paragraph"),
    ],
)
def test_tags(text: str, shown: str) -> None:
    assert shape(text) == shown


HOSTILE: Final = {
    "unclosed fence on every fourth line": "a\n\nb\n```js\n",
    "unclosed tags": "<Foo>\n",
    "closing tags": "</Foo>\n",
    "interleaved tags": "<A>\n<B>\n</A>\n</B>\n",
    "self-closing tags": "<Foo />\n",
    "tags that never end": "<Foo a={\n",
    "tags with a quote that never ends": '<Foo a="\n',
    "tags on one line": "<Foo>",
    "names of tags": "<Foo ",
    "braces": "{\n",
    "braces that close": "{\n}\n",
    "strings in braces": "{'\n",
    "template strings": "{`\n",
    "comments that never end": "{/*\n",
    "comments": "{/* a */}\n",
    "HTML comments that never end": "<!--\n",
    "elements kept whole that never end": "<pre>\n",
    "tables that never end": "<table>\n",
    "imports": "import {\n",
    "imports with strings": "import a from 'a'\n\n",
    "exports": "export const a = `\n",
    "exports that begin anew": "\nexport const a = {\n",
    "tags over fences": "<Foo>\n```js\na\n```\n</Foo>\n",
    "fences that never end in tags": "<Foo>\n```js\na\n</Foo>\n",
    "containers": ":::note\n",
    "text between tags": "<Foo>\na\n</Foo>\n",
}
NESTED: Final = {
    "tags": ("<Foo>\n", "</Foo>\n"),
    "tags of many names": ("<F{i}>\n", "</F{i}>\n"),
    "tags around text": ("<Foo>\n\na\n\n", "</Foo>\n"),
    "braces": ("{\n", "}\n"),
    "attributes": ("<Foo a={\n", "} />\n"),
}
MOST: Final = 2.6
"""How much longer twice the text may take."""
FLOOR: Final = 0.12
"""Seconds under which twice the text may take as long as it likes."""


def hostile(name: str, size: int) -> str:
    return HOSTILE[name] * size + "x\n"


def nested(name: str, size: int) -> str:
    before, after = NESTED[name]
    ups = (before.replace("{i}", str(i)) for i in range(size))
    downs = (after.replace("{i}", str(i)) for i in reversed(range(size)))
    return "".join(ups) + "x\n" + "".join(downs)


def seconds(text: str, format_: str) -> float:
    """Return the CPU time that chunking takes at best."""
    spent: list[float] = []
    while len(spent) < 3 and sum(spent) < 0.5:
        gc.collect()
        began = time.process_time()
        fencepost.chunk(text, format=format_)
        spent.append(time.process_time() - began)
    return min(spent)


def assert_linear(make: Callable[[str, int], str], name: str, size: int, format_: str) -> None:
    for _ in range(2):
        once = seconds(make(name, size), format_)
        twice = seconds(make(name, 2 * size), format_)
        if twice < FLOOR or twice < MOST * once:
            return
    pytest.fail(f"{twice:.2f} s for twice the text, {once:.2f} s for once")


both_formats = pytest.mark.parametrize("format_", ["mdx", "markdown"])


@both_formats
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_takes_linear_time(name: str, format_: str) -> None:
    assert_linear(hostile, name, 200, format_)


@both_formats
@pytest.mark.parametrize("name", NESTED)
def test_nesting_takes_linear_time(name: str, format_: str) -> None:
    assert_linear(nested, name, 50, format_)


@pytest.mark.slow
@both_formats
@pytest.mark.parametrize("name", HOSTILE)
def test_much_hostile_text_takes_linear_time(name: str, format_: str) -> None:
    assert_linear(hostile, name, 5_000, format_)


@pytest.mark.slow
@both_formats
@pytest.mark.parametrize("name", NESTED)
def test_deep_nesting_takes_linear_time(name: str, format_: str) -> None:
    assert_linear(nested, name, 2_500, format_)
