"""How a build tells how far it is."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str, int, int], None]
"""Called with what was just done, and how many of how many pieces of work are done."""


def no_progress(_name: str, _done: int, _total: int) -> None:
    """Says nothing."""
