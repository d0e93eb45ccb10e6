"""What follows from a character is the same in the browser as in Python, to the letter."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from refgen.characters.character import Character, WrittenValue
from refgen.characters.filling import FilledValues, fill
from refgen.characters.form import Form
from refgen.characters.make_sheet import make_sheet
from refgen.characters.program import program_of
from tests.browser.at_random import characters
from tests.browser.conftest import Reader, form, typed
from tests.browser.pages import worked_out
from tests.characters.small import form_of, rides_form
from tests.conftest import RICHEST_AND_SOAK, game

FILL = """([program, characters]) => characters.map(character => {
  const written = new Map(character.map(([key, value]) => [key, Array.isArray(value) ? parsed(value[0]) : value]));
  const {texts, boxes, faults, unknown} = fill(program, written);
  return {
    texts: Object.fromEntries(texts), boxes: Object.fromEntries(boxes), faults: faults.size, unknown: [...unknown],
  };
})"""


def as_data(written: WrittenValue) -> str | list[str]:
    return written if isinstance(written, str) else [str(int(written) if isinstance(written, bool) else written)]


def in_browser(page: Page, own: Form, those: Iterable[Character]) -> list[dict[str, Any]]:
    data = [[[key, as_data(value)] for key, value in one.values.items()] for one in those]
    found: list[dict[str, Any]] = worked_out(page, FILL, [program_of(own), data])
    return found


def computed(own: Form, filled: FilledValues, without: Iterable[str] = ()) -> Mapping[str, str]:
    """The texts of the fields that nobody writes in."""
    patterns = {step.field.name for step in own.steps}
    points = {f"{track.key}.points" for track in own.tracks}
    return {
        key: text
        for key, text in filled.texts.items()
        if (pattern_of(key) in patterns or key in points) and key not in without
    }


def pattern_of(key: str) -> str:
    """The pattern of a computed field, which files do not have: "skills.3.both" is of "skills.#.both"."""
    return ".".join("#" if part.isdigit() else part for part in key.split("."))


def check(page: Page, own: Form, those: list[Character]) -> tuple[int, set[str]]:
    """Compare them all. Returns how many values there are, and which are left to refgen, which may refuse them."""
    count, left = 0, set[str]()
    for character, found in zip(those, in_browser(page, own, those), strict=True):
        filled = fill(own, character)
        texts = computed(own, filled, found["unknown"])
        assert found["texts"] == texts, character.values
        assert found["boxes"] == filled.boxes, character.values
        refused = [key for key in found["unknown"] if key not in filled.texts]
        assert found["faults"] + len(refused) == len(filled.faults), (character.values, filled.faults)
        count += len(texts)
        left |= {pattern_of(key) for key in found["unknown"]}
    return count, left


LEFT_TO_REFGEN = {"interactive-history": {"actions-of-the-round.#.chance"}}
"""Open-ended rolls with modifiers of forty and more: no table has an end for these."""


@pytest.mark.parametrize("system", RICHEST_AND_SOAK)
def test_every_value_of_a_character_is_that_of_python(reader: Reader, system: str) -> None:
    page = reader.sheet(system)
    count, left = check(page, form(system), list(characters(form(system), 7, 150)))
    assert count > 250
    assert left == LEFT_TO_REFGEN.get(system, set())


@pytest.mark.parametrize("system", RICHEST_AND_SOAK)
def test_the_page_shows_what_is_worked_out(reader: Reader, system: str) -> None:
    own, page = form(system), reader.sheet(system)
    for character in characters(own, 8, 6):
        values = {key: as_data(value) for key, value in character.values.items()}
        page.evaluate(
            """values => fields.show(typedOf({raw: [], written: new Map(Object.entries(values).map(
              ([key, value]) => [key, Array.isArray(value) ? parsed(value[0]) : value]))}))""",
            values,
        )
        shown = typed(page)
        left = [key for key, text in shown.items() if text == "refgen works it out"]
        texts = computed(own, fill(own, character), left)
        assert {key: shown.get(key, "") for key in texts} == texts


def test_a_sheet_with_a_field_of_every_kind(reader: Reader, tmp_path: Path) -> None:
    count, left = check(reader.sheet("atari-isev"), own := form_of(tmp_path), list(characters(own, 3, 100)))
    assert count > 500
    assert left == set()


def test_percentages_of_the_document_have_its_decimals(reader: Reader, tmp_path: Path) -> None:
    own = rides_form(tmp_path)
    those = [Character("Ada", {"ride.road": road, "ride.on": str(on)}) for road, on in product(range(1, 4), repeat=2)]
    assert check(reader.sheet("atari-isev"), own, those) == (99, set())


NUMBERS: list[int | Fraction] = [
    0,
    1,
    2,
    3,
    5,
    -1,
    -4,
    12,
    100,
    Fraction(1, 2),
    Fraction(-5, 2),
    Fraction(7, 3),
    10**20,
]
"""What stands in the fields A, B and C."""

FORMULAS = [
    "{a} + {b} - {c}",
    "-{a} - -{b}",
    "{a} * {b} / {c}",
    "{a} ^ {b}",
    "{a} mod {b}",
    "{a} >= {b} and {b} != {c}",
    "{a} < {b} or {a} / {c} > 1",
    "{a} == {b}",
    "not {a} <= {b}",
    "{a} in 1..5",
    "{a} in {b}..",
    "{a} in ..{c}",
    "sign({a}) * abs({b})",
    "floor({a}) + ceiling({b}) * 100 + nearest({c}) * 10000",
    "even({a})",
    "clamp({a}, {b}, {c})",
    "combinations({a}, {b})",
    "power({a}, {b})",
    "power({a}, 1/3)",
    "powers({a}, {b})",
    "preferred({a}, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80)",
    "max({a}, {b}, {c})",
    "min({a}, {b}, {c})",
    "if({a} > {b}, {a}, {c})",
    "default({d}, {a})",
    "{e} + 1",
    "{a} + {shared}",
    "{shared} * {shared}",
    # Of the table of armies, whose last figure is a bound.
    "at({armies.size}, {a}, {armies.population})",
    "at({armies.size}, {a}, {armies.population}, {b})",
    "100 - at({armies.size}, {a}, {armies.population})",
    "-at({armies.size}, {a}, {armies.population})",
    "1000 / at({armies.size}, {a}, {armies.population})",
    "max({b}, at({armies.size}, {a}, {armies.population}))",
    "min({b}, at({armies.size}, {a}, {armies.population}))",
    "rows({armies.size}) + {a}",
    "chance({open-roll} + {a} >= {b})",
    "chance({open-roll} < {a})",
    "chance(2d6 + {a} > {b})",
    "chance(2d6 <= {a})",
    "chance(2d6 == {a})",
    "chance(2d6 != {a})",
    "mean(3d6) + {a}",
    "chance(4dF + {level} >= 0)",
    "{level} + default({other-level}, 0)",
    "{level} in {skill.lowest}..2",
]

SHOWN = ["", 'show = "signed"', 'show = "percent", places = 1', 'show = "yes"', 'places = 3, unit = "km"']
ROUNDINGS = ["half-up", "half-even", "half-away", "floor", "ceiling"]


@pytest.fixture
def every_formula(tmp_path: Path) -> Form:
    """A sheet with every formula, shown in some way, rounded by some rule; and one shown in each way and rule."""
    ways = list(product(SHOWN, ROUNDINGS))
    entries = [(formula, *ways[number % len(ways)]) for number, formula in enumerate(FORMULAS)]
    entries += [("{a} / 4", *way) for way in ways]
    fields = [
        f'{{ label = "F {number}", value = "{formula}", rounding = "{rounding}"{", " if shown else ""}{shown} }}'
        for number, (formula, shown, rounding) in enumerate(entries)
    ]
    fields.append('{ label = "G", value = "{a} / 3", show = "level", ladder = "skill" }')
    numbers = [f'{{ label = "{letter}", type = "number" }}' for letter in "ABCDE"]
    levels = ['{ label = "Level", ladder = "skill" }', '{ label = "Other level", ladder = "skill" }']
    lines = ",\n".join(["'Name'", *numbers, *levels, *fields])
    folder = tmp_path / "interactive-history"
    folder.mkdir()
    (folder / "sheet.toml").write_text(
        f'title = "All"\n[[parts]]\ntitle = "All"\nlet = {{ shared = "{{a}} / {{b}}" }}\nfields = [\n{lines}\n]\n',
        encoding="utf-8",
    )
    return Form(game("interactive-history"), make_sheet(folder, game("interactive-history")))


def test_every_formula_comes_to_the_same(reader: Reader, every_formula: Form) -> None:
    levels = ("", "Legendary", "Fair", "Miserable")
    those = []
    for number, (a, b, c) in enumerate(product(NUMBERS, repeat=3)):
        if number % 12:
            continue
        values: dict[str, WrittenValue] = {"all.name": "One", "all.a": a, "all.b": b, "all.c": c}
        if number % 3:
            values["all.d"] = c
        if level := levels[number % 4]:
            values["all.level"] = values["all.other-level"] = level
        those.append(Character("One", values))
    count, left = check(reader.sheet("interactive-history"), every_formula, those)
    assert count > 5_000
    without_end = ("open-roll", "2d6 ==", "2d6 !=")
    far = {f"all.f-{number}" for number, formula in enumerate(FORMULAS) if any(map(formula.__contains__, without_end))}
    assert left == far | {"all.g"}
