"""Whatever way a file is saved, it is seen; what editors do for themselves is not."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from queue import Empty, SimpleQueue

import pytest

from refgen.serve import watch as watching
from refgen.serve.watch import FolderGone, PathsTouched, WatchedPaths, Watcher, WatchEvent, is_ignored
from tests.serve.saving import WAYS, Save, in_place
from tests.waiting import PATIENCE


@pytest.mark.parametrize(
    "name",
    [
        ".rules.md.swp",
        ".rules.md.swx",
        "rules.md.swo",
        "rules.md~",
        "4913",
        "#rules.md#",
        ".#rules.md",
        ".goutputstream-X1Y2Z3",
        "rules.md.tmp",
        "rules.md.bak",
        "rules.md.orig",
        "rules.md___jb_tmp___",
        "rules.md.part",
        ".git",
        "__pycache__",
    ],
)
def test_what_editors_leave_is_ignored(name: str) -> None:
    assert is_ignored(name)


@pytest.mark.parametrize(
    "name", ["rules.md", "4913.md", "swp.txt", "system.toml", "a#b.md", "bak", "tmp.csv", "über.xml"]
)
def test_what_authors_write_is_not(name: str) -> None:
    assert not is_ignored(name)


def test_a_change_matters_inside_the_folders_and_in_the_files() -> None:
    root = Path("/p")
    watched = WatchedPaths(
        frozenset({root / "content"}), frozenset({root / "refgen.toml"}), frozenset({root / "content/out"})
    )
    shown = ["content/g/rules.md", "content/g/characters/new.toml", "refgen.toml"]
    hidden = ["content/g/rules.md~", "content/.git/index", "content/out/a.html", "other.toml", "contents/a.md", "build"]
    assert [path for path in [*shown, *hidden] if watched.shows(root / path)] == shown
    assert watched.beside == {root}


class Eyes:
    """A watcher, and what it told."""

    def __init__(self, watched: WatchedPaths) -> None:
        self.told: SimpleQueue[WatchEvent] = SimpleQueue()
        self.watcher = Watcher(self.told.put)
        self.watcher.watch(watched)

    def next(self, seconds: float = PATIENCE) -> WatchEvent:
        return self.told.get(timeout=seconds)

    def sees(self, path: Path) -> None:
        """Wait until a path is told to be touched."""
        while True:
            match self.next():
                case PathsTouched(paths) if paths is not None and path in paths:
                    return

    def nothing(self) -> bool:
        """Nothing is told for a while but that anything may have changed."""
        found = []
        try:
            while True:
                found.append(self.next(0.15))
        except Empty:
            return all(each == PathsTouched(None) for each in found)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(watching, "TICK", 20)
    (tmp_path / "content" / "game").mkdir(parents=True)
    (tmp_path / "content" / "game" / "rules.md").write_text("old", encoding="utf-8")
    (tmp_path / "refgen.toml").write_text("", encoding="utf-8")
    return tmp_path


@pytest.fixture
def eyes(folder: Path) -> Iterator[Eyes]:
    found = Eyes(WatchedPaths(frozenset({folder / "content"}), frozenset({folder / "refgen.toml"})))
    for _ in range(2):  # both watchers have begun
        assert found.next() == PathsTouched(None)
    yield found
    found.watcher.close()


@pytest.mark.parametrize("save", WAYS, ids=lambda save: save.__name__)
@pytest.mark.parametrize("name", ["content/game/rules.md", "refgen.toml"])
def test_a_save_is_seen(folder: Path, eyes: Eyes, save: Save, name: str) -> None:
    save(folder / name, "new")
    eyes.sees(folder / name)
    assert (folder / name).read_text(encoding="utf-8") == "new"


def test_files_of_editors_and_files_beside_are_not_reported(folder: Path, eyes: Eyes) -> None:
    in_place(folder / "content" / "game" / ".rules.md.swp", "x")
    in_place(folder / "notes.txt", "x")
    assert eyes.nothing()


def test_new_folders_are_looked_into(folder: Path, eyes: Eyes) -> None:
    new = folder / "content" / "game" / "characters"
    new.mkdir()
    eyes.sees(new)
    in_place(new / "hero.toml", "x")
    eyes.sees(new / "hero.toml")


def test_a_folder_that_goes_and_comes_back_is_reported_and_watched_again(folder: Path, eyes: Eyes) -> None:
    content = folder / "content"
    shutil.copytree(content, folder / "copy")
    shutil.rmtree(content)
    while (told := eyes.next()) != FolderGone(content):
        assert isinstance(told, PathsTouched)
    (folder / "copy").rename(content)
    while (told := eyes.next()) != PathsTouched(None):  # the folder above tells of the change too
        assert isinstance(told, PathsTouched)
    in_place(content / "game" / "rules.md", "new")
    eyes.sees(content / "game" / "rules.md")


def test_a_folder_that_another_takes_the_place_of_is_watched_anew(folder: Path, eyes: Eyes) -> None:
    content = folder / "content"
    shutil.copytree(content, folder / "copy")
    content.rename(folder / "old")
    (folder / "copy").rename(content)
    while eyes.next() != PathsTouched(None):
        pass
    in_place(content / "game" / "rules.md", "new")
    eyes.sees(content / "game" / "rules.md")


def test_what_cannot_be_watched_is_reported(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_folders: object, **_options: object) -> Iterator[set[tuple[int, str]]]:
        raise OSError("OS file watch limit reached")
        yield set()

    monkeypatch.setattr("watchfiles.watch", full)
    eyes = Eyes(WatchedPaths(frozenset({folder / "content"}), frozenset()))
    told = eyes.next()
    assert isinstance(told, watching.WatchFailed)
    assert str(told.error) == "cannot watch: OS file watch limit reached"
    assert "WATCHFILES_FORCE_POLLING=1" in told.error.hint
    eyes.watcher.close()
