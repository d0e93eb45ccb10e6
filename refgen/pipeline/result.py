"""The result of a build, and the events by which a build tells its progress.

Importing this module loads nothing that makes pages: a build with nothing to do has a result too.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

from refgen.errors import RefgenError
from refgen.layout.readback.expected import Mismatch

CHARACTERS = "characters"
"""The folder of a game, in the output, that has the sheets of characters."""


@dataclass
class BuildResult:
    """The files of a build, as paths relative to the output, its errors, and where pages differ from their models.

    ``findings`` are the numbers of open findings by game. ``made`` are the steps that were done, ``kept`` those that an
    earlier build had done, ``failed`` what was not made, or not whole. ``failing`` are the games and screens that have
    errors, ``taken_from`` the other games that a game or a screen takes from, by its name. ``notes`` say which
    characters' sheets were not made the usual way, and what the site lacks. ``fault`` says why nothing is kept for the
    next build. ``shown`` has a digest of what each step shows. ``differences`` are those of the output from what it was
    to be, where that was only compared.
    """

    files: list[str] = field(default_factory=list)
    errors: list[RefgenError] = field(default_factory=list)
    findings: dict[str, int] = field(default_factory=dict)
    mismatches: list[Mismatch] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    made: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    failing: set[str] = field(default_factory=set)
    taken_from: dict[str, frozenset[str]] = field(default_factory=dict)
    shown: dict[str, str] = field(default_factory=dict)
    fault: str = ""
    differences: list[str] = field(default_factory=list)

    @property
    def first(self) -> str:
        """The file to open first, or "" for the folder."""
        shown = [name for name in self.files if name.endswith((".html", ".pdf"))]
        return "index.html" if "index.html" in shown else next(iter(shown), "")


State = Literal["begun", "again", "kept", "done", "failed"]
"""``again``: it is tried once more; ``kept``: it is taken from the cache."""


@dataclass(frozen=True, slots=True)
class Event:
    """An event of a step, called by its name, of a ``kind``: read, screen, sheet, card, site, publish or fill.

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
