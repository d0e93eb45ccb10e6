"""The frequency of garbage collection in refgen's processes.

Rules, tables and laid-out pages are many small objects that stay, or that go all at once: a search for garbage among
these objects finds next to none, and costs a layout a seventh of its time and computed tables a twentieth. A search at
the end of a process costs as much again, for memory that the process gives back anyway.
"""

from __future__ import annotations

import atexit
import gc

_SELDOM = (200_000, 20, 100)
"""How many more objects, and then how many searches among the young, lead to a search (``gc.set_threshold``)."""


def tune_gc() -> None:
    """Look for garbage in this process far less often than Python does by itself, and not at its end."""
    gc.set_threshold(*_SELDOM)
    atexit.unregister(gc.freeze)
    atexit.register(gc.freeze)


def disable_gc() -> None:
    """Look for garbage in this process only when somebody asks for it, such as between two games."""
    gc.disable()
