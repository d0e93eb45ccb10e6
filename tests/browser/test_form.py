"""The sheet in a browser: what is typed stays on the device, values follow, nothing is lost, no other host is asked."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from unicodedata import normalize

import pytest
from playwright.sync_api import Browser, Request, Route, expect
from pypdf import PdfReader

from tests.browser.conftest import Reader, form, typed
from tests.browser.pages import opened
from tests.conftest import RICHEST_AND_SOAK
from tests.waiting import comes_to


def name_of(system: str) -> str:
    """The key of the name of a game's characters."""
    return {"atari-isev": "character.name", "interactive-history": "society.name"}.get(system, "who.name")


def test_values_follow_while_one_types(reader: Reader) -> None:
    page = reader.sheet("atari-isev")
    for key in ("perception", "agility", "intuition"):
        page.select_option(f'[id="attributes.{key}.level"]', "Good")
    expect(page.locator('[id="fighting.initiative"]')).to_have_text("+1")
    page.fill('[id="fighting.armour"]', "2")
    expect(page.locator('[id="fighting.protection"]')).to_have_text("2")
    page.fill('[id="fighting.scale"]', "-1/2")
    expect(page.locator('[id="fighting.protection"]')).to_have_text("2")
    page.fill('[id="fighting.armour"]', "")
    expect(page.locator('[id="fighting.protection"]')).to_have_text("")


def test_the_boxes_of_a_track_are_those_of_its_level(reader: Reader) -> None:
    page = reader.sheet("atari-isev")
    shown = page.locator('[id^="wounds.scratched."][type="checkbox"]:visible')
    for level, boxes, points in (("Legendary", 5, "1–2"), ("Terrible", 1, "1"), ("Superb", 4, "1–3")):
        page.select_option('[id="attributes.health.level"]', level)
        expect(shown).to_have_count(boxes)
        expect(page.locator('[id="wounds.scratched.points"]')).to_have_text(points)


def test_a_tick_goes_with_those_before_it(reader: Reader) -> None:
    page = reader.sheet("atari-isev")
    page.select_option('[id="attributes.health.level"]', "Superb")
    boxes = [page.locator(f'[id="wounds.scratched.{number}"]') for number in (1, 2, 3, 4)]
    boxes[2].check()
    comes_to(lambda: [box.is_checked() for box in boxes], [True, True, True, False])
    boxes[1].uncheck()
    comes_to(lambda: [box.is_checked() for box in boxes], [True, False, False, False])


def test_ticks_beyond_the_boxes_of_a_level_are_reported_and_stay(reader: Reader) -> None:
    page = reader.sheet("atari-isev")
    page.select_option('[id="attributes.health.level"]', "Superb")
    page.check('[id="wounds.scratched.4"]')
    page.select_option('[id="attributes.health.level"]', "Terrible")
    message = page.locator(".part-tracks .message")
    expect(message).to_have_text("This cannot be: there are 1 boxes, and 4 are ticked.")
    expect(page.locator('[id="wounds.scratched.4"]')).to_be_visible()
    expect(page.locator('[id="wounds.scratched.4"]')).to_have_attribute("aria-invalid", "true")
    page.uncheck('[id="wounds.scratched.2"]')
    expect(message).to_have_count(0)


@pytest.mark.parametrize("system", RICHEST_AND_SOAK)
def test_what_is_typed_is_there_after_a_reload_and_in_another_page(reader: Reader, system: str) -> None:
    page = reader.sheet(system)
    page.fill(f'[id="{name_of(system)}"]', "Orlin")
    for area in page.locator("textarea:visible").all():
        area.fill("Two\nlines")
    for choice in page.locator("#sheet select:visible").all():
        choice.select_option(index=1)
    before = typed(page)
    assert len(before) > 5
    page.reload()
    comes_to(lambda: typed(page), before)
    other = reader.sheet(system)
    comes_to(lambda: typed(other), before)
    page.fill(f'[id="{name_of(system)}"]', "Orlin the second")
    expect(other.locator(f'[id="{name_of(system)}"]')).to_have_value("Orlin the second")


def test_several_characters_are_begun_chosen_named_and_deleted(reader: Reader) -> None:
    page = reader.sheet("fudge-1995")
    name, who = page.locator('[id="who.name"]'), page.locator("#who")
    name.fill("Ann")
    page.click("#new")
    expect(name).to_be_focused()
    comes_to(lambda: typed(page), {})
    name.fill("Ben")
    page.fill('[id="who.concept"]', "Smith")
    expect(who.locator("option")).to_have_text(["Ann", "Ben"])
    who.select_option("Ann")
    expect(name).to_have_value("Ann")
    expect(page.locator('[id="who.concept"]')).to_have_value("")
    page.click("#rename")
    expect(name).to_be_focused()
    page.keyboard.type("Anna")
    expect(who.locator("option")).to_have_text(["Anna", "Ben"])
    page.click("#delete")
    expect(page.locator("#deleted")).to_have_text("Anna")
    page.keyboard.press("Escape")
    expect(who.locator("option")).to_have_text(["Anna", "Ben"])
    page.click("#delete")
    page.click("#asks-delete .grave")
    expect(page.locator("#said")).to_have_text("Anna is deleted.")
    expect(name).to_have_value("Ben")
    page.reload()
    expect(who.locator("option")).to_have_text(["Ben"])


def test_lists_grow_and_their_lines_come_back(reader: Reader) -> None:
    page = reader.sheet("fudge-1995")
    lines = page.locator('.lines[data-list="skills"] > .line')
    expect(lines).to_have_count(16)
    expect(page.locator('.lines[data-list="skills"] > .line:visible')).to_have_count(3)
    add = page.locator('button[data-list="skills"]')
    for _ in range(14):
        add.click()
    expect(page.locator('[id="skills.17.skill"]')).to_be_focused()
    page.keyboard.type("Whistling")
    page.select_option('[id="skills.17.level"]', "Good")
    expect(page.locator('[id="skills.17.odds"]')).not_to_be_empty()
    expect(page.get_by_role("textbox", name="Skills 17: Skill")).to_have_value("Whistling")
    page.reload()
    expect(page.locator('[id="skills.17.skill"]')).to_have_value("Whistling")


def test_a_list_that_ends_has_no_more_lines(reader: Reader) -> None:
    page = reader.sheet("interactive-history")
    add = page.locator('button[data-list="strategic-actions"]')
    add.click()
    expect(add).to_be_hidden()
    expect(page.locator('.lines[data-list="strategic-actions"] > .line:visible')).to_have_count(4)


@pytest.mark.parametrize(
    ("key", "text", "message"),
    [
        ("fighting.armour", "two", "“two” is no number: write one such as 2, −1 or 1/2."),
        ("fighting.armour", "1/0", "“1/0” is no number: write one such as 2, −1 or 1/2."),
        ("fighting.scale", "=A1+2", "“=A1+2” is a formula of a spreadsheet: write its value instead."),
        ("character.name", "a/b", "A name with “/” is none for a file."),
    ],
)
def test_what_cannot_stand_in_a_field_is_reported_beside_it(reader: Reader, key: str, text: str, message: str) -> None:
    page = reader.sheet("atari-isev")
    own = page.locator(f'[id="{key}"]')
    own.fill(text)
    expect(own).not_to_have_attribute("aria-invalid", "true")
    own.blur()
    expect(own).to_have_attribute("aria-invalid", "true")
    expect(own).to_have_accessible_description(message)
    own.fill("1")
    expect(own).not_to_have_attribute("aria-invalid", "true")
    expect(page.locator(".message")).to_have_count(0)


def test_a_browser_that_keeps_nothing_says_so_and_works_all_the_same(stranger: Reader) -> None:
    stranger.context.add_init_script(
        "Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('no', 'SecurityError'); }})"
    )
    page = stranger.sheet("harmonies")
    page.fill('[id="who.name"]', "Ann")
    expect(page.locator("#said")).to_contain_text("This browser keeps nothing of this page")
    page.click("#new")
    page.locator("#who").select_option("Ann")
    expect(page.locator('[id="who.name"]')).to_have_value("Ann")


def test_no_room_in_the_storage_is_reported(reader: Reader) -> None:
    page = reader.sheet("harmonies")
    page.evaluate("() => { Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError'); }; }")
    page.fill('[id="who.name"]', "Ann")
    expect(page.locator("#said")).to_contain_text("no room")


def test_what_cannot_be_read_of_the_storage_is_kept_aside(reader: Reader) -> None:
    page = reader.sheet("harmonies")
    page.evaluate("localStorage.setItem('refgen/harmonies/character-sheet', '{')")
    page.reload()
    expect(page.locator("#said")).to_contain_text("cannot be read")
    comes_to(lambda: page.evaluate("localStorage.getItem('refgen/harmonies/character-sheet/damaged')"), "{")


def test_what_is_of_no_field_any_more_is_reported_and_stays(reader: Reader) -> None:
    page = reader.sheet("harmonies")
    kept = {"open": "c1", "characters": {"c1": {"who.name": "Ann", "who.star": "Sirius"}}}
    page.evaluate("kept => localStorage.setItem('refgen/harmonies/character-sheet', kept)", json.dumps(kept))
    page.reload()
    expect(page.locator("#told")).to_contain_text("who.star: “Sirius”")
    page.fill('[id="who.age"]', "20")
    found = "JSON.parse(localStorage.getItem('refgen/harmonies/character-sheet')).characters.c1"
    comes_to(lambda: page.evaluate(found), {"who.name": "Ann", "who.star": "Sirius", "who.age": "20"})


@pytest.mark.parametrize("system", RICHEST_AND_SOAK)
def test_every_field_can_be_reached_with_the_keyboard_in_the_order_of_reading(reader: Reader, system: str) -> None:
    page = reader.sheet(system)
    expected = page.evaluate(
        """() => [...document.querySelectorAll("#sheet :is(input, select, textarea, button, .scroll)")]
        .filter(field => field.checkVisibility()).map(field => field.id || field.dataset.list || "scroll")"""
    )
    page.evaluate(
        """() => {
          window.reached = [];
          addEventListener("focusin", ({target}) => reached.push(target.id || target.dataset.list || "scroll"));
        }"""
    )
    page.locator(f'[id="{name_of(system)}"]').focus()
    for _ in expected[1:]:
        page.keyboard.press("Tab")
    comes_to(lambda: page.evaluate("reached"), expected)


@pytest.mark.parametrize("system", RICHEST_AND_SOAK)
def test_print_has_all_that_was_typed(reader: Reader, system: str) -> None:
    page = reader.sheet(system)
    name = "A name that is longer than any field on any sheet of paper could be, to its very end"
    page.fill(f'[id="{name_of(system)}"]', name)
    notes = "\n".join(f"Line {number} of these notes." for number in range(40))
    page.locator("textarea:visible").last.fill(notes)
    pdf = PdfReader(BytesIO(page.pdf(prefer_css_page_size=True)))
    text = normalize("NFKC", " ".join(" ".join(one.extract_text() for one in pdf.pages).split()))
    assert name in text
    assert " ".join(notes.split()) in text
    assert "Save as file" not in text
    titles = [part.title for part in form(system).sheet.parts()]
    assert [title for title in titles if title not in text] == []


def test_without_scripts_it_is_a_blank_sheet_to_print(chromium: Browser, forms: Path) -> None:
    with opened(chromium, forms / "atari-isev" / "sheet.html", java_script_enabled=False) as page:
        expect(page.get_by_text("Without scripts this is a blank sheet")).to_be_visible()
        expect(page.locator("#tools")).to_be_hidden()
        expect(page.locator('.lines[data-list="skills"] > .line')).to_have_count(18)
        text = " ".join(one.extract_text() for one in PdfReader(BytesIO(page.pdf(prefer_css_page_size=True))).pages)
        assert "Perception" in text


def test_no_script_stands_in_the_page_and_no_other_host_is_asked(stranger: Reader, forms: Path) -> None:
    policy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; img-src 'self'"

    def answer(route: Route, request: Request) -> None:
        path = forms / request.url.removeprefix("http://sheets.test/")
        route.fulfill(path=path, headers={"Content-Security-Policy": policy} if path.suffix == ".html" else {})

    stranger.context.route("http://sheets.test/**", answer)
    page = stranger.context.new_page()
    page.on("console", lambda message: stranger.faults.append(message.text))
    page.goto("http://sheets.test/harmonies/sheet.html")
    page.fill('[id="attributes.agility"]', "3")
    page.fill('[id="competencies.1.value"]', "2")
    page.select_option('[id="competencies.1.with"]', "Agility")
    expect(page.locator('[id="competencies.1.level"]')).to_have_text("+5")
