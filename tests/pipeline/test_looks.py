"""The looks that ship with refgen: each is sound, has a line about it, and can become that of a project."""

from __future__ import annotations

import shutil
from io import BytesIO
from pathlib import Path

import pikepdf
import pytest
from PIL import Image

import refgen
from refgen.errors import CheckError, PublishError, UnknownNameError
from refgen.files import bundled_folder
from refgen.look.find import find_look
from refgen.pipeline.looks import bundled_looks
from tests.conftest import others_in_soak

LOOKS = sorted(bundled_looks())


def test_each_look_has_a_line_about_it() -> None:
    assert [*refgen.Project.looks()] == LOOKS == ["modern", "night", "parchment"]
    assert all(len(about) > 20 for about in refgen.Project.looks().values())


@pytest.mark.slow
@pytest.mark.parametrize("name", others_in_soak(["modern", "parchment"], LOOKS))  # night is that of a whole game below
def test_each_look_passes_its_own_checks(name: str) -> None:
    assert find_look(bundled_looks()[name], None).is_dark is (name == "night")


@pytest.mark.slow
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
def test_all_that_a_game_has_shows_the_look_of_its_project(tmp_path: Path) -> None:
    shutil.copytree(bundled_folder("content") / "examples" / "night-kiln", tmp_path / "content" / "kiln")
    (tmp_path / "refgen.toml").touch()
    project = refgen.project(tmp_path)
    (tmp_path / "look.toml").write_text(project.copy_look("night").read_text() + '[logo]\nsmall = "logo.png"\n')
    Image.new("RGB", (40, 20)).save(tmp_path / "logo.png")
    result = refgen.project(tmp_path).build(refgen.BuildSettings(output=tmp_path / "out", papers=["a4"], cache=False))
    assert (result.errors, result.mismatches) == ([], [])
    out = tmp_path / "out"
    assert {"look-text.ttf", "look.css", "logo-small.png", "icons"} < {
        path.name for path in (out / "assets/look").iterdir()
    }
    pages = {path.name: path.read_text() for path in out.rglob("*.html") if "characters" not in path.parts}
    unlike = [name for name, page in pages.items() if 'assets/look/look.css"' not in page]
    assert unlike == []
    for path in out.glob("kiln/*.pdf"):
        with pikepdf.open(path) as pdf:
            fonts = [one for one in pdf.objects if isinstance(one, pikepdf.Dictionary) and "/BaseFont" in one]
            assert "Look-Text" in {str(font.BaseFont).partition("+")[2] for font in fonts}, path.name
    picture = Image.open(BytesIO(refgen.project(tmp_path).preview_look("night")))
    assert max(picture.convert("L").crop((30, 30, 60, 60)).tobytes()) < 40
