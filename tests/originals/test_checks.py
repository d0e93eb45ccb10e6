"""What the checks say of the originals."""

from __future__ import annotations

import pytest

from refgen.checks.finding import CheckReport, FindingKind, Severity
from refgen.export.check import report_lines
from tests.checks.mutation.front_door import ORIGINAL
from tests.checks.test_checks import report
from tests.checks.test_mutation import escapes, hidden
from tests.checks.test_pins import unpinned
from tests.conftest import SYSTEMS
from tests.originals.conftest import from_original, original_game

MUTATIONS, EDITS = 1, 1
"""So many changes of each original are tried every time, and all in ``make soak``."""


def of_original(system: str) -> CheckReport:
    return original_game(system).check()


@pytest.mark.slow
@pytest.mark.parametrize("system", SYSTEMS)
def test_the_original_has_the_same_findings_and_its_errata_fit(system: str) -> None:
    theirs, own = of_original(system), report(system)
    assert theirs.open == ()
    assert [finding.id for finding in theirs.accepted] == [finding.id for finding in own.accepted]
    verdicts = [{one.comparison.subject.id: one.verdict for one in report.judged} for report in (own, theirs)]
    both = verdicts[0].keys() & verdicts[1].keys()  # what one of them says again the other may not
    assert {name: verdicts[0][name] for name in both} == {name: verdicts[1][name] for name in both}


@pytest.mark.parametrize(
    ("system", "defects"),
    [
        ("interactive-history", {"defects/insignificant-catastrophe": "Insignificant Catastrophe"}),
        ("atari-isev", {"defects/missing-wound-table": "standard Fudge wound table looks as follows:"}),
        ("harmonies", {"defects/folded-odds": '<row rowsep="0"> <entry>Difficulty</entry> <entry>-20</entry>'}),
        ("polyhedral-fudge", {"defects/three-line-head": "Target Number Trait Level Die"}),
        (
            "fudge-1995",
            {"defects/scrambled-head": "4dF Chance of achieving: or d% 3d6 4d6", "defects/open-list": "9 . . ."},
        ),
    ],
)
def test_defects_of_the_originals_are_named_with_their_places(system: str, defects: dict[str, str]) -> None:
    ruleset = from_original(system)
    notes = [found for found in of_original(system).findings if found.kind is FindingKind.SOURCE]
    assert {note.id: note.printed for note in notes} == defects
    for note in notes:
        printed = ruleset.document.text[note.span.start : note.span.end].replace("\n+", "\n")
        assert " ".join(printed.split()) == note.printed
        assert note.severity is Severity.REMARK
        assert note.computed


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_pinned_number_of_the_original_is_as_it_was_pinned(system: str) -> None:
    assert [found.id for found in of_original(system).findings if found.kind is FindingKind.PIN] == []
    assert unpinned(original_game(system)) == []


def test_a_defect_reads_as_what_is_wrong_and_how_it_is_read() -> None:
    (note,) = [line for line in report_lines([of_original("interactive-history")]) if "[defects/" in line]
    assert note.partition(": remark: ")[2] == (
        "Skill, task and size levels: two words of other columns run together in a cell: Insignificant Catastrophe; "
        "read as: Insignificant. [defects/insignificant-catastrophe]"
    )


@pytest.mark.slow
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_changed_number_of_an_original_is_found_at_its_place(system: str) -> None:
    assert escapes(f"{system}.{ORIGINAL}", MUTATIONS) == []


@pytest.mark.slow
@pytest.mark.parametrize("system", SYSTEMS)
def test_an_edit_of_an_original_that_changes_a_play_aid_is_reported(system: str) -> None:
    assert hidden(f"{system}.{ORIGINAL}", EDITS) == []
