"""Builds of a game that describes no aids: aids are made all the same, unless its system.toml leaves them out."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.aids.stranger import lantern_road
from tests.pipeline.small_builds import build, leave_out

pytestmark = pytest.mark.slow

SCREEN = '[[panels]]\ntitle = "Fights"\nblocks = ["weapons"]\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the game, in a project with a cache, which is the working folder."""
    (tmp_path / "refgen.toml").write_text("", encoding="utf-8")
    lantern_road(tmp_path / "content")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REFGEN_CACHE", str(tmp_path / "cache"))
    return tmp_path / "content" / "lantern-road"


def made() -> set[str]:
    """The names of the files of aids that lie in the output."""
    names = ("gm-screen-a4.pdf", "sheet-a4.pdf", "sheet.html", "cards-a4.pdf", "booklet-a5.pdf", "session-a4.pdf")
    return {name for name in names if (Path("build") / "lantern-road" / name).is_file()}


def page(name: str) -> str:
    return (Path("build") / "lantern-road" / name).read_text(encoding="utf-8")


def test_a_game_has_all_aids_without_a_file_and_loses_those_that_it_leaves_out(folder: Path) -> None:
    build()
    everything = {"gm-screen-a4.pdf", "sheet-a4.pdf", "sheet.html", "cards-a4.pdf", "booklet-a5.pdf", "session-a4.pdf"}
    assert made() == everything
    assert "characters.html" in page("index.html")
    leave_out(folder, "cards", "booklet", "sheet")
    build()
    assert made() == {"gm-screen-a4.pdf", "session-a4.pdf"}
    assert "characters.html" not in page("index.html")


def test_a_file_takes_the_place_of_the_proposal_and_gives_it_back(folder: Path) -> None:
    build("--only", "screen")
    proposed = page("gm-screen-a4.html")
    assert "Tables to roll on" in proposed
    (folder / "screen.toml").write_text(SCREEN, encoding="utf-8")
    build("--only", "screen")
    assert "Fights" in page("gm-screen-a4.html")
    (folder / "screen.toml").unlink()
    build("--only", "screen")
    assert page("gm-screen-a4.html") == proposed


def test_a_game_among_others_without_an_aid_is_passed_over(folder: Path) -> None:
    lantern_road(folder.parent / "other")
    (folder.parent / "other" / "lantern-road").rename(folder.parent / "lamp")
    (folder.parent / "other").rmdir()
    leave_out(folder.parent / "lamp", "cards")
    build("--only", "card")
    assert made() == {"cards-a4.pdf"}
    assert not (Path("build") / "lamp").exists()
