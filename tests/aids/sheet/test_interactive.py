"""Sheets that compute their values: the form for browsers, and the scripts of computed fields in PDFs.

The values that the scripts compute are tested in tests/browser/test_calculation.py.
"""

from __future__ import annotations

import io
import json
import shutil
from functools import cache
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from lxml import html

import refgen
from refgen.aids.kinds import KINDS
from refgen.aids.sheet.interactive import ACTION, FORM_SCRIPTS, SheetForm, form_html, make_form
from refgen.aids.sheet.job import SheetJob, form_mismatches
from refgen.characters.make_sheet import make_sheet
from refgen.characters.sheet import NUMBER, FieldKind
from refgen.errors import AidError
from refgen.files import bundled_folder
from refgen.game import SystemInfo
from refgen.layout.templates import assets
from refgen.words import ENGLISH
from tests.aids.sheet.sheets import calculating, fields, form, loaded, ready, sheet, template
from tests.conftest import SYSTEMS, game, others_in_soak
from tests.layout.html_faults import outside
from tests.layout.tagged import faults

PROGRAM = {"text": "</script><b>&amp;", "number": 1}


@cache
def browser_form(system: str) -> SheetForm:
    return make_form(sheet(system), PROGRAM)


@cache
def page(system: str) -> str:
    return form_html(SystemInfo.of(game(system)), browser_form(system))


@pytest.mark.slow
@pytest.mark.parametrize("system", SYSTEMS)
def test_every_part_is_there_in_the_order_of_reading(system: str) -> None:
    shown = [placed.part.id for band in browser_form(system).bands for column in band for placed in column]
    assert shown == [part.id for part in browser_form(system).sheet.parts()]
    assert {len(band) for band in browser_form(system).bands} <= {1, 2}


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_field_is_there_once_by_its_name(system: str) -> None:
    root = html.fromstring(page(system))
    fields = root.xpath("//form[@id = 'sheet']//*[self::input or self::select or self::textarea or self::output]")
    names = [own.get("id") for own in fields]
    assert [name for name in names if NUMBER not in name] == [own.name for own in browser_form(system).sheet.fields()]
    assert len({*names}) == len(names)


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_page_is_read_back_without_a_mismatch(system: str) -> None:
    assert form_mismatches(browser_form(system), page(system), f"{system}/sheet.html", assets(), ENGLISH) == []


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
def test_what_is_not_as_the_sheet_says_is_reported(title: str, old: str, new: str, told: str) -> None:
    assert old in page("harmonies"), title
    spoilt = page("harmonies").replace(old, new)
    found = form_mismatches(browser_form("harmonies"), spoilt, "harmonies/sheet.html", assets(), ENGLISH)
    assert any(told in str(mismatch) for mismatch in found), (title, found)


def test_a_line_of_a_list_can_be_added_where_the_list_does_not_end() -> None:
    root = html.fromstring(page("interactive-history"))
    more = {part.id for part in browser_form("interactive-history").sheet.parts() if part.pattern and part.stretches}
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
    placed = {one.part.id: one for band in browser_form(system).bands for column in band for one in column}
    assert placed[part].stacked == stacked


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_page_loads_nothing_but_our_assets_and_has_no_script_of_its_own(system: str) -> None:
    assert outside(f"{system}/sheet.html", page(system), assets()) == []
    root = html.fromstring(page(system))
    loaded = [own.get("src") for own in root.xpath("//script[@src]")]
    assert loaded == ["../assets/js/theme.js", *(f"../assets/js/{name}.js" for name in FORM_SCRIPTS)]
    assert [own.get("type") for own in root.xpath("//script[not(@src)]")] == ["application/json"] * 2
    assert [name for own in root.iter() for name in own.attrib if name.startswith("on")] == []


def test_a_program_ends_no_element_and_comes_back_as_it_was() -> None:
    (text,) = html.fromstring(page("harmonies")).xpath("//script[@id = 'program']/text()")
    assert json.loads(text) == PROGRAM


def test_every_script_of_the_folder_is_loaded() -> None:
    there = {f"sheet/{path.stem}" for path in (bundled_folder("templates") / "js" / "sheet").iterdir()}
    assert there == {name for name in FORM_SCRIPTS if name.startswith("sheet/")}


ONE = "fudge-1995"


def scripts(pdf: Any) -> dict[str, str]:
    """The scripts of a document, by their names."""
    names = list(pdf.Root.Names.JavaScript.Names)
    found = {}
    for name, action in zip(names[::2], names[1::2], strict=True):
        script = action.JS
        found[str(name)] = script.read_bytes().decode("ascii") if isinstance(script, pikepdf.Stream) else str(script)
    return found


@pytest.mark.slow
def test_every_computed_field_has_an_action_and_its_turn() -> None:
    computed = [box.name for box in template(ONE).boxes if box.field.kind is FieldKind.COMPUTED]
    with pikepdf.open(io.BytesIO(form(ONE, ready(ONE)[0], calculates=True))) as pdf:
        found = fields(pdf)
        acting = [name for name, one in found.items() if "/AA" in one]
        assert acting == computed
        assert {str(found[name].AA.C.JS) for name in acting} == {ACTION}
        order: Any = pdf.Root.AcroForm.CO
        assert [one.objgen for one in order] == [found[name].objgen for name in computed]
        assert not pdf.check_pdf_syntax()


@pytest.mark.slow
def test_a_field_has_its_turn_after_those_that_it_follows_from() -> None:
    own = calculating("atari-isev")
    assert own.calculation is not None
    order = own.calculation.order(own.boxes)
    assert order[0] == "fighting.initiative"
    assert [name for name in order if name.endswith(".points")] == list(order[-5:])
    assert sorted(order) == sorted(box.name for box in own.boxes if box.field.kind is FieldKind.COMPUTED)


@pytest.mark.slow
def test_it_does_not_claim_to_be_pdf_ua_and_is_tagged_all_the_same() -> None:
    with pikepdf.open(io.BytesIO(form(ONE, ready(ONE)[0], calculates=True))) as pdf:
        assert faults(pdf) == ["no claim to be PDF/UA-1"]
    with pikepdf.open(io.BytesIO(form(ONE, ready(ONE)[0]))) as pdf:
        assert faults(pdf) == []
        assert "/JavaScript" not in pdf.Root.Names
        assert "/CO" not in pdf.Root.AcroForm


@pytest.mark.slow
def test_the_same_input_gives_the_same_bytes() -> None:
    calculating.cache_clear()
    first = form(ONE, ready(ONE)[0], calculates=True)
    calculating.cache_clear()
    assert form(ONE, ready(ONE)[0], calculates=True) == first


@pytest.mark.slow
def test_values_look_as_they_do_without() -> None:
    with pikepdf.open(io.BytesIO(form(ONE, ready(ONE)[0], calculates=True))) as pdf:
        acting = {name: (one.V, one.AP.N.read_bytes()) for name, one in fields(pdf).items() if one.FT != "/Btn"}
    with pikepdf.open(io.BytesIO(form(ONE, ready(ONE)[0]))) as pdf:
        assert acting == {name: (one.V, one.AP.N.read_bytes()) for name, one in fields(pdf).items() if one.FT != "/Btn"}


@pytest.mark.slow
@pytest.mark.parametrize("how", [{"editable": False}, {"merge": "party.pdf"}])
def test_what_has_no_fields_of_its_own_cannot_calculate(how: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(AidError, match="only the fields of one character calculate"):
        loaded(ONE).fill_sheets(output=tmp_path, calculate=True, **how)


@pytest.mark.parametrize("says_so", [True, False])
def test_a_sheet_calculates_where_sheet_toml_says_so(says_so: bool, tmp_path: Path) -> None:
    text = (bundled_folder("content") / ONE / "sheet.toml").read_text(encoding="utf-8")
    (tmp_path / "sheet.toml").write_text("calculate = true\n" * says_so + text, encoding="utf-8")
    made = make_sheet(tmp_path, game(ONE))
    job = next(iter(KINDS["sheet"].jobs(game(ONE), made, KINDS["sheet"].options(["a4"]))))
    assert isinstance(job, SheetJob)
    assert (job.calculation is not None) is says_so


@pytest.mark.slow
@pytest.mark.parametrize("asked", others_in_soak([True], [True, False]), ids=["asked for", "in sheet.toml"])
def test_sheets_calculate_where_that_is_asked_for_or_in_sheet_toml(asked: bool, tmp_path: Path) -> None:
    shutil.copytree(bundled_folder("content") / ONE, tmp_path / "content" / ONE)
    sheet = tmp_path / "content" / ONE / "sheet.toml"
    if not asked:
        sheet.write_text("calculate = true\n" + sheet.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "refgen.toml").touch()
    game = refgen.project(tmp_path).games[ONE]
    options: dict[str, Any] = {"options": {"sheet": {"calculate": True}}} if asked else {}
    character = next(iter(game.characters.values()))
    game.build(tmp_path / "out", only=["sheet"], papers=["a4"], characters=[character], jobs=1, **options)
    made = [tmp_path / "out" / ONE / "sheet-a4.pdf", *(tmp_path / "out" / ONE / "characters").glob("*.pdf")]
    assert len(made) == 2
    for path in made:
        with pikepdf.open(path) as pdf:
            assert list(scripts(pdf)) == ["1", "2"]
            assert scripts(pdf)["2"].startswith("var refgenSheet =")
