"""The result of a build, and the events by which a build tells its progress.

Importing this module loads nothing that makes pages: a build with nothing to do has a result too.
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


SPEC_NAME = "system.toml"


@dataclass(frozen=True, slots=True)
class BuildSources:
    """Where a build reads: the folder with all games, these by name, and other files by the names they have here."""

    content: str
    games: Mapping[str, str]
    others: Mapping[str, str]

    def inputs(self) -> dict[str, str]:
        """The digests of all that there is to read now; a game that came or went shows in them."""
        there = {path.parent.name: path.parent for path in Path(self.content).glob(f"*/{SPEC_NAME}")}
        games = {name: Path(folder) for name, folder in self.games.items()}
        return all_inputs(there | games, {name: Path(path) for name, path in self.others.items()})


@dataclass(frozen=True, slots=True)
class BuildRecord:
    """A build without errors: its inputs, its environment, and its result."""

    read: BuildSources
    inputs: Mapping[str, str]
    environment: Mapping[str, str]
    manifest: str
    files: Sequence[str] = ()
    findings: Mapping[str, int] = field(default_factory=dict)
    mismatches: Sequence[Sequence[str]] = ()
    shown: Mapping[str, str] = field(default_factory=dict)

    def changed(self) -> list[str]:
        """The files that are not as they were."""
        now = self.read.inputs()
        return sorted(name for name in {*now, *self.inputs} if now.get(name) != self.inputs.get(name))

    def changed_environment(self) -> list[str]:
        """The inputs besides the project's files that have changed."""
        return [name for name, value in environment_digests().items() if self.environment.get(name) != value]

    def result(self, output: Path) -> BuildResult | None:
        """The result of a build that has nothing to do; None for a build that has."""
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
    """The key of what is asked for: builds of the same project, with the same options, into the same folder."""
    return digest(["request 1", os.path.realpath(root) if root else "bundled", json.dumps(asked, sort_keys=True)])


def last_record(store: Store, key: str) -> BuildRecord | None:
    """The last build that was asked for the same."""
    data = store.get(key)
    if data is None:
        return None
    record = json.loads(data)
    return BuildRecord(**{**record, "read": BuildSources(**record["read"])})


def keep_record(store: Store, key: str, record: BuildRecord) -> None:
    """Keep what a build read and made."""
    store.put(key, json.dumps(asdict(record)).encode())


def marker_of(root: Path | None) -> Mapping[str, str]:
    """The file that marks a project, as one of those that a build reads."""
    return {} if root is None else {MARKER: str(root / MARKER)}


MARKER = "refgen.toml"


def nearest(start: Path) -> Path | None:
    """The nearest folder upward that is a project."""
    return next((folder for folder in (start, *start.parents) if (folder / MARKER).is_file()), None)
