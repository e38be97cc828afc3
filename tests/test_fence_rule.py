"""The fence rule, clause by clause, each on a block that only that clause keeps whole.

A block of three pieces, parted by blank lines, is larger than the target of 800 tokens and smaller
than the hard limit of 1200: read rightly it stands whole in one chunk, and read wrongly it is cut.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judge.raw_fences import pair

import fencepost
from fencepost import fences
from fencepost.model import ChunkedDocument
from fencepost.options import MdxMode

B: Final = "```"
T: Final = "~~~"
PROSE: Final = "The harbour crane lifts crates all morning while gulls argue overhead. "

PATHS: Final = {("Crane",), ("Crane", "After")}
FORMATS: Final = ("markdown", "mdx")
both_formats = pytest.mark.parametrize("format_", FORMATS)


def piece(number: int) -> str:
    """Return some 320 tokens of code."""
    rows = range(number * 30, number * 30 + 30)
    return "\n".join(f"crate_{row} = lift(crane, {row})" for row in rows)


def block(*lines: str, indent: str = "") -> str:
    """Return lines, the pieces among them by number, indented where they are not blank."""
    text = "\n".join(piece(int(line)) if line.isdigit() else line for line in lines)
    return "\n".join(indent + line if line.strip() else line for line in text.split("\n"))


def chunked(text: str, format_: str, mdx: MdxMode = "auto") -> ChunkedDocument:
    doc = fencepost.chunk(text, format=format_, mdx=mdx)
    assert doc.restore() == text
    assert all(chunk.embed_token_count <= 1200 for chunk in doc)
    return doc


def assert_whole(doc: ChunkedDocument, text: str) -> None:
    """Fail unless a text of 800 to 1200 tokens stands whole in exactly one chunk."""
    holders = [chunk for chunk in doc if text in chunk.text]
    assert [chunk.token_count > 800 for chunk in holders] == [True]
    assert holders[0].has_code
    pieces = {line for line in text.split("\n") if "lift" in line}
    assert [chunk for chunk in doc if pieces & set(chunk.text.split("\n"))] == holders


def around(body: str) -> str:
    """Return a page with a block in the middle."""
    return f"# Crane\n\n{PROSE * 3}\n\n{body}\n\n{PROSE * 3}\n\n## After\n\nDone.\n"


WHOLE: Final = {
    "blank line in code": block(B + "py", "0", "", "1", "", "2", B),
    "shorter run of the same character": block(
        B + "`md", "0", "", B + "js", "1", B, "", "2", B + "`"
    ),
    "other character in tildes": block(T + "md", "0", "", B + "js", "1", B, "", "2", T),
    "other character in backticks": block(B + "md", "0", "", T, "1", T, "", "2", B),
    "run with an info string": block(B + "md", "0", "", B + "js", "1", "", "2", B),
    "tildes with an info string": block(T + "md", "0", "", T + "js", "1", "", "2", T),
    "tildes": block(T + "py", "0", "", "1", "", "2", T),
    "tildes with backticks in the info string": block(T + "py `a`", "0", "", "1", "", "2", T),
    "example indented by four": block(B + "md", "0", "", "    " + B, "1", "", "2", B),
    "example indented by a tab": block(B + "md", "0", "", "\t" + B, "1", "", "2", B),
    "example indented by a blank and a tab": block(B + "md", "0", "", " \t" + B, "1", "", "2", B),
    "example behind a bullet": block(B + "md", "0", "", "- " + B, "1", "", "2", B),
    "example behind a number": block(B + "md", "0", "", "1. " + B, "1", "", "2", B),
    "closer three columns right": block(B + "py", "0", "", "1", "", "2", "   " + B),
    "closer longer than its opener": block(B + "py", "0", "", "1", "", "2", B + "``"),
    "closer with blanks behind it": block(B + "py", "0", "", "1", "", "2", B + " \t"),
    "headings in code": block(B + "sh", "## a", "0", "", "# b", "1", "", "## c", "2", B),
    "generics and tags in code": block(
        B + "ts", "0", "", "f<A>();", "<Tip>", "1", "", "</Tip>", "2", B
    ),
    "examples in a comment of code": block(
        B + "ts", "/**", " * " + B + "js", " * lift();", " * " + B, " */", "0", "", "1", "", "2", B
    ),
}


@both_formats
@pytest.mark.parametrize("body", WHOLE.values(), ids=WHOLE)
def test_block_is_whole(body: str, format_: str) -> None:
    doc = chunked(around(body), format_)
    assert_whole(doc, body)
    assert {ref.heading_path for chunk in doc for ref in chunk.sections} == PATHS


@both_formats
def test_block_is_whole_where_the_budget_ends_inside_it(format_: str) -> None:
    body = WHOLE["blank line in code"]
    for sentences in (1, 20, 40, 50):
        text = f"# Crane\n\n{PROSE * sentences}\n\n{body}\n\n{PROSE * 20}\n"
        assert_whole(chunked(text, format_), body)


IN_ITEMS: Final = {
    "behind a number": "1. " + block(B + "bash", "0", "", "1", "", "2", B, indent="   ")[3:],
    "behind a bullet": "- " + block(T, "0", "", "1", "", "2", T, indent="  ")[2:],
    "under a bullet, indented by four": "- item\n\n"
    + block(B + "js", "0", "", "1", "", "2", B, indent="    "),
    "under a number, indented by three": "1. item\n"
    + block(B + "js", "0", "", "1", "", "2", B, indent="   "),
    "closed behind a tab stop": "1. "
    + block(B + "js", "0", "", "1", "", "2", indent="   ")[3:]
    + "\n   \t"
    + B,
}


@both_formats
@pytest.mark.parametrize("body", IN_ITEMS.values(), ids=IN_ITEMS)
def test_block_in_an_item_is_whole(body: str, format_: str) -> None:
    text = body.replace("crate_40 =", "## not a heading")
    doc = chunked(around(text), format_)
    assert_whole(doc, text)
    assert {ref.heading_path for chunk in doc for ref in chunk.sections} == PATHS


@pytest.mark.parametrize("indent", range(2, 13, 2))
def test_block_in_a_component_is_whole(indent: int) -> None:
    body = block(B + "js", "0", "", "1", "", "2", B, indent=" " * indent)
    doc = chunked(around(f"<Steps>\n<Step>\n{body}\n</Step>\n</Steps>"), "mdx")
    assert_whole(doc, body)


@both_formats
def test_line_with_a_backtick_in_its_info_is_prose(format_: str) -> None:
    paragraphs = "\n\n".join(f"{number} {PROSE * 12}".strip() for number in range(12))
    doc = chunked(f"# Crane\n\n{B}npm i{B} installs it.\n\n{paragraphs}\n", format_)
    assert len(doc) > 1
    assert all(chunk.embed_token_count <= 800 for chunk in doc)
    assert not any(chunk.has_code for chunk in doc)
    assert not doc.diagnostics


@both_formats
def test_opener_that_nothing_closes_is_text(format_: str) -> None:
    paragraphs = "\n\n".join(f"{number} {PROSE * 12}".strip() for number in range(12))
    doc = chunked(f"# Crane\n\n{B}js\n\n{paragraphs}\n\n## After\n\n{PROSE * 9}\n", format_)
    assert len(doc) > 2
    assert all(chunk.embed_token_count <= 800 for chunk in doc)
    assert not any(chunk.has_code for chunk in doc)
    assert doc[-1].heading_path == ("Crane", "After")
    assert [(one.code, one.line) for one in doc.diagnostics] == [("unclosed-fence", 3)]


@both_formats
@pytest.mark.parametrize("opener", [B, T, B + "`md", T + "~"])
def test_opener_is_text_although_a_later_fence_pairs(opener: str, format_: str) -> None:
    """Scanning goes on in the line after an opener that nothing closes."""
    other = T if opener[0] == "`" else B
    body = block(other + "py", "0", "", "1", "", "2", other)
    doc = chunked(f"# Crane\n\n{opener}x\n\nText.\n\n{body}\n\n## After\n\nDone.\n", format_)
    assert_whole(doc, body)
    assert doc[-1].heading_path == ("Crane", "After")


@both_formats
def test_code_in_a_quote_counts(format_: str) -> None:
    doc = chunked(f"# A\n\n> Text.\n>\n> {B}js\n> lift();\n> {B}\n", format_)
    assert [(chunk.has_code, chunk.code_languages) for chunk in doc] == [(True, ("js",))]


@both_formats
def test_line_with_a_backtick_in_its_info_is_no_code(format_: str) -> None:
    doc = chunked(f"# A\n\n{B}npm i{B}\n", format_)
    assert [chunk.has_code for chunk in doc] == [False]


LARGE: Final = block(B + "js", *"012345", B)


@both_formats
@pytest.mark.parametrize(
    "body",
    [
        LARGE,
        "\n".join("> " + line for line in LARGE.split("\n")),
        "1. " + LARGE.replace("\n", "\n   "),
    ],
    ids=["alone", "quote", "item"],
)
def test_every_part_of_a_block_has_code(body: str, format_: str) -> None:
    doc = chunked(f"# A\n\n{body}\n", format_)
    assert len(doc) > 1
    for chunk in doc:
        assert (chunk.has_code, chunk.code_languages) == (True, ("js",))
        assert pair(chunk.text.split("\n"))[1] == []


@both_formats
@pytest.mark.parametrize(
    "body",
    [
        block(T, "0", "1", "2", T),
        block(B + "ts", "/**", " * " + B + "js", " * lift();", " * " + B, " */", "0", "1", "2", B),
    ],
    ids=["tildes", "examples in its comments"],
)
def test_large_paragraph_is_cut_at_the_edges_of_a_block(body: str, format_: str) -> None:
    prose = "\n".join(f"{number} {PROSE}".strip() for number in range(30))
    assert_whole(chunked(f"# A\n\n{prose}\n{body}\n{prose}\n", format_), body)


HEADINGS: Final = {
    "backticks": (B, B),
    "tildes": (T, T),
    "four around three": (B + "`", B, B, B + "`"),
    "info string in between": (B + "md", B + "js", B),
    "behind a number": ("1. " + B, "   " + B),
}


@both_formats
@pytest.mark.parametrize("runs", HEADINGS.values(), ids=HEADINGS)
def test_no_heading_in_code(runs: tuple[str, ...], format_: str) -> None:
    indent = "   " if runs[0].startswith("1.") else ""
    inside = f"\n{indent}## not a heading\n\n{indent}# nor this\n".join(runs)
    doc = chunked(f"# A\n\n{inside}\n\n## After\n\n{PROSE * 9}\n", format_)
    paths = [ref.heading_path for chunk in doc for ref in chunk.sections]
    assert paths == [("A",), ("A", "After")]


@both_formats
def test_short_lead_in_stays_with_its_block(format_: str) -> None:
    body = WHOLE["blank line in code"]
    doc = chunked(f"# A\n\n{PROSE * 40}\n\nSo:\n\n{body}\n\n{PROSE * 9}\n", format_)
    assert_whole(doc, f"So:\n\n{body}")


@both_formats
@pytest.mark.parametrize("make", [str, lambda text: text.replace("\n", "\r\n")], ids=["lf", "crlf"])
def test_every_line_is_in_some_chunk(make: Callable[[str], str], format_: str) -> None:
    text = make("\n\n".join(map(around, (*WHOLE.values(), *IN_ITEMS.values(), LARGE))))
    held = {line.strip() for chunk in chunked(text, format_) for line in chunk.text.split("\n")}
    assert {line.strip() for line in text.split("\n")} - held <= {""}


def stripped(text: str, format_: str = "mdx") -> ChunkedDocument:
    doc = chunked(text, format_, "strip")
    assert not any("<T" in chunk.text or "</" in chunk.text for chunk in doc)
    return doc


def test_tags_around_a_block_are_stripped_and_it_is_whole() -> None:
    body = block(B + "js", "0", "", "1", "", "2", B, indent="    ")
    doc = stripped(around(f"<Tabs>\n  <Tab>\n{body}\n  </Tab>\n</Tabs>"))
    assert_whole(doc, "\n".join(line.removeprefix("    ") for line in body.split("\n")))


def test_lines_of_tags_part_prose_and_are_stripped() -> None:
    prose = "".join(f"<Tip>\n{PROSE * 9}\n</Tip>\n<Note>\n{PROSE * 9}\n</Note>\n" for _ in range(6))
    doc = stripped(f"# A\n\n{prose}")
    assert len(doc) > 1
    assert all(chunk.embed_token_count <= 800 for chunk in doc)
    assert all(chunk.text.rstrip().endswith("overhead.") for chunk in doc)


def test_tags_in_a_paragraph_are_stripped_and_their_text_is_kept() -> None:
    doc = stripped(f"# A\n\n{PROSE * 40}\n<Tip>Run it twice.</Tip>\n{PROSE * 40}\n")
    assert sum("Run it twice." in chunk.text for chunk in doc) == 1


SCANNED: Final = {
    "shorter run": ([B + "`", B, B + "`"], [(0, 2)]),
    "other character": ([T, B, T], [(0, 2)]),
    "info string": ([B, B + "js", B], [(0, 2)]),
    "opener behind a list marker": (["- " + B, "  a", "  " + B, B, B], [(0, 2), (3, 4)]),
    "opener behind markers": (["- 1. " + B, "     " + B, B, B], [(0, 1), (2, 3)]),
    "opener behind quote marks": (["> " + B, "> a", "> " + B], [(0, 2)]),
    "opener far right": (["            " + B, "a", "            " + B], [(0, 2)]),
    "closer far left": (["            " + B, "a", B], [(0, 2)]),
    "tildes": ([T, "a", T], [(0, 2)]),
    "backtick in the info": ([B + "npm i" + B, B, "a", B], [(1, 3)]),
    "closer four columns right": ([B, "    " + B, B], [(0, 2)]),
    "closer three columns right": ([B, "   " + B, "a"], [(0, 1)]),
    "tab reaches column four": ([B, "\t" + B, B], [(0, 2)]),
    "tab stops at column four": (["1. " + B, "   \t" + B, "a"], [(0, 1)]),
    "list marker may not close": ([B, "- " + B, B], [(0, 2)]),
    "no closer": ([B + "js", "a", T, "b", T], [(2, 4)]),
}


@pytest.mark.parametrize(("lines", "spans"), SCANNED.values(), ids=SCANNED)
def test_scan_of_raw_lines(lines: list[str], spans: list[tuple[int, int]]) -> None:
    found, _ = fences.scan(lines)
    assert [(fence.start, fence.end - 1) for fence in found] == spans


def seconds(lines: list[str]) -> float:
    began = time.process_time()
    fences.scan(lines)
    return time.process_time() - began


@pytest.mark.parametrize(
    "make",
    [
        lambda size: [B + "js"] * size,
        lambda size: [B + "js"] * size + ["    " + B],
        lambda size: [" " * (size - i) + T + "a" for i in range(0, size, 5)],
        lambda size: [B + "`" * (size - i) + "js" for i in range(0, size, 5)],
        lambda size: [B + "`" * (size - i) + "js" for i in range(0, size, 5)] + [T],
    ],
    ids=["no closer", "closer too far right", "ever less right", "ever shorter", "other closer"],
)
def test_scan_takes_linear_time(make: Callable[[int], list[str]]) -> None:
    """Openers that nothing closes are not each searched to the end."""
    lines, twice = make(3000), make(6000)
    characters = sum(map(len, twice)) / sum(map(len, lines))
    assert min(seconds(twice) for _ in range(3)) < 0.1 + 1.3 * characters * seconds(lines)


LINES: Final = st.builds(
    "{}{}{}{}".format,
    st.sampled_from(["", "- ", "> ", "1. ", "- - "]),
    st.sampled_from(["", " ", "   ", "    ", "\t", " \t", "        "]),
    st.sampled_from([B, B + "`", T, T + "~", B + "``", "a", "", "``", "~~"]),
    st.sampled_from(["", "js", " ", "a`b", " a ~"]),
)


@given(st.lists(LINES, max_size=12))
def test_scan_agrees_with_the_rule_said_twice(lines: list[str]) -> None:
    found, unclosed = fences.scan(lines)
    assert ([(fence.start, fence.end - 1) for fence in found], unclosed) == pair(lines)
