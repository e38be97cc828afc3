"""Where prose may be cut: hand-checked sentences, protected spans, graphemes, growth."""
# ruff: noqa: RUF001 - sentences of many scripts

from __future__ import annotations

import importlib
import subprocess
import sys
import time
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from fencepost.cutting.boundaries import cut_points

regex: Any = importlib.import_module("regex")

# `|` stands where a sentence ends; everything else is the text.
SENTENCES = (
    "One. |Two! |Three? |Four… |Five?! |Six.",
    "See e.g. Dr. Smith vs. Mr. Jones, i.e. both, cf. Fig. 3 and No. 5. |Then stop.",
    "J. R. R. Tolkien wrote it in the U.S. Navy. |So it is.",
    "It isn't. |It doesn’t. |'Mrs. Jones' is.",
    "Pi is 3.14, the file is setup.py, the version v1.2.3. |Node.js comes next.",
    "It costs 3.14. |The answer is no. |Ask again in 2020. |Then wait.",
    "Wait... what? |No, etc. and so on... |Done.",
    'He said "Go." |Then he left. |(It was late.) |"Why?" he asked. |“Who knows?” |Nobody.',
    "**Bold.** |*Slanted.* |~~Gone.~~ |Noted.[^1] |Kept.[^a][^b] |End.",
    "Run `a. B` first. |`npm` is next. |[This](x) too. |![Image](y) last.",
    "Read [the guide. Really](a. B) or [one. Two][c. D]. |Ok.",
    "Mail <https://x.dev/a. B> or <a href='b. C'>it. |Then</a> go.",
    "If $a. B$ then \\(c. D\\) holds. |Costs are $5. |And $10. |Ok.",
    "A line\nwraps here. |It goes\non. |Windows\r\nalso. |Ends.",
    "In a quote.\n> |The next line\n> goes on.\n> |Then ends.",
    "One paragraph\n\n|another\r\n\r\n|a third",
    "1. One thing. 2. Another",
    "Ends with a blank. ",
    "你好。|今天天气很好！|真的吗？|是的。",
    "他说：“好。”|然后走了。|价格是3.14元。|结束",
    "这是真的?|是的!|见 v1.2 版本。|完",
    "「行きます。」|彼は言った。|はい｡|終わり",
    "안녕하세요. |반갑습니다. |네.",
    "هل أنت هنا؟ |نعم. |هذا هو.",
    "یہ ہے۔ |وہ ہے۔ |اب",
    "यह एक है। |वह दो है॥ |अब",
    "Это так. |См. рис. 3 и т.д. в конце. |Да.",
    "Das gilt z.B. hier, vgl. Abb. 2, bzw. dort. |Danach nicht.",
    "Αυτό είναι. |Και αυτό.",
    "Բարեւ։ |Այո։",
    "¿Qué? |¡Bien! |«Sí.» |Sr. García llegó.",
    "สวัสดีครับ วันนี้ อากาศดี",
)


@pytest.mark.parametrize("marked", SENTENCES)
def test_sentences(marked: str) -> None:
    text = marked.replace("|", "")
    ends = [offset for offset, level in cut_points(text) if level == 0]
    parts = [text[start:end] for start, end in pairwise([0, *ends, len(text)])]
    assert "|".join(parts) == marked


# `¦` stands at each point of level 0 or 1.
WORDS = (
    "see ¦`a code span` ¦now",
    "see ¦`` a ` b `` ¦now ¦`an ¦open ¦one",
    "see ¦[a link](b 'c d') ¦now, ¦![an image](<e f>)",
    "see ¦[![a badge](b c)](d) ¦or ¦[a b][c d] ¦or ¦[a b][] ¦now",
    "see ¦[a [nested] label](b(c)d) ¦or ¦\\[no ¦link\\](x ¦y)",
    "see <a href='b' c> ¦and <https://x.dev> ¦if ¦a ¦< ¦b ¦and ¦c ¦now",
    "if ¦$a + b$ ¦or ¦\\(c + d\\) ¦or ¦x$$e + f$$ ¦but ¦not ¦$5 ¦and ¦$6 ¦here",
    "a ¦b\n¦c ¦d\r\n¦e\r¦f\t¦g",
    "a\xa0b ¦c\u202fd ¦e\xa0 ¦f",
    "ไทย\u200b¦ภาษา\u200b¦ไทย",
    "a ¦\u00e9 ¦e\u0301 ¦b \u0301c ¦d",
    # What would open a block at a line start is no start of a part.
    "a ¦b # ¦c ¦d ## ¦e ¦f ¦#g",
    "a ¦b - ¦c ¦d + ¦e ¦f * ¦g ¦h ¦--flag ¦-x ¦**b** ¦*c*",
    "a ¦b 1. ¦c ¦d 23) ¦e ¦f ¦1.5 ¦2",
    "a ¦b > ¦c ¦d >e ¦f | ¦g",
    "a ¦b === ¦c ¦d --- ¦e ¦f *** ¦g ¦h ___ ¦i ¦j = ¦k ¦l - ¦m",
    "a ¦b ``` ¦c ¦d ~~~ ¦e ¦f ::: ¦g ¦h !!! ¦i ¦j ??? ¦k ¦l $$ ¦m",
    "a ¦b <c ¦d </e ¦f <!g ¦h <?i ¦j ¦<1",
    "a ¦b [^1]: ¦c ¦d [e]: ¦f ¦g : ¦h ¦i ¦:j",
)


@pytest.mark.parametrize("marked", WORDS)
def test_words(marked: str) -> None:
    text = marked.replace("¦", "")
    ends = [offset for offset, level in cut_points(text) if level <= 1]
    parts = [text[start:end] for start, end in pairwise([0, *ends, len(text)])]
    assert "¦".join(parts) == marked


def test_a_huge_image_can_still_be_cut() -> None:
    image = "![alt text](data:image/png;base64," + "iVBORw0KGgo" * 1000 + ")"
    points = cut_points("See. " + image + " Then.")
    inside = [level for offset, level in points if 5 < offset < 5 + len(image)]
    assert inside[0] in {1, 2}
    assert inside.count(2) > 10_000


def test_a_long_span_is_cut_between_words_but_at_no_sentence() -> None:
    text = "x `" + "A word. " * 100 + "` y"
    levels = [level for offset, level in cut_points(text) if 2 < offset < len(text) - 3]
    assert levels.count(1) > 150
    assert 0 not in levels


@pytest.mark.parametrize("run", ["=", "- ", "`", "> ", "|", "# "])
def test_a_run_of_markup_can_be_cut_as_a_last_resort(run: str) -> None:
    text = "a " + run * 1000
    points = [offset for offset, _ in cut_points(text)]
    assert max(b - a for a, b in pairwise([0, *points, len(text)])) <= 400
    assert len(cut_points("a " + run * 100)) < 50


CLUSTERS = (
    "👩\u200d👩\u200d👧",
    "🇩🇪🇫🇷",
    "👍🏽",
    "e\u0301\u0323",
    "क्षि",
    "각",
    "\u1100\u1161\u11a8",
)


@pytest.mark.parametrize("cluster", CLUSTERS)
def test_graphemes_stay_whole(cluster: str) -> None:
    text = cluster * 50
    starts = {match.start() for match in regex.finditer(r"\X", text)} - {0}
    assert {offset for offset, _ in cut_points(text)} == starts


FRAGMENTS = (
    *(
        "a",
        "Word",
        "e.g",
        "3",
        "14",
        ".",
        ". ",
        "! ",
        "? ",
        "…",
        ", ",
        " ",
        "  ",
        "\n",
        "\r\n",
        "\t",
    ),
    *(
        "`",
        "``",
        "```",
        "[",
        "]",
        "](",
        "(",
        ")",
        "![",
        "][",
        "<a ",
        ">",
        "<https://x.y>",
        "$",
        "$$",
    ),
    *(
        "\\",
        "\\(",
        "\\)",
        "# ",
        "- ",
        "1. ",
        "= ",
        "===",
        "***",
        "___",
        "| ",
        ":::",
        "!!!",
        "[^1]: ",
    ),
    *("\n> ", "\n\n", "\xa0", "\u200b", "漢字", "。", "」", "؟", "।", "é", "\u0301", "\u200d"),
    *("🇩", "🇩🇪", "👩\u200d🚀", "👍🏽", "\u0600", "x" * 50, "=" * 50, "漢" * 50),
)
TEXTS = st.lists(st.sampled_from(FRAGMENTS), max_size=30).map("".join)


@settings(max_examples=400, deadline=None)
@given(text=TEXTS)
@example(text="")
@example(text="   ")
@example(text=" \u0301" * 30)
@example(text="🇩🇪🇩" * 20 + " x")
def test_points_are_in_order_between_graphemes_and_before_text(text: str) -> None:
    points = cut_points(text)
    offsets = [offset for offset, _ in points]
    assert offsets == sorted(set(offsets))
    assert {level for _, level in points} <= {0, 1, 2}
    graphemes = {match.start() for match in regex.finditer(r"\X", text)}
    for offset in offsets:
        assert text[:offset].strip()
        assert not text[offset].isspace()
        assert offset in graphemes


LINES = st.lists(st.sampled_from([one for one in FRAGMENTS if "\n" not in one]), max_size=20)


@settings(max_examples=400, deadline=None)
@given(text=LINES.map("".join))
@example(text="a ### b")
@example(text="a [b]: c")
@example(text="a [\\[b]: c")
@example(text="a * * *")
def test_a_part_begins_with_no_markup(text: str) -> None:
    markdown = MarkdownIt("commonmark").disable("inline")
    for offset, _ in cut_points(text):
        assert markdown.parse(text[offset:])[0].type == "paragraph_open", text[offset:]


HOSTILE = (
    *(
        "a",
        "=",
        "- ",
        "`",
        "` ",
        "`` ` ",
        "[",
        "]",
        "[a](",
        "[a](b ",
        '[](a "',
        "[a][b ",
        "](<",
        "![a](b) ",
    ),
    *(
        "$",
        "$a ",
        "$$ a",
        "\\(",
        "\\( ",
        "<",
        "<a ",
        ".",
        ". ",
        "1. ",
        "A. ",
        ". (",
        '." ',
        "> ",
        "\n> ",
    ),
    *(
        "\n",
        "\n\n",
        " ",
        "\xa0",
        "\u200b",
        "漢",
        "漢，字",
        "好。",
        "🇩🇪",
        "👩\u200d",
        "e\u0301",
        "[^1] ",
        "[a]:",
    ),
)


@pytest.mark.parametrize("run", HOSTILE)
def test_hostile_runs_take_linear_time(run: str) -> None:
    def seconds(size: int) -> float:
        text = (run * size)[:size]
        start = time.perf_counter()
        cut_points(text)
        return time.perf_counter() - start

    small = min(seconds(10_000) for _ in range(3))
    assert any(seconds(80_000) < 8 * 4 * small + 0.1 for _ in range(3))


def test_regex_is_loaded_only_for_other_scripts() -> None:
    program = (
        "import sys; from fencepost.cutting.boundaries import cut_points;"
        "cut_points('Plain text. ' * 9 + 'x' * 99); assert 'regex' not in sys.modules;"
        "cut_points('漢' * 99); assert 'regex' in sys.modules"
    )
    paths = f"import sys; sys.path[:] = {sys.path!r};"
    subprocess.run([sys.executable, "-X", "utf8", "-c", paths + program], check=True)
