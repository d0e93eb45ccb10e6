"""What a game gives to a build: it is read, checked and made into aids, or known from an earlier build that did so.

In: a game of a project, and what is asked for. Out: a GameParts. It is kept by the digests of all files of the game
and of the games that its aids take from; a game with an error is read anew each time, so that the error is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from refgen.aids.kind import AidJob
from refgen.aids.kinds import KINDS
from refgen.errors import RefgenError
from refgen.export.check import check_data
from refgen.export.model import json_text
from refgen.export.tables import tables_data
from refgen.game.game import Game
from refgen.pipeline.cache.digests import digest, file_digest, fingerprint
from refgen.pipeline.cache.steps import recall_of, shown, step_key
from refgen.pipeline.cache.store import Store, packed, unpacked
from refgen.pipeline.job import Done
from refgen.pipeline.prepare import DATA, of_rules, prepare
from refgen.pipeline.project import Project
from refgen.pipeline.spool import Spool
from refgen.site.home import GameSummary

Inputs = Mapping[str, str]
"""The digests of some files, by name."""


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file that an aid is made of besides its game, and the digest of its bytes."""

    path: str
    digest: str

    @classmethod
    def at(cls, path: Path | str) -> InputFile:
        """The file as it is now."""
        return cls(str(path), file_digest(Path(path)))


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is made of each game: which of PRODUCTS, and how the aids of each kind are made, by the kind's name.

    ``inputs`` are the files that aids of some kinds are made of besides their game.
    """

    kinds: frozenset[str]
    options: Mapping[str, Any]
    inputs: Mapping[str, Sequence[InputFile]] = field(default_factory=dict)

    @property
    def paths(self) -> Mapping[str, Sequence[Path]]:
        """The paths of the inputs, by the names of kinds."""
        return {kind: [Path(file.path) for file in files] for kind, files in self.inputs.items()}

    @property
    def are_as_they_were(self) -> bool:
        """Whether no input has changed since it was asked for."""
        return all(InputFile.at(file.path) == file for files in self.inputs.values() for file in files)


def usual_options(papers: Sequence[str], **chosen: Mapping[str, Any]) -> Mapping[str, Any]:
    """How the aids of each kind are made on ``papers`` (none: the usual ones), as ``chosen`` for some kinds.

    A kind may have papers of its own among what is chosen.
    """
    return {name: kind.options(**{"papers": papers, **chosen.get(name, {})}) for name, kind in KINDS.items()}


@dataclass(frozen=True, slots=True)
class GameParts:
    """What a game gives to a build.

    ``findings`` are the open ones, ``data`` the files of the data. ``others`` are the games that an aid of a kind takes
    from. Of the aids, the ``jobs`` are to be done, or they are ``done``, each with the digest of what it ``shows``, or
    they ``failed`` with some of the ``errors``.
    ``key`` is that of all it rests on, ``rules`` that of its rules alone, or "" where that is not to be kept.
    """

    key: str
    rules: str
    findings: int
    summary: GameSummary
    data: Mapping[str, bytes]
    others: Mapping[str, frozenset[str]]
    jobs: Sequence[AidJob] = ()
    done: Sequence[Done] = ()
    shows: Mapping[str, str] = field(default_factory=dict)
    errors: Sequence[RefgenError] = ()
    failed: Sequence[str] = ()


@dataclass(slots=True)
class GameReader:
    """Reads the games of a project, or finds them in a store.

    ``taken_from`` are the games that a screen which belongs to none takes from, by its name. ``elsewhere`` is what
    another process has read, None for nothing.
    """

    project: Project
    wanted: Wanted
    store: Store | None
    spool: Spool
    taken_from: dict[str, frozenset[str]] = field(default_factory=dict)
    elsewhere: Callable[[str], GameParts | None] | None = None
    _inputs: dict[str, Inputs] = field(default_factory=dict)

    def inputs(self, name: str) -> Inputs:
        """The digests of all files of a game, as they were when it was first asked about."""
        if name not in self._inputs:
            self._inputs[name] = self.project.inputs(name)
        return self._inputs[name]

    def inputs_of(self, names: Iterable[str]) -> dict[str, str]:
        """Those of some games."""
        return {path: digest for name in names for path, digest in self.inputs(name).items()}

    def knows(self, name: str) -> bool:
        """Whether an earlier build has left what a game gives."""
        return self.store is not None and self._key(name) in self.store

    def parts(self, name: str) -> GameParts:
        """What a game gives. Raises RefgenError when its tables or checks fail; an aid that fails is only left out."""
        key = self._key(name)
        found = self._recall(name, key)
        if found is None:
            found = self._read_elsewhere(name, key) or self._read(name, key)
            if self.store and found.key:
                _keep(self.store, found, {other: self._digest(other) for other in _all_others(found)})
        done = [one.spooled(self.spool) for one in found.done]
        return replace(found, data=self.spool.take(found.data), done=done)

    def _read_elsewhere(self, name: str, key: str) -> GameParts | None:
        """What another process has read; not to be kept where that was not what the key is of."""
        found = self.elsewhere(name) if self.elsewhere else None
        return replace(found, key="", rules="") if found and found.key != key else found

    def _read(self, name: str, key: str) -> GameParts:
        games = self.project.games
        ready = prepare(games[name], self.project.folders[name], self.wanted.kinds, games, self.wanted.paths)
        jobs = list(jobs_of(ready.game, ready.aids, self.wanted))
        games_read = [name, *frozenset[str]().union(*ready.others.values())]
        known = self.project.read
        is_kept = (
            not ready.errors
            and all(known.get(one) == self.inputs(one) == self.project.inputs(one) for one in games_read)
            and self.wanted.are_as_they_were
        )
        return GameParts(
            key=key if is_kept else "",
            rules=self._rules(name) if is_kept else "",
            findings=len(ready.game.check().open),
            summary=GameSummary.of(ready.game),
            data=_data_files(ready.game) if DATA in self.wanted.kinds else {},
            others=ready.others,
            jobs=jobs,
            shows={job.title: shown(job) for job in jobs} if self.store else {},
            errors=ready.errors,
            failed=[f"{name}/{KINDS[kind].names.stem}" for kind in ready.failed],
        )

    def _recall(self, name: str, key: str) -> GameParts | None:
        """What an earlier build found of the same; None when some of it is not there, or rests on what has changed."""
        entry = self.store.get(key) if self.store else None
        if not self.store or entry is None:
            return None
        (findings, summary, others, digests, shows), (data,) = unpacked(entry)
        if any(other not in self.project.folders or self._digest(other) != was for other, was in digests.items()):
            return None
        done = [recall_of(self.store, title, name, what) for title, what in shows.items()]
        if not all(done):
            return None
        return GameParts(
            key=key,
            rules=self._rules(name),
            findings=findings,
            summary=GameSummary(**summary),
            data=data,
            others={kind: frozenset(names) for kind, names in others.items()},
            done=[one for one in done if one],
            shows=shows,
        )

    def _key(self, name: str) -> str:
        return step_key(digest(["game 1", name, self._document(name), self._digest(name), fingerprint(self.wanted)]))

    def _rules(self, name: str) -> str:
        return digest([name, self._document(name), _digest(of_rules(self.inputs(name)))])

    def _document(self, name: str) -> str:
        return f"{self.project.documents.get(name, '')} {self.project.written.model_dump_json()}"

    def _digest(self, name: str) -> str:
        return _digest(self.inputs(name))


def _digest(inputs: Inputs) -> str:
    return digest(part for item in inputs.items() for part in item)


def jobs_of(game: Game, aids: Mapping[str, Any], wanted: Wanted) -> Iterator[AidJob]:
    """What is to be made of the aids of a game."""
    return (job for name, aid in aids.items() for job in KINDS[name].jobs(game, aid, wanted.options[name]))


def _data_files(game: Game) -> dict[str, bytes]:
    return {
        f"{game.id}/tables.json": json_text(tables_data(game)).encode(),
        f"{game.id}/check.json": json_text(check_data([game.check()])).encode(),
    }


def _all_others(found: GameParts) -> frozenset[str]:
    return frozenset[str]().union(*found.others.values())


def _keep(store: Store, found: GameParts, digests: Mapping[str, str]) -> None:
    others = {kind: sorted(names) for kind, names in found.others.items()}
    store.put(found.key, packed([found.findings, asdict(found.summary), others, digests, found.shows], found.data))
