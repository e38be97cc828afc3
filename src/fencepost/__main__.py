"""Run the command line as `python3 -m fencepost`."""

from __future__ import annotations

from fencepost.cli import main

if __name__ == "__main__":
    main()
