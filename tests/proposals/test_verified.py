"""Proposed entries that do not load, or cannot be worked out, are commented out; all others stay."""

from __future__ import annotations

from pathlib import Path

import pytest

from refgen.errors import RefgenError
from refgen.proposals.draft import Entry
from refgen.proposals.rules_files import propose_rules
from refgen.proposals.verified import verified_rules
from refgen.readers.read import read_document
from refgen.source import SourceFile

DOCUMENT = read_document(
    SourceFile("rules.md", "# Game\n\nRoll 2d6. Then 3 or 4.\n\nLevel | Value\n--|--\nGood | 1\nBad | 2\n")
)


@pytest.mark.parametrize(
    "entry",
    [
        Entry("[facts.lost]", ['title = "Lost"', 'text = "there is no {lost} here"']),
        Entry("[rolls.lost]", ['title = "Lost"', 'roll = "{nothing}"']),
        Entry("[derived.lost]", ['title = "Lost"', 'kind = "odds"', 'dice = "{nothing}"', 'rule = "None."']),
        Entry("[checks.lost]", ['kind = "steps"', 'table = "nothing"', 'column = "value"']),
    ],
    ids=lambda entry: entry.heading,
)
def test_an_entry_that_fails_is_commented_out_with_the_reason(tmp_path: Path, entry: Entry) -> None:
    rules = propose_rules(DOCUMENT)
    verified, game = verified_rules(rules.with_entries([*rules.entries, entry]), DOCUMENT, tmp_path)
    assert list(game.printed) == ["game"]
    (failed,) = [one for one in verified.entries if not one.certain]
    assert failed.heading == entry.heading
    assert failed.evidence[-1].startswith("It cannot be worked out: ")


def test_of_an_error_in_the_document_all_facts_are_under_suspicion(tmp_path: Path) -> None:
    rules = propose_rules(DOCUMENT)
    several = Entry("[facts.several]", ['title = "Several"', 'text = "{several}"'])
    verified, game = verified_rules(rules.with_entries([*rules.entries, several]), DOCUMENT, tmp_path)
    assert list(game.facts) == []
    assert all(not one.certain for one in verified.entries if one.heading.startswith("[facts."))


def test_an_error_that_belongs_to_no_entry_is_raised(tmp_path: Path) -> None:
    rules = propose_rules(DOCUMENT)
    with pytest.raises(RefgenError):
        verified_rules(type(rules)("title = 5\n", rules.entries, rules.traits), DOCUMENT, tmp_path)
