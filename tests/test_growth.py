"""Promise 10: time grows as the text does, for hostile text too.

A shape is made at a size and at twice the size; twice the text may take at most `MOST` times the
CPU time, best of several runs each. What is too quick to measure counts as linear, so that in the
main run only what grows faster is measured at all. The large sizes run with `-m slow`; `-rP` shows
the speed of each.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import pytest

import fencepost
from fencepost import Chunker, Options

MOST: Final = 2.6
FLOOR: Final = 0.12
"""Seconds of CPU time under which twice the text may take as long as it likes."""
TRIES: Final = 5
SPARE: Final = 2
"""How much smaller the main run has the texts, as machines may be slow or busy."""

WORDS: Final = "The harbour crane lifts crates all morning while gulls argue overhead. "


@dataclass(frozen=True, slots=True)
class Shape:
    """Text that can be made at any size."""

    name: str
    make: Callable[[int], str]
    size: int
    """Of the smaller text in the main run: the larger one takes just under `FLOOR`."""
    large: int
    """Of the smaller text in the slow run."""
    limit: int = 400
    """`max_tokens`."""


def repeated(text: str) -> Callable[[int], str]:
    """Return a maker of one text over and over."""
    return lambda size: text * size


def numbered(template: str, before: str = "", after: str = "") -> Callable[[int], str]:
    """Return a maker of a template with numbers in it, `{i}`."""
    return lambda size: (
        before + "".join(template.replace("{i}", str(i)) for i in range(size)) + after
    )


def nested_lines(opening: str, indent: str = "") -> Callable[[int], str]:
    """Return a maker of containers, each one line deeper than the one before."""
    return lambda size: "".join(f"{indent * i}{opening}\n" for i in range(size))


def alias_bomb(size: int) -> str:
    """Return front matter of aliases that stand for ever more values."""
    rows = [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, size + 1)]
    return "\n".join(["---", "a0: &a0 [x, x]", *rows, "---", "# Text", "", "Body."]) + "\n"


PROSE: Final = (
    Shape("paragraphs", numbered(WORDS + "{i}\n\n"), 600, 4000),
    Shape("headings", numbered("## Head {i}\n\n" + WORDS + "\n\n"), 400, 2400),
    Shape("equal headings", repeated("## Head\n\n" + WORDS + "\n\n"), 250, 2400),
    Shape("small sections", numbered("# H{i}\n\nx\n\n"), 300, 4000),
    Shape("headings alone", numbered("# H{i}\n"), 150, 8000),
    Shape(
        "headings over headings",
        numbered("# H\n## I\n### J\n#### K\n##### L\n###### M\n"),
        30,
        1600,
    ),
    Shape("one line of words", repeated(WORDS), 200, 4000),
    Shape("one paragraph of lines", repeated(WORDS + "\n"), 350, 4000),
    Shape("words without a stop", repeated("crane lifts "), 1000, 24000),
    Shape("one line without blanks", repeated("crane,lifts;"), 350, 24000),
    Shape("one character", repeated("a"), 3500, 240000),
    Shape("one dot", repeated("."), 4000, 240000),
    Shape("blanks", lambda size: "a" + " " * size + "b\n", 60000, 240000),
    Shape("blank lines", lambda size: "a" + "\n" * size + "b\n", 30000, 160000),
    Shape("Han characters", repeated("起重机整个早上都在吊装货箱"), 80, 8000),
    Shape("family emoji", repeated("👩‍👩‍👧"), 400, 8000),
    Shape("combining marks", lambda size: "e" + "\u0301" * size, 5500, 10000),
    Shape("short sentences", repeated("So. "), 300, 40000),
    Shape("hard limit 16", repeated(WORDS), 300, 2000, 16),
)
RUNS: Final = tuple(
    Shape(f"run of {text!r}", repeated(text), 2_000 // len(text), 50_000 // len(text), 60)
    for text in (
        "[",
        "]",
        "![",
        "*",
        "_",
        "* ",
        "`",
        "``a",
        "<",
        "<a ",
        "<!--",
        "<!",
        "<?",
        "$$",
        "\\",
        "&",
        "&#",
        "#",
        "~",
        "(",
        "](",
        "[a](",
        "**a ",
        "<b>",
        "|",
        ":",
        "=",
        "!!!",
    )
) + tuple(
    Shape(
        f"lines of {text!r}",
        repeated(text + "\n"),
        900 // (len(text) + 2),
        30_000 // (len(text) + 2),
        60,
    )
    for text in (
        "[",
        "[a]:",
        "[a]: b",
        "[^a]: b",
        "[^a",
        "*",
        "* * *",
        "`",
        "```",
        "```js",
        "~~~ a",
        "<",
        "<!--",
        "<!-- a -->",
        "<div>",
        "<pre>",
        "</div>",
        "<script>",
        "$$",
        "$$ a",
        "\\begin{a}",
        "\\end{a}",
        ":::a",
        ":::",
        "!!! a",
        '=== "a"',
        "===",
        "---",
        "+++",
        "| a |",
        "|-|",
        "| - |",
        "a\n:   b",
        ": b",
        "    a",
        "\ta",
        ">",
        "> a",
        ">>> a",
        "- a",
        "1. a",
        "-",
        "+",
        "- - - a",
        "#",
        "# a",
        "a\n-",
        "{",
        "a  ",
        "a\\",
        "/// a",
        "///",
        "> [!NOTE]",
        "<Tabs>",
        "</Tabs>",
        "import a",
        "---\na: b",
        "a\n\n    b",
    )
)
NESTED: Final = (
    Shape("quotes on a line", lambda size: "> " * size + "a\n", 2000, 5000, 60),
    Shape("quotes on a line, empty", repeated(">"), 1200, 4000, 60),
    Shape("tight quotes on a line", lambda size: ">" * size + "a\n", 2000, 5000, 60),
    Shape("lists on a line", lambda size: "- " * size + "a\n", 2000, 5000, 60),
    Shape("numbers on a line", lambda size: "1. " * size + "a\n", 2000, 5000, 60),
    Shape("quotes and lists on a line", lambda size: "> - " * size + "a\n", 1000, 2500, 60),
    Shape(
        "quotes over lines", lambda size: "".join(">" * i + " a\n" for i in range(1, size)), 20, 500
    ),
    Shape("lists over lines", nested_lines("- a", "  "), 40, 500),
    Shape("admonitions over lines", nested_lines("!!! a", "    "), 12, 300),
    Shape("tabs over lines", nested_lines('=== "a"', "    "), 8, 300),
    Shape(
        "containers over lines",
        lambda size: (
            "".join(":" * (size + 3 - i) + " a\n" for i in range(size))
            + "".join(":::" + ":" * (i + 1) + "\n" for i in range(size))
        ),
        4,
        400,
    ),
    Shape("footnotes over lines", nested_lines("[^a]: b", "    "), 17, 300),
    Shape(
        "fences in deep lists",
        lambda size: (
            "- " * 40
            + "a\n"
            + (" " * 80 + "```\n" + " " * 80 + "x\n" + " " * 80 + "```\n\n") * size
        ),
        60,
        240,
    ),
    Shape("lists of 30 levels", repeated("".join("  " * i + "- a\n" for i in range(30))), 14, 100),
    Shape("quotes of 30 levels", repeated("> " * 30 + WORDS + "\n\n"), 70, 600),
)
FENCES: Final = (
    Shape("unclosed fences", repeated("a\n\n```js\nb\n\n"), 90, 3200),
    Shape("unclosed fences of all kinds", numbered("~~~{i}\na\n````{i}\nb\n\n"), 250, 3200),
    Shape(
        "unclosed fences, ever longer",
        lambda size: "".join("`" * (3 + i) + "\na\n\n" for i in range(size, 0, -1)),
        100,
        400,
    ),
    Shape(
        "unclosed fences, ever shorter",
        lambda size: "".join("`" * (3 + i) + "x\na\n\n" for i in range(size)),
        200,
        400,
    ),
    Shape("unclosed fences in items", repeated("- a\n\n  ```js\n  b\n\n"), 200, 2400),
    Shape(
        "unclosed fences in one item",
        lambda size: "- a\n\n" + "  ```js\n  b\n\n  c\n\n" * size,
        100,
        2400,
    ),
    Shape("unclosed fences in quotes", repeated("> a\n> ```js\n> b\n\n"), 250, 2400),
    Shape("unclosed fences in one quote", repeated("> a\n> ```js\n> b\n>\n"), 300, 2400),
    Shape(
        "unclosed fences in a body",
        lambda size: "!!! a\n\n" + "    ```js\n    b\n\n    c\n\n" * size,
        150,
        2400,
    ),
    Shape(
        "fences in a body, closers too far right",
        lambda size: "!!! a\n\n" + "    ```js\n    b\n            ```\n\n" * size,
        300,
        2400,
    ),
    Shape("closed fences", repeated("```js\nlet a;\n```\n\n"), 400, 4000),
    Shape("one code block", lambda size: "```js\n" + "const a = 1;\n" * size + "```\n", 250, 12000),
    Shape(
        "one code block of blank lines",
        lambda size: "```js\n" + "a\n\n" * size + "```\n",
        300,
        12000,
    ),
    Shape(
        "one code block in an item",
        lambda size: "- a\n\n  ```js\n" + "  const a = 1;\n" * size + "  ```\n",
        350,
        12000,
    ),
    Shape(
        "one code block in a quote",
        lambda size: "> ```js\n" + "> const a = 1;\n" * size + "> ```\n",
        300,
        12000,
    ),
    Shape(
        "one code block in a body",
        lambda size: "!!! a\n\n    ```js\n" + "    const a = 1;\n" * size + "    ```\n",
        300,
        12000,
    ),
    Shape("one indented code block", repeated("    const a = 1;\n"), 300, 12000),
    Shape("minified code", lambda size: "```js\n" + "a(b,c);" * size + "\n```\n", 300, 35000),
    Shape("minified data", lambda size: "```json\n[" + '{"a":1},' * size + "0]\n```\n", 400, 32000),
    Shape("encoded data", lambda size: "```\n" + "QUJDREVG" * size + "\n```\n", 400, 32000),
)
TABLES: Final = (
    Shape("rows", lambda size: "| a | b |\n|---|---|\n" + "| one | two |\n" * size, 200, 4500),
    Shape("tables", repeated("| a | b |\n|---|---|\n| 1 | 2 |\n\n"), 350, 2000),
    Shape(
        "rows in an item",
        lambda size: "- a\n\n  | a | b |\n  |---|---|\n" + "  | one | two |\n" * size,
        250,
        4500,
    ),
    Shape(
        "columns",
        lambda size: "|a" * size + "|\n" + "|-" * size + "|\n" + "|1" * size + "|\n",
        300,
        16000,
    ),
    Shape("one long row", lambda size: "| a |\n|---|\n| " + WORDS * size + "|\n", 150, 2800),
    Shape("headers without rows", repeated("| a | b |\n"), 600, 16000),
    Shape(
        "html rows",
        lambda size: (
            "<table>\n<thead><tr><th>a</th></tr></thead>\n"
            + "<tr><td>one</td></tr>\n" * size
            + "</table>\n"
        ),
        200,
        2500,
    ),
    Shape(
        "html rows on one line",
        lambda size: "<table>" + "<tr><td>one</td></tr>" * size + "</table>\n",
        18,
        6000,
    ),
    Shape("html of one block", lambda size: "<div>\n" + WORDS * size + "\n</div>\n", 150, 2800),
    Shape("one comment", lambda size: "<!--\n" + (WORDS + "\n") * size + "-->\n", 500, 2800),
    Shape("one tag after another", repeated("<div>\n\na\n\n</div>\n\n"), 200, 2000),
)
REST: Final = (
    Shape("items", numbered("- item {i} " + WORDS + "\n"), 250, 3200),
    Shape("short items", numbered("- {i}\n"), 250, 12000),
    Shape("numbered items", numbered("{i}. item\n"), 200, 8000),
    Shape("loose items", numbered("- item {i}\n\n  " + WORDS + "\n\n"), 250, 2000),
    Shape(
        "one item of paragraphs", lambda size: "- a\n\n" + ("  " + WORDS + "\n\n") * size, 350, 3200
    ),
    Shape("one quote of paragraphs", repeated("> " + WORDS + "\n>\n"), 550, 3200),
    Shape(
        "one container of paragraphs",
        lambda size: "::: tip\n\n" + (WORDS + "\n\n") * size + ":::\n",
        450,
        3200,
    ),
    Shape(
        "one body of paragraphs",
        lambda size: "!!! tip\n\n" + ("    " + WORDS + "\n\n") * size,
        450,
        3200,
    ),
    Shape("tabs", repeated('=== "a"\n\n    ' + WORDS + "\n\n"), 450, 2000),
    Shape("link definitions", numbered("[a{i}]: https://x.dev/{i}\n"), 250, 6000),
    Shape(
        "link definitions with titles", numbered("[a{i}]: https://x.dev/{i} 'a title'\n"), 300, 4800
    ),
    Shape(
        "links by reference in headings",
        numbered("## [a{i}]\n\nx\n\n[a{i}]: https://x.dev/{i}\n\n"),
        150,
        1600,
    ),
    Shape("footnotes", numbered("[^{i}]: " + WORDS + "\n\n"), 450, 2400),
    Shape("definition lists", numbered("Term {i}\n:   " + WORDS + "\n\n"), 400, 2000),
    Shape("one definition list", lambda size: "Term\n" + (":   " + WORDS + "\n") * size, 450, 2400),
    Shape("formulas", repeated("$$\na = b\n\n$$\n\n"), 500, 3200),
    Shape("one formula", lambda size: "$$\n" + "a = b + c\n" * size + "$$\n", 500, 16000),
    Shape("brackets in a heading", lambda size: "# " + "[" * size + "\n\na\n", 1500, 80000),
    Shape("stars in a heading", lambda size: "# " + "*a_ " * size + "\n\na\n", 250, 16000),
    Shape(
        "backticks in a heading",
        lambda size: "# " + "".join("`" * i + "a" for i in range(size)) + "\n\na\n",
        80,
        800,
    ),
    Shape("angles in a heading", lambda size: "# " + "<a " * size + "\n\na\n", 600, 32000),
    Shape(
        "braces at the end of a heading",
        lambda size: "# a {" + "#a " * size + "\n\nb}\n",
        700,
        32000,
    ),
    Shape(
        "long headings, each in the path of the next",
        lambda size: "".join("#" * (1 + i % 6) + " " + WORDS + "\n\na\n\n" for i in range(size)),
        400,
        1600,
    ),
    Shape("one long heading", lambda size: "# " + WORDS * size + "\n\na\n", 200, 2800),
    Shape("lines that end in CR", repeated(WORDS + "\r\r"), 500, 3200),
    Shape("lines that end in CR LF", repeated(WORDS + "\r\n\r\n"), 600, 3200),
    Shape("NUL", repeated("\0"), 2500, 80000),
    Shape(
        "front matter",
        lambda size: "---\n" + "".join(f"k{i}: v\n" for i in range(size)) + "---\n\na\n",
        500,
        1500,
    ),
    Shape("front matter that never ends", lambda size: "---\n" + "a: b\n" * size, 1500, 16000),
    Shape(
        "front matter of brackets", lambda size: "---\na: " + "[" * size + "\n---\n\na\n", 400, 1600
    ),
    Shape("front matter of aliases", alias_bomb, 200, 800),
    Shape("an object of brackets", lambda size: "{" + '"a":{' * size + "\n\na\n", 600, 12000),
)
SHAPES: Final = (*PROSE, *RUNS, *NESTED, *FENCES, *TABLES, *REST)


def seconds(text: str, limit: int) -> float:
    """Return the CPU time that a text takes, and see that nothing of it is lost."""
    chunker = Chunker(Options(max_tokens=limit, hard_max_tokens=max(limit, 16)))
    gc.collect()
    began = time.process_time()
    doc = chunker.chunk(text)
    taken = time.process_time() - began

    assert doc.restore() == doc.text
    return taken


def check(shape: Shape, size: int) -> None:
    """Fail where twice the text takes too long, in the best of several runs each."""
    small, large = shape.make(size), shape.make(size * 2)
    most = MOST * len(large) / len(small) / 2
    before = after = float("inf")
    for _ in range(TRIES):
        after = min(after, seconds(large, shape.limit))
        if after <= FLOOR:
            return
        before = min(before, seconds(small, shape.limit))
        if after <= most * before:
            break
    speed = len(large.encode()) / after / 1e6
    message = (
        f"{len(small)} characters {before:.3f} s, {len(large)} {after:.3f} s, {speed:.2f} MB/s"
    )
    print(message)  # noqa: T201 - `-rP` shows it

    assert after <= most * before, message


@pytest.fixture(scope="module", autouse=True)
def _warm() -> None:
    """Load the vocabulary and the parser before anything is measured."""
    fencepost.chunk("# A\n\n- b\n")


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
@pytest.mark.timeout(60)
def test_time_grows_as_the_text_does(shape: Shape) -> None:
    """Twice the text takes about twice the time."""
    check(shape, max(4, shape.size // SPARE))


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_time_grows_as_much_text_does(shape: Shape) -> None:
    """So it does where the texts are large."""
    check(shape, shape.large)
