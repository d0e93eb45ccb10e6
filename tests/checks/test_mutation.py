"""Numbers of our documents are changed one at a time, and `refgen check` tells of it: some of all the changes.

``make soak`` makes them all, and writes what comes of them into docs/checks.md.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.checks.mutation.exceptions import EXCEPTIONS
from tests.checks.mutation.figures import BLOCK, DOCS, TABLES, exception_lines, faults, name_of, rows_in, updated
from tests.checks.mutation.front_door import OURS, documents
from tests.checks.mutation.mutations import Size
from tests.checks.mutation.run import edit_tasks, mutation_tasks, run, trial
from tests.conftest import RICHEST_AND_SOAK, SYSTEMS
from tests.figures import END, begin, in_block

MUTATIONS, EDITS = 2, 1
"""So many changes of each document are tried every time: a second or two."""


def escapes(document: str, count: int = MUTATIONS) -> Sequence[str]:
    """Mutations by one unit of numbers that are compared, and are not caught though they must be."""
    judged = run(mutation_tasks(document, [Size.UNIT], count, derivable=True))
    return [str(one) for one in judged if not one.verdict.is_caught and not one.exception]


def hidden(document: str, count: int = EDITS) -> Sequence[str]:
    """Author's edits that pass without a word, and change what play aids show."""
    return [str(one) for one in run(edit_tasks(document, count)) if one.is_hidden]


@pytest.mark.slow
@pytest.mark.parametrize("system", RICHEST_AND_SOAK)
def test_a_changed_number_is_found_at_its_place(system: str) -> None:
    assert escapes(f"{system}.{OURS}") == []


@pytest.mark.slow
@pytest.mark.parametrize("system", RICHEST_AND_SOAK)
def test_an_edit_that_changes_a_play_aid_is_reported(system: str) -> None:
    assert hidden(f"{system}.{OURS}") == []


def test_the_docs_have_figures_of_every_document_that_reach_what_they_must() -> None:
    text = DOCS.read_text(encoding="utf-8")
    known = {*map(name_of, documents())}
    for table in TABLES:
        rows = rows_in(in_block(text, BLOCK))[table.title]
        assert {*rows} >= known
        assert {len(row) for row in rows.values()} == {len(table.heads)}
    assert faults(text) == []


def test_the_docs_tell_what_is_excepted() -> None:
    assert "\n".join(exception_lines()) in DOCS.read_text(encoding="utf-8")


@pytest.mark.slow
def test_what_is_excepted_is_in_the_documents() -> None:
    made = {game: [one.change.name for one in trial(f"{game}.{OURS}").mutations] for game in SYSTEMS}
    names = {game: {part for name in some for part in name.split(" … ")} for game, some in made.items()}
    assert [one for one in EXCEPTIONS if one.name not in names[one.game]] == []


def test_figures_of_one_document_leave_those_of_the_others() -> None:
    text = f"Before.\n\n{begin(BLOCK)}{END}After.\n"
    tried = [f"harmonies.{OURS}", f"fudge-1995.{OURS}"]
    both = updated(updated(text, {tried[0]: []}), {tried[1]: []})
    for table in TABLES:
        assert rows_in(both)[table.title] == {name_of(one): [0] * len(table.heads) for one in reversed(tried)}
    assert both.startswith("Before.\n")
    assert both.endswith("After.\n")
