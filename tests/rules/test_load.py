"""What goes wrong between a system.toml and its document is one message with a place and a hint."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from refgen.errors import NotationError, ReadError, RefgenError, RulesError
from refgen.game import SystemSpec
from refgen.notation.values import as_number
from refgen.rules.load import load_ruleset
from tests.rules.game_files import write_game

SPEC = """title = "Game"
about = "A game."
document = "rules.md"
accent = "#123456"
source = "Rules"

[ladders.trait]
table = "levels"
level = "level"
value = "value"

[tables.levels]
title = "Levels"
section = "Ladder"
header = ["Level", "Value"]
columns = [
  { id = "level", type = "level", ladder = "trait" },
  { id = "value", type = "number" },
]

[tables.steps]
title = "Steps"
layout = "list"
section = "Steps"
row = "{count} step[s]: {change}"
columns = [{ id = "count", type = "number" }, { id = "change", type = "modifier" }]

[facts.dice]
title = "Dice"
text = "roll {dice}"
type = "dice"
"""

DOCUMENT = """# Ladder

Everyone may roll 4dF.

Level | Value
------|------
Good  | +1
Fair  | 0

# Steps

* 1 step: -1
* 2 steps: -2
"""


def write(folder: Path, spec: str = SPEC, document: str = DOCUMENT) -> Path:
    return write_game(folder / "game", {"system.toml": spec, "rules.md": document})


def changed(text: str, change: tuple[str, str]) -> str:
    """``text`` with one thing changed, or as it is for a change of nothing."""
    old, new = change
    assert old in text
    return text.replace(old, new) if old else text


def test_defects_by_their_old_name_are_refused_with_the_new_one(tmp_path: Path) -> None:
    with pytest.raises(RulesError, match='"damage" is called "defects" now') as caught:
        load_ruleset(write(tmp_path, SPEC + "\n[damage.torn-page]\n"), SystemSpec)
    assert str(caught.value.span) == "game/system.toml:33:1"
    assert caught.value.hint == 'Write "defects" in its place.'


def test_a_system_loads(tmp_path: Path) -> None:
    ruleset = load_ruleset(write(tmp_path), SystemSpec)
    assert [level.name for level in ruleset.ladders["trait"].levels] == ["Good", "Fair"]
    assert ruleset.facts["dice"].text == "4dF"
    assert str(ruleset.facts["dice"].span) == "game/rules.md:3:19"
    assert str(ruleset.tables["steps"].rows[1][1].span) == "game/rules.md:13:12"


@pytest.mark.parametrize(
    ("title", "spec", "document", "error", "message"),
    [
        (
            "a misspelt table head",
            ("", ""),
            ("Level | Value", "Level | Valeu"),
            RulesError,
            'game/system.toml:12:1: no table in "Ladder" has the head Level | Value',
        ),
        (
            "a section that is not there",
            ('"Ladder"', '"Lader"'),
            ("", ""),
            RulesError,
            'game/system.toml:12:1: game/rules.md has no section "Lader"',
        ),
        (
            "a surplus cell",
            ("", ""),
            ("Good  | +1", "Good  | +1 | 7"),
            RulesError,
            "game/rules.md:7:14: this table row has 3 cells, its head has 2",
        ),
        (
            "a cell in an unknown notation",
            ("", ""),
            ("| +1", "| much"),
            NotationError,
            'game/rules.md:7:9: "much" is not a number',
        ),
        (
            "a number that is far beyond any ladder",
            ("", ""),
            ("Good  | +1", "Good  | 99999999"),
            RulesError,
            'game/rules.md:7:9: "99999999" is not the number of a level',
        ),
        (
            "a figure of thousands of digits",
            ("", ""),
            ("Good  | +1", "Good  | " + "9" * 5000),
            NotationError,
            "game/rules.md:7:9: a cell of 5000 characters is too long for a number",
        ),
        (
            "an item that is no row",
            ("", ""),
            ("2 steps: -2", "2 leaps: -2"),
            RulesError,
            'game/rules.md:13:3: this is no row of "Steps": 2 leaps: -2…',
        ),
        (
            "a fact that is not stated",
            ("", ""),
            ("roll 4dF", "throw 4dF"),
            RulesError,
            'game/system.toml:28:1: the fact "dice" is not in the document',
        ),
        (
            "a fact stated in two ways",
            ("", ""),
            ("Everyone may roll 4dF.", "Everyone may roll 4dF. Few roll 3dF."),
            RulesError,
            'game/system.toml:28:1: the fact "dice" is stated in 2 ways: '
            '"4dF" at game/rules.md:3:19; "3dF" at game/rules.md:3:33',
        ),
        (
            "an unknown key",
            ("header =", "headers ="),
            ("", ""),
            RulesError,
            'game/system.toml:15:1: unknown key "tables.levels.headers"',
        ),
        (
            "a missing key",
            ('source = "Rules"\n', ""),
            ("", ""),
            RulesError,
            'game/system.toml:1:1: the key "source" is missing',
        ),
        (
            "bad TOML",
            ('title = "Game"', "title = Game"),
            ("", ""),
            RulesError,
            "game/system.toml:1:9: not valid TOML: this text has no quotes: Game",
        ),
        (
            "an empty document",
            ("", ""),
            (DOCUMENT, ""),
            ReadError,
            "game/rules.md:1:1: the document is empty",
        ),
        (
            "a document outside its folder",
            ('"rules.md"', '"../rules.md"'),
            ("", ""),
            RulesError,
            'game/system.toml:3:1: "../rules.md" leads out of game',
        ),
    ],
)
def test_faults(
    tmp_path: Path,
    title: str,
    spec: tuple[str, str],
    document: tuple[str, str],
    error: type[RefgenError],
    message: str,
) -> None:
    folder = write(tmp_path, changed(SPEC, spec), changed(DOCUMENT, document))
    with pytest.raises(error) as caught:
        load_ruleset(folder, SystemSpec)
    assert str(caught.value) == message, title
    assert caught.value.hint


def test_another_document_is_named_by_its_own_path(tmp_path: Path) -> None:
    folder = write(tmp_path)
    draft = tmp_path / "draft.md"
    draft.write_text(DOCUMENT.replace("| +1", "| ?"), encoding="utf-8")
    with pytest.raises(NotationError) as caught:
        load_ruleset(folder, SystemSpec, draft)
    assert str(caught.value.span) == f"{draft}:7:9"


PRICES = """title = "Game"
about = "A game."
document = "rules.md"
accent = "#123456"
source = "Rules"

[tables.prices]
title = "Prices"
header = ["Thing", "Price"]
columns = [{ id = "thing" }, { id = "price", type = "quantity" }]
"""


def test_a_dash_in_a_column_of_figures_is_a_blank_and_stays_as_it_is_printed(tmp_path: Path) -> None:
    folder = write(tmp_path, PRICES, "Thing | Price\n--|--\nRope | 1 gp\nAir | —\nHemp | ½ gp\n")
    cells = load_ruleset(folder, SystemSpec).tables["prices"].column("price")
    assert [(cell.text, as_number(cell.value)) for cell in cells] == [
        ("1 gp", 1),
        ("—", None),
        ("½ gp", Fraction(1, 2)),
    ]


def test_two_units_in_a_column_are_refused_unless_one_is_said_in_the_other(tmp_path: Path) -> None:
    document = "Thing | Price\n--|--\nRope | 1 gp\nNail | 1 cp\n"
    with pytest.raises(RulesError) as caught:
        load_ruleset(write(tmp_path, PRICES, document), SystemSpec)
    assert str(caught.value) == 'game/rules.md:4:8: "1 cp" has another unit than "1 gp" above it'
    spec = PRICES.replace('type = "quantity"', 'type = "quantity", read = { "1 cp" = "0.01 gp" }')
    (tmp_path / "game" / "system.toml").write_text(spec, encoding="utf-8")
    cell = load_ruleset(tmp_path / "game", SystemSpec).tables["prices"]["Nail", "Price"]
    assert (cell.text, as_number(cell.value)) == ("1 cp", Fraction(1, 100))


def test_two_columns_of_one_id_are_refused(tmp_path: Path) -> None:
    folder = write(tmp_path, changed(SPEC, ('{ id = "value"', '{ id = "level"')), DOCUMENT)
    with pytest.raises(RulesError, match='two columns have the id "level"') as caught:
        load_ruleset(folder, SystemSpec)
    assert str(caught.value.span) == "game/system.toml:16:1"
