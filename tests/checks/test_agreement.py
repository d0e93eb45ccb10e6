"""Numbers that a document states again: in other words, in a table, and not in every edition."""

from __future__ import annotations

from pathlib import Path

import pytest

from refgen.checks.run import check
from refgen.errors import RulesError
from refgen.game import GameRules, SystemSpec
from refgen.resolver.computed import ComputedTables
from refgen.rules.load import load_ruleset
from refgen.rules.spec_files import phrasing_errors

DOCUMENT = """\
# Crossing

Roll 2d6 to cross; the ferry holds six. Good rowers roll 2d6 as well.

# Weather

In a storm the ferry holds only 6. Of the 6 on board, 2 row.

Wind  | Effect
------|---------------------
Calm  | +1 to *every* crossing
Storm | -1 to *every* crossing
"""

OTHER = """\
# Over the river

Roll 2d6 to cross; the ferry holds six. There are 2 rowers.
"""

SPEC = """\
title = "Ferry"
about = "A river."
document = "rules.md"
accent = "#123456"
source = "made for the tests"
tables = {}

[facts]
dice = { title = "Dice", text = "Roll {dice} to cross", type = "dice" }
rowers-dice.title = "Dice of rowers"
rowers-dice.text = "rowers roll {rowers-dice} as well"
rowers-dice.type = "dice"
holds = { title = "The ferry holds", text = "the ferry holds {holds}." }
row = { title = "Rowers", text = ", {row} row." }

"""

PROOF = """\
[facts]
rowers-dice = { follows = "{dice}", because = "rowers roll {dice} too" }

[restated]
"Weather" = ["holds only {holds}.", "Of the {holds} on board"]
"""

EDITION = """\
[facts]
rowers-dice = false
row = "There are {row} rowers"
"""


def loaded(
    folder: Path, document: str = DOCUMENT, spec: str = SPEC, edition: str = EDITION, proof: str = PROOF
) -> GameRules:
    (folder / "phrasings").mkdir()
    (folder / "phrasings" / "other.toml").write_text(edition, encoding="utf-8")
    (folder / "rules.md").write_text(document, encoding="utf-8")
    (folder / "other.md").write_text(OTHER, encoding="utf-8")
    (folder / "system.toml").write_text(spec, encoding="utf-8")
    (folder / "proof.toml").write_text(proof, encoding="utf-8")
    return load_ruleset(folder, SystemSpec)


def found(ruleset: GameRules) -> list[tuple[str, str, str, int]]:
    """The findings: id, what is printed, what would agree, the line."""
    report = check(ruleset, ComputedTables(ruleset))
    return [(one.id, one.printed, one.computed, one.span.line) for one in report.findings]


def changed(old: str, new: str) -> str:
    assert DOCUMENT.count(old) == 1
    return DOCUMENT.replace(old, new)


def test_what_is_said_again_agrees(tmp_path: Path) -> None:
    ruleset = loaded(tmp_path)
    assert [(said.id, said.text, said.span.line) for said in ruleset.restated] == [
        ("holds", "6", 7),
        ("holds", "6", 7),
    ]
    assert found(ruleset) == []


def test_a_sentence_that_two_sections_say_again_is_read_in_both(tmp_path: Path) -> None:
    proof = PROOF + '"Crossing" = ["the ferry holds {holds}."]\n"" = ["the ferry holds {holds}."]\n'
    assert [said.text for said in loaded(tmp_path, proof=proof).restated] == ["6", "6", "six", "six"]


def test_what_is_said_again_and_differs_is_found_where_it_stands(tmp_path: Path) -> None:
    ruleset = loaded(tmp_path, changed("Of the 6", "Of the 7"))
    (finding,) = check(ruleset, ComputedTables(ruleset)).findings
    assert (finding.id, finding.printed, finding.computed) == ("restated/holds/2", "7", "six")
    assert finding.sources == (ruleset.facts["holds"].span,)
    assert finding.rule == f"it is six at {ruleset.facts['holds'].span}"


def test_every_place_differs_from_the_fact(tmp_path: Path) -> None:
    assert found(loaded(tmp_path, changed("holds six", "holds five"))) == [
        ("restated/holds", "6", "five", 7),
        ("restated/holds/2", "6", "five", 7),
    ]


@pytest.mark.parametrize(("dice", "expected"), [("1d6+1d6", []), ("2d8", [("restated/dice", "2d8", "2d6", 7)])])
def test_dice_that_are_said_again_come_up_alike(
    tmp_path: Path, dice: str, expected: list[tuple[str, str, str, int]]
) -> None:
    proof = PROOF.replace('"Weather" = [', '"Weather" = ["In calm roll {dice}.", ')
    assert found(loaded(tmp_path, changed("In a storm", f"In calm roll {dice}. In a storm"), proof=proof)) == expected


def test_dice_follow_dice(tmp_path: Path) -> None:
    assert found(loaded(tmp_path, changed("rowers roll 2d6", "rowers roll 3d6"))) == [
        ("rowers-dice", "3d6", "dice that come up like 2d6", 3)
    ]


WINDS = """
[tables.winds]
title = "Winds"
header = ["Wind", "Effect"]
columns = [{ id = "wind" }, { id = "effect" }]
"""


@pytest.mark.parametrize(("effect", "expected"), [("-1", []), ("-2", [("storm", "-2", "-1", 12)])])
def test_a_number_inside_a_cell(tmp_path: Path, effect: str, expected: list[tuple[str, str, str, int]]) -> None:
    facts = (
        'calm = { title = "Calm", table = "winds", text = "Calm {calm} to every", type = "modifier" }\n'
        'storm = { title = "Storm", table = "winds", text = "Storm {storm} to every", type = "modifier" }\n'
    )
    spec = SPEC.replace("tables = {}\n", "") + facts + WINDS
    follows = 'storm = { follows = "0 - {calm}", because = "a storm takes what a calm gives" }\n'
    proof = PROOF.replace("[restated]", f"{follows}[restated]")
    ruleset = loaded(tmp_path, DOCUMENT.replace("| -1", f"| {effect}"), spec, proof=proof)
    assert ruleset.facts["storm"].span.line == 12
    assert found(ruleset) == expected


def test_another_edition_may_not_say_a_fact(tmp_path: Path) -> None:
    """It has sentences of its own for what it says again, or none."""
    loaded(tmp_path)
    other = load_ruleset(tmp_path, SystemSpec, tmp_path / "other.md")
    assert (other.edition, [*other.facts], other.restated) == ("other", ["dice", "holds", "row"], ())
    assert found(other) == []


def test_a_fact_that_only_another_edition_says(tmp_path: Path) -> None:
    spec = SPEC.replace('text = ", {row} row."', "text = false")
    assert [*loaded(tmp_path, spec=spec).facts] == ["dice", "rowers-dice", "holds"]
    assert "row" in load_ruleset(tmp_path, SystemSpec, tmp_path / "other.md").facts


@pytest.mark.parametrize(
    ("sentence", "message"),
    [
        ("holds only {hold}.", 'there is no fact "hold" to say again'),
        ("holds only", '"holds only" names no fact'),
        ("carries only {holds}.", 'the fact "holds" is not in the document'),
    ],
)
def test_a_sentence_that_says_nothing_again(tmp_path: Path, sentence: str, message: str) -> None:
    with pytest.raises(RulesError, match=message) as caught:
        loaded(tmp_path, proof=PROOF.replace("holds only {holds}.", sentence))
    assert caught.value.span is not None
    assert caught.value.span.line == PROOF[: PROOF.index('"Weather"')].count("\n") + 1


def test_every_file_of_phrasings_is_looked_through(tmp_path: Path) -> None:
    ruleset = loaded(tmp_path, edition=EDITION + '[restated]\n"Over the river" = "{rowers-dice} again"\n')
    (error,) = phrasing_errors(tmp_path, ruleset.spec, ruleset.files)
    assert 'there is no fact "rowers-dice" to say again' in error.message
