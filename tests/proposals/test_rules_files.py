"""The whole system.toml and proof.toml that are proposed for a small document."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from refgen.checks.documents import ABOUT
from refgen.errors import RefgenError
from refgen.export.model import toml_string
from refgen.proposals.draft import Entry
from refgen.proposals.rules_files import propose_rules, title_of, verified_rules
from refgen.readers.read import read_document
from refgen.source import SourceFile
from tests.proposals.drafts import foreign, opened
from tests.proposals.test_tables import DOCUMENT

SYSTEM = r"""title = "The Game"
about = "One sentence about the game."  # one sentence for the site
document = "rules.md"
accent = "#1d4e79"  # the colour of its play aids
source = "The Game"  # at the foot of each page: who wrote it, when, under which licence

# odds: percent in 2 of 3 cells; "(19%)" at rules.md:7:17 is not. For the type: TYPE
[tables.the-game]
title = "The Game"
section = "The Game"
header = ["Level", "Value", "Odds"]
nth = 1
columns = [
  { id = "level", ladder = "the-game" },
  { id = "value", type = "number" },  # 3 of 3 cells; else interval
  "odds",
]

[tables.the-game-2]
title = "The Game"
section = "The Game"
header = ["Level", "Value", "Odds"]
nth = 2
columns = [
  "level",
  "value",
  "odds",
]

[tables.the-game-3]
title = "The Game"
section = "The Game"
row = "{label}: {text}"
columns = [
  { id = "label", type = "quantity" },  # 2 of 2 cells; else text
  { id = "text", type = "number" },  # 2 of 2 cells; else interval
]

# This table cannot be taken as it is. rules.md:20:9: this table row has 3 cells, its head has 2 (HINT)
# [tables.damaged]
# title = "Damaged"
# section = "Damaged"
# header = ["a", "b"]
# columns = [
#   { id = "a", type = "number" },  # 1 of 1 cells; else interval
#   { id = "b", type = "number" },  # 1 of 1 cells; else interval
# ]

# level: a ladder; 3 words of their own beside value, which has signs and goes by ones
[ladders.the-game]
table = "the-game"
level = "level"
value = "value"
"""

PROOF = """# What the rules prove, and what proves them: see docs/proofs.md.

# How many rows each table has, so that a lost row is found.
[row_counts]
the-game = 3
the-game-2 = 1
the-game-3 = 2
"""


def test_both_files_of_a_small_document() -> None:
    document = read_document(SourceFile("rules.md", DOCUMENT))
    rules = propose_rules(document)
    type_of_odds = 'type = "percent", read = { "(19%)" = "…" }.'
    assert rules.system == SYSTEM.replace("HINT", document.faults[0].hint).replace("TYPE", type_of_odds)
    assert rules.proof == PROOF


@pytest.mark.parametrize(
    ("name", "text", "title"),
    [
        ("rules.md", "Some words.\n\n# The *Deep*\n\nMore.\n", "The Deep"),
        ("rules.txt", "THE QUIET PARISH\na booklet\n\nHow to play\n\nRoll dice.\n", "The Quiet Parish"),
        ("rules.txt", "This booklet is free to copy.\n\nHow to play\n\nRoll dice.\n", "How to play"),
        ("the-rules.md", "Roll dice.\n", "the-rules"),
    ],
)
def test_the_title_of_a_document(name: str, text: str, title: str) -> None:
    assert title_of(read_document(SourceFile(name, text))) == title


@pytest.mark.slow
@pytest.mark.parametrize("name", ["opend6/opend6.docx", "opend6/opend6.odt"])
def test_the_title_of_a_word_processors_file_is_that_of_its_title_page(name: str) -> None:
    assert title_of(opened(foreign(name))) == "Mimimal OpenD6 System Reference Document"


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("A blow misses in 2.7% of cases without help. Roll again.", "A blow misses in 2.7% of cases without help."),
        ("A ship costs $1.5 million to build! It floats.", "A ship costs $1.5 million to build!"),
        ("Short. A league is 3.25 miles, or .5 of a day on foot.", "A league is 3.25 miles, or .5 of a day on foot."),
        ("Played since v2.0 by people, often.", "Played since v2.0 by people, often."),
        ("A blow misses in 2.7% of\ncases without help.", "A blow misses in 2.7% of cases without help."),
        ("A heading of 7.5 words and more without an end", ABOUT),
        ("A road " + "goes on and on, " * 10 + "2.7% of it without a bend, and ends at last.", ABOUT),
    ],
)
def test_a_game_is_about_a_whole_sentence_of_its_document(text: str, about: str) -> None:
    system = propose_rules(read_document(SourceFile("rules.md", f"# Game\n\n{text}\n"))).system
    assert f"about = {toml_string(about)}  #" in system


SMALL_DOCUMENT = read_document(
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
    rules = propose_rules(SMALL_DOCUMENT)
    verified, game = verified_rules(replace(rules, entries=[*rules.entries, entry]), SMALL_DOCUMENT, tmp_path)
    assert list(game.printed) == ["game"]
    (failed,) = [one for one in verified.entries if not one.certain]
    assert failed.heading == entry.heading
    assert failed.evidence[-1].startswith("It cannot be worked out: ")


def test_of_an_error_in_the_document_all_facts_are_under_suspicion(tmp_path: Path) -> None:
    rules = propose_rules(SMALL_DOCUMENT)
    several = Entry("[facts.several]", ['title = "Several"', 'text = "{several}"'])
    verified, game = verified_rules(replace(rules, entries=[*rules.entries, several]), SMALL_DOCUMENT, tmp_path)
    assert list(game.facts) == []
    assert all(not one.certain for one in verified.entries if one.heading.startswith("[facts."))


LADDERS = """# Skills

| Skill | Value |
|---|---|
| Deft | +3 |
| {level} | +2 |
| Slow | +1 |

# Prices

| Thing | Price |
|---|---|
| Rope | 2 sp |
| Tent | 9 sp |
"""


@pytest.mark.parametrize("level", ["4 sp", "9 men"])
def test_a_table_whose_cells_do_not_load_is_left_out_and_its_ladder_with_it(tmp_path: Path, level: str) -> None:
    document = read_document(SourceFile("rules.md", LADDERS.format(level=level)))
    verified, game = verified_rules(propose_rules(document), document, tmp_path)
    assert list(game.printed) == ["prices"]
    left_out = {one.heading: one.evidence[-1] for one in verified.entries if not one.certain}
    assert [*left_out] == ["[tables.skills]", "[ladders.skills]"]
    assert all("rules.md:6:3: " in reason for reason in left_out.values()), left_out
    assert game.ruleset.spec.row_counts == {"prices": 2}


def test_an_error_that_belongs_to_no_entry_is_raised(tmp_path: Path) -> None:
    rules = propose_rules(SMALL_DOCUMENT)
    with pytest.raises(RefgenError):
        verified_rules(type(rules)("title = 5\n", rules.entries, rules.traits), SMALL_DOCUMENT, tmp_path)
