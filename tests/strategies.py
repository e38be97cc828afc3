"""Make random documents for property tests: one strategy per construct, composed as source text.

Every strategy gives the lines of one block joined by a line feed, without a line end after the
last. ``documents()`` puts blocks together; ``hostile_text()`` gives text that no one would write.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from hypothesis import strategies as st

Draw = st.DrawFn

_WORDS: Final[dict[str, tuple[str, ...]]] = {
    "latin": (
        "harbour",
        "crane",
        "lifts",
        "crates",
        "all",
        "morning",
        "a",
        "naïve",
        "it's",
        "3.14",
        "e.g.",
        "C++",
    ),
    "cyrillic": ("кран", "поднимает", "ящики", "всё", "утро", "и", "чайки"),
    "greek": ("γερανός", "σηκώνει", "κιβώτια", "όλο", "το", "πρωί"),
    "han": ("起重机整个早上", "都在吊装货箱。", "海鸥在头顶争吵，", "港口很忙。"),  # noqa: RUF001
    "kana": ("クレーンは朝から", "荷箱を吊り上げる。", "かもめが鳴く。"),
    "arabic": ("الرافعة", "ترفع", "الصناديق", "طوال", "الصباح."),
    "thai": ("รถเครนยกลังตลอดเช้า", "นกนางนวล"),
    "emoji": ("🏗️", "📦", "👩‍👩‍👧", "🇪🇺", "e\N{COMBINING ACUTE ACCENT}"),
}
_INLINE: Final = (
    "`code`",
    "*soft*",
    "**bold**",
    "[link](https://x.dev/a)",
    "<b>tag</b>",
    "&amp;",
    "\\*",
    "a|b",
    "$x$",
)
_CODE_LINES: Final = (
    "x = 1",
    "def f(a):",
    "    return a",
    "        deeper()",
    "# not a heading",
    "- not an item",
    "| no | table |",
    "> not quoted",
    "\ttabbed",
    "</div>",
    "",
    "é = '字'",
    "trailing  ",
)
_LANGUAGES: Final = (
    "",
    "js",
    "python",
    'tsx {1,3} title="a b.tsx"',
    "rust,ignore",
    "C++",
    "sh copy",
    "text",
)

_MARKUP: Final = (
    *("`", "```", "~~~", "````js", "#", "## ", ">", "> ", "- ", "1. ", "    ", "\t", "|", "|---|"),
    *(
        "===",
        "---",
        "***",
        "<",
        "<div>",
        "</div>",
        "<pre>",
        "<!--",
        "-->",
        "[",
        "](",
        "]: ",
        "[^1]: ",
    ),
    *("!!! note", '=== "t"', ":::", "::: tip", "///", "$$", ": ", "{#id}", "\\", "&#0;", "a", "字"),
    *("\n", "\n", "\n\n", "\r", "\r\n", "\x0c", "\u2028", "\xa0", "\x00", "\ufeff"),
    *("\ud800", "\udfff", "👩\u200d👩\u200d👧"),
)


def words(minimum: int = 1, maximum: int = 8) -> st.SearchStrategy[str]:
    """Give words of one script with a blank between them."""
    return st.sampled_from(sorted(_WORDS)).flatmap(
        lambda script: st.lists(
            st.sampled_from(_WORDS[script]), min_size=minimum, max_size=maximum
        ).map(" ".join)
    )


@st.composite
def sentences(draw: Draw) -> str:
    """Give one line of prose, with an inline construct now and then."""
    parts = [draw(words())]
    if draw(st.booleans()):
        parts += [draw(st.sampled_from(_INLINE)), draw(words(maximum=4))]
    return " ".join(parts) + draw(st.sampled_from(("", ".", "?", ":")))


def paragraphs(maximum: int = 5) -> st.SearchStrategy[str]:
    """Give a paragraph of some lines; a line may end in a hard break."""
    line = st.tuples(sentences(), st.sampled_from(("", "", "", "  ", "\\"))).map("".join)
    return st.lists(line, min_size=1, max_size=maximum).map("\n".join)


def titles() -> st.SearchStrategy[str]:
    """Give the text of a heading."""
    extra = st.sampled_from(
        ("", "", "", " `code`", " *soft*", " {#anchor}", " &amp; more", " [l](u)")
    )
    return st.tuples(words(maximum=4), extra).map("".join)


@st.composite
def atx_headings(draw: Draw) -> str:
    """Give an ATX heading of any level, empty ones among them."""
    indent = draw(st.sampled_from(("", "", "", " ", "   ")))
    level = draw(st.integers(1, 6))
    title = draw(st.one_of(titles(), titles(), titles(), st.just("")))
    tail = draw(st.sampled_from(("", "", " #", " ##")))
    return (indent + "#" * level + (" " + title if title else "") + tail).rstrip() or "#"


@st.composite
def setext_headings(draw: Draw) -> str:
    """Give a setext heading of one or two lines."""
    lines = draw(st.lists(words(maximum=4), min_size=1, max_size=2))
    return "\n".join([*lines, draw(st.sampled_from(("===", "---", "=", "-----  ")))])


def code_lines(maximum: int = 8) -> st.SearchStrategy[list[str]]:
    """Give the lines of a program, blank ones and look-alikes of markup among them."""
    return st.lists(st.sampled_from(_CODE_LINES), max_size=maximum)


@st.composite
def fenced_code(draw: Draw, *, long: bool = False) -> str:
    """Give a closed fence: either character, three to five of it, indented by up to three."""
    char = draw(st.sampled_from("`~"))
    run = char * draw(st.integers(3, 5))
    indent = " " * draw(st.sampled_from((0, 0, 0, 1, 2, 3)))
    info = draw(st.sampled_from(_LANGUAGES))
    space = draw(st.sampled_from(("", "", " "))) if info else ""
    body = draw(code_lines())
    if draw(st.booleans()):
        # a shorter run or the other character does not close the fence
        body.append(
            draw(st.sampled_from(("``", "~~", "~~~" if char == "`" else "```", "`" * 3 + "x`")))
        )
    if long:
        body = [
            f"{line} # {number}" if line.strip() else line for number, line in enumerate(body * 30)
        ]
    closing = (
        indent
        + run
        + char * draw(st.sampled_from((0, 0, 1)))
        + draw(st.sampled_from(("", "", "  ")))
    )
    return "\n".join(
        [indent + run + space + info, *(indent + line if line else "" for line in body), closing]
    )


@st.composite
def unclosed_fences(draw: Draw) -> str:
    """Give an opener that nothing closes, so it is text by the fence rule."""
    return (
        "`" * draw(st.integers(6, 8))
        + draw(st.sampled_from(("", "js")))
        + "\n"
        + draw(paragraphs(2))
    )


def indented_code() -> st.SearchStrategy[str]:
    """Give indented code, blank lines inside it and a first line that is not blank."""
    return code_lines(5).map(
        lambda body: "\n".join(
            "    " + line if line else "" for line in ["first = 0", *body, "last = 1"]
        )
    )


@st.composite
def tables(draw: Draw, *, maximum: int = 6) -> str:
    """Give a table with one to three columns, with or without outer pipes."""
    width = draw(st.integers(1, 3))
    outer = width == 1 or draw(st.booleans())
    cell = st.one_of(words(maximum=3), st.sampled_from(("`a`", "a \\| b", "**b**", "1")))
    rows = draw(
        st.lists(st.lists(cell, min_size=width, max_size=width), min_size=1, max_size=maximum)
    )
    marks = draw(
        st.lists(
            st.sampled_from(("---", ":--", ":-:", "--:", "-----")), min_size=width, max_size=width
        )
    )
    lines = [" | ".join(row) for row in (rows[0], marks, *rows[1:])]
    return "\n".join(f"| {line} |" if outer else line for line in lines)


@st.composite
def html_blocks(draw: Draw) -> str:
    """Give an html block: tags alone, tags with text, `pre` with blank lines inside."""
    inside = draw(words(maximum=5))
    return draw(
        st.sampled_from(
            (
                f"<div>\n{inside}\n</div>",
                f"<details>\n<summary>{inside}</summary>\n\n{inside}\n\n</details>",
                f"<pre>\n{inside}\n\n# no heading\n</pre>",
                f'<img src="a.png" alt="{inside[:10]}">',
                f'<p align="center">{inside}</p>',
                "<br>",
            )
        )
    )


def comments() -> st.SearchStrategy[str]:
    """Give an html comment of one or several lines."""
    return st.sampled_from(
        ("<!-- note -->", "<!--\nnote\n-->", "<!--\n# no heading\n\n- no item\n-->", "<!---->")
    )


def rules() -> st.SearchStrategy[str]:
    """Give a thematic break; none that could underline a paragraph above it."""
    return st.sampled_from(("***", "* * *", "___", "- - -", " **********"))


def link_references() -> st.SearchStrategy[str]:
    """Give one to three link reference definitions."""
    one = st.sampled_from(
        ("[a]: https://x.dev", '[b c]: /path "title"', "[d]:\n  <u v>\n  'two lines'", "[É]: #e")
    )
    return st.lists(one, min_size=1, max_size=3).map("\n".join)


def math_blocks() -> st.SearchStrategy[str]:
    """Give a ``$$`` block; what stands in it looks like headings and lists."""
    body = st.sampled_from(("a = b", "\\frac{1}{2}", "===", "- c", "", "+ d \\\\"))
    return st.lists(body, min_size=1, max_size=4).map(
        lambda lines: "\n".join(["$$", "x", *lines, "y", "$$"])
    )


def indent(block: str, prefix: str) -> str:
    """Put a prefix before every line that is not blank."""
    return "\n".join(prefix + line if line.strip() else line for line in block.split("\n"))


def hang(marker: str, block: str) -> str:
    """Put a marker before the first line and as many blanks before the others."""
    return marker + indent(block, " " * len(marker))[len(marker) :]


def quote(block: str, *, tight: bool = False) -> str:
    """Put quote marks before every line."""
    return "\n".join((">" if tight else "> ") + line if line else ">" for line in block.split("\n"))


@st.composite
def quotes(draw: Draw, inner: st.SearchStrategy[str]) -> str:
    """Give a quote around some blocks, or a callout."""
    blocks = draw(st.lists(inner, min_size=1, max_size=3))
    head = draw(st.sampled_from(("", "", "[!NOTE]\n", "[!warning] Title\n")))
    return quote(head + "\n\n".join(blocks))


@st.composite
def lists(draw: Draw, inner: st.SearchStrategy[str]) -> str:
    """Give a list whose items begin with a paragraph and may hold any other block."""
    marker = draw(
        st.sampled_from(("- ", "* ", "+ ", "-   ", "1. ", "7) ", "10. ", "- [ ] ", "- [x] "))
    )
    width = len(marker.split("[", maxsplit=1)[0])
    gap = draw(st.sampled_from(("\n", "\n\n")))
    items = []
    for number in range(draw(st.integers(1, 4))):
        blocks = [draw(paragraphs(2)), *draw(st.lists(inner, max_size=2))]
        own = marker
        if marker[0].isdigit():
            own = f"{int(marker.rstrip(' .)')) + number}{marker.strip()[-1]} "
            width = len(own)
        body = indent("\n\n".join(blocks), " " * width)
        items.append(own + body[width:])
    return gap.join(items)


@st.composite
def admonitions(draw: Draw, inner: st.SearchStrategy[str]) -> str:
    """Give an admonition in one of the three dialects: ``!!!``, ``:::`` and tabs of ``===``."""
    body = "\n\n".join([draw(paragraphs(2)), *draw(st.lists(inner, max_size=2))])
    kind = draw(st.sampled_from(("!!! note", '??? tip "A title"', "???+ warning", ":::", "===")))
    if kind == ":::":
        head = draw(st.sampled_from(("::: tip", ":::note[Title]", "::: details More")))
        return f"{head}\n\n{body}\n\n:::"
    if kind == "===":
        second = draw(paragraphs(2))
        return f'=== "One"\n\n{indent(body, "    ")}\n\n=== "Two"\n\n{indent(second, "    ")}'
    gap = draw(st.sampled_from(("\n", "\n\n")))
    return kind + gap + indent(body, "    ")


@st.composite
def footnotes(draw: Draw, inner: st.SearchStrategy[str]) -> str:
    """Give a footnote definition with further blocks inside."""
    label = draw(st.sampled_from(("1", "note", "a-b")))
    more = draw(st.lists(inner, max_size=2))
    return "\n\n".join(
        [f"[^{label}]: {draw(sentences())}", *(indent(block, "    ") for block in more)]
    )


@st.composite
def definition_lists(draw: Draw, inner: st.SearchStrategy[str]) -> str:
    """Give one or two terms with their definitions."""
    entries = []
    for _ in range(draw(st.integers(1, 2))):
        definition = hang(
            ":   ", "\n\n".join([draw(paragraphs(1)), *draw(st.lists(inner, max_size=1))])
        )
        entries.append(draw(words(maximum=3)) + "\n" + definition)
    return "\n\n".join(entries)


def leaves() -> st.SearchStrategy[str]:
    """Give a block that holds no other block and may stand in any container."""
    return st.one_of(
        paragraphs(),
        fenced_code(),
        fenced_code(),
        indented_code(),
        tables(),
        html_blocks(),
        comments(),
        math_blocks(),
    )


def containers(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Give a list or a quote around other blocks."""
    return st.one_of(lists(inner), lists(inner), quotes(inner))


def blocks(depth: int = 2) -> st.SearchStrategy[str]:
    """Give any block but a heading, nested to a depth."""
    inner = (
        leaves()
        if depth <= 0
        else st.one_of(leaves(), containers(leaves() if depth == 1 else blocks(depth - 1)))
    )
    outer: Sequence[Callable[[st.SearchStrategy[str]], st.SearchStrategy[str]]] = (
        lists,
        lists,
        quotes,
        admonitions,
        footnotes,
        definition_lists,
    )
    return st.one_of(
        leaves(),
        leaves(),
        rules(),
        link_references(),
        fenced_code(long=True),
        *(make(inner) for make in outer),
    )


def headings() -> st.SearchStrategy[str]:
    """Give a heading of either kind."""
    return st.one_of(atx_headings(), atx_headings(), setext_headings())


def front_matter() -> st.SearchStrategy[str]:
    """Give front matter of three formats."""
    title = words(maximum=3)
    return st.one_of(
        title.map(lambda text: f'---\ntitle: "{text}"\ntags: [a, b]\n---'),
        title.map(lambda text: f'+++\ntitle = "{text}"\n+++'),
        st.just("---\ndescription: >-\n  two\n  lines\n# comment\n---"),
    )


@st.composite
def documents(draw: Draw, *, depth: int = 2, maximum: int = 10) -> str:
    """Give a whole document: blocks, headings, blank-line runs, line ends, front matter, a BOM."""
    parts = draw(
        st.lists(st.one_of(blocks(depth), blocks(depth), headings()), min_size=1, max_size=maximum)
    )
    text = draw(front_matter()) + "\n\n" if draw(st.sampled_from((False, False, True))) else ""
    for part in parts:
        text += part + draw(st.sampled_from(("\n\n", "\n\n", "\n\n\n", "\n  \n", "\n\n\n\n\n")))
    if draw(st.sampled_from((False, False, False, True))):
        text += draw(unclosed_fences())
    text = draw(st.sampled_from((text, text.rstrip("\n"), "\n\n" + text, text + "   \n")))
    line_end = draw(st.sampled_from(("\n", "\n", "\n", "\r\n", "\r")))
    bom = draw(st.sampled_from(("", "", "", "\N{ZERO WIDTH NO-BREAK SPACE}")))
    return bom + text.replace("\n", line_end)


def hostile_text(maximum: int = 60) -> st.SearchStrategy[str]:
    """Give markup characters, controls, line ends of all kinds and any Unicode, in any order."""
    markup = st.sampled_from(_MARKUP)
    piece = st.one_of(markup, markup, markup, st.text(max_size=3))
    return st.lists(piece, max_size=maximum).map("".join)
