"""The command line: what it reads and writes, what it says, and how it ends."""

from __future__ import annotations

import errno
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from fencepost.cli.app import run
from fencepost.cli.report import DIAGNOSTICS_SHOWN, Tally
from fencepost.corpus import Outcome
from fencepost.model import ChunkedDocument, Diagnostic
from fencepost.options import Options
from fencepost.pipeline import Chunker

PAGE = "# Title\n\nSome text.\n\n```py\nx = 1\n```\n"
FENCEPOST = (sys.executable, "-m", "fencepost")
HELP_SECONDS = 0.4


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder of its own, with no settings above."""
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    return work


def make(files: Mapping[str, str | bytes]) -> None:
    for name, text in files.items():
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())


class Ended(NamedTuple):
    status: int
    out: str
    err: str

    @property
    def chunks(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.split("\n")[:-1]]

    @property
    def sources(self) -> list[str]:
        return list(dict.fromkeys(chunk["source"] for chunk in self.chunks))


class Here:
    """Run a command line in this process."""

    def __init__(self, capture: pytest.CaptureFixture[str]) -> None:
        self.capture = capture

    def __call__(self, *arguments: str) -> Ended:
        self.capture.readouterr()
        status = run(list(arguments))
        return Ended(status, *self.capture.readouterr())


@pytest.fixture
def here(capsys: pytest.CaptureFixture[str]) -> Here:
    return Here(capsys)


def start(*arguments: str, **how: Any) -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    streams: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": pipe, "stderr": pipe}
    process: subprocess.Popen[bytes] = subprocess.Popen([*FENCEPOST, *arguments], **(streams | how))
    return process


# What is read and written


def test_folder_to_json_lines(here: Here) -> None:
    make({"docs/b.md": PAGE, "docs/a/c.md": PAGE, "docs/x.rst": "Title\n=====\n"})

    ended = here("chunk", "docs", "--include", "*.md")

    assert ended.status == 0
    assert ended.sources == ["a/c.md", "b.md"]
    assert any("```py\nx = 1\n```" in chunk["text"] for chunk in ended.chunks)


def test_standard_input() -> None:
    process = start("chunk", "-", stdin=subprocess.PIPE)
    out, err = process.communicate(PAGE.encode())

    ended = Ended(process.returncode, out.decode(), err.decode())
    assert ended.status == 0
    assert ended.sources == ["-"]


@pytest.mark.parametrize(
    ("arguments", "first"),
    [
        (("-o", "out.json"), "["),
        (("-o", "out.jsonl"), "{"),
        (("-o", "out.txt"), "──"),
        (("-o", "out.data"), "{"),
        (("-o", "out.json", "--format", "jsonl"), "{"),
        (("-o", "out", "--format", "text"), "──"),
    ],
)
def test_output_format(here: Here, arguments: tuple[str, ...], first: str) -> None:
    make({"a.md": PAGE})

    ended = here("chunk", "a.md", *arguments)

    assert (ended.status, ended.out) == (0, "")
    assert Path(arguments[1]).read_text(encoding="utf-8").startswith(first)
    assert sorted(os.listdir()) == ["a.md", arguments[1]]


def test_dash_is_standard_output(here: Here) -> None:
    make({"a.md": PAGE})

    assert here("chunk", "a.md", "-o", "-").sources == ["a.md"]
    assert os.listdir() == ["a.md"]


def test_workers_write_what_one_process_writes(here: Here) -> None:
    make({f"docs/{i:02}.md": f"# {i}\n\n" + PAGE for i in range(20)})

    alone, together = here("chunk", "docs"), here("chunk", "docs", "--jobs", "3")

    assert (together.status, together.out) == (alone.status, alone.out)
    assert len(alone.sources) == 20


def test_names_of_all_kinds(here: Here) -> None:
    make({"docs/a b.md": PAGE, "docs/é/日本.md": PAGE})
    with open(b"docs/\xff.md", "wb") as file:
        file.write(PAGE.encode())

    ended = here("chunk", "docs", "-o", "chunks é.jsonl")

    assert ended.status == 0
    chunks = [json.loads(line) for line in Path("chunks é.jsonl").read_bytes().splitlines()]
    assert list(dict.fromkeys(chunk["source"] for chunk in chunks)) == [
        "\\xff.md",
        "a b.md",
        "é/日本.md",
    ]


def test_same_name_in_two_folders(here: Here) -> None:
    make({"one/a.md": PAGE, "two/a.md": PAGE})

    ended = here("chunk", "one", "two")

    assert ended.sources == ["one/a.md", "two/a.md"]
    ids = [chunk["id"] for chunk in ended.chunks]
    assert len(set(ids)) == len(ids)


# What is said


def test_summary(here: Here) -> None:
    make({"docs/a.md": PAGE, "docs/b.md": PAGE, "docs/c.ipynb": "{}", "docs/d.ipynb": "{}"})
    tokens = sum(chunk["embed_token_count"] for chunk in here("chunk", "docs").chunks)

    ended = here("chunk", "docs")

    first, second = ended.err.splitlines()
    number = len(ended.chunks)
    assert re.fullmatch(
        rf"2 documents, {number} chunks, {tokens} tokens, 2 code blocks "
        r"in [\d.]+ s \([\d.]+ MB/s\)",
        first,
    )
    assert second == "2 skipped: no reader for notebook yet (docs/c.ipynb, docs/d.ipynb)"


def test_only_what_has_no_reader_is_no_fault(here: Here) -> None:
    make({"a.ipynb": "{}"})

    ended = here("chunk", "a.ipynb")

    assert (ended.status, ended.out) == (0, "")
    assert "1 skipped: no reader for notebook yet (a.ipynb)" in ended.err


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_failures_are_named_and_the_rest_is_written(here: Here, jobs: str) -> None:
    make({"a.md": b"\xff\xfa\n", "b.md": PAGE, "c.md": bytes(range(256))})
    make({"d.md": "", "e.md": " \n\n", "f.md": PAGE.encode("utf-16")})
    Path("gone.md").symlink_to("nowhere")

    ended = here("chunk", ".", "--jobs", jobs)
    quiet = here("chunk", ".", "--jobs", jobs, "--quiet")

    assert ended.status == quiet.status == 1
    assert ended.sources == ["b.md", "f.md"]
    assert "4 documents," in ended.err
    assert [line.partition(" (byte")[0] for line in quiet.err.splitlines()] == [
        "./a.md: failed: the bytes are not utf-8",
        "./c.md: failed: the bytes are not utf-8",
        "./gone.md: failed: No such file or directory",
    ]
    assert ended.err.endswith("3 failed:\n" + quiet.err)


def test_unreadable_file_fails_by_name(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    make({"a.md": PAGE, "b.md": PAGE})
    opened = Path.open

    def refuse(path: Path, mode: str) -> Any:
        if path.name == "a.md":
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return opened(path, mode)

    monkeypatch.setattr(Path, "open", refuse)

    ended = here("chunk", ".")

    assert ended.status == 1
    assert ended.err.endswith("./a.md: failed: Permission denied\n")
    assert ended.sources == ["b.md"]


def test_fail_fast_stops_and_leaves_the_old_file(here: Here) -> None:
    make({"a.md": b"\xff\xfa\n", "b.md": b"\xff\xfa\n", "out.jsonl": "old"})

    ended = here("chunk", ".", "--fail-fast", "-o", "out.jsonl")

    assert ended.status == 1
    assert "a.md: failed" in ended.err
    assert "b.md" not in ended.err
    assert Path("out.jsonl").read_text(encoding="utf-8") == "old"
    assert sorted(os.listdir()) == ["a.md", "b.md", "out.jsonl"]


def test_diagnostics_are_told_with_their_place(here: Here) -> None:
    make({"a.md": "# A\n\nx\0y\n"})

    ended = here("chunk", "a.md")

    assert ended.status == 0
    assert "a.md:3: warning: 1 NUL characters replaced by U+FFFD" in ended.err.splitlines()
    assert here("chunk", "a.md", "-q").err == ""


def test_diagnostics_are_told_up_to_a_number(capsys: pytest.CaptureFixture[str]) -> None:
    told = tuple(Diagnostic("warning", "x", "m", line) for line in range(1, 31))
    tally = Tally(quiet=False)

    tally.add(Outcome("a.md", "a.md", ChunkedDocument((), "a.md", "markdown", "", {}, told)))
    tally.finish()

    lines = capsys.readouterr().err.splitlines()
    assert lines[DIAGNOSTICS_SHOWN - 1] == "a.md:20: warning: m"
    assert lines[DIAGNOSTICS_SHOWN] == "... and 10 diagnostics more"
    assert lines[DIAGNOSTICS_SHOWN + 1].startswith("1 document, 0 chunks")


# Wrong usage: exit status 2, and a message with the name, the value and what is valid


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "Missing argument 'PATH...'"),
        (("gone.md",), "PATH 'gone.md' does not exist"),
        (("a.md", "gone"), "PATH 'gone' does not exist"),
        (("empty",), "PATH empty: no file matches; known suffixes: .md"),
        ((".", "--include", "*.qmd"), "no file matches"),
        ((".", "--exclude", "*"), "no file matches"),
        (("a.md", "--max-tokens", "0"), "max_tokens=0 is not valid: give a whole number of at"),
        (("a.md", "--max-tokens", "ten"), "'--max-tokens': 'ten' is not a valid integer"),
        (
            ("a.md", "--max-tokens", "900", "--hard-max-tokens", "100"),
            "max_tokens=900 is not valid: give at most hard_max_tokens=100",
        ),
        (("a.md", "--hard-max-tokens", "3"), "hard_max_tokens=3 is not valid: give a whole"),
        (("a.md", "--overlap-tokens", "800"), "overlap_tokens=800 is not valid: give less than"),
        (("a.md", "--min-tokens", "801"), "min_tokens=801 is not valid: give at most"),
        (("a.md", "--policy", "code"), "'code': give KIND=CHOICE, such as code=separate"),
        (("a.md", "--policy", "cod=fit"), "policy='cod' is not valid: give kinds among"),
        (("a.md", "--policy", "code=cut"), "policy['code']='cut' is not valid: give one of fit"),
        (("a.md", "--mdx", "maybe"), "'maybe' is not one of 'auto', 'keep', 'strip', 'off'"),
        (("a.md", "--split-levels", "1,x"), "'1,x': give heading levels from 1 to 6"),
        (("a.md", "--split-levels", "1,7"), "split_levels=(1, 7) is not valid: give heading"),
        (("a.md", "--url", "{page}"), "url='{page}' is not valid: give a template"),
        (("a.md", "--time-limit", "0"), "time_limit_s=0.0 is not valid: give a number of"),
        (("a.md", "--max-document-bytes", "0"), "max_document_bytes=0 is not valid: give a"),
        (("a.md", "--tokenizer", ""), "tokenizer='' is not valid: give"),
        (("a.md", "--tokenizer", "no_such"), "tokenizer='no_such' is not valid: give one of"),
        (("a.md", "--jobs", "0"), "jobs=0 is not valid: give a whole number of at least 1"),
        (("a.md", "--format", "xml"), "'xml' is not one of 'jsonl', 'json', 'text'"),
        (("a.md", "--input-format", "troff"), "'troff' is not one of 'markdown'"),
        (("a.md", "--input-format", "notebook"), "there is no reader for 'notebook' yet"),
        (("a.md", "-o", "a.md"), "-o a.md is one of the documents: give another file"),
        (("a.md", "--wrong"), "No such option"),
    ],
)
def test_wrong_usage(here: Here, arguments: tuple[str, ...], message: str) -> None:
    make({"a.md": PAGE, "empty/x.png": ""})

    ended = here("chunk", *arguments)

    assert (ended.status, ended.out) == (2, "")
    assert message in " ".join(ended.err.split())
    assert Path("a.md").read_text(encoding="utf-8") == PAGE


def test_unknown_command(here: Here) -> None:
    ended = here("chop")

    assert ended.status == 2
    assert "No such command 'chop'" in ended.err


def test_file_whose_format_nothing_tells(here: Here) -> None:
    make({"notes": PAGE, "b.md": PAGE})

    ended = here("chunk", "notes", "b.md")

    assert ended.status == 1
    assert "notes: failed: its suffix tells no format: give one with --input-format" in ended.err
    assert ended.sources == ["b.md"]
    assert here("chunk", "notes", "--input-format", "markdown").sources == ["notes"]


# Options from files


def chosen(monkeypatch: pytest.MonkeyPatch) -> list[Options]:
    """Collect the options that chunkers are made with."""
    seen: list[Options] = []
    made = Chunker

    def make_chunker(options: Options) -> Chunker:
        seen.append(options)
        return made(options)

    monkeypatch.setattr("fencepost.corpus.Chunker", make_chunker)
    return seen


def test_every_option_reaches_the_chunker(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    make({"a.md": PAGE})
    seen = chosen(monkeypatch)
    line = (
        "chunk a.md --max-tokens 200 --hard-max-tokens 300 --min-tokens 10 --overlap-tokens 5 "
        "--tokenizer words --mdx off --policy code=separate --policy table=split "
        "--url https://x.dev/{path} --no-breadcrumb --split-levels 1,2 --strict "
        "--max-document-bytes 1000 --time-limit 5.5"
    )

    ended = here(*line.split())

    assert ended.status == 0
    assert seen == [
        Options(
            max_tokens=200,
            hard_max_tokens=300,
            min_tokens=10,
            overlap_tokens=5,
            tokenizer="words",
            mdx="off",
            policy={"code": "separate", "table": "split"},
            url="https://x.dev/{path}",
            breadcrumb=False,
            split_levels=(1, 2),
            strict=True,
            max_document_bytes=1000,
            time_limit_s=5.5,
        )
    ]


def test_command_line_goes_before_files(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = chosen(monkeypatch)
    make({"a.md": PAGE, "fencepost.toml": "max-tokens = 300\nstrict = true\n"})
    make({"pyproject.toml": "[tool.fencepost]\nmax_tokens = 400\nmin_tokens = 7\n"})

    here("chunk", "a.md")
    here("chunk", "a.md", "--max-tokens", "500", "--no-strict")

    assert seen == [Options(max_tokens=300, strict=True), Options(max_tokens=500)]


def test_nearest_settings_upward_are_taken(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = chosen(monkeypatch)
    make({"fencepost.toml": "max_tokens = 300\n", "a/pyproject.toml": "[tool.other]\nx = 1\n"})
    make({"a/b/pyproject.toml": "[tool.fencepost]\nmax_tokens = 400\n", "a/b/c/x.md": PAGE})

    for place in ("a/b/c", "..", "..", ".."):
        os.chdir(place)
        here("chunk", ".")

    assert [options.max_tokens for options in seen] == [400, 400, 300, 300]


def test_policy_of_both_and_files_to_read(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = chosen(monkeypatch)
    make({"a.md": PAGE, "b.md": PAGE, "c.md": PAGE})
    settings = 'policy = { code = "fit", list = "split" }\nexclude = ["b.md"]\njobs = 2\n'
    make({"fencepost.toml": settings + 'input_format = "markdown"\nsplit_levels = [1]\n'})

    ended = here("chunk", ".", "--policy", "code=whole")

    assert ended.sources == ["a.md", "c.md"]
    assert seen == [Options(policy={"code": "whole", "list": "split"}, split_levels=(1,))]
    assert here("chunk", ".", "--exclude", "c.md").sources == ["a.md", "b.md"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("max_token = 3\n", "'max_token' is no option of fencepost: give one of max_tokens,"),
        ("max_tokens = '3'\n", "max_tokens='3' is not valid: give a whole number of at least 1"),
        ("policy = { code = 'x' }\n", "policy['code']='x' is not valid: give one of fit"),
        ("jobs = 1.5\n", "jobs=1.5 is not valid: give a whole number of at least 1"),
        ("include = '*.md'\n", "include='*.md' is not valid: give a list of globs"),
        ("exclude = [1]\n", "exclude=[1] is not valid: give a list of globs"),
        ("input_format = 'troff'\n", "input_format='troff' is not valid: give one of markdown"),
        ("input_format = ['rst']\n", "input_format=['rst'] is not valid: give one of markdown"),
        ("= 3\n", "Invalid statement"),
        (b"# caf\xe9\n", "can't decode byte 0xe9"),
    ],
)
def test_wrong_settings_name_the_file(here: Here, text: str | bytes, message: str) -> None:
    make({"a.md": PAGE, "fencepost.toml": text})

    ended = here("chunk", "a.md")

    said = " ".join(ended.err.split())
    assert ended.status == 2
    assert f"{Path.cwd()}/fencepost.toml: " in said
    assert message in said


def test_settings_that_are_no_table(here: Here) -> None:
    make({"a.md": PAGE, "pyproject.toml": "[tool]\nfencepost = 3\n"})

    ended = here("chunk", "a.md")

    assert ended.status == 2
    assert "pyproject.toml: tool.fencepost is not a table" in ended.err


# Output that cannot be written


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("gone/out.jsonl", "No such file or directory"),
        ("a.md/out.jsonl", "Not a directory"),
        (".", "Is a directory"),
        ("/dev/full", "No space left on device"),
    ],
)
def test_output_that_cannot_be_written(path: str, reason: str) -> None:
    make({"a.md": PAGE * 2000})

    process = start("chunk", "a.md", "-q", "-o", path)
    out, err = process.communicate()

    assert (process.returncode, out) == (1, b"")
    assert err.decode() == f"fencepost: {path}: {reason}\n"
    assert os.listdir() == ["a.md"]


@pytest.mark.parametrize("arguments", [("chunk", "a.md", "-q"), ("formats",), ("--help",)])
@pytest.mark.parametrize("size", [1, 2000])
def test_full_standard_output(arguments: tuple[str, ...], size: int) -> None:
    make({"a.md": PAGE * size})

    with open("/dev/full", "wb") as full:
        process = start(*arguments, stdout=full)
        _, err = process.communicate()

    assert process.returncode == 1
    assert err == b"fencepost: standard output: No space left on device\n"


@pytest.mark.parametrize(
    "arguments", [[], ["--format", "json"], ["--format", "text"], ["--jobs", "2"]]
)
def test_closed_pipe_ends_quietly(arguments: list[str]) -> None:
    make({f"docs/{i}.md": PAGE * 200 for i in range(20)})
    line = f'"{sys.executable}" -m fencepost chunk docs "$@" | head -n 1; echo "${{PIPESTATUS[0]}}"'

    done = subprocess.run(["bash", "-c", line, "bash", *arguments], capture_output=True, check=True)

    assert done.stdout.split(b"\n")[1:] == [b"0", b""]
    assert done.stderr == b""


def test_closed_standard_output() -> None:
    make({"a.md": PAGE})
    line = f'"{sys.executable}" -m fencepost chunk a.md -q >&-'

    done = subprocess.run(["bash", "-c", line], capture_output=True, check=False)

    assert done.returncode == 1
    assert done.stderr == b"fencepost: standard output: closed\n"


# Interrupts


def wait_for_reader(pipe: Path) -> int:
    """Return the write end of a named pipe as soon as something reads it."""
    for _ in range(800):
        try:
            return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            time.sleep(0.01)
    raise TimeoutError


def is_alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_interrupt_leaves_no_half_file_and_no_process(
    folder: Path, jobs: str, number: signal.Signals, status: int
) -> None:
    make({"a.md": PAGE, "c.md": PAGE, "out.jsonl": "old"})
    os.mkfifo("b.md")
    paths = ("a.md", "b.md", "c.md")
    process = start("chunk", *paths, "-o", "out.jsonl", "--jobs", jobs, start_new_session=True)
    end = wait_for_reader(folder / "b.md")
    assert len(os.listdir()) == 5, "the draft is there"

    os.killpg(process.pid, number)
    _, err = process.communicate()
    os.close(end)

    assert process.returncode == status
    assert b"Traceback" not in err
    assert sorted(os.listdir()) == ["a.md", "b.md", "c.md", "out.jsonl"]
    assert Path("out.jsonl").read_text(encoding="utf-8") == "old"
    for _ in range(300):
        if not is_alive(process.pid):
            break
        time.sleep(0.01)
    assert not is_alive(process.pid)


# On a terminal


def on_terminal(*arguments: str, stream: str) -> str:
    """Run with one stream on a terminal; return what the terminal shows."""
    ours, theirs = pty.openpty()
    environment = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    process = start(*arguments, **{stream: theirs}, env=environment | {"TERM": "xterm"})
    os.close(theirs)
    shown = b""
    while select.select([ours], [], [], 8)[0]:
        try:
            data = os.read(ours, 65536)
        except OSError:  # Linux tells the end of a terminal so
            break
        shown += data
    process.communicate()
    os.close(ours)
    assert process.returncode == 0
    return shown.decode()


def test_terminal_shows_text() -> None:
    make({"a.md": PAGE + "\n\x1b[2J\n"})

    shown = on_terminal("chunk", "a.md", stream="stdout")

    assert "\x1b[1;36m── Title · a.md:1-" in shown
    assert "  x = 1\r\n" in shown
    assert "␛[2J" in shown
    assert "\x1b[2J" not in shown
    assert on_terminal("chunk", "a.md", "--format", "jsonl", stream="stdout").startswith("{")


def test_progress_is_for_terminals() -> None:
    make({f"docs/{i}.md": PAGE for i in range(3)})

    shown = on_terminal("chunk", "docs", stream="stderr")

    assert "3/3" in shown
    assert "3 documents," in shown
    assert on_terminal("chunk", "docs", "--quiet", stream="stderr") == ""


# The rest


def test_formats(here: Here) -> None:
    ended = here("formats")

    rows = [re.split(r"\s{2,}", line) for line in ended.out.splitlines()]
    assert ended.status == 0
    assert rows[0] == ["format", "suffixes", "reader", "limits"]
    assert rows[1][:3] == ["markdown", ".md .markdown .mdown .mkd .mdc .qmd .rmd", "yes"]
    assert ["notebook", ".ipynb", "no reader yet"] in rows


def test_version(here: Here) -> None:
    assert here("--version") == (0, f"fencepost, version {version('fencepost')}\n", "")


@pytest.mark.parametrize(
    ("shell", "place", "said"),
    [
        ("bash", ".local/share/bash-completion/completions/fencepost", "complete"),
        ("zsh", ".zfunc/_fencepost", "#compdef fencepost"),
        ("fish", ".config/fish/completions/fencepost.fish", "complete"),
    ],
)
def test_install_completion(
    here: Here,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    shell: str,
    place: str,
    said: str,
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("SHELL", f"/usr/bin/{shell}")
    for variable in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "ZDOTDIR"):
        monkeypatch.delenv(variable, raising=False)

    ended = here("--install-completion")

    path = tmp_path / "home" / place
    assert ended.status == 0
    assert ended.out.startswith(f"wrote {path}\n")
    text = path.read_text(encoding="utf-8")
    assert said in text
    assert "_FENCEPOST_COMPLETE" in text
    assert here("--install-completion", shell).out == ended.out


def test_completion_for_an_unknown_shell(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHELL", "/bin/csh")

    ended = here("--install-completion")

    assert ended.status == 2
    assert "give one of them" in ended.err


def test_completion_completes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_FENCEPOST_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "fencepost chunk --max-t")
    monkeypatch.setenv("COMP_CWORD", "2")

    done = subprocess.run(
        [sys.executable, "-c", "from fencepost.cli import main; main()"],
        capture_output=True,
        check=True,
    )

    assert done.stdout == b"plain,--max-tokens\n"


def test_help_is_fast_and_loads_no_pipeline() -> None:
    code = (
        "import sys; from fencepost.cli.app import run; run(['--help']);"
        "print([m for m in ('fencepost.pipeline', 'tiktoken', 'rich') if m in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout
    assert out.endswith(b"[]\n")

    def seconds() -> float:
        began = time.perf_counter()
        start("--help").communicate()
        return time.perf_counter() - began

    assert min(seconds() for _ in range(5)) < HELP_SECONDS
