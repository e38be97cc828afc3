"""An import may only point down, and only the modules that are named may know a parser."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import fencepost.model

ROOT = Path(fencepost.model.__file__).parent

LAYERS: dict[str, float] = {
    # 0: data
    "errors": 0,
    "model": 0.1,
    "options": 0.2,
    "source": 0.2,
    "fences": 0.2,
    "tokens": 0.3,
    "version": 0,
    # 1: reading
    "readers": 1,
    # 2: shape
    "sections": 2,
    "breadcrumbs": 2,
    "cutting": 2.1,
    "packing": 2.2,
    "places": 2.2,
    "joining": 2.3,
    "rendering": 2.3,
    "refitting": 2.4,
    "labelling": 2.4,
    "links": 2.5,
    # 3: the whole
    "pipeline": 3,
    "corpus": 3.1,
    "sinks": 3.1,
    "stores": 3.1,
    "integrations": 3.1,
    "engines": 3.1,
    "api": 3.2,
    # 4: the edge
    "verify": 4,
    "testing": 4,
    "view": 4,
    "compare": 4,
    "cli": 4.1,
    "__main__": 4.2,
}
"""Module or package -> layer; an import goes to a lower number, or stays in its package."""

KNOWN: dict[str, set[str]] = {
    "markdown_it": {"readers", "links"},
    "mdit_py_plugins": {"readers"},
    "docutils": {"readers"},
    "selectolax": {"readers"},
    "yaml": {"readers"},
    "tiktoken": {"tokens", "options", "api"},
    "tokenizers": {"tokens", "options", "api"},
    "pathspec": {"corpus"},
    "multiprocessing": {"corpus"},
    "click": {"cli"},
    "rich": {"cli", "sinks"},
    "pyromark": {"verify"},
}
"""Package -> who may import it."""

UNKNOWN: dict[str, set[str]] = {
    "packing": {"readers"},
    "cutting": {"readers", "sections"},
    "labelling": {"readers"},
    "sinks": {"readers", "corpus", "pipeline"},
    "verify": {"readers"},
}
"""Who must not know what, though it lies lower."""


LONG: dict[str, str] = {}
"""Module above 400 lines -> why it is not parted."""


class Import(NamedTuple):
    place: str
    part: str
    """The module or package right under `fencepost` that imports."""
    target: str


def imports() -> Iterator[Import]:
    for path in sorted(ROOT.rglob("*.py")):
        part = path.relative_to(ROOT).parts[0].removesuffix(".py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            place = f"{path.relative_to(ROOT.parent)}:{getattr(node, 'lineno', 0)}"
            if isinstance(node, ast.ImportFrom):
                assert not node.level, f"{place}: imports are absolute"
                yield from _targets(place, part, node)
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    yield Import(place, part, alias.name)


def _targets(place: str, part: str, node: ast.ImportFrom) -> Iterator[Import]:
    """`from fencepost import model` names the module in what it imports."""
    for alias in node.names:
        name = f"fencepost.{alias.name}" if node.module == "fencepost" else node.module
        yield Import(place, part, name or "")


def _part(target: str) -> str | None:
    names = target.split(".")
    return names[1] if names[0] == "fencepost" and len(names) > 1 else None


IMPORTS = list(imports())
PARTS = sorted({path.relative_to(ROOT).parts[0].removesuffix(".py") for path in ROOT.rglob("*.py")})


def test_the_parser_of_imports_finds_them() -> None:
    found = {(one.part, one.target) for one in IMPORTS}

    assert ("model", "fencepost.errors") in found
    assert ("corpus", "fencepost.corpus.walk") in found
    assert ("cli", "click") in found


@pytest.mark.parametrize("part", [part for part in PARTS if part != "__init__"])
def test_every_part_has_a_layer(part: str) -> None:
    assert part in LAYERS


def test_imports_point_down() -> None:
    wrong = [
        f"{one.place}: {one.part} imports {target}"
        for one in IMPORTS
        if (target := _part(one.target)) and one.part not in ("__init__", target)
        if LAYERS.get(target, 99) >= LAYERS[one.part]
    ]

    assert wrong == []


def test_only_the_edge_imports_the_root() -> None:
    wrong = [one for one in IMPORTS if one.target == "fencepost" and LAYERS.get(one.part, 9) < 4]

    assert wrong == []


def test_only_who_may_knows_a_package() -> None:
    wrong = [
        one for one in IMPORTS if one.part not in KNOWN.get(one.target.split(".")[0], {one.part})
    ]

    assert wrong == []


def test_who_must_not_know_does_not() -> None:
    wrong = [one for one in IMPORTS if _part(one.target) in UNKNOWN.get(one.part, set())]

    assert wrong == []


def test_modules_are_short() -> None:
    """A module above 400 lines needs a reason; the median stays under 150."""
    lengths = {
        str(path.relative_to(ROOT)): path.read_text(encoding="utf-8").count("\n")
        for path in ROOT.rglob("*.py")
    }

    assert sorted(lengths.values())[len(lengths) // 2] < 150
    assert {name for name, length in lengths.items() if length > 400} == set(LONG)
