"""``refgen sheet GAME FILE…``: every good character gets a sheet, every fault is told, and no file is half written."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pikepdf
import pytest
from click.testing import CliRunner, Result

import refgen
from refgen.aids.sheet.template import SheetTemplate
from refgen.characters.sheet import CharacterSheet
from refgen.cli import main
from refgen.game import SystemInfo
from refgen.layout.page_format import PageFormat
from refgen.pipeline import fill as made_sheets
from refgen.pipeline.result import Event
from tests.aids.sheet.sheets import template

GAME = "fudge-1995"


_of = SheetTemplate.of
_known: dict[PageFormat, SheetTemplate] = {}
"""Sheets that were laid out; the usual one for other tests too."""


def _laid_out_once(system: SystemInfo, sheet: CharacterSheet, page_format: PageFormat) -> SheetTemplate:
    if page_format not in _known:
        usual = page_format == PageFormat()
        _known[page_format] = template(GAME) if usual else _of(system, sheet, page_format)
    return _known[page_format]


@pytest.fixture(autouse=True)
def _in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, commands_share_games: None) -> None:
    """In a folder of its own, with sheets that are laid out once."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(SheetTemplate, "of", _laid_out_once)


def sheet(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["sheet", GAME, *arguments, "-o", "out"])


def made() -> set[str]:
    return {path.name for path in Path("out").rglob("*") if path.is_file()}


def written(*rows: str, head: str = "Name") -> str:
    Path("party.csv").write_text("\n".join([head, *rows]), encoding="utf-8")
    return "party.csv"


@pytest.mark.slow
def test_each_character_has_a_file() -> None:
    result = sheet(written("Orlin", "Zoë of Ys"))
    assert result.exit_code == 0, result.output
    assert made() == {"orlin-a4.pdf", "zoe-of-ys-a4.pdf"}


@pytest.mark.slow
def test_good_characters_are_made_though_others_are_wrong() -> None:
    result = sheet(written("Orlin", "../up", "Orlin", "Berra"))
    assert result.exit_code == 2
    assert made() == {"orlin-a4.pdf", "berra-a4.pdf"}
    assert "party.csv:3:1" in result.output
    assert "party.csv:4:1" in result.output


@pytest.mark.slow
def test_strict_writes_nothing_then() -> None:
    result = sheet(written("Orlin", "../up"), "--strict")
    assert result.exit_code == 2
    assert made() == set()


@pytest.mark.slow
def test_a_party_is_one_file() -> None:
    result = sheet(written("Orlin", "Berra"), "--merge", "party.pdf", "--flatten")
    assert result.exit_code == 0, result.output
    with pikepdf.open("party.pdf") as pdf, pdf.open_outline() as outline:
        assert [entry.title for entry in outline.root] == ["Orlin", "Berra"]
    assert made() == set()


@pytest.mark.slow
def test_what_was_there_stays_where_a_run_fails() -> None:
    Path("party.pdf").write_text("mine")
    assert sheet(written("../up"), "--merge", "party.pdf").exit_code == 2
    assert Path("party.pdf").read_text() == "mine"
    assert [path.name for path in Path().iterdir() if path.name.startswith(".")] == []


@pytest.mark.slow
def test_the_characters_of_the_game_need_no_file() -> None:
    result = sheet("--ready")
    assert result.exit_code == 0, result.output
    assert made() == {f"{name}-a4.pdf" for name in refgen.load(GAME).characters}


@pytest.mark.slow
def test_a_letter_that_no_font_has_is_an_error_that_names_it() -> None:
    result = sheet(written("\U00012000"))
    assert result.exit_code == 2
    assert "no font on this machine has \U00012000 (U+12000)" in result.output
    assert len(made()) == 1


@pytest.mark.slow
def test_what_is_laid_out_in_full_is_told() -> None:
    result = sheet(written("עומר"))
    assert result.exit_code == 0, result.output
    assert "laid out in full" in result.output


@pytest.mark.slow
def test_the_theme_is_named_in_files() -> None:
    assert sheet("--ready", "--theme", "large-print", "--paper", "letter").exit_code == 0
    assert made() == {f"{name}-letter-large-print.pdf" for name in refgen.load(GAME).characters}
    assert sheet("--theme", "ink-saving", "--paper", "a4").exit_code == 0
    assert "sheet-a4-ink-saving.pdf" in made()


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        ("--merge", "party.pdf", "--flatten"),
        pytest.param(("--merge", "party.pdf"), marks=pytest.mark.soak),
        *(pytest.param(flags, marks=pytest.mark.soak) for flags in (("--flatten",), ())),
    ],
)
def test_many_processes_make_the_same_files(options: Sequence[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """To the byte, with what cannot be stamped among them."""
    monkeypatch.setattr(made_sheets, "FIRST_SHEETS", 2)
    monkeypatch.setattr(made_sheets, "CHUNK", 3)
    party = written("Orlin", "Berra", "../up", *(f"No {number}" for number in range(9)), "עומר", "No 3", "Zoë")
    found = []
    for jobs in ("1", "2"):
        result = sheet(party, *options, "--jobs", jobs)
        files = [Path("party.pdf")] if "--merge" in options else sorted(Path("out").rglob("*.pdf"))
        said = [line for line in result.output.splitlines() if line.startswith(("note", "party.csv", "  hint"))]
        found.append((said, {path.name: path.read_bytes() for path in files}))
    assert found[0] == found[1]
    assert len([line for line in found[0][0] if "laid out in full" in line]) == 1


@pytest.mark.slow
def test_a_build_has_sheets_of_characters_too() -> None:
    result = refgen.load(GAME).build("out", only=["sheet"], papers=["a4"], characters=[written("Orlin", "../up")])
    assert f"{GAME}/characters/orlin-a4.pdf" in result.files
    assert f"{GAME}/sheet-a4.pdf" in result.files
    assert [error.span.line for error in result.errors if error.span] == [3]
    assert {Path("out", name).is_file() for name in result.files} == {True}


@pytest.mark.parametrize("arguments", [["--merge", "party.pdf"], ["--flatten"]])
def test_options_of_filling_want_characters(arguments: list[str]) -> None:
    result = sheet(*arguments)
    assert result.exit_code == 2
    assert "name their files, or --ready" in result.output


def test_one_file_is_on_one_paper() -> None:
    result = sheet("--ready", "--merge", "a.pdf", "--paper", "a4", "--paper", "letter")
    assert result.exit_code == 2
    assert "name one --paper" in result.output


@pytest.mark.slow
def test_python_takes_characters_and_files_alike() -> None:
    game = refgen.load(GAME)
    Path("one.json").write_text(json.dumps(game_data("Berra")), encoding="utf-8")
    orlin = game.character(game_data("Orlin"))
    result = game.fill_sheets([orlin, "one.json", orlin], "out", paper="letter")
    assert made() == {"orlin-letter.pdf", "berra-letter.pdf"}
    assert [error.message for error in result.errors] == ['"Orlin" has the name of another character']


def game_data(name: str) -> dict[str, object]:
    """A character of that name as plain data."""
    *path, last = refgen.load(GAME).form.sheet.name_key.split(".")
    data: dict[str, object] = {last: name}
    for part in reversed(path):
        data = {part: data}
    return data


@pytest.mark.slow
def test_characters_are_read_one_after_the_other() -> None:
    """None is asked for before the sheet of the one before is made: memory does not grow with their number."""
    game = refgen.load(GAME)
    key = game.form.sheet.name_key
    asked: list[int] = []
    told: list[int] = []

    def many() -> Iterator[refgen.Character]:
        for number in range(501):
            asked.append(number)
            yield refgen.Character(f"No {number}", {key: f"No {number}"})

    def progress(event: Event) -> None:
        told.append(len(asked) - event.done)

    game.fill_sheets(many(), merge="party.pdf", editable=False, progress=progress)
    assert told == [0, 0]
