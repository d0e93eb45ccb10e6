"""Pins: what a game decrees is told of when it changes, and only then, and only where nothing else tells."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import copytree

import pytest
from click.testing import CliRunner

import refgen
from refgen.checks.coverage import Status
from refgen.checks.finding import CheckReport, FindingKind
from refgen.checks.pins import pinned_facts, pinned_rows
from refgen.cli import main
from refgen.export.check import report_lines
from refgen.files import bundled_folder
from refgen.game import GameModel
from refgen.pipeline.game_files import pins_text
from tests.checks.small import CHECKS, write
from tests.conftest import SYSTEMS, game

FERRIES = """\
Ferry | Toll | Crew
------|------|----------------
Raft  | +2   | two oars, 1 pole
Punt  | -1   | no oars
Barge | 0    | 3 oars

Depth  |"""

BY_DECREE = """
[tables.ferries]
title = "Ferries"
header = ["Ferry", "Toll", "Crew"]
columns = [{ id = "ferry" }, { id = "toll", type = "modifier" }, { id = "crew" }]

[pinned]
"" = ["ferries", "boats"]
"""

PINNED = """\
# The numbers that proof.toml says are pinned, and what stands beside names of rows, as they were last pinned.
# `refgen check crossing --pin` rewrites this file.

[facts]
boats = "2"

[tables.depths]
"Shoal" = { rolls = "2 to 5", step = "1" }
"Stream" = { rolls = "6 to 8", step = "2" }
"Chasm" = { rolls = "9 to 12", step = "3" }

[tables.ferries]
"Raft" = { toll = "+2", crew = "two, 1" }
"Punt" = { toll = "-1", crew = "no oars" }
"Barge" = { toll = "0", crew = "3" }
"""

TAKE = "; `refgen check crossing --pin` takes it as it is."


def project(folder: Path, pins: str = PINNED) -> Path:
    """A project of the small system with a table of ferries and the number of boats, both pinned, and its pins."""
    system = write(folder / "content", ("Depth  |", FERRIES), checks=CHECKS + BY_DECREE)
    (folder / "refgen.toml").touch()
    if pins:
        (system / "pins.toml").write_text(pins, encoding="utf-8")
    return system


def change(file: Path, *changes: tuple[str, str]) -> None:
    text = file.read_text(encoding="utf-8")
    for old, new in changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    file.write_text(text, encoding="utf-8")


def checked(system: Path, *changes: tuple[str, str]) -> CheckReport:
    """What is found when pieces of the document are changed."""
    change(system / "rules.md", *changes)
    return refgen.project(system.parents[1]).check("crossing")


def notes(report: CheckReport) -> list[str]:
    """The notes about pins: where each stands, what it says, and its id."""
    found = [finding for finding in report.findings if finding.kind is FindingKind.PIN]
    assert not any(finding.is_open for finding in found)
    return [
        line.removeprefix("crossing/").replace(": question: ", ": ").replace(TAKE, "")
        for line in report_lines([report])
        if "[pins/" in line
    ]


def test_pinning_writes_each_pinned_number_with_its_value(tmp_path: Path) -> None:
    system = project(tmp_path, pins="")
    file = refgen.project(tmp_path).pin("crossing")
    assert file.resolve() == (system / "pins.toml").resolve()
    assert file.read_text(encoding="utf-8") == PINNED
    assert [path.name for path in system.iterdir() if path.name.startswith(".")] == []
    assert notes(checked(system)) == []


def test_pinning_takes_what_changed_as_it_is(tmp_path: Path) -> None:
    system = project(tmp_path)
    assert len(notes(checked(system, ("| +2", "| +3")))) == 1
    refgen.project(tmp_path).pin("crossing")
    assert notes(checked(system)) == []
    assert (system / "pins.toml").read_text(encoding="utf-8") == PINNED.replace("+2", "+3")


def test_without_pins_nothing_is_reported(tmp_path: Path) -> None:
    assert checked(project(tmp_path, pins=""), ("| +2", "| +3")).findings == ()


@pytest.mark.parametrize(
    ("title", "changes", "told"),
    [
        (
            "a number",
            [("| +2", "| +3")],
            [
                "rules.md:14:9: Ferries, row Raft, column Toll: printed +3, pinned +2: "
                "changed since it was last pinned [pins/ferries/raft/toll]"
            ],
        ),
        ("the same number, printed otherwise", [("| +2", "| 2 ")], []),
        (
            "a number among words",
            [("two oars", "four oars")],
            [
                "rules.md:14:16: Ferries, row Raft, column Crew: printed four, 1, pinned two, 1: "
                "changed since it was last pinned [pins/ferries/raft/crew]"
            ],
        ),
        ("the words around it", [("two oars, 1 pole", "a pole to two or 1 oars")], []),
        (
            "words with a number that had none",
            [("no oars", "5 oars")],
            [
                "rules.md:15:16: Ferries, row Punt, column Crew: printed 5, pinned no oars: "
                "changed since it was last pinned [pins/ferries/punt/crew]"
            ],
        ),
        (
            "a cell emptied",
            [("| 3 oars", "|")],
            ["pins.toml:15:25: Ferries, row Barge, column Crew: pinned 3: no longer there [pins/ferries/barge/crew]"],
        ),
        (
            "a row more",
            [("Depth  |", "Ship | +1 | 9 oars\n\nDepth  |"), ("3 oars\n\n", "3 oars\n")],
            ["rules.md:17:8: Ferries, row Ship: printed +1, 9: not pinned yet [pins/ferries/ship]"],
        ),
        (
            "a row less",
            [("Punt  | -1   | no oars\n", "")],
            ["pins.toml:14:1: Ferries, row Punt: pinned -1: no longer there [pins/ferries/punt]"],
        ),
        ("a row that goes by another name", [("Punt", "Skiff")], []),
        (
            "a cell that goes to another row",
            [("no oars", "3 oars"), ("0    | 3 oars", "0    | no oars")],
            [
                "rules.md:15:16: Ferries, row Punt, column Crew: printed 3, pinned no oars: "
                "changed since it was last pinned [pins/ferries/punt/crew]",
                "rules.md:16:16: Ferries, row Barge, column Crew: printed no oars, pinned 3: "
                "changed since it was last pinned [pins/ferries/barge/crew]",
            ],
        ),
        ("words in a cell", [("no oars", "neither oars nor a sail, nor anything else to move it")], []),
        (
            "two names exchanged",
            [("Shoal ", "Stream"), ("Stream | 6-8", "Shoal  | 6-8")],
            [
                "rules.md:20:10: Depths, row Stream, column Rolls: printed 2-5, pinned 6 to 8: "
                "changed since it was last pinned [pins/depths/stream/rolls]",
                "rules.md:20:18: Depths, row Stream, column Step: printed 1, pinned 2: "
                "changed since it was last pinned [pins/depths/stream/step]",
                "rules.md:21:10: Depths, row Shoal, column Rolls: printed 6-8, pinned 2 to 5: "
                "changed since it was last pinned [pins/depths/shoal/rolls]",
                "rules.md:21:18: Depths, row Shoal, column Step: printed 2, pinned 1: "
                "changed since it was last pinned [pins/depths/shoal/step]",
            ],
        ),
        (
            "a row that stands elsewhere with all that belongs to it",
            [("Raft  | +2   | two oars, 1 pole\n", ""), ("3 oars\n", "3 oars\nRaft  | +2   | two oars, 1 pole\n")],
            [],
        ),
        (
            "two rows exchanged, but for their names",
            [("Raft  | +2", "Punt  | +2"), ("Punt  | -1", "Raft  | -1")],
            [
                "rules.md:14:9: Ferries, row Punt, column Toll: printed +2, pinned -1: "
                "changed since it was last pinned [pins/ferries/punt/toll]",
                "rules.md:14:16: Ferries, row Punt, column Crew: printed two, 1, pinned no oars: "
                "changed since it was last pinned [pins/ferries/punt/crew]",
                "rules.md:15:9: Ferries, row Raft, column Toll: printed -1, pinned +2: "
                "changed since it was last pinned [pins/ferries/raft/toll]",
                "rules.md:15:16: Ferries, row Raft, column Crew: printed no oars, pinned two, 1: "
                "changed since it was last pinned [pins/ferries/raft/crew]",
            ],
        ),
        (
            "a number that others follow from, and they with it",
            [("Two boats", "Three boats"), ("hold 6", "hold 9")],
            ["rules.md:4:1: Boats: printed Three, pinned 2: changed since it was last pinned [pins/boats]"],
        ),
    ],
)
def test_what_changed_is_a_note_at_its_place(
    tmp_path: Path, title: str, changes: list[tuple[str, str]], told: list[str]
) -> None:
    report = checked(project(tmp_path), *changes)
    assert notes(report) == told, title
    assert report.open == ()


EXCHANGED = [
    (
        "interactive-history",
        (
            "Mythic success        | cool...\n+6,+5  | Extraordinary success",
            "Extraordinary success | cool...\n+6,+5  | Mythic success",
        ),
        "details.md:37:10: question: Success values, row +7, column Success value: printed Extraordinary success, "
        "pinned Mythic success: changed",
    ),
    (
        "polyhedral-fudge",
        ("5-8 Hurt\n9-12 Very Hurt", "5-8 Very Hurt\n9-12 Hurt"),
        "polyhedral-fudge.txt:208:5: question: Wound track, row 5-8, column Wound: printed Very Hurt, "
        "pinned Hurt: changed",
    ),
    (
        "polyhedral-fudge",
        ("DR = Base DR + Armor + Scale", "DR = Armor + Base DR + Scale"),
        "polyhedral-fudge.txt:202:6: question: Sum of the Damage Rating (DR), row Armor, column Term: printed Armor, "
        "pinned Base DR: changed",
    ),
]
"""Keys of a table that change places, and the first note about them."""


@pytest.mark.slow
@pytest.mark.parametrize(("system", "exchange", "told"), EXCHANGED)
def test_keys_that_change_places_are_reported_by_the_command(
    tmp_path: Path, system: str, exchange: tuple[str, str], told: str
) -> None:
    copy = copytree(bundled_folder("content") / system, tmp_path / "content" / system)
    (tmp_path / "refgen.toml").touch()
    change(copy / str(game(system).ruleset.spec.document.file), exchange)
    code, shown = command(tmp_path)
    assert code == 0
    assert told in shown


def test_what_an_open_finding_is_about_is_not_reported_twice(tmp_path: Path) -> None:
    report = checked(project(tmp_path), ("Two boats", "Three boats"))
    assert [finding.id for finding in report.findings] == ["hold"]


def test_rows_of_a_table_that_is_torn_are_not_reported_twice(tmp_path: Path) -> None:
    report = checked(project(tmp_path), ("Punt  | -1   | no oars\n", "Raft  | +2   | two oars, 1 pole\n"))
    assert [finding.kind for finding in report.findings] == [FindingKind.STRUCTURE]


@pytest.mark.parametrize(
    ("title", "pins", "told"),
    [
        ("a new number", PINNED.replace('boats = "2"\n', ""), "rules.md:4:1: Boats: printed Two: not pinned yet"),
        ("a fact that is gone", PINNED.replace("boats", 'rafts = "1"\nboats'), "pins.toml:5:1: rafts: pinned 1"),
        ("one that is no longer pinned", PINNED.replace("boats", 'seats = "3"\nboats'), "pins.toml:5:1: Seats"),
        ("a table that is gone", f"{PINNED}\n[tables.fords]\n1 = {{}}\n", "pins.toml:17:1: fords: no longer there"),
    ],
)
def test_what_the_file_has_too_much_or_lacks_is_reported(tmp_path: Path, title: str, pins: str, told: str) -> None:
    (note,) = notes(checked(project(tmp_path, pins)))
    assert note.startswith(told), title


@pytest.mark.parametrize(
    ("title", "text", "place", "message"),
    [
        ("not TOML", "[facts\n", "1:7", "not valid TOML"),
        ("an unknown key", PINNED + "\n[tabels.ferries]\n", "17:1", 'unknown key "tabels"'),
        ("a number in place of a text", PINNED.replace('= "2"\n', "= 2\n"), "5:1", '"facts.boats": this is no text'),
    ],
)
def test_a_wrong_file_is_an_error_with_its_place_and_hides_no_finding(
    tmp_path: Path, title: str, text: str, place: str, message: str
) -> None:
    report = checked(project(tmp_path, text), ("hold 6", "hold 5"))
    (error,) = report.errors
    assert str(error.span) == f"crossing/pins.toml:{place}", title
    assert message in error.message
    assert [finding.id for finding in report.open] == ["hold"]


def command(folder: Path, *arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["check", "--project", str(folder), *arguments], catch_exceptions=False)
    return result.exit_code, result.stdout


@pytest.mark.slow
def test_notes_about_pins_are_reported_by_every_format_and_fail_only_when_strict(tmp_path: Path) -> None:
    system = project(tmp_path)
    change(system / "rules.md", ("| +2", "| +3"))
    assert command(tmp_path)[0] == 0
    assert command(tmp_path, "--strict")[0] == 1
    (finding,) = json.loads(command(tmp_path, "--format", "json")[1])["findings"]
    assert [finding[key] for key in ("kind", "severity", "printed", "computed")] == ["pin", "question", "+3", "+2"]
    (result,) = json.loads(command(tmp_path, "--format", "sarif")[1])["runs"][0]["results"]
    assert (result["ruleId"], result["level"]) == ("pin", "note")
    assert command(tmp_path, "--format", "github")[1].startswith("::notice file=")


def test_the_command_pins_and_says_where(tmp_path: Path) -> None:
    system = project(tmp_path, pins="")
    assert command(tmp_path, "--pin") == (0, f"{system / 'pins.toml'}: the numbers of crossing are pinned.\n")
    assert (system / "pins.toml").read_text(encoding="utf-8") == PINNED


def test_a_game_that_cannot_be_read_is_not_pinned(tmp_path: Path) -> None:
    system = project(tmp_path)
    change(system / "rules.md", ("| +2", "| often"))
    with pytest.raises(refgen.RefgenError, match="often"):
        refgen.project(tmp_path).pin("crossing")
    assert (system / "pins.toml").read_text(encoding="utf-8") == PINNED


def test_bundled_games_are_not_written_to(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(refgen.RefgenError, match="harmonies is bundled with refgen: its pins are not yours to write"):
        refgen.project(bundled=True).pin("harmonies")


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_bundled_games_are_pinned_as_they_are(system: str) -> None:
    """To pin a game: copy content/ and an empty refgen.toml elsewhere, ``refgen check --pin`` there, copy it back."""
    folder = bundled_folder("content") / system
    assert (folder / "pins.toml").read_text(encoding="utf-8") == pins_text(game(system).ruleset, folder)


def unpinned(game: GameModel) -> list[str]:
    """The numbers that the coverage calls pinned, and no pin is about."""
    ruleset = game.ruleset
    spans = [fact.span for fact in pinned_facts(ruleset)]
    spans += [
        cell.span
        for table in ruleset.printed_tables
        for row in pinned_rows(ruleset, table).values()
        for cell in row.values()
    ]
    entries = [entry for entry in game.coverage().entries if entry.status is Status.PINNED]
    held = {
        entry.span
        for entry in entries
        for span in spans
        if span.file == entry.span.file and span.start <= entry.span.start and entry.span.end <= span.end
    }
    return [f"{entry.span}: {entry.text}" for entry in entries if entry.span not in held]


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_number_that_the_coverage_calls_pinned_has_a_pin(system: str) -> None:
    assert unpinned(game(system)) == []
