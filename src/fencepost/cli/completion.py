"""Completion of commands and options in bash, zsh and fish."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import click

SHELLS: Final = ("bash", "zsh", "fish")

_PLACES: Final = {
    "bash": ("XDG_DATA_HOME", ".local/share", "bash-completion/completions/{program}"),
    "zsh": ("ZDOTDIR", ".", ".zfunc/_{program}"),
    "fish": ("XDG_CONFIG_HOME", ".config", "fish/completions/{program}.fish"),
}
"""Shell -> variable with the folder, the folder under the home directory without it, the file."""

_NEXT: Final = {
    "bash": "bash-completion loads it in the next shell",
    "zsh": "have  fpath+=({folder}); autoload -Uz compinit; compinit  in your .zshrc",
    "fish": "fish loads it in the next shell",
}


def script(shell: str, command: click.Command, program: str) -> str:
    """Return the script that a shell has to read."""
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    if found is None:
        raise KeyError(shell)
    return found(command, {}, program, f"_{program.upper()}_COMPLETE").source()


def install(shell: str, command: click.Command, program: str) -> str:
    """Write the script where the shell looks for it; return what to tell the user."""
    import click

    if shell == "auto":
        shell = Path(os.environ.get("SHELL", "")).name
        if shell not in SHELLS:
            msg = f"$SHELL names none of {', '.join(SHELLS)}: give one of them"
            raise click.UsageError(msg)
    variable, home, file = _PLACES[shell]
    folder = os.environ.get(variable) or str(Path.home() / home)
    path = Path(folder, file.format(program=program))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(script(shell, command, program), encoding="utf-8")
    return f"wrote {path}\n{_NEXT[shell].format(folder=path.parent)}"
