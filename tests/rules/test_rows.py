"""Rows that no grid holds: what `ignore` names must be there."""

from __future__ import annotations

import pytest

from refgen.errors import RulesError
from refgen.readers.read import read_document
from refgen.rules.pattern import value_pattern
from refgen.rules.ruleset_reader import refuse_never_there
from refgen.rules.schema import ColumnSpec, TableSpec
from refgen.rules.table_finder import FoundTable, find_table
from refgen.source import SourceFile
from refgen.span import Span

DOCUMENT = "# Toll\n\n* Cart: 3\n* Example: a cart of hay.\n* Rider: 1\n"


COLUMNS = [ColumnSpec(id="who"), ColumnSpec(id="coins", type="number")]


def read(spec: TableSpec, text: str) -> tuple[list[list[str]], FoundTable, Span]:
    """The cells of a list, its table and its place."""
    document = read_document(SourceFile("toll.md", text))
    place = document.sections[0].text.span
    types = {column.id: column.type for column in COLUMNS}
    found = find_table(document, spec, place, lambda name: value_pattern(types[name], {}))
    return [[cell.text for cell in row] for row in found.rows], found, place


def toll(*ignore: str, text: str = DOCUMENT) -> list[list[str]]:
    spec = TableSpec(title="Toll", layout="list", row=["{who}: {coins}"], ignore=list(ignore), columns=COLUMNS)
    return read(spec, text)[0]


def test_what_is_to_be_ignored_is_no_row() -> None:
    assert toll("Example: …") == [["Cart", "3"], ["Rider", "1"]]


def test_what_is_to_be_ignored_and_is_not_there_is_an_error() -> None:
    with pytest.raises(RulesError, match='nothing among the rows of "Toll" is "For instance …"') as caught:
        toll("Example: …", "For instance …")
    assert caught.value.hint == "Take it out of `ignore`."


@pytest.mark.parametrize("row", ["{who}[, {coins} coins]", "{who}[: {coins} coims]"])
def test_a_part_that_may_be_missing_and_is_so_in_every_row_is_an_error(row: str) -> None:
    spec = TableSpec(title="Toll", layout="list", row=[row], columns=COLUMNS)
    cells, found, place = read(spec, "# Toll\n\n* Cart: 3 coins\n* Rider: 1 coins\n")
    assert cells == [["Cart: 3 coins", ""], ["Rider: 1 coins", ""]]
    with pytest.raises(
        RulesError, match=r'no row of "Toll" has what stands in square brackets with \{coins\}'
    ) as caught:
        refuse_never_there(spec, found.rows, place)
    assert caught.value.hint == "Mend the sentence `row`, or take the part out of it."


def test_a_part_that_is_in_some_row_may_be_missing_in_others() -> None:
    spec = TableSpec(title="Toll", layout="list", row=["{who}[: {coins}]"], columns=COLUMNS)
    cells, found, place = read(spec, "# Toll\n\n* Cart: 3\n* Rider\n")
    refuse_never_there(spec, found.rows, place)
    assert cells == [["Cart", "3"], ["Rider", ""]]
