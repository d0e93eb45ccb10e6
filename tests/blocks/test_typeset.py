"""Figures as they are set: real minus signs, en dashes in ranges."""

from __future__ import annotations

from fractions import Fraction

import pytest

from refgen.blocks.typesetting import typeset
from refgen.notation.values import DiceText, Interval, LabelledDice, Number, Quantity, Score, Text, Value


@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [
        ("-1", None, "−1"),
        ("7-18", Interval(7, 18), "7–18"),
        ("-4--2", Interval(-4, -2), "−4–−2"),
        ("+/-2", None, "±2"),
        ("Scope-1", None, "Scope−1"),
        ("Scratched[1-3]", Text("Scratched[1-3]"), "Scratched[1–3]"),
        ("d4-1", None, "d4−1"),
        ("d8-d6", DiceText("d8-d6"), "d8−d6"),
        ("all-out", Text("all-out"), "all-out"),
        ("6-", Interval(None, 6), "6−"),
        ("–4 – –1", Interval(-4, -1), "−4 – −1"),
        ("–½", Number(Fraction(-1, 2)), "−½"),
        ("–5 gp", Quantity(Fraction(-5), "gp"), "−5 gp"),
        ("16 (–1)", Score(Fraction(16), Fraction(-1)), "16 (−1)"),
        ("2d6-1 fire", LabelledDice("2d6-1", "fire"), "2d6−1 fire"),
        ("–", None, "–"),
        ("–5 gp", Text("–5 gp"), "–5 gp"),
    ],
)
def test_figures_are_typeset(text: str, value: Value | None, expected: str) -> None:
    assert typeset(text, value) == expected
