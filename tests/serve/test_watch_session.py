"""Which parts of a watched project have changed: all that did, and nothing else."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from refgen.api.settings import BuildOrder, BuildSettings
from refgen.commands.build import with_fixed_folder
from refgen.errors import RefgenError
from refgen.serve import watch_session
from refgen.serve.builder import PartsOrder
from refgen.serve.watch_session import ProjectState
from tests.resolver.systems.small import project
from tests.serve.saving import WAYS, Save, in_place

SCREEN = '[[panels]]\ntitle = "Traits"\nblocks = [{ table = "skills" }]\n'
NOTHING = PartsOrder()
FATE = PartsOrder(games=frozenset({"fate"}))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(watch_session, "MIDST", 0)
    made = project(tmp_path / "own", "fate", "pool")
    in_place(made / "content" / "fate" / "screen.toml", SCREEN)
    return made


@pytest.fixture
def state(folder: Path) -> ProjectState:
    return ProjectState(BuildOrder(BuildSettings(output=str(folder / "build")), str(folder)))


def touched(state: ProjectState, *paths: Path) -> PartsOrder:
    return state.look(frozenset(paths))


@pytest.mark.parametrize("save", WAYS, ids=lambda save: save.__name__)
def test_a_saved_document_is_read_again(folder: Path, state: ProjectState, save: Save) -> None:
    rules = folder / "content" / "fate" / "rules.md"
    save(rules, rules.read_text(encoding="utf-8").replace("+5", "+6"))
    assert touched(state, rules) == FATE
    assert touched(state, rules) == NOTHING


def test_a_file_that_is_touched_or_saved_as_it_was_is_no_change(folder: Path, state: ProjectState) -> None:
    rules = folder / "content" / "fate" / "rules.md"
    os.utime(rules)
    assert touched(state, rules) == NOTHING
    in_place(rules, rules.read_text(encoding="utf-8"))
    assert touched(state, rules) == NOTHING


def test_files_of_editors_are_no_change(folder: Path, state: ProjectState) -> None:
    in_place(folder / "content" / "fate" / "rules.md~", "x")
    in_place(folder / "content" / "fate" / ".rules.md.swp", "x")
    assert state.look(None) == NOTHING


def test_what_was_saved_and_put_back_can_be_told(folder: Path, state: ProjectState) -> None:
    """Nobody knows which of the two a build has read."""
    rules, before = folder / "content" / "fate" / "rules.md", state.stamps("fate")
    text = rules.read_text(encoding="utf-8")
    in_place(rules, text.replace("+5", "+6"))
    in_place(rules, text)
    assert touched(state, rules) == NOTHING
    assert state.stamps("fate") != before


def test_new_files_of_a_game_are_seen(folder: Path, state: ProjectState) -> None:
    (folder / "content" / "fate" / "characters").mkdir()
    in_place(folder / "content" / "fate" / "characters" / "hero.toml", 'name = "Hero"')
    assert touched(state, folder / "content" / "fate" / "characters") == FATE


def test_a_game_that_comes_or_goes_concerns_all(folder: Path, state: ProjectState) -> None:
    shutil.copytree(folder / "content" / "fate", folder / "content" / "fate-2")
    order = state.look(None)
    assert (order.everything, state.names(order)) == (True, ["fate", "fate-2", "pool"])
    shutil.rmtree(folder / "content" / "fate-2")
    order = state.look(None)
    assert (order.everything, state.names(order)) == (True, ["fate", "pool"])


def test_a_part_that_takes_from_a_game_changes_with_it(folder: Path, state: ProjectState) -> None:
    in_place(folder / "table.toml", 'system = "fate"\n' + SCREEN)
    in_place(folder / "refgen.toml", '[screen]\nfiles = ["table.toml"]\n')
    assert state.look(None).everything
    state.taken_from |= {"pool": frozenset({"fate"}), "table": frozenset({"fate"}), "fate": frozenset()}
    rules = folder / "content" / "fate" / "rules.md"
    in_place(rules, rules.read_text(encoding="utf-8").replace("+5", "+6"))
    assert touched(state, rules) == PartsOrder(games=frozenset({"fate", "pool"}), screens=frozenset({"table"}))


def test_a_screen_of_the_project_is_a_part(folder: Path, state: ProjectState) -> None:
    in_place(folder / "table.toml", 'system = "fate"\n' + SCREEN)
    in_place(folder / "refgen.toml", '[screen]\nfiles = ["table.toml"]\n')
    assert state.look(None).everything
    assert folder / "table.toml" in state.watched.files
    in_place(folder / "table.toml", 'system = "fate"\n' + SCREEN.replace("Traits", "Skills"))
    assert touched(state, folder / "table.toml") == PartsOrder(screens=frozenset({"table"}))


def test_a_document_from_elsewhere_belongs_to_its_game(folder: Path, tmp_path: Path) -> None:
    draft = tmp_path / "draft.md"
    shutil.copy(folder / "content" / "fate" / "rules.md", draft)
    state = ProjectState(BuildOrder(BuildSettings(output=str(folder / "build")), str(folder), (f"fate={draft}",)))
    assert draft in state.watched.files
    in_place(draft, draft.read_text(encoding="utf-8").replace("+5", "+6"))
    assert touched(state, draft) == FATE


def test_a_project_that_is_gone_is_an_error_until_it_is_back(folder: Path, state: ProjectState) -> None:
    (folder / "content").rename(folder / "elsewhere")
    with pytest.raises(RefgenError, match="holds no game"):
        state.look(None)
    (folder / "elsewhere").rename(folder / "content")
    assert state.look(None) == NOTHING


def test_a_project_that_is_watched_is_never_another(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without its refgen.toml nothing would be found from here but the bundled games."""
    monkeypatch.chdir(folder)
    (folder / "refgen.toml").touch()
    state = ProjectState(with_fixed_folder(BuildOrder()))
    before = state.project.folders
    (folder / "refgen.toml").unlink()
    assert not state.look(None)
    assert state.project.folders == before


def test_only_games_that_are_asked_for_are_built(folder: Path) -> None:
    state = ProjectState(BuildOrder(BuildSettings(output=str(folder / "build"), games=("Pool",)), str(folder)))
    in_place(folder / "content" / "fate" / "screen.toml", "")
    assert state.look(None) == NOTHING
    assert state.names(PartsOrder(everything=True)) == ["pool"]
