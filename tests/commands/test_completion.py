"""The tab key: names of the project behind commands and options."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

from refgen.cli import main
from tests.aids.stranger import lantern_road


@pytest.fixture
def road(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a project with a small game, in which one stands."""
    (tmp_path / "refgen.toml").write_text('content = "."\n', encoding="utf-8")
    lantern_road(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def completed(*line: str) -> Sequence[str]:
    """The values that are offered for the last word of a command line."""
    *before, typed = line
    shell = ShellComplete(main, {}, "refgen", "_REFGEN_COMPLETE")
    return [item.value for item in shell.get_completions(before, typed) if item.type == "plain"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "offered"),
    [
        (["check", ""], ["lantern-road"]),
        (["check", "x"], []),
        (["screen", "lan"], ["lantern-road"]),
        (["sheet", "lan"], ["lantern-road"]),
        (["build", "lan"], ["lantern-road"]),
        (["check", "--document", "lan"], ["lantern-road="]),
        (["tables", "lantern-road/w"], ["lantern-road/weapons"]),
        (["odds", "--system", ""], ["lantern-road"]),
        (["look", "n"], ["night"]),
        (["look", "night", "lan"], ["lantern-road"]),
        (["build", "--only", "s"], ["screen", "sheet", "session", "site"]),
        (["build", "--only", "screen,s"], ["screen,sheet", "screen,session", "screen,site"]),
        (["schema", "sc"], ["screen"]),
        (["schema", "sheet/"], ["sheet/lantern-road"]),
        (["init", "--example", "n"], ["night-kiln"]),
        (["sce"], []),
        (["scr"], ["screen"]),
    ],
)
def test_names_of_the_project_are_offered(road: Path, line: Sequence[str], offered: Sequence[str]) -> None:
    assert road.is_dir()
    assert completed(*line) == offered


@pytest.mark.slow
def test_levels_are_those_of_the_game_and_action(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # no project: the bundled games
    assert completed("odds", "--system", "fudge-1995", "--trait", "G") == ["Great", "Good"]
    assert completed("odds", "--system", "nothing", "--trait", "G") == []
    assert "Power=Great" in completed("conditions", "interactive-history", "Power=G")
    assert "Legendary" in completed("odds", "--system", "atari-isev", "--difficulty", "L")


@pytest.mark.slow
def test_findings_are_those_that_are_open(road: Path) -> None:
    assert completed("check", "lantern-road", "--accept", "") == []
    rules = road / "lantern-road" / "rules.md"
    rules.write_text(rules.read_text(encoding="utf-8").replace("| 5 | Eno |\n", ""), encoding="utf-8")
    (found,) = completed("check", "lantern-road", "--accept", "")
    assert "names" in found


@pytest.mark.slow
def test_a_project_that_cannot_be_read_offers_nothing(road: Path) -> None:
    (road / "refgen.toml").write_text("content = \n", encoding="utf-8")
    assert completed("check", "") == []
    assert completed("tables", "lantern-road/") == []
