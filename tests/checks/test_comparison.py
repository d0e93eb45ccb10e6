"""When a printed number agrees with an exact one: precision, the rounding rule of a table, and the verdicts."""

from __future__ import annotations

from fractions import Fraction

import pytest

from refgen.checks.comparison import (
    Comparison,
    Precision,
    Subject,
    Verdict,
    judge,
    precision_of,
    printed_number,
    rounding_of,
)
from refgen.notation.number import read_number, read_percent, read_weighted
from refgen.notation.rounding import Rounding
from refgen.notation.values import Value
from refgen.span import Span

PLACE = Span("rules.md", 0, 1, 1, 1, 1, 2)


def compared(printed: str, exact: str, read: Value | None = None) -> Comparison:
    value = read if read is not None else read_percent(printed) if "%" in printed else read_number(printed)
    return Comparison(
        Subject("check/row", "table", "Table", "row", "column", printed, PLACE),
        computed="",
        rule="a rule",
        number=printed_number(value),
        exact=Fraction(exact),
        precision=precision_of(printed, value),
    )


@pytest.mark.parametrize(
    ("printed", "value", "unit", "is_percent"),
    [
        ("18%", read_percent("18%"), "1/100", True),
        ("99.8%", read_percent("99.8%"), "1/1000", True),
        ("0.18", read_percent("18%"), "1/100", False),
        ("+2 (13%)", read_weighted("+2 (13%)"), "1/100", True),
        ("2.3", read_number("2.3"), "1/10", False),
        ("-0.67", read_number("-0.67"), "1/100", False),
        ("10,000", read_number("10,000"), "1", False),
    ],
)
def test_the_precision_is_a_unit_of_the_last_printed_digit(
    printed: str, value: Value, unit: str, is_percent: bool
) -> None:
    found = precision_of(printed, value)
    assert (found.unit, found.percent) == (Fraction(unit), is_percent)


@pytest.mark.parametrize(
    ("precision", "exact", "shown"),
    [
        (Precision(Fraction(1, 100), percent=True), "5/27", "19%"),
        (Precision(Fraction(1, 1000), percent=True), "5/27", "18.5%"),
        (Precision(Fraction(1, 100)), "5/27", "0.19"),
        (Precision(Fraction(1)), "66666/5", "13,333"),
        (Precision(Fraction(1, 10)), "-9/4", "-2.2"),
    ],
)
def test_a_computed_number_is_shown_as_the_print_would(precision: Precision, exact: str, shown: str) -> None:
    assert precision.shown(Fraction(exact)) == shown


@pytest.mark.parametrize(
    ("title", "pairs", "expected"),
    [
        ("nothing is halfway", [("33%", "1/3"), ("67%", "2/3")], Rounding.HALF_UP),
        ("halves go up", [("13%", "1/8"), ("63%", "5/8")], Rounding.HALF_UP),
        ("halves go to the even digit", [("12%", "1/8"), ("62%", "5/8"), ("38%", "3/8")], Rounding.HALF_EVEN),
        ("one of each: half-up", [("12%", "1/8"), ("63%", "5/8")], Rounding.HALF_UP),
        ("always down, and two figures need it", [("66%", "2/3"), ("16%", "1/6"), ("50%", "1/2")], Rounding.DOWN),
        ("always up, and two figures need it", [("34%", "1/3"), ("12%", "1/9")], Rounding.UP),
        ("one figure alone proves nothing", [("66%", "2/3"), ("33%", "1/3")], Rounding.HALF_UP),
        ("a figure against it: not always down", [("66%", "2/3"), ("16%", "1/6"), ("84%", "5/6")], Rounding.HALF_UP),
    ],
)
def test_the_rounding_rule_is_the_one_that_most_figures_follow(
    title: str, pairs: list[tuple[str, str]], expected: Rounding
) -> None:
    assert rounding_of([compared(*pair) for pair in pairs]) is expected, title


@pytest.mark.parametrize(
    ("printed", "exact", "expected"),
    [
        ("19%", "5/27", Verdict.AGREES),
        ("18%", "5/27", Verdict.ROUNDING),
        ("17%", "5/27", Verdict.DIFFERS),
        ("20%", "5/27", Verdict.DIFFERS),
        ("18.5%", "5/27", Verdict.AGREES),
        ("18.6%", "5/27", Verdict.ROUNDING),
        ("18.4%", "5/27", Verdict.DIFFERS),
        ("6%", "1/20", Verdict.DIFFERS),
        ("2.3", "9/4", Verdict.AGREES),
        ("300", "200", Verdict.DIFFERS),
    ],
)
def test_less_than_one_unit_off_is_a_matter_of_rounding(printed: str, exact: str, expected: Verdict) -> None:
    beside = [compared("33%", "1/3"), compared("67%", "2/3")]
    _, judged = judge([*beside, compared(printed, exact)])
    assert judged[-1].verdict is expected


@pytest.mark.parametrize(
    ("printed", "expected"), [("~2%", Verdict.AGREES), ("~3%", Verdict.AGREES), ("~4%", Verdict.DIFFERS)]
)
def test_about_allows_one_unit(printed: str, expected: Verdict) -> None:
    _, (judged,) = judge([compared(printed, "2/81", read_percent(printed.removeprefix("~")))])
    assert judged.verdict is expected


@pytest.mark.parametrize(
    ("printed", "exact", "expected"),
    [
        ("19%", "5/27", "18.52%"),
        ("0.7%", "3/400", "0.75%"),
        ("100%", "143/144", "99.31%"),
        ("8.0%", "3/40", ""),
        ("20", "200/3", "66.67"),
        ("300", "200", ""),
    ],
)
def test_the_exact_number_has_two_more_digits_where_the_print_cannot_show_it(
    printed: str, exact: str, expected: str
) -> None:
    assert compared(printed, exact).decimal == expected
