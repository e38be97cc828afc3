"""What every test gets."""

from __future__ import annotations

import pytest

SLOW_TIMEOUT = 900
"""Seconds for a test that is marked `slow`; the others have ten."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give slow tests their time."""
    for item in items:
        if item.get_closest_marker("slow") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(SLOW_TIMEOUT))
