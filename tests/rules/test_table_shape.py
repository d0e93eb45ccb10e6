"""The shape of a table is guessed where its cells tell, and nowhere else."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from refgen.readers.document import Grid
from refgen.readers.read import open_document, read_document
from refgen.rules.table_shape import TableShape, counts_up, guess_shape, in_shape
from refgen.source import SourceFile
from tests.readers.places import the_grid

FOREIGN = Path(__file__).resolve().parents[3] / "shared" / "foreign"


def grid(text: str, heads: int = 1) -> Grid:
    """A table of lines with bars, whose first lines are its head."""
    lines = text.strip().splitlines()
    rows = ["".join(f"<td>{cell.strip()}</td>" for cell in line.split("|")) for line in lines]
    head = "".join(f"<tr>{row}</tr>" for row in rows[:heads])
    body = "".join(f"<tr>{row}</tr>" for row in rows[heads:])
    page = f"<html><table><thead>{head}</thead><tbody>{body}</tbody></table>"
    return the_grid(read_document(SourceFile("page.html", page)))


def shape(text: str, heads: int = 1) -> tuple[int, bool, int | None]:
    found = guess_shape(grid(text, heads))
    return found.head_rows, found.transpose, found.fold


@pytest.mark.parametrize(
    ("text", "heads", "expected"),
    [
        ("1 | Elf | 3 | Orc \n 2 | Imp | 4 | Cat", 0, (0, False, 2)),
        ("1 | Elf | 3 | Orc \n 2 | Imp | 4 | Cat", 1, (0, False, 2)),  # a head that the format demands
        ("1-2 | Elf | + | 4 | Orc | - \n 3 | Imp | + | 5+ | Cat | -", 0, (0, False, 3)),
        ("15 | Elf | 21 | Orc \n 16 | Imp | 22 | Cat", 0, (0, False, 2)),  # the faces of d66
        ("d6 | Name | d6 | Name \n 1 | Elf | 3 | Orc \n 2 | Imp | |", 1, (1, False, 2)),
        ("d6 | Name | d6 | Name \n 1 | Elf | 3 | Orc \n 2 | Imp | |", 0, (1, False, 2)),
        ("# | Name | | \n 1 | Elf | 3 | Orc \n 2 | Imp | 4 | Cat", 1, (1, False, 2)),
        ("1 | Elf | 5 | Orc \n 2 | Imp | 6 | Cat \n 3 | Ape | 7 | Dog", 0, (0, False, 2)),  # a lost row
        ("Size | Cost | Size | Cost \n A | 1 | C | 3 \n B | 2 | D | 4", 1, (1, False, 2)),
        ("Rope | 1 | Torch | 3 \n Sack | 2 | Oil | 4 \n Cup | 2 | Pole | 4", 0, (0, False, 2)),
    ],
)
def test_bands_that_go_on_are_folded(text: str, heads: int, expected: tuple[int, bool, int | None]) -> None:
    assert shape(text, heads) == expected


@pytest.mark.parametrize(
    ("text", "heads"),
    [
        ("Roll | Elf | Roll | Orc \n 1 | Ann | 3 | Ugh \n 2 | Eve | 4 | Argh", 1),  # other heads
        ("Roll | Name | Roll | Name \n 1 | Ann | 1 | Ugh \n 2 | Eve | 2 | Argh", 1),  # each band counts from 1
        ("Min | Max | Min | Max \n 1 | 5 | 2 | 9 \n 4 | 6 | 1 | 7 \n 3 | 3 | 6 | 6", 1),
        ("Rope | 1 | Torch | fire \n Sack | 2 | Oil | 4 \n Cup | 2 | Pole | 4", 0),
        ("Rope | 1 | Rope | 3 \n Sack | 2 | Oil | 4 \n Cup | 2 | Pole | 4", 0),
        ("1 | 2 | 3 | 4 \n 5 | 6 | 7 | 8", 0),
        ("Gear | Gear | Gear | Gear \n Rope | hemp | Torch | pitch \n Sack | wool | Oil | olive", 1),
    ],
)
def test_bands_that_do_not_go_on_are_columns_of_their_own(text: str, heads: int) -> None:
    assert guess_shape(grid(text, heads)) == TableShape(heads)


@pytest.mark.parametrize(
    ("text", "heads", "expected"),
    [
        ("2 | 3-5 | 6-8 | 9+ \n hostile | wary | kind | helpful", 0, (0, True, None)),
        ("2 | 3-5 | 6-8 | 9+ \n hostile | wary | kind | helpful", 1, (0, True, None)),
        ("2d6 | 2 | 3-8 | 9+ \n Reaction | hostile | kind | helpful", 1, (1, True, None)),
        ("Task | -1 | 0 | +1 \n Odds | 62% | 41% | 23% \n Task | 2 | 3 | 4 \n Odds | 9% | 3% | 1%", 0, (1, True, None)),
        ("| Axe | Bow | Sling \n Damage | d6 | d8 | d4 \n Cost | 5 gp | 9 gp | 1 gp", 1, (1, True, None)),
    ],
)
def test_rows_that_are_columns_are_transposed(text: str, heads: int, expected: tuple[int, bool, int | None]) -> None:
    assert shape(text, heads) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Weapon | Damage | Cost \n Axe | d6 | 5 gp \n Bow | d8 | 9 gp",
        "Drive | 1 | 2 | 3 \n A | 4 | 1 | 0 \n B | 6 | 4 | 2 \n C | 8 | 6 | 4",
        "1 | 2 | 3 \n 5 | 8 | 9",  # either may be the number of the other
        "Ape | 5 | 9 | +3 \n Orc | 8 | 13 | +5 \n Imp | 30 | 11 | +7",  # may be records without a head
        "Gait | Walk | Run \n Speed | 3 ft. | 6 ft. \n Penalty | -1 | -5",
        "2d6 | Result \n 2-7 | bad",
    ],
)
def test_other_tables_stay_upright(text: str) -> None:
    assert guess_shape(grid(text)) == TableShape(1)


@pytest.mark.parametrize(
    ("text", "heads", "expected"),
    [
        ("1 | Elf | tall \n 2 | Orc | wide \n 3 | Imp | tiny", 1, 0),
        ("Rope | 1 gp \n Sack | 2 gp \n Cup | 2 gp \n Oil | 3 gp", 1, 0),
        ("Thing | Cost | Load \n Rope | 1 gp | 3 \n Sack | 2 gp | 2 \n Cup | 2 gp | 1", 0, 1),
        ("d6 | Thing \n 1 | Rope \n 2 | Sack \n 3 | Cup", 0, 1),
        ("Skin | free \n Rope | 1 gp \n Sack | 2 gp \n Cup | 2 gp", 0, 0),  # may be a row like the others
        ("Bow | 10 ft. | 20 ft. \n Elf | 2 ft. | 3 ft. \n Orc | 1 ft. | 2 ft. \n Imp | 3 ft. | 4 ft.", 1, 1),
        ("Level | 1 | 2 | 3 \n Elf | 4 | 5 | 6 \n Orc | 5 | 7 | 9 \n Imp | 7 | 9 | 11", 1, 1),
        ("1 | 2 | 3 \n 2 | 4 | 6 \n 3 | 6 | 9", 1, 1),
        ("Year | 1910 \n Rome | 12 \n Oslo | 14 \n Bonn | 16", 1, 1),
        ("Axe | wood \n Bow | yew \n Cup | tin \n Pot | tin", 0, 0),
    ],
)
def test_how_many_rows_are_the_head(text: str, heads: int, expected: int) -> None:
    assert shape(text, heads) == (expected, False, None)


def test_a_head_over_several_columns_may_have_a_second_row() -> None:
    page = (
        "<html><table><tr><th>Code<th colspan=2>Plant<tr><td><td>Spaces<td>Price"
        "<tr><td>A<td>0.11<td>125<tr><td>B<td>0.26<td>300<tr><td>C<td>0.4<td>450</table>"
    )
    found = the_grid(read_document(SourceFile("page.html", page)))
    assert guess_shape(found).head_rows == 2
    assert in_shape(found, guess_shape(found)).header == ("Code", "Plant Spaces", "Plant Price")


def test_a_shape_says_why_and_gives_the_rows() -> None:
    folded = grid("1 | Elf | 3 | Orc \n 2 | Imp | 4 | Cat", 0)
    found = guess_shape(folded)
    assert found.evidence == 'the numbers go on from "2" to "3" in the next band'
    assert [cell.text for row in in_shape(folded, found).rows for cell in row] == [
        "1",
        "Elf",
        "2",
        "Imp",
        "3",
        "Orc",
        "4",
        "Cat",
    ]
    turned = grid("2 | 3-5 | 6+ \n bad | so | good", 0)
    assert [[cell.text for cell in row] for row in in_shape(turned, guess_shape(turned)).rows] == [
        ["2", "bad"],
        ["3-5", "so"],
        ["6+", "good"],
    ]


def test_numbers_count_up_without_gaps() -> None:
    assert counts_up(["2 or less", "3", "4-6", "7+"])
    assert counts_up(["01-05", "06-99", "00"])
    assert counts_up(["8", "9", "0"])  # of a d10
    assert not counts_up(["9", "0", "1"])
    assert not counts_up(["1", "3"])
    assert not counts_up(["1"])


@pytest.mark.slow
@pytest.mark.skipif(not FOREIGN.exists(), reason="the documents of other games are not here")
@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ("cairn/cairn-*.md", {(0, False, 2): 76, (0, True, None): 20}),
        ("mausritter-fi/*.md", {}),
        ("opend6/*.md", {}),
        pytest.param("cepheus/*.html", {(1, False, 2): 2}, marks=pytest.mark.soak),
    ],
)
def test_tables_of_other_games(files: str, expected: dict[tuple[int, bool, int | None], int]) -> None:
    tables = [table for path in sorted(FOREIGN.glob(files)) for table in open_document(path, path.name).tables]
    shapes = [(found, guess_shape(found)) for found in tables]
    odd = [one for table, one in shapes if one != TableShape(table.header_rows)]
    assert Counter((one.head_rows, one.transpose, one.fold) for one in odd) == expected
