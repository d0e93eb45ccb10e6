"""A proposed system.toml loads with its document as it is, and holds every table the reader found."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refgen.errors import RefgenError
from refgen.files import bundled
from refgen.game import GameRules, SystemSpec
from refgen.proposals.tables import propose
from refgen.readers.document import Document
from refgen.readers.read import read_document
from refgen.rules.load import load_ruleset
from refgen.source import SourceFile, plain
from tests.conftest import SYSTEMS, ours

DOCUMENT = """# The  Game

Level | Value | Odds
------|-------|-----
Good  | +1    | 19%
Fair  | 0     | 23%
Poor  | -1    | (19%)

Level | Value | Odds
------|-------|-----
Worst | "-4"  | none

* 1 step: -1
* 2 steps: -2

# Damaged

a | b
--|--
1 | 2 | 3
"""

PROPOSED = r"""title = "The Game"
about = "One sentence about the game."  # shown on the site
document = "rules.md"
accent = "#1d4e79"  # the colour of its play aids
source = "The Game"  # who wrote it, when, under which licence

# Computed tables are yours to add: see docs/systems.md.

# odds would be percent but for "(19%)" at rules.md:7:17: add type and read = { "(19%)" = "…" }.
[tables.the-game]
title = "The Game"
section = "The Game"
header = ["Level", "Value", "Odds"]
nth = 1
columns = [
  { id = "level" },
  { id = "value", type = "number" },  # all its cells read so
  { id = "odds" },
]
# If these are the levels of a ladder, take this in, and give its columns their type and ladder:
# [ladders.level]
# table = "the-game"
# level = "level"
# value = "value"

[tables.the-game-2]
title = "The Game"
section = "The Game"
header = ["Level", "Value", "Odds"]
nth = 2
columns = [
  { id = "level" },
  { id = "value" },
  { id = "odds" },
]

[tables.the-game-3]
title = "The Game"
section = "The Game"
row = "{label}: {text}"
columns = [
  { id = "label", type = "quantity" },  # all its cells read so
  { id = "text", type = "number" },  # all its cells read so
]

# This table cannot be taken as it is. rules.md:20:9: this table row has 3 cells, its head has 2 (HINT)
# [tables.damaged]
# title = "Damaged"
# section = "Damaged"
# header = ["a", "b"]
# columns = [
#   { id = "a", type = "number" },  # all its cells read so
#   { id = "b", type = "number" },  # all its cells read so
# ]

# A proof.toml beside this file says how the prose is proved, and so that a lost row is found:
# [row_counts]
# the-game = 3
# the-game-2 = 1
# the-game-3 = 2
"""


def read(text: str, name: str = "rules.md") -> Document:
    return read_document(SourceFile(name, text))


def loaded(folder: Path, document: Document) -> GameRules:
    """The ruleset of a document and the system.toml proposed for it."""
    name = Path(document.source.name).name
    (folder / name).write_text(document.source.text, encoding="utf-8", newline="")
    (folder / "system.toml").write_text(propose(document), encoding="utf-8")
    return load_ruleset(folder, SystemSpec)


def test_a_whole_proposal() -> None:
    document = read(DOCUMENT)
    assert propose(document) == PROPOSED.replace("HINT", document.faults[0].hint)


def test_a_proposal_loads(tmp_path: Path) -> None:
    ruleset = loaded(tmp_path, read(DOCUMENT))
    assert [[row[0].text for row in table.rows] for table in ruleset.tables.values()] == [
        ["Good", "Fair", "Poor"],
        ["Worst"],
        ["1 step", "2 steps"],
    ]


def check_holds_every_grid(folder: Path, document: Document) -> None:
    ruleset = loaded(folder, document)
    grids = [grid for section in document.sections for grid in section.grids]
    marked = [table for name, table in ruleset.tables.items() if ruleset.spec.tables[name].laid_out == "grid"]
    assert len(marked) == len(grids)
    for grid, table in zip(grids, marked, strict=True):
        turned = ruleset.spec.tables[table.id].transpose
        wanted = [cell for row in grid.rows for cell in row[1:]] if turned else [c for row in grid.body for c in row]
        held = [cell for row in table.rows for cell in row]
        assert sorted(cell.text for cell in held) == sorted(cell.text for cell in wanted), table.id
        assert {(c.span.line, c.span.column) for c in held if c.span} == {(c.span.line, c.span.column) for c in wanted}


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_proposal_for_our_document_holds_every_table(tmp_path: Path, system: str) -> None:
    path = bundled("content") / system / ours(system).spec.document.file
    check_holds_every_grid(tmp_path, read_document(SourceFile.read(path)))


def test_rows_that_are_columns_are_turned(tmp_path: Path) -> None:
    ruleset = loaded(tmp_path, read("Rolled | 1-2 | 3 | 4+\n--|--|--|--\nResult | -1 | 0 | +1\n"))
    (table,) = ruleset.tables.values()
    assert [(column.id, column.type) for column in table.columns] == [("rolled", "interval"), ("result", "number")]
    assert [[cell.text for cell in row] for row in table.rows] == [["1-2", "-1"], ["3", "0"], ["4+", "+1"]]


def test_a_document_without_tables_still_loads(tmp_path: Path) -> None:
    assert loaded(tmp_path, read('# "Quotes" \\ and\ttabs\n\nJust words.\n')).tables == {}


PROSE = """# Rolling

Roll {dice} [or so]: roll 4dF and add the skill. A hit needs 3 or more, which happens 38.2% of the time.
A mage has 12 spells, a priest 7.
"""


def test_numbers_in_prose_are_proposed_with_sentences_that_find_them(tmp_path: Path) -> None:
    ruleset = loaded(tmp_path, read(PROSE))
    assert [(fact.text, ruleset.spec.facts[name].type) for name, fact in ruleset.facts.items()] == [
        ("4dF", "dice"),
        ("3", "number"),
        ("38.2%", "percent"),
        ("12", "number"),
        ("7", "number"),
    ]
    lines = propose(read(PROSE)).partition("[facts]\n")[2].splitlines()
    assert [line.partition("  # ")[2] for line in lines] == [
        "sure: 4dF",
        "likely: 3",
        "sure: 38.2%",
        "likely: 12",
        "likely: 7",
    ]
    assert "A hit needs {hit-needs-more} or more" in lines[1]


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_numbers_proposed_for_our_documents_stand_there(tmp_path: Path, system: str) -> None:
    path = bundled("content") / system / ours(system).spec.document.file
    ruleset = loaded(tmp_path, read_document(SourceFile.read(path)))
    assert len(ruleset.facts) >= 10
    for fact in ruleset.facts.values():
        assert plain(ruleset.document.text[fact.span.start : fact.span.end]) == fact.text


LINES = [
    *(
        "# A",
        "# a",
        "A  title",
        "x | y",
        "--|--",
        "1 | 2",
        "1 | 2 | 3",
        "Roll | 1 | 2 | 3",
        "|---|---|",
        "x  y",
        "1  2",
    ),
    *("* a: 1", "* b: 2", "* c", "a: b: c", "", "[TABLE]", "[END TABLE]", "| \u00a0 | \x7f |", "\u2028\x01"),
]


@pytest.mark.slow
@given(st.sampled_from(["rules.md", "rules.txt"]), st.lists(st.sampled_from(LINES), min_size=1, max_size=14))
@settings(max_examples=300, deadline=None)
def test_whatever_can_be_read_has_a_proposal_that_loads(name: str, lines: list[str]) -> None:
    try:
        document = read("\n".join(lines), name)
    except RefgenError:
        return
    with TemporaryDirectory() as folder:
        loaded(Path(folder), document)
