"""Which documents there are: files, folders and standard input, and what each one is called."""

from __future__ import annotations

import errno
import os
import stat
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from fencepost.corpus.ignore import (
    Chain,
    globs,
    ignored,
    relative,
    rules_above,
    rules_in,
)
from fencepost.errors import UnknownFormatError
from fencepost.readers import BY_NAME, format_of, reader_for

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

STANDARD_INPUT: Final = "-"

PathArgument: TypeAlias = str | os.PathLike[str]


@dataclass(frozen=True, slots=True)
class Found:
    """A document that was found: to be read, or not, and then why."""

    path: str
    """To open it with; `-` is standard input."""
    name: str
    """The document's name."""
    format: str
    """The name of its format; empty where nothing tells it."""
    skipped: str | None = None
    """Why it is left out although its suffix is known."""
    error: OSError | UnknownFormatError | None = None
    """Why it cannot be read."""


@dataclass(frozen=True, slots=True)
class _Wanted:
    """Which files of a folder count."""

    include: GitIgnoreSpec | None
    exclude: GitIgnoreSpec
    format: str | None

    def file(self, place: str) -> bool:
        if self.include is not None and not self.include.match_file(place):
            return False
        # `--include '*.txt' --input-format rst` reads what no suffix would have named.
        by_request = self.include is not None and self.format is not None
        return (by_request or format_of(place) is not None) and not self.exclude.match_file(place)

    def folder(self, place: str) -> bool:
        return not self.exclude.match_file(place + "/")


def walk(
    paths: PathArgument | Iterable[PathArgument],
    *,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    format: str | None = None,
) -> tuple[Found, ...]:
    """Return the documents of files and folders, in the order of their names.

    Names are relative to the folder walked, or to the common parent of several paths. Hidden files
    and what `.gitignore` names are left out of folders, but not where they are named themselves.

    Args:
        paths: Files, folders, and `-` for standard input.
        include: Globs as in `.gitignore`, relative to the folder walked; a file must match one.
        exclude: The same; a file or folder must match none.
        format: What everything is read as; else each file's suffix tells it.

    Raises:
        FileNotFoundError: a path does not exist.
        UnknownFormatError: there is no reader for `format`.
    """
    if format is not None:
        reader_for(format)
    given = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    places = list(dict.fromkeys(os.fspath(path) for path in given))
    for place in places:
        if place != STANDARD_INPUT and not os.path.lexists(place):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), place)
    wanted = _Wanted(globs(include) if include else None, globs(exclude), format)
    base = _common_parent(places)
    found: dict[str, Found] = {}
    seen: set[tuple[int, int]] = set()
    for place in places:
        entries = _folder(place, wanted, seen) if os.path.isdir(place) else [(place, None)]
        for path, error in entries:
            whole = path if path == STANDARD_INPUT else os.path.abspath(path)
            name = path if path == STANDARD_INPUT else _readable(relative(whole, base))
            found.setdefault(whole, _judged(path, name, format, error))
    return tuple(sorted(found.values(), key=lambda one: one.name))


def one_file(path: PathArgument, format: str | None = None) -> Found:
    """Return a single file as a document that is called as the file is."""
    if format is not None:
        reader_for(format)
    place = os.fspath(path)
    error = IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), place)
    return _judged(
        place, _readable(os.path.basename(place)), format, error if os.path.isdir(place) else None
    )


def _common_parent(places: Sequence[str]) -> str:
    folders = [
        os.path.abspath(place if os.path.isdir(place) else os.path.dirname(place))
        for place in places
        if place != STANDARD_INPUT
    ]
    return os.path.commonpath(folders) if folders else ""


def _readable(name: str) -> str:
    r"""Return a name that every store takes: bytes that are no UTF-8 become `\\xff`."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def _judged(path: str, name: str, wanted: str | None, error: OSError | None) -> Found:
    """Tell what is to be done with a file."""
    if path == STANDARD_INPUT:
        return Found(path, name, wanted or "markdown")
    known = BY_NAME[wanted] if wanted is not None else format_of(path)
    if error is not None:
        return Found(path, name, known.name if known else "", error=error)
    if known is None:
        msg = "its suffix tells no format: give one with --input-format (in Python: format=)"
        return Found(path, name, "", error=UnknownFormatError(msg))
    if known.module is None:
        return Found(path, name, known.name, skipped=f"no reader for {known.name} yet")
    return Found(path, name, known.name)


def _folder(
    root: str, wanted: _Wanted, seen: set[tuple[int, int]]
) -> Iterator[tuple[str, OSError | None]]:
    """Yield the files in a folder and below; each real folder is visited once.

    Links to folders come last: `docs/latest -> docs/v2` must not take the pages of `v2` away.
    """
    top = os.path.abspath(root)
    folders: deque[tuple[str, Chain]] = deque([(root, rules_above(top))])
    links: deque[tuple[str, Chain]] = deque()
    while folders or links:
        folder, chain = folders.popleft() if folders else links.popleft()
        whole = os.path.abspath(folder)
        try:
            state = os.stat(folder)
            if (state.st_dev, state.st_ino) in seen:
                continue
            with os.scandir(folder) as entries:
                listed = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            yield folder, error
            continue
        seen.add((state.st_dev, state.st_ino))
        chain = (*chain, *rules_in(whole))
        for entry in listed:
            place = os.path.join(whole, entry.name)
            is_folder = _is_folder(entry)
            if entry.name.startswith(".") or ignored(chain, place, is_folder=is_folder):
                continue
            if not is_folder:
                if wanted.file(relative(place, top)):
                    yield entry.path, _not_a_file(entry)
            elif wanted.folder(relative(place, top)):
                (links if entry.is_symlink() else folders).append((entry.path, chain))


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # `a.md -> a.md`: a link to itself
        return False


def _not_a_file(entry: os.DirEntry[str]) -> OSError | None:
    """Return why an entry is no file: a link to nothing, or a pipe, which would never end."""
    try:
        if stat.S_ISREG(entry.stat().st_mode):
            return None
    except OSError as error:
        return error
    return OSError(errno.EINVAL, "neither a file nor a folder", entry.path)
