"""Rows that no grid holds: what `ignore` names must be there."""

from __future__ import annotations

import pytest

from refgen.errors import RulesError
from refgen.readers.read import read_document
from refgen.rules.find import find_table
from refgen.rules.printed import form_of
from refgen.rules.schema import ColumnSpec, TableSpec
from refgen.source import SourceFile

DOCUMENT = "# Toll\n\n* Cart: 3\n* Example: a cart of hay.\n* Rider: 1\n"


def toll(*ignore: str) -> list[list[str]]:
    columns = [ColumnSpec(id="who"), ColumnSpec(id="coins", type="number")]
    spec = TableSpec(title="Toll", layout="list", row=["{who}: {coins}"], ignore=list(ignore), columns=columns)
    document = read_document(SourceFile("toll.md", DOCUMENT))
    types = {column.id: column.type for column in columns}
    found = find_table(document, spec, document.sections[0].text.span, lambda name: form_of(types[name], {}))
    return [[cell.text for cell in row] for row in found.rows]


def test_what_is_to_be_ignored_is_no_row() -> None:
    assert toll("Example: …") == [["Cart", "3"], ["Rider", "1"]]


def test_what_is_to_be_ignored_and_is_not_there_is_an_error() -> None:
    with pytest.raises(RulesError, match='nothing among the rows of "Toll" is "For instance …"') as caught:
        toll("Example: …", "For instance …")
    assert caught.value.hint == "Take it out of `ignore`."
