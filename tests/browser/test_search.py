"""Search in a browser: from a disk and served, by keyboard, on a phone, without a script."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

import refgen
from tests.browser.pages import COLOURS, PHONE, ColorScheme, opened, served, violations
from tests.site.hostile import hostile_game
from tests.waiting import PATIENCE, wait_until

START = "harmonies/tables/odds.html"


At = Callable[..., AbstractContextManager[Page]]


@pytest.fixture(scope="module")
def at(chromium: Browser) -> Iterator[At]:
    """A page of a site, from the disk or from a folder of a host, which has all that is asked for."""
    with ExitStack() as hosts:

        @cache
        def host(folder: Path) -> str:
            address, _ = hosts.enter_context(served(folder))
            return address

        def at(way: str, site: Path, page: str = START) -> AbstractContextManager[Page]:
            path = site / page
            return opened(chromium, path if way == "disk" else f"{host(site.parent)}/{site.name}/{page}")

        yield at


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of a game whose document would do what documents must not."""
    folder = tmp_path_factory.mktemp("hostile")
    hostile_game(folder / "project", "rules.md")
    result = refgen.project(folder / "project").build(
        refgen.BuildSettings(output=folder / "site", only=["site"], jobs=1)
    )
    assert result.errors == []
    return folder / "site"


WAYS = pytest.mark.parametrize("way", ["disk", "served"])

SIGNS = """
# Signs

## Shield
A shield gives +3 to the roll, and a tower of shields +30.

## Sword
A sword does 2d6+1.

## Spear
A spear does 2d6 + 1.

## Night
The night gives −1.

## Fog
Fog gives –1.

## Mud
Mud gives -1, and ice -1.5.

## Club
A club does 2d6−1.

## Gate
The gate opens on ≥7, the postern on 8+.

## Door
The door opens on >= 7.

## Cellar
The cellar floods at <4 and stays dry at ≤ 5.

## Trap
On 10–12 nothing falls, and on 1 a stone.

## Price
A rope costs $5 or a half (1/2) of the miner’s gold, a lamp 12.

## Critical
A critical blow does ×2 in 1.5% of cases, of 15.

| Shot | Worth |
|---|---|
| far | 4 |
"""

SIGNS_SYSTEM = """
document = "rules.md"
title = "Signs"
about = "Signs as they are printed"
accent = "#123456"
source = "Signs"

[tables.shots]
title = "Shots"
header = ["Shot", "Worth"]
columns = [{ id = "shot" }, { id = "worth", type = "number" }]
"""


@pytest.fixture(scope="module")
def signs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of a game whose rules print signs as documents do."""
    folder = tmp_path_factory.mktemp("signs")
    game = folder / "content" / "signs"
    game.mkdir(parents=True)
    (folder / "refgen.toml").write_text("", encoding="utf-8")
    (game / "rules.md").write_text(SIGNS, encoding="utf-8")
    (game / "system.toml").write_text(SIGNS_SYSTEM, encoding="utf-8")
    settings = refgen.BuildSettings(output=folder / "site", only=["site"], jobs=1)
    assert refgen.project(folder).build(settings).errors == []
    return folder / "site"


@WAYS
@pytest.mark.parametrize(
    ("typed", "sections"),
    [
        ("+3", "Shield"),
        ("gives +3", "Shield"),
        ("＋３", "Shield"),
        ("+1", "Sword Spear"),
        ("2d6+1", "Sword Spear"),
        ("2D6 + 1", "Sword Spear"),
        ("2d6 - 1", "Club"),
        ("-1", "Night Fog Mud"),
        ("−1", "Night Fog Mud"),
        ("–1", "Night Fog Mud"),
        ("2d6-1", "Club"),
        (">=7", "Gate Door"),
        ("≥7", "Gate Door"),
        (">= 7", "Gate Door"),
        ("8+", "Gate"),
        ("<4", "Cellar"),
        ("<=5", "Cellar"),
        ("10-12", "Trap"),
        ("10 - 12", "Trap"),
        ("$5", "Price"),
        ("1/2", "Price"),
        ("miner's gold", "Price"),
        ("x2", "Critical"),
        ("*2", "Critical"),
        ("1.5%", "Critical"),
    ],
)
def test_signs_are_found_in_every_form_that_documents_print(
    way: str, typed: str, sections: str, at: At, signs: Path
) -> None:
    with at(way, signs, "signs/rules.html") as page:
        page.keyboard.press("/")
        expect(page.get_by_label("Game")).to_have_value("Signs")
        box(page).fill(typed)
        expect(page.locator(".searching [role=status]")).to_have_text(re.compile(r"results?$"))
        found = page.locator(".found a")
        titles = found.evaluate_all("links => links.map(link => link.firstChild.data.trim())")
        assert " ".join(title for title in titles if f"## {title}\n" in SIGNS) == sections
        expect(found.locator("mark").first).to_be_visible()


def box(page: Page) -> Locator:
    return page.get_by_role("searchbox", name="Search")


def asked(page: Page, text: str, game: str = "") -> Locator:
    """The results of a search that was made, once there are any."""
    page.keyboard.press("/")
    expect(page.get_by_label("Game")).to_have_value("Harmonies")
    page.get_by_label("Game").select_option(game)
    box(page).fill(text)
    expect(page.locator(".searching [role=status]")).to_have_text(re.compile(r"result"))
    return page.locator(".found a")


@pytest.mark.parametrize(
    ("way", "title", "text", "name", "leads_to"),
    [
        ("disk", "a word of a rule text", "likelier competency", "Action Difficulty", "rules.html#action-difficulty"),
        ("served", "a word of a rule text", "likelier competency", "Action Difficulty", "rules.html#action-difficulty"),
        ("disk", "the title of a table", "Odds of success", "Odds of success", "harmonies/tables/odds.html"),
        ("served", "the beginning of a word", "law od", "Odds by law", "harmonies/tables/law-odds.html"),
        (
            "disk",
            "a number in the text",
            "typical character's",
            "A typical character's odds",
            "glossary.html#fact-typical-odds",
        ),
    ],
)
def test_what_is_found(way: str, title: str, text: str, name: str, leads_to: str, at: At, site: Path) -> None:
    with at(way, site) as page:
        found = asked(page, text, "Harmonies").filter(has_text=name).first
        expect(found).to_have_attribute("href", re.compile(re.escape(leads_to) + "$"))
        found.click()
        page.wait_for_url(f"**/{leads_to}")
        expect(page.locator("dialog")).not_to_be_visible()


@WAYS
def test_a_play_aid_is_found(way: str, at: At, built: Path) -> None:
    with at(way, built, "harmonies/index.html") as page:
        found = asked(page, "gm screen", "Harmonies").first
        expect(found).to_have_attribute("href", re.compile("harmonies/index.html#aid-gm-screen$"))


@WAYS
def test_by_keyboard_alone(way: str, at: At, site: Path) -> None:
    with at(way, site) as page:
        page.keyboard.press("Control+k")
        expect(box(page)).to_be_focused()
        expect(page.get_by_label("Game")).to_have_value("Harmonies")
        page.keyboard.insert_text("odds")  # at once: each letter would be a search of its own, and a new list
        links = page.locator(".found a")
        expect(links.nth(1)).to_be_visible()
        page.keyboard.press("ArrowDown")
        expect(links.nth(0)).to_be_focused()
        page.keyboard.press("ArrowDown")
        expect(links.nth(1)).to_be_focused()
        page.keyboard.press("ArrowUp")
        page.keyboard.press("ArrowUp")
        expect(box(page)).to_be_focused()
        page.keyboard.press("Escape")
        expect(page.locator("dialog")).not_to_be_visible()
        wait_until(lambda: page.evaluate("!document.querySelector('dialog').contains(document.activeElement)"))
        page.keyboard.press("/")
        expect(box(page)).to_be_focused()
        page.keyboard.insert_text("opposition in one roll")
        page.keyboard.press("Enter")
        page.wait_for_url("**/opposition-odds.html")


@WAYS
def test_results_are_announced_and_other_games_are_asked_when_this_one_has_none(way: str, at: At, site: Path) -> None:
    with at(way, site) as page:
        asked(page, "wound", "Harmonies")
        said = page.get_by_role("status")
        expect(said).to_have_text(re.compile(r"^Nothing in Harmonies\. .*30 results$"))
        box(page).fill("zzzz")
        expect(said).to_have_text("Nothing in Harmonies. No results")
        page.get_by_label("Game").select_option("")
        expect(said).to_have_text("No results")
        box(page).fill("")
        expect(said).to_have_text("")


def test_what_is_typed_elsewhere_opens_nothing(chromium: Browser, site: Path) -> None:
    with opened(chromium, site / START) as page:
        page.keyboard.press("/")
        expect(box(page)).to_be_focused()
        page.keyboard.insert_text("1/2 <b>(.*")
        expect(box(page)).to_have_value("1/2 <b>(.*")
        expect(page.get_by_role("status")).to_have_text(re.compile("results?$"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_a_phone(scheme: ColorScheme, chromium: Browser, site: Path) -> None:
    with opened(chromium, site / START, viewport=PHONE, color_scheme=scheme) as page:
        page.get_by_role("button", name="Search").click()
        box(page).fill("odds")
        expect(page.locator(".found a").first).to_be_visible()
        assert violations(page, COLOURS if scheme == "dark" else None) == []
        assert (
            page.evaluate("document.querySelector('dialog').scrollWidth - document.querySelector('dialog').clientWidth")
            == 0
        )


@WAYS
def test_what_a_document_says_is_words_in_results_too(way: str, at: At, hostile: Path) -> None:
    with at(way, hostile, "trap/rules.html") as page:
        page.keyboard.press("/")
        expect(page.get_by_label("Game")).not_to_have_value("")
        box(page).fill("trap")
        expect(page.locator(".found a").first).to_contain_text("<script>")
        expect(page.locator("script:not([src]):not([type='application/json'])")).to_have_count(0)
        expect(page.locator("img")).to_have_count(0)
        assert page.evaluate("window.fault") is None


def test_without_an_index_the_words_are_searched(chromium: Browser, site: Path) -> None:
    with served(site) as (address, _), chromium.new_context(service_workers="block") as context:
        context.set_default_timeout(PATIENCE * 1000)
        context.route("**/pagefind.js", lambda route: route.fulfill(status=404))
        page = context.new_page()
        page.goto(f"{address}/{START}")
        assert asked(page, "odds of success").first.get_attribute("href")


def test_without_a_script_there_is_no_button(chromium: Browser, site: Path) -> None:
    with opened(chromium, site / START, java_script_enabled=False) as page:
        expect(page.locator("button:visible")).to_have_count(0)
        page.get_by_role("link", name="Rules").click()
        page.wait_for_url("**/rules.html")
