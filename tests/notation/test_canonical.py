"""A typed value as one text: equal values have the same, however they are printed, and others another."""

from __future__ import annotations

import pytest

from refgen.notation.figures import canonical
from refgen.notation.levels import Ladder
from refgen.notation.printed_cell import NotationName, read_value
from refgen.notation.values import Level

LADDER = Ladder((Level("Good", 1), Level("Fair", 0)))


@pytest.mark.parametrize(
    ("notation", "prints", "text"),
    [
        ("number", ("2", "+2", "2.0"), "2"),
        ("number", ("½", "0.5"), "0.5"),
        ("number", ("1/3",), "1/3"),
        ("number", (">500,000", "> 500 thousand"), ">500000"),
        ("percent", ("5%", "5.0%"), "5%"),
        ("weighted", ("+4 (1%)", "4 (1%)"), "4 (1%)"),
        ("score", ("16 (+3)",), "16 (+3)"),
        ("quantity", ("5 gp",), "5 gp"),
        ("interval", ("0-3", "0 to 3", "0, 1, 2, 3"), "0 to 3"),
        ("interval", ("17+", "17 or more"), "17 or more"),
        ("interval", ("≤6", "6 or less"), "6 or less"),
        ("interval", ("4", "4-4"), "4"),
        ("modifier", ("+2", "2"), "+2"),
        ("modifier", ("0", "±0"), "0"),
        ("modifier", ("±1 (Phl.or.)", "-1 to +1 (Phl.or.)"), "-1 to +1 (Phl.or.)"),
        ("modifier", ("Scope-1",), "Scope -1"),
        ("level", ("Good", "good", "Good (expert)"), "Good"),
        ("dice", ("4dF", "4DF"), "4dF"),
        ("dice", ("1d4 bludgeoning",), "1d4 bludgeoning"),
        ("track-change", ("Good + 2 Hurt Boxes",), "Good + 2 Hurt"),
        ("track-change", ("Great + Scratched[1-3] etc.",), "Great + Scratched 1 to 3 etc."),
        ("condition", ("Consent / Power <= Fair",), "Consent <= Fair or Power <= Fair"),
        ("condition", ("Power - Authority >= +2",), "Power - Authority >= 2"),
        ("text", ("Two oars and 1 pole", "two oars, 1 pole"), "two, 1"),
        ("text", ("no oars",), ""),
    ],
)
def test_equal_values_have_one_text(notation: NotationName, prints: tuple[str, ...], text: str) -> None:
    assert {canonical(read_value(notation, print_, LADDER)) for print_ in prints} == {text}


def test_a_blank_has_none() -> None:
    assert canonical(None) == ""
