"""The sheet for everybody: no fault that axe finds, in light and in dark; no wider than a phone."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from refgen.files import bundled_folder
from tests.browser.conftest import form
from tests.browser.pages import COLOURS, PHONE, opened, violations
from tests.conftest import RICHEST_AND_SOAK

THUMB = 44
"""CSS pixels: the least height of what is touched (WCAG 2.2, 2.5.5)."""


@cache
def faults(chromium: Browser, sheet: Path) -> Mapping[str, list[str]]:
    """What axe finds in each theme where something typed is wrong, and where a question is asked."""
    found: Mapping[str, list[str]] = {"light": [], "dark": []}
    path = sorted((bundled_folder("content") / sheet.parent.name / "characters").iterdir())[0]

    def look(page: Page, within: str) -> None:
        page.emulate_media(color_scheme="light")
        found["light"].extend(violations(page, None, within))
        page.emulate_media(color_scheme="dark")
        found["dark"].extend(violations(page, COLOURS, within))

    with opened(chromium, sheet, viewport=PHONE, has_touch=True) as page:
        page.set_input_files("#file", path)
        expect(page.locator("#said")).to_contain_text("is here")
        number = page.evaluate("[...fields.inputs()].find(([, field]) => field.kind === 'number')?.[0] ?? program.name")
        page.fill(f'[id="{number}"]', "one/two")
        page.click("#save")
        expect(page.locator(".message")).to_have_count(1)
        look(page, "html")
        page.click("#delete")
        expect(page.locator("#asks-delete")).to_be_visible()
        look(page, "#asks-delete")  # the page behind the question is as it was
    return found


@pytest.mark.parametrize("system", RICHEST_AND_SOAK)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_no_fault(chromium: Browser, forms: Path, system: str, theme: str) -> None:
    assert faults(chromium, forms / system / "sheet.html")[theme] == []


@pytest.mark.parametrize("system", RICHEST_AND_SOAK)
def test_nothing_is_wider_than_its_window_or_its_place(chromium: Browser, forms: Path, system: str) -> None:
    with opened(chromium, forms / system / "sheet.html") as page:
        page.set_input_files("#file", sorted((bundled_folder("content") / system / "characters").iterdir())[0])
        expect(page.locator("#said")).to_contain_text("is here")
        for width in (320, 340, 360, 390, 820, 1280):
            page.set_viewport_size({"width": width, "height": 844})
            assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0, (
                width
            )
            cut = page.evaluate(
                """() => [...document.querySelectorAll("#sheet :is(.part, .line, .cell, output)")].filter(box =>
                  box.checkVisibility() && box.scrollWidth > box.clientWidth + 1
                  && !box.querySelector(".scroll, input, textarea"))
                  .map(box => box.textContent.trim())"""
            )
            assert cut == [], width
            beyond = page.evaluate(
                """() => {
                  const right = box => box.getBoundingClientRect().right;
                  const fields = [...document.querySelectorAll("#sheet .part :is(input, select, textarea, output)")];
                  return fields.filter(field => right(field) > right(field.closest(".part")) + 1).map(({id}) => id);
                }"""
            )
            assert beyond == [], width


@pytest.mark.parametrize("system", RICHEST_AND_SOAK)
def test_what_is_touched_is_as_large_as_a_thumb_on_a_phone(chromium: Browser, forms: Path, system: str) -> None:
    with opened(chromium, forms / system / "sheet.html", viewport=PHONE, has_touch=True, is_mobile=True) as page:
        low = page.evaluate(
            """least => [...document.querySelectorAll("button, select, textarea, input[type=text]")]
              .filter(field => field.checkVisibility() && field.getBoundingClientRect().height < least)
              .map(field => field.id)""",
            THUMB,
        )
        assert low == []


@pytest.mark.parametrize("system", RICHEST_AND_SOAK)
def test_every_field_has_its_label_for_its_name(chromium: Browser, forms: Path, system: str) -> None:
    with opened(chromium, forms / system / "sheet.html") as page:
        found = page.evaluate(
            """() => Object.fromEntries([...document.querySelectorAll("#sheet :is(input, select, textarea, output)")]
              .map(field => [field.id, field.getAttribute("aria-label")]))"""
        )
        assert found == {field.name: field.label for field in form(system).sheet.fields()}
