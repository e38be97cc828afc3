"""Options from a file: `fencepost.toml`, or `[tool.fencepost]` in `pyproject.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import click

from fencepost.options import FIELDS
from fencepost.readers import BY_NAME

OWN_FILE: Final = "fencepost.toml"
PROJECT_FILE: Final = "pyproject.toml"
TABLE: Final = "tool.fencepost"

KEYS: Final = (*FIELDS, "jobs", "include", "exclude", "input_format")
"""What may stand there: every field of `Options`, and what says which files are read."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a settings file says."""

    file: str = ""
    """Its path; empty where there is none."""
    values: dict[str, Any] = field(default_factory=dict)
    """Keys among `KEYS`."""


def find_settings(folder: Path) -> Settings:
    """Return the nearest settings, from a folder upward; in one folder, `fencepost.toml` wins.

    Raises:
        click.UsageError: the file cannot be read, or has a key that means nothing.
    """
    for place in (folder, *folder.parents):
        own = place / OWN_FILE
        if own.is_file():
            return _checked(own, _load(own))
        project = place / PROJECT_FILE
        if project.is_file():
            table = _load(project).get("tool", {}).get("fencepost")
            if table is not None:
                return _checked(project, table)
    return Settings()


def _load(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        msg = f"{path}: {error.strerror}"
    except ValueError as error:  # bad TOML, or bytes that are no UTF-8
        msg = f"{path}: {error}"
    raise click.UsageError(msg)


def _checked(path: Path, table: object) -> Settings:
    if not isinstance(table, dict):
        msg = f"{path}: {TABLE} is not a table"
        raise click.UsageError(msg)
    values = {str(key).replace("-", "_"): value for key, value in table.items()}
    for key in values:
        if key not in KEYS:
            msg = f"{path}: {key!r} is no option of fencepost: give one of {', '.join(KEYS)}"
            raise click.UsageError(msg)
    for key in ("include", "exclude"):
        value = values.get(key, [])
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            msg = f"{path}: {key}={value!r} is not valid: give a list of globs such as ['*.md']"
            raise click.UsageError(msg)
    wanted = values.get("input_format")
    if wanted is not None and wanted not in list(BY_NAME):
        msg = f"{path}: input_format={wanted!r} is not valid: give one of {', '.join(BY_NAME)}"
        raise click.UsageError(msg)
    return Settings(str(path), values)
