"""Computed fields that calculate: what the PDF says of them. (What they come to: tests/browser/test_calculation.py.)"""

from __future__ import annotations

import io
import shutil
from pathlib import Path
from typing import Any

import pikepdf
import pytest

import refgen
from refgen.aids.sheet.interactive import ACTION
from refgen.characters.sheet import FieldKind
from refgen.errors import AidError
from refgen.files import bundled
from tests.aids.sheet.fill.sheets import calculating, fields, form, loaded, ready, template
from tests.render.tagged import faults

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


@pytest.mark.parametrize("how", [{"editable": False}, {"merge": "party.pdf"}])
def test_what_has_no_fields_of_its_own_cannot_calculate(how: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(AidError, match="only the fields of one character calculate"):
        loaded(ONE).fill_sheets(output=tmp_path, calculate=True, **how)


@pytest.mark.slow
@pytest.mark.parametrize("asked", [True, False], ids=["asked for", "in sheet.toml"])
def test_sheets_calculate_where_that_is_asked_for_or_in_sheet_toml(asked: bool, tmp_path: Path) -> None:
    shutil.copytree(bundled("content") / ONE, tmp_path / "content" / ONE)
    sheet = tmp_path / "content" / ONE / "sheet.toml"
    if not asked:
        sheet.write_text("calculate = true\n" + sheet.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "refgen.toml").touch()
    game = refgen.project(tmp_path).games[ONE]
    options: dict[str, Any] = {"options": {"sheet": {"calculate": True}}} if asked else {}
    game.build(
        tmp_path / "out", only=["sheet"], papers=["a4"], characters=[*game.characters.values()], jobs=1, **options
    )
    made = [tmp_path / "out" / ONE / "sheet-a4.pdf", *(tmp_path / "out" / ONE / "characters").glob("*.pdf")]
    assert len(made) == 4
    for path in made:
        with pikepdf.open(path) as pdf:
            assert list(scripts(pdf)) == ["1", "2"]
            assert scripts(pdf)["2"].startswith("var refgenSheet =")
