"""Our block parser reads what stock markdown-it-py reads: the same blocks, on the same lines.

`readers/markdown/parser.py` tries rules by a line's first character and has rules of its own for
fences, tables, headings, paragraphs and indented code. Here it is held to the parser it replaces
(preset `commonmark`, with tables), on small examples of every construct, on random documents and on
the corpora beside the checkout.

Left out by construction are the differences that are meant:

- A fence that nothing closes before the end of the document is text.
- A line of one tag alone ends a table.
- `:::` and `///` containers, `!!!`, `???` and `===` bodies, `$$` and `\\begin` formulas, footnotes
  and definition lists are blocks here and text there. In corpora and random documents the
  characters that begin them are replaced.
- A line of tags alone over a fence is a block of its own where tags are looked for; they are not
  here (`mdx="off"`).
- Nesting past 200 levels.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
import strategies as made
from hypothesis import HealthCheck, given, settings
from markdown_it import MarkdownIt

from fencepost.readers.markdown.lookahead import Lookahead
from fencepost.readers.markdown.parser import parse

if TYPE_CHECKING:
    from markdown_it.token import Token

CORPORA: Final = Path(__file__).parents[2] / "shared" / "corpora"
SAMPLE: Final = Path(__file__).parents[1] / "corpora" / "sample"
LEAST: Final = 120

Read = tuple[int, str, int, int]
"""Level of nesting, kind, first line, line after the last."""

STOCK: Final = MarkdownIt("commonmark", {"maxNesting": 200}).enable("table")

_OURS: Final = re.compile(
    r"(?P<sign>:{3}|/{3}|!{3}|\?{3}|={3}[!+]{0,2}[ \t]+[\"']|\$\$|\[\^|\\begin\{)"
    r"|^(?P<head>[ \t>]*(?:(?:[-+*]|\d+[.)])[ \t]+)*)(?P<mark>[:~])(?=[ \t])",
    re.MULTILINE,
)
_TAG_LINE: Final = re.compile(r"^[ \t>]*</?[A-Za-z][^\n]*>[ \t]*$", re.MULTILINE)


def _stock_tokens(text: str) -> tuple[list[Token], dict[str, Any]]:
    tokens: list[Token] = []
    env: dict[str, Any] = {}
    STOCK.block.parse(text, STOCK, env, tokens)
    return tokens, env


def stock(text: str) -> list[Read]:
    """Return the blocks that the stock parser reads."""
    tokens, env = _stock_tokens(text)
    found = [_read(token) for token in tokens if token.nesting >= 0 and _is_block(token)]
    known = [*env.get("references", {}).values(), *env.get("duplicate_refs", [])]
    return sorted([*found, *((0, "definition", *one["map"]) for one in known)], key=_place)


def ours(text: str) -> list[Read]:
    """Return the blocks that our parser reads."""
    lines = text.split("\n")
    filled = [number for number, line in enumerate(lines) if line.strip()]
    tokens, env = parse(text, Lookahead(lines, max(filled, default=0)))
    assert not env["lookahead"].unclosed, "an example with a fence that nothing closes"
    return sorted(
        [_read(token) for token in tokens if token.nesting >= 0 and _is_block(token)], key=_place
    )


_PARTS: Final = frozenset({"inline", "thead", "tbody", "tr", "th", "td"})


def _is_block(token: Token) -> bool:
    return token.type.removesuffix("_open") not in _PARTS


def _read(token: Token) -> Read:
    kind = token.type.removesuffix("_open")
    level = token.level
    if kind == "heading":
        kind += token.tag.removeprefix("h") or str(token.meta["level"])
    if kind == "definition":
        level = 0
    start, end = token.map or (0, 0)
    return level, kind, start, end


def _place(one: Read) -> tuple[int, int, str, int]:
    level, kind, start, end = one
    return start, level, kind, end


def plain(text: str) -> str:
    """Return a text without what only our parser reads as blocks."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    text = _OURS.sub(_harmless, text)
    return text if "|" not in text else _TAG_LINE.sub("a tag", text)


def _harmless(found: re.Match[str]) -> str:
    return f"{found['head']};" if found["mark"] else "x" * len(found[0])


def closed(text: str) -> bool:
    """Return whether each fence that the stock parser sees is closed before the end of the text."""
    lines = text.split("\n")
    filled = max((number for number, line in enumerate(lines) if line.strip(" \t>")), default=0)
    last = lines[filled].strip(" \t>")
    for token in _stock_tokens(text)[0]:
        start, end = token.map or (0, 0)
        if token.type == "fence" and end > filled:
            marker = token.markup
            return start < filled and len(last) >= len(marker) and not last.strip(marker[0])
    return True


EXAMPLES: Final[dict[str, Sequence[str]]] = {
    "thematic breaks": (
        "***\n---\n___\n",
        "--\n**\n__\n",
        " ***\n  ***\n   ***\n",
        "    ***\n",
        "Foo\n    ***\n",
        "- - -\n * * * *\n_ _ _ _ a\n",
        "-     -      -      -    \n",
        " *-*\n",
        "- foo\n***\n- bar\n",
        "Foo\n***\nbar\n",
        "* Foo\n* * *\n* Bar\n",
        "- Foo\n- * * *\n",
    ),
    "headings": (
        "# a\n## b\n### c\n#### d\n##### e\n###### f\n####### g\n",
        "#5 bolt\n\n#hashtag\n",
        "\\## foo\n",
        "#\ta\n",
        " ### a\n  ## b\n   # c\n    # d\n",
        "foo\n    # bar\n",
        "## foo ##\n  ###   bar    ###\n# foo #b\n",
        "****\n## foo\n****\n",
        "Foo bar\n# baz\nBar foo\n",
        "## \n#\n### ###\n",
        "> # a\n- # b\n1. # c\n",
        "# a\n- b\n# c\n```\nd\n```\n# e\n> f\n# g\n",
    ),
    "setext headings": (
        "Foo *bar*\n===\n\nFoo\n---\n",
        "Foo\nbar\n=\n",
        "  Foo\nbar\t\n====\n",
        "   Foo\n---\n\n  Foo\n-----\n\n  Foo\n  ===\n",
        "    Foo\n    ---\n\n    Foo\n---\n",
        "Foo\n   ----      \n",
        "Foo\n    ---\n",
        "Foo\n= =\n\nFoo\n--- -\n",
        "> Foo\n---\n",
        "> foo\nbar\n===\n",
        "- Foo\n---\n",
        "Foo\nBar\n---\n",
        "---\nFoo\n---\nBar\n---\nBaz\n",
        "\n====\n",
        "---\n---\n",
        "- foo\n-----\n",
        "    foo\n---\n",
        "> foo\n-----\n",
        "\\> foo\n------\n",
        "Foo\n\nbar\n---\nbaz\n",
        "- a\n  b\n  ===\n  c\n",
        "> a\n> ===\n> b\n",
        "a\n---\nb\n***\nc\n",
    ),
    "indented code": (
        "    a simple\n      indented code block\n",
        "  - foo\n\n    bar\n",
        "1.  foo\n\n    - bar\n",
        "    <a/>\n    *hi*\n\n    - one\n",
        "    chunk1\n\n    chunk2\n  \n \n \n    chunk3\n",
        "Foo\n    bar\n",
        "    foo\nbar\n",
        "# Heading\n    foo\nHeading\n------\n    foo\n----\n",
        "\n    \n    foo\n    \n\n",
        "        foo\n    bar\n",
        "\tfoo\n\n\tbar\n",
        "  \tfoo\n",
        "-\t\tfoo\n>\t\tfoo\n",
        "- a\n\n      b\n\n      c\n\n  d\n",
    ),
    "fences": (
        "```\n<\n >\n```\n",
        "~~~\n<\n >\n~~~\n",
        "``\nfoo\n``\n",
        "```\naaa\n~~~\n```\n",
        "````\naaa\n```\n``````\n",
        "> ```\n> aaa\n\nbbb\n",
        "```\n\n  \n```\n",
        "```\n```\n",
        " ```\n aaa\naaa\n```\n",
        "   ```\n   aaa\n    aaa\n  aaa\n   ```\n",
        "    ```\n    aaa\n    ```\n",
        "```\naaa\n  ```\nb\n",
        "foo\n```\nbar\n```\nbaz\n",
        "foo\n---\n~~~\nbar\n~~~\n# baz\n",
        "~~~~    ruby startline=3 $%@#$\ndef foo(x)\nend\n~~~~~~~\n",
        "``` aa ```\nfoo\n",
        "~~~ aa ``` ~~~\nfoo\n~~~\n",
        "```\n``` aaa\n```\n",
        "- ```\n  a\n  ```\n- b\n",
        "- ```\n  a\n\nb\n",
        "- a\n  ```\n  b\n c\n",
        "1. a\n\n   ```\n   b\n   ```\n\n   c\n",
        "> a\n> ```\n> b\n> ```\n> c\n",
        "> ```\nb\n\n> c\n",
        "- > ```\n  > a\n  > ```\n  b\n",
        "```\na\n    ```\nb\n```\n",
        "a\n    ```\nb\n",
    ),
    "html": (
        "<script>\na\n\nb\n</script>\nc\n",
        "<pre>\na\n\nb\n</pre> c\nd\n",
        "<style>p{}</style>\na\n",
        "<textarea>\n\na\n</textarea>\n",
        "<!-- a\n\nb -->\nc\n",
        "<!-- a --> b\n\nc\n",
        "<?php\n\n  echo;\n?>\na\n",
        "<!DOCTYPE html>\na\n",
        "<![CDATA[\na\n\n]]>\nb\n",
        "<div>\na\n\nb\n</div>\n",
        " <div>\n  *hello*\n         <foo><a>\n",
        "</div>\n*foo*\n",
        "<DIV CLASS='foo'>\n\n*Markdown*\n\n</DIV>\n",
        "<table><tr><td>\nfoo\n</td></tr></table>\n",
        "<div></div>\n``` c\nint x;\n```\n",
        "<a href='foo'>\n*bar*\n</a>\n",
        "<Warning>\n*bar*\n</Warning>\n\nc\n",
        "</ins>\n*bar*\n",
        "<del>\n\n*foo*\n\n</del>\n",
        "<del>*foo*</del>\n",
        "Foo\n<div>\nbar\n</div>\n",
        "Foo\n<a href='bar'>\nbaz\n",
        "Foo\n<!-- a\n\nb -->\n",
        "    <div>\n\n   <div>\n",
        "- <div>\n- foo\n",
        "> <div>\n> foo\n\nbar\n",
        "<x-y a=1 b='2'\nc>\n\nd\n",
    ),
    "link reference definitions": (
        "[foo]: /url 'title'\n\n[foo]\n",
        "   [foo]: \n      /url  \n           'the title'  \n\n[foo]\n",
        "[Foo*bar\\]]: my_(url) 'title (with parens)'\n",
        "[Foo bar]:\n<my url>\n'title'\n",
        "[foo]: /url '\ntitle\nline1\nline2\n'\n",
        "[foo]: /url 'title\n\nwith blank line'\n",
        "[foo]:\n/url\n",
        "[foo]:\n\n[foo]\n",
        "[foo]: <bar>(baz)\n",
        "[foo]: first\n[foo]: second\n",
        "[FOO]: /url\n\n[Foo]\n",
        "[\nfoo\n]: /url\nbar\n",
        "[foo]: /url 'title' ok\n",
        "[foo]: /url\n'title' ok\n",
        "    [foo]: /url 'title'\n",
        "Foo\n[bar]: /baz\n",
        "# [Foo]\n[foo]: /url\n> bar\n",
        "[foo]: /url\nbar\n===\n[foo]\n",
        "[foo]: /url\n===\n[foo]\n",
        "> [foo]: /url\n",
        "- [foo]: /url\n- [bar]: /url\n",
        "[a]: b\n[c]: d\n\n[e]: f\ntext\n",
    ),
    "paragraphs and blank lines": (
        "aaa\n\nbbb\n",
        "aaa\nbbb\n\nccc\nddd\n",
        "aaa\n\n\nbbb\n",
        "  aaa\n bbb\n",
        "aaa\n             bbb\n                                       ccc\n",
        "   aaa\nbbb\n",
        "    aaa\nbbb\n",
        "  \n\naaa\n  \n\n# aaa\n\n  \n",
        "a\x0cb\n\x0c\nc\n",
        "a\u00a0\n\u00a0\nb\n",
        "a\u2028b\n",
        "a",
        "a\n ",
        "\t\n \na\n\t\n",
        "",
    ),
    "quotes": (
        "> # Foo\n> bar\n> baz\n",
        "># Foo\n>bar\n> baz\n",
        "   > # Foo\n   > bar\n > baz\n",
        "    > # Foo\n    > bar\n",
        "> # Foo\n> bar\nbaz\n",
        "> bar\nbaz\n> foo\n",
        "> foo\n---\n",
        "> - foo\n- bar\n",
        ">     foo\n    bar\n",
        "> foo\n    - bar\n",
        ">\n",
        ">\n>  \n> \n",
        ">\n> foo\n>  \n",
        "> foo\n\n> bar\n",
        "> foo\n> bar\n",
        "> foo\n>\n> bar\n",
        "foo\n> bar\n",
        "> aaa\n***\n> bbb\n",
        "> bar\n\nbaz\n",
        "> bar\n>\nbaz\n",
        "> > > foo\nbar\n",
        ">>> foo\n> bar\n>>baz\n",
        ">     code\n\n>    not code\n",
        "> a\n# b\n> c\n```\nd\n```\n",
        "> a\n- b\n> c\n1. d\n",
        "> a\n2. b\n",
        ">\ta\n> \tb\n",
    ),
    "lists": (
        "A paragraph\nwith two lines.\n\n    indented code\n\n> A block quote.\n",
        "1.  A paragraph\n    with two lines.\n\n        indented code\n\n    > A block quote.\n",
        "- one\n\n two\n",
        "- one\n\n  two\n",
        " -    one\n\n     two\n",
        " -    one\n\n      two\n",
        "   > > 1.  one\n>>\n>>     two\n",
        ">>- one\n>>\n  >  > two\n",
        "-one\n\n2.two\n",
        "- foo\n\n\n  bar\n",
        "1.  foo\n\n    ```\n    bar\n    ```\n\n    baz\n\n    > bam\n",
        "- Foo\n\n      bar\n\n\n      baz\n",
        "123456789. ok\n\n1234567890. not ok\n",
        "0. ok\n003. ok\n-1. not ok\n",
        "- foo\n\n      bar\n",
        "  10.  foo\n\n           bar\n",
        "1.     indented code\n\n   paragraph\n\n       more code\n",
        "1.      indented code\n\n   paragraph\n",
        "-    foo\n\n  bar\n",
        "-  foo\n\n   bar\n",
        "-\n  foo\n-\n  ```\n  bar\n  ```\n-\n      baz\n",
        "-   \n  foo\n",
        "-\n\n  foo\n",
        "- foo\n-\n- bar\n",
        "1. foo\n2.\n3. bar\n",
        "*\n",
        "foo\n*\n\nfoo\n1.\n",
        " 1.  A paragraph\n     with two lines.\n\n         code\n\n     > quote\n",
        "    1.  A paragraph\n        with two lines.\n",
        "  1.  A paragraph\nwith two lines.\n\n          code\n",
        "> 1. > Blockquote\ncontinued here.\n",
        "> 1. > Blockquote\n> continued here.\n",
        "- foo\n  - bar\n    - baz\n      - boo\n",
        "- foo\n - bar\n  - baz\n   - boo\n",
        "10) foo\n    - bar\n",
        "10) foo\n   - bar\n",
        "- - foo\n",
        "1. - 2. foo\n",
        "- # Foo\n- Bar\n  ---\n  baz\n",
        "- foo\n- bar\n+ baz\n",
        "1. foo\n2. bar\n3) baz\n",
        "Foo\n- bar\n- baz\n",
        "The number is\n14.  not a list\n",
        "The number is\n1.  a list\n",
        "- foo\n\n- bar\n\n\n- baz\n",
        "- foo\n  - bar\n    - baz\n\n\n      bim\n",
        "- foo\n- bar\n\n<!-- -->\n\n- baz\n- bim\n",
        "- a\n - b\n  - c\n   - d\n  - e\n - f\n- g\n",
        "- a\n - b\n  - c\n   - d\n    - e\n",
        "1. a\n\n  2. b\n\n    3. c\n",
        "- a\n- b\n\n- c\n",
        "* a\n*\n\n* c\n",
        "- a\n- b\n\n  c\n- d\n",
        "- a\n- b\n\n  [ref]: /url\n- d\n",
        "- a\n- ```\n  b\n\n\n  ```\n- c\n",
        "- a\n  - b\n\n    c\n- d\n",
        "* a\n  > b\n  >\n* c\n",
        "- a\n  > b\n  ```\n  c\n  ```\n- d\n",
        "1. ```\n   foo\n   ```\n\n   bar\n",
        "* foo\n  * bar\n\n  baz\n",
        "- a\n  - b\n  - c\n\n- d\n  - e\n  - f\n",
        "-\ta\n\n\tb\n",
        " - foo\n   - bar\n\t - baz\n",
        "- [ ] a\n- [x] b\n",
        "* a\n lazy\n    lazier\n* b\n",
        "- a\n\n    b\n\n        c\n",
        "1) a\n\n\tb\n",
        "- a\n***\n- b\n",
        "- a\n  ***\n  b\n",
        "- a\n\n\n\n\n- b\n\n\n\nc\n",
        "- a\n  1. b\n     c\n d\n",
        "+ a\n+ b\n- c\n",
    ),
    "tables": (
        "| foo | bar |\n| --- | --- |\n| baz | bim |\n",
        "| abc | defghi |\n:-: | -----------:\nbar | baz\n",
        "| f\\|oo  |\n| ------ |\n| b `\\|` az |\n",
        "| abc | def |\n| --- | --- |\n| bar | baz |\n> bar\n",
        "| abc | def |\n| --- | --- |\n| bar | baz |\nbar\n\nbar\n",
        "| abc | def |\n| --- |\n| bar |\n",
        "| abc | def |\n| --- | --- |\n| bar |\n| bar | baz | boo |\n",
        "| abc | def |\n| --- | --- |\n",
        "a | b\n- | -\nc | d\n",
        "a\n-|\nb\n",
        "|a|\n|-|\n|b|\n",
        "text\n| a | b |\n|---|---|\n| 1 | 2 |\n",
        "| a |\n|---|\n# b\n| c |\n|---|\n- d\n",
        "| a |\n|---|\n```\nb\n```\n| c |\n|---|\n***\n",
        "| a |\n|---|\n    b\n",
        "    | a |\n    |---|\n",
        "| a |\n    |---|\n",
        "> | a |\n> |---|\n> | b |\n\nc\n",
        "> | a |\n|---|\n",
        "- | a |\n  |---|\n  | b |\n- c\n",
        "- | a |\n|---|\n",
        "| a |\n|---|\n| b |\n1. c\n",
        "| a |\n|---|\n| b |\n2. c\n",
        "|   a   |  b  |\n|  :-:  |  -  |\n\n| c |\n",
        "a | b\n--- | ---\nc\nd | e\n",
        "| a |\n|- -|\n",
        "| a | b |\n|:--|--:|\n|\n",
        "| a |\n| --- |\n| b |\n===\n",
        "| a |\n| --- |\n<!-- b -->\n",
        "[x]: y\n| a |\n|---|\n",
    ),
    "precedence and nesting": (
        "- `one\n- two`\n",
        "> - > - > a\nb\n",
        "1. > - a\n   >   b\n   > c\n",
        "- a\n\n  > b\n\n  ```\n  c\n  ```\n",
        "> - a\n>\n>   b\n>\n> c\n",
        "> 1. a\n>    - b\n>\n>      c\n> 2. d\n",
        "- > a\n- > b\nc\n",
        "> ```\n> a\n- b\n",
        "> - ```\n>   a\n> b\n",
        "- > ```\n  > a\n  b\n",
        "> <div>\n> a\n- b\n",
        "> [a]: b\n> c\n",
        "- a\n\n  # b\n\n  c\n  ===\n",
        "> a\n> b\nc\n> d\n\n\n> e\n",
        "* * * a\n",
        "- - - a\n  b\n",
        "1. 2. 3. a\n",
        "> > a\n> b\n",
        "> > a\n>\n> b\n",
        "-\n-\n\n-\n",
        "> -\n> -\n",
        "    - a\n\n- b\n",
    ),
}

SMALL: Final = [
    pytest.param(text, id=f"{name}: {text!r}") for name, texts in EXAMPLES.items() for text in texts
]


@pytest.mark.parametrize("text", SMALL)
def test_small_examples(text: str) -> None:
    """Every construct of CommonMark, and tables, alone and in lists and quotes."""
    assert closed(text)
    assert ours(text) == stock(text)


def test_there_are_examples_enough() -> None:
    assert len(SMALL) >= LEAST


@pytest.mark.timeout(120)
def test_random_documents() -> None:
    """Documents put together from all constructs."""

    @settings(
        max_examples=25,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(made.documents(depth=1))
    def agrees(text: str) -> None:
        text = plain(text)
        if closed(text):
            assert ours(text) == stock(text)

    agrees()


@pytest.mark.slow
def test_many_random_documents() -> None:
    """More of them, nested deeper, and text that no one would write."""

    @settings(
        max_examples=3000, deadline=None, database=None, suppress_health_check=list(HealthCheck)
    )
    @given(made.documents() | made.hostile_text())
    def agrees(text: str) -> None:
        text = plain(text.replace("\0", "").encode("utf-8", "replace").decode())
        if closed(text):
            assert ours(text) == stock(text)

    agrees()


def _pages(folder: Path) -> Iterator[Path]:
    yield from sorted(path for path in folder.rglob("*.md") if path.is_file())


@pytest.mark.timeout(60)
def test_sample() -> None:
    """The sample documentation."""
    for page in _pages(SAMPLE):
        text = plain(page.read_text(encoding="utf-8-sig"))
        if closed(text):
            assert ours(text) == stock(text), page


@pytest.mark.slow
@pytest.mark.skipif(not CORPORA.exists(), reason="there is no folder ../shared/corpora here")
def test_corpora() -> None:
    """Documentation of many projects."""
    for page in _pages(CORPORA):
        text = plain(page.read_bytes().decode("utf-8-sig", "replace"))
        if closed(text):
            assert ours(text) == stock(text), page
