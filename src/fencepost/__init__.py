"""fencepost cuts documents into chunks for retrieval without breaking their structure.

>>> import fencepost
>>> doc = fencepost.chunk("# Gate\\n\\nMind the gap.\\n", source="gate.md")
>>> doc[0].breadcrumb, doc[0].start_line, doc[0].end_line
('Gate', 1, 3)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fencepost.api import chunk, chunk_file, chunk_files
    from fencepost.errors import (
        DocumentError,
        EncodingError,
        FencepostError,
        MissingExtraError,
        OptionsError,
        UnknownFormatError,
    )
    from fencepost.model import Chunk, ChunkedDocument, Diagnostic, Dropped, Piece, SectionRef
    from fencepost.options import Options
    from fencepost.pipeline import Chunker
    from fencepost.version import __version__

_HOMES = {
    "chunk": "api",
    "chunk_file": "api",
    "chunk_files": "api",
    "Chunker": "pipeline",
    "Options": "options",
    "Chunk": "model",
    "ChunkedDocument": "model",
    "Diagnostic": "model",
    "Dropped": "model",
    "Piece": "model",
    "SectionRef": "model",
    "FencepostError": "errors",
    "OptionsError": "errors",
    "UnknownFormatError": "errors",
    "MissingExtraError": "errors",
    "DocumentError": "errors",
    "EncodingError": "errors",
    "__version__": "version",
}
"""Each public name and the module that it lives in; loaded on first use."""

__all__ = [
    "Chunk",
    "ChunkedDocument",
    "Chunker",
    "Diagnostic",
    "DocumentError",
    "Dropped",
    "EncodingError",
    "FencepostError",
    "MissingExtraError",
    "Options",
    "OptionsError",
    "Piece",
    "SectionRef",
    "UnknownFormatError",
    "__version__",
    "chunk",
    "chunk_file",
    "chunk_files",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - whatever lives there
    """Load a public name from its module."""
    home = _HOMES.get(name)
    if home is None:
        msg = f"module 'fencepost' has no attribute {name!r}"
        raise AttributeError(msg)
    value = getattr(import_module(f"fencepost.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)
