"""docs/sheets.md: its sheets can be made, and its character fits."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

from refgen.aids.sheet.planner import SheetPlanner
from refgen.characters.character_files import read_characters
from refgen.characters.filling import fill
from refgen.layout.page_format import PageFormat, Paper
from refgen.words import ENGLISH
from tests.characters.small import form_of

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "sheets.md").read_text(encoding="utf-8")
SHORT, LONG, CHARACTER = re.findall(r"```toml\n(.*?)```", TEXT, re.DOTALL)


@pytest.mark.slow
@pytest.mark.parametrize("text", [SHORT, LONG], ids=["short", "long"])
@pytest.mark.parametrize("paper", [Paper.A4, Paper.LETTER])
def test_its_sheets_fit(tmp_path: Path, text: str, paper: Paper) -> None:
    form = form_of(tmp_path, text)
    pages = SheetPlanner(form.sheet, PageFormat(paper), ENGLISH).pages().pages
    assert len(pages) == len(form.sheet.pages)
    assert all(page.size >= 9 for page in pages)


def test_the_short_form_has_a_part_for_every_name(tmp_path: Path) -> None:
    form = form_of(tmp_path, SHORT)
    assert [(part.title, part.layout) for part in form.sheet.parts()] == [
        ("Who", "fields"),
        ("Traits", "fields"),
        ("Wounds", "tracks"),
        ("Skills", "lines"),
        ("Gear", "lines"),
        ("Story", "area"),
        ("Offensive and defensive tactics", "block"),
    ]


@pytest.mark.slow
def test_a_sheet_of_parts_goes_on_on_another_page(tmp_path: Path) -> None:
    names = ", ".join(f'"List {number}"' for number in range(60))
    form = form_of(tmp_path, f'title = "Lists"\nlists = [{names}]\n')
    pages = SheetPlanner(form.sheet, PageFormat(), ENGLISH).pages().pages
    assert len(pages) > 1
    assert [placed.part.title for page in pages for placed in page.parts()][1:] == [f"List {n}" for n in range(60)]


def test_its_character_fits_its_sheet(tmp_path: Path) -> None:
    form = form_of(tmp_path, LONG)
    path = tmp_path / "orlin.toml"
    path.write_text(CHARACTER, encoding="utf-8")
    found = read_characters(form, [path])
    assert found.errors == ()
    assert fill(form, found.characters[0]).exact["weapons.1.damage"] == Fraction(2)
