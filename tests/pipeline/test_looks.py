"""The looks that ship with refgen: each is sound, has a line about it, and can become that of a project."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

import refgen
from refgen.errors import CheckError, PublishError, UnknownNameError
from refgen.look.find import find_look
from refgen.pipeline.looks import bundled_looks

LOOKS = sorted(bundled_looks())


def test_each_look_has_a_line_about_it() -> None:
    assert [*refgen.Project.looks()] == LOOKS == ["modern", "night", "parchment"]
    assert all(len(about) > 20 for about in refgen.Project.looks().values())


@pytest.mark.slow
@pytest.mark.parametrize("name", LOOKS)
def test_each_look_passes_its_own_checks(name: str) -> None:
    assert find_look(bundled_looks()[name], None).is_dark is (name == "night")


def test_a_look_is_copied_once_and_never_into_a_bundled_game(tmp_path: Path) -> None:
    (tmp_path / "refgen.toml").touch()
    game = tmp_path / "content" / "game"
    game.mkdir(parents=True)
    (game / "system.toml").touch()
    project = refgen.project(tmp_path)
    copied = project.copy_look("night")
    assert copied == tmp_path / "look.toml"
    assert find_look(tmp_path, None).is_dark
    with pytest.raises(PublishError, match=r"look.toml is there"):
        project.copy_look("modern")
    with pytest.raises(UnknownNameError, match='there is no look "nigth"'):
        project.copy_look("nigth", "game")
    with pytest.raises(CheckError, match="its look are not yours to write"):
        refgen.project(bundled=True).copy_look("night", "harmonies")


@pytest.mark.slow
def test_a_look_is_shown_in_a_game() -> None:
    picture = Image.open(BytesIO(refgen.project(bundled=True).preview_look("night", "fudge-1995")))
    assert picture.width > picture.height
    assert max(picture.convert("L").crop((30, 30, 60, 60)).tobytes()) < 40
