"""The deck of a game without cards.toml: a card for each row of the longest table of texts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from refgen.aids.cards.kind import CardsKind
from refgen.aids.cards.proposal import LONGEST_TEXT, proposed_deck
from refgen.aids.kind import AidSources
from refgen.game import GameModel
from tests.aids.stranger import lantern_road


def with_table(game: GameModel, name: str, times: int) -> GameModel:
    """The game with the last column of a table repeated so many times in each cell."""
    table = game.printed[name]
    rows = tuple((*row[:-1], replace(row[-1], text=row[-1].text * times, value=None)) for row in table.rows)
    return GameModel(replace(game.ruleset, tables={**game.printed, name: replace(table, rows=rows)}), game.folder)


def test_each_row_of_the_longest_table_of_texts_is_a_card(tmp_path: Path) -> None:
    game = lantern_road(tmp_path)
    deck = CardsKind().make(AidSources(tmp_path, game))
    assert deck is not None
    assert [card.title for card in deck.cards] == ["Ember", "Hush", "Knot", "Lull", "Veil", "Wick"]
    assert deck.cards[1].blocks[0].contents().texts == (
        "No step of the bearer is heard until the moon has set, be it on gravel or on ice.",
    )


def test_texts_that_no_card_has_room_for_make_no_deck(tmp_path: Path) -> None:
    game = lantern_road(tmp_path)
    assert proposed_deck(with_table(game, "charms", 2)) is not None
    assert proposed_deck(with_table(game, "charms", LONGEST_TEXT)) is None


def test_a_game_of_short_tables_has_no_deck(tmp_path: Path) -> None:
    game = lantern_road(tmp_path)
    short = {name: table for name, table in game.printed.items() if name != "charms"}
    game.ruleset = replace(game.ruleset, tables=short)
    assert CardsKind().make(AidSources(tmp_path, game)) is None


def test_two_columns_of_texts_stand_under_their_heads(tmp_path: Path) -> None:
    game = lantern_road(tmp_path)
    table = game.printed["charms"]
    price = replace(table.columns[2], id="price", title="Price")
    wide = replace(table, columns=(*table.columns, price), rows=tuple((*row, row[1]) for row in table.rows))
    game.ruleset = replace(game.ruleset, tables={"charms": wide})
    spec = proposed_deck(game)
    assert spec is not None
    assert [(block.title, block.text) for block in spec.cards[0].blocks] == [
        ("Effect", "{effect}"),
        ("Price", "{price}"),
    ]
