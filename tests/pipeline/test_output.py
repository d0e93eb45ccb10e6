"""What becomes of the files of earlier builds: what is made again, what stays, and what goes with its content."""

from __future__ import annotations

from pathlib import Path
from shutil import rmtree

import pytest
from lxml import html

import refgen
from tests.pipeline.small_builds import leave_out, project_of_a_screen, tree

pytestmark = pytest.mark.usefixtures("shared_cache")

SCREEN = '[[panels]]\ntitle = "Traits"\nblocks = [{ table = "skills" }]\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project of two games, one with a screen."""
    return project_of_a_screen(tmp_path, SCREEN, "grids")


def build(folder: Path, *games: str, only: tuple[str, ...] = ()) -> set[str]:
    """Build for A4, in this process; the files that there are then, without style sheets and fonts."""
    result = refgen.project(folder).build(
        refgen.BuildSettings(output=folder / "build", games=games, only=only, papers=["a4"], jobs=1)
    )
    assert (result.errors, result.mismatches) == ([], [])
    files = {path.relative_to(folder / "build") for path in (folder / "build").rglob("*") if path.is_file()}
    return {path.as_posix() for path in files if path.parts[0] != "assets"}


def links(folder: Path, page: str) -> set[str]:
    return set(html.parse(str(folder / "build" / page)).getroot().xpath("//main//@href | //main//@src"))


@pytest.mark.slow
def test_a_build_of_some_kinds_keeps_the_rest_and_lists_what_is_new(folder: Path) -> None:
    before = build(folder, only=("site", "data"))
    after = build(folder, "fate", only=("screen",))
    assert after - before == {"fate/gm-screen-a4.html", "fate/gm-screen-a4.pdf", "fate/gm-screen-1.png"}
    assert before <= after
    assert {"gm-screen-a4.pdf", "gm-screen-1.png", "tables.json"} <= links(folder, "fate/index.html")
    assert {"fate/index.html", "grids/index.html", "fate/gm-screen-a4.pdf"} <= links(folder, "index.html")


def test_a_build_without_a_site_makes_none(folder: Path) -> None:
    assert build(folder, only=("data",)) == {
        "manifest.json",
        *(f"{game}/{name}.json" for game in ("fate", "grids") for name in ("tables", "check")),
    }


@pytest.mark.slow
def test_the_files_of_an_aid_go_when_the_game_leaves_it_out(folder: Path) -> None:
    before = build(folder)
    leave_out(folder / "content" / "fate", "screen")
    assert build(folder, only=("data",)) == before
    after = build(folder, only=("screen", "site"))
    assert before - after == {"fate/gm-screen-a4.html", "fate/gm-screen-a4.pdf", "fate/gm-screen-1.png"}
    assert not any("gm-screen" in link for link in links(folder, "fate/index.html"))
    assert not any("fate/gm-screen" in link for link in links(folder, "index.html"))


@pytest.mark.slow
def test_the_files_of_a_game_go_with_it(folder: Path) -> None:
    build(folder)
    rmtree(folder / "content" / "grids")
    assert not any(name.startswith("grids/") for name in build(folder, "fate", only=("data",)))
    assert not any("grids" in link for link in links(folder, "index.html"))


@pytest.mark.slow
def test_the_files_of_an_aid_that_fails_stay(folder: Path) -> None:
    build(folder, only=("screen", "site"))
    screen = folder / "content" / "fate" / "screen.toml"
    screen.write_text(SCREEN.replace("skills", "skilz"), encoding="utf-8")
    result = refgen.project(folder).build(
        refgen.BuildSettings(output=folder / "build", only=["screen", "site"], papers=["a4"], jobs=1)
    )
    assert [error.message for error in result.errors] == ['there is no table "skilz"']
    assert (folder / "build" / "fate" / "gm-screen-a4.pdf").is_file()
    assert "gm-screen-a4.pdf" in links(folder, "fate/index.html")


@pytest.mark.slow
def test_nothing_of_an_earlier_site_is_left_where_pages_are_gone(folder: Path) -> None:
    build(folder, only=("site",))
    rmtree(folder / "content" / "grids")
    system = folder / "content" / "fate" / "system.toml"
    system.write_text(system.read_text(encoding="utf-8").replace("[derived.contests]", "[derived.matches]"), "utf-8")
    build(folder, only=("site",))
    again = tree(folder / "build")
    rmtree(folder / "build")
    build(folder, only=("site",))
    assert again == tree(folder / "build")
