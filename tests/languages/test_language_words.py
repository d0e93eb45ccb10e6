"""Cells and running text in other languages: numbers, ranges and dice by the language alone."""

from __future__ import annotations

from fractions import Fraction

import pytest

from refgen.errors import NotationError
from refgen.languages import language_of
from refgen.notation.printed_cell import NotationName, in_usual_style, read_value
from refgen.notation.printed_numbers import NotationStyle, numbers_in
from refgen.notation.values import DiceText, Interval, LabelledDice, Modifier, Number, Percent, Quantity, Value


def style_of(tag: str) -> NotationStyle:
    language = language_of(tag)
    return NotationStyle(language.decimal, (), language)


def read(tag: str, notation: NotationName, text: str) -> Value:
    style = style_of(tag)
    return read_value(notation, in_usual_style(notation, text, style), language=style.language)


CELLS: list[tuple[str, NotationName, str, Value]] = [
    ("de", "number", "1.250", Number(Fraction(1250))),
    ("en", "number", "1,250", Number(Fraction(1250))),
    ("de", "number", "Drei", Number(Fraction(3))),
    ("de", "number", "dreißig", Number(Fraction(30))),
    ("de", "number", "eine", Number(Fraction(1))),
    ("de", "number", "2,5 Mio.", Number(Fraction(2_500_000))),
    ("pt", "number", "2 mil", Number(Fraction(2000))),
    ("pt", "number", "duas", Number(Fraction(2))),
    ("ru", "number", "двух", Number(Fraction(2))),
    ("ru", "number", "полтора", Number(Fraction(3, 2))),
    ("fi", "number", "kolmea", Number(Fraction(3))),
    ("fr", "number", "dix-sept", Number(Fraction(17))),
    ("de", "number", "half", Number(Fraction(1, 2))),
    ("de", "percent", "12,5 %", Percent(Fraction(1, 8), 1)),
    ("de", "interval", "ab 5", Interval(5, None)),
    ("de", "interval", "bis zu 5", Interval(None, 5)),
    ("de", "interval", "5 oder mehr", Interval(5, None)),
    ("de", "interval", "von 1 bis 3", Interval(1, 3)),
    ("de", "interval", "5 or less", Interval(None, 5)),
    ("ru", "interval", "от 5", Interval(5, None)),
    ("ru", "interval", "до 5", Interval(None, 5)),
    ("ru", "interval", "5 и более", Interval(5, None)),
    ("ru", "interval", "От 1 до 3", Interval(1, 3)),
    ("pt", "interval", "5 ou mais", Interval(5, None)),
    ("pt", "interval", "até 5", Interval(None, 5)),
    ("pt", "interval", "de 1 a 3", Interval(1, 3)),
    ("fi", "interval", "vähintään 5", Interval(5, None)),
    ("fi", "interval", "5 tai enemmän", Interval(5, None)),
    ("fi", "interval", "enintään 5", Interval(None, 5)),
    ("fr", "interval", "jusqu’à 5", Interval(None, 5)),
    ("es", "interval", "entre 1 y 3", Interval(1, 3)),
    ("en", "interval", "up to 5", Interval(None, 5)),
    ("en", "interval", "1, 2 or 3", Interval(1, 3)),
    ("de", "modifier", "-1 bis -3", Modifier(Fraction(-3), Fraction(-1))),
    ("de", "dice", "2W6+1", DiceText("2d6+1")),
    ("fi", "dice", "1T6", DiceText("1d6")),
    ("ru", "dice", "2к6", DiceText("2d6")),
    ("cs", "dice", "1k6", DiceText("1d6")),
    ("de", "dice", "keine", DiceText("")),
    ("de", "dice", "1W6 Schaden", LabelledDice("1d6", "Schaden")),
    ("de", "quantity", "1,5 Pfund", Quantity(Fraction(3, 2), "Pfund")),
]


@pytest.mark.parametrize(("tag", "notation", "text", "value"), CELLS)
def test_a_cell_is_read_in_the_language_of_its_document(
    tag: str, notation: NotationName, text: str, value: Value
) -> None:
    assert read(tag, notation, text) == value


@pytest.mark.parametrize(
    ("tag", "notation", "text"),
    [
        ("en", "interval", "ab 5"),
        ("en", "dice", "2W6"),
        ("de", "quantity", "5 oder mehr"),
        ("de", "dice", "1W6 pro Stufe"),
        ("ru", "quantity", "5 и более"),
        ("nb", "number", "three"),
        ("de", "interval", "1 2 oder 4"),
        ("de", "interval", "ab fünf"),
    ],
)
def test_words_of_another_language_and_words_that_change_a_number_are_errors(
    tag: str, notation: NotationName, text: str
) -> None:
    with pytest.raises(NotationError):
        read(tag, notation, text)


@pytest.mark.parametrize(
    ("tag", "text", "expected"),
    [
        (
            "de",
            "Ein Held wirft drei W6 und zwei 2W6; zwölf Elfen, ein Elf, Hälfte",
            ["drei", "W6", "zwei", "2W6", "zwölf", "Hälfte"],
        ),
        ("ru", "Бросьте три кубика или 2к6, и пятнадцать раз", ["три", "2к6", "пятнадцать"]),
        ("pt", "Role três dados, duas vezes, e um dado", ["três", "duas"]),
        ("fi", "Heitä kolmea noppaa tai 1T6, puolet", ["kolmea", "1T6", "puolet"]),
        ("tr", "three 3", ["3"]),
        ("de", "often attend ten 1.250", ["1.250"]),
    ],
)
def test_the_numbers_of_running_text_are_words_of_its_language(tag: str, text: str, expected: list[str]) -> None:
    style = style_of(tag)
    found = numbers_in(style.usual(text), {"Held"}, style.language)
    assert [text[start:end] for start, end in found] == expected
