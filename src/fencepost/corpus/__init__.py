"""Many files: found, read and chunked one at a time, in order, in one process or several."""

from __future__ import annotations

import logging
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from typing import TYPE_CHECKING

from fencepost.corpus.outcome import Outcome, chunk_one
from fencepost.corpus.walk import Found, PathArgument, one_file, walk
from fencepost.corpus.workers import in_workers
from fencepost.errors import OptionsError, UnknownFormatError
from fencepost.options import Options
from fencepost.pipeline import Chunker

if TYPE_CHECKING:
    from fencepost.model import ChunkedDocument

__all__ = ["Found", "Outcome", "chunk_file", "chunk_files", "outcomes", "walk"]

_log = logging.getLogger("fencepost")


def outcomes(
    found: Sequence[Found], options: Options | None = None, *, jobs: int = 1
) -> Generator[Outcome, None, None]:
    """Return what comes of each document, lazily and in order; no document's fault ends it.

    Args:
        found: What `walk` gave.
        options: How to chunk.
        jobs: Worker processes; 1 for none.

    Raises:
        OptionsError: an option cannot be used.
    """
    if not isinstance(jobs, int) or isinstance(jobs, bool) or jobs < 1:
        raise OptionsError("jobs", jobs, "a whole number of at least 1")
    chunker = Chunker(options or Options())
    if jobs > 1 and len(found) > 1:
        return in_workers(chunker, found, jobs)
    return (chunk_one(chunker, one) for one in found)


def chunk_files(
    paths: PathArgument | Iterable[PathArgument],
    options: Options | None = None,
    *,
    jobs: int = 1,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    format: str | None = None,
) -> Iterator[ChunkedDocument]:
    """Return the chunked documents of files and folders, lazily and in order.

    What has no reader yet is left out, with a line in the log `fencepost`; the first document that
    fails raises its error, with a note that names the file.

    Raises:
        FileNotFoundError: a path does not exist.
        OptionsError: an option cannot be used.
    """
    found = walk(paths, include=include, exclude=exclude, format=format)
    return _documents(outcomes(found, options, jobs=jobs))


def _documents(results: Generator[Outcome, None, None]) -> Iterator[ChunkedDocument]:
    with closing(results):
        for outcome in results:
            if outcome.error is not None:
                outcome.error.add_note(f"in {outcome.path}")
                raise outcome.error
            if outcome.document is not None:
                yield outcome.document
            else:
                _log.info("skipped %s: %s", outcome.path, outcome.skipped)


def chunk_file(
    path: PathArgument,
    options: Options | None = None,
    *,
    format: str | None = None,
) -> ChunkedDocument:
    """Return one file, chunked; its suffix tells the format unless it is given.

    Raises:
        OSError: the file cannot be read.
        UnknownFormatError: no reader takes it.
        EncodingError: it is neither UTF-8 nor UTF-16.
        DocumentError: it is past a limit that was set.
    """
    found = one_file(path, format)
    if found.skipped is not None:
        raise UnknownFormatError(found.skipped)
    outcome = chunk_one(Chunker(options or Options()), found)
    if outcome.document is None:
        raise outcome.error or AssertionError
    return outcome.document
