"""The store: what is put in comes out, or nothing does."""

from __future__ import annotations

import os
import random
from hashlib import sha256
from pathlib import Path

import pytest

from refgen.pipeline.store import Store, cache_folder, clear_cache


def key(name: str) -> str:
    return sha256(name.encode()).hexdigest()


def entry(store: Store, name: str) -> Path:
    return store.folder / key(name)[:2] / key(name)


def test_what_is_kept_is_found_again(tmp_path: Path) -> None:
    store = Store(tmp_path / "steps")
    assert store.get(key("a")) is None
    for data in (b"", b"1", b"\0\n" * 100_000):
        store.put(key("a"), data)
        assert (store.get(key("a")), key("a") in store, store.fault) == (data, True, "")


@pytest.mark.slow
def test_a_damaged_entry_is_removed_and_never_served(tmp_path: Path) -> None:
    store, generator = Store(tmp_path), random.Random(1)
    for _ in range(200):
        store.put(key("a"), b"what was made" * 10)
        path = entry(store, "a")
        data = bytearray(path.read_bytes())
        if generator.random() < 0.5:
            data[generator.randrange(len(data))] ^= 1 << generator.randrange(8)
        else:
            del data[generator.randrange(len(data)) :]
        path.write_bytes(data)
        assert store.get(key("a")) is None
        assert not path.exists()


def test_an_entry_under_another_name_is_damaged(tmp_path: Path) -> None:
    store = Store(tmp_path)
    for name in "ab":
        store.put(key(name), name.encode())
    entry(store, "a").replace(entry(store, "b"))
    assert store.get(key("b")) is None


def test_what_was_not_used_for_longest_goes_first(tmp_path: Path) -> None:
    store = Store(tmp_path, most_bytes=350)
    for age, name in enumerate("abcde"):
        store.put(key(name), bytes(68))  # 100 with its checksum
        os.utime(entry(store, name), (age, age))
    (tmp_path / key("a")[:2] / ".new-killed").write_bytes(bytes(100))
    os.utime(tmp_path / key("a")[:2] / ".new-killed", (4, 4))
    assert store.get(key("b"))  # used just now
    store.trim()
    assert [name for name in "abcde" if key(name) in store] == ["b", "d", "e"]
    assert not list(tmp_path.glob("*/.new-*"))


def test_files_of_others_are_neither_counted_nor_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not beside entries, and not behind a link to another folder."""
    monkeypatch.setenv("REFGEN_CACHE", str(tmp_path))
    store, other = Store(tmp_path / "steps", most_bytes=0), tmp_path / "other"
    (tmp_path / "steps" / "drafts").mkdir(parents=True)
    other.mkdir()
    (tmp_path / "steps" / "ff").symlink_to(other)
    mine = [tmp_path / "steps" / "drafts" / "novel.txt", other / ("ff" * 32)]
    for path in mine:
        path.write_text("mine")
    store.put(key("a"), b"1")
    store.trim()
    assert key("a") not in store
    store.put(key("a"), b"1")
    assert clear_cache() == tmp_path / "steps"
    assert key("a") not in store
    assert [path.read_text() for path in mine] == ["mine", "mine"]


def test_a_folder_that_cannot_be_written_is_named_and_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    store = Store(tmp_path / "file" / "steps")
    store.put(key("a"), b"1")
    assert store.get(key("a")) is None
    assert store.fault == f"cannot write {tmp_path / 'file' / 'steps'}: not a directory"


@pytest.mark.parametrize(
    ("variables", "folder"),
    [
        ({"REFGEN_CACHE": "none"}, None),
        ({"REFGEN_CACHE": "/a/b"}, Path("/a/b")),
        ({"XDG_CACHE_HOME": "/x"}, Path("/x/refgen")),
        ({"XDG_CACHE_HOME": "not/absolute"}, Path("/h/.cache/refgen")),
        ({}, Path("/h/.cache/refgen")),
    ],
)
def test_where_it_lies(monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], folder: Path | None) -> None:
    for name in ("REFGEN_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {**variables, "HOME": "/h"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.platform", "linux")
    assert cache_folder() == folder


def test_clearing_it_removes_what_it_put_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFGEN_CACHE", str(tmp_path))
    (tmp_path / "mine.txt").write_text("mine")
    Store(tmp_path / "steps").put(key("a"), b"1")
    assert [clear_cache(), clear_cache()] == [tmp_path / "steps", None]
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
