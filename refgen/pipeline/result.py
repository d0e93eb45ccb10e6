"""The result of a build, the events of its progress, and the file that marks the folder of a project.

In: nothing. Out: the values in which every step of a build, and the filling of sheets, say what they did. This module
loads nothing that reads rules or makes pages.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from refgen.errors import RefgenError

if TYPE_CHECKING:
    from refgen.layout.pieces import Mismatch

LOCAL = "local"
"""The name of the executor whose processes run on this machine."""

CHARACTERS = "characters"
"""The folder, within that of a game in the output, that has the sheets of characters."""


@dataclass
class BuildResult:
    """The files of a build, as paths in the output, its errors, and the mismatches of its pages and their models.

    ``findings`` counts the open findings by game, ``questions`` the notes that nobody answered. ``made`` are the jobs
    done, ``kept`` the jobs that an earlier build had done, ``failed`` the aids and games that were not made,
    or only in part. ``failing`` are the games and screens with errors, ``taken_from`` the other games that a game or a
    screen takes from. ``notes`` say which characters' sheets were not made the usual way, and what the site lacks.
    ``fault`` says why nothing is kept for the next build. ``shown`` are the digests of what each job shows.
    ``differences`` are the files of the output that differ, where the build only compared.
    """

    files: list[str] = field(default_factory=list)
    errors: list[RefgenError] = field(default_factory=list)
    findings: dict[str, int] = field(default_factory=dict)
    questions: dict[str, int] = field(default_factory=dict)
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

    @property
    def to_print(self) -> list[str]:
        """The PDFs to print; pages for a browser to print, where there are no PDFs.

        A PDF whose pages are arranged on the sheets of others is not among them: cards.pdf beside cards-a4.pdf.
        """
        found = [name for name in self.files if name.endswith(".pdf")]
        arranged = {name[:place] for name in found for place, sign in enumerate(name) if sign == "-"}
        return [name for name in found if name.removesuffix(".pdf") not in arranged] or [
            name for name in self.files if name.endswith(".html")
        ]


State = Literal["begun", "again", "kept", "done", "failed"]
"""The states of a step; ``again``: it is tried once more; ``kept``: it is taken from the cache."""


@dataclass(frozen=True, slots=True)
class Event:
    """An event of a step, by the name and the kind of the step: read, a kind of aid, site, publish or fill.

    ``seconds`` is the time that a step took which is done or failed. With the step of an aid, ``done`` of ``total``
    jobs are done. ``reason`` says why a step failed or is tried again.
    """

    state: State
    step: str
    kind: str
    seconds: float = 0.0
    done: int = 0
    total: int = 0
    reason: str = ""


Progress = Callable[[Event], None]
"""Called with each event."""


def no_progress(_event: Event) -> None:
    """Says nothing."""


@contextmanager
def step(progress: Progress, name: str, kind: str) -> Iterator[None]:
    """Tell the beginning and the end of a step, which is done in the block."""
    progress(Event("begun", name, kind))
    start = time.perf_counter()
    try:
        yield
    except Exception as error:
        progress(Event("failed", name, kind, time.perf_counter() - start, reason=str(error)))
        raise
    progress(Event("done", name, kind, time.perf_counter() - start))


def marker_of(root: Path | None) -> Mapping[str, str]:
    """The file that marks a project, as one of the files that a build reads; nothing for the bundled games."""
    return {} if root is None else {MARKER: str(root / MARKER)}


MARKER = "refgen.toml"
"""The name of the file that marks the folder of a project."""


def nearest_project(start: Path) -> Path | None:
    """The nearest folder of a project: ``start``, or a folder above."""
    return next((folder for folder in (start, *start.parents) if (folder / MARKER).is_file()), None)
