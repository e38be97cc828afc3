"""What the documentation says about the command line is there, and what is there is said."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from fencepost.cli.app import COMMANDS, group
from fencepost.cli.settings import KEYS

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/cli.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")


def commands() -> dict[str, click.Command]:
    context = click.Context(group)
    found = {name: group.get_command(context, name) for name in group.list_commands(context)}
    return {name: command for name, command in found.items() if command is not None}


def options() -> Iterator[tuple[str, click.Option]]:
    for command in (group, *commands().values()):
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                for name in (*parameter.opts, *parameter.secondary_opts):
                    yield name, parameter


def test_every_command_can_be_loaded() -> None:
    assert list(commands()) == list(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_documented(name: str) -> None:
    command = commands()[name]

    assert f"\n## `fencepost {name}`\n" in PAGE
    assert command.help
    assert COMMANDS[name].help.rstrip(".") in command.help.replace(", with", ".")


@pytest.mark.parametrize(("name", "option"), list(options()))
def test_every_option_is_documented(name: str, option: click.Option) -> None:
    assert option.help
    assert re.search(rf"`(?:fencepost )?{re.escape(name)}[ `]", PAGE)


def test_every_option_that_is_documented_exists() -> None:
    known = {name for name, _ in options()} | {"-h", "--help"}

    assert set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", _without_other_tools(PAGE))) <= known


def _without_other_tools(text: str) -> str:
    return re.sub(r"wc -l|set -o pipefail", "", text)


def test_every_key_of_settings_that_is_shown_exists() -> None:
    (block,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)

    assert set(tomllib.loads(block)["tool"]["fencepost"]) <= set(KEYS)


def test_commands_of_the_readme_exist() -> None:
    code = "\n".join(
        re.findall(r"^ {4}.*$|^```.*?^```|`[^`\n]+`", README, re.MULTILINE | re.DOTALL)
    )
    used = re.findall(r"(?:^ *|&& |\$ |run |`)fencepost ([a-z]+)([^\n`#|]*)", code, re.MULTILINE)
    names = {name for name, _ in options()}

    assert used
    assert {name for name, _ in used} <= set(COMMANDS)
    assert {
        flag for _, rest in used for flag in re.findall(r"(?<!\S)--?[a-z][a-z-]*", rest)
    } <= names


def test_files_that_the_documentation_names_exist() -> None:
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]
    missing = [
        f"{page.name}: {target}"
        for page in pages
        for target in re.findall(r"\]\(([\w./-]+)\)", page.read_text(encoding="utf-8"))
        if not (page.parent / target).exists()
    ]

    assert missing == []
