"""The command line: arguments, progress and exit statuses; the work is done elsewhere."""

from __future__ import annotations

import sys
from typing import NoReturn

INTERRUPTED = 130
"""Exit status after Ctrl-C, as shells have it."""


def main() -> NoReturn:
    """Run `fencepost` and exit."""
    try:
        # Inside, so that Ctrl-C while modules load is as quiet as later on.
        from fencepost.cli.app import run

        status = run()
    except KeyboardInterrupt:
        status = INTERRUPTED
    sys.exit(status)
