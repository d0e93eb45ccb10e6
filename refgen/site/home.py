"""The first page of the site, and the first page of each game.

In: summaries of games, or a game, and the files made for them. Out: HomePage, with what it says of each game; and
OverviewPage: what there is of a game, and where.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from refgen.game.game import GameModel
from refgen.game.system_info import SystemInfo
from refgen.site import address
from refgen.site.page import AidLinks, Head


@dataclass(frozen=True, slots=True)
class GameSummary:
    """The lines about a game on the first page, kept beside the game's pages for builds of other games alone."""

    id: str
    title: str
    about: str
    accent: str
    printed: int
    computed: int
    compared: int
    findings: int

    @classmethod
    def of(cls, game: GameModel) -> GameSummary:
        """The summary of a game."""
        system, report = SystemInfo.of(game), game.check()
        numbers = (len(game.printed), len(game.computed), report.compared, len(report.open))
        return cls(system.id, system.title, system.about, system.accent, *numbers)


@dataclass(frozen=True, slots=True)
class HomePage:
    """Each game with its aids."""

    template: ClassVar[str] = "home"
    head: Head
    games: tuple[tuple[GameSummary, tuple[AidLinks, ...]], ...]


def make_home(games: Sequence[tuple[GameSummary, Sequence[AidLinks]]]) -> HomePage:
    """The first page."""
    about = "Screens, sheets and cards made from the rule documents of tabletop games, every number checked."
    return HomePage(Head(address.HOME, "Play aids", about), tuple((game, tuple(aids)) for game, aids in games))


@dataclass(frozen=True, slots=True)
class OverviewPage:
    """The play aids of a game, and its numbers."""

    template: ClassVar[str] = "overview"
    head: Head
    summary: GameSummary
    aids: tuple[AidLinks, ...]


def make_overview(head: Head, summary: GameSummary, aids: Sequence[AidLinks]) -> OverviewPage:
    """The first page of a game."""
    return OverviewPage(head, summary, tuple(aids))
