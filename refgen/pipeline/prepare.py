"""The aids of a game as data, before any layout.

In: a game, and which kinds of aids are wanted. Out: the aids that could be made, and the errors of the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from refgen.aids import card_deck, character_sheet, gm_screen
from refgen.errors import RefgenError
from refgen.game.game import Game

Aid = gm_screen.GmScreen | character_sheet.CharacterSheet | card_deck.CardDeck


class Kind(StrEnum):
    """What a build makes."""

    SCREEN = "screen"
    SHEET = "sheet"
    CARD = "card"
    SITE = "site"
    DATA = "data"


MAKERS: Mapping[Kind, tuple[str, Callable[[Path, Game, Mapping[str, Game]], Aid]]] = {
    Kind.SCREEN: (gm_screen.SPEC_NAME, gm_screen.screen_of_game),
    Kind.SHEET: (character_sheet.SPEC_NAME, lambda folder, game, _: character_sheet.make_sheet(folder, game)),
    Kind.CARD: (card_deck.SPEC_NAME, lambda folder, game, _: card_deck.make_deck(folder, game)),
}
"""The file that describes each kind of aid, and what makes the aid of it. A game without the file has no such aid."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A game with its aids, ready to be rendered."""

    game: Game
    aids: Mapping[Kind, Aid]
    errors: Sequence[RefgenError]


def prepare(game: Game, folder: Path, kinds: frozenset[Kind], games: Mapping[str, Game]) -> Prepared:
    """Check a game and make its aids, which may take from other ``games``.

    Raises RefgenError when its tables or checks fail; an aid that fails is only left out.
    """
    game.check()
    aids: dict[Kind, Aid] = {}
    errors: list[RefgenError] = []
    for kind, (spec_name, maker) in MAKERS.items():
        if kind not in kinds or not (folder / spec_name).exists():
            continue
        try:
            aids[kind] = maker(folder, game, games)
        except RefgenError as error:
            errors.append(error)
        else:
            errors += getattr(aids[kind], "faults", ())
    return Prepared(game, aids, errors)
