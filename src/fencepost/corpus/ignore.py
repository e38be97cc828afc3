"""What `.gitignore` files leave out: nested ones, negation, and those above the folder walked."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from pathspec import GitIgnoreSpec

IGNORE_FILE: Final = ".gitignore"


@dataclass(frozen=True, slots=True)
class Rules:
    """The patterns of one ignore file."""

    folder: str
    """Where the file stands; its patterns are relative to it."""
    files: GitIgnoreSpec
    folders: GitIgnoreSpec
    """The same patterns, a slash at their end removed: `build/` is about folders alone."""

    @classmethod
    def of(cls, folder: str, lines: list[str]) -> Rules:
        """Return the rules that the lines of an ignore file make."""
        lines = [line.rstrip(" ") for line in lines]
        # `*`, `!*/`, `!keep.md`: the second line is about `a`, and not about `a/other.md` in it.
        files = [line for line in lines if not line.endswith("/")]
        return cls(folder, globs(files), globs(line.removesuffix("/") for line in lines))


Chain: TypeAlias = tuple[Rules, ...]
"""Ignore files that apply, outermost first: the innermost that says anything decides."""


def globs(patterns: Iterable[str]) -> GitIgnoreSpec:
    """Return patterns in the syntax of `.gitignore`; leave out what is no pattern.

    >>> globs(["*.md", "!"]).match_file("guide/a.md")
    True
    """
    lines = list(patterns)
    try:
        return GitIgnoreSpec.from_lines(lines)
    except ValueError:  # `!` alone, or a trailing backslash: git passes over such a line
        return GitIgnoreSpec.from_lines(line for line in lines if _is_pattern(line))


def _is_pattern(line: str) -> bool:
    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return True


def rules_in(folder: str) -> Chain:
    """Return the rules of a folder's own ignore file; none if it cannot be read."""
    try:
        with open(os.path.join(folder, IGNORE_FILE), "rb") as file:
            lines = os.fsdecode(file.read()).splitlines()
    except OSError:
        return ()
    return (Rules.of(folder, lines),)


def rules_above(folder: str) -> Chain:
    """Return the rules between the root of the repository that a folder stands in and the folder.

    A folder that these rules ignore was named on purpose: then none of them applies.
    """
    above = list(_parents(folder))
    chain = tuple(rules for parent in reversed(above) for rules in rules_in(parent))
    inside = [*above[-2::-1], folder] if above else []
    return () if any(ignored(chain, one, is_folder=True) for one in inside) else chain


def _parents(folder: str) -> Iterator[str]:
    """Yield the folders above, innermost first, if one of them is the root of a repository."""
    found: list[str] = []
    while not os.path.lexists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return
        found.append(parent)
        folder = parent
    yield from found


def ignored(chain: Chain, path: str, *, is_folder: bool) -> bool:
    """Return whether the rules leave a path out."""
    for rules in reversed(chain):
        if not is_below(rules.folder, path):
            continue
        spec = rules.folders if is_folder else rules.files
        verdict = spec.check_file(relative(path, rules.folder)).include
        if verdict is not None:
            return verdict
    return False


def is_below(folder: str, path: str) -> bool:
    """Return whether an absolute path stands somewhere inside a folder.

    >>> is_below("/a", "/ab"), is_below("/a", "/a/b"), is_below("/", "/a")
    (False, True, True)
    """
    return path != folder and path.startswith(folder.rstrip(os.sep) + os.sep)


def relative(path: str, folder: str) -> str:
    """Return a path seen from a folder, with slashes on every system."""
    return os.path.relpath(path, folder).replace(os.sep, "/")
