"""Recognise lines of tags alone, and part them from the fences right under them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from .fence_rule import closes, opener
from .masks import Marks

_TAG: Final = re.compile(r"""<(/?)([A-Za-z][\w.:-]*)((?:"[^"]*"|'[^']*'|[^<>"'])*)>""")
# The expression may look at each unpaired quote again from each tag.
_TAGS_LIMIT: Final = 20_000
_VOID: Final = frozenset(
    [
        "area",
        "base",
        "br",
        "col",
        "embed",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "source",
        "track",
        "wbr",
    ]
)


def mask_tags(lines: list[str], marks: Marks) -> None:
    """Blank lines of tags alone right over a fence, so that "<Good>" does not hide "```ts"."""
    run = ""
    for number, line in enumerate(lines):
        if run:
            run = "" if closes(line, run) else run
            continue
        found = opener(line)
        if found:
            run = found[1]
            above = lines[number - 1] if number else ""
            if above.lstrip(" \t").startswith("<") and tag_balance(above) is not None:
                lines[number - 1] = ""
                marks.tags.add(number - 1)


def shows_nothing(text: str) -> bool:
    """Tell whether a text is tags that show nothing: "<div>", "</Tabs>", "<a id='x'></a>"."""
    if tag_balance(text) is None or "<!--" in text:
        return False
    return not any(
        tail.rstrip().endswith("/") or name.lower() in _VOID for _, name, tail in _TAG.findall(text)
    )


def hides_fences(lines: Sequence[str]) -> bool:
    """Tell whether a line of tags alone stands right over a fence."""
    marks = Marks()
    mask_tags([*lines], marks)
    return bool(marks.tags)


def tag_balance(text: str) -> int | None:
    """Return opening less closing tags of a text of tags alone, None where it holds anything else.

    "<Tabs>" is 1, "</Tabs>" is -1, "<br>" and "<A></A>" are 0, "<b>x</b>" is None; comments count
    as tags.
    """
    net, alone = _weigh(text)
    return net if alone else None


def tag_net(text: str) -> int:
    """Return opening less closing tags: "<details>", "<summary>x</summary>" is 1."""
    return _weigh(text)[0]


def _weigh(text: str) -> tuple[int, bool]:
    if len(text) > _TAGS_LIMIT:
        return 0, False
    rest = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    net = 0
    for match in _TAG.finditer(rest):
        closing, name, tail = match.groups()
        if closing:
            net -= 1
        elif not tail.rstrip().endswith("/") and name.lower() not in _VOID:
            net += 1
    return net, not _TAG.sub("", rest).strip()
