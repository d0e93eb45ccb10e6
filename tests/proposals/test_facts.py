"""Facts for dice and percentages in prose: few, and those that say something."""

from __future__ import annotations

import pytest

from refgen.proposals.facts import MOST_FACTS, fact_entries
from refgen.proposals.mechanics import find_mechanics
from refgen.proposals.random_tables import random_tables
from tests.proposals.drafts import DOCUMENTS, document_draft, draft_of


def facts(text: str, language: str = "en") -> list[tuple[str, str]]:
    """The titles and sentences of the facts of a document."""
    draft = draft_of(f"# Game\n\n{text}\n", language)
    found = fact_entries(draft, find_mechanics(draft), list(random_tables(draft)))
    lines = [dict(line.split(" = ", 1) for line in entry.lines) for entry in found]
    return [(line["title"].strip('"'), line.get("text", "").strip('"')) for line in lines]


def test_a_fact_has_the_title_of_its_section() -> None:
    assert facts("## Age\n\nRoll 2d20+10 for your age.") == [("Age", "Roll {age} for your")]
    assert facts("## Tolls\n\nA toll is 12.5% of the load.") == [("Tolls", "A toll is {tolls} of the")]


def test_a_word_behind_several_values_is_the_title() -> None:
    text = "## Fists\n\nFists do 1d4 damage.\n\n## Falls\n\nFalls do 2d6 damage, and take 3d6 turns."
    assert facts(text) == [
        ("Damage", "Fists do {damage} damage"),
        ("Damage (Falls)", "Falls do {damage-falls} damage, and"),
    ]


@pytest.mark.parametrize(
    "sentence",
    [
        "It was shaped like 4d8 and the rest.",  # no roll, and no word for what it is
        "Goblin: 4 HP, 8 STR, 11 DEX, roll for its spear (d6).",
        "Example: Ann rolls 2d8 for her barrels.",
        "*Ann rolls 2d8 for her barrels.*",
        "Roll d4, d6, d8, d10 or d12.",
        "It takes a d6-turn to roll.",
    ],
)
def test_what_says_nothing_is_no_fact(sentence: str) -> None:
    assert facts(f"## Odds and ends\n\n{sentence}") == []


def test_numbers_of_tables_and_mechanics_are_no_facts() -> None:
    check = "Roll a d20 and add your skill. A total that equals or exceeds the difficulty succeeds."
    again = "## Again\n\nSome roll a d20 again."
    table = "Roll a d3 for the sky, and 2d4 for the hour.\n\n| d3 | Sky |\n|--|--|\n| 1 | a |\n| 2 | b |\n| 3 | 2d6 |"
    assert facts(f"## Checks\n\n{check}\n\n{again}\n\n## Sky\n\n{table}") == [("Sky", "the sky, and {sky-2} for the")]


def test_dice_in_the_letters_of_the_language() -> None:
    assert facts("## Sturz\n\nWer stürzt, würfelt 3W6 und wirft den Hut weg.", "de") == [
        ("Sturz", "Wer stürzt, würfelt {sturz} und wirft")
    ]


def test_dice_that_the_loader_cannot_read_are_no_facts() -> None:
    assert facts("## Wurf\n\nWürfle W100 und vergleiche.", "") == []


@pytest.mark.slow
def test_the_same_fact_is_reported_once_and_a_list_stays_short() -> None:
    assert len(facts("## Wages\n\nThey ask for 5% of it. They get 5% of that.")) == 1
    text = "".join(f"## Part {number}\n\nRoll {number}d{number} for part {number}.\n\n" for number in range(3, 40))
    assert len(facts(text)) == MOST_FACTS


@pytest.mark.slow
@pytest.mark.parametrize("name", ["quiet-parish.txt", "salt-and-splinter.md", "copperline.html"])
def test_documents_of_tables_have_no_facts_of_prose(name: str) -> None:
    draft = document_draft(DOCUMENTS / name, "en")
    assert not list(fact_entries(draft, find_mechanics(draft), list(random_tables(draft))))
