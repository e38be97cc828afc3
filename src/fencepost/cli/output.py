"""Where the chunks of a run go: a file, a pipe or a terminal."""

from __future__ import annotations

import errno
import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import click

from fencepost.sinks import format_for, sink_for
from fencepost.sinks.files import replacing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from fencepost.model import Chunk

    Write = Callable[[Iterable[Chunk]], None]

STANDARD_OUTPUT: Final = "-"


def check_output(path: str | None, inputs: Iterable[str]) -> None:
    """Refuse to write over a document that is about to be read.

    Raises:
        click.UsageError: `fencepost chunk guide.md -o guide.md`.
    """
    if path is None or not os.path.isfile(path):
        return
    for one in inputs:
        if os.path.exists(one) and os.path.samefile(one, path):
            msg = f"-o {path} is one of the documents: give another file"
            raise click.UsageError(msg)


@contextmanager
def opened(path: str | None, name: str | None) -> Iterator[Write]:
    """Open the output of a run; a file takes its place when the block ends without an error.

    Args:
        path: The file of `-o`; None or `-` is standard output.
        name: The output format; None picks it from where the output goes.
    """
    if path is not None and path != STANDARD_OUTPUT:
        sink = sink_for(name or format_for(path))
        with _named(path), replacing(path) as file:
            yield lambda chunks: sink(chunks, file)
        return
    if sys.stdout is None:
        raise OSError(errno.EBADF, "closed", "standard output")
    if sys.stdout.isatty() and name in (None, "text"):
        yield _show
    else:
        sink = sink_for(name or "jsonl")
        yield lambda chunks: sink(chunks, sys.stdout.buffer)
    sys.stdout.flush()


def _show(chunks: Iterable[Chunk]) -> None:
    from rich.console import Console

    from fencepost.sinks.text import show

    show(chunks, Console(file=sys.stdout, highlight=False))


@contextmanager
def _named(path: str) -> Iterator[None]:
    """Give an error of writing the name of the file that was asked for, not of its draft."""
    try:
        yield
    except OSError as error:
        raise type(error)(error.errno, error.strerror, path) from error
