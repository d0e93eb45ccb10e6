"""The page of a game's odds: what it says of settings by chance, against the resolver."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from random import Random
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, expect

import refgen
from refgen.errors import ResolverError
from refgen.game import GameModel, load_game
from refgen.notation.figures import percent
from refgen.resolver.action import Action
from refgen.site.odds import MODIFIERS
from tests.browser.pages import opened, worked_out
from tests.conftest import RICHEST_AND_SOAK, game
from tests.resolver.systems.small import FOLDER, project

HOW_MANY = [200, pytest.param(2_000, marks=pytest.mark.soak)]

ANSWERS = """(asked) => {
  const texts = (tag) => [...document.querySelectorAll(`.chances ${tag}`)].map((element) => element.textContent);
  return asked.map((hash) => {
    dispatchEvent(new HashChangeEvent("hashchange", {newURL: `${location.href}#${hash}`}));
    const chances = texts("dd");
    return texts("dt").map((name, number) => `${name} ${chances[number]}`);
  });
}"""
"""The event comes from here and not from the browser, which would take four times as long to go to an address."""


def settings(of: GameModel, count: int) -> Iterator[tuple[str, list[str]]]:
    """Settings by chance: the address of each, and what the page must say."""
    random = Random(of.id)
    actions = [(name, action, list(known(action))) for name, action in of.actions.items()]
    for number in range(count):
        name, action, traits = random.choice(actions)
        trait = random.choice(traits)
        modifier = random.choice(MODIFIERS) if action.knows_modifiers else 0
        goal = random.choice(["difficulty", "against", ""])
        asked = {
            "roll": name,
            "trait": trait,
            "modifier": modifier,
            "number": number,
            "difficulty": "",
            "against": "",
            "minimum": "",
        }
        if goal == "difficulty" and action.difficulty is not None:
            asked["difficulty"] = random.choice(action.difficulty.entries).shown.text
        elif goal == "against":
            asked["against"] = random.choice(traits)
            if action.uses_difficulty:
                asked["difficulty"] = random.choice(action.difficulty.entries).shown.text if action.difficulty else ""
            elif action.difficulty is not None and random.random() < 0.5:
                asked["minimum"] = random.choice(action.difficulty.entries).shown.text
        elif action.cannot_do_without_difficulty:
            continue
        goals = {name: str(asked[name]) for name in ("difficulty", "against", "minimum")}
        yield urlencode(asked), list(chances(action, trait, modifier, **goals))


def known(action: Action) -> Iterator[str]:
    """The traits of which the game says what they roll."""
    for entry in action.trait.entries:
        try:
            action.attempt(entry, action.difficulty.entries[0] if action.difficulty else None)
        except ResolverError:
            continue
        yield entry.shown.text


def chances(action: Action, trait: str, modifier: int, difficulty: str, against: str, minimum: str) -> Iterator[str]:
    if against:
        contest = action.contest(trait, against, modifier, minimum, difficulty)
        yield said("Win", contest.win, contest.residue)
        yield said("Draw", contest.draw, contest.residue)
        if minimum:
            yield said("Below the minimum", contest.below_minimum, contest.residue)
        yield said("Lose", contest.lose, contest.residue)
        return
    entry = next(entry for entry in action.trait.entries if entry.shown.text == trait)
    if difficulty or (action.difficulty is None and not action.bands):
        attempt = action.attempt(entry, action.difficulty_named(difficulty), modifier)
        yield said("Success", action.chance(trait, difficulty, modifier), attempt.left_out)
    elif action.bands:
        degree = action.degree(entry, modifier)
        for name, band in action.bands.items():
            yield said(name, degree.between(band.low, band.high), degree.left_out(band.low, band.high))


def said(name: str, chance: Fraction, left_out: Fraction) -> str:
    return f"{name} ≈ {percent(chance, 2)}" if left_out else f"{name} {percent(chance, 2)} ({chance})"


@pytest.mark.parametrize("system", RICHEST_AND_SOAK)
@pytest.mark.parametrize("count", HOW_MANY)
def test_the_page_says_what_the_resolver_says(system: str, count: int, chromium: Browser, site: Path) -> None:
    assert_answers(chromium, site / system / "odds.html", game(system), count)


@pytest.mark.parametrize("count", HOW_MANY)
def test_the_page_knows_every_family_of_actions(count: int, chromium: Browser, tmp_path: Path) -> None:
    families = refgen.project(project(tmp_path, "families"))
    families.build(refgen.BuildSettings(output=tmp_path / "out", only=["site"], jobs=1))
    assert_answers(chromium, tmp_path / "out" / "families" / "odds.html", load_game(FOLDER / "families"), count)


def assert_answers(chromium: Browser, path: Path, of: GameModel, count: int) -> None:
    wanted = dict(settings(of, count))
    with opened(chromium, path) as page:
        found = worked_out(page, ANSWERS, list(wanted))
    assert dict(zip(wanted, found, strict=True)) == wanted


def test_what_is_asked_stands_in_the_address(chromium: Browser, site: Path) -> None:
    with opened(chromium, site / "fudge-1995" / "odds.html") as page:
        page.get_by_label("Trait").select_option("Good")
        page.get_by_label("Difficulty").select_option("Great")
        page.get_by_label("Modifier").select_option("1")
        expect(page.locator(".question")).to_have_text("Good +1 against Great")
        address = page.evaluate("location.href")
        page.goto("about:blank")
        page.goto(address)
        expect(page.locator(".chances :is(dt, dd)")).to_have_text(["Success", "61.73% (50/81)"])
        page.goto(address.replace("difficulty=Great", "difficulty=Fair"))
        expect(page.locator(".question")).to_have_text("Good +1 against Fair")


def test_an_address_that_says_nonsense_asks_the_usual(chromium: Browser, site: Path) -> None:
    with opened(chromium, site / "harmonies" / "odds.html", "#roll=<b>&trait=x&modifier=99") as page:
        expect(page.locator(".chances")).not_to_be_empty()
