"""What is written, and that a file is there whole or not at all."""

from __future__ import annotations

import io
import json
import os
import stat
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from fencepost.model import Chunk, Piece, SectionRef
from fencepost.sinks import SINKS, format_for, sink_for
from fencepost.sinks.files import replacing
from fencepost.sinks.text import show

CHUNK = Chunk(
    id="0" * 32,
    text="```py\r\nx = 1\r\n```",
    embed_text="Guide\n\n```py\r\nx = 1\r\n```",
    heading_path=("Guide", "Install"),
    breadcrumb="Guide > Install",
    sections=(SectionRef(("Guide", "Install"), "install", 12, 14),),
    kind="code",
    has_code=True,
    code_languages=("py",),
    token_count=8,
    embed_token_count=10,
    start_index=100,
    end_index=117,
    start_line=12,
    end_line=14,
    part=2,
    parts=3,
    prev_id=None,
    next_id=None,
    section_id=None,
    anchor="install",
    url=None,
    source="guide.md",
    format="markdown",
    pieces=(Piece(0, 7, inserted="fence"), Piece(7, 14, 107, 114), Piece(14, 17, inserted="fence")),
)


def plain(text: str, *pieces: Piece) -> Chunk:
    return replace(CHUNK, text=text, pieces=pieces or (Piece(0, len(text), 0, len(text)),))


def written(name: str, *chunks: Chunk) -> bytes:
    out = io.BytesIO()
    sink_for(name)(iter(chunks), out)
    return out.getvalue()


@pytest.mark.parametrize("name", SINKS)
def test_sinks_take_chunks_one_by_one(name: str) -> None:
    out = io.BytesIO()
    seen: list[int] = []

    def chunks() -> Iterator[Chunk]:
        for _ in range(3):
            yield CHUNK
            seen.append(len(out.getvalue()))

    sink_for(name)(chunks(), out)

    assert 0 < seen[0] < seen[1] < seen[2]


def test_json_lines() -> None:
    lines = written("jsonl", CHUNK, CHUNK).split(b"\n")

    assert [json.loads(line) for line in lines[:-1]] == [CHUNK.to_dict()] * 2
    assert lines[-1] == b""


@pytest.mark.parametrize("count", [0, 1, 2])
def test_json_array(count: int) -> None:
    assert json.loads(written("json", *[CHUNK] * count)) == [CHUNK.to_dict()] * count


def test_json_line_is_one_line_to_everyone() -> None:
    text = "a\u2028b\u2029c\x85d\x0ce\r\nf é 日"

    line = written("jsonl", plain(text))

    assert len(line.decode().splitlines()) == 1
    assert json.loads(line)["text"] == text
    assert "é 日".encode() in line, "readable, not escaped"


def test_half_a_pair_in_metadata_is_written() -> None:
    metadata = json.loads(r'{"title": "\ud800"}')

    line = written("jsonl", replace(CHUNK, metadata=metadata))

    assert json.loads(line)["metadata"] == metadata


def test_text() -> None:
    assert written("text", CHUNK).decode() == (
        "── Guide > Install · guide.md:12-14 · code · 10 tokens · part 2/3\n"
        "+ ```py\n"
        "  x = 1\n"
        "+ ```\n"
        "\n"
    )


def test_text_marks_what_is_repeated_and_what_is_mixed() -> None:
    pieces = (
        Piece(0, 4, 0, 4, repeated=True),
        Piece(4, 6, inserted="quote-prefix"),
        Piece(6, 11, 4, 9),
    )

    lines = written("text", plain("| a\n> | b\n\n", *pieces)).decode().split("\n")

    assert lines[1:] == ["= | a", "~ > | b", "", "", ""]


def test_text_is_not_wrapped_and_not_coloured() -> None:
    text = "long " * 100 + "[bold]"

    lines = written("text", plain(text)).decode().split("\n")

    assert lines[1] == "  " + text
    assert "part" not in written("text", replace(CHUNK, parts=1)).decode()


def test_terminal_is_coloured_and_cannot_be_driven() -> None:
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, width=20, color_system="standard")

    show([plain("[red]" + "long " * 20 + "\x1b[2J\x9b1m")], console)

    shown = out.getvalue()
    assert "\x1b[1;36m" in shown, "the header has a colour"
    assert "\x1b[2J" not in shown
    assert "␛[2J\ufffd1m" in shown
    assert "[red]" + "long " * 20 in shown, "neither wrapped nor taken for markup"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a.jsonl", "jsonl"),
        ("a.NDJSON", "jsonl"),
        ("a.json", "json"),
        ("a.txt", "text"),
        ("a.out", "jsonl"),
        ("a", "jsonl"),
    ],
)
def test_format_by_suffix(path: str, expected: str) -> None:
    assert format_for(path) == expected


def test_file_takes_its_place_at_the_end(tmp_path: Path) -> None:
    target = tmp_path / "out.jsonl"
    target.write_bytes(b"old")

    with replacing(str(target)) as file:
        file.write(b"new")
        file.flush()
        assert target.read_bytes() == b"old"

    assert target.read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["out.jsonl"]


@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt, SystemExit, GeneratorExit])
def test_what_ends_early_leaves_nothing(tmp_path: Path, error: type[BaseException]) -> None:
    target = tmp_path / "out.jsonl"
    target.write_bytes(b"old")

    with pytest.raises(error), replacing(str(target)) as file:  # noqa: PT012 - the file is open
        file.write(b"half")
        raise error

    assert target.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["out.jsonl"]


def test_mode_of_a_file(tmp_path: Path) -> None:
    target = tmp_path / "out.jsonl"
    before = os.umask(0o027)
    try:
        with replacing(str(target)):
            pass
        assert stat.S_IMODE(target.stat().st_mode) == 0o640

        target.chmod(0o604)
        with replacing(str(target)):
            pass
        assert stat.S_IMODE(target.stat().st_mode) == 0o604
    finally:
        os.umask(before)


def test_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "out.jsonl").symlink_to("real/data.jsonl")

    with replacing(str(tmp_path / "out.jsonl")) as file:
        file.write(b"new")

    assert (tmp_path / "out.jsonl").is_symlink()
    assert (tmp_path / "real/data.jsonl").read_bytes() == b"new"


def test_device_is_written_to_and_stays() -> None:
    with replacing(os.devnull) as file:
        file.write(b"x")

    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


@pytest.mark.parametrize(
    ("place", "error"),
    [("gone/out.jsonl", FileNotFoundError), (".", IsADirectoryError), ("/dev/full", OSError)],
)
def test_place_that_cannot_be_written(tmp_path: Path, place: str, error: type[OSError]) -> None:
    with pytest.raises(error), replacing(os.path.join(tmp_path, place)) as file:
        file.write(b"x")

    assert os.listdir(tmp_path) == []
