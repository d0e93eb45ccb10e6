"""Records of builds: a build that finds all inputs and outputs of its record unchanged has nothing to do.

In: what is asked for, and the cache. Out: the Record of the last build that was asked for the same. None of this loads
what reads rules or makes pages.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from refgen.layout.readback.expected import Mismatch
from refgen.pipeline.cache.digests import all_inputs, digest, file_digest
from refgen.pipeline.cache.environment import environment_digests
from refgen.pipeline.cache.store import Store
from refgen.pipeline.manifest import MANIFEST, read_manifest
from refgen.pipeline.marker import MARKER
from refgen.pipeline.result import BuildResult

SPEC_NAME = "system.toml"


@dataclass(frozen=True, slots=True)
class Read:
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
class Record:
    """A build without errors: its inputs, its environment, and its result."""

    read: Read
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


def last_record(store: Store, key: str) -> Record | None:
    """The last build that was asked for the same."""
    data = store.get(key)
    if data is None:
        return None
    record = json.loads(data)
    return Record(**{**record, "read": Read(**record["read"])})


def keep_record(store: Store, key: str, record: Record) -> None:
    """Keep what a build read and made."""
    store.put(key, json.dumps(asdict(record)).encode())


def marker_of(root: Path | None) -> Mapping[str, str]:
    """The file that marks a project, as one of those that a build reads."""
    return {} if root is None else {MARKER: str(root / MARKER)}
