"""The public names, exactly, and what `import fencepost` costs."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import version

import pytest

import fencepost

NAMES = {
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
}

HEAVY = (
    "click",
    "docutils",
    "markdown_it",
    "mdit_py_plugins",
    "multiprocessing",
    "pathspec",
    "regex",
    "rich",
    "selectolax",
    "tiktoken",
    "yaml",
)
"""What is loaded when it is used, and not before."""

IMPORT_SECONDS = 0.1


def test_public_names() -> None:
    assert set(fencepost.__all__) == NAMES
    assert set(dir(fencepost)) >= NAMES


@pytest.mark.parametrize("name", sorted(NAMES))
def test_public_name_is_there_and_documented(name: str) -> None:
    value = getattr(fencepost, name)

    assert value.__doc__


def test_there_is_no_other_name() -> None:
    with pytest.raises(AttributeError, match="chunkify"):
        getattr(fencepost, "chunkify")  # noqa: B009 - it is not there


def test_version_is_the_one_of_the_distribution() -> None:
    assert fencepost.__version__ == version("fencepost")


def run(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, encoding="utf-8"
    )
    return done.stdout


def test_import_loads_nothing_heavy() -> None:
    loaded = run("import sys, fencepost; print(*sys.modules)").split()

    assert "fencepost" in loaded
    assert [name for name in HEAVY if name in loaded] == []


def test_import_is_fast() -> None:
    code = "from time import perf_counter as now; at = now(); import fencepost; print(now() - at)"

    assert min(float(run(code)) for _ in range(5)) < IMPORT_SECONDS
