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
