"""``refgen init``: what it says, what it writes, and how it ends."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from refgen.cli import main
from tests.pipeline.test_new_game import RULES


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "rules.md").write_text(RULES, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def init(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["init", *arguments])


@pytest.mark.slow
def test_a_document_becomes_a_screen_in_one_command(folder: Path) -> None:
    done = init("rules.md")
    assert done.exit_code == 0, done.stderr
    assert done.stdout.splitlines() == [
        "Deep Water: 1 table, 1 action",
        "  new        refgen.toml",
        "  new        content/deep-water/rules.md",
        "  new        content/deep-water/system.toml",
        "  new        content/deep-water/proof.toml",
        "  new        content/deep-water/screen.toml",
        "  new        content/deep-water/sheet.toml",
        "Screen: build/deep-water/gm-screen-a4.pdf",
        "Screen: build/deep-water/gm-screen-letter.pdf",
        "Next:",
        "  refgen serve --open",
        "  refgen check deep-water",
        "  refgen build",
    ]
    assert (folder / "build/deep-water/gm-screen-a4.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.slow
def test_the_next_commands_can_be_pasted(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = init("rules.md", "-o", "games", "--title", "Deeper Water", "--name", "deeper")
    assert done.stdout.splitlines()[-4:-1] == ["  cd games", "  refgen serve --open", "  refgen check deeper"]
    monkeypatch.chdir(folder / "games")
    assert CliRunner().invoke(main, ["check", "deeper"]).exit_code == 0
    assert CliRunner().invoke(main, ["build"]).exit_code == 0


@pytest.mark.slow
def test_a_dry_run_writes_nothing(folder: Path) -> None:
    done = init("rules.md", "--dry-run")
    assert (done.exit_code, done.stdout.splitlines()[-1]) == (0, "Nothing was written.")
    assert [path.name for path in folder.iterdir()] == ["rules.md"]


def test_uncertain_proposals_are_listed_and_commented_out(folder: Path) -> None:
    text = RULES.replace("2d6 |", "Roll |").replace("5–9 | Rain\n10–12", "5–7 | Rain\n8–9 | Fog\n10+")
    (folder / "rules.md").write_text(text, encoding="utf-8")
    said = init("rules.md", "--dry-run").stdout
    assert "Not sure, and commented out in system.toml or proof.toml:\n  [checks.weather-results]" in said


def test_numbers_that_differ_from_a_likely_check_are_listed(folder: Path) -> None:
    (folder / "rules.md").write_text(RULES.replace("10–12 | Sun", "10–11 | Sun"), encoding="utf-8")
    said = init("rules.md", "--dry-run").stdout
    title = "Printed otherwise than most numbers beside it, a question of `refgen check`:"
    assert f"{title}\n  [checks.weather-results]  die: 2d6" in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["missing.md"], "cannot read missing.md: no such file or directory"),
        (["rules.md", "--name", "My Game"], '"My Game" is no name of a game'),
        (["rules.md", "--example", "soundings"], "name FILEs or --example, not both"),
        (["--example", "sounding"], 'there is no example "sounding"'),
    ],
)
@pytest.mark.usefixtures("folder")
def test_bad_input_is_reported_without_a_traceback(arguments: list[str], said: str) -> None:
    done = init(*arguments)
    assert done.exit_code == 2
    assert said in done.stderr
    assert "Traceback" not in done.output


def test_help_lists_the_examples() -> None:
    assert "night-kiln, soundings, thornpost" in " ".join(init("--help").stdout.split())
