"""The page of a game's explorers: what it says of a thousand settings, against the resolver."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from random import Random
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, expect

from refgen.resolver.computed import Explorer
from refgen.resolver.formula.axis import AxisEntry
from refgen.rules.model import Cell
from tests.browser.pages import opened, worked_out
from tests.conftest import SYSTEMS, game

HOW_MANY = [300, pytest.param(1_000, marks=pytest.mark.soak)]

ANSWERS = """(asked) => {
  const texts = (path) => [...document.querySelectorAll(path)].map((element) => element.textContent);
  return asked.map((hash) => {
    dispatchEvent(new HashChangeEvent("hashchange", {newURL: `${location.href}#${hash}`}));
    const alone = texts(".chances dt").map((name, number) => [name, texts(".chances dd")[number]]);
    const rows = [...document.querySelectorAll("#answer tbody tr")].map((row) =>
      [...row.cells].map((cell) => cell.textContent).filter((text, place) => place === 0 || text));
    return [...alone, ...rows];
  });
}"""

EXPLORERS = [
    ("atari-isev", "duel"),
    ("atari-isev", "blow"),
    ("atari-isev", "holding-out"),
    ("atari-isev", "fudge-point"),
    ("interactive-history", "battle"),
    ("interactive-history", "army"),
    ("polyhedral-fudge", "duel"),
    ("polyhedral-fudge", "fudge-points"),
]
"""Written here, so that tests can be listed without loading all games."""


def settings(system: str, name: str, count: int) -> Iterator[tuple[str, list[list[str]]]]:
    """The address of each setting, and what the page must say."""
    explorer = game(system).explorers[name]
    for chosen in combinations(explorer, Random(f"{system} {name}"), count):
        axes = [f"of-{axis.column.id}" for axis in explorer.grid.axes]
        shown = {axis: entry.shown.text for axis, entry in zip(axes, chosen, strict=True)}
        answer = explorer.answer(chosen)
        yield urlencode({"explorer": name, **shown}), [] if answer is None else list(answers(explorer, [*answer]))


def combinations(explorer: Explorer, random: Random, count: int) -> Sequence[Sequence[AxisEntry]]:
    """So many by chance, or all that there are, in any order: each is another than the one before."""
    every = list(product(*(axis.entries for axis in explorer.grid.axes)))
    return random.sample(every, min(count, len(every)))


def answers(explorer: Explorer, cells: list[Cell]) -> Iterator[list[str]]:
    alone = len(explorer.columns)
    for column, cell in zip(explorer.columns, cells, strict=False):
        yield [f"{column.title} {column.unit}".strip(), figure(cell)]
    width = len(explorer.cells)
    rows = [cells[place : place + width] for place in range(alone, len(cells), width)]
    for name, row in zip(explorer.across, rows, strict=True):
        if any(cell.text != "–" for cell in row):
            yield [name, *map(figure, row)]


def figure(cell: Cell) -> str:
    exact = "" if cell.exact is None or cell.exact.denominator == 1 else str(cell.exact)
    return f"{cell.shown} ({exact})" if 0 < len(exact) <= 20 else cell.shown


def test_every_explorer_is_asked() -> None:
    assert [(system, name) for system in SYSTEMS for name in game(system).explorers] == EXPLORERS


@pytest.mark.parametrize(("system", "name"), EXPLORERS)
@pytest.mark.parametrize("count", HOW_MANY)
def test_the_page_says_what_the_resolver_says(
    system: str, name: str, count: int, chromium: Browser, site: Path
) -> None:
    wanted = dict(settings(system, name, count))
    with opened(chromium, site / system / "explore.html") as page:
        found = worked_out(page, ANSWERS, list(wanted))
    assert dict(zip(wanted, found, strict=True)) == wanted


def test_what_is_chosen_stands_in_the_address(chromium: Browser, site: Path) -> None:
    with opened(chromium, site / "interactive-history" / "explore.html") as page:
        page.get_by_label("Your force", exact=True).select_option("Great")
        page.get_by_label("Home ground").select_option("The foe")
        question = "Your force: Great, The foe's force: Fair, Home ground: The foe, Battle: Usual"
        expect(page.locator(".question")).to_have_text(question)
        address = page.evaluate("location.href")
        page.goto("about:blank")
        page.goto(address)
        expect(page.locator(".question")).to_have_text(question)
        page.goto(address.replace("Usual", "Savage"))
        expect(page.locator(".question")).to_have_text(question.replace("Usual", "Savage"))


def test_it_is_asked_by_keyboard(chromium: Browser, site: Path) -> None:
    with opened(chromium, site / "interactive-history" / "explore.html") as page:
        what = page.get_by_label("What")
        what.focus()
        what.press("ArrowDown")
        expect(page.get_by_label("Infrastructure")).to_be_visible()
        expect(what).to_be_focused()
        what.press("Tab")
        expect(page.locator("#choices select").first).to_be_focused()


def test_what_the_table_leaves_out_because_it_is_certain_is_answered(chromium: Browser, site: Path) -> None:
    address = "#explorer=fudge-points&of-trait=Good&of-points=2"
    with opened(chromium, site / "polyhedral-fudge" / "explore.html", address) as page:
        expect(page.get_by_text("That is left out here")).to_be_hidden()
        expect(page.locator("#answer tbody td.end")).to_have_text(["100%"] * 5)


def test_an_address_that_says_nonsense_asks_the_usual(chromium: Browser, site: Path) -> None:
    with opened(chromium, site / "atari-isev" / "explore.html", "#explorer=<b>&of-own=x") as page:
        expect(page.locator(".question")).to_have_text("Your skill: Good, The foe's skill: Good, First blow: You")
