"""The words over the columns of a table: those of the document or of its author, and never a mere number."""

from __future__ import annotations

from pathlib import Path

from refgen.blocks.table_block import show_table
from refgen.export.table_text import csv_text, markdown_text, plain_text
from refgen.game import GameModel, load_game
from tests.rules.game_files import write_game

SPEC = """title = "Game"
about = "A game."
document = "rules.md"
accent = "#123456"
source = "Rules"

[tables.names]
title = "Names"
head = false
columns = [{columns}]
"""


def game(folder: Path, columns: str) -> GameModel:
    document = "| | |\n|--|--|\n| 1 | Elf |\n| 2 | Orc |\n"
    return load_game(write_game(folder / "game", {"system.toml": SPEC.format(columns=columns), "rules.md": document}))


def test_nothing_is_shown_over_a_column_that_is_only_counted(tmp_path: Path) -> None:
    table = game(tmp_path, '{ id = "column-1", type = "number" }, { id = "column-2" }').tables["names"]
    shown = show_table(table)
    assert [column.title for column in shown.columns] == ["", ""]
    assert (shown.has_heads, shown.is_list, list(shown.contents().heads)) == (False, False, [])
    assert plain_text(table) == "Names (game/rules.md:1:1)\n1  Elf\n2  Orc\n"
    assert markdown_text(table).startswith("|  |  |\n| --- | --- |\n| 1 | Elf |\n")


def test_messages_and_data_name_such_a_column_by_its_number(tmp_path: Path) -> None:
    table = game(tmp_path, '{ id = "column-1", type = "number" }, { id = "column-2" }').tables["names"]
    assert csv_text(table).splitlines()[0] == "Column 1,Column 2"
    assert table.records()[0] == {"Column 1": 1, "Column 2": "Elf"}


def test_a_title_or_a_telling_id_stands_over_its_column(tmp_path: Path) -> None:
    table = game(tmp_path, '{ id = "column-1", type = "number", title = "d2" }, { id = "first-name" }').tables["names"]
    assert [column.title for column in show_table(table).columns] == ["d2", "First name"]


BANDS = """<table><tr><th>Weapon</th><th>Cost</th></tr>
<tr><td colspan="2">Blades</td></tr><tr><td>Axe</td><td>5</td></tr>
<tr><td colspan="2">* All prices are in silver, and half on market days.</td></tr><tr><td>5</td><td>5</td></tr></table>
"""


def test_a_row_of_one_cell_is_shown_once_and_stays_in_each_column_as_data(tmp_path: Path) -> None:
    system = SPEC.replace("rules.md", "rules.html").replace("head = false", 'header = ["Weapon", "Cost"]')
    system = system.format(columns='"weapon", "cost"')
    table = load_game(write_game(tmp_path / "game", {"system.toml": system, "rules.html": BANDS})).tables["names"]
    shown = [[(cell.text, cell.columns, cell.header) for cell in row if cell.columns] for row in show_table(table).rows]
    assert shown == [
        [("Blades", 2, True)],
        [("Axe", 1, True), ("5", 1, False)],
        [("* All prices are in silver, and half on market days.", 2, False)],
        [("5", 1, True), ("5", 1, False)],
    ]
    assert csv_text(table).splitlines()[1] == "Blades,Blades"
