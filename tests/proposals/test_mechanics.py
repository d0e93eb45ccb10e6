"""Mechanics are found in what sentences say; special cases, examples and disagreement never make one certain."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest

from refgen.proposals.mechanics import find_mechanics
from refgen.proposals.phrases import KNOWN, phrases_of
from tests.proposals.drafts import draft_of

SENTENCES: Mapping[str, list[dict[str, str]]] = tomllib.loads(
    Path(__file__).with_name("sentences.toml").read_text(encoding="utf-8")
)


def found(text: str, language: str) -> list[str]:
    """The certain mechanics of a text: family, dice, and the values by role."""
    return [
        " ".join([one.family, one.dice.meaning, *(f"{role} {value.meaning}" for role, value in one.values.items())])
        for one in find_mechanics(draft_of(text, language))
        if one.certain
    ]


@pytest.mark.parametrize("case", SENTENCES["mechanics"], ids=lambda case: f"{case['language']}: {case['found']}")
def test_a_sentence_tells_of_a_mechanic(case: Mapping[str, str]) -> None:
    assert found(case["text"], case["language"]) == [case["found"]]


@pytest.mark.parametrize("case", SENTENCES["nothing"], ids=lambda case: case["text"].split("\n")[0])
def test_a_special_case_is_no_main_rule(case: Mapping[str, str]) -> None:
    assert found(case["text"], case["language"]) == []


@pytest.mark.parametrize("case", SENTENCES["doubts"], ids=lambda case: case["doubt"])
def test_evidence_that_is_not_whole_is_doubted(case: Mapping[str, str]) -> None:
    mechanics = find_mechanics(draft_of(case["text"], case["language"]))
    assert mechanics
    assert all(any(case["doubt"] in line for line in one.doubts) for one in mechanics)


def test_every_language_has_sentences_for_every_family() -> None:
    families = {language: set[str]() for language in KNOWN}
    for case in SENTENCES["mechanics"]:
        families[case["language"]].add(case["found"].split()[0])
    assert all(found >= {"target", "difficulty", "under", "count"} for found in families.values()), families


def test_a_table_of_margins_has_no_bands_of_totals() -> None:
    table = "\n\n{head} | Outcome\n---|---\n3+ | Style\n1-2 | Success\n0 | Tie\n< 0 | Failure\n"
    text = "# Rolling\nTo attempt something, roll 4dF and add the skill." + table
    assert [one.family for one in find_mechanics(draft_of(text.format(head="Total")))] == ["table"]
    assert not find_mechanics(draft_of(text.format(head="Margin")))


def test_rules_that_are_too_short_to_tell_their_language_are_read_in_the_language_of_their_words() -> None:
    (german,) = find_mechanics(draft_of("# Proben\nWirf einen W20. Höchstens dein Attribut: es gelingt.", ""))
    assert german.family == "under"


def test_a_language_without_phrases_is_read_with_the_english_ones() -> None:
    assert phrases_of("tr").language == phrases_of("").language == "en"
    assert phrases_of("pt-BR").language == "pt"
