"""docs/howto.md: each of its ways is gone, from the files to what comes of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.pages import CommandStep, FileStep, steps
from tests.pipeline.test_tutorial import write_lantern

pytestmark = pytest.mark.slow

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "howto.md").read_text(encoding="utf-8")
WAYS = dict(re.findall(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE))
TOLD_IN_REMARKS = {
    "Make a character sheet": ("build/lantern/sheet-a4.pdf", "build/lantern/characters/wil-a4.pdf", "ada.toml")
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project of the tutorial, in which commands are run."""
    monkeypatch.chdir(tmp_path)
    return write_lantern(tmp_path)


@pytest.mark.parametrize("way", [title for title, text in WAYS.items() if "$ refgen" in text])
def test_a_way_leads_where_the_page_says(folder: Path, way: str) -> None:
    taken = steps(WAYS[way])
    assert len([step for step in taken if isinstance(step, FileStep)]) == WAYS[way].count("```") // 2
    assert len([step for step in taken if isinstance(step, CommandStep)]) == WAYS[way].count("$ refgen") > 0
    for step in taken:
        step.take(folder)
    for name in TOLD_IN_REMARKS.get(way, ()):
        assert (folder / name).is_file()
