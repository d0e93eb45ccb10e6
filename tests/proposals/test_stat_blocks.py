"""Stat blocks of lists and paragraphs as tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from refgen.proposals.draft import GameDraft, Proposal
from refgen.proposals.stat_blocks import find_stat_blocks
from refgen.proposals.tables import table_entries
from refgen.words import ENGLISH
from tests.proposals.drafts import DOCUMENTS, document_draft, draft_of, foreign_draft, made_game


def items(*blocks: str) -> str:
    """A document with a list of stat blocks."""
    return "# Beasts\n\nA list.\n\n" + "".join(f"- {block}\n" for block in blocks)


GOBLINS = items("Goblin 4 HP, 8 STR, 14 DEX, d6 bite", "Orc 6 HP, 2 Armor, 12 STR, 9 DEX", "Elf 5 HP, 9 STR, 15 DEX")
OGRES = items(
    "**Ogre**: HD 4, AC 13, #AT 1, D 1d8, club", "**Wolf**: HD 2+1, AC 12, #AT 1, D 1d6", "Rat: HD 1, AC 9, #AT 2, D 1"
)
CATS = "# Beasts\n\n**Cat** STR 8 DEX 12 WIL 9 claw d6\n\n**Dog** STR 9 DEX 9 WIL 9\n\n**Cow** STR 12 DEX 5 WIL 6\n"


def found(draft: GameDraft) -> Sequence[Proposal]:
    return find_stat_blocks(draft.document, draft.ids, ENGLISH)


@pytest.mark.parametrize(
    ("text", "sentence", "rows"),
    [
        (
            GOBLINS,
            "{name} {hp} HP[, {armor} Armor], {str} STR, {dex} DEX[, {more}]",
            [
                ["Goblin", "4", "", "8", "14", "d6 bite"],
                ["Orc", "6", "2", "12", "9", ""],
                ["Elf", "5", "", "9", "15", ""],
            ],
        ),
        (
            OGRES,
            "{name}: HD {hd}, AC {ac}, #AT {at}, D {d}[, {more}]",
            [
                ["Ogre", "4", "13", "1", "1d8", "club"],
                ["Wolf", "2+1", "12", "1", "1d6", ""],
                ["Rat", "1", "9", "2", "1", ""],
            ],
        ),
        (
            CATS,
            "{name} STR {str} DEX {dex} WIL {wil}[ {more}]",
            [["Cat", "8", "12", "9", "claw d6"], ["Dog", "9", "9", "9", ""], ["Cow", "12", "5", "6", ""]],
        ),
    ],
)
def test_blocks_of_one_pattern_are_a_table(tmp_path: Path, text: str, sentence: str, rows: list[list[str]]) -> None:
    draft = draft_of(text)
    (table,) = found(draft)
    assert table.spec.row == [sentence]
    game = made_game(tmp_path, draft, table_entries(table))
    assert [[cell.text for cell in row] for row in game.tables[table.id].rows] == rows


def test_a_column_is_titled_by_its_label(tmp_path: Path) -> None:
    draft = draft_of(CATS)
    (table,) = found(draft)
    game = made_game(tmp_path, draft, table_entries(table))
    assert [(column.title, column.type) for column in game.tables["beasts"].columns] == [
        ("Name", "text"),
        ("STR", "number"),
        ("DEX", "number"),
        ("WIL", "number"),
        ("More", "text"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        items("Goblin 4 HP, 8 STR, 14 DEX", "Orc 6 HP, 12 STR", "Elf 5 HP, 9 STR, 15 DEX"),
        items("Goblin 4 HP, 8 STR, 14 DEX", "Orc 6 HP, 12 STR, 9 DEX"),
        items(
            "Goblin 4 HP, 8 STR, 14 DEX", "Orcs have no numbers.", "Orc 6 HP, 12 STR, 9 DEX", "Elf 5 HP, 9 STR, 5 DEX"
        ),
        items("Goblin 4 HP, 8 STR, 14 DEX", "Orc 6 HP, 9 DEX, 12 STR", "Elf 5 HP, 9 STR, 5 DEX"),
        items("4 HP, 8 STR, 14 DEX", "6 HP, 12 STR, 9 DEX", "5 HP, 9 STR, 5 DEX"),
        items("The king has 3 sons, 4 cows, 5 hens", "The queen 1 sons, 2 cows, 2 hens", "Hans 1 sons, 1 cows, 1 hens"),
    ],
)
def test_texts_without_one_pattern_are_no_table(text: str) -> None:
    assert found(draft_of(text)) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "labels"),
    [
        ("en", ["HP", "Armor", "STR", "DEX", "WIL"]),
        ("russian", ["HP", "броня", "STR", "DEX", "WIL"]),
        ("turkish", ["DK", "Zırh", "GÜÇ", "ÇEV", "İRD"]),
    ],
)
def test_the_beasts_of_cairn(language: str, labels: list[str]) -> None:
    (table,) = found(foreign_draft(f"cairn/cairn-{language}.md"))
    assert [column.title for column in table.spec.columns] == ["", *labels, ""]
    assert [[row[at].text for at in range(1, 6)] for row in table.found.rows] == [
        ["4", "", "8", "14", "8"],
        ["12", "", "9", "12", "14"],
        ["12", "2", "14", "1", "8"],
        ["12", "", "15", "12", "7"],
        ["14", "1", "8", "13", "14"],
        ["3", "", "4", "17", "13"],
    ]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("nebelgrenze.md", "{name}: Abwehr {abwehr}, {lp} LP, Raufen {raufen}, {more}"),
        ("salt-and-splinter.md", "{name}: AC {ac}, {hp} HP, {str} STR, {more}"),
        ("quiet-parish.txt", "{name}: STR {str}, CON {con}, SIZ {siz}, DEX {dex}, POW {pow}, {hp} HP. {more}"),
        ("copperline.html", "{name}. Nerve {nerve}, Ear {ear}, Tongue {tongue}, Fingers {fingers}; {more}"),
    ],
)
def test_the_stat_blocks_of_games_that_nobody_has_described(name: str, sentence: str) -> None:
    (table,) = found(document_draft(DOCUMENTS / name))
    assert table.spec.row == [sentence]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cairn/cairn-brazilian-portuguese.md", "opend6/opend6.html"])
def test_names_that_stand_apart_from_their_stat_blocks_make_no_table(name: str) -> None:
    assert found(foreign_draft(name)) == []
