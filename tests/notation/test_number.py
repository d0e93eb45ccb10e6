from collections.abc import Callable
from fractions import Fraction

import pytest

from refgen.errors import NotationError
from refgen.notation.number import (
    read_interval,
    read_modifier,
    read_number,
    read_percent,
    read_range,
    read_score,
    read_weighted,
)
from refgen.notation.printed_cell import read_value
from refgen.notation.values import Interval, Modifier, Number, NumberList, Percent, Score, Value, WeightedNumber

F = Fraction


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("-3", Number(F(-3))),
        ("−3", Number(F(-3))),
        ("+4", Number(F(4))),
        ("200,000", Number(F(200_000))),
        (">500 mil", Number(F(500_000_000), ">")),
        ("2 mil", Number(F(2_000_000))),
        ("0.67", Number(F(67, 100))),
        ("1/4", Number(F(1, 4))),
        ("three", Number(F(3))),
        ("–4", Number(F(-4))),
        ("½", Number(F(1, 2))),
        ("-½", Number(F(-1, 2))),
        ("1½", Number(F(3, 2))),
        ("2 1/2", Number(F(5, 2))),
        ("⅓", Number(F(1, 3))),
        ("≥ 30", Number(F(30), ">=")),
        *((f"{dash}3", Number(F(-3))) for dash in "‐‑‒–—―−－﹣"),
        ("1'500", Number(F(1500))),
        ("12’345.5", Number(F(24691, 2))),
        ("1\u202f500", Number(F(1500))),
        ("1\u2009500\u2009000", Number(F(1_500_000))),
        ("1\u00a0500", Number(F(1500))),
        ("１，５００", Number(F(1500))),
        ("10²", Number(F(100))),
        ("10⁻²", Number(F(1, 100))),
        ("3×10⁴", Number(F(30_000))),
        ("10^3", Number(F(1000))),
        ("¹⁄₂", Number(F(1, 2))),
        ("2¹⁄₂", Number(F(5, 2))),
    ],
)
def test_numbers(text: str, expected: Number) -> None:
    assert read_number(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0.6%", Percent(F(6, 1000), 1)),
        ("97.5%", Percent(F(975, 1000), 1)),
        ("100%", Percent(F(1), 0)),
        ("5.0%", Percent(F(5, 100), 1)),
        ("３３％", Percent(F(33, 100), 0)),
        ("5\u202f%", Percent(F(5, 100), 0)),
    ],
)
def test_percentages_keep_their_precision(text: str, expected: Percent) -> None:
    assert read_percent(text) == expected


def test_a_number_with_its_chance() -> None:
    assert read_weighted("+4 (1%)") == WeightedNumber(F(4), Percent(F(1, 100), 0))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("7-18", Interval(7, 18)),
        ("5", Interval(5, 5)),
        ("17+", Interval(17, None)),
        ("+6,+5", Interval(5, 6)),
        ("-1,-2", Interval(-2, -1)),
        ("1,2,3", Interval(1, 3)),
        ("< -7", Interval(None, -8)),
        ("<= -7", Interval(None, -7)),
        ("> 3", Interval(4, None)),
        ("-4..4", Interval(-4, 4)),
        ("-4 to +4", Interval(-4, 4)),
        ("5 or 6", Interval(5, 6)),
        ("-4 and 4", Interval(-4, 4)),
        ("7..", Interval(7, None)),
        ("..-7", Interval(None, -7)),
        ("6-", Interval(None, 6)),
        ("6−", Interval(None, 6)),
        ("-6-", Interval(None, -6)),
        ("≤6", Interval(None, 6)),
        ("≥ 10", Interval(10, None)),
        ("6 or less", Interval(None, 6)),
        ("6 or fewer", Interval(None, 6)),
        ("1, or less", Interval(None, 1)),
        ("10 or higher", Interval(10, None)),
        ("7 and up", Interval(7, None)),
        ("7–9", Interval(7, 9)),
        ("–4 – +4", Interval(-4, 4)),
        ("–4––1", Interval(-4, -1)),
        ("01–05", Interval(1, 5)),
        ("91–00", Interval(91, 100)),
        ("99,00", Interval(99, 100)),
        ("00", Interval(100, 100)),
        ("00–09", Interval(0, 9)),
        ("-1 to -5", Interval(-5, -1)),
        ("0 through 2", Interval(0, 2)),
        ("1,000+", Interval(1000, None)),
        ("1,000-1,999", Interval(1000, 1999)),
        ("500 to 1,000", Interval(500, 1000)),
        ("1,000", Interval(1000, 1000)),
        ("100,101", Interval(100, 101)),
        *((f"1{sign}3", Interval(1, 3)) for sign in "-‐‑‒–—―−－~〜～…‥ー"),
        ("1...3", Interval(1, 3)),
        ("01..50", Interval(1, 50)),
        ("51..00", Interval(51, 100)),
        ("1-5.", Interval(1, 5)),
        ("1.–3.", Interval(1, 3)),
        ("4.", Interval(4, 4)),
        ("３－６", Interval(3, 6)),
        ("3〜", Interval(3, None)),
        ("～3", Interval(None, 3)),
        ("1、2、3", Interval(1, 3)),
        ("1'000–1'500", Interval(1000, 1500)),
        ("1 000 to 1 500", Interval(1000, 1500)),
        ("1-2, 3", Interval(1, 3)),
        ("1, 2 or 3", Interval(1, 3)),
        ("1, 2 to 5", Interval(1, 5)),
    ],
)
def test_ranges(text: str, expected: Interval) -> None:
    assert read_interval(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1/2", Interval(1, 2)),
        ("5 & 6", Interval(5, 6)),
        ("¾", Interval(3, 4)),
        ("1/2/3", Interval(1, 3)),
        ("1, 3, 5", NumberList((1, 3, 5))),
        ("1/3/5", NumberList((1, 3, 5))),
        ("1 or 3", NumberList((1, 3))),
        ("1, 3 or 5", NumberList((1, 3, 5))),
        ("1, 3 and 5", NumberList((1, 3, 5))),
        ("1-2, 5-6", NumberList((1, 2, 5, 6))),
        ("1, 3 to 5", NumberList((1, 3, 4, 5))),
        ("99, 00, 5", NumberList((5, 99, 100))),
    ],
)
def test_lists_stand_in_columns_of_results_alone(text: str, expected: Interval | NumberList) -> None:
    assert read_range(text) == expected
    assert read_value("interval", text) == expected
    with pytest.raises(NotationError):
        read_interval(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("+1", Modifier(F(1), F(1))),
        ("-1 to -3", Modifier(F(-3), F(-1))),
        ("Scope-1", Modifier(F(-1), F(-1), "Scope")),
        ("±1 (Phl.or.)", Modifier(F(-1), F(1), "", "Phl.or.")),
        ("+\n3", Modifier(F(3), F(3), "", "")),
        ("+/-2", Modifier(F(-2), F(2))),
        ("0", Modifier(F(0), F(0))),
        ("–1", Modifier(F(-1), F(-1))),
        ("–1 to –3", Modifier(F(-3), F(-1))),
        ("Scope–1", Modifier(F(-1), F(-1), "Scope")),
        ("Law Level +0", Modifier(F(0), F(0), "Law Level")),
        ("‒1", Modifier(F(-1), F(-1))),
        ("Scope‑1", Modifier(F(-1), F(-1), "Scope")),
    ],
)
def test_modifiers(text: str, expected: Modifier) -> None:
    assert read_modifier(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("16 (+3)", Score(F(16), F(3))),
        ("8 (–1)", Score(F(8), F(-1))),
        ("10 (0)", Score(F(10), F(0))),
        ("10 (+0)", Score(F(10), F(0))),
    ],
)
def test_a_number_with_the_modifier_it_gives(text: str, expected: Score) -> None:
    assert read_score(text) == expected


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (read_number, "many"),
        (read_number, ""),
        (read_number, "1,00"),
        (read_number, "1/0"),
        (read_percent, "97.5"),
        (read_weighted, "+4"),
        (read_score, "16"),
        (read_score, "16 (3)"),
        (read_score, "16 (19%)"),
        (read_interval, "6 or so"),
        (read_number, "½½"),
        (read_interval, "9-7"),
        (read_interval, "5 to -1"),
        (read_modifier, "Gun Combat-0"),
        (read_interval, "1,3"),
        (read_interval, "1,999999999"),
        (read_interval, "1 2"),
        (read_range, "1 2"),
        (read_range, "1-999999999, 5"),
        (read_range, "3-1, 5"),
        (read_range, "~3"),
        (read_number, "5²"),
        (read_number, "12'34"),
        (read_number, "2〜3"),
        (read_interval, ".."[:1]),
        (read_modifier, "some"),
    ],
)
def test_what_is_not_in_the_notation_is_an_error(read: Callable[[str], Value], text: str) -> None:
    with pytest.raises(NotationError) as caught:
        read(text)
    assert caught.value.hint
