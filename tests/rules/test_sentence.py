"""A sentence finds the whole value of each name, or raises an error; a reading is a sentence that keeps values."""

from __future__ import annotations

import pytest

from refgen.errors import NotationError, RulesError
from refgen.languages import language_of
from refgen.notation.levels import Ladder
from refgen.notation.printed_cell import NotationName
from refgen.notation.printed_numbers import NotationStyle
from refgen.notation.values import Level
from refgen.rules.field_types import FactSpec
from refgen.rules.pattern import ValuePattern, fold_text, value_pattern
from refgen.rules.schema import ColumnSpec
from refgen.rules.sentence import Sentence, read_in_place
from refgen.rules.toml import load_toml
from refgen.source import SourceFile

LADDER = Ladder(
    tuple(Level(name, value) for name, value in [("Good", 1), ("Fair", 0), ("Very Hurt", -2), ("Hurt", -1)]),
    {"V.Hurt": "Very Hurt"},
)


def found(sentence: str, text: str, notation: NotationName = "number", **readings: str) -> list[dict[str, str]]:
    """What stands for each name at each place of a sentence in a text."""

    def form(_: str) -> ValuePattern:
        return value_pattern(notation, readings, LADDER)

    passage = SourceFile("rules.md", text).passage
    return [
        {name: value.text for name, value in values}
        for values in Sentence(sentence, form).search(passage, fold_text(text))
    ]


@pytest.mark.parametrize(
    ("tag", "sentence", "text", "notation", "value"),
    [
        ("de", "würfelt mit {x} Würfeln", "Man würfelt mit drei Würfeln.", "number", "drei"),
        ("de", "gelingt {x}", "Es gelingt ab 5.", "interval", "ab 5"),
        ("de", "gelingt bei {x}.", "Es gelingt bei 1 bis 3.", "interval", "1 bis 3"),
        ("de", "wirf {x} dafür", "Wirf 2W6+1 dafür.", "dice", "2W6+1"),
        ("de", "kostet {x} Gold", "Das kostet 1.250 Gold.", "number", "1.250"),
        ("de", "um {x} Prozent", "um zwölf Prozent", "number", "zwölf"),
        ("ru", "бросьте {x} кубика", "Бросьте три кубика.", "number", "три"),
        ("ru", "бросьте {x}.", "Бросьте 2к6.", "dice", "2к6"),
        ("ru", "удача при {x}", "удача при 5 и более", "interval", "5 и более"),
        ("pt", "role {x} dados", "Role duas dados.", "number", "duas"),
        ("pt", "sucesso com {x}", "Sucesso com 5 ou mais.", "interval", "5 ou mais"),
        ("fi", "heitä {x} noppaa", "Heitä kolmea noppaa.", "number", "kolmea"),
        ("fi", "onnistuu {x}", "Onnistuu vähintään 5.", "interval", "vähintään 5"),
    ],
)
def test_values_stand_in_the_words_of_the_language(
    tag: str, sentence: str, text: str, notation: NotationName, value: str
) -> None:
    language = language_of(tag)
    style = NotationStyle(language.decimal, (), language)
    passage = SourceFile("rules.md", text).passage

    def form(_: str) -> ValuePattern:
        return value_pattern(notation, {}, language=language.within(text))

    (values,) = Sentence(sentence, form, style=style).search(passage, fold_text(text, style))
    assert [(name, found.text) for name, found in values] == [("x", value)]


def test_one_sentence_states_several_numbers() -> None:
    text = "So color two sides of each die green, two sides red, and leave the other two sides white."
    sentence = "color {green} sides of each die green, {red} sides red, and leave the other {white} sides white"
    assert found(sentence, text) == [{"green": "two", "red": "two", "white": "two"}]


@pytest.mark.parametrize(
    ("sentence", "text", "value"),
    [
        ("roll {x} or more", "You roll  7\nor more.", "7"),
        ("roll {x} or more", "Roll 7 or\u00a0more.", "7"),
        ("the knight's {x} points", "The knight’s 3 points", "3"),
        ('says "{x} dice"', "It says “four dice” here.", "four"),
        ("a well-made {x}", "a well–made 5", "5"),
        ("from {x} on", "from −3 on", "−3"),
        ("it costs {x}.", "It costs 1,200.", "1,200"),
        ("it costs {x}", "It costs 1.5 now", "1.5"),
        ("pay … {x} coins", "Pay the ferryman, or his wife, 3 coins", "3"),
        ("pay … {x} coins", "Pay 3 coins", "3"),
        ("pay {x} [gold ]coins", "pay 3 gold coins", "3"),
        ("pay {x} [gold ]coins", "pay 3 coins", "3"),
        ("{x}-sided", "a six-sided die", "six"),
        ("[[{x}] and {{y}}", "[3] and {y}}", "3"),
    ],
)
def test_kinds_of_blanks_quotes_and_dashes_and_the_first_letter_make_no_difference(
    sentence: str, text: str, value: str
) -> None:
    assert found(sentence, text) == [{"x": value}]


@pytest.mark.parametrize(
    ("notation", "text", "value"),
    [
        ("number", "is +10 here", "+10"),
        ("number", "is >500 mil here", ">500 mil"),
        ("number", "is 1½ here", "1½"),
        ("percent", "is 97.5% here", "97.5%"),
        ("interval", "is 7-18 here", "7-18"),
        ("interval", "is -4 to +4 here", "-4 to +4"),
        ("interval", "is 6 or less here", "6 or less"),
        ("interval", "is 17+ here", "17+"),
        ("modifier", "is +/-2 here", "+/-2"),
        ("modifier", "is Scope-1 here", "Scope-1"),
        ("dice", "is d12+5 here", "d12+5"),
        ("dice", "is 4dF here", "4dF"),
        ("quantity", "is 60 ft. here", "60 ft."),
        ("quantity", "is Cr1,500 here", "Cr1,500"),
        ("quantity", "is 5 € here", "5 €"),
        ("quantity", "is x0.5 here", "x0.5"),
        ("dice", "is 3D6/round here", "3D6/round"),
        ("score", "is 16 (+3) here", "16 (+3)"),
        ("level", "is Very Hurt here", "Very Hurt"),
        ("level", "is V.Hurt here", "V.Hurt"),
        ("level", "is Good (+1) here", "Good (+1)"),
    ],
)
def test_a_name_takes_what_its_notation_can_print(notation: NotationName, text: str, value: str) -> None:
    assert found("is {x} here", text, notation) == [{"x": value}]
    assert found("is {x}", text.removesuffix(" here"), notation) == [{"x": value.removesuffix(".")}]


def test_what_system_toml_reads_may_stand_there_too() -> None:
    assert found("is {x} as hard", "is twice as hard", twice="2") == [{"x": "twice"}]
    assert found("is {x} as hard", "is nowhere as hard", twice="2") == []


@pytest.mark.parametrize(
    ("sentence", "text", "notation", "message"),
    [
        ("on {x}", "on 4dF", "number", '1:4: "4" is not the whole of {x}: it touches "d"'),
        ("on {x}", "on 5%", "number", '"5" is not the whole of {x}: it touches "%"'),
        ("{x} points", "3-5 points", "number", '"-5" is not the whole of {x}: it touches "3"'),
        ("{x} points", "d6+5 points", "number", '"+5" is not the whole of {x}: it touches "6"'),
        ("{x} now", "-5/+4 now", "interval", '"+4" is not the whole of {x}: it touches "/"'),
        ("on {x}", "on 3-5", "number", '"3" is not the whole of {x}: it touches "-"'),
        ("on {x}.", "on 1.5", "interval", '"1" is not the whole of {x}: it touches "."'),
        ("is {x}", "is Fair-minded", "level", '"Fair" is not the whole of {x}: it touches "-"'),
        ("is {x}", "is Goodly", "level", ""),
    ],
)
def test_a_value_is_never_cut_off(sentence: str, text: str, notation: NotationName, message: str) -> None:
    if not message:
        assert found(sentence, text, notation) == []
        return
    with pytest.raises(RulesError) as caught:
        found(sentence, text, notation)
    assert message in str(caught.value)
    assert caught.value.hint


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "blank"),
        ("roll {Dice}", "is no name in braces"),
        ("roll {dice", "is no name in braces"),
        ("roll [the {dice}", "not closed"),
        ("x" * 3000, "longer than 2000"),
        ("{a} " * 101, "100 values at most"),
    ],
)
def test_what_is_no_sentence_is_refused(text: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        found(text, "roll 4dF")


def test_a_sentence_takes_linear_time() -> None:
    assert found("a … a … a … a … a … {x} points", "a " * 20_000) == []


@pytest.mark.parametrize(
    ("readings", "printed", "read"),
    [
        ({}, "12 in all", "12 in all"),
        ({"00": "100"}, "00", "100"),
        ({"{n} in all": "{n}"}, "12 in all", "12"),
        ({"{n} in all": "{n}"}, "12 in all of them", "12 in all of them"),
        ({"{low} up to {high}": "{low}-{high}"}, "3 up to 5", "3-5"),
        ({"{n} of {m}": "{m}/{n}"}, "1 of 4", "4/1"),
        ({"{n}[ coins]": "{n}"}, "7 coins", "7"),
        ({"‘{n}’": "{n}"}, "'7'", "7"),
        ({"7 in all": "8", "{n} in all": "{n}"}, "7 in all", "8"),
    ],
)
def test_what_is_read(readings: dict[str, str], printed: str, read: str) -> None:
    assert read_in_place(readings, printed) == read


@pytest.mark.parametrize(
    ("title", "text", "message"),
    [
        (
            "a part that is not there",
            'id = "x"\nread = { "{n} in all" = "{m}" }',
            '"{m}" keeps {m}, which "{n} in all"',
        ),
        ("no sentence", 'id = "x"\nread = { "{N} in all" = "1" }', "is no name in braces"),
    ],
)
def test_what_cannot_be_read_is_refused(title: str, text: str, message: str) -> None:
    with pytest.raises(RulesError) as caught:
        load_toml(SourceFile("column.toml", text), ColumnSpec)
    assert message in caught.value.message, title
    assert str(caught.value.span) == "column.toml:2:1"


def test_a_fact_has_a_sentence_of_its_own_for_that() -> None:
    with pytest.raises(RulesError, match="has a name in braces, but a fact is read word for word"):
        load_toml(SourceFile("fact.toml", 'title = "X"\nread = { "{n} in all" = "{n}" }'), FactSpec)


@pytest.mark.parametrize(
    ("text", "notation"),
    [
        ('id = "x"', "text"),
        ('id = "x"\nladder = "trait"', "level"),
        ('id = "x"\nladder = "trait"\ntype = "condition"', "condition"),
    ],
)
def test_what_has_a_ladder_is_a_level_unless_it_says_otherwise(text: str, notation: str) -> None:
    assert load_toml(SourceFile("column.toml", text), ColumnSpec).type == notation
    fact = load_toml(SourceFile("fact.toml", text.replace("id", "title")), FactSpec)
    assert fact.type == ("number" if notation == "text" else notation)
