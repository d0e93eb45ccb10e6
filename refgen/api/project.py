"""The games of a folder, or the bundled ones: what commands and notebooks start from.

In: a folder, a name, or nothing. Out: a Project, or one of its games.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from refgen.api.game import Game
from refgen.errors import RefgenError, UnknownNameError
from refgen.game.catalog import Catalog, Lazy
from refgen.game.spec import SystemSpec
from refgen.pipeline.progress import Progress, no_progress
from refgen.pipeline.project import Project as Folders
from refgen.pipeline.project import find_project, folder_project, named_screens
from refgen.render.page_format import USUAL_PAPERS, PageFormat, Paper
from refgen.rules.load import load_ruleset
from refgen.rules.phrasing import phrasing_errors
from refgen.suggestion import did_you_mean

if TYPE_CHECKING:
    from refgen.pipeline.run import BuildResult


def load(game: str | Path, *, document: str | Path | None = None) -> Game:
    """A game: a bundled one or one of the nearest project's by its name, or the folder of one.

    ``document`` is read in place of the game's own, as ``--document`` has it. Raises RefgenError at the first fault.

    >>> load("harmonies")
    <Game harmonies: 14 tables, 44 facts, 1 actions>
    """
    found = folder_project(Path(game), Path(document) if document else None)
    if found is not None:
        (only,) = Project(found).games.values()
        return only
    return Project(find_project(None, [f"{game}={document}"] if document else [])).games[str(game)]


def project(folder: str | Path | None = None, documents: Sequence[str] = ()) -> Project:
    """The project in ``folder``; else the nearest one upward from here; else the bundled games.

    ``documents`` are texts "GAME=FILE", each read in place of a game's own. Raises RulesError.
    """
    return Project(find_project(None if folder is None else Path(folder), documents))


class Project:
    """Some games, each loaded when it is first asked for."""

    def __init__(self, folders: Folders) -> None:
        made = Lazy(folders.folders, self._load)
        self.games: Catalog[Game] = Catalog("game", made)
        self._folders = replace(folders, games=self.games)

    def _load(self, name: str) -> Game:
        folder = self._folders.folders[name]
        return Game(load_ruleset(folder, SystemSpec, self._folders.documents.get(name)), folder, self.build)

    def __repr__(self) -> str:
        return f"<Project: {', '.join(self.games)}>"

    def select(self, names: Sequence[str]) -> list[str]:
        """The ids of the named games, each once; all of them when none is named. Raises UnknownNameError."""
        return list(dict.fromkeys(map(self.games.id_of, names))) or list(self.games)

    def validate(self, name: str) -> Sequence[RefgenError]:
        """What is wrong with the files of a game, all of it: system.toml, errata.toml, and those of its play aids."""
        from refgen.pipeline.prepare import Kind, file_errors, prepare

        folder = self.folders[self.games.id_of(name)]
        try:
            ruleset = self.games[name].ruleset
            phrasings = phrasing_errors(folder, ruleset.spec, ruleset.spec_source)
            return [*prepare(self.games[name], folder, frozenset(Kind), self.games).errors, *phrasings]
        except RefgenError as error:
            errors = {str(each): each for each in (error, *file_errors(folder))}
            return list(errors.values())

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
        jobs: int | None = None,
        progress: Progress = no_progress,
        **settings: Any,
    ) -> BuildResult:
        """Make the play aids of some games (default: all) and publish them whole.

        ``only`` are kinds: screen, sheet, card, site, data (default: all). ``papers`` are a4, letter or a5 (a5 is for
        screens). ``screens`` belong to no game, by the names of their output (default: the project's, with all games).
        ``settings`` are those of ``[screen]`` in refgen.toml: orientation, imposition, theme, players. ``progress`` is
        called with what was just done, and how many of how many pieces of work are done.

        Raises RefgenError for what concerns all; what fails alone is in the result, and the rest is made.
        """
        from refgen.pipeline.prepare import Kind
        from refgen.pipeline.run import BuildOptions, build  # it loads all that renders, which other commands need not

        chosen = self._folders.settings.choosing(papers=tuple(papers), **settings)
        upright = [PageFormat(Paper(paper)) for paper in papers or USUAL_PAPERS]
        options = BuildOptions(
            games=self.select(games) if games or screens is None else [],
            kinds=frozenset(map(Kind, _kinds(only, list(Kind)))),
            formats={Kind.SCREEN: chosen.formats(), Kind.SHEET: upright, Kind.CARD: upright},
            players=chosen.players,
            output=Path(output),
            jobs=jobs or os.cpu_count() or 1,
            screens=screens if screens is not None else {} if games else self.screens,
        )
        return build(self._folders, options, progress)

    def named_screens(self, files: Sequence[Path]) -> Mapping[str, Path]:
        """Files that describe screens, by the names of their output. Raises RulesError for a name that is taken."""
        return named_screens(files, [*self.games, *self.screens])


def _kinds(only: Collection[str], known: Sequence[str]) -> Collection[str]:
    for name in only:
        if name not in known:
            raise UnknownNameError(f'"{name}" is not one of {", ".join(known)}', hint=did_you_mean(name, known))
    return only or known
