"""Publishing: whole or not at all, and nothing of the user's is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from refgen.errors import PublishError
from refgen.pipeline.publish import MANIFEST, Made, check_output, kept, publish, read_manifest


def tree(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != MANIFEST
    }


def make(output: Path, files: dict[str, str], stays: list[Made] | None = None) -> None:
    parts = {path: path.rpartition(".")[0] for path in files}
    publish(output, {path: text.encode() for path, text in files.items()}, parts, stays or [])


def test_a_build_makes_the_folder(tmp_path: Path) -> None:
    output = tmp_path / "deep" / "build"
    make(output, {"a/x.html": "1", "index.html": "2"})
    assert tree(output) == {"a/x.html": "1", "index.html": "2"}
    assert read_manifest(output) == [Made("a/x.html", "a/x"), Made("index.html", "index")]
    assert [path.name for path in output.parent.iterdir()] == ["build"]


def test_the_next_build_replaces_what_it_makes_and_keeps_what_it_is_told(tmp_path: Path) -> None:
    output = tmp_path / "build"
    make(output, {"a.html": "1", "b.html": "1", "gone.html": "1"})
    make(output, {"a.html": "2"}, kept(output, lambda part: part in ("a", "gone")))
    assert tree(output) == {"a.html": "2", "b.html": "1"}
    assert read_manifest(output) == [Made("a.html", "a"), Made("b.html", "b")]


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


def test_a_build_killed_between_its_two_moves_is_undone(tmp_path: Path) -> None:
    output = tmp_path / "build"
    make(output, {"a.html": "1"})
    output.rename(tmp_path / ".build.previous")
    check_output(output)
    assert tree(output) == {"a.html": "1"}


def test_what_a_killed_build_left_is_removed(tmp_path: Path) -> None:
    left = tmp_path / ".build.new-99999999"
    left.mkdir()
    make(tmp_path / "build", {"a.html": "1"})
    assert not left.exists()


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
