"""How documents are changed for test_mutation.py: what there is to change, and when a change counts as caught."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from refgen.cli import main
from refgen.errors import RulesError
from refgen.export.check import check_data
from refgen.source import SourceFile
from tests.checks.mutation.change import Change, Piece
from tests.checks.mutation.edits import KINDS
from tests.checks.mutation.front_door import OURS, Outcome
from tests.checks.mutation.run import Judged, trial
from tests.checks.mutation.tokens import Kind, Standing
from tests.checks.mutation.verdict import Verdict, judge
from tests.conftest import others_in_soak


@pytest.mark.slow
@pytest.mark.parametrize("system", others_in_soak(["harmonies"], ["harmonies", "polyhedral-fudge"]))
def test_a_trial_finds_what_the_command_line_finds(system: str, tmp_path: Path) -> None:
    one = trial(f"{system}.{OURS}")
    for mutation in one.mutations[:: len(one.mutations) // 3]:
        text = mutation.change.applied(one.edited.text)
        path = tmp_path / one.edited.path.name
        path.write_text(text, encoding="utf-8")
        shown = CliRunner().invoke(main, ["check", system, "--document", f"{system}={path}", "--format", "json"])
        outcome = one.edited.check(text)
        assert outcome.report is not None
        ours = json.dumps(check_data([outcome.report])).replace(outcome.source.name, str(path))
        assert json.loads(ours) == json.loads(shown.stdout)


@pytest.mark.slow
def test_a_trial_makes_the_aids_as_well() -> None:
    """A column of a computed table goes by the level."""
    edited = trial(f"interactive-history.{OURS}").edited
    outcome = edited.check(edited.text.replace("| Great (expert) ", "| Trivial (expert) "))
    assert outcome.report is not None
    assert {error.span.file for error in outcome.report.errors if error.span} >= {"interactive-history/screen.toml"}


@pytest.mark.slow
def test_the_tokens_of_a_document_are_its_numbers_words_levels_and_dice() -> None:
    one = trial(f"polyhedral-fudge.{OURS}")
    found = {(token.text, token.kind, token.standing) for token in one.tokens}
    assert ("62", Kind.NUMBER, Standing.COMPARED) in found  # "about 62% of the time with 4dF"
    assert ("d12", Kind.DICE, Standing.COMPARED) in found
    assert ("Superb", Kind.LEVEL, Standing.IGNORED) in found
    assert ("five", Kind.WORD, Standing.IGNORED) in found or ("five", Kind.WORD, Standing.COMPARED) in found
    assert all(one.edited.text[token.start : token.end] == token.text for token in one.tokens)


@pytest.mark.slow
def test_all_kinds_of_edits_are_made() -> None:
    assert {change.kind for change in trial(f"interactive-history.{OURS}").edits(200)} == {*KINDS}


@pytest.mark.parametrize(
    ("pieces", "changed"),
    [
        ([Piece(0, "one", "three")], "three two 3"),
        ([Piece(4, "two", "one"), Piece(0, "one", "two")], "two one 3"),
        ([Piece(8, "3", "")], "one two "),
    ],
)
def test_a_change_is_made_where_it_says(pieces: list[Piece], changed: str) -> None:
    change = Change.of("", "", pieces)
    assert change is not None
    assert change.applied("one two 3") == changed


def test_places_move_with_a_change() -> None:
    change = Change.of("", "", [Piece(0, "one", "three")])
    assert change is not None
    assert [change.moved(start) for start in (0, 3, 4, 8)] == [0, 5, 6, 10]


def test_what_changes_nothing_is_no_change() -> None:
    assert Change.of("", "", [Piece(0, "one", "one")]) is None
    assert Change.of("", "", [Piece(0, "one", "two"), Piece(2, "e t", "")]) is None


def verdict(system: str, old: str, new: str) -> Judged:
    """The verdict on a change of the first ``old`` in our document of a game."""
    one = trial(f"{system}.{OURS}")
    change = Change.of("", "", [Piece(one.edited.text.index(old), old, new)])
    assert change is not None
    return one.judged(change)


@pytest.mark.slow
def test_a_place_of_a_finding_that_stands_at_several_counts_as_such() -> None:
    told = verdict("harmonies", "B-A &lt;= 3, -B-1", "B-A &lt;= 4, -B-1")
    assert (told.verdict, told.judgement.why) == (Verdict.EITHER, "exact-up-to/0/b-a-up-to")
    assert verdict("harmonies", "3 &lt; B-A", "4 &lt; B-A").verdict is Verdict.AT_PLACE


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("33% 5 Good", "34% 5 Good", Verdict.AT_PLACE),
        ("d12 Superb\nd10", "d12 Superb\nd9", Verdict.AT_PLACE),
        ("8+ Legendary d12+1\n7 Superb", "8+ Legendary d12+1\n8 Superb", Verdict.REFUSED),
        ("tumbling down the slope", "tumbling up the slope", Verdict.SILENT),
    ],
)
def test_a_verdict_says_how_a_change_was_told_of(old: str, new: str, expected: Verdict) -> None:
    assert verdict("polyhedral-fudge", old, new).verdict is expected


@pytest.mark.slow
def test_a_refusal_counts_only_where_it_leads_to_the_change() -> None:
    source = SourceFile("a.txt", "one\n" * 100)
    report = trial(f"harmonies.{OURS}").report
    change = Change.of("", "", [Piece(40, "one", "two")])
    assert change is not None

    def told(error: RulesError) -> Verdict:
        return judge(report, change, Outcome(source, report=replace(report, errors=(error,)))).verdict

    assert told(RulesError("no such level", span=source.span(40, 43))) is Verdict.REFUSED
    assert told(RulesError("no such level", span=source.span(80, 83))) is Verdict.ELSEWHERE
    assert told(RulesError("no such fact", hint="The nearest is at a.txt:10:1.")) is Verdict.REFUSED
    assert told(RulesError("no such fact")) is Verdict.ELSEWHERE
