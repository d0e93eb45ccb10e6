"""Writing a set of files: the disk has all of them, or it is said that it has not."""

from __future__ import annotations

import ctypes
import errno
import os
from pathlib import Path

import pytest

from refgen.errors import PublishError
from refgen.pipeline import operating_system
from refgen.pipeline.publish import MANY, write_all

FEW = {"a.html": b"1", "deep/er/b.html": b"2", "deep/c.html": b""}
A_LOT = {f"{number % 7}/{number}.html": b"%d" % number for number in range(MANY)}


@pytest.fixture
def waited(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The inodes that were waited for one by one."""
    found: list[int] = []
    wait = os.fsync

    def fsync(number: int) -> None:
        found.append(os.fstat(number).st_ino)
        wait(number)

    monkeypatch.setattr(os, "fsync", fsync)
    return found


def written(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def inodes(folder: Path) -> list[int]:
    return sorted(path.stat().st_ino for path in folder.rglob("*") if path.is_file())


def test_few_files_are_waited_for_one_by_one(tmp_path: Path, waited: list[int]) -> None:
    write_all(tmp_path, FEW, FEW)
    assert written(tmp_path) == FEW
    assert sorted(waited) == inodes(tmp_path)


def test_many_files_are_waited_for_at_once(tmp_path: Path, waited: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    there: list[dict[str, bytes]] = []

    def wait_for_all(_: int) -> int:
        there.append(written(tmp_path))
        return 0

    monkeypatch.setattr(operating_system, "c_function", lambda *_: wait_for_all)
    write_all(tmp_path, A_LOT, A_LOT)
    assert there == [A_LOT]
    assert not waited


def test_where_nothing_waits_for_all_each_is_waited_for(
    tmp_path: Path, waited: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(operating_system, "c_function", lambda *_: None)
    write_all(tmp_path, A_LOT, A_LOT)
    assert written(tmp_path) == A_LOT
    assert sorted(waited) == inodes(tmp_path)


def test_a_disk_that_fails_afterwards_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> int:
        ctypes.set_errno(errno.ENOSPC)
        return -1

    monkeypatch.setattr(operating_system, "c_function", lambda *_: full)
    with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
        write_all(tmp_path, A_LOT, A_LOT)


def test_only_what_is_named_is_written(tmp_path: Path) -> None:
    write_all(tmp_path, FEW, ["a.html"])
    assert written(tmp_path) == {"a.html": b"1"}


@pytest.mark.parametrize("name", ["../x", "a/../../x", "/x", ".."])
def test_no_file_is_written_outside(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    with pytest.raises(PublishError, match="leads out of the output folder"):
        write_all(folder, {name: b"1"}, [name])
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]
