"""How a build tells what it does.

In: what happens to each of its steps. Out: an Event for whoever listens. Steps are a game that is read, an aid that is
laid out in some formats, the site, the move into the output.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

State = Literal["begun", "again", "kept", "done", "failed"]
"""``again``: it is tried once more; ``kept``: it is taken from the cache."""


@dataclass(frozen=True, slots=True)
class Event:
    """What happened to a step, called by its name, of a ``kind``: read, screen, sheet, card, site, publish or fill.

    ``seconds`` are those of its work, when it is done or failed. Of an aid, ``done`` says how many of how many
    (``total``) are laid out then. ``reason`` says why a step failed or is tried again.
    """

    state: State
    step: str
    kind: str
    seconds: float = 0.0
    done: int = 0
    total: int = 0
    reason: str = ""


Progress = Callable[[Event], None]
"""Called with what just happened."""


def no_progress(_event: Event) -> None:
    """Says nothing."""


@contextmanager
def step(progress: Progress, name: str, kind: str) -> Iterator[None]:
    """A step that is done inside: when it begins, and how it ends."""
    progress(Event("begun", name, kind))
    start = time.perf_counter()
    try:
        yield
    except Exception as error:
        progress(Event("failed", name, kind, time.perf_counter() - start, reason=str(error)))
        raise
    progress(Event("done", name, kind, time.perf_counter() - start))
