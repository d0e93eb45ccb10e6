"""The docs site in a browser: phone and desktop, light and dark, by keyboard, without a script."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from gzip import compress
from pathlib import Path

import pytest
from lxml import html
from playwright.sync_api import Browser, ViewportSize, expect

from refgen.aids.kinds import KINDS
from tests.browser.pages import COLOURS, PHONE, opened, violations
from tests.conftest import SYSTEMS

PAGES = (
    "index.html",
    "harmonies/index.html",
    "harmonies/rules.html",
    "atari-isev/rules.html",
    "harmonies/tables.html",
    "harmonies/tables/odds.html",
    "interactive-history/tables/military-forces.html",
    "fudge-1995/odds.html",
    "polyhedral-fudge/explore.html",
    "dice.html",
    "fudge-1995/glossary.html",
    "interactive-history/checks.html",
)
"""A page of each kind, and the longest."""
LONG = ("harmonies/rules.html", "interactive-history/tables/military-forces.html")
"""Those that have nothing that a shorter page of their kind has not."""

DESKTOP: ViewportSize = {"width": 1280, "height": 900}
SHEET: ViewportSize = {"width": 680, "height": 1000}
"""In CSS pixels A4 less 15 mm on both sides."""

NUMBER = 'a[href^="#n."]'


@dataclass(frozen=True)
class Seen:
    """What was found on a page in all the ways in which it is looked at: to open it takes longer than to ask."""

    faults: list[str]
    beyond: Mapping[str, int]
    printed: list[str]


@cache
def seen(chromium: Browser, file: Path) -> Seen:
    """Look at a page."""

    def beyond(viewport: ViewportSize) -> int:
        page.set_viewport_size(viewport)
        pixels: int = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        return pixels

    with opened(chromium, file, viewport=DESKTOP) as page:
        faults = [] if file.as_posix().endswith(LONG) else violations(page)
        wide = {"phone": beyond(PHONE), "desktop": beyond(DESKTOP)}
        page.emulate_media(media="print")
        wide["print"] = beyond(SHEET)
        expect(page.locator("h1")).to_be_visible()
        shown = page.locator("nav:visible, button:visible, .links:visible, .skip:visible").all_text_contents()
    return Seen(faults, wide, shown)


@pytest.mark.parametrize("path", [path for path in PAGES if path not in LONG])
def test_axe_finds_nothing(path: str, chromium: Browser, site: Path) -> None:
    assert seen(chromium, site / path).faults == []


@pytest.mark.soak
@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_nothing_in_the_dark(path: str, chromium: Browser, site: Path) -> None:
    """Every time tests/pipeline/test_browser.py compares all colours of text in the dark."""
    with opened(chromium, site / path, viewport=DESKTOP, color_scheme="dark") as page:
        assert violations(page, COLOURS) == []


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("viewport", ["phone", "desktop"])
def test_nothing_is_wider_than_the_window(path: str, viewport: str, chromium: Browser, site: Path) -> None:
    assert seen(chromium, site / path).beyond[viewport] == 0


def test_a_number_explains_itself_while_it_is_pointed_at(chromium: Browser, site: Path) -> None:
    with opened(chromium, site / "harmonies" / "tables" / "odds.html") as page:
        page.locator(NUMBER).nth(3).hover()
        bubble = page.get_by_role("tooltip")
        expect(bubble).to_contain_text("actions.xml:")
        page.mouse.move(0, 0)
        expect(bubble).to_be_hidden()


def test_a_number_explains_itself_by_keyboard(chromium: Browser, site: Path) -> None:
    with opened(chromium, site / "fudge-1995" / "tables" / "action-odds.html") as page:
        page.locator("#main .scroll").first.focus()
        page.keyboard.press("Tab")
        number = page.locator(f"{NUMBER}:focus")
        expect(page.get_by_role("tooltip")).to_be_visible()
        expect(number).to_have_attribute("aria-describedby", "explanation")
        page.keyboard.press("Escape")
        expect(page.locator("#explanation")).to_be_hidden()


def test_a_tapped_number_stays_explained_until_it_is_tapped_again(chromium: Browser, site: Path) -> None:
    with opened(chromium, site / "harmonies" / "rules.html", viewport=PHONE, has_touch=True) as page:
        number = page.locator(NUMBER).first
        number.tap()
        expect(page.get_by_role("tooltip")).to_be_visible()
        number.tap()
        expect(page.locator("#explanation")).to_be_hidden()


def test_without_scripts_a_number_leads_to_its_explanation(chromium: Browser, site: Path) -> None:
    with opened(chromium, site / "harmonies" / "tables" / "odds.html", java_script_enabled=False) as page:
        page.locator(NUMBER).first.click()
        expect(page).to_have_url(re.compile(r"#n\.1\.1$"))
        expect(page.locator("[id='n.1.1']")).to_be_visible()


def test_the_chosen_theme_stays(chromium: Browser, site: Path) -> None:
    with opened(chromium, site / "index.html", color_scheme="light") as page:
        switch = page.get_by_role("button", name="Theme")
        for words in ("light", "dark"):
            switch.click()
            expect(switch).to_have_text(f"Theme: {words}")
        dark = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
        page.goto((site / "harmonies" / "index.html").as_uri())
        assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == dark == "rgb(23, 25, 28)"


def test_the_first_key_leads_to_the_content(chromium: Browser, site: Path) -> None:
    with opened(chromium, site / "harmonies" / "tables.html") as page:
        page.keyboard.press("Tab")
        expect(page.locator("a:focus")).to_have_attribute("href", "#main")
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile("#main$"))


def test_the_head_of_a_page_has_its_buttons_beside_its_names_on_a_phone(chromium: Browser, site: Path) -> None:
    with opened(chromium, site / "index.html", viewport=PHONE) as page:
        for system in SYSTEMS:
            page.goto((site / system / "rules.html").as_uri())
            names, buttons = page.locator(".way").bounding_box(), page.locator(".tools").bounding_box()
            assert names is not None
            assert buttons is not None
            assert names["x"] + names["width"] <= buttons["x"], system
            assert buttons["y"] < names["y"] + names["height"], system
            assert buttons["x"] + buttons["width"] <= PHONE["width"], system


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_whole_without_a_script(path: str, chromium: Browser, site: Path) -> None:
    with opened(chromium, site / path, java_script_enabled=False) as page:
        expect(page.locator("h1")).to_be_visible()
        assert len(page.locator("main").inner_text()) > 100
        expect(page.locator("button:visible, select:visible, input:visible")).to_have_count(0)


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_printed_without_what_serves_to_get_about(path: str, chromium: Browser, site: Path) -> None:
    found = seen(chromium, site / path)
    assert found.printed == []
    assert found.beyond["print"] == 0


@pytest.mark.slow
def test_a_page_weighs_less_than_a_picture(site: Path) -> None:
    """With the styles and scripts that it loads less than 160 kB, and as hosts send them less than 50 kB.

    The dice page carries the evaluator of dice: 200 and 65 kB.
    """
    of_aids = tuple(kind.names.stem for kind in KINDS.values())
    for path in site.rglob("*.html"):
        if not path.name.startswith(of_aids):
            files = [*_loaded(path)]
            most, most_sent = (200_000, 65_000) if path.name == "dice.html" else (160_000, 50_000)
            assert sum(map(len, files)) < most, path
            assert sum(len(compress(data)) for data in files) < most_sent, path


def _loaded(page: Path) -> Iterator[bytes]:
    """A page, its styles and its scripts."""
    data = page.read_bytes()
    yield data
    for link in html.document_fromstring(data).xpath("//link[@rel = 'stylesheet']/@href | //script/@src"):
        yield (page.parent / link).read_bytes()
