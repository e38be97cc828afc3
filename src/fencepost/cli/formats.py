"""`fencepost formats`: what can be read."""

from __future__ import annotations

import click

from fencepost.readers import FORMATS

_TITLES = ("format", "suffixes", "reader", "limits")


@click.command("formats")
def command() -> None:
    """List the formats that can be read, with their suffixes and limits."""
    rows = [
        (
            one.name,
            " ".join(one.suffixes),
            "yes" if one.module else "no reader yet",
            one.limits if one.module else "",
        )
        for one in FORMATS
    ]
    widths = [max(map(len, column)) for column in zip(_TITLES, *rows, strict=True)]
    for row in (_TITLES, *rows):
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        click.echo("  ".join(cells).rstrip())
