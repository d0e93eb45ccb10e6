"""The paper of ``[output]``: on which aids are made where nobody chooses another."""

from __future__ import annotations

from pathlib import Path

import pytest

import refgen
from tests.words.lighthouse import write_lighthouse

AIDS = ("screen", "sheet", "card", "session")


def made(folder: Path, *, output: str = "", papers: tuple[str, ...] = ()) -> list[str]:
    project = refgen.project(write_lighthouse(folder, output))
    settings = refgen.BuildSettings(only=AIDS, papers=papers, cache=False)
    return [title.partition("/")[2] for title in project.plan(settings).made if "form" not in title]


@pytest.mark.parametrize(
    ("output", "papers", "wanted"),
    [
        ("", (), ["gm-screen (a4)", "sheet (a4, letter)", "cards (a4, letter)", "session (a4)", "session (letter)"]),
        # [screen] papers of the project says what holds for screens
        ('[output]\npaper = "letter"', (), ["gm-screen (a4)", "sheet (letter)", "cards (letter)", "session (letter)"]),
        ('[output]\npaper = "letter"', ("a4",), ["gm-screen (a4)", "sheet (a4)", "cards (a4)", "session (a4)"]),
    ],
)
def test_aids_are_made_on_the_paper_of_the_project_unless_others_are_chosen(
    tmp_path: Path, output: str, papers: tuple[str, ...], wanted: list[str]
) -> None:
    assert made(tmp_path, output=output, papers=papers) == wanted


def test_a_game_may_have_a_paper_of_its_own(tmp_path: Path) -> None:
    made(tmp_path)
    (tmp_path / "refgen.toml").write_text('[document]\nlanguage = "ru"\n[output]\npaper = "a4"', encoding="utf-8")
    system = tmp_path / "content" / "маяк" / "system.toml"
    system.write_text(f'output = {{ paper = "letter" }}\n{system.read_text(encoding="utf-8")}', encoding="utf-8")
    plan = refgen.project(tmp_path).plan(refgen.BuildSettings(only=["screen", "session"], cache=False))
    assert plan.made == ["маяк/gm-screen (letter)", "маяк/session (letter)"]
