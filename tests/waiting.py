"""Waiting for what comes in its own time: as long as a slow and busy machine may need, and no longer than it takes.

In browsers too: Playwright's ``wait_for_function`` evaluates its text in the page once more when it was not true at
first, which a Content-Security-Policy forbids.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

PATIENCE = 60.0
"""Seconds; far more than anything here takes. Only a test that fails waits for so long."""


def wait_until(is_so: Callable[[], object], said: Callable[[], object] = str, seconds: float = PATIENCE) -> None:
    """Wait until something is so. What is ``said`` is told with the failure when it never is."""
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, said()
        time.sleep(0.02)


def comes_to(find: Callable[[], Any], expected: object) -> None:
    """Wait until what is found is as expected."""
    end = time.monotonic() + PATIENCE
    while (found := find()) != expected and time.monotonic() < end:
        time.sleep(0.02)
    assert found == expected, f"{found!r} is not {expected!r}"
