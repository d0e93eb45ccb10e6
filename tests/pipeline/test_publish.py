"""Publishing: whole or not at all, and nothing of the user's is lost."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from hashlib import sha256
from itertools import product
from pathlib import Path
from shutil import rmtree

import pytest

from refgen.errors import PublishError
from refgen.pipeline import publish as publishing_module
from refgen.pipeline.operating_system import CannotExchangeError, exchange
from refgen.pipeline.output_files import MANIFEST, ManifestEntry, read_manifest, staying_entries
from refgen.pipeline.publish import check_output, publish, publishing
from tests.pipeline.faulty_disk import FaultyDisk


def tree(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != MANIFEST
    }


def make(output: Path, files: dict[str, str], stays: list[ManifestEntry] | None = None) -> None:
    parts = {path: path.rpartition(".")[0] for path in files}
    publish(output, {path: text.encode() for path, text in files.items()}, parts, stays or [])


def parts(output: Path) -> dict[str, str]:
    """The part of each file, as the manifest says, which knows what is in it."""
    made = read_manifest(output)
    assert [one.sha256 for one in made] == [sha256((output / one.path).read_bytes()).hexdigest() for one in made]
    return {one.path: one.part for one in made}


def test_a_build_makes_the_folder(tmp_path: Path) -> None:
    output = tmp_path / "deep" / "build"
    make(output, {"a/x.html": "1", "index.html": "2"})
    assert tree(output) == {"a/x.html": "1", "index.html": "2"}
    assert parts(output) == {"a/x.html": "a/x", "index.html": "index"}
    assert [path.name for path in output.parent.iterdir()] == ["build"]


def test_the_next_build_replaces_what_it_makes_and_keeps_what_it_is_reported(tmp_path: Path) -> None:
    output = tmp_path / "build"
    make(output, {"a.html": "1", "b.html": "1", "gone.html": "1"})
    make(output, {"a.html": "2"}, staying_entries(output, lambda part: part in ("a", "gone")))
    assert tree(output) == {"a.html": "2", "b.html": "1"}
    assert parts(output) == {"a.html": "a", "b.html": "b"}


def test_files_of_the_user_stay(tmp_path: Path) -> None:
    output = tmp_path / "build"
    make(output, {"a.html": "1"})
    (output / "notes").mkdir()
    (output / "notes" / "mine.txt").write_text("mine")
    make(output, {"a.html": "2"})
    assert tree(output) == {"a.html": "2", "notes/mine.txt": "mine"}


def test_a_folder_that_refgen_did_not_make_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(PublishError, match="was not made by refgen"):
        make(tmp_path, {"a.html": "1"})
    assert tree(tmp_path) == {"mine.txt": "mine"}


def test_a_file_in_the_way_is_refused(tmp_path: Path) -> None:
    (tmp_path / "build").write_text("mine")
    with pytest.raises(PublishError, match="is a file, not a folder"):
        check_output(tmp_path / "build")


def test_a_path_that_leads_out_is_refused_and_nothing_changes(tmp_path: Path) -> None:
    output = tmp_path / "build"
    make(output, {"a.html": "1"})
    with pytest.raises(PublishError, match="leads out of the output folder"):
        make(output, {"../../evil.html": "2"})
    assert tree(output) == {"a.html": "1"}
    assert [path.name for path in tmp_path.iterdir()] == ["build"]


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(PublishError, match=r"cannot write .*: (not a directory|file exists)"):
        check_output(tmp_path / "file" / "build")


def test_a_damaged_manifest_is_named(tmp_path: Path) -> None:
    output = tmp_path / "build"
    make(output, {"a.html": "1"})
    (output / MANIFEST).write_text("{")
    with pytest.raises(PublishError, match="is damaged"):
        make(output, {"a.html": "2"})


def test_a_link_to_a_folder_stays_one(tmp_path: Path) -> None:
    (tmp_path / "elsewhere" / "site").mkdir(parents=True)
    link = tmp_path / "build"
    link.symlink_to(tmp_path / "elsewhere" / "site")
    for text in ("1", "2"):
        with publishing(link) as output:
            make(output, {"a.html": text})
    assert link.is_symlink()
    assert tree(tmp_path / "elsewhere" / "site") == {"a.html": "2"}
    assert [path.name for path in (tmp_path / "elsewhere").iterdir()] == ["site"]


@pytest.mark.parametrize("name", ["x" * 300, "y/" * 3000 + "z"], ids=["name", "path"])
def test_a_name_that_is_too_long_is_said(tmp_path: Path, name: str) -> None:
    with pytest.raises(PublishError, match=r"cannot write .*: file name too long") as raised:
        check_output(tmp_path / name)
    assert len(str(raised.value)) < 300


def test_a_long_name_of_an_output_leaves_room_for_the_folder_beside_it(tmp_path: Path) -> None:
    output = tmp_path / ("x" * 255)
    for text in ("1", "2"):
        make(output, {"a.html": text})
    assert tree(output) == {"a.html": "2"}


@pytest.mark.parametrize(("mine", "made"), [("a", "a/b.html"), ("a/b", "a"), ("a", "a")])
def test_what_the_user_put_where_a_file_is_to_be_is_not_lost(tmp_path: Path, mine: str, made: str) -> None:
    output = tmp_path / "build"
    make(output, {"x.html": "1"})
    (output / mine).parent.mkdir(exist_ok=True)
    (output / mine).write_text("mine")
    with pytest.raises(PublishError, match="is in the way: refgen did not make it"):
        make(output, {made: "2"})
    assert tree(output) == {"x.html": "1", mine: "mine"}


def test_a_link_of_the_user_to_a_folder_where_files_are_to_be_is_not_lost(tmp_path: Path) -> None:
    output = tmp_path / "build"
    make(output, {"a/x.html": "1", "b.html": "1"})
    (output / "a").rename(tmp_path / "elsewhere")
    (output / "a").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(PublishError, match="build/a is in the way: refgen did not make it"):
        make(output, {"a/x.html": "1", "b.html": "2"})
    assert (output / "a").readlink() == tmp_path / "elsewhere"
    assert tree(tmp_path / "elsewhere") == {"x.html": "1"}


def test_an_empty_folder_of_the_user_where_a_file_is_to_be_is_not_lost(tmp_path: Path) -> None:
    output = tmp_path / "build"
    make(output, {"a.html": "1"})
    (output / "b.html").mkdir()
    with pytest.raises(PublishError, match=r"b\.html is in the way: refgen did not make it"):
        make(output, {"a.html": "1", "b.html": "1"})
    assert (output / "b.html").is_dir()


def test_links_and_empty_folders_and_rights_of_the_user_stay(tmp_path: Path) -> None:
    output = tmp_path / "build"
    make(output, {"a.html": "1"})
    (output / "empty" / "folder").mkdir(parents=True)
    (output / "broken").symlink_to("nowhere")
    (output / "up").symlink_to(tmp_path)
    (output / "mine.txt").write_text("mine")
    (output / "mine.txt").chmod(0o600)
    output.chmod(0o750)
    make(output, {"a.html": "2"})
    assert (output / "empty" / "folder").is_dir()
    assert [(output / name).readlink() for name in ("broken", "up")] == [Path("nowhere"), tmp_path]
    assert [path.stat().st_mode & 0o777 for path in (output / "mine.txt", output)] == [0o600, 0o750]


def test_no_folder_stays_empty_when_its_files_go(tmp_path: Path) -> None:
    output = tmp_path / "build"
    make(output, {"gone/x.html": "1", "a.html": "1"})
    make(output, {"a.html": "2"})
    assert sorted(path.name for path in output.iterdir()) == ["a.html", MANIFEST]


def test_a_file_that_does_not_change_is_not_written_again(tmp_path: Path) -> None:
    output = tmp_path / "build"
    make(output, {"a.html": "1", "b.html": "1", "c.html": "1"})
    (output / "c.html").write_text("2")  # somebody changed it
    first = {path.name: path.stat().st_ino for path in output.iterdir()}
    make(output, {"a.html": "1", "b.html": "2", "c.html": "1"})
    assert tree(output) == {"a.html": "1", "b.html": "2", "c.html": "1"}
    assert [name for name, number in first.items() if (output / name).stat().st_ino == number] == ["a.html"]


def test_what_is_as_it_is_to_be_stays_untouched(tmp_path: Path) -> None:
    output = tmp_path / "build"
    make(output, {"a.html": "1"})
    (output / "mine.txt").write_text("mine")
    folder = output.stat().st_ino
    make(output, {"a.html": "1"})
    assert output.stat().st_ino == folder
    make(output, {})
    assert tree(output) == {"mine.txt": "mine"}


def cannot_exchange(one: Path, other: Path) -> None:
    raise CannotExchangeError


@pytest.mark.slow
@pytest.mark.parametrize("exchange", [exchange, cannot_exchange])
def test_whichever_write_fails_the_old_output_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, exchange: Callable[[Path, Path], None]
) -> None:
    """The k-th change of the disk fails, for every k, and all that follow or none of them."""
    monkeypatch.setattr(publishing_module, "exchange", exchange)
    output, new = tmp_path / "build", {"a.html": "2", "new/c.html": "2", "same.html": "1"}

    def begin() -> None:
        rmtree(output, ignore_errors=True)
        make(output, {"a.html": "1", "gone/b.html": "1", "same.html": "1"})
        (output / "mine.txt").write_text("mine")

    begin()
    before = tree(output)
    with FaultyDisk(tmp_path).here() as counted:
        make(output, new)
    failed = 0
    for limit, lasting in product(range(1, len(counted.changes) + 1), (False, True)):
        begin()
        told = ""
        with FaultyDisk(tmp_path, limit, errno.EIO, lasting).here():
            try:
                make(output, new)
            except PublishError as error:
                told = str(error)
        failed += bool(told)
        assert os.strerror(errno.EIO).lower() in told or not told
        check_output(output)  # as the next build begins
        assert tree(output) in (before, {**new, "mine.txt": "mine"})
        assert [path.name for path in tmp_path.iterdir()] == ["build"]
    assert failed >= 10
