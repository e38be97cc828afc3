"""Which documents are found, what they are called, and that one bad file costs no other."""

from __future__ import annotations

import os
import pickle
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from fencepost.corpus import Outcome, chunk_file, chunk_files, outcomes, walk
from fencepost.errors import (
    DocumentError,
    EncodingError,
    FencepostError,
    MissingExtraError,
    OptionsError,
    UnknownFormatError,
)
from fencepost.options import Options
from fencepost.pipeline import Chunker

PAGE = "# Title\n\nSome text.\n"


def make(root: Path, files: Mapping[str, str | bytes]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return root


def names(*paths: Path | str, **wanted: object) -> list[str]:
    return [one.name for one in walk(list(paths), **wanted)]  # type: ignore[arg-type]


def test_folder_is_walked_in_the_order_of_names(tmp_path: Path) -> None:
    make(tmp_path, {"b.md": "", "a/z.md": "", "a/b/c.markdown": "", "x.png": "", "a.MD": ""})

    assert names(tmp_path) == ["a.MD", "a/b/c.markdown", "a/z.md", "b.md"]


def test_hidden_files_are_left_out_unless_named(tmp_path: Path) -> None:
    make(tmp_path, {".hidden.md": "", ".git/x.md": "", "a.md": ""})

    assert names(tmp_path) == ["a.md"]
    assert names(tmp_path / ".hidden.md") == [".hidden.md"]
    assert names(tmp_path / ".git") == ["x.md"]


def test_one_file_is_called_as_it_is(tmp_path: Path) -> None:
    make(tmp_path, {"deep/er/a.md": ""})

    assert names(tmp_path / "deep/er/a.md") == ["a.md"]


def test_several_paths_are_called_from_their_common_parent(tmp_path: Path) -> None:
    make(tmp_path, {"docs/a.md": "", "guides/a.md": "", "README.md": ""})

    assert names(tmp_path / "docs", tmp_path / "guides") == ["docs/a.md", "guides/a.md"]
    assert names(tmp_path / "README.md", tmp_path / "docs") == ["README.md", "docs/a.md"]
    assert names(tmp_path / "docs/a.md", tmp_path / "guides/a.md") == ["docs/a.md", "guides/a.md"]


def test_relative_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, {"docs/api/a.md": "", "docs/b.md": ""})
    monkeypatch.chdir(tmp_path / "docs/api")

    assert names(".") == ["a.md"]
    assert names("..") == ["api/a.md", "b.md"]
    assert names("a.md", "../b.md") == ["api/a.md", "b.md"]
    assert [one.path for one in walk("../../docs")] == ["../../docs/api/a.md", "../../docs/b.md"]


def test_a_document_that_is_named_twice_is_read_once(tmp_path: Path) -> None:
    make(tmp_path, {"docs/a.md": "", "docs/api/b.md": ""})

    assert names(tmp_path / "docs/a.md", tmp_path / "docs", tmp_path / "docs/api") == [
        "a.md",
        "api/b.md",
    ]
    assert names("-", "-") == ["-"]


def test_names_of_all_kinds(tmp_path: Path) -> None:
    make(tmp_path, {"a b.md": "", "日本/é.md": ""})
    with open(os.fsencode(tmp_path) + b"/\xff.md", "wb") as file:
        file.write(PAGE.encode())

    assert names(tmp_path) == ["\\xff.md", "a b.md", "日本/é.md"]
    (document, *_) = chunk_files(tmp_path)
    assert document[0].source == "\\xff.md"


def test_folder_that_links_to_itself_is_visited_once(tmp_path: Path) -> None:
    make(tmp_path, {"docs/a.md": "", "docs/v2/b.md": ""})
    (tmp_path / "docs/v2/loop").symlink_to("..")
    (tmp_path / "docs/latest").symlink_to("v2")

    assert names(tmp_path / "docs") == ["a.md", "v2/b.md"]
    assert names(tmp_path / "docs/latest") == ["b.md", "loop/a.md"]


def test_links_to_files_and_to_folders_elsewhere_are_followed(tmp_path: Path) -> None:
    make(tmp_path, {"docs/a.md": "", "elsewhere/b.md": ""})
    (tmp_path / "docs/more").symlink_to("../elsewhere")
    (tmp_path / "docs/c.md").symlink_to("a.md")

    assert names(tmp_path / "docs") == ["a.md", "c.md", "more/b.md"]


def test_what_is_no_file_fails_by_name(tmp_path: Path) -> None:
    make(tmp_path, {"a.md": PAGE})
    (tmp_path / "self.md").symlink_to("self.md")
    (tmp_path / "gone.md").symlink_to("nowhere.md")
    os.mkfifo(tmp_path / "pipe.md")

    results = list(outcomes(walk(tmp_path)))

    assert [(one.name, one.error is None) for one in results] == [
        ("a.md", True),
        ("gone.md", False),
        ("pipe.md", False),
        ("self.md", False),
    ]


def test_folder_with_the_name_of_a_document_is_walked(tmp_path: Path) -> None:
    make(tmp_path, {"guide.md/a.md": ""})

    assert names(tmp_path) == ["guide.md/a.md"]


def test_folder_that_cannot_be_listed_fails_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path, {"a.md": "", "closed/b.md": ""})
    scandir = os.scandir

    def refuse(path: str) -> Iterator[os.DirEntry[str]]:
        if path.endswith("closed"):
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr("os.scandir", refuse)

    assert [(one.name, type(one.error)) for one in walk(tmp_path)] == [
        ("a.md", type(None)),
        ("closed", PermissionError),
    ]


@pytest.mark.parametrize(
    ("include", "exclude", "expected"),
    [
        (["*.md"], [], ["a.md", "api/b.md", "api/v1/c.md"]),
        (["/*.md"], [], ["a.md"]),
        (["api/**"], [], ["api/b.md", "api/v1/c.md", "api/v1/d.qmd"]),
        (["**/v1/*.qmd"], [], ["api/v1/d.qmd"]),
        (["api/*.md"], [], ["api/b.md"]),
        ([], ["api"], ["a.md"]),
        ([], ["v1/"], ["a.md", "api/b.md"]),
        ([], ["*.md", "!b.md"], ["api/b.md", "api/v1/d.qmd"]),
        (["*.md"], ["**/c.*"], ["a.md", "api/b.md"]),
        (["*.rst"], [], []),
    ],
)
def test_globs(tmp_path: Path, include: list[str], exclude: list[str], expected: list[str]) -> None:
    make(tmp_path, {"a.md": "", "api/b.md": "", "api/v1/c.md": "", "api/v1/d.qmd": ""})

    assert names(tmp_path, include=include, exclude=exclude) == expected


IGNORES: dict[str, dict[str, str]] = {
    "nested": {".gitignore": "*.md\n", "a/.gitignore": "!keep.md\n"},
    "negation": {".gitignore": "a/*\n!a/keep.md\n"},
    "no way back into an ignored folder": {".gitignore": "a/\n!a/keep.md\n"},
    "the last line decides": {".gitignore": "*.md\n!keep.md\nkeep.md\n"},
    "anchored": {".gitignore": "/keep.md\n"},
    "stars": {".gitignore": "**/b/*.md\n"},
    "white-list": {".gitignore": "*\n!*/\n!keep.md\n"},
    "white-list of one folder": {".gitignore": "*\n!a\n!keep.md\n"},
    "white-list of one folder, with a slash": {".gitignore": "*\n!a/\n!b/\n!keep.md\n"},
    "folder with a slash in the middle": {".gitignore": "a/b/\n"},
    "every folder": {".gitignore": "**/\n"},
    "folder and all in it": {".gitignore": "a/**\n!a/b/\n!a/b/keep.md\n"},
    "a file is no folder": {".gitignore": "keep.md/\n"},
    "no pattern": {".gitignore": "!\n\\\n# *.md\n\n"},
    "inner beats outer": {".gitignore": "!keep.md\n", "a/b/.gitignore": "keep.md\n"},
    "spaces": {".gitignore": "keep.md   \n"},
    "not UTF-8": {".gitignore": "caf\udce9/\nkeep.md\n"},
}


@pytest.mark.skipif(shutil.which("git") is None, reason="git is the judge")
@pytest.mark.parametrize("rules", IGNORES.values(), ids=IGNORES)
def test_ignored_is_what_git_ignores(tmp_path: Path, rules: dict[str, str]) -> None:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    places = ("", "a/", "a/b/", "c/")
    make(tmp_path, {f"{place}{name}.md": "" for place in places for name in ("keep", "other")})
    make(tmp_path, {name: os.fsencode(text) for name, text in rules.items()})
    listed = subprocess.run(
        ["git", "ls-files", "-o", "--exclude-standard", "*.md"],
        cwd=tmp_path,
        capture_output=True,
        check=True,
    )

    assert names(tmp_path) == sorted(listed.stdout.decode().split())


def test_rules_above_the_folder_walked_hold_inside_a_repository(tmp_path: Path) -> None:
    make(tmp_path, {".git/HEAD": "", ".gitignore": "old.md\nbuild/\n"})
    make(tmp_path, {"docs/new.md": "", "docs/old.md": "", "build/a.md": "", "build/old.md": ""})

    assert names(tmp_path / "docs") == ["new.md"]
    assert names(tmp_path / "build") == ["a.md", "old.md"], "named on purpose"
    shutil.rmtree(tmp_path / ".git")
    assert names(tmp_path / "docs") == ["new.md", "old.md"]


def test_suffix_without_a_reader_is_skipped_and_without_a_format_fails(tmp_path: Path) -> None:
    make(tmp_path, {"a.ipynb": "{}", "b.xyz": "", "c.md": ""})

    walked = walk(tmp_path)
    named = walk([tmp_path / "a.ipynb", tmp_path / "b.xyz"])

    assert [(one.name, one.skipped is None) for one in walked] == [
        ("a.ipynb", False),
        ("c.md", True),
    ]
    assert [(one.name, type(one.error)) for one in named] == [
        ("a.ipynb", type(None)),
        ("b.xyz", UnknownFormatError),
    ]
    assert "--input-format" in str(named[1].error)


def test_format_that_is_given_is_every_documents(tmp_path: Path) -> None:
    make(tmp_path, {"a.txt": "", "b.html": "", "c.md": ""})

    assert [one.format for one in walk(tmp_path / "a.txt", format="markdown")] == ["markdown"]
    assert names(tmp_path, format="markdown") == ["b.html", "c.md"]
    assert names(tmp_path, format="markdown", include=["*.txt"]) == ["a.txt"]
    with pytest.raises(UnknownFormatError):
        walk(tmp_path, format="troff")


def test_missing_path(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="gone"):
        walk([tmp_path, tmp_path / "gone"])


BAD: dict[str, str | bytes] = {
    "bad.md": b"# caf\xe9\n",
    "blank.md": " \n\t\n\n",
    "empty.md": "",
    "garbage.md": bytes(range(256)) * 20,
    "good.md": PAGE,
    "utf16.md": PAGE.encode("utf-16"),
    "utf8bom.md": PAGE.encode("utf-8-sig"),
}


@pytest.mark.parametrize("jobs", [1, 3])
def test_one_bad_file_costs_no_other(tmp_path: Path, jobs: int) -> None:
    make(tmp_path, BAD)

    results = list(outcomes(walk(tmp_path), jobs=jobs))

    assert [one.name for one in results] == sorted(BAD)
    assert [one.name for one in results if one.error] == ["bad.md", "garbage.md"]
    assert all(isinstance(one.error, EncodingError) for one in results if one.error)
    chunks = {one.name: one.document.chunks for one in results if one.document is not None}
    assert [name for name, found in chunks.items() if not found] == ["blank.md", "empty.md"]
    assert any("Some text." in chunk.text for chunk in chunks["utf16.md"])


def test_workers_give_what_one_process_gives(tmp_path: Path) -> None:
    make(tmp_path, {f"{i:02}.md": f"# Page {i}\n\n" + "text " * i for i in range(40)})

    alone = [document.to_dicts() for document in chunk_files(tmp_path)]
    together = [document.to_dicts() for document in chunk_files(tmp_path, jobs=4)]

    assert len(alone) == 40
    assert together == alone


def test_chunk_files_is_lazy_and_raises_with_the_files_name(tmp_path: Path) -> None:
    make(tmp_path, {"a.md": PAGE, "b.md": b"\xff\xfa", "c.ipynb": "{}"})

    found = chunk_files([tmp_path])

    assert next(found).source == "a.md"
    with pytest.raises(EncodingError) as caught:
        next(found)
    assert caught.value.__notes__ == [f"in {tmp_path}/b.md"]


def test_chunk_file(tmp_path: Path) -> None:
    make(tmp_path, {"docs/a.md": PAGE, "b.ipynb": "{}", "c.txt": PAGE, "d.md": b"\xff\xfa"})

    assert chunk_file(tmp_path / "docs/a.md").source == "a.md"
    assert chunk_file(tmp_path / "c.txt", format="markdown").format == "markdown"
    for name, error in {
        "b.ipynb": UnknownFormatError,
        "c.txt": UnknownFormatError,
        "d.md": EncodingError,
        "docs": IsADirectoryError,
        "gone.md": FileNotFoundError,
    }.items():
        with pytest.raises(error):
            chunk_file(tmp_path / name)


def test_document_past_the_limit_is_not_read_whole(tmp_path: Path) -> None:
    make(tmp_path, {"a.md": "x" * 100, "b.md": "x" * 101})

    small, large = outcomes(walk(tmp_path), Options(max_document_bytes=100))

    assert small.error is None
    assert isinstance(large.error, DocumentError)
    assert "max_document_bytes=100" in str(large.error)


def test_a_fault_of_ours_fails_one_document(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path, {"a.md": PAGE, "b.md": PAGE})
    chunk = Chunker.chunk

    def faulty(
        self: Chunker, text: bytes, *, format: str | None = None, source: str = ""
    ) -> object:
        return 1 / 0 if source == "a.md" else chunk(self, text, format=format, source=source)

    monkeypatch.setattr(Chunker, "chunk", faulty)

    first, second = outcomes(walk(tmp_path))

    assert type(first.error) is FencepostError
    assert "unexpected ZeroDivisionError: division by zero (test_corpus.py:" in str(first.error)
    assert second.document is not None


@pytest.fixture
def counters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Make a module of token counters that a worker can import."""
    module = "fencepost_test_counters"
    text = (
        "import os\n"
        "from fencepost.errors import MissingExtraError, OptionsError\n"
        "def deadly(text):\n"
        "    return os._exit(9) if 'DIE' in text else len(text)\n"
        "def wrong(text):\n"
        "    raise OptionsError('tokenizer', 'wrong', 'another')\n"
        "def missing(text):\n"
        "    raise MissingExtraError('tokenizers', 'hf')\n"
    )
    make(tmp_path / "lib", {module + ".py": text})
    monkeypatch.syspath_prepend(tmp_path / "lib")
    return module


def test_worker_that_dies_takes_one_document_down(tmp_path: Path, counters: str) -> None:
    make(tmp_path / "docs", {f"{i:02}.md": PAGE for i in range(12)} | {"05.md": "# DIE\n"})
    tokenizer = __import__(counters).deadly

    results = list(outcomes(walk(tmp_path / "docs"), Options(tokenizer=tokenizer), jobs=2))

    failed = [one for one in results if one.error]
    assert [one.name for one in results] == [f"{i:02}.md" for i in range(12)]
    assert [one.name for one in failed] == ["05.md"]
    assert str(failed[0].error) == "its worker process died (exit code 9)"


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(
    ("name", "error"), [("wrong", OptionsError), ("missing", MissingExtraError)]
)
def test_option_at_fault_ends_the_run(
    tmp_path: Path, counters: str, jobs: int, name: str, error: type[FencepostError]
) -> None:
    make(tmp_path / "docs", {"a.md": PAGE, "b.md": PAGE})
    tokenizer = getattr(__import__(counters), name)

    with pytest.raises(error, match="tokenizer"):
        list(outcomes(walk(tmp_path / "docs"), Options(tokenizer=tokenizer), jobs=jobs))


def test_what_no_worker_can_have(tmp_path: Path) -> None:
    make(tmp_path, {"a.md": PAGE, "b.md": PAGE})

    with pytest.raises(OptionsError, match="jobs=1"):
        list(chunk_files(tmp_path, Options(tokenizer=lambda text: len(text) + 1), jobs=2))
    with pytest.raises(OptionsError, match="jobs=0"):
        chunk_files(tmp_path, jobs=0)


def test_workers_end_when_nobody_reads_on(tmp_path: Path) -> None:
    from multiprocessing import active_children

    make(tmp_path, {f"{i}.md": PAGE for i in range(9)})
    found = chunk_files(tmp_path, jobs=2)

    assert next(found).source == "0.md"
    assert active_children()
    found.close()  # type: ignore[attr-defined]
    assert not active_children()


def test_outcome_can_be_sent() -> None:
    outcome = Outcome("a.md", "a.md", error=EncodingError("no"))

    assert str(pickle.loads(pickle.dumps(outcome)).error) == "no"  # noqa: S301 - our own bytes
