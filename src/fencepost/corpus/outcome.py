"""What came of one document: its chunks, or why there are none."""

from __future__ import annotations

import logging
import sys
import traceback
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Final

from fencepost.corpus.walk import STANDARD_INPUT, Found
from fencepost.errors import DocumentError, FencepostError, MissingExtraError, OptionsError

if TYPE_CHECKING:
    from typing import BinaryIO

    from fencepost.model import ChunkedDocument
    from fencepost.pipeline import Chunker

RUN_ERRORS: Final = (OptionsError, MissingExtraError)
"""What would be the same for every document, so that it ends the run."""

_log = logging.getLogger("fencepost")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one document. One of `document`, `skipped` and `error` is set."""

    path: str
    """As it was opened; `-` is standard input."""
    name: str
    """The document's name."""
    document: ChunkedDocument | None = None
    skipped: str | None = None
    """Why it was left out although its suffix is known."""
    error: Exception | None = None
    """Why it failed."""
    size: int = 0
    """Bytes read."""
    seconds: float = 0.0
    """From opening the file to the last chunk."""


def chunk_one(chunker: Chunker, found: Found) -> Outcome:
    """Read a document and chunk it; whatever is wrong with it becomes part of the outcome.

    Raises:
        OptionsError, MissingExtraError: an option, not the document, is at fault.
    """
    if found.skipped is not None or found.error is not None:
        return Outcome(found.path, found.name, skipped=found.skipped, error=found.error)
    began = perf_counter()
    document, error, size = None, None, 0
    try:
        data = _read(found.path, chunker.options.max_document_bytes)
        size = len(data)
        document = chunker.chunk(data, format=found.format, source=found.name)
    except RUN_ERRORS:
        raise
    except (FencepostError, OSError) as one:
        error = one
    except Exception as one:  # noqa: BLE001 - a fault of ours in one document must not end the run
        error = _unexpected(one)
    seconds = perf_counter() - began
    return Outcome(found.path, found.name, document, None, error, size, seconds)


def _read(path: str, limit: int | None) -> bytes:
    """Return the bytes of a file, but read no more than one past the limit."""
    if path == STANDARD_INPUT:
        return _up_to(sys.stdin.buffer, limit)
    with Path(path).open("rb") as file:
        return _up_to(file, limit)


def _up_to(file: BinaryIO, limit: int | None) -> bytes:
    data = file.read(-1 if limit is None else limit + 1)
    if limit is not None and len(data) > limit:
        msg = f"the document has more than max_document_bytes={limit} bytes"
        raise DocumentError(msg)
    return data


def _unexpected(error: Exception) -> FencepostError:
    """Return a fault of ours as an error that names the place and travels between processes."""
    _log.debug("unexpected", exc_info=error)
    frame = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{Path(frame.filename).name}:{frame.lineno}"
    named = FencepostError(f"unexpected {type(error).__name__}: {error} ({place})")
    named.__cause__ = error
    return named
