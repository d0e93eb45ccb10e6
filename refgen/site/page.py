"""The records that all pages share, and the simple pages: home, overview of a game, glossary, any dice.

In: summaries of games, a game, and links to the files of its aids. Out: pages. Paths of pages, of downloads and of
pictures lead from the root of the output.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from refgen.aids.reference_lists import (
    GlossaryFact,
    GlossaryLadder,
    GlossaryRoll,
    glossary_facts,
    glossary_ladders,
    glossary_rolls,
)
from refgen.characters.sheet import slug
from refgen.game import GameModel, SystemInfo
from refgen.site import address
from refgen.site.address import SitePart
from refgen.words import ENGLISH, Words


@dataclass(frozen=True, slots=True)
class Link:
    """A link: its words, and the path in the output that it leads to, which may end with an anchor."""

    title: str
    path: str


@dataclass(frozen=True, slots=True)
class Head:
    """A page's address, title and description, and the part it belongs to.

    ``game`` is None for the pages of the whole site, whose ``words`` are those of the project. ``previous`` and
    ``following`` are the pages beside it.
    """

    path: str
    title: str
    description: str
    words: Words
    game: SystemInfo | None = None
    part: SitePart | None = None
    navigation: tuple[Link, ...] = ()
    previous: Link | None = None
    following: Link | None = None

    @property
    def part_title(self) -> str:
        """The title of the part, "" on the pages of the whole site."""
        return self.words(self.part) if self.part else ""


@dataclass(frozen=True, slots=True)
class Download:
    """A file that a page links to, by its path in the output."""

    title: str
    path: str
    file_type: str


@dataclass(frozen=True, slots=True)
class Preview:
    """A picture of a page of an aid, and the page itself, by their paths in the output.

    ``alt`` describes the picture; ``width`` and ``height`` are in pixels.
    """

    picture: str
    path: str
    alt: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class AidLinks:
    """An aid of a game, the files of the aid, and pictures of its pages."""

    title: str
    about: str
    downloads: tuple[Download, ...]
    previews: tuple[Preview, ...] = ()

    @property
    def anchor(self) -> str:
        """The anchor of the aid on the page of its game."""
        return f"aid-{slug(self.title)}"


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
    numbers: int
    findings: int
    language: str = ""

    @classmethod
    def of(cls, game: GameModel) -> GameSummary:
        """The summary of a game."""
        system, extent = SystemInfo.of(game), game.extent
        numbers = (len(game.printed), len(game.computed), extent.compared, extent.total, len(game.check().open))
        return cls(system.id, system.title, system.about, system.accent, *numbers, system.words.language)


@dataclass(frozen=True, slots=True)
class HomePage:
    """The first page of the site: each game with its aids."""

    template: ClassVar[str] = "home"
    head: Head
    games: tuple[tuple[GameSummary, tuple[AidLinks, ...]], ...]


def make_home(games: Sequence[tuple[GameSummary, Sequence[AidLinks]]], words: Words = ENGLISH) -> HomePage:
    """The first page."""
    head = Head(address.HOME, words("play-aids"), words("home-about"), words)
    return HomePage(head, tuple((game, tuple(aids)) for game, aids in games))


@dataclass(frozen=True, slots=True)
class OverviewPage:
    """The play aids of a game, and its numbers."""

    template: ClassVar[str] = "overview"
    head: Head
    summary: GameSummary
    aids: tuple[AidLinks, ...]


@dataclass(frozen=True, slots=True)
class GlossaryPage:
    """Ladders, rolls and facts."""

    template: ClassVar[str] = "glossary"
    head: Head
    ladders: tuple[GlossaryLadder, ...]
    rolls: tuple[GlossaryRoll, ...]
    facts: tuple[GlossaryFact, ...]


def make_glossary(head: Head, game: GameModel) -> GlossaryPage:
    """The glossary of a game."""
    return GlossaryPage(
        head,
        tuple(glossary_ladders(game)),
        tuple(shown for shown, _ in glossary_rolls(game)),
        tuple(glossary_facts(game)),
    )


EXAMPLES = (
    ("3d6 + 2", "sum"),
    ("4dF", "fudge"),
    ("d%", "percent"),
    ("4d6kh3", "highest"),
    ("d20 advantage", "advantage"),
    ("d20 vs 2d10", "higher"),
    ("2d6+1 vs 8", "reach"),
    ("3d6; 2d10; d20", "side"),
    ("3d6!", "exploding"),
    ("open(4dF)", "open"),
    ("max(d8, d6)", "best"),
    ("6d10cs>=7", "count"),
    ("3d6r1", "again"),
    ("1d6 x 10", "times"),
    ("repeat(3, max(d6, d8))", "repeat"),
    ("snake(explode(d8))", "snake"),
    ("floor(3d6 / 2)", "half"),
    ("if(d20 >= 12, 2d6, 0)", "if"),
    ('map(2d6, "..6: 0, 7-9: 1, 10..: 2")', "map"),
)
"""Examples of the notation of dice, each with the end of the id of its meaning, "example-dice-…"."""


@dataclass(frozen=True, slots=True)
class DicePage:
    """A field to type dice in, with examples; ``letters`` stand for dice besides d."""

    template: ClassVar[str] = "dice"
    head: Head
    letters: Sequence[str] = ()

    @property
    def examples(self) -> Sequence[tuple[str, str]]:
        """Examples of dice, each with its meaning."""
        return [(dice, self.head.words(f"example-dice-{name}")) for dice, name in EXAMPLES]


def make_dice(letters: Sequence[str] = (), words: Words = ENGLISH) -> DicePage:
    """The page of any dice, which takes these letters for dice besides d."""
    return DicePage(Head(address.DICE, words("any-dice"), words("any-dice-about"), words), letters)
