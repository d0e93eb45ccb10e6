"""The aids of a game as data, before any layout.

In: a game, and which kinds of aids are wanted. Out: the aids that could be made, and the errors of the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from pathlib import Path

from refgen.aids import card_deck, gm_screen
from refgen.aids.booklet import Booklet, make_booklet
from refgen.aids.card_deck import make_deck
from refgen.aids.deck_spec import DeckSpec
from refgen.aids.load import load_aid_spec
from refgen.aids.schema import ScreenSpec
from refgen.aids.sheet import make as sheet
from refgen.aids.sheet.model import CharacterSheet
from refgen.aids.sheet.spec import SheetSpec
from refgen.characters.form import Form
from refgen.checks.errata import load_errata
from refgen.errors import RefgenError, together
from refgen.game.game import Game
from refgen.rules.toml import Strict

Aid = gm_screen.GmScreen | CharacterSheet | card_deck.CardDeck | Booklet


class Kind(StrEnum):
    """What a build makes."""

    SCREEN = "screen"
    SHEET = "sheet"
    CARD = "card"
    BOOKLET = "booklet"
    SITE = "site"
    DATA = "data"


@dataclass(frozen=True, slots=True)
class Maker:
    """The file that describes a kind of aid, its model, and what makes the aid of it. No file, no such aid.

    A booklet is described by no file: every game has one.
    """

    file: str
    model: type[Strict]
    make: Callable[[Path, Game, Mapping[str, Game]], Aid]


def _sheet(folder: Path, game: Game) -> CharacterSheet:
    """The blank sheet of a game, whose formulas are sound."""
    return Form(game, sheet.make_sheet(folder, game)).sheet


MAKERS: Mapping[Kind, Maker] = {
    Kind.SCREEN: Maker(gm_screen.SPEC_NAME, ScreenSpec, gm_screen.screen_of_game),
    Kind.SHEET: Maker(sheet.SPEC_NAME, SheetSpec, lambda folder, game, _: _sheet(folder, game)),
    Kind.CARD: Maker(card_deck.SPEC_NAME, DeckSpec, lambda folder, game, _: make_deck(folder, game)),
}


def of_rules(inputs: Mapping[str, str]) -> dict[str, str]:
    """Of the files of games, those that rules and checks rest on: all but those that describe aids."""
    aids = {maker.file for maker in MAKERS.values()}
    return {path: digest for path, digest in inputs.items() if path.partition("/")[2] not in aids}


@dataclass(frozen=True, slots=True)
class Prepared:
    """A game with its aids, ready to be rendered; ``errors`` are those of the aids that fail.

    ``failed`` are the kinds of these. ``others`` are the other games that an aid takes from.
    """

    game: Game
    aids: Mapping[Kind, Aid]
    errors: Sequence[RefgenError]
    others: Mapping[Kind, frozenset[str]] = field(default_factory=dict)
    failed: Sequence[Kind] = ()


class Noted(Mapping[str, Game]):
    """Some games, and the ids of those that were asked for."""

    def __init__(self, games: Mapping[str, Game]) -> None:
        self._games = games
        self.asked: set[str] = set()

    def __getitem__(self, name: str) -> Game:
        game = self._games[name]
        self.asked.add(game.id)
        return game

    def __iter__(self) -> Iterator[str]:
        return iter(self._games)

    def __len__(self) -> int:
        return len(self._games)


def prepare(game: Game, folder: Path, kinds: frozenset[Kind], games: Mapping[str, Game]) -> Prepared:
    """Check a game and make its aids, which may take from other ``games``.

    Raises RefgenError when its tables or checks fail; an aid that fails is only left out.
    """
    if errors := game.check().errors:
        raise together(errors)
    return prepare_aids(game, folder, kinds, games)


def prepare_aids(game: Game, folder: Path, kinds: frozenset[Kind], games: Mapping[str, Game]) -> Prepared:
    """Make the aids of a game, whatever its checks say."""
    aids: dict[Kind, Aid] = {}
    errors: list[RefgenError] = []
    failed: list[Kind] = []
    others: dict[Kind, frozenset[str]] = {}
    for kind, maker in MAKERS.items():
        if kind not in kinds or not (folder / maker.file).exists():
            continue
        noted = Noted(games)
        try:
            aids[kind] = maker.make(folder, game, noted)
        except RefgenError as error:
            errors.append(error)
            failed.append(kind)
        else:
            others[kind] = frozenset(noted.asked - {game.id})
            errors += getattr(aids[kind], "faults", ())
    if Kind.BOOKLET in kinds and game.tables:
        aids[Kind.BOOKLET] = make_booklet(game)
    return Prepared(game, aids, errors, others, failed)


def file_errors(folder: Path) -> Iterator[RefgenError]:
    """What is wrong in the files that describe the aids and errata of a game, whatever its rules are."""
    for maker in MAKERS.values():
        if (folder / maker.file).exists():
            yield from _errors_of(partial(load_aid_spec, folder, maker.file, maker.model))
    yield from _errors_of(partial(load_errata, folder))


def _errors_of(load: Callable[[], object]) -> Iterator[RefgenError]:
    try:
        load()
    except RefgenError as error:
        yield error
