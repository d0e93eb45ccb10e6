"""Builds that find what earlier ones made: nothing is done twice, and what comes out is what a clean build makes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from shutil import copytree, rmtree
from typing import Any

import pytest
from click.testing import CliRunner

import refgen
from refgen.api import building
from refgen.cli import main
from refgen.game import GameModel
from refgen.pipeline import games, site_pages
from refgen.pipeline.digests import environment_digests
from refgen.pipeline.make_aids import MadeAid, make_aid
from refgen.site.game_pages import make_pages
from tests.layout.laid_out import note_layouts
from tests.pipeline.small_builds import (
    AIDS,
    SCREEN,
    build,
    clean_build,
    describe_sheet,
    edit,
    explained,
    give_back,
    leave_out,
    touch,
    tree,
)
from tests.resolver.systems.small import project

pytestmark = pytest.mark.slow

LOADED = """
import sys
import refgen
from refgen.api import building
from refgen.cli import main
try:
    main()
finally:
    heavy = ("weasyprint", "pydantic", "jinja2", "lxml", "icepool", "pikepdf", "fontTools", "multiprocessing")
    print([name for name in heavy if name in sys.modules])
"""


def test_a_second_build_makes_nothing(cold: Path, done: list[str]) -> None:
    build("-q", "--only", "card,data")
    first = {path: path.stat().st_ino for path in (cold / "build").rglob("*")}
    assert done == ["fate/cards"]
    assert "1 of 1 aids as they were" in build("--only", "card,data").stdout
    assert len(done) == 1
    assert {path: path.stat().st_ino for path in (cold / "build").rglob("*")} == first
    said = explained("--only", "card,data")
    assert said == ["nothing to do: no file that is read has changed, and the output is as it was left"]


def test_a_second_build_loads_nothing_that_makes_pages(folder: Path) -> None:
    build("-q", "--only", "card")
    command = [sys.executable, "-c", LOADED, "build", "-q", "--paper", "a4", "--only", "card"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "[]\n"


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(command.split(), id=command)
        for command in (
            "cards --paper a4",
            "sheet fate",
            "screen mine.toml",
            "screen --theme ink-saving",
            "cards --size tarot",
        )
    ],
)
def test_every_command_that_makes_files_does_nothing_when_nothing_has_changed(
    folder: Path, done: list[str], monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    (folder / "mine.toml").write_text('system = "fate"\n' + SCREEN)
    describe_sheet(folder / "content" / "fate", 'title = "Sheet"\nwho = ["Name"]\n')
    asked = [*command, "--jobs", "1", "-q"]
    assert CliRunner().invoke(main, asked).exit_code == 0
    with monkeypatch.context() as patch:
        patch.setattr(building, "project_of", None)  # none is read
        assert CliRunner().invoke(main, asked, catch_exceptions=False).exit_code == 0
    for file in ("content/fate/rules.md", "mine.toml"):
        path = folder / file
        path.write_text(path.read_text().replace("Average", "Middling").replace("Rolling", "How to roll"))
    before = [*done]
    assert CliRunner().invoke(main, asked).exit_code == 0
    assert (done != before) == (command[0] == "screen")


def test_an_edit_of_a_cell_makes_the_aids_that_show_it(folder: Path, done: list[str]) -> None:
    build("-q")
    edit(folder, "Average", "Middling")
    kept = [line for line in explained() if line.startswith("kept")]
    assert kept == ["kept     fate/cards (a4)"]
    assert [line for line in explained() if line not in kept] == [
        "changed: fate/rules.md",
        "to make  fate/gm-screen (a4): what it shows has changed",
        "1 of 2 to lay out; data and site are made again where their game has changed",
    ]
    done.clear()
    build("-q")
    assert done == ["fate/gm-screen"]
    assert tree(folder / "build") == clean_build(folder)
    edit(folder, "Middling", "Average")
    done.clear()
    build("-q")
    assert done == []  # it is known from before
    assert tree(folder / "build") == clean_build(folder)


@pytest.mark.parametrize(
    ("aid", "shows", "other"),
    [("screen", "<h1>Traits</h1>", "<h1>Rolling</h1>"), ("booklet", 'data-number="3"', 'data-number="2"')],
)
def test_an_edit_of_a_cell_lays_out_the_pages_that_show_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch, aid: str, shows: str, other: str
) -> None:
    give_back(folder / "content" / "fate", aid)
    build("-q", "--only", aid)
    laid_out = note_layouts(monkeypatch, lambda html, _: html)
    edit(folder, "Average", "Middling")
    build("-q", "--only", aid)
    (html,) = laid_out
    assert shows in html
    assert other not in html


def test_pages_of_the_site_rest_on_the_rules_and_not_on_what_describes_an_aid(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []

    def noted(game: GameModel, links: Any) -> Any:
        made.append(game.id)
        return make_pages(game, links)

    monkeypatch.setattr(site_pages, "make_pages", noted)
    screen = folder / "content" / "fate" / "screen.toml"
    screen.write_text(SCREEN.replace("Rolling", "To roll"), encoding="utf-8")
    build("-q")
    assert made == []
    edit(folder, "add the skill", "add your skill")
    build("-q")
    assert made == ["fate"]


def test_the_page_of_characters_rests_on_the_sheet_they_are_written_for(cold: Path) -> None:
    fate = cold / "content" / "fate"
    (fate / "characters").mkdir()
    (fate / "characters" / "ada.toml").write_text('[who]\nname = "Ada"\n', encoding="utf-8")
    for title in ("Who", "WHO"):
        sheet = f'title = "Sheet"\n[[pages]]\n[[pages.parts]]\ntitle = "{title}"\nfields = ["Name"]\n'
        describe_sheet(fate, sheet)
        build("-q", "--only", "site")
        assert f">{title}<" in (cold / "build" / "fate" / "characters.html").read_text(encoding="utf-8")


def test_only_games_that_have_changed_are_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: set[str] = set()

    def noted(kind: Any, folder: Path, game: GameModel, *others: Any) -> MadeAid:
        read.add(game.id)
        return make_aid(kind, folder, game, *others)

    monkeypatch.setattr(games, "make_aid", noted)
    build("-q")
    assert read == set()
    edit(folder, "add the skill", "add your skill")
    build("-q")
    assert read == {"fate"}


def test_a_game_that_was_read_before_an_edit_is_not_kept_as_what_it_is_after(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a notebook: what is built of it is what was read, and what is built next is what there is then."""
    project = refgen.project(folder)
    assert project.games["fate"].tables["skills"].rows
    edit(folder, "Average", "Middling")
    project.build(refgen.BuildSettings(output=folder / "old", games=["fate"], only=["data"], jobs=1))
    refgen.project(folder).build(refgen.BuildSettings(output=folder / "new", games=["fate"], only=["data"], jobs=1))
    found = [(folder / name / "fate" / "tables.json").read_text() for name in ("old", "new")]
    assert ["Middling" in text for text in found] == [False, True]


def test_a_screen_with_tables_of_two_games_rests_on_both(cold: Path) -> None:
    """Of all aids of the game, the screen alone."""
    screen = cold / "content" / "fate" / "screen.toml"
    screen.write_text(SCREEN + '[[panels]]\ntitle = "Moods"\nblocks = [{ system = "grids", table = "moods" }]\n')
    for level in ("Poor", "Bleak"):
        build("-q", "--only", "screen,card")
        inputs = manifest(cold)
        assert {name.partition("/")[0] for name in inputs["fate/gm-screen-a4.pdf"]} == {"fate", "grids"}
        assert {name.partition("/")[0] for name in inputs["fate/cards-a4.pdf"]} == {"fate"}
        assert ("Bleak" in (cold / "build" / "fate" / "gm-screen-a4.html").read_text()) == (level == "Bleak")
        rules = cold / "content" / "grids" / "rules.md"
        rules.write_text(rules.read_text().replace("Poor", "Bleak"))


def manifest(folder: Path) -> dict[str, dict[str, str]]:
    """What each file of the output is made of."""
    data = json.loads((folder / "build" / "manifest.json").read_text(encoding="utf-8"))
    return {path: data["inputs"][part["inputs"]] for part in data["made"] for path in part["files"]}


def test_words_that_no_page_shows_lay_out_nothing(folder: Path, done: list[str]) -> None:
    build("-q")
    edit(folder, "add the skill", "add your skill, or what else is agreed on at the table")
    done.clear()
    build("-q")
    assert done == []
    assert tree(folder / "build") == clean_build(folder)


def remove_output(folder: Path) -> None:
    rmtree(folder / "build")


def spoil_output(folder: Path) -> None:
    (folder / "build" / "fate" / "index.html").write_text("spoilt")


def add_game(folder: Path) -> None:
    project(folder / "other", "clock")
    clock = copytree(folder / "other" / "content" / "clock", folder / "content" / "clock")
    leave_out(clock, *AIDS[1:])


def remove_game(folder: Path) -> None:
    rmtree(folder / "content" / "grids")


def add_file(folder: Path) -> None:
    (folder / "content" / "fate" / "errata.toml").write_text("", encoding="utf-8")


def choose_theme(folder: Path) -> None:
    (folder / "refgen.toml").write_text('[screen]\ntheme = "ink-saving"\n', encoding="utf-8")


def lose_picture(folder: Path) -> None:
    (folder / "build" / "fate" / "gm-screen-1.png").unlink()
    edit(folder, "Average", "Middling")


def take_panel(folder: Path) -> None:
    """The pages that link to it were made before it was known to be gone."""
    (folder / "content" / "fate" / "screen.toml").write_text(SCREEN.rpartition("[[panels]]")[0], encoding="utf-8")


CHANGES = [
    remove_output,
    spoil_output,
    lose_picture,
    remove_game,
    take_panel,
    add_file,
    choose_theme,
    add_game,
]


def test_after_any_change_the_output_is_that_of_a_clean_build(folder: Path) -> None:
    build("-q")
    for change in CHANGES:
        change(folder)
        build("-q")
        if change is choose_theme:  # the screens in colour stay, and are still listed
            remove_output(folder)
            build("-q")
        assert tree(folder / "build") == clean_build(folder), change.__name__


def test_touched_files_are_not_changed_ones(folder: Path, done: list[str]) -> None:
    build("-q")
    done.clear()
    touch(folder)
    assert explained()[0].startswith("nothing to do")
    build("-q")
    assert done == []


def test_other_fonts_or_packages_make_everything_anew(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build("-q")
    known = {**environment_digests(), "the packages installed": "others"}
    for module in ("refgen.pipeline.digests", "refgen.pipeline.store", "refgen.api.building"):
        monkeypatch.setattr(f"{module}.environment_digests", lambda: known)
    assert explained()[:2] == [
        "to make  fate/cards (a4): changed: the packages installed",
        "to make  fate/gm-screen (a4): changed: the packages installed",
    ]


def test_an_error_is_reported_again(folder: Path) -> None:
    edit(folder, "| Average  | +1    |", "| Average  | plus  |")
    told = [build("-q", code=2).stderr for _ in range(2)]
    assert told[0] == told[1] != ""


def test_a_cache_that_cannot_be_written_is_reported_and_costs_nothing_else(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "file").write_text("")
    monkeypatch.setenv("REFGEN_CACHE", str(folder / "file" / "cache"))
    result = build("-q", "--only", "card")
    told = f"cannot write {folder / 'file' / 'cache' / 'steps'}: not a directory"
    assert result.stderr == f"warning: nothing is kept for the next build: {told}\n"
    assert (folder / "build" / "fate" / "cards-a4.pdf").is_file()


def test_no_cache_takes_nothing_and_keeps_nothing(folder: Path, done: list[str]) -> None:
    before = tree(folder / "cache")
    build("-q", "--no-cache", "--only", "card")
    assert len(done) == 1
    assert tree(folder / "cache") == before
    assert explained("--no-cache")[0] == "to make  fate/cards (a4): there is no cache"


def test_clean_forgets_everything(folder: Path, done: list[str]) -> None:
    assert CliRunner().invoke(main, ["clean"]).stdout == f"removed {folder / 'cache' / 'steps'}\n"
    assert CliRunner().invoke(main, ["clean"]).stdout == "the cache is empty\n"
    build("-q", "--only", "card")
    assert len(done) == 1


def test_check_compares_and_writes_nothing(folder: Path) -> None:
    assert "manifest.json is missing" in build("--check", code=1).stdout
    assert not (folder / "build").exists()
    build("-q")
    assert build("--check").stdout == "build is up to date\n"
    edit(folder, "Average", "Middling")
    (folder / "build" / "assets" / "css" / "site.css").unlink()
    rmtree(folder / "content" / "grids")
    before = tree(folder / "build")
    said = build("--check", code=1).stdout.splitlines()
    assert "assets/css/site.css is missing" in said
    assert "fate/gm-screen-a4.pdf is not as the content says" in said
    assert "grids/index.html is of content that is gone" in said
    assert "fate/cards-a4.pdf is not as the content says" not in said
    assert said[-1] == f"build: {len(said) - 1} differences"
    assert tree(folder / "build") == before


def test_the_manifest_says_what_each_file_is_made_of(folder: Path) -> None:
    build("-q")
    inputs = manifest(folder)
    assert {*inputs, "manifest.json"} == {*tree(folder / "build")}
    names = ["cards.toml", "rules.md", "screen.toml", "system.toml"]
    assert [*inputs["fate/gm-screen-a4.pdf"]] == [f"fate/{name}" for name in names]
