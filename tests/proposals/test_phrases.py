"""Phrases are found where they stand: the words that each needs leave out no place where it does."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from refgen.proposals.phrases import KNOWN, Clue, phrases_of

SENTENCES = tomllib.loads(Path(__file__).with_name("sentences.toml").read_text(encoding="utf-8"))
TEXTS = [case["text"] for cases in SENTENCES.values() for case in cases]


@pytest.mark.parametrize(
    ("clue", "needed"),
    [
        ("advantage", [{"advantage"}, {"disadvantage"}]),
        ("roll", [{"roll", "throw", "cast", "pick"}]),  # of "pick up" one word is enough
        ("total", [{"total"}, {"result"}, {"roll"}, {"sum"}, {"score"}, set()]),  # dice are no certain words
    ],
)
def test_a_phrase_needs_some_words(clue: Clue, needed: list[set[str]]) -> None:
    found = [set[str]().union(*expression.needed) for expression in phrases_of("en").expressions[clue]]
    assert found == needed


@pytest.mark.slow
@pytest.mark.parametrize("language", KNOWN)
def test_no_match_lacks_the_words_that_its_phrase_needs(language: str) -> None:
    matches = 0
    for expressions in phrases_of(language).expressions.values():
        for expression in expressions:
            pattern = re.compile(expression.pattern, re.IGNORECASE)
            found = [text for text in TEXTS if pattern.search(text)]
            matches += len(found)
            assert [text for text in found if not expression.may_stand_in(text.casefold())] == []
    assert matches > 20
