"""The group of commands, each loaded when it is asked for, and the ways a run can end."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Final, NamedTuple

import click

from fencepost.cli.completion import SHELLS, install
from fencepost.errors import FencepostError, MissingExtraError, OptionsError, UnknownFormatError

PROGRAM: Final = "fencepost"
FAILED: Final = 1
WRONG_USAGE: Final = 2


class Lazy(NamedTuple):
    """A command that is not imported yet."""

    module: str
    """Holds the command under the name `command`."""
    help: str
    """The line that the list of commands shows."""


COMMANDS: Final = {
    "chunk": Lazy("fencepost.cli.chunk", "Cut documents into chunks."),
    "formats": Lazy("fencepost.cli.formats", "List the formats that can be read."),
}


class LazyGroup(click.Group):
    """A group whose list of commands costs no import."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names of the commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """Return a command; import its module."""
        lazy = COMMANDS.get(cmd_name)
        if lazy is None:
            return None
        command: click.Command = import_module(lazy.module).command
        return command

    def invoke(self, ctx: click.Context) -> int:
        """Run a command; return its exit status."""
        try:
            status = super().invoke(ctx)
        except BrokenPipeError:  # `fencepost chunk docs | head -1` is no fault: click has 1 for it
            _drop_output()
            return 0
        return status if isinstance(status, int) else 0

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        """Write the list of commands."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, lazy.help) for name, lazy in COMMANDS.items()])


def _install_completion(ctx: click.Context, _: click.Parameter, shell: str | None) -> None:
    if shell is not None and not ctx.resilient_parsing:
        click.echo(install(shell, ctx.command, PROGRAM))
        ctx.exit()


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="`fencepost COMMAND --help` tells the options of a command.",
)
@click.version_option(None, "-V", "--version", package_name=PROGRAM)
@click.option(
    "--install-completion",
    type=click.Choice(["auto", *SHELLS]),
    is_flag=False,
    flag_value="auto",
    expose_value=False,
    callback=_install_completion,
    help="Install completion for a shell (default: the one in $SHELL), and exit.",
)
def group() -> None:
    """Cut documentation into chunks for retrieval without breaking its structure."""


def run(arguments: list[str] | None = None) -> int:
    """Run a command line; return its exit status."""
    try:
        return _run(arguments)
    except BrokenPipeError:
        _drop_output()
        return 0
    except OSError as error:
        _drop_output()
        _say(f"{error.filename or 'standard output'}: {error.strerror or error}")
        return FAILED


def _run(arguments: list[str] | None) -> int:
    try:
        status: int = group.main(arguments, PROGRAM, standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()  # `fencepost --help > /dev/full` fails here, not at exit
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.Abort:
        raise KeyboardInterrupt from None
    except (OptionsError, UnknownFormatError, MissingExtraError) as error:
        _say(str(error))
        return WRONG_USAGE
    except FencepostError as error:
        _say(str(error))
        return FAILED
    return status


def _drop_output() -> None:
    """Send what is still buffered nowhere, for it would raise again when Python exits."""
    if sys.stdout is not None:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())


def _say(message: str) -> None:
    click.echo(f"{PROGRAM}: {message}", err=True)
