"""MDX: Markdown with components, expressions, imports and exports, and no indented code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fencepost.readers import markdown

if TYPE_CHECKING:
    from fencepost.options import Options
    from fencepost.readers import Reading
    from fencepost.source import Source


def read(source: Source, options: Options) -> Reading:
    """Return the blocks of an MDX document.

    >>> from fencepost.options import Options
    >>> from fencepost.source import Source
    >>> text = "import A from 'a'\\n\\n<A>\\n    ```js\\n    a()\\n    ```\\n</A>\\n"
    >>> blocks = read(Source.of(text), Options()).blocks
    >>> [block.kind for block in blocks], [child.kind for child in blocks[1].children]
    (['esm', 'tag'], ['code'])
    """
    return markdown.read(source, options, mdx=options.mdx != "off")
