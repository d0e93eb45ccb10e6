"""Mistakes of people who write rules, and what they read: where the mistake is, and what to do next."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from refgen.cli import main
from tests.aids.stranger import RULES, SYSTEM

FINDS = 'columns = [{ id = "d6", type = "interval" }, "find"]'
CHARMS = 'columns = [{ id = "d6", type = "number" }, "charm", "effect"]'


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder without a project, in which one stands, with a rule document."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rules.md").write_text(RULES, encoding="utf-8")
    return tmp_path


def told(*arguments: str, code: int = 2) -> str:
    """What a command tells that ends with an exit code."""
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == code, done.output
    return done.stderr


def told_of(folder: Path, old: str = "", new: str = "", more: str = "", rules: str = RULES, **files: str) -> str:
    """What ``refgen check`` tells of the small game with a change in its system.toml, with ``more`` and other files."""
    assert old in SYSTEM
    root = folder / "road"
    root.mkdir(exist_ok=True)
    (folder / "refgen.toml").write_text('content = "."\n', encoding="utf-8")
    for name, text in {"rules.md": rules, "system.toml": SYSTEM.replace(old, new, 1) + more, **files}.items():
        (root / name.replace("_", ".")).write_text(text, encoding="utf-8")
    return CliRunner().invoke(main, ["check", "road", "--project", str(folder)]).stderr


# Commands


@pytest.mark.parametrize(
    ("typed", "meant"), [("sceen", "screen"), ("chek", "check"), ("card", "cards"), ("tabels", "tables")]
)
def test_a_command_with_a_typo_has_the_nearest_named(typed: str, meant: str) -> None:
    assert f'There is no command "{typed}". Did you mean {meant}' in told(typed)


def test_a_command_that_is_like_none_has_all_named(here: Path) -> None:
    assert 'There is no command "xyz". There are build, clean, serve,' in told("xyz")
    assert here.is_dir()


def test_a_document_in_place_of_a_command_is_a_game_to_begin(here: Path) -> None:
    assert here.is_dir()
    assert "`refgen init rules.md` begins a game" in told("rules.md")


@pytest.mark.parametrize("command", ["screen", "check", "sheet", "cards", "tables", "build", "export", "conditions"])
@pytest.mark.parametrize("document", ["rules.md", "lost/rules.html", "rules.docx", "https://example.org/rules"])
def test_a_document_in_place_of_a_game_is_a_game_to_begin(here: Path, command: str, document: str) -> None:
    assert here.is_dir()
    assert f"hint: A game begins with its rules: `refgen init {document}`." in told(command, document)


def test_a_name_that_is_no_document_has_the_nearest_games(here: Path) -> None:
    assert here.is_dir()
    assert "hint: Did you mean fudge-1995" in told("check", "fudge-1996")


def test_where_there_is_no_project_init_begins_one(here: Path) -> None:
    assert "hint: `refgen init FILE` begins one" in told("check")
    (here / "refgen.toml").touch()
    assert "`refgen init FILE` begins a game" in told("check")


def test_a_schema_without_a_name_has_all_named() -> None:
    said = told("schema")
    assert "Name a schema, or say --all. There are tables, check," in said
    assert "sheet/GAME" in said


@pytest.mark.parametrize("more", [[], ["-y"], ["--dry-run"]])
def test_an_example_without_a_name_has_all_named(here: Path, more: list[str]) -> None:
    assert "Name an example: --example night-kiln or soundings or thornpost." in told("init", "--example", *more)
    assert not (here / "content").exists()


@pytest.mark.parametrize("command", ["init", "read"])
def test_addresses_and_pictures_are_no_documents(here: Path, command: str) -> None:
    assert "https://example.org/rules.html is an address" in told(command, "https://example.org/rules.html")
    (here / "pic.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    assert "pic.png is in a format that refgen does not read: a picture" in told(command, "pic.png")


# Files


@pytest.mark.parametrize(
    ("old", "new", "said", "hint"),
    [
        ('title = "Finds"', "title = “Finds”", "system.toml:34:9: not valid TOML: “ is no quote", "straight quotes"),
        ('title = "Finds"', 'title = "Finds', 'system.toml:34:9: not valid TOML: a quote is missing (")', "Write"),
        ("[tables.names]", "[tables.attributes]", "12:1: not valid TOML: [tables.attributes] stands twice", "line 7"),
        ('"interval"', '"intervall"', 'type": this is not "text", "number"', "Did you mean interval?"),
        ("[tables.names]", 'rounding = "floor"\n[tables.names]', 'unknown key "tables.attributes.rounding"', "another"),
        (FINDS, FINDS.replace("interval", "number"), '2" is not a number', 'type = "interval" reads each cell'),
        ('"dice"', '"number"', '"d4" is not a number', 'type = "dice" reads each cell of the column.'),
        (FINDS, 'columns = ["d6"]', "system.toml:33:1: `columns` names 1 column, and each row", "d6 | Find"),
        (CHARMS, 'columns = ["d6", "charm"]', "system.toml:38:1: `columns` names 2 columns", "d6 | Charm | Effect"),
        (CHARMS, CHARMS.replace("]", ', "more"]'), "system.toml:38:1: `columns` names 4 columns", "d6 | Charm"),
    ],
)
def test_a_mistake_in_system_toml(tmp_path: Path, old: str, new: str, said: str, hint: str) -> None:
    found = told_of(tmp_path, old, new)
    assert said in found
    assert hint in found.partition("hint: ")[2]


def test_a_row_that_is_uneven_alone_is_told_at_the_row(tmp_path: Path) -> None:
    said = told_of(tmp_path, rules=RULES.replace("| 3–5 | A rope |", "| 3–5 | A rope | of silk |"))
    assert "rules.md:52:" in said
    assert "system.toml" not in said


@pytest.mark.parametrize("value", ["true", "5"])
def test_a_text_that_may_be_false_is_one_error(tmp_path: Path, value: str) -> None:
    said = told_of(tmp_path, more=f'\n[facts]\nx = {{ title = "X", text = {value} }}\n')
    assert '"facts.x.text": this is no text: write it in quotes; or: write false' in said
    assert said.count("facts.x.text") == 1


def test_values_are_written_as_toml_writes_them(tmp_path: Path) -> None:
    told_of(tmp_path)
    (tmp_path / "refgen.toml").write_text('content = "."\n[screen]\npapers = ["a7"]\n', encoding="utf-8")
    assert '"screen.papers.0": this is not "a4", "letter" or "a5"' in told("check", "--project", str(tmp_path))


ROLL = "You do it on 10+ here.\n\n## The road"
GOAL = '\n[facts]\ngoal = { title = "Goal", text = "on {goal} here", type = "TYPE" }\n'
ODDS = """
[derived.odds]
title = "Odds"
rule = "As the goal says."
rows = [{ id = "range", of = "range.range" }]
columns = [{ id = "chance", formula = "chance(2d6 >= {goal})" }]
"""


def test_a_range_in_place_of_a_number_is_an_end_of_it(tmp_path: Path) -> None:
    rules = RULES.replace("## The road", ROLL)
    said = told_of(tmp_path, more=GOAL.replace("TYPE", "number"), rules=rules)
    assert '"10+" is not a number' in said
    assert 'hint: type = "interval" reads this.' in said
    said = told_of(tmp_path, more=GOAL.replace("TYPE", "interval") + ODDS, rules=rules)
    assert '"10+"' in said
    assert "hint: Write low({goal}) or high({goal})" in said
    good = ODDS.replace("{goal}", "low({goal})")
    assert told_of(tmp_path, more=GOAL.replace("TYPE", "interval") + good, rules=rules) == ""


# Aids

DECK = "road has no cards: its table with most text"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "rules", "why"),
    [
        ("cards", RULES.replace("| 6 | Wick", "\nWick"), f'{DECK}, "Charms", has 5 rows: a deck has 6 cards'),
        ("cards", RULES.replace("Ember", "Wick"), f'{DECK}, "Charms", has no column of names'),
        ("cards", RULES.replace("Mist rises", "Mist rises and" + " falls" * 120), f'{DECK}, "Charms", has a text of 8'),
    ],
)
def test_a_deck_that_cannot_be_made_says_why(tmp_path: Path, command: str, rules: str, why: str) -> None:
    told_of(tmp_path, rules=rules)
    said = told(command, "road", "--project", str(tmp_path), "--jobs", "1", "-o", str(tmp_path / "out"))
    assert why in said
    assert "refgen schema" not in said
    assert why.partition(": ")[2] in told(command, "road", "--project", str(tmp_path), "--format", "json")


ALONE = SYSTEM.partition("[tables.")[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("table", "why"),
    [
        ("", "road has no screen: it has no table, no action and no fact to look up"),
        (
            "\n".join(["| Day | Find |", "|---|---|", *(f"| {day} | a coin |" for day in range(1, 41))]),
            'road has no screen: none of its tables stands on a panel: "Days" has 40 rows, more than 30',
        ),
        (
            "\n".join(["| Day | Find |", "|---|---|", *(f"| {day} | {'words of a road ' * 30} |" for day in "abc")]),
            'road has no screen: none of its tables stands on a panel: "Days" is prose',
        ),
    ],
)
def test_a_screen_that_cannot_be_made_says_why(tmp_path: Path, table: str, why: str) -> None:
    days = '[tables.days]\ntitle = "Days"\nheader = ["Day", "Find"]\ncolumns = ["day", "find"]\n' if table else ""
    told_of(tmp_path, SYSTEM, ALONE + (days or "[tables]\n"), rules=f"# Road\n\nWords.\n\n{table}\n")
    said = told("screen", "road", "--project", str(tmp_path), "--jobs", "1", "-o", str(tmp_path / "out"))
    assert why in said
    assert "refgen schema" not in said
