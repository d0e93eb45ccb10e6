"""When a printed number agrees with an exact one: precision, the rounding rule of a table, and the verdicts."""

from __future__ import annotations

from fractions import Fraction

import pytest

from refgen.checks.comparison import (
    CheckSubject,
    Comparison,
    Precision,
    Verdict,
    judge,
    precision_of,
    printed_number,
    rounding_of,
)
from refgen.notation.figures import Rounding
from refgen.notation.number import read_number, read_percent, read_weighted
from refgen.notation.values import Value
from refgen.span import Span

PLACE = Span("rules.md", 0, 1, 1, 1, 1, 2)


def compared(printed: str, exact: str, read: Value | None = None) -> Comparison:
    value = read if read is not None else read_percent(printed) if "%" in printed else read_number(printed)
    return Comparison(
        CheckSubject("check/row", printed, PLACE, "table", "Table", "row", "column"),
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
        ("always down, and three figures need it", [("66%", "2/3"), ("16%", "1/6"), ("88%", "8/9")], Rounding.DOWN),
        ("always up, and three figures need it", [("34%", "1/3"), ("12%", "1/9"), ("23%", "2/9")], Rounding.UP),
        ("two figures prove nothing", [("66%", "2/3"), ("16%", "1/6"), ("50%", "1/2")], Rounding.HALF_UP),
        (
            "a figure against it: not always down",
            [("66%", "2/3"), ("16%", "1/6"), ("88%", "8/9"), ("84%", "5/6")],
            Rounding.HALF_UP,
        ),
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
        ("100%", "1", Verdict.AGREES),
        ("100%", "999/1000", Verdict.DIFFERS),
        ("99%", "999/1000", Verdict.ROUNDING),
        ("0%", "1/1000", Verdict.DIFFERS),
        ("1%", "1/1000", Verdict.ROUNDING),
    ],
)
def test_rounded_down_or_up_is_a_matter_of_rounding_but_never_into_always_or_never(
    printed: str, exact: str, expected: Verdict
) -> None:
    beside = [compared("33%", "1/3"), compared("67%", "2/3")]
    _, judged = judge([*beside, compared(printed, exact)])
    assert judged[-1].verdict is expected


@pytest.mark.parametrize(
    ("printed", "exact", "expected"),
    [
        ("~2%", "2/81", Verdict.AGREES),
        ("~3%", "2/81", Verdict.ROUNDING),
        ("~4%", "2/81", Verdict.DIFFERS),
        ("~40%", "3/8", Verdict.AGREES),
        ("~40%", "13/40", Verdict.ROUNDING),
        ("~40%", "1/2", Verdict.DIFFERS),
        ("~100%", "19/20", Verdict.DIFFERS),
        ("~10%", "19/200", Verdict.AGREES),
        ("~10%", "17/200", Verdict.DIFFERS),
        ("~2000", "1501", Verdict.AGREES),
        ("~2000", "1499", Verdict.ROUNDING),
    ],
)
def test_about_is_as_fine_as_the_last_digit_that_is_not_0(printed: str, exact: str, expected: Verdict) -> None:
    plain = printed.removeprefix("~")
    value = read_percent(plain) if "%" in plain else read_number(plain)
    _, (judged,) = judge([compared(printed, exact, value)])
    assert judged.verdict is expected


@pytest.mark.parametrize(
    ("printed", "exact", "expected"),
    [
        ("19%", "5/27", "18.52%"),
        ("0.7%", "3/400", "0.75%"),
        ("100%", "143/144", "99.31%"),
        ("8.0%", "3/40", ""),
        ("1%", "1/200000", "0.00%"),
        ("20", "200/3", "66.67"),
        ("300", "200", ""),
    ],
)
def test_the_exact_number_has_two_more_digits_where_the_print_cannot_show_it(
    printed: str, exact: str, expected: str
) -> None:
    assert compared(printed, exact).decimal == expected
