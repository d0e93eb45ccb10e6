"""Conditions on a society: answers for whole and for half-known societies, and the table of thresholds."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, product
from pathlib import Path

import pytest

from refgen.errors import RefgenError, ResolverError
from refgen.files import bundled_folder
from refgen.game import GameRules, SystemSpec
from refgen.notation.levels import Ladder, read_condition
from refgen.notation.values import Condition, as_number
from refgen.resolver.tables.conditions import (
    ConditionsSpec,
    is_met,
    levels_in_words,
    missing_traits,
    printed_conditions,
    traits_of,
)
from refgen.resolver.tables.conditions import conditions as thresholds
from refgen.rules.load import load_ruleset
from refgen.span import Span
from tests.conftest import Loaded, computed, ours, texts

GAME = "interactive-history"
TABLES = ("internal-junctures", "external-junctures")
SPEC = ConditionsSpec(kind="conditions", title="", tables=list(TABLES))
NEAR, FAR = range(-4, 5), range(-9, 10)
"""The numbers of the ladder, and far enough beyond them for every unknown trait to decide."""


def ladder() -> Ladder:
    return ours(GAME).ladders["skill"]


def condition(text: str) -> Condition:
    return read_condition(text, ladder())


def printed(ruleset: GameRules) -> list[tuple[str, Condition]]:
    entries = printed_conditions(ruleset, TABLES)
    return [(entry.cell.text, entry.condition) for entry in entries if entry.condition is not None]


SLOW: Mapping[str, Callable[[Mapping[str, int]], bool]] = {
    "Power - Authority >= +2": lambda society: society["Power"] - society["Authority"] >= 2,
    "Consent / Power <= Poor": lambda society: society["Consent"] <= -2 or society["Power"] <= -2,
    "Tolerance <= Terrible and Prevalence >= Mediocre": lambda society: (
        society["Tolerance"] <= -3 and society["Prevalence"] >= -1
    ),
    "Wealth <= Terrible": lambda society: society["Wealth"] <= -3,
    "Relations <= Terrible": lambda society: society["Relations"] <= -3,
}
"""The conditions of the document, written out in Python."""


def societies(names: tuple[str, ...], values: range = FAR) -> Iterator[dict[str, int]]:
    return (dict(zip(names, numbers, strict=True)) for numbers in product(values, repeat=len(names)))


@pytest.mark.parametrize("text", SLOW)
def test_a_condition_holds_for_exactly_the_societies_that_meet_it(text: str) -> None:
    asked = condition(text)
    for society in societies(traits_of(asked)):
        assert is_met(asked, society) is SLOW[text](society)
        assert missing_traits(asked, society) == ()


def test_traits_are_named_once_in_the_order_they_are_printed() -> None:
    asked = condition("Power / Wealth <= Poor and POWER - Authority >= +2")
    assert traits_of(asked) == ("Power", "Wealth", "Authority")


def test_these_are_the_conditions_of_the_document(loaded: Loaded) -> None:
    entries = list(printed_conditions(loaded(GAME), TABLES))
    assert [entry.cell.text for entry in entries if entry.condition] == list(SLOW)
    assert len([entry for entry in entries if entry.condition is None]) == 2


@pytest.mark.parametrize("text", SLOW)
def test_what_is_unknown_could_still_decide_and_what_is_answered_cannot_change(text: str) -> None:
    asked = condition(text)
    names = traits_of(asked)
    for known in (part for size in range(len(names)) for part in combinations(names, size)):
        rest = tuple(name for name in names if name not in known)
        for society in societies(known, NEAR):
            answers = {is_met(asked, society | others) for others in societies(rest)}
            assert is_met(asked, society) is (answers.pop() if len(answers) == 1 else None)


@pytest.mark.parametrize(
    ("title", "text", "society", "answer", "lacking"),
    [
        ("nothing known", "Power - Authority >= +2", {}, None, ("Power", "Authority")),
        ("one of two known", "Power - Authority >= +2", {"power": 2}, None, ("Authority",)),
        ("names without case", "Power - Authority >= +2", {"POWER": 2, "authority": 0}, True, ()),
        ("one alternative met is enough", "Consent / Power <= Poor", {"Power": -2}, True, ()),
        ("one alternative failed is not", "Consent / Power <= Poor", {"Power": -1}, None, ("Consent",)),
        ("one clause failed is enough", "Tolerance <= Terrible and Prevalence >= Fair", {"Tolerance": 0}, False, ()),
        ("one clause met is not", "Tolerance <= Poor and Prevalence >= Fair", {"Tolerance": -3}, None, ("Prevalence",)),
        ("only undecided clauses count", "Power <= Poor and Power / Wealth > 0", {"Wealth": 1}, None, ("Power",)),
        ("above", "Wealth > Fair", {"Wealth": 0}, False, ()),
        ("below", "Wealth < Fair", {"Wealth": -1}, True, ()),
        ("exactly", "Wealth = Fair", {"Wealth": 0}, True, ()),
        ("traits of no concern", "Wealth = Fair", {"Power": 0}, None, ("Wealth",)),
    ],
)
def test_half_known_societies(
    title: str, text: str, society: Mapping[str, int], answer: bool | None, lacking: tuple[str, ...]
) -> None:
    assert (is_met(condition(text), society), missing_traits(condition(text), society)) == (answer, lacking), title


def test_the_numbers_of_the_conditions_are_the_facts_that_state_them() -> None:
    stated = {
        part.traits[0][0].lower(): part.number
        for _, asked in printed(ours(GAME))
        for clause in asked.clauses
        for part in clause
        if len(part.traits) == 1
    }
    facts = ours(GAME).facts
    assert stated.pop("power") == stated["consent"]
    assert stated == {name: as_number(facts[f"juncture-{name}"].value) for name in stated}
    tyranny = printed(ours(GAME))[0][1].clauses[0][0]
    assert tyranny.number == as_number(facts["tyranny"].value)


def test_thresholds() -> None:
    table = computed(GAME)["juncture-thresholds"]
    levels = ["legendary", "great", "good", "mediocre", "poor", "terrible", "miserable"]
    lower = ["Great", "Fair", "Mediocre", "Terrible"]
    assert texts(table, "trait", "other", *levels) == [
        ["Power", "Authority", *(f"{level} or lower" for level in lower), "Miserable", "never", "never"],
        ["Consent", "Power", *["Poor or lower"] * 4, *["always"] * 3],
        ["Tolerance", "Prevalence", *["never"] * 5, *["Mediocre or higher"] * 2],
        ["Wealth", "–", *["never"] * 5, *["always"] * 2],
        ["Relations", "–", *["never"] * 5, *["always"] * 2],
    ]
    assert table.rule.endswith("Left out: 2 printed without a test.")


def named(text: str) -> set[int]:
    """The numbers of the levels that a cell of the table names."""
    values = {level.name: level.value for level in ladder().levels}
    if text in ("always", "never"):
        return set(values.values()) if text == "always" else set()
    match = re.fullmatch(r"(\w+)(?: or (lower|higher))?", text)
    assert match is not None, text
    limit = values[match[1]]
    within: Mapping[str | None, Sequence[int]] = {
        "lower": range(ladder().lowest, limit + 1),
        "higher": range(limit, ladder().highest + 1),
    }
    return {value for value in values.values() if value in within.get(match[2], (limit,))}


def test_the_table_agrees_with_every_pair_of_levels() -> None:
    table = computed(GAME)["juncture-thresholds"]
    numbers = range(ladder().lowest, ladder().highest + 1)
    for row, slow in zip(table.rows, SLOW.values(), strict=True):
        first, other = row[2].text, row[3].text
        for level, cell in zip(ladder().levels, row[4:], strict=True):
            assert {n for n in numbers if slow({other: n, first: level.value})} == named(cell.text)


def test_a_threshold_rests_on_its_condition_and_the_levels_it_was_tried_with() -> None:
    ruleset, table = ours(GAME), computed(GAME)["juncture-thresholds"]

    def words(spans: tuple[Span, ...]) -> list[str]:
        return [ruleset.document.text[span.start : span.end].split(" (")[0] for span in spans]

    levels = [level.name for level in ladder().levels]
    assert words(table.rows[0][4].sources) == ["Power - Authority >= +2", *levels]
    assert words(table.rows[3][4].sources) == ["Wealth <= Terrible", "Legendary", "Terrible"]
    assert words(table.rows[3][0].sources) == ["the economy lies in ruins"]


@pytest.mark.parametrize(
    ("marked", "words"),
    [
        ("11111", "always"),
        ("00000", "never"),
        ("00011", "D or lower"),
        ("11000", "B or higher"),
        ("00001", "E"),
        ("10000", "A"),
        ("01110", "B to D"),
        ("10100", "A; C"),
        ("11011", "B or higher; D or lower"),
    ],
)
def test_levels_in_words(marked: str, words: str) -> None:
    assert levels_in_words("ABCDE", [mark == "1" for mark in marked]) == words


def with_document(folder: Path, old: str, new: str) -> GameRules:
    """The game, read from a document with other words in one place."""
    text = ours(GAME).document.text
    assert text.count(old) == 1
    document = folder / "details.md"
    document.write_text(text.replace(old, new), encoding="utf-8")
    return load_ruleset(bundled_folder("content") / GAME, SystemSpec, document)


@pytest.mark.slow
def test_a_table_has_room_for_two_traits(tmp_path: Path) -> None:
    ruleset = with_document(tmp_path, "(Wealth <= Terrible)", "(Wealth <= Terrible and Trade - Resources <= Poor)")
    with pytest.raises(ResolverError, match="names 3 traits; a table has room for two"):
        thresholds(ruleset, "thresholds", SPEC)


def test_tables_without_conditions_are_refused() -> None:
    with pytest.raises(ResolverError, match="no column of levels, armies holds conditions"):
        thresholds(ours(GAME), "thresholds", ConditionsSpec(kind="conditions", title="", tables=["levels", "armies"]))


@pytest.mark.slow
def test_a_typo_in_a_level_is_an_error_at_its_cell(tmp_path: Path) -> None:
    with pytest.raises(RefgenError, match=r"details.md:\d+:\d+: .*\"Terible\" is not a level") as caught:
        with_document(tmp_path, "(Wealth <= Terrible)", "(Wealth <= Terible)")
    assert "Did you mean Terrible?" in caught.value.hint
