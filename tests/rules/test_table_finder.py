"""Tables are found by their heads or lists; every row and every `ignore` must be there."""

from __future__ import annotations

from pathlib import Path

import pytest

from refgen.checks.finding import Severity
from refgen.errors import RulesError
from refgen.game import GameModel, load_game
from refgen.readers.grids import FoundTable
from refgen.readers.read import read_document
from refgen.rules.pattern import value_pattern
from refgen.rules.schema import ColumnSpec, TableSpec
from refgen.rules.table_finder import find_table
from refgen.rules.typed_tables import refuse_never_there
from refgen.source import SourceFile
from refgen.span import Span
from tests.rules.game_files import write_game

SPEC = """title = "Game"
about = "A game."
document = "rules.md"
accent = "#123456"
source = "Rules"

[tables.levels]
title = "Levels"
"""


def game(folder: Path, spec: str, document: str) -> GameModel:
    return load_game(write_game(folder / "game", {"system.toml": SPEC + spec, "rules.md": document}))


def rows(game: GameModel) -> list[list[str]]:
    return [[cell.text for cell in row] for row in game.tables["levels"].rows]


HEADER = 'header = ["Level", "Value"]\n'
COLUMNS = 'columns = [{ id = "level" }, { id = "value", type = "number" }]\n'


class TestATableWithoutAHead:
    def test_its_first_row_is_a_row(self, tmp_path: Path) -> None:
        made = game(tmp_path, "head = false\n" + COLUMNS, "| Good | 1 |\n|--|--|\n| Fair | 0 |\n")
        assert rows(made) == [["Good", "1"], ["Fair", "0"]]
        assert [column.title for column in made.tables["levels"].columns] == ["Level", "Value"]

    def test_a_blank_head_is_no_row(self, tmp_path: Path) -> None:
        made = game(tmp_path, "head = false\n" + COLUMNS, "| | |\n|--|--|\n| Good | 1 |\n")
        assert rows(made) == [["Good", "1"]]

    def test_it_is_found_by_the_number_of_its_columns(self, tmp_path: Path) -> None:
        made = game(tmp_path, "head = false\n" + COLUMNS, "| x |\n|--|\n| y |\n\n| Good | 1 |\n|--|--|\n| Fair | 0 |\n")
        assert rows(made) == [["Good", "1"], ["Fair", "0"]]

    def test_one_of_several_is_picked_by_its_number(self, tmp_path: Path) -> None:
        document = "| Good | 1 |\n|--|--|\n| Fair | 0 |\n\n| Poor | -1 |\n|--|--|\n| Bad | -2 |\n"
        made = game(tmp_path, "head = false\nnth = 2\n" + COLUMNS, document)
        assert rows(made) == [["Poor", "-1"], ["Bad", "-2"]]

    def test_one_that_is_not_there_is_told(self, tmp_path: Path) -> None:
        with pytest.raises(RulesError, match=r"no table has the head \(none\), and 2 columns"):
            game(tmp_path, "head = false\n" + COLUMNS, "| x |\n|--|\n| y |\n")


FOLDED = "| | | | |\n|--|--|--|--|\n| Good | 1 | Poor | -1 |\n| Fair | 0 | | |\n"


class TestAFoldedTable:
    def test_the_rows_of_each_band_follow_those_of_the_band_before(self, tmp_path: Path) -> None:
        assert rows(game(tmp_path, "fold = 2\n" + COLUMNS, FOLDED)) == [["Good", "1"], ["Fair", "0"], ["Poor", "-1"]]

    @pytest.mark.parametrize("head", ["Level | Value | LEVEL | Value", "Level | Value | |"])
    def test_it_is_found_by_the_head_of_its_bands(self, tmp_path: Path, head: str) -> None:
        made = game(tmp_path, "fold = 2\n" + HEADER + COLUMNS, FOLDED.replace("| | | |", head, 1))
        assert rows(made) == [["Good", "1"], ["Fair", "0"], ["Poor", "-1"]]
        assert [column.title for column in made.tables["levels"].columns] == ["Level", "Value"]

    def test_a_first_row_that_is_marked_as_a_head_may_be_a_row(self, tmp_path: Path) -> None:
        document = "| Good | 1 | Poor | -1 |\n|--|--|--|--|\n| Fair | 0 | Bad | -2 |\n"
        made = game(tmp_path, "fold = 2\nhead = false\n" + COLUMNS, document)
        assert rows(made) == [["Good", "1"], ["Fair", "0"], ["Poor", "-1"], ["Bad", "-2"]]

    @pytest.mark.parametrize(
        ("fold", "head"),
        [
            ("fold = 3", "Level | Value | Level | Value"),
            ("fold = 2", "Level | Value | Level | Cost"),
            ("fold = 4", "||||"),
        ],
    )
    def test_other_bands_or_other_heads_over_them_are_no_such_table(self, tmp_path: Path, fold: str, head: str) -> None:
        with pytest.raises(RulesError, match=r"no table has the head Level \| Value"):
            game(tmp_path, f"{fold}\n{HEADER}{COLUMNS}", FOLDED.replace("| | | |", head, 1))

    def test_it_is_not_transposed_as_well(self, tmp_path: Path) -> None:
        with pytest.raises(RulesError, match="transpose"):
            game(tmp_path, "fold = 2\ntranspose = true\n" + COLUMNS, FOLDED)


def test_a_transposed_table_may_be_without_heads(tmp_path: Path) -> None:
    made = game(tmp_path, "transpose = true\nhead = false\n" + COLUMNS, "| Good | Fair |\n|--|--|\n| 1 | 0 |\n")
    assert rows(made) == [["Good", "1"], ["Fair", "0"]]


def test_a_head_over_two_rows_is_joined_where_the_header_says_so(tmp_path: Path) -> None:
    header = 'header = ["Level", "Value in all", "at most"]\n'
    columns = 'columns = [{ id = "level" }, { id = "value" }, { id = "most", type = "number" }]\n'
    document = "| Level | Value | |\n|--|--|--|\n| | in all | at most |\n| Good | 1 | 2 |\n"
    assert rows(game(tmp_path, header + columns, document)) == [["Good", "1", "2"]]


def test_footnotes_are_the_note_of_the_table_unless_it_has_one_of_its_own(tmp_path: Path) -> None:
    document = "Level | Value\n--|--\nGood† | 1\nFair[^a] | 0\n\n† Rare.\n\n[^a]: Common.\n"
    made = game(tmp_path, HEADER + COLUMNS, document)
    assert rows(made) == [["Good", "1"], ["Fair", "0"]]
    assert made.tables["levels"].note == "Good: Rare. Fair: Common."
    (tmp_path / "other").mkdir()
    assert game(tmp_path / "other", 'note = "Mine."\n' + HEADER + COLUMNS, document).tables["levels"].note == "Mine."


def test_rows_that_were_evened_are_notes_of_the_check(tmp_path: Path) -> None:
    document = "Level | Value\n--|--\nGood | 1\n | \n| Fair |\n\nOther | table\n--|--\n| x |\n"
    report = game(tmp_path, HEADER + COLUMNS, document).check()
    assert report.open == ()
    assert [
        (found.severity, str(found.span), found.table, found.rule, found.computed) for found in report.findings
    ] == [
        (Severity.REMARK, "game/rules.md:4:3", "levels", "this table row is empty", "skipped"),
        (
            Severity.QUESTION,
            "game/rules.md:5:3",
            "levels",
            "this table row has 1 cell, its head has 2",
            "the rest of it is blank",
        ),
    ]


def test_a_table_without_rows_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RulesError) as caught:
        game(tmp_path, HEADER + COLUMNS, "Level | Value\n--|--\n")
    assert str(caught.value) == "game/rules.md:1:1: this table has no rows"
    assert caught.value.hint


@pytest.mark.parametrize(
    ("said", "layout"),
    [
        ({}, "grid"),
        ({"header": ["a"]}, "grid"),
        ({"head": False}, "grid"),
        ({"row": "{level}"}, "list"),
        ({"row_pattern": "(?P<level>.)"}, "list"),
        ({"row": "{level}", "head": "Level"}, "ragged"),
        ({"row": "{level}", "first": "Good:"}, "paragraphs"),
        ({"row": "{level}", "last": "Poor:"}, "paragraphs"),
        ({"row": "{level}", "within": "levels: {rows}."}, "prose"),
        ({"row": "{level}", "layout": "ragged"}, "ragged"),
    ],
)
def test_the_keys_of_a_table_tell_how_it_is_laid_out(said: dict[str, object], layout: str) -> None:
    assert TableSpec.model_validate({"title": "Levels", "columns": ["level"], **said}).laid_out == layout


def test_a_column_of_words_may_be_its_id_alone() -> None:
    short, long = ({"title": "Levels", "columns": [column]} for column in ("level", {"id": "level"}))
    assert TableSpec.model_validate(short) == TableSpec.model_validate(long)


DOCUMENT = "# Toll\n\n* Cart: 3\n* Example: a cart of hay.\n* Rider: 1\n"


TOLL_COLUMNS = [ColumnSpec(id="who"), ColumnSpec(id="coins", type="number")]


def read(spec: TableSpec, text: str) -> tuple[list[list[str]], FoundTable, Span]:
    """The cells of a list, its table and its place."""
    document = read_document(SourceFile("toll.md", text))
    place = document.sections[0].text.span
    types = {column.id: column.type for column in TOLL_COLUMNS}
    found = find_table(document, spec, place, lambda name: value_pattern(types[name], {}))
    return [[cell.text for cell in row] for row in found.rows], found, place


def toll(*ignore: str, text: str = DOCUMENT) -> list[list[str]]:
    spec = TableSpec(title="Toll", layout="list", row=["{who}: {coins}"], ignore=list(ignore), columns=TOLL_COLUMNS)
    return read(spec, text)[0]


def test_what_is_to_be_ignored_is_no_row() -> None:
    assert toll("Example: …") == [["Cart", "3"], ["Rider", "1"]]


def test_what_is_to_be_ignored_and_is_not_there_is_an_error() -> None:
    with pytest.raises(RulesError, match='nothing among the rows of "Toll" is "For instance …"') as caught:
        toll("Example: …", "For instance …")
    assert caught.value.hint == "Take it out of `ignore`."


@pytest.mark.parametrize("row", ["{who}[, {coins} coins]", "{who}[: {coins} coims]"])
def test_a_part_that_may_be_missing_and_is_so_in_every_row_is_an_error(row: str) -> None:
    spec = TableSpec(title="Toll", layout="list", row=[row], columns=TOLL_COLUMNS)
    cells, found, place = read(spec, "# Toll\n\n* Cart: 3 coins\n* Rider: 1 coins\n")
    assert cells == [["Cart: 3 coins", ""], ["Rider: 1 coins", ""]]
    with pytest.raises(
        RulesError, match=r'no row of "Toll" has what stands in square brackets with \{coins\}'
    ) as caught:
        refuse_never_there(spec, found.rows, place)
    assert caught.value.hint == "Mend the sentence `row`, or take the part out of it."


def test_a_part_that_is_in_some_row_may_be_missing_in_others() -> None:
    spec = TableSpec(title="Toll", layout="list", row=["{who}[: {coins}]"], columns=TOLL_COLUMNS)
    cells, found, place = read(spec, "# Toll\n\n* Cart: 3\n* Rider\n")
    refuse_never_there(spec, found.rows, place)
    assert cells == [["Cart", "3"], ["Rider", ""]]
