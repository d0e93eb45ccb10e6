"""Decks for other tables, each read by another reader than what wrote it, or against the documented shape."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator
from lxml import html
from markdown_it import MarkdownIt

from refgen.aids.cards.tabletop import FRONTS_PER_PICTURE, picture_grid, saved_object
from refgen.cli import main
from refgen.export.deck import (
    BlockData,
    CardData,
    DeckData,
    card_html,
    card_markdown,
    deck_markdown,
    journal_data,
    roll_table_data,
)
from tests.conftest import SYSTEMS

pytestmark = pytest.mark.usefixtures("commands_share_games")

INTEGER, TEXT, FLAG = {"type": "integer"}, {"type": "string"}, {"type": "boolean"}


def closed(**properties: Any) -> dict[str, Any]:
    """An object with just these properties."""
    keys = [*properties]
    return {"type": "object", "properties": properties, "required": keys, "additionalProperties": False}


ROLL_TABLE = closed(
    name=TEXT,
    description=TEXT,
    formula={"type": "string", "pattern": r"^1d\d+$"},
    replacement=FLAG,
    displayRoll=FLAG,
    results={
        "type": "array",
        "items": closed(
            type={"enum": ["text", "document"]},
            name=TEXT,
            description=TEXT,
            text=TEXT,
            weight={"type": "integer", "minimum": 1},
            range={"type": "array", "items": INTEGER, "minItems": 2, "maxItems": 2},
            drawn=FLAG,
        ),
    },
)
"""RollTableData and TableResultData of Foundry's API documentation (foundryvtt.com/api): what an import needs.

Foundry 12 shows the text of a result, Foundry 13 and 14 its name and description.
"""

JOURNAL = closed(
    name=TEXT,
    pages={
        "type": "array",
        "items": closed(
            name={"type": "string", "minLength": 1},
            type={"const": "text"},
            title=closed(show=FLAG, level={"type": "integer", "minimum": 1, "maximum": 6}),
            text=closed(format={"enum": [1, 2]}, content=TEXT),
            sort=INTEGER,
        ),
    },
)
"""JournalEntryData and JournalEntryPageData of the same."""

TRANSFORM = closed(**{f"{kind}{axis}": {"type": "number"} for kind in ("pos", "rot", "scale") for axis in "XYZ"})
SHEETS = {
    "type": "object",
    "additionalProperties": False,
    "patternProperties": {
        r"^[1-9]\d*$": closed(
            FaceURL=TEXT,
            BackURL=TEXT,
            NumWidth={"type": "integer", "minimum": 2, "maximum": 10},
            NumHeight={"type": "integer", "minimum": 2, "maximum": 7},
            BackIsHidden=FLAG,
            UniqueBack=FLAG,
            Type={"enum": [0, 1, 2, 3, 4]},
        )
    },
}
CARD = closed(Name={"const": "Card"}, Transform=TRANSFORM, Nickname=TEXT, CardID=INTEGER, CustomDeck=SHEETS)
SAVED_OBJECT = closed(
    SaveName=TEXT,
    ObjectStates={
        "type": "array",
        "minItems": 1,
        "items": closed(
            Name={"const": "DeckCustom"},
            Transform=TRANSFORM,
            Nickname=TEXT,
            DeckIDs={"type": "array", "items": INTEGER, "minItems": 2},
            CustomDeck=SHEETS,
            ContainedObjects={"type": "array", "items": CARD, "minItems": 2},
        ),
    },
)
"""The saved objects of the knowledge base of Tabletop Simulator ("Save File Format"), what a deck needs of them."""


def printed(system: str, output_format: str) -> str:
    result = CliRunner().invoke(main, ["cards", system, "--format", output_format], catch_exceptions=False)
    assert result.exit_code == 0
    return result.stdout


def deck(system: str) -> DeckData:
    found: DeckData = json.loads(printed(system, "json"))
    return found


def faults(schema: dict[str, Any], data: Any) -> list[str]:
    return [fault.message for fault in Draft202012Validator(schema).iter_errors(data)]


def said(block: BlockData) -> list[str]:
    """All texts of a block, in order."""
    pairs = [text for pair in block["pairs"] for text in (pair["term"], pair["text"])]
    cells = [text for row in [block["heads"], *block["rows"]] for text in row]
    notes = [f"{note['sign']} {note['text']}" for note in block["footnotes"]]
    return [text for text in (block["title"], *block["texts"], *pairs, *cells, block["note"], *notes) if text]


def words_of(markup: str) -> str:
    return " ".join(html.fromstring(f"<div>{markup}</div>").text_content().split())


def in_order(texts: list[str], page: str) -> bool:
    place = 0
    for text in texts:
        place = page.find(" ".join(text.split()), place) + len(" ".join(text.split()))
        if place < len(text):
            return False
    return True


@pytest.mark.parametrize("system", SYSTEMS)
def test_markdown_says_what_the_cards_say(system: str) -> None:
    data = deck(system)
    page = words_of(MarkdownIt("commonmark").enable("table").render(printed(system, "markdown")))
    texts = [text for card in data["cards"] for text in (card["title"], *(t for b in card["blocks"] for t in said(b)))]
    assert in_order([data["title"], *texts], page)


def test_nothing_in_a_text_is_taken_for_markdown() -> None:
    text = "1. *not* a list_ | [x](y) <b> `c` # \\ ~d~ &amp; 5.5% - +"
    block = BlockData(
        kind="text",
        title="- t",
        texts=[text],
        pairs=[],
        heads=["a|b"],
        rows=[["*c*"]],
        computed=False,
        note="",
        footnotes=[],
    )
    card = CardData(number=1, title="T", kind="", icon="", colour="", count=1, back="", source="", blocks=[block])
    assert words_of(card_html(card)) == f"- t {text} a|b *c*"
    assert "5.5%" in card_markdown(card)


def test_the_licence_of_a_look_stands_at_the_foot_of_each_card() -> None:
    card = CardData(number=1, title="T", kind="", icon="", colour="", count=1, back="", source="x.md:1", blocks=[])
    deck = DeckData(
        schema="refgen/deck/2", system="g", title="G", about="", source="", licence="CC BY", size=1, cards=[card]
    )
    assert deck_markdown(deck) == "# G\n\n## T\n\n*x.md:1 · CC BY*\n"
    ((result,), (page,)) = roll_table_data(deck)["results"], journal_data(deck)["pages"]
    assert words_of(result["text"]) == "T x.md:1 · CC BY"
    assert words_of(page["text"]["content"]) == "x.md:1 · CC BY"


@pytest.mark.slow
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_roll_table_for_foundry_draws_each_card_as_often_as_it_is_there(system: str) -> None:
    data, cards = json.loads(printed(system, "foundry-table")), deck(system)
    assert faults(ROLL_TABLE, data) == []
    numbers = [number for result in data["results"] for number in range(result["range"][0], result["range"][1] + 1)]
    assert numbers == list(range(1, int(data["formula"].removeprefix("1d")) + 1))
    assert [result["weight"] for result in data["results"]] == [card["count"] for card in cards["cards"]]
    for result, card in zip(data["results"], cards["cards"], strict=True):
        told = [t for b in card["blocks"] for t in said(b)]
        assert in_order([card["title"], *told], words_of(result["text"]))
        assert result["name"] == card["title"]
        assert in_order(told, words_of(result["description"]))


@pytest.mark.slow
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_journal_for_foundry_has_a_page_a_card(system: str) -> None:
    data, cards = json.loads(printed(system, "foundry-journal")), deck(system)
    assert faults(JOURNAL, data) == []
    assert [page["name"] for page in data["pages"]] == [card["title"] for card in cards["cards"]]
    for page, card in zip(data["pages"], cards["cards"], strict=True):
        assert in_order([t for b in card["blocks"] for t in said(b)], words_of(page["text"]["content"]))


def test_a_deck_for_tabletop_simulator_finds_every_card_on_its_picture() -> None:
    titles = [f"Card {number}" for number in range(150)]
    copies = [(number, 150 + number % 2) for number in range(150) for _ in range(1 + number % 3)]
    fronts = ["a.png", "b.png", "c.png"]
    data = saved_object("Deck", titles, copies, fronts, {150: "x.png", 151: "y.png"})
    assert faults(SAVED_OBJECT, data) == []
    (made,) = data["ObjectStates"]
    assert made["DeckIDs"] == [card["CardID"] for card in made["ContainedObjects"]]
    found = []
    for card in made["ContainedObjects"]:
        sheet, place = divmod(card["CardID"], 100)
        shown = made["CustomDeck"][str(sheet)]
        assert card["CustomDeck"] == {str(sheet): shown}
        assert place < shown["NumWidth"] * shown["NumHeight"] - 1
        number = fronts.index(shown["FaceURL"]) * FRONTS_PER_PICTURE + place
        found.append((number, 150 if shown["BackURL"] == "x.png" else 151))
        assert card["Nickname"] == titles[number]
    assert found == copies


@pytest.mark.parametrize("count", [*range(1, FRONTS_PER_PICTURE + 1)])
def test_a_picture_has_room_for_its_cards_and_one_more_place(count: int) -> None:
    across, down = picture_grid(count)
    assert 2 <= across <= 10
    assert 2 <= down <= 7
    assert across * down > count


def test_a_deck_of_one_card_is_a_card() -> None:
    data = saved_object("Deck", ["Alone"], [(0, 1)], ["a.png"], {1: "x.png"})
    assert [(one["Name"], one["CardID"]) for one in data["ObjectStates"]] == [("CardCustom", 100)]


@pytest.mark.parametrize("games", [[], ["harmonies", "fudge-1995"]])
def test_what_is_printed_is_of_one_game(games: list[str]) -> None:
    result = CliRunner().invoke(main, ["cards", *games, "--format", "json"])
    assert result.exit_code == 2
    assert "--format json is for one game" in result.stderr
