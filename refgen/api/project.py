"""The public Project: the games of a folder, or the bundled games; commands and notebooks start with a Project.

In: a folder, the name of a game, or nothing; or rule documents. Out: a Project, a Game of a project, or a NewGame.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from refgen.api.game import Game
from refgen.catalog import Catalog, LazyMapping, did_you_mean
from refgen.errors import RefgenError, RulesError, UnknownNameError, each_error, join_errors
from refgen.game import SystemSpec
from refgen.pipeline.project import ProjectFolders, ScreenPaper, find_project, folder_project, named_screens
from refgen.pipeline.result import Progress, no_progress
from refgen.rules.load import load_ruleset
from refgen.rules.spec_files import phrasing_errors

if TYPE_CHECKING:
    from refgen.api.settings import BuildSettings
    from refgen.export.check import Report
    from refgen.pipeline.new_game import NewGame
    from refgen.pipeline.request import BuildRequest
    from refgen.pipeline.result import BuildResult


def load(game: str | Path, *, document: str | Path | None = None, partial: bool = False) -> Game:
    """A game by its name (a bundled game, or a game of the nearest project) or by its folder.

    ``document`` is read in place of the game's own, as ``--document`` has it. Raises RefgenError for a table or fact
    that cannot be read; a ``partial`` game has no such tables: asking for a missing table raises its error, and
    ``check`` lists the error.

    >>> load("harmonies")
    <Game harmonies: 14 tables, 46 facts, 1 action>
    """
    found = folder_project(Path(game), Path(document) if document else None)
    if found is not None:
        project = Project(found)
        (name,) = project.folders
    else:
        documents = [f"{game}={document}"] if document else []
        project, name = Project(find_project(None, documents, named=True)), str(game)
    return project.partial[name] if partial else project.games[name]


def project(
    folder: str | Path | None = None, documents: Sequence[str] = (), *, bundled: bool = False, names: Sequence[str] = ()
) -> Project:
    """The project in ``folder`` (default: the nearest project upward from here), or the ``bundled`` games.

    ``documents`` are texts "GAME=FILE", each read in place of a game's own. Raises RulesError where there is no
    project, unless the caller has ``names`` of games, which may be bundled games then.
    """
    root = None if folder is None else Path(folder)
    return Project(find_project(root, documents, bundled=bundled, named=bool(names)))


def is_document(name: str) -> bool:
    """Whether something is named like a rule document, or like a page of the internet, and not like a game."""
    from refgen.readers.read import is_document_name  # most names are those of games

    return is_document_name(name) or "://" in name


def _hint_for_document(name: str) -> str:
    """How a game begins, for a file or an address in place of the name of a game; "" for any other name."""
    is_file = is_document(name) or Path(name).is_file()
    return f"A game begins with its rules: `refgen init {name}`." if is_file else ""


MOST_GAMES = 6
"""Loaded games that a project remembers (some more than a build has in work): hundreds would not fit into memory."""


class Project:
    """Some games, each loaded when it is first asked for.

    A game of ``games`` is whole: an error of its rules is raised. A game of ``partial`` lacks the tables with errors.
    """

    def __init__(self, folders: ProjectFolders) -> None:
        self._loaded = LazyMapping(folders.folders, self._load, MOST_GAMES)
        self._sound = LazyMapping(folders.folders, self._load_whole, MOST_GAMES)
        self.partial: Catalog[Game] = Catalog("game", self._loaded, hint_of=_hint_for_document)
        self.games: Catalog[Game] = Catalog("game", self._sound, hint_of=_hint_for_document)
        self._folders = replace(folders, games=self.games, forget=self._forget)

    def _load(self, name: str) -> Game:
        folders = self._folders
        folder, document = folders.folders[name], folders.documents.get(name)
        folders.read[name] = folders.inputs(name)
        settings = folders.written, folders.output
        rules = load_ruleset(folder, SystemSpec, document, *settings, partial=True)
        return Game(rules, folder, self.build, folders.root)

    def _load_whole(self, name: str) -> Game:
        game = self.partial[name]
        if game.ruleset.errors:
            raise join_errors(game.ruleset.errors)
        return game

    def _forget(self, name: str) -> None:
        self._loaded.forget(name)
        self._sound.forget(name)

    def refreshed(self, now: Project) -> Project:
        """The project as it is ``now``; games whose rules have not changed since they were read stay loaded."""
        from refgen.pipeline.request import of_rules

        if now._folders != self._folders:
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
            hint = f"`refgen init FILE` begins one from your rules. Or name one of {', '.join(self.games)}."
            raise RulesError("the project has no game of its own", hint=hint)
        return found

    @property
    def own_games(self) -> Sequence[str]:
        """The ids of the project's own games: none where it is one of screens alone, which take from bundled games."""
        return () if self._folders.lent else tuple(self.games)

    def check(self, name: str) -> Report:
        """Compare every printed number of a game with the rules.

        The ``errors`` of the report are those of all files: rules, errata, play aids and characters. The report of a
        game that cannot be read at all has errors alone.
        """
        from refgen.export.check import Report
        from refgen.pipeline.make_aids import file_errors

        game_id = self.games.id_of(name)
        try:
            report = self.partial[game_id].check()
            errors = [*report.errors, *self._other_errors(self.partial[game_id])]
        except RefgenError as error:
            report, errors = Report(game_id, (), (), {}), [error, *file_errors(self.folders[game_id])]
            errors += self._look_errors(game_id)
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
        return [*aids, *self._look_errors(game.id), *characters, *phrasing_errors(folder, ruleset.spec, ruleset.files)]

    def _look_errors(self, name: str) -> Sequence[RefgenError]:
        """The errors of the look of a game, and of the templates of its project."""
        try:
            look = self._folders.look_of(name)
        except RefgenError as error:
            return each_error(error)
        if not look.templates.shown:
            return ()
        from refgen.layout.templates import template_errors  # loads Jinja2: not for checks of most games

        return template_errors(look)

    def accept(self, name: str, finding: str, reason: str, prints: str = "printed") -> Path:
        """Write a finding of a game to errata.toml, with the reason why the finding is accepted, and return the file.

        ``prints`` says which number play aids show: printed, computed or both. Raises RefgenError for an unknown
        finding, for an accepted finding, and for a bundled game.
        """
        from refgen.checks.finding import Print
        from refgen.pipeline.game_files import accept

        game_id = self.games.id_of(name)
        return accept(
            self.games[game_id].check(), self.folders[game_id], finding, reason, Print(prints), self._folders.root
        )

    def pin(self, name: str) -> Path:
        """Write the numbers and words of a game that no check can compare to pins.toml, and return the file.

        From then on ``check`` has a note for each number that changes. Raises RefgenError for a game that cannot be
        read, and for a bundled game.
        """
        from refgen.pipeline.game_files import pin

        game_id = self.games.id_of(name)
        return pin(self.games[game_id].ruleset, self.folders[game_id], self._folders.root)

    @staticmethod
    def looks() -> Mapping[str, str]:
        """A line about each look that ships with refgen, by its name."""
        from refgen.pipeline.looks import about_looks

        return about_looks()

    def preview_look(self, look: str, game: str = "") -> bytes:
        """A picture (PNG) of a panel, a sheet and cards of a game (default: the first) in a look of refgen.

        Raises RefgenError for an unknown look, and for aids that cannot be made in this look.
        """
        from refgen.pipeline.looks import preview_look

        return preview_look(look, self.games[game or next(iter(self.games))])

    def copy_look(self, look: str, game: str = "") -> Path:
        """Write a look that ships with refgen as look.toml of the project, or of a game, and return the file.

        Raises RefgenError for an unknown look, where a look.toml is there, and for bundled games.
        """
        from refgen.pipeline.game_files import refuse_bundled
        from refgen.pipeline.looks import copy_look

        if game:
            game_id = self.games.id_of(game)
            refuse_bundled(game_id, self.folders[game_id], "look")
            return copy_look(look, self.folders[game_id])
        if self._folders.root is None:
            raise RulesError("there is no project here for a look", hint="Name a game of a project of yours.")
        return copy_look(look, self._folders.root)

    @property
    def folders(self) -> Mapping[str, Path]:
        """Where each game lies."""
        return self._folders.folders

    @property
    def look_paths(self) -> Sequence[str]:
        """The look.toml of the project, which need not be there, and the files that it names."""
        return tuple(self._folders.look)

    @property
    def screens(self) -> Mapping[str, Path]:
        """The files of the screens that belong to no game, by the names of their output."""
        return self._folders.screens

    def build(self, settings: BuildSettings | None = None, *, progress: Progress = no_progress) -> BuildResult:
        """Make play aids, site and data, and publish them whole. ``settings`` say what is built, and how.

        ``progress`` is called with each event of a step: its ``state`` (begun, again, kept, done, failed), ``step``,
        ``kind``, ``seconds``, and how many aids are ``done`` of a ``total``.

        Raises RefgenError for what concerns all games; errors of single games and aids are in the result, and the rest
        is made.
        """
        return self.run(self.request(settings), progress)

    def plan(self, settings: BuildSettings | None = None) -> BuildResult:
        """Plan a build without making anything: ``made`` are the aids to be made, ``kept`` the aids in the cache."""
        from refgen.pipeline.build_run import plan

        return plan(self._folders, self.request(settings))

    def request(self, settings: BuildSettings | None = None) -> BuildRequest:
        """The request of a build with these settings, all checked. Raises RefgenError for a setting that is wrong."""
        from refgen.aids.kinds import KINDS
        from refgen.api.settings import BuildSettings
        from refgen.pipeline.request import PRODUCTS, BuildRequest, InputFile, options_on
        from refgen.pipeline.store import open_store

        settings = settings or BuildSettings()
        named = [name for name in settings.games if name.endswith(".toml")]
        chosen = {name: path for name, path in self.screens.items() if name in settings.games or not settings.games}
        games = [name for name in settings.games if name not in {*named, *chosen}]
        options = {name: settings.options[name] for name in _check_names([*settings.options], [*KINDS])}
        _check_names([*settings.inputs], [*KINDS])
        _check_names(settings.papers, get_args(ScreenPaper))
        if settings.jobs is not None and settings.jobs < 1:
            raise RulesError(f"{settings.jobs} steps at a time", hint="Write 1 or more, or nothing for all cores.")
        return BuildRequest(
            games=self.select(games) if games else () if settings.games else self.own_games,
            products=frozenset(_check_names(settings.only, PRODUCTS) or PRODUCTS),
            options={
                paper: options_on(paper, settings.papers, options, self._folders.settings)
                for paper in ("", "a4", "letter")
            },
            inputs={kind: [InputFile.at(path) for path in paths] for kind, paths in settings.inputs.items()},
            output=Path(settings.output),
            published=self._folders.site_address(settings.base_url),
            screens={**chosen, **named_screens(map(Path, named), [*self.games, *self.screens])},
            jobs=settings.jobs,
            executor=settings.executor,
            store=open_store() if settings.cache else None,
        )

    def run(self, request: BuildRequest, progress: Progress = no_progress) -> BuildResult:
        """Build what a request asks for, as ``build`` does: for programs that show files before all is published."""
        from refgen.pipeline.build_run import build  # it loads all that renders, which other commands need not

        return build(self._folders, request, progress)

    def export(self, output: Path | str, games: Sequence[str] = (), *, target: str = "mkdocs") -> BuildResult:
        """Write the rule documents and tables of some games (default: all) as Markdown files, a page each.

        ``target`` is the program that makes a site of the files: mkdocs or hugo. An earlier export in ``output`` is
        replaced.
        Raises RefgenError for a game that cannot be read, and for a folder with files that are not refgen's.
        """
        from refgen.export.markdown_pages import Target, markdown_pages
        from refgen.pipeline.publish import check_output, publish, publishing
        from refgen.pipeline.result import BuildResult

        chosen = Target(*_check_names([target], list(Target)))
        check_output(Path(output))
        files = markdown_pages([self.games[name] for name in self.select(games)], chosen)
        with publishing(Path(output)) as folder:
            publish(folder, files, dict.fromkeys(files, "markdown"), [])
        return BuildResult(files=sorted(files))


def _check_names(names: Collection[str], known: Sequence[str]) -> Collection[str]:
    """Names that are all known. Raises UnknownNameError."""
    for name in names:
        if name not in known:
            raise UnknownNameError(f'"{name}" is not one of {", ".join(known)}', hint=did_you_mean(name, known))
    return names


def propose(
    paths: Sequence[str | Path], folder: str | Path = ".", *, name: str = "", title: str = "", example: str = ""
) -> NewGame:
    """The game that some documents describe, as a game of the project in ``folder``.

    ``paths`` are files, folders and patterns such as "rules/*.md". ``name`` is the id of the game and ``title`` its
    title, by default those of the documents. Without paths the game is an ``example``, by default the first one.
    Nothing is written before ``write`` of the NewGame. Raises RefgenError for a file that cannot be read.
    """
    from refgen.pipeline.new_game import example_game, new_game
    from refgen.proposals.sources import find_sources

    if not paths:
        return example_game(example, Path(folder))
    return new_game(find_sources([str(path) for path in paths]), Path(folder), name=name, title=title)


def example_names() -> Sequence[str]:
    """The names of the small complete games that ``propose`` knows."""
    from refgen.pipeline.new_game import examples

    return list(examples())
