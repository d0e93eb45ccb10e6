"""Footnotes of tables: marks are left out of the cells, and the notes belong to the table."""

from __future__ import annotations

import pytest

from refgen.readers.document import Document
from refgen.readers.read import read_document
from refgen.source import SourceFile
from tests.readers.places import printed, texts, the_grid


def read(text: str, name: str = "rules.md") -> Document:
    return read_document(SourceFile(name, text))


def table(rank: str, cost: str, below: str) -> Document:
    return read(f"Rank | Cost\n--|--\n{rank} | {cost}\nCaliph | 7\n\n{below}")


@pytest.mark.parametrize(
    ("title", "rank", "cost", "below", "expected", "notes"),
    [
        ("a label", "Vizier[^1]", "5", "[^1]: Only at court.", ["Vizier", "5"], ["Vizier: Only at court."]),
        ("a note of one word", "Vizier[^1]", "5", "[^1]: Rare.", ["Vizier", "5"], ["Vizier: Rare."]),
        (
            "two labels",
            "Vizier[^a]",
            "5 [^b]",
            "[^a]: Rare.\n[^b]: In gold.",
            ["Vizier", "5"],
            ["Vizier: Rare.", "Vizier, Cost: In gold."],
        ),
        ("an asterisk", "Vizier", "5\\*", "\\* In gold.", ["Vizier", "5"], ["Vizier, Cost: In gold."]),
        ("an asterisk that makes a list", "Vizier", "5*", "* In gold.", ["Vizier", "5"], ["Vizier, Cost: In gold."]),
        ("a dagger", "Vizier†", "5", "† *Rare.*", ["Vizier", "5"], ["Vizier: Rare."]),
        ("a dagger twice", "Vizier†", "5†", "†Rare.", ["Vizier", "5"], ["Vizier; Vizier, Cost: Rare."]),
        ("a raised figure", "Vizier", "5¹", "¹ In gold.", ["Vizier", "5"], ["Vizier, Cost: In gold."]),
        ("nothing explains it", "Vizier†", "5*", "Rare.", ["Vizier†", "5*"], []),
        ("another mark is explained", "Vizier†", "5", "‡ Rare.", ["Vizier†", "5"], []),
        ("a mark alone", "†", "5", "† None.", ["†", "5"], []),
        ("an exponent", "10²", "5", "Rare.", ["10²", "5"], []),
    ],
)
def test_marks(title: str, rank: str, cost: str, below: str, expected: list[str], notes: list[str]) -> None:
    grid = the_grid(table(rank, cost, below))
    assert texts(grid)[1] == expected, title
    assert [note.text for note in grid.notes] == notes, title


def test_a_label_may_be_explained_at_the_end_of_the_document() -> None:
    document = read("| a |\n|--|\n| x[^1] |\n\n# Notes\n\n[^1]: Rare.\n")
    assert [note.text for note in the_grid(document).notes] == ["x: Rare."]


def test_a_sign_belongs_to_the_table_above_it() -> None:
    document = read("| a |\n|--|\n| x† |\n\n† First.\n\n| b |\n|--|\n| x† |\n\n† Second.\n")
    assert [[note.text for note in grid.notes] for grid in document.tables] == [["x: First."], ["x: Second."]]


def test_a_head_loses_its_mark() -> None:
    grid = the_grid(read("Rank | Cost†\n--|--\nVizier | 5\n\n† In gold."))
    assert (grid.header, [note.text for note in grid.notes]) == (("Rank", "Cost"), ["Cost: In gold."])


def test_a_cell_stands_where_its_words_are() -> None:
    assert printed(table("Vizier[^1]", "5\\*", "\\* Gold.\n\n[^1]: Rare."))[1] == ["Vizier", "5"]


def test_raised_marks_of_html() -> None:
    document = read("<table><tr><td>x<td>5<sup>1</sup></table><p><sup>1</sup> In gold.", "rules.html")
    assert texts(the_grid(document)) == [["x", "5"]]
    assert [note.text for note in the_grid(document).notes] == ["5: In gold."]
