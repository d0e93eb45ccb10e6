"""Names of rows: characters that nobody sees or that look alike, and names that stand twice, each found at its cell."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

import refgen
from refgen.checks.document_tables import document_report
from refgen.checks.finding import Finding, FindingKind, Severity
from refgen.cli import main
from refgen.words import ENGLISH
from tests.checks.small import checked, write

QUOTES = """
[checks.stream]
kind = "quotes"
fact = "boats"
table = "depths"
key = "depth"
row = "Stream"
column = "step"
"""


def names_found(findings: Sequence[Finding]) -> list[Finding]:
    return [finding for finding in findings if finding.kind is FindingKind.NAME]


@pytest.mark.parametrize(
    ("title", "name", "printed", "expected", "severity", "what"),
    [
        ("a letter that looks alike", "Str\u0435am", "Str⟨U+0435⟩am", "Stream", "warning", "CYRILLIC SMALL LETTER IE"),
        ("a blank that nobody sees", "Str\u200beam", "Str⟨U+200B⟩eam", "Stream", "warning", "ZERO WIDTH SPACE"),
        ("the direction", "\u202eStream", "⟨U+202E⟩Stream", "Stream", "warning", "RIGHT-TO-LEFT OVERRIDE"),
        ("a whole word", "\u0421\u0425", "⟨U+0421⟩⟨U+0425⟩", "CX", "question", "of another script"),
    ],
)
def test_an_odd_character_is_found_at_its_cell(
    title: str, name: str, printed: str, expected: str, severity: str, what: str, tmp_path: Path
) -> None:
    (finding,) = names_found(checked(tmp_path, ("Stream ", f"{name} ")).findings)
    assert (finding.printed, finding.computed, finding.severity) == (printed, expected, severity), title
    assert what in ENGLISH.said(finding.rule)
    assert (finding.span.line, finding.span.column) == (15, 1)
    assert finding.id == f"characters/depths/depth/{expected.lower()}"


def test_a_soft_hyphen_is_odd_where_a_row_is_found_by_the_name(tmp_path: Path) -> None:
    change = ("Stream ", "Str\u00adeam ")
    assert not names_found(checked(tmp_path / "plain", change).findings)
    (finding,) = names_found(checked(tmp_path / "key", change, checks=QUOTES).findings)
    assert finding.printed == "Str⟨U+00AD⟩eam"


def test_a_key_that_looks_like_another_stands_twice(tmp_path: Path) -> None:
    found = checked(tmp_path, ("Stream ", "Sho\u0430l "), checks=QUOTES).findings
    (key,) = [finding for finding in found if finding.id.startswith("key/")]
    assert (key.printed, key.severity) == ("Sho⟨U+0430⟩l", Severity.ERROR)


def test_a_row_that_system_toml_names_in_other_letters_is_shown_so(tmp_path: Path) -> None:
    found = checked(tmp_path, checks=QUOTES.replace('"Stream"', '"Str\u0435am"')).findings
    assert any("Str⟨U+0435⟩am" in ENGLISH.said(finding.rule) for finding in found)


def test_a_name_that_stands_twice_is_a_question(tmp_path: Path) -> None:
    (finding,) = names_found(checked(tmp_path, ("Stream ", "Shoal ")).findings)
    assert (finding.printed, finding.severity, finding.id) == ("Shoal", Severity.QUESTION, "names/depths/depth/shoal")
    assert [span.line for span in finding.sources] == [14]


def test_an_odd_name_can_be_accepted(tmp_path: Path) -> None:
    errata = """
    [[errata]]
    finding = "characters/depths/depth/stream"
    printed = "Str⟨U+0435⟩am"
    computed = "Stream"
    reason = "The river is spelled so."
    """
    report = checked(tmp_path, ("Stream ", "Str\u0435am "), errata=errata)
    assert not report.open
    assert len(report.accepted) == 1


@pytest.mark.parametrize("letter", ["\u0435", "\u200b"])
def test_an_id_in_letters_of_two_scripts_is_refused(letter: str, tmp_path: Path) -> None:
    system = write(tmp_path / "content")
    spec = system / "system.toml"
    spec.write_text(
        spec.read_text(encoding="utf-8").replace("[tables.depths]", f'[tables."d{letter}pths"]'), encoding="utf-8"
    )
    (tmp_path / "refgen.toml").write_text("", encoding="utf-8")
    run = CliRunner().invoke(main, ["check", "--project", str(tmp_path)])
    assert run.exit_code == 2
    assert f"d⟨U+{ord(letter):04X}⟩pths" in run.output


def told(folder: Path, *names: str, rows: str = "") -> Sequence[tuple[str, str]]:
    """The prints and severities of findings on names in a document without a system.toml."""
    lines = rows or "\n".join(f"| {name} | {at} |" for at, name in enumerate(names))
    path = folder / "rules.md"
    path.write_text(f"# Arms\n\n| Arm | Cost |\n|---|---|\n{lines}\n", encoding="utf-8")
    return [(found.printed, found.severity) for found in names_found(document_report(refgen.read(path)).findings)]


@pytest.mark.parametrize(
    ("title", "names", "expected"),
    [
        ("one letter", ["L\u0430nce", "Bow"], [("L⟨U+0430⟩nce", "warning")]),
        ("a name twice", ["Bow", "Axe", "Bow"], [("Bow", "question")]),
        ("two names twice", ["Bow", "Axe", "Bow", "Club", "Axe"], [("Bow", "question"), ("Axe", "question")]),
        (
            "a name in other letters",
            ["\u0412\u043ew", "Axe", "Bow"],
            [("⟨U+0412⟩⟨U+043E⟩w", "warning"), ("Bow", "question")],
        ),
        ("groups of rows", ["Bow", "Bow", "Axe", "Axe", "Club", "Club"], []),
        ("figures twice", ["10", "20", "10"], []),
        ("Russian with signs of the trade", ["Меч (d6)", "Щит +1 AC", "HP-бонус", "PvP", "Вес"], []),
        ("Greek", ["Ξίφος (d6)", "HP", "Ασπίδα", "α"], []),
        ("Persian", ["می\u200cخواهم", "HP\u200e", "\u202bشمشیر\u202c"], []),
        ("a brand", ["KoЯn", "µTorrent", "Bow"], []),
    ],
)
def test_names_of_a_document_before_there_is_a_system_toml(
    title: str, names: list[str], expected: list[tuple[str, str]], tmp_path: Path
) -> None:
    assert told(tmp_path, *names) == expected, title


def test_a_name_below_a_further_subhead_may_be_the_same(tmp_path: Path) -> None:
    assert (
        told(tmp_path, rows="| Trigger | |\n| None | 1 |\n| Touch | 2 |\n| Reset | |\n| None | 3 |\n| Manual | 4 |")
        == []
    )


def test_a_cell_over_several_rows_is_one_name(tmp_path: Path) -> None:
    rows = "<tr><td rowspan=2>Bow</td><td>1</td></tr><tr><td>2</td></tr><tr><td>Axe</td><td>3</td></tr>"
    path = tmp_path / "rules.html"
    path.write_text(f"<table><tr><th>Arm</th><th>Cost</th></tr>{rows}</table>", encoding="utf-8")
    assert not names_found(document_report(refgen.read(path)).findings)


def test_read_check_tells_names_and_exits_with_one(tmp_path: Path) -> None:
    path = tmp_path / "rules.md"
    path.write_text("| Arm | Cost |\n|---|---|\n| L\u0430nce | 1 |\n| Bow | 2 |\n", encoding="utf-8")
    run = CliRunner().invoke(main, ["read", str(path), "--check", "--format", "json"])
    assert run.exit_code == 1
    (finding,) = json.loads(run.output)["findings"]
    assert (finding["kind"], finding["span"]["line"], finding["span"]["column"]) == ("name", 3, 3)
    assert "U+0430 CYRILLIC SMALL LETTER A" in finding["message"]
