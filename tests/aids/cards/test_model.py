"""Decks as data: cards that are written out, cards made from rows and from sections, and blocks for words."""

from __future__ import annotations

from pathlib import Path

import pytest

from refgen.aids.cards.model import CardDeck, make_deck
from refgen.blocks.block import Block
from refgen.blocks.kinds import BlockSpec, make_block
from refgen.blocks.table_block import TableBlock
from refgen.blocks.text_blocks import FactsBlock, GlossaryBlock, ListBlock, QuoteBlock, QuoteSpec, TermSpec, TextBlock
from refgen.errors import RefgenError
from refgen.game import GameModel, load_game

RULES = """# Skirmish

## Weapons

| Weapon | Damage | Reach | Special |
|---|---|---|---|
| Dagger | 4 | 1 | thrown |
| Spear | 6 | 2 | |
| Axe | 8 | 1 | splits shields |

## Conditions

What befalls a fighter. It ends at dawn.

### Prone

You lie on the ground. Getting up takes a move.

- Attacks against you gain 2.
- You cannot run.

### Stunned

You do nothing.

## Moves

| Move |
|---|
| Charge |
| Feint |
"""

SYSTEM = """title = "Skirmish"
about = "A game."
document = "rules.md"
accent = "#123456"
source = "Skirmish"

[tables.weapons]
title = "Weapons"
section = "Weapons"
header = ["Weapon", "Damage", "Reach", "Special"]
columns = [
  { id = "weapon", title = "Weapon", type = "text" },
  { id = "damage", title = "Damage", type = "number" },
  { id = "reach", title = "Reach", type = "number" },
  { id = "special", title = "Special", type = "text" },
]
[tables.moves]
title = "Moves"
section = "Moves"
header = ["Move"]
columns = [{ id = "move", title = "Move", type = "text" }]
"""


@pytest.fixture
def skirmish(tmp_path: Path) -> GameModel:
    folder = tmp_path / "skirmish"
    folder.mkdir()
    (folder / "rules.md").write_text(RULES, encoding="utf-8")
    (folder / "system.toml").write_text(SYSTEM, encoding="utf-8")
    return load_game(folder)


def deck(game: GameModel, cards: str) -> CardDeck:
    assert game.folder is not None
    (game.folder / "cards.toml").write_text(cards, encoding="utf-8")
    return make_deck(game.folder, game)


def block(game: GameModel, **spec: object) -> Block:
    return make_block(game, BlockSpec.model_validate(spec), titled=False)


def test_a_table_becomes_a_card_a_row(skirmish: GameModel) -> None:
    made = deck(
        skirmish,
        """
        [[cards]]
        each = "row"
        table = "weapons"
        title = "{weapon}"
        count = 2
        [[cards.blocks]]
        text = "{weapon}: damage {damage}, reach {reach}."
        [[cards.blocks]]
        items = ["It is {special}."]
        """,
    )
    assert [(card.number, card.title, card.count, card.source) for card in made.cards] == [
        (1, "Dagger", 2, "rules.md:7"),
        (2, "Spear", 2, "rules.md:8"),
        (3, "Axe", 2, "rules.md:9"),
    ]
    assert made.cards[0].blocks == (
        TextBlock("", ("Dagger: damage 4, reach 1.",)),
        ListBlock("", ("It is thrown.",)),
    )


def test_a_foreign_table_of_thirty_rows_is_a_deck_in_ten_lines(tmp_path: Path) -> None:
    folder = tmp_path / "skirmish"
    folder.mkdir()
    rows = "".join(f"| Weapon {n} | {n} | {n % 3 + 1} | |\n" for n in range(1, 31))
    start, end = RULES.index("| Dagger"), RULES.index("\n## Conditions")
    (folder / "rules.md").write_text(RULES[:start] + rows + RULES[end:], encoding="utf-8")
    (folder / "system.toml").write_text(SYSTEM, encoding="utf-8")
    toml = """[kinds.weapon]
icon = "sword"
colour = "#7a2e1d"
[[cards]]
each = "row"
table = "weapons"
kind = "weapon"
[[cards.blocks]]
facts = ["damage", "reach"]
"""
    assert toml.count("\n") <= 10
    made = deck(load_game(folder), toml)
    assert len(made.cards) == 30
    assert made.cards[29].blocks == (FactsBlock("", (("Damage", "30"), ("Reach", "1"))),)


def test_what_names_nothing_but_a_blank_cell_is_left_out(skirmish: GameModel) -> None:
    made = deck(
        skirmish,
        """
        [[cards]]
        each = "row"
        table = "weapons"
        row_range = [2, 2]
        [[cards.blocks]]
        glossary = [{ term = "Special", text = "{special}" }, { term = "Damage", text = "{damage}" }]
        [[cards.blocks]]
        text = "It is {special}."
        """,
    )
    (spear,) = made.cards
    assert spear.blocks == (GlossaryBlock("", (("Damage", "6"),)),)


def test_facts_that_are_all_blank_are_left_out(skirmish: GameModel) -> None:
    made = deck(
        skirmish,
        """
        [[cards]]
        each = "row"
        table = "weapons"
        row_range = [2, 2]
        blocks = [{ facts = ["special"] }, { facts = ["special", "reach"] }]
        """,
    )
    assert made.cards[0].blocks == (FactsBlock("", (("Reach", "2"),)),)


def test_without_blocks_a_row_shows_all_its_cells(skirmish: GameModel) -> None:
    made = deck(skirmish, '[[cards]]\neach = "row"\ntable = "weapons"')
    assert [card.title for card in made.cards] == ["Dagger", "Spear", "Axe"]
    assert made.cards[1].blocks == (GlossaryBlock("", (("Damage", "6"), ("Reach", "2"))),)


def test_a_section_becomes_a_card_with_its_words(skirmish: GameModel) -> None:
    made = deck(skirmish, '[[cards]]\neach = "section"\nsection = "conditions"')
    assert [(card.title, card.source) for card in made.cards] == [("Prone", "rules.md:15"), ("Stunned", "rules.md:22")]
    assert made.cards[0].blocks == (
        QuoteBlock("", ("You lie on the ground. Getting up takes a move.",)),
        ListBlock("", ("Attacks against you gain 2.", "You cannot run.")),
    )


def test_kinds_say_what_their_cards_look_like(skirmish: GameModel) -> None:
    made = deck(
        skirmish,
        """
        back = "Skirmish!"
        [kinds.weapon]
        icon = "sword"
        colour = "#7a2e1d"
        [[cards]]
        each = "row"
        table = "weapons"
        kind = "weapon"
        row_range = [1, 1]
        [[cards]]
        title = "A card"
        icon = "die"
        back = "Another"
        blocks = [{ text = "Words." }]
        """,
    )
    assert [(card.kind, card.icon, card.colour, card.back) for card in made.cards] == [
        ("weapon", "sword", "#7a2e1d", "Skirmish!"),
        ("", "die", "", "Another"),
    ]


def test_a_quotation_takes_the_words_of_the_document(skirmish: GameModel) -> None:
    whole = block(skirmish, quote=QuoteSpec(section="Prone"))
    assert whole == QuoteBlock("", ("You lie on the ground. Getting up takes a move.",))
    one = block(skirmish, quote=QuoteSpec(section="Prone", sentence="takes a move"))
    assert one == QuoteBlock("", ("Getting up takes a move.",))


def test_a_glossary_has_terms(skirmish: GameModel) -> None:
    made = block(skirmish, glossary=[TermSpec(term="Prone", text="lies on the ground.")])
    assert made == GlossaryBlock("", (("Prone", "lies on the ground."),))


def test_a_table_of_one_column_is_not_bold_and_does_not_repeat_its_title(skirmish: GameModel) -> None:
    (card,) = deck(skirmish, '[[cards]]\ntitle = "Move"\nblocks = [{ table = "moves" }]').cards
    (table,) = card.blocks
    assert isinstance(table, TableBlock)
    assert table.is_list
    assert not any(cell.header for row in table.rows for cell in row)
    (card,) = deck(skirmish, '[[cards]]\ntitle = "What to do"\nblocks = [{ table = "moves" }]').cards
    (table,) = card.blocks
    assert isinstance(table, TableBlock)
    assert not table.is_list


@pytest.mark.parametrize(
    ("cards", "message", "hint"),
    [
        ('[[cards]]\neach = "row"\ntable = "weapon"', 'there is no table "weapon"', "weapons"),
        (
            '[[cards]]\neach = "row"\ntable = "weapons"\ntitle = "{wepon}"',
            'there is no column or fact "wepon"',
            "weapon",
        ),
        (
            '[[cards]]\neach = "row"\ntable = "weapons"\nrow_range = [1, 9]',
            'table "weapons" has 3 rows, and rows 1 to 9 are wanted',
            "",
        ),
        (
            '[[cards]]\neach = "row"',
            '"cards.0": table and row_range go with each = "row", which makes a card of each row of a table',
            "",
        ),
        ('[[cards]]\neach = "section"\nsection = "Condition"', 'the document has no section "Condition"', "Conditions"),
        (
            '[[cards]]\neach = "section"\nsection = "Stunned"',
            'no section stands under "Stunned" to make cards of',
            "heading above",
        ),
        ('[[cards]]\ntitle = "A"\nkind = "x"\nblocks = [{ text = "B" }]', 'there is no kind "x"', "[kinds.x]"),
        ('[[cards]]\ntitle = "A"\nicon = "swrod"\nblocks = [{ text = "B" }]', 'there is no icon "swrod"', "sword"),
        (
            '[kinds.x]\nicon = "swrod"\n[[cards]]\ntitle = "A"\nkind = "x"\nblocks = [{ text = "B" }]',
            'there is no icon "swrod"',
            "sword",
        ),
        ('pattern = "wave"\n[[cards]]\ntitle = "A"\nblocks = [{ text = "B" }]', 'there is no pattern "wave"', "waves"),
        ('icon = "tank"\n[[cards]]\ntitle = "A"\nblocks = [{ text = "B" }]', 'there is no icon "tank"', ""),
        ('[[cards]]\ntitle = "A"\nblocks = [{ table = "wepons" }]', 'there is no table "wepons"', "weapons"),
        ('[[cards]]\ntitle = "A"\nblocks = [{ facts = ["hp"] }]', 'there is no fact "hp"', ""),
        (
            'overflow = "shrink"\n[[cards]]\ntitle = "A"\nblocks = [{ text = "B" }]',
            '"overflow": this is not "continue", "back" or "report"',
            "",
        ),
        ("cards = []", '"cards": there must be at least 1, and there are 0', ""),
        (
            '[[cards]]\neach = "row"\ntable = "weapons"\nblocks = [{ text = "{reeach}" }]',
            'there is no column or fact "reeach"',
            "reach",
        ),
        ('[[cards]]\ntitle = "A"', '"cards.0": a card has a title and blocks, or each', ""),
        (
            '[[cards]]\ntitle = "A"\nblocks = [{ quote = { section = "Pron" } }]',
            'the document has no section "Pron"',
            "Prone",
        ),
        (
            '[[cards]]\ntitle = "A"\nblocks = [{ quote = { section = "Prone", paragraph = 2 } }]',
            'the section "Prone" has 1 paragraph, and number 2 is wanted',
            "",
        ),
        (
            '[[cards]]\ntitle = "A"\nblocks = [{ quote = { section = "Prone", sentence = "fly" } }]',
            'no sentence of the section "Prone" has the words "fly"',
            "Copy",
        ),
    ],
)
def test_what_cannot_be_made_says_where_and_why(skirmish: GameModel, cards: str, message: str, hint: str) -> None:
    with pytest.raises(RefgenError) as caught:
        deck(skirmish, cards)
    assert caught.value.message == message
    assert hint in caught.value.hint
    assert str(caught.value.span).startswith("skirmish/cards.toml:")


def test_a_table_without_rows_is_refused_where_it_is_printed(tmp_path: Path) -> None:
    folder = tmp_path / "skirmish"
    folder.mkdir()
    (folder / "rules.md").write_text(RULES.replace("| Charge |\n| Feint |\n", ""), encoding="utf-8")
    (folder / "system.toml").write_text(SYSTEM, encoding="utf-8")
    (folder / "cards.toml").write_text('[[cards]]\neach = "row"\ntable = "moves"', encoding="utf-8")
    with pytest.raises(RefgenError) as caught:
        make_deck(folder, load_game(folder))
    assert str(caught.value) == "skirmish/rules.md:28:1: this table has no rows"
