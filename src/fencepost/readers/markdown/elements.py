"""What a component is: its label, its title, and what it is like in other dialects."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Literal

from fencepost.model import Element

if TYPE_CHECKING:
    from fencepost.readers.markdown.lookahead import Lookahead
    from fencepost.readers.markdown.tags import Run

ADMONITIONS: Final = {
    "note": "note",
    "tip": "tip",
    "info": "info",
    "warning": "warning",
    "warn": "warning",
    "caution": "caution",
    "danger": "danger",
    "error": "error",
    "check": "check",
    "success": "success",
    "important": "important",
    "callout": "",
    "admonition": "",
    "aside": "",
    "alert": "",
    "banner": "",
}
"""Components that are admonitions, by name in lower case, with the type that the name tells."""

TABS: Final = frozenset({"tab", "tabitem", "tabpanel", "tabs.tab", "tab.panel"})
"""Components that are one of several tabs, by name in lower case."""

GROUPS: Final = frozenset({"tabs", "codegroup", "codetabs", "code-group", "code-tabs"})
"""Components that hold tabs, or one code block for each."""

_ITEMS = re.compile(r"\bitems\s*=\s*\{\s*\[(?P<all>[^\]]*)\]", re.DOTALL)
_ITEM = re.compile(r"\"([^\"]*)\"|'([^']*)'|`([^`]*)`")
_LABEL = re.compile(
    r"\b(?P<key>label|title|value|name)\s*=\s*(?:\{\s*)?(?P<quote>[\"'`])(?P<text>.*?)(?P=quote)",
    re.DOTALL,
)
_TYPE = re.compile(r"\b(?:type|kind|variant|status)\s*=\s*(?:\{\s*)?[\"'`]([\w-]+)[\"'`]")


def read_element(run: Run, closer: Run, lookahead: Lookahead) -> Element:
    """Return what is known of a component from the runs of its opening and closing tags."""
    tag = next(tag for tag in run.tags if tag.form == "open")
    opening = lookahead.text_of(tag)
    name = tag.name.lower()
    plain_html = tag.name == name
    role: Literal["", "admonition", "tab", "tabs"] = ""
    type_ = ""
    if name in ADMONITIONS and not (plain_html and name == "aside"):
        found = _TYPE.search(opening)
        role, type_ = "admonition", ADMONITIONS[name] or (found[1].lower() if found else "note")
    elif name in TABS:
        role = "tab"
    elif name in GROUPS:
        role = "tabs"
    items = _ITEMS.search(opening)
    labels = {found["key"]: found["text"] for found in _LABEL.finditer(opening)}
    title = next((labels[key] for key in ("label", "title", "value", "name") if key in labels), "")
    return Element(
        tag.name,
        opening,
        (run.end, closer.start),
        role,
        type_,
        " ".join(title.split()),
        tuple("".join(one) for one in _ITEM.findall(items["all"])) if items else (),
        dense=lookahead.dialect == "mdx",
    )
