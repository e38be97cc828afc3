"""What a run tells on standard error: progress, diagnostics and the summary."""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, Final

import click

from fencepost.fences import scan
from fencepost.source import Source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fencepost.corpus import Outcome
    from fencepost.model import ChunkedDocument

DIAGNOSTICS_SHOWN: Final = 20
NAMES_SHOWN: Final = 3
MEGABYTE: Final = 1_000_000


@dataclass(slots=True)
class Tally:
    """What a run has come to so far."""

    quiet: bool
    counts: Counter[str] = field(default_factory=Counter)
    skipped: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """Reason -> paths."""
    failed: list[tuple[str, str]] = field(default_factory=list)
    """Path and reason of each."""
    began: float = field(default_factory=perf_counter)

    def add(self, outcome: Outcome) -> None:
        """Count a document; name what is wrong with it."""
        self.counts["bytes"] += outcome.size
        if outcome.skipped is not None:
            self.skipped[outcome.skipped].append(outcome.path)
        elif outcome.document is not None:
            self._count(outcome.document)
            self._diagnose(outcome.path, outcome.document)
        elif outcome.error is not None:
            self.failed.append((outcome.path, reason(outcome.error)))

    def _count(self, document: ChunkedDocument) -> None:
        self.counts["documents"] += 1
        self.counts["chunks"] += len(document)
        self.counts["tokens"] += sum(chunk.embed_token_count for chunk in document)
        if not self.quiet and any(chunk.has_code for chunk in document):
            self.counts["blocks"] += len(scan(Source(document.text).lines)[0])

    def _diagnose(self, path: str, document: ChunkedDocument) -> None:
        for one in document.diagnostics:
            self.counts["diagnostics"] += 1
            if not self.quiet and self.counts["diagnostics"] <= DIAGNOSTICS_SHOWN:
                click.echo(f"{path}:{one.line}: {one.level}: {one.message}", err=True)

    def finish(self) -> None:
        """Print the summary; name failures even in a quiet run."""
        if not self.quiet:
            for line in self._summary():
                click.echo(line, err=True)
        for path, why in self.failed:
            click.echo(f"{path}: failed: {why}", err=True)

    def _summary(self) -> Iterator[str]:
        more = self.counts["diagnostics"] - DIAGNOSTICS_SHOWN
        if more > 0:
            yield f"... and {_number(more, 'diagnostic')} more"
        seconds = perf_counter() - self.began
        rate = self.counts["bytes"] / MEGABYTE / seconds if seconds else 0.0
        yield (
            f"{_number(self.counts['documents'], 'document')}, "
            f"{_number(self.counts['chunks'], 'chunk')}, "
            f"{_number(self.counts['tokens'], 'token')}, "
            f"{_number(self.counts['blocks'], 'code block')} "
            f"in {seconds:.2f} s ({rate:.1f} MB/s)"
        )
        for why, paths in self.skipped.items():
            names = ", ".join(paths[:NAMES_SHOWN]) + (", ..." if paths[NAMES_SHOWN:] else "")
            yield f"{len(paths):,} skipped: {why} ({names})"
        if self.failed:
            yield f"{len(self.failed):,} failed:"


def reason(error: Exception) -> str:
    """Return why a document failed, on one line.

    >>> reason(FileNotFoundError(2, "No such file or directory", "a.md"))
    'No such file or directory'
    """
    text = (error.strerror if isinstance(error, OSError) else None) or str(error)
    return " ".join(text.split()) or type(error).__name__


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}" + ("" if count == 1 else "s")


@contextmanager
def progress(total: int, *, quiet: bool) -> Iterator[Callable[[Outcome], None]]:
    """Show a bar while a run goes on, if standard error is a terminal that chunks do not fill."""
    shown = sys.stderr is not None and sys.stderr.isatty()
    if quiet or not shown or (sys.stdout is not None and sys.stdout.isatty()):
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    rate = TextColumn("{task.fields[rate]:.1f} MB/s")
    columns = (BarColumn(), MofNCompleteColumn(), rate, TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total, rate=0.0)
        read = 0
        began = perf_counter()

        def advance(outcome: Outcome) -> None:
            nonlocal read
            read += outcome.size
            bar.update(task, advance=1, rate=read / MEGABYTE / (perf_counter() - began))

        yield advance
