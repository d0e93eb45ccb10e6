"""The result of a build, the events of its progress, and the record by which a later build finds nothing to do.

In: the project and the options of a build, and the cache. Out: the BuildRecord of the last build with the same options:
where all its inputs and outputs are unchanged, its result is the result of the new build. This module loads nothing
that reads rules or makes pages.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from refgen.errors import RefgenError
from refgen.pipeline.digests import all_inputs, digest, environment_digests, file_digest
from refgen.pipeline.output_files import MANIFEST, read_manifest
from refgen.pipeline.store import Store

if TYPE_CHECKING:
    from refgen.layout.readback.pieces import Mismatch

CHARACTERS = "characters"
"""The folder, within that of a game in the output, that has the sheets of characters."""


@dataclass
class BuildResult:
    """The files of a build, as paths in the output, its errors, and the mismatches of its pages and their models.

    ``findings`` counts the open findings by game. ``made`` are the jobs that were done, ``kept`` the jobs that an
    earlier build had done, ``failed`` the aids and games that were not made, or only in part. ``failing`` are the games
    and screens with errors, ``taken_from`` the other games that a game or a screen takes from. ``notes`` say which
    characters' sheets were not made the usual way, and what the site lacks. ``fault`` says why nothing is kept for the
    next build. ``shown`` are the digests of what each job shows. ``differences`` are the files of the output that
    differ, where the build only compared.
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
"""The states of a step; ``again``: it is tried once more; ``kept``: it is taken from the cache."""


@dataclass(frozen=True, slots=True)
class Event:
    """An event of a step, by the name and the kind of the step: read, screen, sheet, card, site, publish or fill.

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


SPEC_NAME = "system.toml"


@dataclass(frozen=True, slots=True)
class BuildSources:
    """The places that a build reads: the folder of all games, the folders of games by name, and other files by name."""

    content: str
    games: Mapping[str, str]
    others: Mapping[str, str]

    def inputs(self) -> dict[str, str]:
        """The digests of all files in these places, including the files of games that have come since."""
        there = {path.parent.name: path.parent for path in Path(self.content).glob(f"*/{SPEC_NAME}")}
        games = {name: Path(folder) for name, folder in self.games.items()}
        return all_inputs(there | games, {name: Path(path) for name, path in self.others.items()})


@dataclass(frozen=True, slots=True)
class BuildRecord:
    """The record of a build without errors: digests of all inputs and of the environment, and the result."""

    read: BuildSources
    inputs: Mapping[str, str]
    environment: Mapping[str, str]
    manifest: str
    files: Sequence[str] = ()
    findings: Mapping[str, int] = field(default_factory=dict)
    mismatches: Sequence[Sequence[str]] = ()
    shown: Mapping[str, str] = field(default_factory=dict)

    def changed(self) -> list[str]:
        """The inputs that have changed since the build."""
        now = self.read.inputs()
        return sorted(name for name in {*now, *self.inputs} if now.get(name) != self.inputs.get(name))

    def changed_environment(self) -> list[str]:
        """The parts of the environment that have changed since the build."""
        return [name for name, value in environment_digests().items() if self.environment.get(name) != value]

    def result(self, output: Path) -> BuildResult | None:
        """The result of this build, if nothing has changed since and all its files are in the output; else None."""
        if self.changed_environment() or self.changed() or not self._is_in(output):
            return None
        from refgen.layout.readback.pieces import Mismatch

        mismatches = [Mismatch(*texts) for texts in self.mismatches]
        return BuildResult([*self.files], findings=dict(self.findings), mismatches=mismatches, kept=[*self.shown])

    def _is_in(self, output: Path) -> bool:
        """Whether every file of the output is as the build left it."""
        if file_digest(output / MANIFEST) != self.manifest:
            return False
        return all(file_digest(output / made.path) == made.sha256 for made in read_manifest(output))


def request_key(root: Path | None, asked: Mapping[str, Any]) -> str:
    """The key of the record of a build: builds of the same project with the same options have the same key."""
    return digest(["request 1", os.path.realpath(root) if root else "bundled", json.dumps(asked, sort_keys=True)])


def last_record(store: Store, key: str) -> BuildRecord | None:
    """The record of the last build with this key; None where there was none."""
    data = store.get(key)
    if data is None:
        return None
    record = json.loads(data)
    return BuildRecord(**{**record, "read": BuildSources(**record["read"])})


def keep_record(store: Store, key: str, record: BuildRecord) -> None:
    """Keep the record of a build."""
    store.put(key, json.dumps(asdict(record)).encode())


def marker_of(root: Path | None) -> Mapping[str, str]:
    """The file that marks a project, as one of the files that a build reads; nothing for the bundled games."""
    return {} if root is None else {MARKER: str(root / MARKER)}


MARKER = "refgen.toml"
"""The name of the file that marks the folder of a project."""


def nearest(start: Path) -> Path | None:
    """The nearest folder of a project: ``start``, or a folder above."""
    return next((folder for folder in (start, *start.parents) if (folder / MARKER).is_file()), None)
