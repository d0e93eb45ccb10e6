"""The five systems: what is read from them, traced to its place, the same from our document and the original."""

from __future__ import annotations

import re

import pytest

from refgen.export.tables import tables_data
from refgen.game.game import Game
from refgen.game.spec import GameRules
from refgen.notation.values import Text, as_number
from refgen.rules.model import Table
from refgen.source import SourceFile, plain
from tests.conftest import SYSTEMS, from_original, original, ours

LONGEST_SHARED_RUN = 8
"""Words in a row that a retelling may share with its original: enough for a term, a formula or a label."""


def text_at(source: SourceFile, start: int, end: int) -> str:
    """A piece of a document without what its wrapping adds: the marks of a patch, of markup, of an entity."""
    piece = re.sub(r"(?<=\n)\+", "", source.text[start:end])
    piece = re.sub(r"<[^>]+>", "", piece) if source.text.lstrip().startswith(("<", "actions")) else piece
    return plain(piece.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))


def check_places(ruleset: GameRules) -> None:
    for table in ruleset.tables.values():
        for row in table.rows:
            for cell in row:
                assert cell.span is not None
                assert text_at(ruleset.document, cell.span.start, cell.span.end) == cell.text, cell.span
    for fact in ruleset.facts.values():
        assert text_at(ruleset.document, fact.span.start, fact.span.end) == fact.text, fact.span


@pytest.mark.parametrize("system", SYSTEMS)
def test_slicing_our_document_at_a_span_gives_the_cell_back(system: str) -> None:
    check_places(ours(system))


@pytest.mark.parametrize("system", SYSTEMS)
def test_slicing_the_original_at_a_span_gives_the_cell_back(system: str) -> None:
    check_places(from_original(system))


def typed(table: Table) -> list[list[object]]:
    """The values of a table; of words only that they are there, for they are retold."""
    return [["words" if isinstance(cell.value, Text) else cell.value for cell in row] for row in table.rows]


@pytest.mark.parametrize("system", SYSTEMS)
def test_our_document_and_the_original_hold_the_same_rules(system: str) -> None:
    mine, theirs = ours(system), from_original(system)
    assert list(mine.tables) == list(theirs.tables)
    for table_id, table in mine.tables.items():
        assert typed(table) == typed(theirs.tables[table_id]), table_id
    assert {name: fact.value for name, fact in mine.facts.items()} == {
        name: fact.value for name, fact in theirs.facts.items()
    }
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


EXPECTED = {
    "atari-isev": {"tables": 14, "derived": 36},
    "fudge-1995": {"tables": 15, "derived": 29},
    "harmonies": {"tables": 3, "derived": 11},
    "interactive-history": {"tables": 21, "derived": 31},
    "polyhedral-fudge": {"tables": 13, "derived": 21},
}


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_system_has_its_tables(system: str) -> None:
    spec = ours(system).spec
    assert {"tables": len(spec.tables), "derived": len(spec.derived)} == EXPECTED[system]


@pytest.mark.parametrize(
    ("system", "table", "rows", "first", "last"),
    [
        ("interactive-history", "levels", 9, "+4 (1%)", "-4 (1%)"),
        ("interactive-history", "armies", 9, "Vast", "Tiny"),
        ("harmonies", "odds", 40, "-20", "+19"),
        ("fudge-1995", "percentile", 9, "1", "00"),
        ("fudge-1995", "success-rates", 11, "+5", "-5"),
        ("atari-isev", "wound-chart", 7, "Good", "Terrible"),
        ("polyhedral-fudge", "plain-probabilities", 9, "Legendary+", "Abysmal"),
        ("polyhedral-fudge", "wound-track", 5, "1-4", "17+"),
    ],
)
def test_tables_are_read_from_their_first_row_to_their_last(
    system: str, table: str, rows: int, first: str, last: str
) -> None:
    found = ours(system).tables[table].rows
    assert (len(found), found[0][0].text, found[-1][0].text) == (rows, first, last)


@pytest.mark.parametrize(
    ("system", "table", "column", "expected"),
    [
        ("fudge-1995", "success-rates", "four-df", [0, *[None] * 9, 1]),
        ("polyhedral-fudge", "plain-probabilities", "poor", [0] * 5 + [None] * 4),
        ("polyhedral-fudge", "plain-probabilities", "legendary", [None] * 7 + [1, 1]),
        ("polyhedral-fudge", "exploding-probabilities", "legendary", [None] * 7 + [1]),
    ],
)
def test_a_blank_chance_says_never_above_the_printed_ones_and_always_below(
    system: str, table: str, column: str, expected: list[int | None]
) -> None:
    found = ours(system).tables[table]
    index = found.index(column)
    assert index is not None
    cells = [row[index] for row in found.rows]
    unprinted = [cell.text in ("", "-") for cell in cells]
    assert [
        int(as_number(cell.value) or 0) if blank else None for cell, blank in zip(cells, unprinted, strict=True)
    ] == (expected)
    assert all(cell.value is not None for cell in cells)


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_json_of_an_original_holds_every_cell_of_every_table(system: str) -> None:
    ruleset = from_original(system)
    data = tables_data(Game(ruleset))
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
