"""The page of any dice: expressions at random, against the resolver; and what is typed, shown and shared."""

from __future__ import annotations

import re
import shutil
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page, expect

import refgen
from refgen.errors import RefgenError
from refgen.notation.dice_notation import in_one_spelling
from refgen.resolver.dice.distribution import Distribution
from refgen.resolver.rolls import roll
from refgen.site.address import SiteAddress
from refgen.site.html import page_html
from refgen.site.page import make_dice
from tests.browser.pages import PHONE, ColorScheme, opened, violations, worked_out
from tests.browser.random_dice import expressions
from tests.resolver.systems.small import project

EXPRESSIONS = 1000 if shutil.which("node") is None else 200
"""Under node, which runs the same script as Chromium, a thousand are compared in test_evaluate.py."""

ODDS = """(texts) => texts.map((text) => {
  try {
    const { outcomes, weights, low, high, residue, moments } = DiceOdds.odds(text);
    const [written, left] = [DiceNotation.inOneSpelling(text), [residue.above, residue.below].map(String)];
    const known = moments && [moments.mean, moments.square].map(exactText);
    return { outcomes, weights: weights.map(String), low, high, residue: left, moments: known, written };
  } catch (error) {
    return { error: error.message };
  }
})"""


def asked(page: Page, dice: str, against: str = "") -> None:
    page.get_by_label("Dice").fill(dice)
    page.get_by_label("Against").fill(against)
    expect(page.locator(".question")).to_have_text(f"{dice} against {against}" if against else dice)


def by_resolver(text: str) -> Distribution | str:
    try:
        return roll(text)
    except RefgenError as error:
        return error.message


def agrees(said: dict[str, Any], rolled: Distribution | str) -> bool:
    if isinstance(rolled, str):
        return said == {"error": rolled}
    weights = [int(weight) for weight in said.get("weights", ())]
    ends = (said.get("low"), said.get("high"))
    total = sum(weights)
    return (
        said.get("outcomes") == list(rolled.outcomes)
        and [weight * rolled.denominator for weight in weights] == [weight * total for weight in rolled.weights]
        and ends == (rolled.exact_low, rolled.exact_high)
        and said["residue"] == [str(rolled.residue.numerator), str(rolled.residue.denominator)]
        and said["moments"] == (rolled.moments and [str(rolled.moments.mean), str(rolled.moments.square)])
    )


def follows_elsewhere(text: str, said: dict[str, Any], rolled: Distribution | str) -> bool:
    """Whether both say the same chances of a formula of broken numbers, which the page goes through at one go.

    So it may be followed farther here or there.
    """
    if "/" not in text or isinstance(rolled, str) or "error" in said:
        return False
    total = sum(map(int, said["weights"]))
    chances = {
        outcome: Fraction(int(weight), total) for outcome, weight in zip(said["outcomes"], said["weights"], strict=True)
    }
    low, high = said["low"], said["high"]
    asked = [number for number in {*chances, *rolled.outcomes} if rolled.is_exact(number)]
    shared = [number for number in asked if (low is None or number >= low) and (high is None or number <= high)]
    return len(shared) > 2 and all(chances.get(number, 0) == rolled.exactly(number) for number in shared)


def test_the_page_works_out_what_the_resolver_does(chromium: Browser, site: Path) -> None:
    texts = list(expressions(Random(1), EXPRESSIONS))
    with opened(chromium, site / "dice.html") as page:
        said = worked_out(page, ODDS, texts)
    answers = [(text, one, by_resolver(text)) for text, one in zip(texts, said, strict=True)]
    differ = [(text, one) for text, one, rolled in answers if not agrees(one, rolled)]
    assert [(text, one) for text, one in differ if not follows_elsewhere(text, one, by_resolver(text))] == []
    spelled = [(text, one["written"]) for text, one in zip(texts, said, strict=True) if "written" in one]
    assert [(text, written) for text, written in spelled if written != in_one_spelling(text)] == []
    assert sum("error" in one for one in said) > EXPRESSIONS / 20


@pytest.mark.parametrize(
    ("dice", "against", "figures", "first"),
    [
        ("3d6", "", ["10.50 (21/2)", "2.96"], "3 0.46% 100.00%"),
        ("4dF", "", ["0.00 (0)", "1.63"], "−4 1.23% 100.00%"),
        ("d20", "d12", ["67.50% (27/40)", "5.00% (1/20)", "27.50% (11/40)", "4.00 (4)", "6.72"], "−11 0.42% 100.00%"),
        ("explode(d6)", "", ["4.20 (21/5)", "3.26"], "1 16.67% 100.00%"),
        ("3d8!>2", "", ["108.00 (108)", "65.45"], "3 0.20% 100.00%"),
        ("2d20kh1", "", ["13.83 (553/40)", "4.71"], "1 0.25% 100.00%"),
    ],
)
def test_what_is_typed_is_answered_at_once(
    dice: str, against: str, figures: list[str], first: str, chromium: Browser, site: Path
) -> None:
    with opened(chromium, site / "dice.html") as page:
        asked(page, dice, against)
        expect(page.locator(".chances dd")).to_have_text(figures)
        expect(page.locator("#answer tbody tr").first.locator("th, td")).to_have_text([*first.split(), ""])


def test_two_rolls_in_one_field_are_compared(chromium: Browser, site: Path) -> None:
    with opened(chromium, site / "dice.html") as page:
        page.get_by_label("Dice").fill("d20 vs d12")
        expect(page.locator(".question")).to_have_text("d20 against d12")
        expect(page.locator(".chances dt").first).to_have_text("Win")


def test_a_number_after_vs_is_to_be_reached(chromium: Browser, site: Path) -> None:
    with opened(chromium, site / "dice.html") as page:
        page.get_by_label("Dice").fill("2d6 + 1 vs 8")
        expect(page.locator(".question")).to_have_text("2d6 + 1, 8 or more")
        expect(page.locator(".chances dt").first).to_have_text("8 or more")
        expect(page.locator(".chances dd").first).to_have_text("58.33% (7/12)")


def test_what_a_roll_leaves_out_is_said(chromium: Browser, site: Path) -> None:
    with opened(chromium, site / "dice.html") as page:
        asked(page, "even(d6!)")
        expect(page.locator(".chances dd")).to_have_text(["≈ 0.40", "≈ 0.49"])
        rows = [["0", "≈ 60.00%", "≈ 100.00%"], ["1", "≈ 40.00%", "≈ 40.00%"]]
        expect(page.locator("#answer tbody :is(th, td:not(:last-child))")).to_have_text(
            [cell for row in rows for cell in row]
        )
        expect(page.locator("#answer .note")).to_contain_text("Figures with ≈ leave out the rolls that go on.")
        page.get_by_label("Dice").fill("even(d6!) vs 1")
        expect(page.locator(".chances dd").first).to_have_text("≈ 40.00%")
        page.get_by_label("Dice").fill("d6! vs 100")
        expect(page.locator(".chances dd").first).to_have_text("<0.01% (1/5642219814912)")
        page.get_by_label("Dice").fill("d6! vs 100000")
        expect(page.locator(".chances dd").first).to_have_text("<0.01%")


def test_dice_are_shown_in_one_spelling(chromium: Browser, site: Path) -> None:
    with opened(chromium, site / "dice.html") as page:
        page.get_by_label("Dice").fill("4D6 drop the lowest x 10 vs d20 with advantage")
        expect(page.locator(".question")).to_have_text("4d6kh3*10 against 2d20kh1")


def test_a_project_has_letters_of_its_own_for_dice(chromium: Browser, site: Path, tmp_path: Path) -> None:
    html = page_html(make_dice(["W", "k"]), SiteAddress())
    (tmp_path / "dice.html").write_text(html, encoding="utf-8")
    (tmp_path / "assets").symlink_to(site / "assets")
    with opened(chromium, tmp_path / "dice.html") as page:
        page.get_by_label("Dice").fill("2W6 + 4k6k3")
        expect(page.locator(".question")).to_have_text("2d6 + 4d6kh3")


@pytest.mark.parametrize(
    ("dice", "question"),
    [
        ("2d6−1", "2d6-1"),
        ("3ｄ６＋２", "3d6+2"),
        ("2d6 ≥ 8", "2d6 >= 8"),
        ("4D6KH3", "4d6kh3"),
        ("adv d20 + 5", "2d20kh1 + 5"),
        ("d20 + 5 dis", "2d20kl1 + 5"),
        ("d20 adv vs −２", "2d20kh1, −2 or more"),
        ("d20+5 vs 15 with advantage", "2d20kh1+5, 15 or more"),
        ("-1d6", "-1d6"),
    ],
)
def test_what_documents_and_pages_print_is_read(dice: str, question: str, chromium: Browser, site: Path) -> None:
    with opened(chromium, site / "dice.html", f"#{urlencode({'dice': dice})}") as page:
        expect(page.locator(".question")).to_have_text(question)


def test_a_page_says_which_reading_it_took(chromium: Browser, site: Path) -> None:
    with opened(chromium, site / "dice.html", f"#{urlencode({'dice': '6 x 4d6kh3'})}") as page:
        expect(page.locator("#answer .note")).to_contain_text(
            "6*4d6kh3 is 6 times one roll; 6 rolls are repeat(6, 4d6kh3) added up, and 4d6kh3 each."
        )


def test_a_page_takes_the_letters_of_its_language(chromium: Browser, site: Path, tmp_path: Path) -> None:
    folder = project(tmp_path, "families")
    (folder / "refgen.toml").write_text('[output]\nlanguage = "de"\n', encoding="utf-8")
    refgen.project(folder).build(refgen.BuildSettings(output=tmp_path / "out", only=["site"], jobs=1))
    with opened(chromium, tmp_path / "out" / "dice.html") as page:
        for dice, question in {"2w6": "2d6", "２Ｗ６ + W4": "2d6 + d4", "4WF": "4dF", "W20 adv": "2d20kh1"}.items():
            page.get_by_label("Würfel").fill(dice)
            expect(page.locator(".question")).to_have_text(question)
        page.get_by_label("Würfel").fill("d20 + d4 with advantage")
        expect(page.get_by_role("status")).to_contain_text("kann für d4 allein oder für d20 + d4 insgesamt gelten")


def test_what_is_typed_stands_in_the_address(chromium: Browser, site: Path) -> None:
    with opened(chromium, site / "dice.html") as page:
        asked(page, "open(4dF) + 2", "2d6")
        address = page.evaluate("location.href")
        page.goto("about:blank")
        page.goto(address)
        expect(page.locator(".question")).to_have_text("open(4dF) + 2 against 2d6")


@pytest.mark.parametrize(
    ("dice", "words"),
    [
        ("3d6 +", 'Cannot read the dice "3d6 +" at column 6: it ends too early.'),
        ("3001d6", "This roll has 3,001 dice; refgen works out at most 2,000. Roll fewer or smaller dice."),
        ("d6 / 0", "A formula divides by zero."),
        ("d6^1000", 'This page cannot work that out; in a terminal, refgen odds "d6^1000" goes further.'),
        ("times(" * 4 + "9999, 9999), 9999), 9999), 9999)", "in a terminal, refgen odds"),
        ("<b>d6</b>", 'Cannot read the dice "<b>d6</b>" at column 1'),
    ],
)
def test_what_is_not_worked_out_says_why(dice: str, words: str, chromium: Browser, site: Path) -> None:
    with opened(chromium, site / "dice.html", f"#{urlencode({'dice': dice})}") as page:
        expect(page.get_by_role("status")).to_contain_text(words)
        expect(page.locator("#answer")).to_be_hidden()


def test_an_example_is_one_key_away(chromium: Browser, site: Path) -> None:
    with opened(chromium, site / "dice.html") as page:
        page.get_by_role("link", name="4d6kh3").press("Enter")
        expect(page.locator(".question")).to_have_text("4d6kh3")


def row(page: Page, result: str) -> list[str]:
    return (
        page.locator("#answer tbody tr", has=page.get_by_role("rowheader", name=result, exact=True))
        .locator("td")
        .all_inner_texts()
    )


def test_rolls_stand_side_by_side(chromium: Browser, site: Path) -> None:
    with opened(chromium, site / "dice.html") as page:
        page.get_by_label("Dice").fill("d4; d2−1; 2d2 vs 3")
        expect(page.locator(".question")).to_have_text("d4; d2-1; 2d2, 3 or more")
        expect(page.locator(".key li")).to_have_text(
            [
                "d4 mean 2.50 (5/2), standard deviation 1.12",
                "d2-1 mean 0.50 (1/2), standard deviation 0.50",
                "2d2, 3 or more 75.00% (3/4)",
            ]
        )
        expect(page.locator("#answer thead th")).to_have_text(["Result", "d4", "d2-1", "2d2, 3 or more"])
        expect(page.locator("#answer tbody th")).to_have_text(["0", "1", "2", "3", "4"])
        assert row(page, "2") == ["25.00%", "–", "25.00%"]
        page.get_by_label("Chance").select_option("At most")
        expect(page.locator("#answer tbody tr").nth(2).locator("td")).to_have_text(["50.00%", "100.00%", "25.00%"])
        page.get_by_label("Chance").select_option("At least")
        expect(page.locator("#answer tbody tr").nth(2).locator("td")).to_have_text(["75.00%", "–", "100.00%"])
        address = page.evaluate("location.href")
        page.goto("about:blank")
        page.goto(address)
        expect(page.get_by_label("Chance")).to_have_value("at-least")
        assert row(page, "2") == ["75.00%", "–", "100.00%"]


def test_one_chart_has_a_line_for_each_roll(chromium: Browser, site: Path) -> None:
    dice = ["d4", "d2", "2d2", "3d4", "dF", "d6 x 2"]
    with opened(chromium, site / "dice.html", f"#{urlencode({'dice': '; '.join(dice)})}") as page:
        expect(page.locator(".picture svg")).to_have_count(1)
        assert page.locator(".picture title").text_content() == "Exactly: d4; d2; 2d2; 3d4; dF; d6*2"
        lines = page.locator(".picture .line[stroke-dasharray]").evaluate_all(
            "(paths) => paths.map((path) => [path.getAttribute('d'), path.getAttribute('stroke-dasharray')])"
        )
        bottom = page.locator(".picture .axis").get_attribute("d")
        highest = page.locator(".picture .grid").last.get_attribute("d")
    assert len({dashes for _, dashes in lines}) == len(dice)
    foot, top = (int(re.split("[ HL]", str(d))[1]) for d in (bottom, highest))
    for text, (path, _) in zip(dice, lines, strict=True):
        heights = [int(point.split()[1]) for point in path[1:].split("L")]
        chances = roll(text).weights
        share = Fraction(foot - top) / Fraction(3, 5)  # the round number above a half is 60%
        expected = [foot - share * Fraction(weight, sum(chances)) for weight in chances]
        assert all(abs(height - place) <= 1 for height, place in zip(heights, expected, strict=True)), text


def test_an_open_ended_roll_goes_as_far_as_the_rolls_beside_it(chromium: Browser, site: Path) -> None:
    asked = urlencode({"dice": "d6!; d%", "chance": "at-least"})
    with opened(chromium, site / "dice.html", f"#{asked}") as page:
        expect(page.locator(".picture svg")).to_have_count(1)
        assert row(page, "61") == ["<0.01%", "40.00%"]
        assert row(page, "6") == ["16.67%", "95.00%"]


def test_after_several_rolls_one_roll_is_shown_as_ever(chromium: Browser, site: Path) -> None:
    with opened(chromium, site / "dice.html", f"#{urlencode({'dice': 'd6; d8'})}") as page:
        expect(page.locator(".picture")).to_be_visible()
        asked(page, "3d6")
        expect(page.locator(".picture, .key")).to_have_count(2)
        for part in (page.locator(".picture"), page.locator(".key"), page.get_by_label("Chance")):
            expect(part).to_be_hidden()
        expect(page.locator("#answer thead th").first).to_have_text("Result")
        expect(page.locator("#answer tbody tr").first.locator("th, td")).to_have_text(["3", "0.46%", "100.00%", ""])


def test_each_of_several_rolls_is_held_against_the_other_side(chromium: Browser, site: Path) -> None:
    with opened(chromium, site / "dice.html", f"#{urlencode({'dice': 'd6; d8', 'against': '2d4'})}") as page:
        expect(page.locator(".question")).to_have_text("d6 against 2d4; d8 against 2d4")
        assert row(page, "1") == ["10.42%", "11.72%"]


def test_more_than_six_rolls_are_refused(chromium: Browser, site: Path) -> None:
    with opened(chromium, site / "dice.html", f"#{urlencode({'dice': 'd4;' * 7})}") as page:
        expect(page.get_by_role("status")).to_have_text("At most 6 rolls are shown side by side.")
        expect(page.locator("#answer")).to_be_hidden()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_several_rolls_are_there_for_everybody(chromium: Browser, site: Path, theme: ColorScheme) -> None:
    page_of_rolls = f"#{urlencode({'dice': '3d6; 2d10; d20 adv; 4d6kh3; d6!; 6 x d4'})}"
    with opened(chromium, site / "dice.html", page_of_rolls, viewport=PHONE, color_scheme=theme) as page:
        expect(page.locator(".picture svg")).to_have_count(1)
        assert violations(page, within="main") == []
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
