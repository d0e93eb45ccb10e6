"""What is read in place of an odd print: word for word, or by a sentence that keeps some of its parts."""

from __future__ import annotations

import pytest

from refgen.errors import RulesError
from refgen.rules.fact_spec import FactSpec
from refgen.rules.schema import ColumnSpec
from refgen.rules.sentence import read_in_place
from refgen.rules.toml import load_toml
from refgen.source import SourceFile


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
    with pytest.raises(RulesError, match="has a name in braces, which a print of a fact has not"):
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
