"""A game proposed from its documents, written into a project, and proposed again when they have changed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import refgen
from refgen.checks.finding import Severity
from refgen.errors import RefgenError, RulesError, UnknownNameError
from refgen.pipeline.new_game import PROPOSED, NewGame

TAPLO = Path(sys.executable).with_name("taplo")

RULES = """# Deep Water

Sailors of a drowned coast look for what the sea took.

## The roll

Roll 2d6 and add your skill. With 8 or more you succeed.

## Weather

2d6 | Weather
--|--
2–4 | Storm
5–9 | Rain
10–12 | Sun
"""


def proposed(root: Path, text: str = RULES) -> NewGame:
    source = root / "rules.md"
    source.write_text(text, encoding="utf-8")
    game = refgen.propose([source], root)
    game.write()
    return game


def states(game: NewGame) -> dict[str, str]:
    return {change.path.rpartition("/")[2]: change.state for change in game.changes}


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_a_document_becomes_a_project_whose_game_loads_and_knows_its_odds(tmp_path: Path) -> None:
    game = proposed(tmp_path)
    assert (game.id, game.title, game.left_out, game.uncertain) == ("deep-water", "Deep Water", [], [])
    assert {*states(game).values()} == {"new"}
    assert (tmp_path / "content/deep-water/rules.md").read_text(encoding="utf-8") == RULES
    project = refgen.project(tmp_path)
    assert project.own_games == ("deep-water",)
    report = project.check("deep-water")
    assert (report.open, report.errors) == ((), ())
    (action,) = project.games["deep-water"].actions.values()
    assert action.chance("0") == action.chance(0) == refgen.roll("2d6").at_least(8)


def test_the_same_documents_again_change_nothing(tmp_path: Path) -> None:
    proposed(tmp_path)
    again = proposed(tmp_path)
    assert {*states(again).values()} == {"unchanged"}


@pytest.mark.slow
def test_changed_documents_bring_new_proposals_and_the_words_of_the_author_stay(tmp_path: Path) -> None:
    proposed(tmp_path)
    system = tmp_path / "content/deep-water/system.toml"
    edit(system, 'title = "Weather"\nsection', 'title = "The weather at sea"\nsection')
    changed = proposed(tmp_path, RULES + "\nBoat | Crew\n--|--\nSkiff | 2\nCutter | 9\n")
    assert (states(changed)["rules.md"], states(changed)["system.toml"]) == ("changed", "changed")
    tables = refgen.load(system.parent).tables
    assert [table.title for table in tables.values()][:2] == ["The weather at sea", "Weather"]


@pytest.mark.slow
def test_what_the_author_and_the_document_both_changed_is_reported_and_stays_the_authors(tmp_path: Path) -> None:
    proposed(tmp_path)
    system = tmp_path / "content/deep-water/system.toml"
    edit(system, 'title = "Deep Water"', 'title = "Deep Water, mended"')
    changed = proposed(tmp_path, RULES.replace("# Deep Water", "# Deep Seas"))
    assert (changed.id, states(changed)["system.toml"]) == ("deep-water", "conflict")
    assert refgen.load(system.parent).title == "Deep Water, mended"
    assert '# title = "Deep Seas"' in system.read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_file_with_line_ends_of_windows_keeps_them(tmp_path: Path) -> None:
    proposed(tmp_path)
    system = tmp_path / "content/deep-water/system.toml"
    system.write_bytes(system.read_bytes().replace(b"\n", b"\r\n"))
    assert states(proposed(tmp_path))["system.toml"] == "unchanged"
    changed = proposed(tmp_path, RULES + "\nBoat | Crew\n--|--\nSkiff | 2\nCutter | 9\n")
    assert states(changed)["system.toml"] == "changed"
    assert system.read_bytes().count(b"\n") == system.read_bytes().count(b"\r\n") > 0


@pytest.mark.slow
def test_a_run_that_was_cut_off_is_made_good_by_the_next(tmp_path: Path) -> None:
    proposed(tmp_path)
    text = RULES + "\nBoat | Crew\n--|--\nSkiff | 2\nCutter | 9\n"
    (tmp_path / "rules.md").write_text(text, encoding="utf-8")
    game = refgen.propose([tmp_path / "rules.md"], tmp_path)
    names = sorted(game.files, key=lambda name: PROPOSED in name)
    for name in names[: len(names) // 2]:  # the power fails before the proposals are written
        (tmp_path / name).write_bytes(game.files[name])
    proposed(tmp_path, text)
    assert {*states(proposed(tmp_path, text)).values()} == {"unchanged"}


@pytest.mark.slow
def test_a_file_that_the_author_deleted_stays_deleted(tmp_path: Path) -> None:
    proposed(tmp_path)
    (tmp_path / "content/deep-water/proof.toml").unlink()
    assert states(proposed(tmp_path, RULES + "\nMore words.\n"))["proof.toml"] == "deleted"
    assert not (tmp_path / "content/deep-water/proof.toml").exists()


@pytest.mark.slow
def test_a_document_that_the_author_changed_in_the_project_is_not_overwritten(tmp_path: Path) -> None:
    proposed(tmp_path)
    mine = tmp_path / "content/deep-water/rules.md"
    edit(mine, "Sun", "Sunshine")
    assert states(proposed(tmp_path))["rules.md"] == "kept"
    assert states(proposed(tmp_path, RULES + "\nMore words.\n"))["rules.md"] == "conflict"
    assert "Sunshine" in mine.read_text(encoding="utf-8")


@pytest.mark.slow
def test_documents_that_lie_in_the_game_are_proposed_again_in_their_place(tmp_path: Path) -> None:
    proposed(tmp_path)
    mine = tmp_path / "content/deep-water/rules.md"
    edit(mine, "# Deep Water", "# Deeper Water")
    again = refgen.propose([mine], tmp_path)
    assert again.id == "deep-water"
    assert states(again)["rules.md"] == "unchanged"


@pytest.mark.slow
def test_nothing_is_written_before_the_game_is_to_be_written(tmp_path: Path) -> None:
    (tmp_path / "rules.md").write_text(RULES, encoding="utf-8")
    refgen.propose([tmp_path / "rules.md"], tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_a_name_leads_nowhere_else(tmp_path: Path) -> None:
    (tmp_path / "rules.md").write_text(RULES, encoding="utf-8")
    for name in ("../other", "My Game", "a/b"):
        with pytest.raises(RulesError, match="is no name of a game"):
            refgen.propose([tmp_path / "rules.md"], tmp_path / "new", name=name)


def test_a_link_out_of_the_project_is_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    root = tmp_path / "project"
    (root / "content").mkdir(parents=True)
    (root / "content/deep-water").symlink_to(outside, target_is_directory=True)
    (root / "rules.md").write_text(RULES, encoding="utf-8")
    with pytest.raises(RefgenError, match="leads out"):
        refgen.propose([root / "rules.md"], root, name="deep-water").write()
    assert list(outside.iterdir()) == []


@pytest.mark.slow
def test_without_documents_an_example_is_written(tmp_path: Path) -> None:
    game = refgen.propose([], tmp_path)
    game.write()
    assert refgen.project(tmp_path).check(game.id).open == ()
    with pytest.raises(RulesError, match="is there already"):
        refgen.propose([], tmp_path, example=game.id)
    with pytest.raises(UnknownNameError):
        refgen.propose([], tmp_path, example="no-such-game")


def taplo(root: Path) -> subprocess.CompletedProcess[str]:
    """What a linter that editors use says of all TOML files of a project, by the schemas that these name."""
    files = sorted(
        path for path in root.rglob("*.toml") if PROPOSED not in path.parts and "characters" not in path.parts
    )
    assert files
    for file in files:
        first = file.read_text(encoding="utf-8").splitlines()[0]
        assert (file.parent / first.removeprefix("#:schema ")).is_file(), first
    return subprocess.run([TAPLO, "check", *files], cwd=root.parent, capture_output=True, text=True, check=False)


@pytest.mark.slow
@pytest.mark.parametrize("example", ["", "night-kiln"])
def test_each_file_names_its_schema_by_a_path_in_the_project(tmp_path: Path, example: str) -> None:
    root = tmp_path / "my project"
    root.mkdir()
    game = refgen.propose([], root, example=example) if example else proposed(root)
    game.write()
    checked = taplo(root)
    assert checked.returncode == 0, checked.stderr
    system = root / "content" / game.id / "system.toml"
    system.write_text(system.read_text(encoding="utf-8").replace("\ntitle =", "\nsurplus = 1\ntitle =", 1), "utf-8")
    refused = taplo(root)
    assert refused.returncode == 1
    assert "surplus" in refused.stderr


ODDS = "## Odds\n\nNumber | Chance\n--|--\n" + "\n".join(
    f"{number} | {chance}"
    for number, chance in zip(
        range(2, 13), ("100%", "97%", "92%", "84%", "72%", "58%", "42%", "28%", "17%", "8%", "3%"), strict=True
    )
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("title", "text", "named", "found"),
    [
        ("a chance", f"{RULES}\n{ODDS}\n", "84% at rules.md:24:5 is not: 83%", ("84%", "83%")),
        (
            "a result that no row has",
            RULES.replace("10–12 | Sun", "10–11 | Sun"),
            "die: 2d6 over the rows at rules.md:11:1; 10 of 11 results have a row; no row has 12",
            ("10–11", "10 to 12"),
        ),
        (
            "a result of dice in the title that no row has",
            RULES.replace("## Weather", "## Weather (2d6)").replace("2d6 |", "# |").replace("–12", "–11"),
            'die: 2d6 in the title "Weather (2d6)" at rules.md:9:1; 10 of 11 results have a row; no row has 12',
            ("10–11", "10 to 12"),
        ),
    ],
)
def test_a_number_that_is_named_as_wrong_is_a_question_until_it_is_answered(
    title: str, text: str, named: str, found: tuple[str, str], tmp_path: Path
) -> None:
    game = proposed(tmp_path, text)
    assert [one.partition("  ")[2] for one in game.differing] == [named], title
    assert game.uncertain == []
    (finding,) = refgen.project(tmp_path).check("deep-water").findings
    assert (finding.printed, finding.computed, finding.severity) == (*found, Severity.QUESTION)
    refgen.project(tmp_path).accept("deep-water", finding.id, "So it was in 1981.")
    report = refgen.project(tmp_path).check("deep-water")
    assert [one.id for one in report.accepted] == [finding.id]
    assert report.findings == report.accepted
