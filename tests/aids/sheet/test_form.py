"""A sheet as a form: its parts in the order of reading, its lines as wide as a phone lets them be."""

from __future__ import annotations

import json
from functools import cache

import pytest
from lxml import html

from refgen.aids.sheet.interactive import FORM_SCRIPTS, SheetForm, form_html, make_form
from refgen.aids.sheet.job import form_mismatches
from refgen.bundle import bundled
from refgen.characters.sheet import NUMBER
from refgen.game.system_info import SystemInfo
from refgen.layout.templates import assets
from tests.aids.sheet.bundled import sheet
from tests.conftest import SYSTEMS, game
from tests.render.references import outside

PROGRAM = {"text": "</script><b>&amp;", "number": 1}


@cache
def form(system: str) -> SheetForm:
    return make_form(sheet(system), PROGRAM)


@cache
def page(system: str) -> str:
    return form_html(SystemInfo.of(game(system)), form(system))


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_part_is_there_in_the_order_of_reading(system: str) -> None:
    shown = [placed.part.id for band in form(system).bands for column in band for placed in column]
    assert shown == [part.id for part in form(system).sheet.parts()]
    assert {len(band) for band in form(system).bands} <= {1, 2}


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_field_is_there_once_by_its_name(system: str) -> None:
    root = html.fromstring(page(system))
    fields = root.xpath("//form[@id = 'sheet']//*[self::input or self::select or self::textarea or self::output]")
    names = [own.get("id") for own in fields]
    assert [name for name in names if NUMBER not in name] == [own.name for own in form(system).sheet.fields()]
    assert len({*names}) == len(names)


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_page_is_read_back_without_a_mismatch(system: str) -> None:
    assert form_mismatches(form(system), page(system), f"{system}/sheet.html", assets()) == []


@pytest.mark.parametrize(
    ("title", "old", "new", "told"),
    [
        ("a field that is gone", '<input type="text" id="who.age"', '<input type="text" id="who.aged"', "who.age"),
        ("another label", 'aria-label="Age"', 'aria-label="Year"', 'label "Year" in place of "Age"'),
        ("a word over a field", ">Competency<", ">Competence<", '"Competencies", line 1'),
        ("a figure", ">99.4%<", ">99.5%<", '"Odds by final difficulty"'),
        ("an id that is there twice", 'id="who"', 'id="new"', 'two elements have the id "new"'),
        ("a script that is nowhere", "sheet/page.js", "sheet/pages.js", "leads nowhere"),
        ("a part that is gone", 'aria-labelledby="part-notes"', "", "notes"),
    ],
)
def test_what_is_not_as_the_sheet_says_is_told(title: str, old: str, new: str, told: str) -> None:
    assert old in page("harmonies"), title
    spoilt = page("harmonies").replace(old, new)
    found = form_mismatches(form("harmonies"), spoilt, "harmonies/sheet.html", assets())
    assert any(told in str(mismatch) for mismatch in found), (title, found)


def test_a_line_of_a_list_can_be_added_where_the_list_does_not_end() -> None:
    root = html.fromstring(page("interactive-history"))
    more = {part.id for part in form("interactive-history").sheet.parts() if part.pattern and part.stretches}
    assert {own.get("data-list") for own in root.xpath("//template")} == more
    assert "armies" not in more
    assert root.xpath("//template[@data-list = 'battles']//input/@id")[0] == "battles.#.against"


@pytest.mark.parametrize(
    ("system", "part", "stacked"),
    [
        ("atari-isev", "skills", 0),
        ("atari-isev", "weapons", 35),
        ("interactive-history", "actions-of-the-round", 48),
        ("fudge-1995", "fudge-points", 0),
    ],
)
def test_a_line_of_many_fields_becomes_a_block_where_there_is_no_room(system: str, part: str, stacked: int) -> None:
    placed = {one.part.id: one for band in form(system).bands for column in band for one in column}
    assert placed[part].stacked == stacked


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_page_loads_nothing_but_our_assets_and_has_no_script_of_its_own(system: str) -> None:
    assert outside(f"{system}/sheet.html", page(system), assets()) == []
    root = html.fromstring(page(system))
    loaded = [own.get("src") for own in root.xpath("//script[@src]")]
    assert loaded == ["../assets/js/theme.js", *(f"../assets/js/{name}.js" for name in FORM_SCRIPTS)]
    assert [own.get("type") for own in root.xpath("//script[not(@src)]")] == ["application/json"]
    assert [name for own in root.iter() for name in own.attrib if name.startswith("on")] == []


def test_a_program_ends_no_element_and_comes_back_as_it_was() -> None:
    (text,) = html.fromstring(page("harmonies")).xpath("//script[@id = 'program']/text()")
    assert json.loads(text) == PROGRAM


def test_every_script_of_the_folder_is_loaded() -> None:
    there = {f"sheet/{path.stem}" for path in (bundled("templates") / "js" / "sheet").iterdir()}
    assert there == {name for name in FORM_SCRIPTS if name.startswith("sheet/")}
