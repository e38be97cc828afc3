"""A hook of mkdocs: the first page of the documentation is the README."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
MARKER = "<!-- README -->"

_LINK = re.compile(r"\[([^\]]+)\]\(([^)#\s]+)(#[^)\s]*)?\)")


def on_page_markdown(markdown: str, **_: Any) -> str:  # noqa: ANN401 - as mkdocs calls it
    """Put the README in the place of the marker."""
    if MARKER not in markdown:
        return markdown
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    return markdown.replace(MARKER, _LINK.sub(_moved, readme))


def _moved(link: re.Match[str]) -> str:
    """Point a link into `docs/` from inside it; keep only the text of one to another file."""
    text, target, anchor = link[1], link[2], link[3] or ""
    if not (ROOT / target).exists():
        return link[0]
    inside = target.removeprefix("docs/")
    return f"[{text}]({inside}{anchor})" if inside != target else text
