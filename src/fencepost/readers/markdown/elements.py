"""What a component is: its label, its title, and what it is like in other dialects."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from fencepost.model import Element

if TYPE_CHECKING:
    from fencepost.readers.markdown.lookahead import Lookahead
    from fencepost.readers.markdown.tags import Run
    from fencepost.source import Source

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

_LABEL = re.compile(
    r"\b(?P<key>label|title|value|name)\s*=\s*(?:\{\s*)?(?P<quote>[\"'`])(?P<text>.*?)(?P=quote)",
    re.DOTALL,
)
_TYPE = re.compile(r"\b(?:type|kind|variant|status)\s*=\s*(?:\{\s*)?[\"'`]([\w-]+)[\"'`]")


def read_element(source: Source, run: Run, closer: Run, lookahead: Lookahead) -> Element:
    """Return what is known of a component from the runs of its opening and closing tags."""
    tag = next(tag for tag in run.tags if tag.form == "open")
    opening = lookahead.text_of(tag)
    name = tag.name.lower()
    plain_html = tag.name == name
    role, type_ = "", ""
    if name in ADMONITIONS and not (plain_html and name == "aside"):
        found = _TYPE.search(opening)
        role, type_ = "admonition", ADMONITIONS[name] or (found[1].lower() if found else "note")
    elif name in TABS:
        role = "tab"
    labels = {found["key"]: found["text"] for found in _LABEL.finditer(opening)}
    title = next((labels[key] for key in ("label", "title", "value", "name") if key in labels), "")
    del source
    return Element(
        tag.name,
        opening,
        (run.end, closer.start),
        "tab" if role == "tab" else "admonition" if role else "",
        type_,
        " ".join(title.split()),
        dense=lookahead.dialect == "mdx",
    )
