"""Pages with letters that are read from the right: what stands there is found, and what does not is named."""

from __future__ import annotations

import pytest

from refgen.layout.pieces import Piece, align


def faults(pieces: list[str], *texts: str) -> list[str]:
    return [what for _, what in align([Piece(piece, "here") for piece in pieces], texts).faults]


@pytest.mark.parametrize(
    ("piece", "texts"),
    [
        ("חרב ארוכה", ["חרבארוכה"]),
        ("חרב ארוכה", ["חרב", "ארוכה"]),  # two lines
        ("עד 60 צעדים.", [".צעדים", "60", "עד"]),  # as they stand from the left
        ("(+2 בקרב)", [")2+", "בקרב("]),  # a mirrored bracket, whichever of the two
        ("מזג אוויר (d6)", ["(d6(", "מזגאוויר"]),
        ("سيف", ["\ufeb3\ufef4\ufed2"]),  # presentation forms
        ("خَط", ["خط"]),  # without its points
        ("1 · דרך · rules.md:12", ["1·", "דרך", "·rules.md:12"]),
    ],
)
def test_words_in_two_directions_are_found(piece: str, texts: list[str]) -> None:
    assert faults([piece], *texts) == []


@pytest.mark.parametrize(
    ("piece", "texts"),
    [
        ("חרב ארוכה", ["חרבאחרתת"]),  # another word
        ("חרב ארוכה", ["חרב"]),  # too few
        ("עד 60 צעדים", ["עד", "06", "צעדים"]),  # figures are in order
        ("עד 12 צעדים", ["עד", "13", "צעדים"]),
        ("سيف", ["سبف"]),
    ],
)
def test_another_word_is_no_such_piece(piece: str, texts: list[str]) -> None:
    assert len(faults([piece], *texts)) == 1


def test_numbers_beside_such_words_are_compared_in_order() -> None:
    assert faults(["חרב", "1d8", "12"], "חרב", "1d8", "12") == []
    assert faults(["חרב", "1d8", "12"], "חרב", "1d8", "21") == ['"12" is not there, but "21"']
