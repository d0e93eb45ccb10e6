"""A proposed system.toml loads with its document as it is, and holds every table the reader found."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refgen.errors import RefgenError
from refgen.files import bundled_folder
from refgen.game import GameRules, SystemSpec, load_game
from refgen.notation.figures import canonical
from refgen.proposals.rules_files import propose_rules
from refgen.readers.document import Document
from refgen.readers.read import read_document
from refgen.rules.load import load_ruleset
from refgen.source import SourceFile, plain_text
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


def read(text: str, name: str = "rules.md") -> Document:
    return read_document(SourceFile(name, text))


def loaded(folder: Path, document: Document) -> GameRules:
    """The ruleset of a document and the system.toml proposed for it."""
    name = Path(document.source.name).name
    (folder / name).write_text(document.source.text, encoding="utf-8", newline="")
    (folder / "system.toml").write_text(propose_rules(document).system, encoding="utf-8")
    return load_ruleset(folder, SystemSpec)


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


@pytest.mark.slow
@pytest.mark.parametrize("system", SYSTEMS)
def test_the_proposal_for_our_document_holds_every_table(tmp_path: Path, system: str) -> None:
    path = bundled_folder("content") / system / ours(system).spec.document.file
    check_holds_every_grid(tmp_path, read_document(SourceFile.read(path)))


def test_marks_of_print_are_read_and_loaded(tmp_path: Path) -> None:
    rows = {
        "d6": ("1—2", "3/4", "5 & 6"),
        "１ｄ６": ("１〜３", "4～5", "６"),
        "W6": ("1, 3, 5", "2, 4", "6."),
        "Preis": ("0,5", "1'500", "2\u202f500,5"),
        "Anteil": ("３３％", "0,5\u00a0%", "66,5 %"),
        "Schritt": ("+1", "0", "‒1"),
        "Potenz": ("10²", "¹⁄₂", "10⁻¹"),
    }
    lines = [
        " | ".join(rows),
        "|".join("--" for _ in rows),
        *(" | ".join(row) for row in zip(*rows.values(), strict=True)),
    ]
    ruleset = loaded(tmp_path, read("# Preise\n\n" + "\n".join(lines) + "\n"))
    (table,) = ruleset.tables.values()
    shown = [[canonical(cell.value) for cell in column] for column in zip(*table.rows, strict=True)]
    assert [column.type for column in table.columns] == [*["interval"] * 3, "number", "percent", "number", "number"]
    assert shown == [
        ["1 to 2", "3 to 4", "5 to 6"],
        ["1 to 3", "4 to 5", "6"],
        ["1, 3, 5", "2, 4", "6"],
        ["0.5", "1500", "2500.5"],
        ["33%", "0.5%", "66.5%"],
        ["1", "0", "-1"],
        ["100", "0.5", "0.1"],
    ]


def test_rows_that_are_columns_are_turned(tmp_path: Path) -> None:
    ruleset = loaded(tmp_path, read("Rolled | 1-2 | 3 | 4+\n--|--|--|--\nResult | -1 | 0 | +1\n"))
    (table,) = ruleset.tables.values()
    assert [(column.id, column.type) for column in table.columns] == [("rolled", "interval"), ("result", "number")]
    assert [[cell.text for cell in row] for row in table.rows] == [["1-2", "-1"], ["3", "0"], ["4+", "+1"]]


@pytest.mark.parametrize(("other", "expected"), [("1/2", "number"), ("0/4", "text"), ("1/4/10", "text")])
def test_pairs_with_a_slash_are_no_fractions_where_others_under_the_same_head_are_none(
    tmp_path: Path, other: str, expected: str
) -> None:
    guns = f"Gun | Rate\n--|--\nBow | 1\nMusket | 1/3\n\nGun | Rate\n--|--\nRepeater | {other}\nSling | 1\n"
    table = next(iter(loaded(tmp_path, read(guns)).tables.values()))
    assert [column.type for column in table.columns] == ["text", expected]


@pytest.mark.parametrize(("label", "expected"), [("1d8", "dice"), ("1d8 means", "text")])
def test_dice_with_words_before_a_colon_are_words(tmp_path: Path, label: str, expected: str) -> None:
    items = f"- d20: roll one die\n- {label}: roll another\n"
    table = next(iter(loaded(tmp_path, read(items)).tables.values()))
    assert [column.type for column in table.columns] == [expected, "text"]


def test_a_list_may_name_a_thing_twice_and_rows_read_around_alike_are_reported_once(tmp_path: Path) -> None:
    cells = "".join(f"<tr><td>{thing}</td></tr>" for thing in ("rope", "sword", "sword"))
    rows = "".join(f"<tr><td>{hour}</td></tr>" for hour in ("dawn", "noon", "dusk", "midnight"))
    whole = "<tr><th>Hour</th><th>Price</th></tr><tr><td>late</td><td>3</td></tr>"
    page = f"<html><body><table>{cells}</table><table>{whole}{rows}</table></body></html>"
    loaded(tmp_path, read(page, "rules.html"))
    findings = load_game(tmp_path).check().findings
    assert [(finding.id, finding.rule) for finding in findings if finding.id != "placeholders/about"] == [
        ("defects/uneven-row/table-2/dawn", "this table row has 1 cell, its table has 2, as at 3 further places")
    ]


def test_a_document_without_tables_still_loads(tmp_path: Path) -> None:
    assert loaded(tmp_path, read('# "Quotes" \\ and\ttabs\n\nJust words.\n')).tables == {}


PROSE = """# Rolling

Roll {dice} [or so]: roll 4dF and add the skill. A hit needs 3 or more, which happens 38.2% of the time.
A mage has 12 spells, a priest 7.
"""


def test_dice_and_percentages_in_prose_are_facts_with_sentences_that_find_them(tmp_path: Path) -> None:
    ruleset = loaded(tmp_path, read(PROSE))
    assert [(fact.text, ruleset.spec.facts[name].type) for name, fact in ruleset.facts.items()] == [
        ("4dF", "dice"),
        ("38.2%", "percent"),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("system", SYSTEMS)
def test_the_numbers_proposed_for_our_documents_stand_there(tmp_path: Path, system: str) -> None:
    path = bundled_folder("content") / system / ours(system).spec.document.file
    ruleset = loaded(tmp_path, read_document(SourceFile.read(path)))
    assert ruleset.facts
    for fact in ruleset.facts.values():
        assert plain_text(ruleset.document.text[fact.span.start : fact.span.end]) == fact.text


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
