"""`fencepost chunk`: documents in, chunks out."""

from __future__ import annotations

import signal
import sys
from contextlib import closing
from typing import TYPE_CHECKING, Any

import click

from fencepost.cli.options import Chosen, choose, chunking_options
from fencepost.readers import FORMATS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fencepost.corpus import Found, Outcome
    from fencepost.model import Chunk

OUTPUT_FORMATS = ("jsonl", "json", "text")
TERMINATED = 143


@click.command("chunk")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("-o", "--output", metavar="FILE", help="Write there; whole or not at all.")
@click.option(
    "--format",
    "output_format",
    type=click.Choice(OUTPUT_FORMATS),
    help="Output format.  [text on a terminal, jsonl in a pipe, else by the suffix of -o]",
)
@click.option(
    "--input-format",
    type=click.Choice([one.name for one in FORMATS]),
    help="Format of every document.  [by suffix; markdown for -]",
)
@click.option("--include", multiple=True, metavar="GLOB", help="Read only such files. Repeatable.")
@click.option("--exclude", multiple=True, metavar="GLOB", help="Leave such files out. Repeatable.")
@click.option("--jobs", type=int, metavar="N", help="Worker processes.  [1]")
@click.option("--fail-fast", is_flag=True, help="Stop at the first document that fails.")
@chunking_options
@click.option("-q", "--quiet", is_flag=True, help="Tell nothing but failures.")
def command(
    paths: tuple[str, ...],
    output: str | None,
    output_format: str | None,
    *,
    fail_fast: bool,
    quiet: bool,
    **given: Any,  # noqa: ANN401 - click gives them by name; `choose` knows them
) -> int:
    """Cut documents into chunks.

    PATH is a file, a folder (walked; .gitignore and hidden files respected), or - for standard
    input. Options can also stand in fencepost.toml or in pyproject.toml under [tool.fencepost].

    Exit status: 0 done, 1 some documents failed (the rest is written), 2 wrong usage.
    """
    chosen = choose(given)
    found = _found(paths, chosen)
    from fencepost.cli.output import check_output  # brings the sinks: after usage is checked

    check_output(output, [one.path for one in found])
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(TERMINATED))  # drafts are removed
    try:
        return _run(found, chosen, output, output_format, fail_fast=fail_fast, quiet=quiet)
    finally:
        signal.signal(signal.SIGTERM, before)


def _found(paths: tuple[str, ...], chosen: Chosen) -> tuple[Found, ...]:
    from fencepost.corpus import walk  # brings the pipeline: not for --help

    try:
        found = walk(
            paths, include=chosen.include, exclude=chosen.exclude, format=chosen.input_format
        )
    except FileNotFoundError as error:
        msg = f"PATH {error.filename!r} does not exist"
        raise click.UsageError(msg) from None
    if not found:
        suffixes = " ".join(suffix for one in FORMATS for suffix in one.suffixes)
        msg = f"PATH {' '.join(paths)}: no file matches; known suffixes: {suffixes}"
        raise click.UsageError(msg)
    return found


def _run(
    found: tuple[Found, ...],
    chosen: Chosen,
    output: str | None,
    output_format: str | None,
    *,
    fail_fast: bool,
    quiet: bool,
) -> int:
    from fencepost.cli.output import opened
    from fencepost.cli.report import Tally, progress
    from fencepost.corpus import outcomes

    tally = Tally(quiet)

    def chunks(results: Iterator[Outcome]) -> Iterator[Chunk]:
        for outcome in results:
            tally.add(outcome)
            advance(outcome)
            if outcome.document is not None:
                yield from outcome.document
            elif outcome.error is not None and fail_fast:
                raise _Stop

    try:
        with (
            opened(output, output_format) as write,
            progress(len(found), quiet=quiet) as advance,
            closing(outcomes(found, chosen.options, jobs=chosen.jobs)) as results,
        ):
            write(chunks(results))
    except _Stop:
        pass
    tally.finish()
    return 1 if tally.failed else 0


class _Stop(Exception):  # noqa: N818 - no error: the way out of the sink
    """Ends a run at its first failure, so that a file of `-o` does not take its place."""
