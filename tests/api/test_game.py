"""Games in Python: found by name or folder, explored by name, and shown in a line or as HTML."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from click.testing import CliRunner
from lxml import html

import refgen
from refgen.cli import main
from refgen.files import bundled_folder, read_bytes
from refgen.pipeline.request import PRODUCTS
from refgen.resolver import computed
from tests.conftest import SYSTEMS
from tests.resolver.systems.small import project as small_project


@pytest.mark.slow
@pytest.mark.parametrize("name", SYSTEMS)
def test_a_bundled_game_by_its_name(name: str) -> None:
    assert refgen.load(name).id == name


def test_a_game_by_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = copytree(bundled_folder("content") / "harmonies", tmp_path / "mine")
    assert refgen.load(folder).id == "mine"
    monkeypatch.chdir(tmp_path)
    assert refgen.load("mine").id == "mine"


def test_a_game_of_the_project_around(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copytree(bundled_folder("content") / "harmonies", tmp_path / "content" / "mine")
    (tmp_path / "refgen.toml").touch()
    monkeypatch.chdir(tmp_path / "content")
    assert list(refgen.project().games) == ["mine"]
    assert refgen.load("Mine").title == "Harmonies"


@pytest.mark.parametrize(
    ("ask", "message", "hint"),
    [
        (lambda: refgen.load("harmony"), 'there is no game "harmony"', "Did you mean harmonies?"),
        (lambda: refgen.load("harmonies").tables["ods"], 'there is no table "ods"', "Did you mean odds"),
        (lambda: refgen.load("harmonies").facts["aspect"], 'there is no fact "aspect"', "Did you mean aspects"),
        (lambda: refgen.load("fudge-1995").ladders["trade"], 'there is no ladder "trade"', "There is only trait."),
        (lambda: refgen.load("fudge-1995").actions["4-df"], 'there is no action "4-df"', "There are four-df"),
    ],
)
def test_a_name_that_is_none_names_the_nearest(ask: Callable[[], object], message: str, hint: str) -> None:
    with pytest.raises(refgen.RefgenError) as caught:
        ask()
    assert str(caught.value) == message
    assert caught.value.hint.startswith(hint)


@pytest.mark.slow
def test_names_are_found_as_people_write_them() -> None:
    game = refgen.load("fudge-1995")
    table = game.tables["action-odds"]
    for name in ("Action-Odds", "action odds", "action–odds", "Chance of each result or better"):
        assert game.tables[name] == table
    for row, column in (("Good", "Great"), ("good", "great"), (2, "GREAT")):
        assert table[row, column].exact == Fraction(31, 81)
    assert game.facts.get("nothing of the kind") is None


@pytest.mark.slow
def test_a_computed_table_is_made_when_it_is_asked_for_with_what_it_needs_and_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[str] = []

    def counted(build: Any) -> Any:
        def build_and_count(ruleset: Any, table_id: str, spec: Any) -> Any:
            made.append(table_id)
            return build(ruleset, table_id, spec)

        return build_and_count

    counting = {model: counted(build) for model, build in computed.TABLE_KINDS.items()}
    monkeypatch.setattr("refgen.resolver.computed.TABLE_KINDS", counting)
    game = refgen.load("fudge-1995")
    assert (len(game.tables), made) == (44, [])
    assert game.tables["action-odds"] is game.tables["action-odds"]
    assert made == ["action-odds"]


BUILD = pytest.param("build --only data --jobs 1", marks=pytest.mark.slow)


@pytest.mark.parametrize("command", ["check", "tables", BUILD])
def test_a_document_that_cannot_be_read_is_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    root = small_project(tmp_path, "fate")
    (root / "content" / "fate" / "rules.md").write_bytes(b"\xff")
    opened: list[Path] = []

    def count(path: Path, name: str, *, typed: bool = False) -> bytes:
        opened.append(path)
        return read_bytes(path, name, typed=typed)

    monkeypatch.setattr("refgen.readers.read.read_bytes", count)
    monkeypatch.chdir(root)
    done = CliRunner().invoke(main, command.split())
    assert (done.exit_code, "byte 0xff is not UTF-8" in done.stderr) == (2, True)
    assert len(opened) == 1


@pytest.mark.slow
def test_everything_is_shown_in_a_line() -> None:
    game = refgen.load("harmonies")
    things = [game, game.ruleset, game.tables, game.facts, *game.tables.values(), game.check(), refgen.roll("2d6")]
    things += [
        game.actions,
        *game.actions.values(),
        refgen.project(),
        refgen.read(bundled_folder("content") / "harmonies" / "actions.xml"),
    ]
    assert [shown for thing in things if "\n" in (shown := repr(thing)) or len(shown) > 500] == []
    assert repr(game.explorers) == "<0 explorers>"
    assert re.fullmatch(r"<\d+ tables: ([\w-]+, ){12}…>", repr(game.tables))


@pytest.mark.slow
def test_a_notebook_shows_tables_rolls_and_reports() -> None:
    game = refgen.load("harmonies")
    table, odds, report = (
        html.fragment_fromstring(thing._repr_html_(), create_parent="div")
        for thing in (game.tables["odds"], refgen.roll("2d6"), game.check())
    )
    assert [cell.text for cell in table.xpath("//tbody/tr[1]/td")] == ["-20", "0.5%"]
    assert [bar.get("value") for bar in odds.xpath("//meter")][:6] == ["17", "33", "50", "67", "83", "100"]
    assert len(report.xpath("//li")) == len(game.check().findings)


@pytest.mark.slow
def test_what_a_document_says_is_never_markup(tmp_path: Path) -> None:
    folder = copytree(bundled_folder("content") / "interactive-history", tmp_path / "mine")
    spec = folder / "system.toml"
    before, armies, after = spec.read_text(encoding="utf-8").partition("[tables.armies]\n")
    spec.write_text(before + armies + re.sub('title = ".*"', 'title = "<script>"', after, count=1), encoding="utf-8")
    shown = [table._repr_html_() for table in refgen.load(folder).tables.values() if table.title == "<script>"]
    assert shown
    assert all("&lt;script&gt;" in page and "<script>" not in page for page in shown)


@pytest.mark.slow
def test_the_json_of_a_table_and_a_report_is_that_of_the_commands() -> None:
    game = refgen.load("harmonies")
    assert json.loads(game.tables["odds"].to_json())["schema"] == "refgen/tables/3"
    assert json.loads(game.check().to_json())["summary"][0]["system"] == "harmonies"


@pytest.mark.slow
def test_what_is_built_of_one_game_and_how_far_it_is(tmp_path: Path) -> None:
    steps: list[Any] = []
    result = refgen.load("harmonies").build(
        tmp_path / "out", only={"card", "data"}, papers=["a4"], jobs=1, progress=steps.append
    )
    assert [(step.state, step.kind, step.step, step.done, step.total) for step in steps] == [
        ("begun", "read", "harmonies", 0, 0),
        ("done", "read", "harmonies", 0, 0),
        ("begun", "card", "harmonies/cards (a4)", 0, 0),
        ("done", "card", "harmonies/cards (a4)", 1, 1),
        ("begun", "publish", str(tmp_path / "out"), 0, 0),
        ("done", "publish", str(tmp_path / "out"), 0, 0),
    ]
    assert all(step.seconds > 0 for step in steps if step.state == "done")
    assert result.errors == []
    assert {"harmonies/cards-a4.pdf", "harmonies/tables.json"} <= set(result.files)
    assert not any("letter" in name for name in result.files)


def test_a_kind_that_there_is_not_is_refused(tmp_path: Path) -> None:
    with pytest.raises(refgen.RefgenError, match=f'"screens" is not one of {", ".join(PRODUCTS)}'):
        refgen.load("harmonies").build(tmp_path / "out", only=["screens"])


@pytest.mark.parametrize(
    ("dice", "number"), [("open(4dF)", 5), ("open(4dF)", -40), ("explode(d6)", 60), ("3d6", 11), ("d20", 30)]
)
def test_the_chances_of_a_roll_add_up(dice: str, number: int) -> None:
    roll = refgen.roll(dice)
    assert roll.at_least(number) + roll.at_most(number - 1) == 1
    assert roll.exactly(number) == roll.at_least(number) - roll.at_least(number + 1)


def test_two_rolls_against_each_other() -> None:
    six, eight = refgen.roll("d6"), refgen.roll("d8")
    pairs = [(a, b) for a in range(1, 7) for b in range(1, 9)]
    contest = six.against(eight)
    assert contest.win == Fraction(sum(a > b for a, b in pairs), 48)
    assert contest.draw == Fraction(sum(a == b for a, b in pairs), 48)
    assert contest.lose == Fraction(sum(a < b for a, b in pairs), 48)
