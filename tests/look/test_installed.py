"""A font of this machine for letters that no font of refgen has, and its copy in a project."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from fontTools.ttLib import TTCollection, TTFont

from refgen.look.find import find_look
from refgen.look.installed import installed_font
from tests.look.tiny import tiny_font

LETTERS = "龍虎"


def fontconfig(monkeypatch: pytest.MonkeyPatch, file: Path, index: int = 0) -> None:
    """fc-match as it answers on a machine with one font."""

    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        assert command[0] == "fc-match"
        assert "charset=9f8d 864e" in command[-1]
        return subprocess.CompletedProcess(command, 0, stdout=f"Tiny Sans\n{file}\n{index}")

    monkeypatch.setattr("refgen.look.installed.subprocess.run", run)


def test_a_font_that_has_all_letters_is_copied_into_the_project_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tiny.ttf").write_bytes(tiny_font("ab" + LETTERS))
    fontconfig(monkeypatch, tmp_path / "tiny.ttf")
    font = installed_font(LETTERS)
    assert font is not None
    assert font.family == "Tiny Sans"
    project = tmp_path / "project"
    for name, data in font.project_files().items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_bytes(data)
    assert sorted(path.name for path in project.rglob("*.*")) == [
        "TinySans-bold.ttf",
        "TinySans-regular.ttf",
        "look.toml",
    ]
    assert "Look-Text" in find_look(project, None).fonts


def test_of_a_collection_the_one_font_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number, letters in enumerate(("ab", "ab" + LETTERS)):
        (tmp_path / f"{number}.ttf").write_bytes(tiny_font(letters))
    collection = TTCollection()
    collection.fonts = [TTFont(tmp_path / "0.ttf"), TTFont(tmp_path / "1.ttf")]
    collection.save(tmp_path / "tiny.ttc")
    fontconfig(monkeypatch, tmp_path / "tiny.ttc", 1)
    assert installed_font(LETTERS) is not None
    fontconfig(monkeypatch, tmp_path / "tiny.ttc", 0)
    assert installed_font(LETTERS) is None


def test_without_fontconfig_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(*_: object, **__: object) -> None:
        raise FileNotFoundError("fc-match")

    monkeypatch.setattr("refgen.look.installed.subprocess.run", run)
    assert installed_font(LETTERS) is None
