"""Only what has changed is read again, and all of that."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from refgen.aids.screen.model import GmScreen
from refgen.api.building import Asked
from refgen.commands.watching import pinned
from refgen.errors import RefgenError
from refgen.game.game import Game, load_game
from refgen.serve import live as living
from refgen.serve.builder import Order
from refgen.serve.live import Live
from tests.resolver.systems.small import project
from tests.serve.saving import WAYS, Save, in_place

SCREEN = '[[panels]]\ntitle = "Traits"\nblocks = [{ table = "skills" }]\n'
NOTHING = Order()
FATE = Order(games=frozenset({"fate"}))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(living, "MIDST", 0)
    made = project(tmp_path / "own", "fate", "pool")
    in_place(made / "content" / "fate" / "screen.toml", SCREEN)
    return made


@pytest.fixture
def live(folder: Path) -> Live:
    return Live(Asked(str(folder), (), str(folder / "build")))


def touched(live: Live, *paths: Path) -> Order:
    return live.look(frozenset(paths))


def level(live: Live, row: str) -> str:
    """A printed value of the ladder, as the game of now has it."""
    live.part("fate")
    return live.project.games["fate"].tables["skills"][row, "Value"].text


@pytest.mark.parametrize("save", WAYS, ids=lambda save: save.__name__)
def test_a_saved_document_is_read_again(folder: Path, live: Live, save: Save) -> None:
    rules = folder / "content" / "fate" / "rules.md"
    assert level(live, "Superb") == "+5"
    save(rules, rules.read_text(encoding="utf-8").replace("+5", "+6"))
    assert touched(live, rules) == FATE
    assert level(live, "Superb") == "+6"
    assert touched(live, rules) == NOTHING


def test_other_games_stay_as_they_are(folder: Path, live: Live) -> None:
    for name in ("fate", "pool"):
        live.part(name)
    before = live.project.games["pool"]
    in_place(folder / "content" / "fate" / "screen.toml", SCREEN.replace("Traits", "Skills"))
    assert live.look(None) == FATE
    live.part("fate")
    assert live.project.games["pool"] is before


def test_rules_are_not_read_again_where_only_the_description_of_an_aid_changed(folder: Path, live: Live) -> None:
    (title,) = titles(live)
    before = live.project.games["fate"]
    screen, rules = folder / "content" / "fate" / "screen.toml", folder / "content" / "fate" / "rules.md"
    in_place(screen, SCREEN.replace("Traits", "Skills"))
    assert touched(live, screen) == FATE
    assert (title, titles(live)) == ("Traits", ["Skills"])
    assert live.project.games["fate"] is before
    in_place(rules, rules.read_text(encoding="utf-8").replace("+5", "+6"))
    assert touched(live, rules) == FATE
    assert live.project.games["fate"] is not before


def titles(live: Live) -> list[str]:
    """The panels of a screen, as it is now."""
    screen = live.part("fate").jobs[0].aid
    assert isinstance(screen, GmScreen)
    return [panel.title for panel in screen.panels]


def test_a_file_that_is_touched_or_saved_as_it_was_is_no_change(folder: Path, live: Live) -> None:
    rules = folder / "content" / "fate" / "rules.md"
    os.utime(rules)
    assert touched(live, rules) == NOTHING
    in_place(rules, rules.read_text(encoding="utf-8"))
    assert touched(live, rules) == NOTHING


def test_files_of_editors_are_no_change(folder: Path, live: Live) -> None:
    in_place(folder / "content" / "fate" / "rules.md~", "x")
    in_place(folder / "content" / "fate" / ".rules.md.swp", "x")
    assert live.look(None) == NOTHING


def test_what_was_saved_while_it_was_read_counts_as_changed(
    folder: Path, live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also when it is then as it was before: nobody knows which of the two was read."""
    rules = folder / "content" / "fate" / "rules.md"
    text = rules.read_text(encoding="utf-8")

    def load_meanwhile(place: Path, *said: Any) -> Game:
        in_place(rules, text.replace("+5", "+6"))
        found = load_game(place, *said)
        in_place(rules, text)
        return found

    monkeypatch.setattr(living, "load_game", load_meanwhile)
    assert level(live, "Superb") == "+6"
    monkeypatch.setattr(living, "load_game", load_game)
    assert touched(live, rules) == FATE
    assert level(live, "Superb") == "+5"


def test_new_files_of_a_game_are_seen(folder: Path, live: Live) -> None:
    (folder / "content" / "fate" / "characters").mkdir()
    in_place(folder / "content" / "fate" / "characters" / "hero.toml", 'name = "Hero"')
    assert touched(live, folder / "content" / "fate" / "characters") == FATE


def test_a_game_that_comes_or_goes_concerns_all(folder: Path, live: Live) -> None:
    shutil.copytree(folder / "content" / "fate", folder / "content" / "fate-2")
    order = live.look(None)
    assert (order.everything, live.names(order)) == (True, ["fate", "fate-2", "pool"])
    shutil.rmtree(folder / "content" / "fate-2")
    order = live.look(None)
    assert (order.everything, live.names(order)) == (True, ["fate", "pool"])


def test_a_screen_of_another_game_is_made_again(folder: Path, live: Live) -> None:
    text = '[[panels]]\ntitle = "Skills"\nblocks = [{ system = "fate", table = "skills" }]\n'
    in_place(folder / "content" / "pool" / "screen.toml", text)
    live.look(None)
    live.part("pool")
    rules = folder / "content" / "fate" / "rules.md"
    in_place(rules, rules.read_text(encoding="utf-8").replace("+5", "+6"))
    assert touched(live, rules) == Order(games=frozenset({"fate", "pool"}))


def test_a_screen_of_the_project_is_a_part(folder: Path, live: Live) -> None:
    in_place(folder / "table.toml", 'system = "fate"\n' + SCREEN)
    in_place(folder / "refgen.toml", '[screen]\nfiles = ["table.toml"]\n')
    assert live.look(None).everything
    assert [job.name for job in live.part("table").jobs] == ["table/gm-screen"] * 2
    assert folder / "table.toml" in live.watched.files
    in_place(folder / "table.toml", 'system = "fate"\n' + SCREEN.replace("Traits", "Skills"))
    assert touched(live, folder / "table.toml") == Order(screens=frozenset({"table"}))
    live.part("table")
    rules = folder / "content" / "fate" / "rules.md"
    in_place(rules, rules.read_text(encoding="utf-8").replace("+5", "+6"))
    assert touched(live, rules) == Order(games=frozenset({"fate"}), screens=frozenset({"table"}))


def test_a_document_from_elsewhere_belongs_to_its_game(folder: Path, tmp_path: Path) -> None:
    draft = tmp_path / "draft.md"
    shutil.copy(folder / "content" / "fate" / "rules.md", draft)
    live = Live(Asked(str(folder), (f"fate={draft}",), str(folder / "build")))
    assert draft in live.watched.files
    in_place(draft, draft.read_text(encoding="utf-8").replace("+5", "+6"))
    assert touched(live, draft) == FATE


def test_what_is_wrong_with_a_game_is_told_and_gone_when_it_is_mended(folder: Path, live: Live) -> None:
    screen = folder / "content" / "fate" / "screen.toml"
    in_place(screen, SCREEN.replace("skills", "skils"))
    assert touched(live, screen) == FATE
    (error,) = live.part("fate").errors
    assert str(error).startswith("fate/screen.toml:3:")
    assert "skils" in error.message
    in_place(screen, SCREEN)
    assert touched(live, screen) == FATE
    assert live.part("fate").errors == ()


def test_a_project_that_is_gone_is_an_error_until_it_is_back(folder: Path, live: Live) -> None:
    (folder / "content").rename(folder / "elsewhere")
    with pytest.raises(RefgenError, match="holds no game"):
        live.look(None)
    (folder / "elsewhere").rename(folder / "content")
    assert live.look(None) == NOTHING


def test_a_project_that_is_watched_is_never_another(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without its refgen.toml nothing would be found from here but the bundled games."""
    monkeypatch.chdir(folder)
    (folder / "refgen.toml").touch()
    live = Live(pinned(Asked()))
    before = live.project.folders
    (folder / "refgen.toml").unlink()
    assert not live.look(None)
    assert live.project.folders == before


def test_only_games_that_are_asked_for_are_built(folder: Path) -> None:
    live = Live(Asked(str(folder), (), str(folder / "build"), ("Pool",)))
    in_place(folder / "content" / "fate" / "screen.toml", "")
    assert live.look(None) == NOTHING
    assert live.names(Order(everything=True)) == ["pool"]
