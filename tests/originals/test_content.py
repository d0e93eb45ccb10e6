"""What is read from the originals: traced to its place, and the same as from our documents."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from refgen.export.tables import tables_data
from refgen.game import GameModel
from refgen.notation.values import Text
from refgen.readers.read import read_document
from refgen.rules.model import RuleTable
from refgen.source import SourceFile
from tests.conftest import SYSTEMS, ours
from tests.content.test_systems import check_places
from tests.originals.conftest import from_original, original
from tests.proposals.test_tables import check_holds_every_grid

LONGEST_SHARED_RUN = 8
"""Words in a row that a retelling may share with its original: enough for a term, a formula or a label."""


@pytest.mark.parametrize("system", SYSTEMS)
def test_slicing_the_original_at_a_span_gives_the_cell_back(system: str) -> None:
    check_places(from_original(system))


@pytest.mark.parametrize("system", SYSTEMS)
def test_an_original_reads_the_same_with_other_line_endings(system: str, tmp_path: Path) -> None:
    source = original(system)
    copy = tmp_path / source.name
    copy.write_bytes(source.read_bytes().replace(b"\n", b"\r\n"))
    as_is, changed = (read_document(SourceFile.read(path)) for path in (source, copy))
    assert [section.title for section in as_is.sections] == [section.title for section in changed.sections]
    for left, right in zip(as_is.sections, changed.sections, strict=True):
        assert [[[cell.text for cell in row] for row in grid.rows] for grid in left.grids] == [
            [[cell.text for cell in row] for row in grid.rows] for grid in right.grids
        ]
        assert [[item.text for item in block.items] for block in left.lists] == [
            [item.text for item in block.items] for block in right.lists
        ]


def typed(table: RuleTable) -> list[list[object]]:
    """The values of a table; of words only that they are there, for they are retold."""
    return [["words" if isinstance(cell.value, Text) else cell.value for cell in row] for row in table.rows]


@pytest.mark.parametrize("system", SYSTEMS)
def test_our_document_and_the_original_hold_the_same_rules(system: str) -> None:
    mine, theirs = ours(system), from_original(system)
    assert list(mine.tables) == list(theirs.tables)
    for table_id, table in mine.tables.items():
        assert typed(table) == typed(theirs.tables[table_id]), table_id
    both = [name for name in mine.facts if name in theirs.facts]
    assert {name: mine.facts[name].value for name in both} == {name: theirs.facts[name].value for name in both}
    said = {name for name, fact in mine.spec.facts.items() if fact.follows}
    assert {*mine.facts} ^ {*theirs.facts} <= said  # what only one of them repeats
    assert mine.ladders == theirs.ladders


def words_of(text: str) -> list[str]:
    text = re.sub(r"(?m)^\+", "", re.sub(r"</?[a-z][^<>]*>", " ", text))
    return re.findall(r"[A-Za-z']+|[-+]?\d[\d.,%]*", text)


@pytest.mark.parametrize("system", SYSTEMS)
def test_no_sentence_is_copied_from_the_original(system: str) -> None:
    """Runs of words that both share are table rows, labels and formulas: they have a number or no verb in them."""
    theirs = words_of(original(system).read_text(encoding="utf-8"))
    mine = words_of(ours(system).document.text)
    runs = {tuple(theirs[i : i + LONGEST_SHARED_RUN]) for i in range(len(theirs) - LONGEST_SHARED_RUN + 1)}
    shared = [
        " ".join(run)
        for i in range(len(mine) - LONGEST_SHARED_RUN + 1)
        if (run := tuple(mine[i : i + LONGEST_SHARED_RUN])) in runs
        and all(word[0].islower() and word.isalpha() for word in run[1:])
    ]
    assert shared == []


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_json_of_an_original_holds_every_cell_of_every_table(system: str) -> None:
    ruleset = from_original(system)
    data = tables_data(GameModel(ruleset))
    tables = {table["id"]: table for table in data["tables"]}
    for table in ruleset.tables.values():
        rows = tables[table.id]["rows"]
        assert [[cell["text"] for cell in row] for row in rows] == [[cell.text for cell in row] for row in table.rows]
        for row, cells in zip(table.rows, rows, strict=True):
            for cell, shown in zip(row, cells, strict=True):
                assert cell.span is not None
                assert (shown["line"], shown["column"]) == (cell.span.line, cell.span.column)
    assert [fact["id"] for fact in data["facts"]] == list(ruleset.facts)
    assert [table["id"] for table in data["derived"]] == list(ruleset.spec.derived)


@pytest.mark.slow
@pytest.mark.parametrize("system", SYSTEMS)
def test_the_proposal_for_an_original_holds_every_table(tmp_path: Path, system: str) -> None:
    check_holds_every_grid(tmp_path, read_document(SourceFile.read(original(system))))
