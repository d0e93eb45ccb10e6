"""The aids of a game as data, before any layout; and what a build knows of a game whose aids are made.

In: a game and the folder that describes its aids. Out: aids, and the errors of those that cannot be made. The steps of
a build give GameData, AidResults and FinishedGames.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from refgen.aids.kind import AidKind, AidSources
from refgen.aids.kinds import KINDS
from refgen.blocks.kinds import load_aid_spec
from refgen.checks.errata import load_errata
from refgen.errors import RefgenError
from refgen.game import GameModel
from refgen.look.look import in_look

if TYPE_CHECKING:  # who checks a game makes no pages
    from refgen.pipeline.graph import JobResult
    from refgen.pipeline.output_files import Files
    from refgen.site.page import GameSummary


class NotedGames(Mapping[str, GameModel]):
    """Some games, and the ids of those that were asked for."""

    def __init__(self, games: Mapping[str, GameModel]) -> None:
        self._games = games
        self.asked: set[str] = set()

    def __getitem__(self, name: str) -> GameModel:
        game = self._games[name]
        self.asked.add(game.id)
        return game

    def __iter__(self) -> Iterator[str]:
        return iter(self._games)

    def __len__(self) -> int:
        return len(self._games)


@dataclass(frozen=True, slots=True)
class MadeAid:
    """An aid (None where the game has none), the ids of the ``others`` among the games that it takes from.

    ``errors`` say why some of the aid is missing.
    """

    aid: Any
    others: frozenset[str] = frozenset()
    errors: Sequence[RefgenError] = ()


@dataclass(frozen=True, slots=True)
class AidResults:
    """The results of the jobs of an aid, and the names of other games that the aid takes from."""

    kind: str
    results: Sequence[JobResult] = ()
    others: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class GameData:
    """A game that was read and checked: all that a build needs of the game but its aids.

    ``findings`` counts the open findings, ``questions`` the unanswered notes, ``files`` are the data files. ``rules``
    is the digest of the files that the game's pages rest on; "" where one of them changed during the reading, so that
    nothing may be kept.
    """

    summary: GameSummary
    findings: int
    questions: int
    files: Files
    rules: str


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A game whose aids are all made. The pages of the game are in the GameSites of the build."""

    data: GameData
    aids: Sequence[AidResults]

    @property
    def results(self) -> list[JobResult]:
        """The results of all jobs of the game."""
        return [result for aid in self.aids for result in aid.results]


def make_aid(
    kind: AidKind[Any, Any], folder: Path, game: GameModel, games: Mapping[str, GameModel], inputs: Sequence[Path] = ()
) -> MadeAid:
    """The aid of a kind, as a folder describes it; it may show tables of other ``games``. Raises RefgenError."""
    if kind.is_left_out(game):
        return MadeAid(None)
    noted = NotedGames(games)
    with in_look(game.look):
        aid = kind.make(AidSources(folder, game, noted, inputs))
    return MadeAid(aid, frozenset(noted.asked - {game.id}), kind.faults(aid) if aid is not None else ())


def make_aids(
    game: GameModel, folder: Path, kinds: Collection[str], games: Mapping[str, GameModel]
) -> tuple[Mapping[str, Any], Sequence[RefgenError]]:
    """The aids of some kinds by the names of the kinds, and why others, or some of one, are missing."""
    aids: dict[str, Any] = {}
    errors: list[RefgenError] = []
    for name in (name for name in KINDS if name in kinds):
        try:
            made = make_aid(KINDS[name], folder, game, games)
        except RefgenError as error:
            errors.append(error)
        else:
            errors += made.errors
            if made.aid is not None:
                aids[name] = made.aid
    return aids, errors


def file_errors(folder: Path) -> Iterator[RefgenError]:
    """The errors in the files that describe the aids and errata of a game, whatever its rules are."""
    for kind in KINDS.values():
        if kind.spec and kind.has_spec(folder):
            yield from _errors_of(partial(load_aid_spec, folder, kind.spec_name, kind.spec))
    yield from _errors_of(partial(load_errata, folder))


def _errors_of(load: Callable[[], object]) -> Iterator[RefgenError]:
    try:
        load()
    except RefgenError as error:
        yield error
