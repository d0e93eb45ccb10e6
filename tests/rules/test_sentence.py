"""A sentence with names finds what stands there: the whole of it, in the notation of each name, or an error."""

from __future__ import annotations

import pytest

from refgen.errors import NotationError, RulesError
from refgen.notation.levels import Ladder
from refgen.notation.printed_cell import NotationName
from refgen.notation.values import Level
from refgen.rules.pattern import ValuePattern, folded, value_pattern
from refgen.rules.sentence import Sentence
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
        for values in Sentence(sentence, form).search(passage, folded(text))
    ]


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
    assert found("is {x} as hard", "is thrice as hard", twice="2") == []


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
