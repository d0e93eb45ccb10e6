"""Builds that do nothing when there is nothing to do.

In: what is asked for, in plain words. Out: a BuildResult, or a plan in words. What makes pages, or reads rules, is
loaded when there is something to make.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from refgen.errors import AidError
from refgen.pipeline.digests import environment_digests, file_digest
from refgen.pipeline.executors.loop import LOCAL, scheduler_of
from refgen.pipeline.output_files import MANIFEST
from refgen.pipeline.result import (
    BuildRecord,
    BuildResult,
    BuildSources,
    keep_record,
    last_record,
    marker_of,
    nearest,
    request_key,
)
from refgen.pipeline.store import Store, open_store
from refgen.pipeline.store import clear_cache as clear_cache

if TYPE_CHECKING:
    from refgen.api.project import Project

MOST_NAMED = 8


@dataclass(frozen=True, slots=True)
class BuildOrder:
    """What a build is asked for, as on the command line: the same always means the same pages of the same files.

    ``chosen`` are further options of ``Project.build``, ``inputs`` the files that aids of some kinds are made of
    besides their game, by the names of the kinds.
    """

    folder: str | None = None
    documents: tuple[str, ...] = ()
    output: str = "build"
    games: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    papers: tuple[str, ...] = ()
    chosen: Mapping[str, Any] = field(default_factory=dict)
    bundled: bool = False
    inputs: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def root(self) -> Path | None:
        """The folder of the project; None for the bundled games."""
        if self.bundled:
            return None
        return Path(self.folder) if self.folder is not None else nearest(Path.cwd())

    def key(self) -> str:
        """The key that the last such build is kept under."""
        return request_key(
            self.root,
            {**asdict(self), "of": type(self).__name__, "folder": "", "here": str(Path.cwd()), "to": self.target()},
        )

    def target(self) -> str:
        """The folder that the output is or links to."""
        return os.path.realpath(self.output)

    def options(self, project: Project) -> dict[str, Any]:  # noqa: ARG002  # screens need it
        """The options of ``Project.build``."""
        return {
            "output": self.output,
            "games": self.games,
            "only": self.only,
            "papers": self.papers,
            "inputs": self.inputs,
            **self.chosen,
        }


@dataclass(frozen=True, slots=True)
class ScreenOrder(BuildOrder):
    """The same of screens alone: of the ``games`` (default: all), among which are files and names of the project's."""

    def options(self, project: Project) -> dict[str, Any]:
        """The options of ``Project.build``."""
        files = [Path(name) for name in self.games if name.endswith(".toml")]
        named = {name: path for name, path in project.screens.items() if name in self.games or not self.games}
        games = [name for name in self.games if not name.endswith(".toml") and name not in named]
        screens = {**named, **project.named_screens(files)}
        asked = {"games": games if self.games else project.own_games, "screens": screens}
        return {**BuildOrder.options(self, project), **asked}


def products() -> Sequence[str]:
    """The products of a build: the names of the kinds of aids, the site and the data."""
    from refgen.pipeline.request import PRODUCTS

    return PRODUCTS


def build(
    asked: BuildOrder, *, cache: bool = True, executor: str = LOCAL, project: Project | None = None, **runs: Any
) -> BuildResult:
    """Build what is asked for, of a ``project`` that is known already or as it is found.

    ``runs`` are further arguments of ``Project.build``, such as ``jobs`` and ``progress``. Raises RefgenError for what
    concerns all.
    """
    scheduler_of(executor)  # an unknown one is told even when there is nothing to do
    runs["executor"] = executor
    store = open_store() if cache else None
    if store is None:
        project = project or project_of(asked)
        return project.build(**options_of(asked, project), **runs, cache=False)
    record = last_record(store, asked.key())
    known = record.result(Path(asked.target())) if record else None
    if known is not None:
        return known
    marker = file_digest(asked.root / "refgen.toml") if asked.root else ""
    project = project or project_of(asked)
    options = options_of(asked, project)
    read = _read(asked, project, options.get("screens", {}))
    inputs = read.inputs()
    result = project.build(**options, **runs)
    unchanged = inputs == read.inputs() and marker == inputs.get("refgen.toml", "")
    if unchanged and not (result.errors or result.notes or result.fault):
        _remember(store, asked, read, inputs, result)
        result.fault = store.fault
    return result


def compare(asked: BuildOrder, *, cache: bool = True, **runs: Any) -> BuildResult:
    """Find out how the output differs from what a build would make of it; nothing is written there."""
    project = project_of(asked)
    return project.build(**options_of(asked, project), **runs, cache=cache, compares=True)


def explain(asked: BuildOrder, *, cache: bool = True) -> Iterator[str]:
    """Say what a build would do, and why, line by line. Raises RefgenError for what concerns all."""
    store = open_store() if cache else None
    record = last_record(store, asked.key()) if store else None
    if record is not None:
        if record.result(Path(asked.target())) is not None:
            yield "nothing to do: no file that is read has changed, and the output is as it was left"
            return
        if changed := record.changed():
            more = f" and {len(changed) - MOST_NAMED} more" if len(changed) > MOST_NAMED else ""
            yield f"changed: {', '.join(changed[:MOST_NAMED])}{more}"
    project = project_of(asked)
    result = project.plan(**options_of(asked, project), cache=cache)
    yield from (f"kept     {title}" for title in sorted(result.kept))
    yield from (f"to make  {title}: {_why(title, result, record, store)}" for title in sorted(result.made))
    for error in result.errors:
        yield f"fails    {error}"
    total = len(result.made) + len(result.kept)
    yield f"{len(result.made)} of {total} to lay out; data and site are made anew where their game has changed"


def _why(title: str, result: BuildResult, record: BuildRecord | None, store: Store | None) -> str:
    """Why something has to be made."""
    if store is None:
        return "there is no cache"
    if record is None or title not in record.shown:
        return "it was not made before"
    if others := record.changed_environment():
        return f"changed: {', '.join(others)}"
    if record.shown[title] != result.shown[title]:
        return "what it shows has changed"
    return "it is not in the cache any more"


def project_of(asked: BuildOrder) -> Project:
    """The project that a build is asked of. Raises RulesError where there is none."""
    from refgen.api.project import project_with

    return project_with(asked.games, asked.folder, asked.documents, bundled=asked.bundled)


def refreshed(asked: BuildOrder, known: Project | None) -> Project:
    """The project that builds are asked of, with those games of ``known`` that have not changed since."""
    found = project_of(asked)
    return known.refreshed(found) if known else found


def options_of(asked: BuildOrder, project: Project) -> dict[str, Any]:
    """The options of ``Project.build``.

    Raises AidError where one kind of aid is asked for, and a game that is named, or every game, has no file that says
    what stands on it: nothing would be made of it, and nothing said.
    """
    from refgen.aids.kinds import KINDS

    options = asked.options(project)
    kind = KINDS.get(asked.only[0]) if len(asked.only) == 1 else None
    every = () if options.get("screens") else project.own_games
    games = project.select(options["games"]) if options["games"] else every
    undescribed = [name for name in games if kind and not kind.is_described(project.folders[name])]
    if kind and undescribed and (asked.games or len(undescribed) == len(games)):
        name = kind.spec_name.removesuffix(".toml")
        hint = f"Write one beside system.toml; `refgen schema {name}` has its keys."
        raise AidError(f"there is no {kind.spec_name} of {', '.join(undescribed)}", hint=hint)
    return options


def _read(asked: BuildOrder, project: Project, screens: Mapping[str, Path]) -> BuildSources:
    """Where a project, and screens besides its own, are read."""
    documents = {f"--document {text.partition('=')[0]}": text.partition("=")[2] for text in asked.documents}
    screen_files = {f"screen {name}": str(path) for name, path in {**project.screens, **screens}.items()}
    given = {f"input {path}": path for paths in asked.inputs.values() for path in paths}
    others = {**marker_of(asked.root), **documents, **screen_files, **given}
    games = {name: str(folder) for name, folder in project.folders.items()}
    content = next(iter(project.folders.values())).parent
    return BuildSources(str(content), games, {name: str(Path(path).absolute()) for name, path in others.items()})


def _remember(store: Store, asked: BuildOrder, read: BuildSources, inputs: dict[str, str], result: BuildResult) -> None:
    """Keep what the build read and made, unless another changed the output since."""
    record = BuildRecord(
        read,
        inputs,
        environment_digests(),
        file_digest(Path(asked.target()) / MANIFEST),
        result.files,
        result.findings,
        [(found.file, found.where, found.what) for found in result.mismatches],
        result.shown,
    )
    keep_record(store, asked.key(), record)
