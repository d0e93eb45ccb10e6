"""The scripts of PDFs work out what Python does, to the letter: in a browser, with a stand-in for the viewer's fields.

Chromium's own viewer runs them in test_pdf.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from refgen.aids.sheet.interactive import ACTION, Calculation
from refgen.aids.sheet.template import SheetTemplate
from refgen.characters.character import Character
from refgen.characters.filling import FilledValues, fill
from refgen.characters.form import Form
from refgen.characters.sheet import FieldKind
from refgen.game import SystemInfo
from refgen.layout.page_format import PageFormat
from tests.aids.sheet.sheets import calculating, loaded
from tests.browser.at_random import characters
from tests.browser.pages import worked_out
from tests.characters.small import form_of
from tests.conftest import RICHEST_AND_SOAK

VIEWER = """([action, order, characters]) => {
  globalThis.display = {visible: 0, hidden: 1};
  const run = new Function("event", action);
  return characters.map(({fields, beyond}) => {
    const doc = {getField: name => fields[name]};
    (0, eval)(beyond);
    for (const name of order) {
      const event = {target: {name}, value: null};
      run.call(doc, event);
      fields[name].valueAsString = event.value;
    }
    return Object.fromEntries(Object.entries(fields).map(([name, {valueAsString, display}]) =>
      [name, [valueAsString, display === 1]]));
  });
}"""
"""Runs the action of each computed field, in order. What stands in the fields afterwards, and whether it is hidden."""


@pytest.fixture
def page(chromium: Browser) -> Any:
    """A page that has none of the scripts."""
    page = chromium.new_page()
    yield page
    page.close()


def in_viewer(own: SheetTemplate, filled: FilledValues) -> dict[str, Any]:
    """The fields of a character as a viewer has them, before anything is worked out."""
    placing = own.placer.place(filled)
    fields = {box.name: {"valueAsString": "Off" if box.is_box else "", "display": 0} for box in own.boxes}
    for each in placing.written:
        if each.box.field.kind is not FieldKind.COMPUTED:
            fields[each.box.name]["valueAsString"] = each.text
    for box in placing.ticked:
        fields[box.name]["valueAsString"] = "Yes"
    return {"fields": fields, "beyond": Calculation.unplaced_script(placing.unplaced_values)}


def check(page: Page, form: Form, own: SheetTemplate, those: Sequence[Character]) -> int:
    """Compare all computed fields, and which boxes are hidden. Returns how many values there are."""
    assert own.calculation is not None
    page.evaluate("script => (0, eval)(script)", own.calculation.script(own.boxes, own.optional).decode("ascii"))
    every = [fill(form, character) for character in those]
    viewed = [in_viewer(own, filled) for filled in every]
    found = worked_out(page, VIEWER, [ACTION, own.calculation.order(own.boxes), viewed])
    return sum(_check(own, filled, shown) for filled, shown in zip(every, found, strict=True))


def _check(own: SheetTemplate, filled: FilledValues, shown: dict[str, tuple[str, bool]]) -> int:
    count = 0
    for box in own.boxes:
        text, hidden = shown[box.name]
        if box.field.kind is FieldKind.COMPUTED and text != "?":
            assert text == filled.texts.get(box.name, ""), (filled.character.values, box.name)
            count += bool(text)
        row, _, place = box.name.rpartition(".")
        absent = box.name in own.optional and text == "Off" and int(place) > filled.boxes.get(row, int(place))
        assert hidden == absent, (filled.character.values, box.name)
    return count


@pytest.mark.parametrize("system", RICHEST_AND_SOAK)
@pytest.mark.parametrize("count", [50, pytest.param(500, marks=pytest.mark.soak)])
def test_every_value_is_that_of_python(page: Page, system: str, count: int) -> None:
    form = loaded(system).form
    assert check(page, form, calculating(system), list(characters(form, 11, count))) > 1.5 * count


def test_what_a_sheet_has_no_room_for_counts_too(page: Page, tmp_path: Path) -> None:
    """Lines that are on no page: how many there are, and what they add up to."""
    form = form_of(tmp_path)
    own = replace(
        SheetTemplate.of(SystemInfo.of(form.game), form.sheet, PageFormat()), calculation=Calculation.of(form)
    )
    lines = {f"skills.{number}.skill": f"Skill {number}" for number in range(1, 90)}
    lines |= {f"skills.{number}.level": "Good" for number in range(1, 90)}
    long = Character("Long", {"character.name": "Long", **lines})
    assert own.placer.place(fill(form, long)).unplaced
    assert check(page, form, own, [long, *characters(form, 3, 20)]) > 100
