"""A game whose rules stand in several files: all are searched, and every place names its own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from refgen.errors import ReadError, RulesError
from refgen.export.tables import tables_data
from refgen.game import GameModel, load_game
from tests.rules.game_files import write_game

SPEC = """title = "Game"
about = "A game."
documents = ["rules/*.md", "prices.csv"]
accent = "#123456"
source = "Rules"

[tables.levels]
title = "Levels"
section = "Ladder"
header = ["Level", "Value"]
columns = [{ id = "level" }, { id = "value", type = "number" }]

[tables.prices]
title = "Prices"
header = ["Thing", "Price"]
columns = [{ id = "thing" }, { id = "price", type = "quantity" }]

[facts.dice]
title = "Dice"
text = "Roll {dice}"
type = "dice"
"""

FILES = {
    "rules/2-ladder.md": "# Ladder\n\nLevel | Value\n--|--\nGood | 1\n",
    "rules/1-dice.md": "# Dice\n\nRoll 2d6.\n",
    "prices.csv": "Thing;Price\nRope;1 gp\n",
}


def folder(path: Path, files: Mapping[str, str], spec: str = SPEC) -> Path:
    return write_game(path / "game", {"system.toml": spec, **files})


def game(path: Path, files: Mapping[str, str] = FILES, spec: str = SPEC) -> GameModel:
    return load_game(folder(path, files, spec))


class TestAGameOfSeveralFiles:
    def test_tables_and_facts_of_all_of_them_are_found_each_with_its_place(self, tmp_path: Path) -> None:
        made = game(tmp_path)
        assert str(made.facts["dice"].span) == "game/rules/1-dice.md:3:6"
        assert str(made.tables["levels"]["Good", "Value"].span) == "game/rules/2-ladder.md:5:8"
        assert str(made.tables["prices"]["Rope", "Price"].span) == "game/prices.csv:2:6"

    def test_they_come_in_the_order_named_and_those_of_a_pattern_by_name(self, tmp_path: Path) -> None:
        names = ["game/rules/1-dice.md", "game/rules/2-ladder.md", "game/prices.csv"]
        made = game(tmp_path)
        assert [source.name for source in made.ruleset.documents] == names
        assert tables_data(made)["document"] == ", ".join(names)

    def test_a_fault_spoils_the_table_of_its_own_file_alone(self, tmp_path: Path) -> None:
        spoilt = FILES | {"rules/0.md": "x | y\n--|--\n" + "1 | 2 | 3\n" * 9}
        assert len(game(tmp_path, spoilt).printed) == 2

    def test_a_file_that_is_named_twice_is_read_once(self, tmp_path: Path) -> None:
        spec = SPEC.replace('"rules/*.md"', '"rules/1-dice.md", "**/*.md"')
        assert [source.name for source in game(tmp_path, spec=spec).ruleset.documents] == [
            "game/rules/1-dice.md",
            "game/rules/2-ladder.md",
            "game/prices.csv",
        ]

    def test_a_pattern_passes_over_the_files_of_the_game_and_hidden_ones(self, tmp_path: Path) -> None:
        spec = SPEC.replace('"prices.csv"', '"*"')
        made = game(tmp_path, FILES | {".draft.md": "no", "screen.toml": ""}, spec)
        assert [source.name for source in made.ruleset.documents][2:] == ["game/prices.csv"]

    def test_another_document_takes_the_place_of_all(self, tmp_path: Path) -> None:
        draft = tmp_path / "draft.md"
        draft.write_text(FILES["rules/2-ladder.md"] + "\nRoll 3d6.\n\nThing | Price\n--|--\nRope | 2 gp\n")
        made = load_game(folder(tmp_path, FILES), draft)
        assert made.facts["dice"].text == "3d6"
        assert {source.name for source in made.ruleset.documents} == {str(draft)}

    def test_a_section_that_none_has_is_reported(self, tmp_path: Path) -> None:
        with pytest.raises(RulesError, match=r'game/rules/1-dice.md and 2 more has no section "Lader"'):
            game(tmp_path, spec=SPEC.replace('"Ladder"', '"Lader"'))


@pytest.mark.parametrize(
    ("title", "old", "new", "message"),
    [
        ("no match", '"rules/*.md"', '"rule/*.md"', '3:14: "rule/*.md" matches no file in game'),
        ("a way out", '"prices.csv"', '"../prices.csv"', '3:28: "../prices.csv" leads out of game'),
        ("a pattern that leads out", '"rules/*.md"', '"../game/*/*.md"', "leads out of game"),
        ("an absolute pattern", '"rules/*.md"', '"/etc/*"', '3:14: "/etc/*" is no pattern of file names'),
        ("none at all", '["rules/*.md", "prices.csv"]', "[]", "a game has either `document` or `documents`"),
        ("both", "documents =", 'document = "a.md"\ndocuments =', "a game has either `document` or `documents`"),
    ],
)
def test_names_that_cannot_be_read_are_refused(tmp_path: Path, title: str, old: str, new: str, message: str) -> None:
    with pytest.raises(RulesError) as caught:
        game(tmp_path, spec=SPEC.replace(old, new))
    assert message in str(caught.value), title
    assert caught.value.hint


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    made = folder(tmp_path, FILES)
    (tmp_path / "secret.md").write_text("# Secret\n")
    (made / "rules" / "3.md").symlink_to(tmp_path / "secret.md")
    with pytest.raises(RulesError, match=r'"rules/3.md" leads out of game'):
        load_game(made)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match=r"game/rules/0.md:1:1: the document is empty"):
        game(tmp_path, FILES | {"rules/0.md": "\n"})


@pytest.mark.slow
def test_three_hundred_files_each_with_its_table_and_fact(tmp_path: Path) -> None:
    count = 300
    files = {f"rules/{n:03}.md": f"# S{n}\n\nRoll {n}d6.\n\na | b\n--|--\nx | {n}\n" for n in range(1, count + 1)}
    tables = "".join(
        f'[tables.t{n}]\ntitle = "T"\nsection = "S{n}"\nheader = ["a", "b"]\n'
        f'columns = [{{ id = "a" }}, {{ id = "b", type = "number" }}]\n'
        f'[facts.f{n}]\ntitle = "F"\nsection = "S{n}"\ntext = "Roll {{f{n}}}"\ntype = "dice"\n'
        for n in range(1, count + 1)
    )
    spec = SPEC.partition("[tables")[0].replace(', "prices.csv"', "") + tables
    made = game(tmp_path, files, spec)
    assert [made.facts[f"f{n}"].text for n in range(1, count + 1)] == [f"{n}d6" for n in range(1, count + 1)]
    assert str(made.tables["t300"]["x", "b"].span) == "game/rules/300.md:7:5"
