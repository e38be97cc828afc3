"""Every error that fencepost raises; each one is also the built-in that a caller expects."""

from __future__ import annotations


class FencepostError(Exception):
    """The base of all errors of this package."""


class OptionsError(FencepostError, ValueError):
    """An option has a value that it cannot have.

    >>> OptionsError("max_tokens", -1, "a whole number of at least 1").field
    'max_tokens'
    """

    def __init__(self, field: str, value: object, valid: str) -> None:
        super().__init__(f"{field}={value!r} is not valid: give {valid}")
        self.field = field
        """Name of the field of `Options`."""
        self.value = value
        """What was given."""
        self.valid = valid
        """What would have been valid, in words."""

    def __reduce__(self) -> tuple[type[OptionsError], tuple[str, object, str]]:
        """Keep the data across processes (pickle calls the class with `args` otherwise)."""
        return (type(self), (self.field, self.value, self.valid))


class UnknownFormatError(FencepostError, ValueError):
    """No reader has this name or this suffix."""


class MissingExtraError(FencepostError, ImportError):
    """An optional package is not installed; the message has the line that installs it."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(
            f"{package} is not installed: run  python3 -m pip install 'fencepost[{extra}]'"
        )
        self.package = package
        """The package that could not be imported."""
        self.extra = extra
        """The extra of fencepost that brings it."""

    def __reduce__(self) -> tuple[type[MissingExtraError], tuple[str, str]]:
        """Keep the data across processes."""
        return (type(self), (self.package, self.extra))


class DocumentError(FencepostError, ValueError):
    """A document is past a limit that was set, or faulty where `strict` was asked for."""


class EncodingError(FencepostError, ValueError):
    """Bytes are neither UTF-8 nor UTF-16 with a byte-order mark."""
