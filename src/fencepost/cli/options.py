"""The options of every command that chunks, one for each field of `Options`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar, get_args

import click

from fencepost.cli.settings import Settings, find_settings
from fencepost.errors import OptionsError
from fencepost.options import FIELDS, MdxMode, Options

Command = TypeVar("Command", bound=Callable[..., Any])


def _policy(_: click.Context, __: click.Parameter, given: tuple[str, ...]) -> dict[str, str] | None:
    pairs = [one.partition("=") for one in given]
    for kind, sign, choice in pairs:
        if not (kind and sign and choice):
            msg = f"{kind + sign + choice!r}: give KIND=CHOICE, such as code=separate"
            raise click.BadParameter(msg)
    return {kind: choice for kind, _, choice in pairs} or None


def _levels(_: click.Context, __: click.Parameter, given: str | None) -> tuple[int, ...] | None:
    if given is None:
        return None
    try:
        return tuple(int(level) for level in given.split(",") if level.strip())
    except ValueError:
        msg = f"{given!r}: give heading levels from 1 to 6 with commas between, such as 1,2"
        raise click.BadParameter(msg) from None


# No option has a default of its own: what is not given comes from a settings file or `Options`.
_DECORATORS: Final = (
    click.option("--max-tokens", type=int, metavar="N", help="Target size of a chunk.  [800]"),
    click.option(
        "--hard-max-tokens", type=int, metavar="N", help="Size that no chunk exceeds.  [1200]"
    ),
    click.option(
        "--min-tokens",
        type=int,
        metavar="N",
        help="Size below which sections are joined; 0 for never.  [40]",
    ),
    click.option(
        "--overlap-tokens",
        type=int,
        metavar="N",
        help="Tokens repeated from the chunk before.  [0]",
    ),
    click.option(
        "--tokenizer",
        metavar="T",
        help="A tiktoken encoding, characters, words, bytes, or hf:NAME_OR_PATH.  [cl100k_base]",
    ),
    click.option(
        "--mdx", type=click.Choice(get_args(MdxMode)), help="How JSX in Markdown is read.  [auto]"
    ),
    click.option(
        "--policy",
        multiple=True,
        metavar="KIND=CHOICE",
        callback=_policy,
        help="How a kind of block is cut: fit, split, separate or whole. Repeatable.",
    ),
    click.option(
        "--url",
        metavar="T",
        help="Template of links, such as 'https://x.dev/{path}#{anchor}'.",
    ),
    click.option(
        "--breadcrumb/--no-breadcrumb",
        default=None,
        help="Whether embed_text starts with the heading path.  [yes]",
    ),
    click.option(
        "--split-levels",
        metavar="LEVELS",
        callback=_levels,
        help="Heading levels that open a section, such as 1,2,3.  [all]",
    ),
    click.option(
        "--strict/--no-strict",
        default=None,
        help="Whether a document with an error in it fails.  [no]",
    ),
    click.option(
        "--max-document-bytes", type=int, metavar="N", help="A larger document fails.  [no limit]"
    ),
    click.option(
        "--time-limit",
        "time_limit_s",
        type=float,
        metavar="SECONDS",
        help="A document that takes longer fails.  [no limit]",
    ),
)


def chunking_options(command: Command) -> Command:
    """Give a command an option for each field of `Options`."""
    for decorate in reversed(_DECORATORS):
        command = decorate(command)
    return command


@dataclass(frozen=True, slots=True)
class Chosen:
    """What the command line and the settings file say together."""

    options: Options
    jobs: int
    include: tuple[str, ...]
    exclude: tuple[str, ...]
    input_format: str | None


def choose(given: Mapping[str, Any]) -> Chosen:
    """Return what is to be done; what is given on the command line goes before the settings file.

    Raises:
        click.UsageError: a value cannot be, or two contradict each other.
    """
    settings = find_settings(Path.cwd())
    explicit = {key: value for key, value in given.items() if value not in (None, ())}
    values = settings.values | explicit
    if {"policy"} <= settings.values.keys() & explicit.keys():
        values["policy"] = {**settings.values["policy"], **explicit["policy"]}
    try:
        options = Options(**{key: values[key] for key in FIELDS if key in values})
    except OptionsError as error:
        raise click.UsageError(_placed(error, settings, explicit)) from None
    jobs = values.get("jobs", 1)
    if not isinstance(jobs, int) or isinstance(jobs, bool) or jobs < 1:
        wrong = OptionsError("jobs", jobs, "a whole number of at least 1")
        raise click.UsageError(_placed(wrong, settings, explicit))
    return Chosen(
        options,
        jobs,
        _strings(values.get("include", ())),
        _strings(values.get("exclude", ())),
        values.get("input_format"),
    )


def _strings(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(values)


def _placed(error: OptionsError, settings: Settings, explicit: Mapping[str, Any]) -> str:
    """Return what is wrong; name the settings file if the value stands there."""
    key = error.field.split("[", 1)[0]
    from_file = key in settings.values and key not in explicit
    return f"{settings.file}: {error}" if from_file else str(error)
