"""A file that is there whole, or not at all."""

from __future__ import annotations

import os
import secrets
import stat
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO


@contextmanager
def replacing(path: str) -> Iterator[BinaryIO]:
    """Open a file to be written; it takes its place only when all of it is there.

    It is written beside its place under a hidden name, and renamed at the end. Whatever ends the
    block early leaves the old file as it was, and nothing new. The mode of an old file stays; a
    device or a pipe is written to directly, for it cannot be replaced.
    """
    path = os.path.realpath(path)  # a link stays a link
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        mode = None
    if mode is not None and not stat.S_ISREG(mode):
        with open(path, "wb") as file:
            yield file
        return
    draft = os.path.join(os.path.dirname(path), f".fencepost-{secrets.token_hex(8)}.tmp")
    try:
        with open(draft, "xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            os.chmod(draft, stat.S_IMODE(mode))
        os.replace(draft, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(draft)
        raise
