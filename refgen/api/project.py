"""The games of a folder, or the bundled ones: what commands and notebooks start from.

In: a folder, a name, or nothing. Out: a Project, or one of its games.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from refgen.api.game import Game
from refgen.errors import RefgenError, RulesError, UnknownNameError, each_error, together
from refgen.game.catalog import Catalog, Lazy
from refgen.game.spec import SystemSpec
from refgen.pipeline.executors.loop import LOCAL
from refgen.pipeline.project import ProjectFolders, find_project, folder_project, named_screens
from refgen.pipeline.result import Progress, no_progress
from refgen.pipeline.store import open_store
from refgen.rules.load import load_ruleset
from refgen.rules.spec_files import phrasing_errors
from refgen.suggestion import did_you_mean

if TYPE_CHECKING:
    from concurrent.futures import Future

    from refgen.api.report import Report
    from refgen.pipeline.request import BuildRequest
    from refgen.pipeline.result import BuildResult


def load(game: str | Path, *, document: str | Path | None = None, partial: bool = False) -> Game:
    """A game: a bundled one or one of the nearest project's by its name, or the folder of one.

    ``document`` is read in place of the game's own, as ``--document`` has it. Raises RefgenError for what cannot be
    read; with ``partial`` that is left out, asking for it raises its error, and ``check`` lists it.

    >>> load("harmonies")
    <Game harmonies: 14 tables, 46 facts, 1 actions>
    """
    found = folder_project(Path(game), Path(document) if document else None)
    if found is not None:
        project = Project(found)
        (name,) = project.folders
    else:
        documents = [f"{game}={document}"] if document else []
        project, name = Project(find_project(None, documents, named=True)), str(game)
    return project.partial[name] if partial else project.games[name]


def project(folder: str | Path | None = None, documents: Sequence[str] = (), *, bundled: bool = False) -> Project:
    """The project in ``folder``; else the nearest one upward from here. With ``bundled``, the bundled games instead.

    ``documents`` are texts "GAME=FILE", each read in place of a game's own. Raises RulesError, also where there is no
    project.
    """
    return project_with((), folder, documents, bundled=bundled)


def project_with(
    names: Sequence[str], folder: str | Path | None = None, documents: Sequence[str] = (), *, bundled: bool = False
) -> Project:
    """The same for whoever names games: where there is no project, the bundled games with these names."""
    root = None if folder is None else Path(folder)
    return Project(find_project(root, documents, bundled=bundled, named=bool(names)))


MOST_GAMES = 6
"""Games of a project that are remembered when they are loaded: of a project of hundreds not all fit into memory. They
are some more than a build has in work."""


class Project:
    """Some games, each loaded when it is first asked for.

    ``partial`` has the same games without what cannot be read of them; ``games`` raises that.
    """

    def __init__(self, folders: ProjectFolders) -> None:
        self._loaded = Lazy(folders.folders, self._load, MOST_GAMES)
        self._sound = Lazy(folders.folders, self._whole, MOST_GAMES)
        self.partial: Catalog[Game] = Catalog("game", self._loaded)
        self.games: Catalog[Game] = Catalog("game", self._sound)
        self._folders = replace(folders, games=self.games, forget=self._forget)

    def _load(self, name: str) -> Game:
        folder, document = self._folders.folders[name], self._folders.documents.get(name)
        self._folders.note(name)
        return Game(load_ruleset(folder, SystemSpec, document, self._folders.written, partial=True), folder, self.build)

    def _whole(self, name: str) -> Game:
        game = self.partial[name]
        if game.ruleset.errors:
            raise together(game.ruleset.errors)
        return game

    def _forget(self, name: str) -> bool:
        return self._loaded.forget(name) | self._sound.forget(name)

    def refreshed(self, now: Project) -> Project:
        """The project as it is ``now``, with those of these games that have not changed since they were read."""
        from refgen.pipeline.request import of_rules

        if now._folders.outline != self._folders.outline:
            return now
        for name, read in [*self._folders.read.items()]:
            if of_rules(read) != of_rules(self._folders.inputs(name)):
                self._loaded.drop(name)
                self._sound.drop(name)
        return self

    def __repr__(self) -> str:
        return f"<Project: {', '.join(self.games)}>"

    def select(self, names: Sequence[str]) -> list[str]:
        """The ids of the named games, each once; all of the project's own when none is named.

        Raises UnknownNameError, and RulesError where none is named and the project has no games of its own.
        """
        found = list(dict.fromkeys(map(self.games.id_of, names))) or list(self.own_games)
        if not found:
            raise RulesError("the project has no game of its own", hint=f"Name one of {', '.join(self.games)}.")
        return found

    @property
    def own_games(self) -> Sequence[str]:
        """The ids of the project's own games: none where it is one of screens alone, which take from bundled games."""
        return () if self._folders.lent else tuple(self.games)

    def check(self, name: str) -> Report:
        """Compare every printed number of a game with the rules.

        The report's ``errors`` are all that is wrong with its files: those of its rules, errata, play aids and
        characters. A game that cannot be read at all has nothing else.
        """
        from refgen.api.report import Report
        from refgen.pipeline.make_aids import file_errors

        game_id = self.games.id_of(name)
        try:
            report = self.partial[game_id].check()
            errors = [*report.errors, *self._other_errors(self.partial[game_id])]
        except RefgenError as error:
            report, errors = Report(game_id, (), (), {}), [error, *file_errors(self.folders[game_id])]
        by_message = {str(each): each for error in errors for each in each_error(error)}
        return replace(report, errors=tuple(by_message.values()))

    def _other_errors(self, game: Game) -> Sequence[RefgenError]:
        """The errors of the play aids, characters and phrasings of a game; characters stand on a sound sheet."""
        from refgen.aids.kinds import KINDS
        from refgen.pipeline.make_aids import make_aids

        folder, ruleset = self.folders[game.id], game.ruleset
        described = [name for name, kind in KINDS.items() if kind.has_spec(folder)]
        _, aids = make_aids(game, folder, described, self.games)
        characters = [] if aids else game.character_faults
        return [*aids, *characters, *phrasing_errors(folder, ruleset.spec, ruleset.files)]

    def accept(self, name: str, finding: str, reason: str, prints: str = "printed") -> Path:
        """Write a finding of a game to its errata.toml, with why it is accepted, and return that file.

        ``prints`` is what play aids print in its place: printed, computed or both. Raises RefgenError for a finding
        that is not there or accepted already, and for a bundled game.
        """
        from refgen.checks.finding import Print
        from refgen.pipeline.game_files import accept

        game_id = self.games.id_of(name)
        return accept(self.games[game_id].check(), self.folders[game_id], finding, reason, Print(prints))

    def pin(self, name: str) -> Path:
        """Write what nothing can compare in a game to its pins.toml, as it is now, and return that file.

        From then on ``check`` has a note for each that is another. Raises RefgenError for a game that cannot be read,
        and for a bundled one.
        """
        from refgen.pipeline.game_files import pin

        game_id = self.games.id_of(name)
        return pin(self.games[game_id].ruleset, self.folders[game_id])

    @property
    def folders(self) -> Mapping[str, Path]:
        """Where each game lies."""
        return self._folders.folders

    @property
    def screens(self) -> Mapping[str, Path]:
        """The files of the screens that belong to no game, by the names of their output."""
        return self._folders.screens

    def build(
        self,
        output: Path | str = "build",
        games: Sequence[str] = (),
        *,
        only: Collection[str] = (),
        papers: Sequence[str] = (),
        screens: Mapping[str, Path] | None = None,
        cards: Mapping[str, Any] | None = None,
        chosen: Mapping[str, Mapping[str, Any]] | None = None,
        inputs: Mapping[str, Sequence[Path | str]] | None = None,
        base_url: str | None = None,
        calculate: bool = False,
        jobs: int | None = None,
        executor: str = LOCAL,
        cache: bool = True,
        compares: bool = False,
        made: Callable[[Mapping[str, bytes]], object] | None = None,
        first: Collection[str] = (),
        stop: Future[None] | None = None,
        progress: Progress = no_progress,
        **settings: Any,
    ) -> BuildResult:
        """Make the play aids of some games (default: all) and publish them whole.

        ``only`` are kinds, as ``refgen build --help`` lists them (default: all). ``papers`` are a4, letter or a5
        (a5 is for screens). ``screens`` belong to no game, by the names of their output (default: the project's, with
        all games).
        ``cards`` say how decks are made, as the options of ``refgen cards`` do: size, landscape, imposition, papers,
        flip, gutter, offset, theme, pictures, calibration, tabletop, url; ``chosen`` says the same of other kinds, by
        their names. ``inputs`` are files that aids of a kind are made of besides their game, by the kind's name. With
        ``calculate`` the computed fields of sheets follow what is typed, as with ``refgen sheet --calculate``.
        ``settings`` are those of ``[screen]`` in refgen.toml: orientation, imposition, theme, players; a ``theme`` is
        that of sheets too. ``base_url`` is where the site will be published (default: that of ``[site]`` in
        refgen.toml, else nowhere yet). Steps run on the ``executor``, ``jobs`` at a time: "local" (a process for each
        core; with one job, this one), or "dask://HOST:PORT" (the scheduler of a cluster). ``progress`` is called with
        each thing that happens to a step: its ``state`` (begun, again, kept, done, failed), ``step``, ``kind``,
        ``seconds``, and how many aids are ``done`` of a ``total``. What an earlier build made of the same is taken
        from the ``cache``. With ``compares`` nothing is written: the
        result tells the ``differences``. ``made`` is called with files, by path, long before all is published: with
        pages as they are estimated before a layout, those with the paths ``first`` before all else, then with all
        files of each aid. The exception of ``stop``, once it has one, ends the build; what was made is in the cache.

        Raises RefgenError for what concerns all; what fails alone is in the result, and the rest is made.
        """
        from refgen.pipeline.build_run import build  # it loads all that renders, which other commands need not

        options = replace(
            self._options(
                Path(output),
                games,
                only,
                papers,
                screens,
                {"card": cards or {}, **(chosen or {})},
                base_url,
                settings,
                inputs or {},
                calculates=calculate,
            ),
            jobs=jobs,
            executor=executor,
            store=open_store() if cache else None,
            compares=compares,
            made=made,
            first=first,
            stop=stop,
        )
        return build(self._folders, options, progress)

    def export(self, output: Path | str, games: Sequence[str] = (), *, target: str = "mkdocs") -> BuildResult:
        """Write the rule documents and tables of some games (default: all) as Markdown files, a page each.

        ``target`` is what makes a site of them: mkdocs or hugo. What an earlier export wrote to ``output`` is replaced.
        Raises RefgenError for a game that cannot be read, and for a folder with files that are not refgen's.
        """
        from refgen.export.markdown_pages import Target, markdown_pages
        from refgen.pipeline.publish import publish, publishing
        from refgen.pipeline.result import BuildResult

        chosen = Target(*_kinds([target], list(Target)))
        files = markdown_pages([self.games[name] for name in self.select(games)], chosen)
        with publishing(Path(output)) as folder:
            publish(folder, files, dict.fromkeys(files, "markdown"), [])
        return BuildResult(files=sorted(files))

    def plan(
        self,
        output: Path | str = "build",
        games: Sequence[str] = (),
        *,
        only: Collection[str] = (),
        papers: Sequence[str] = (),
        inputs: Mapping[str, Sequence[Path | str]] | None = None,
        base_url: str | None = None,
        cache: bool = True,
    ) -> BuildResult:
        """Find out what such a build would have to make, and what it would take from the cache; nothing is made."""
        from refgen.pipeline.build_run import plan

        options = self._options(Path(output), games, only, papers, None, {}, base_url, {}, inputs or {})
        return plan(self._folders, replace(options, store=open_store() if cache else None))

    def _options(
        self,
        output: Path,
        games: Sequence[str],
        only: Collection[str],
        papers: Sequence[str],
        screens: Mapping[str, Path] | None,
        chosen: Mapping[str, Mapping[str, Any]],
        base_url: str | None,
        settings: Mapping[str, Any],
        inputs: Mapping[str, Sequence[Path | str]],
        *,
        calculates: bool = False,
    ) -> BuildRequest:
        from refgen.pipeline.request import PRODUCTS, BuildRequest, InputFile, usual_options

        screen = self._folders.settings.choosing(papers=tuple(papers), **settings).options()
        sheet = {"theme": settings.get("theme"), "calculate": calculates}
        return BuildRequest(
            games=self.select(games) if games else self.own_games if screens is None else (),
            products=frozenset(_kinds(only, PRODUCTS)),
            options=usual_options(papers, **{"screen": screen, "sheet": sheet, **chosen}),
            inputs={kind: [InputFile.at(path) for path in paths] for kind, paths in inputs.items()},
            output=output,
            published=self._folders.site.at(base_url),
            screens=screens if screens is not None else {} if games else self.screens,
        )

    def named_screens(self, files: Sequence[Path]) -> Mapping[str, Path]:
        """Files that describe screens, by the names of their output. Raises RulesError for a name that is taken."""
        return named_screens(files, [*self.games, *self.screens])


def _kinds(only: Collection[str], known: Sequence[str]) -> Collection[str]:
    for name in only:
        if name not in known:
            raise UnknownNameError(f'"{name}" is not one of {", ".join(known)}', hint=did_you_mean(name, known))
    return only or known
