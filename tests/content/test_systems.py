"""The five systems: what is read from them, traced to its place."""

from __future__ import annotations

import re
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest

from refgen.aids.kinds import KINDS
from refgen.files import bundled_folder
from refgen.game import GameModel, GameRules, load_game
from refgen.notation.values import as_number
from refgen.pipeline.make_aids import make_aids
from refgen.source import SourceFile, plain_text
from tests.conftest import SYSTEMS, game, ours


def text_at(source: SourceFile, start: int, end: int) -> str:
    """A piece of a document without what its wrapping adds: the marks of a patch, of markup, of an entity."""
    piece = re.sub(r"(?<=\n)\+", "", source.text[start:end])
    piece = re.sub(r"<[^>]+>", "", piece) if source.text.lstrip().startswith(("<", "actions")) else piece
    return plain_text(piece.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))


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


def shown(game: GameModel) -> dict[str, list[list[str]]]:
    return {name: [[cell.text for cell in row] for row in table.rows] for name, table in game.tables.items()}


@pytest.mark.slow
@pytest.mark.parametrize("system", SYSTEMS)
def test_tables_and_aids_need_no_proofs(system: str, tmp_path: Path) -> None:
    without = ignore_patterns("proof.toml", "errata.toml", "pins.toml", "phrasings")
    folder = copytree(bundled_folder("content") / system, tmp_path / system, ignore=without)
    bare = load_game(folder)
    assert shown(bare) == shown(game(system))
    aids, errors = make_aids(bare, folder, [name for name, kind in KINDS.items() if kind.has_spec(folder)], {})
    assert aids
    assert errors == []


EXPECTED = {
    "atari-isev": {"tables": 14, "derived": 36},
    "fudge-1995": {"tables": 15, "derived": 29},
    "harmonies": {"tables": 3, "derived": 11},
    "interactive-history": {"tables": 21, "derived": 31},
    "polyhedral-fudge": {"tables": 14, "derived": 21},
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
