"""Chunk every Markdown file of some folders, judge the chunks, and print one table row per folder.

    python tests/sweep.py SET_OR_DIR... [--max-tokens N] [--hard-max-tokens N] [--min-tokens N]
                          [--jobs 2] [-v]

Exit status: 0 without faults, 1 with any.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any

import tiktoken
from judge import Fault, Figures, Verdict, examine

# tiktoken names a cached vocabulary by the SHA-1 of its address
_CACHED = "9b5ad71b2ce5302211f9c61530b329a4922fc6a4"
SUFFIXES = (".md", ".mdx")
_COLUMNS = (
    "set files bytes chunks lost codes cut unbal >hard rows nohead paths restore tiny tiny%"
    " leads parted ratio faults s"
)


@dataclass(frozen=True, slots=True)
class Limits:
    """Hold the options of a run."""

    max_tokens: int
    hard_max_tokens: int
    min_tokens: int


@dataclass(slots=True)
class Row:
    """Add up one folder."""

    name: str
    files: int = 0
    size: int = 0
    failed: int = 0
    seconds: float = 0.0
    figures: Figures = field(default_factory=Figures)
    codes: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Outcome:
    """Hold the verdict on one file, or what went wrong."""

    path: str
    size: int
    verdict: Verdict | None
    error: str
    seconds: float


@cache
def counter() -> Callable[[str], int]:
    """Return a count of cl100k_base tokens, made without the library's own code."""
    import fencepost

    if "TIKTOKEN_CACHE_DIR" not in os.environ:
        data = Path(str(fencepost.__file__)).parent
        shipped = next(
            (path for path in data.rglob("*") if path.name in (_CACHED, "cl100k_base.tiktoken")),
            None,
        )
        if shipped:
            folder = tempfile.TemporaryDirectory(prefix="vocabulary-")
            (Path(folder.name) / _CACHED).write_bytes(shipped.read_bytes())
            os.environ["TIKTOKEN_CACHE_DIR"] = folder.name
            try:
                encoding = tiktoken.get_encoding("cl100k_base")
            finally:
                del os.environ["TIKTOKEN_CACHE_DIR"]
                folder.cleanup()
            return lambda text: len(encoding.encode_ordinary(text))
    encoding = tiktoken.get_encoding("cl100k_base")
    return lambda text: len(encoding.encode_ordinary(text))


def judge_file(path: Path, limits: Limits) -> Outcome:
    """Chunk and judge one file; the time is that of chunking."""
    import fencepost

    data = path.read_bytes()
    count = counter()
    began = time.process_time()
    try:
        doc: Any = fencepost.chunk(
            data,
            format="mdx" if path.suffix == ".mdx" else "markdown",
            source=path.name,
            max_tokens=limits.max_tokens,
            hard_max_tokens=limits.hard_max_tokens,
            min_tokens=limits.min_tokens,
        )
        seconds = time.process_time() - began
        verdict = examine(
            doc,
            max_tokens=limits.max_tokens,
            hard_max_tokens=limits.hard_max_tokens,
            min_tokens=limits.min_tokens,
            count=count,
        )
    except Exception as error:  # noqa: BLE001 - a crash is one more fault to list
        where = error.__traceback__
        while where and where.tb_next:
            where = where.tb_next
        place = f"{Path(where.tb_frame.f_code.co_filename).name}:{where.tb_lineno}" if where else ""
        message = f"{type(error).__name__} in {place}: {error}"
        return Outcome(str(path), len(data), None, message, time.process_time() - began)
    return Outcome(str(path), len(data), verdict, "", seconds)


def main(arguments: list[str]) -> int:
    """Run the command and return its exit status."""
    options = _options(arguments)
    limits = Limits(options.max_tokens, options.hard_max_tokens, options.min_tokens)
    rows = []
    with ProcessPoolExecutor(options.jobs) as pool:
        run = pool.map if options.jobs > 1 else map
        for folder in options.folders:
            files = sorted(
                path for path in folder.rglob("*.md*") if path.is_file() and path.suffix in SUFFIXES
            )
            outcomes: Iterable[Outcome] = run(partial(judge_file, limits=limits), files)
            rows.append(_add_up(folder, outcomes, verbose=options.verbose))
    _print_table(rows)
    return int(any(row.failed or row.codes for row in rows))


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Chunk and judge the Markdown files of some folders."
    )
    parser.add_argument("folders", nargs="+", type=Path, metavar="SET_OR_DIR")
    parser.add_argument("--max-tokens", type=int, default=None)
    parser.add_argument("--hard-max-tokens", type=int, default=None)
    parser.add_argument("--min-tokens", type=int, default=None)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("-v", "--verbose", action="store_true", help="list the faults")
    options = parser.parse_args(arguments)
    if options.max_tokens is None:
        options.max_tokens = min(800, options.hard_max_tokens or 800)
    if options.hard_max_tokens is None:
        options.hard_max_tokens = max(1200, options.max_tokens)
    if options.min_tokens is None:
        options.min_tokens = min(40, options.max_tokens // 4)
    for folder in options.folders:
        if not folder.is_dir():
            parser.error(f"{folder} is not a folder")
    return options


def _add_up(folder: Path, outcomes: Iterable[Outcome], *, verbose: bool) -> Row:
    row = Row(folder.name or str(folder))
    for outcome in outcomes:
        row.files += 1
        row.size += outcome.size
        row.seconds += outcome.seconds
        if outcome.verdict is None:
            row.failed += 1
            _say(f"{outcome.path}: {outcome.error}")
            continue
        row.figures.add(outcome.verdict.figures)
        row.codes.update(fault.code for fault in outcome.verdict.faults)
        if verbose:
            _say("\n".join(_listing(outcome.path, outcome.verdict)), end="")
    return row


def _listing(path: str, verdict: Verdict) -> Iterator[str]:
    faults = [*verdict.faults]
    faults += [
        Fault("lead", -1, line, "code parted from its lead-in (no fault)")
        for line in verdict.figures.parted
    ]
    for fault in faults:
        yield f"{path}:{fault.line}: {fault.code} (chunk {fault.chunk}) {fault.message}"
    if faults:
        yield ""


def _say(text: str, end: str = "\n") -> None:
    sys.stdout.write(text + end)


def _cells(row: Row) -> list[str]:
    figures = row.figures
    share = 100 * figures.tiny / figures.chunks if figures.chunks else 0.0
    ratio = figures.long_chunks / figures.long_ideal if figures.long_ideal else 0.0
    numbers = [
        row.files,
        row.size,
        figures.chunks,
        figures.lines_lost,
        figures.codes,
        figures.codes_cut,
    ]
    numbers += [figures.unbalanced, figures.over_hard, figures.rows, figures.rows_without_header]
    numbers += [figures.paths_wrong, figures.restore_failed, figures.tiny]
    tail = [f"{share:.2f}", str(figures.leads), str(figures.leads_parted), f"{ratio:.3f}"]
    return [
        row.name,
        *map(str, numbers),
        *tail,
        str(row.codes.total() + row.failed),
        f"{row.seconds:.1f}",
    ]


def _print_table(rows: list[Row]) -> None:
    table = [_COLUMNS.split(), *map(_cells, rows)]
    if len(rows) > 1:
        total = Row("all")
        for row in rows:
            total.files += row.files
            total.size += row.size
            total.failed += row.failed
            total.seconds += row.seconds
            total.figures.add(row.figures)
            total.codes.update(row.codes)
        table.append(_cells(total))
    widths = [max(len(line[index]) for line in table) for index in range(len(table[0]))]
    for line in table:
        _say(
            "  ".join(
                cell.rjust(width) if index else cell.ljust(width)
                for index, (cell, width) in enumerate(zip(line, widths, strict=True))
            )
        )
    for row in rows:
        named = [f"{code} {number}" for code, number in row.codes.most_common()]
        if row.failed:
            named.append(f"failed files {row.failed}")
        if named:
            _say(f"{row.name}: " + ", ".join(named))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
