"""A new set is written, synced and swapped with the old set: whatever is killed, one of the two is there, whole."""

from __future__ import annotations

import errno
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from refgen.errors import PublishError
from refgen.pipeline import publish as publishing_module
from refgen.pipeline.operating_system import CannotExchangeError, left_folders, own_folder
from refgen.pipeline.output_files import MANIFEST
from refgen.pipeline.publish import PREFIX, Staging, check_output, publish, publishing, write_all

FILES = 40
PUBLISHER = f"""
import sys
from pathlib import Path
from refgen.pipeline.publish import publish, publishing
for number in range(1000):
    with publishing(Path(sys.argv[1])) as output:
        files = {{f"{{index % 7}}/{{index}}.txt": b"%d" % number for index in range({FILES})}}
        publish(output, files, dict.fromkeys(files, "all"), [])
    print(number, flush=True)
"""


def make(output: Path, text: str) -> None:
    publish(output, {"a.html": text.encode()}, {"a.html": "a"}, [])


def killed(output: Path, when: str) -> Staging:
    """What a build leaves beside ``output`` that is killed "before" or "after" its move, or "between" two of them."""
    root = output.parent / f"{PREFIX}killed"
    left = Staging(root)
    left.new.mkdir(parents=True)
    (left.new / "a.html").write_text("new")
    (left.new / MANIFEST).write_text((output / MANIFEST).read_text())
    (output / "late.txt").write_text("mine")
    if when == "between":
        (root / "note.json").write_text(f'{{"output": "{output.name}", "new": {left.new.stat().st_ino}}}')
        output.rename(left.previous)
    elif when == "after":
        left.swap(output)
    return left


@pytest.mark.parametrize(("when", "shows"), [("before", "old"), ("between", "old"), ("after", "new")])
def test_the_next_build_ends_what_a_killed_one_began(tmp_path: Path, when: str, shows: str) -> None:
    output = tmp_path / "build"
    make(output, "old")
    left = killed(output, when)
    check_output(output)
    assert (output / "a.html").read_text() == shows
    assert (output / "late.txt").read_text() == "mine"
    assert not left.root.exists()


def test_a_file_that_comes_during_the_move_is_brought_over(tmp_path: Path) -> None:
    output = tmp_path / "build"
    make(output, "old")
    (output / "saved.txt").write_text("first")
    left = killed(output, "after")
    (output / "saved.txt").write_text("first")
    os.utime(output / "saved.txt", (1, 1))
    (left.new / "saved.txt").write_text("saved again")
    check_output(output)
    assert (output / "saved.txt").read_text() == "saved again"


def test_without_an_exchange_there_are_two_moves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def cannot(one: Path, other: Path) -> None:
        raise CannotExchangeError

    monkeypatch.setattr(publishing_module, "exchange", cannot)
    output = tmp_path / "build"
    for text in ("1", "2"):
        make(output, text)
        (output / "mine.txt").write_text(text)
    assert [(output / name).read_text() for name in ("a.html", "mine.txt")] == ["2", "2"]
    assert [path.name for path in tmp_path.iterdir()] == ["build"]


def test_a_folder_in_use_is_not_taken_for_left_behind(tmp_path: Path) -> None:
    with own_folder(tmp_path, PREFIX) as used:
        (tmp_path / f"{PREFIX}left").mkdir()
        assert [path.name for path in left_folders(tmp_path, PREFIX)] == [f"{PREFIX}left"]
        assert used.is_dir()
    assert list(tmp_path.iterdir()) == []


def test_folders_that_only_look_like_ours_stay(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / f"{PREFIX}link").symlink_to("elsewhere")
    (tmp_path / f"{PREFIX}file").write_text("mine")
    check_output(tmp_path / "build")
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"{PREFIX}file", f"{PREFIX}link", "elsewhere"]


def kills(seed: int, count: int) -> Iterator[float]:
    generator = random.Random(seed)
    return (generator.uniform(0, 0.05) for _ in range(count))


@pytest.mark.slow
@pytest.mark.parametrize("count", [3, pytest.param(300, marks=pytest.mark.soak)])
def test_publishing_that_is_killed_at_any_moment_leaves_one_whole_set(tmp_path: Path, count: int) -> None:
    output = tmp_path / "build"
    for pause in kills(1, count):
        process = subprocess.Popen([sys.executable, "-c", PUBLISHER, str(output)], stdout=subprocess.PIPE)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(pause)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        texts = [path.read_text() for path in output.glob("*/*.txt")]
        assert (len(texts), len(set(texts))) == (FILES, 1)
    with publishing(output) as folder:
        make(folder, "last")
    assert [path.name for path in tmp_path.iterdir()] == ["build"]
    assert sorted(path.name for path in output.iterdir()) == ["a.html", MANIFEST]


FEW = {"a.html": b"1", "deep/er/b.html": b"2", "deep/c.html": b""}


@pytest.fixture
def waited(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The inodes of the files that were waited for."""
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


def test_each_file_is_waited_for(tmp_path: Path, waited: list[int]) -> None:
    write_all(tmp_path, FEW, FEW)
    assert written(tmp_path) == FEW
    assert sorted(waited) == inodes(tmp_path)


def test_a_disk_that_fails_afterwards_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
        write_all(tmp_path, FEW, FEW)


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
