"""Mistakes in TOML, each told in the words of people who write TOML seldom, at its place."""

from __future__ import annotations

import tomllib

import pytest

from refgen.errors import RulesError
from refgen.rules.toml import read_toml
from refgen.source import SourceFile

STRAIGHT = 'Write straight quotes: "like this".'
NO_KEY = "this line is no key with a value"


@pytest.mark.parametrize(
    ("text", "said", "hint"),
    [
        # Quotes
        ("a = “x”", "1:5: “ is no quote of TOML", STRAIGHT),
        ("a = ‘x’", "1:5: ‘ is no quote of TOML", STRAIGHT),
        ("a = „x“", "1:5: „ is no quote of TOML", STRAIGHT),
        ("a = [“x”, “y”]", "1:6: “ is no quote of TOML", STRAIGHT),
        ("“a” = 1", "1:1: “ is no quote of TOML", STRAIGHT),
        ("[“t”]", "1:2: “ is no quote of TOML", STRAIGHT),
        ('a = "x”\nb = "y"', "1:5: this text is not closed: ” is no quote of TOML", 'Write " before and behind'),
        ('a = "x', '1:5: a quote is missing: this text is not closed with "', 'Write " at its end.'),
        ('a = "x\nb = "y"', '1:5: a quote is missing (")', 'Write " before and behind'),
        ('a = x"\nb = "y"', '1:6: a quote is missing (")', 'Write " before and behind'),
        ("a = 'x\"", "1:5: a quote is missing: this text is not closed with '", "Write ' at its end."),
        ('a = ["a, "b"]', '1:12: a quote is missing (")', 'Write " before and behind'),
        ('a = ["a", b"]\n', '1:12: a quote is missing (")', 'Write " before and behind'),
        ('a = """x\ny\n', '1:5: a quote is missing: this text is not closed with """', 'Write """ at its end.'),
        ('a = "The "Great" Hall"', "1:11: quotes stand within a text, or a comma is missing", 'is written \\"'),
        # Texts and numbers without quotes
        ("a = Ada Brown # a name", "1:5: this text has no quotes: Ada Brown", 'Write "Ada Brown".'),
        ("a = the rider's road", "1:5: this text has no quotes: the rider's road", 'Write "the rider\'s road".'),
        ("a = 2d6", "1:5: 2d6 is no number: a text stands in quotes", 'Write "2d6".'),
        ("a = 10+", "1:5: 10+ is no number", 'Write "10+".'),
        ("a = 1,5", "1:5: 1,5 is no number", 'Write 1.5, or as a text "1,5".'),
        ("a = 01", "1:5: 01 is no number", 'Write 1, or as a text "01".'),
        ("a = .5", "1:5: .5 is no number", "Write 0.5."),
        ("a = −1", "1:5: − is no minus of TOML", "Write a hyphen: -1."),
        ("a = True", "1:5: True is no value of TOML", "Write true."),
        ("a = no", "1:5: no is no value of TOML", "Write false."),
        ("a =\nb = 1", '1:4: "a" has no value', 'key = "value"'),
        ('a = "x" y', "1:9: this stands behind the value: y", "write # before a remark"),
        # Keys, lists and headings
        ("a: 1", "1:2: behind a key stands = and not :", "Write key = value."),
        ("a == 1", "1:4: there is one = too many", "Write key = value."),
        ("a b = 1", "1:1: the key a b needs quotes", 'Write "a b".'),
        ("größe = 1", "1:1: the key größe needs quotes", 'Write "größe".'),
        ("[tables.größe]", "1:2: the key tables.größe needs quotes", 'Write tables."größe".'),
        ("just words", f"1:1: {NO_KEY}", "Write key = value"),
        ('a = ["x" "y"]', "1:10: here a comma is missing, or a ]", "Part entries by commas."),
        ("a = [1,\n2\nb = 3", "1:5: this list is not closed with ]", "Write ] at its end."),
        ("a = { b = 1,\nc = 2 }", "1:13: a table in { } goes on in the next line", "Write it on one line"),
        ("a = { b = 1, }", "1:14: a comma stands before }", "Take it out."),
        ("[t", "1:3: this heading is not closed with ]", "Write ] at its end."),
        ("[[t]\n", "1:4: this heading is not closed with ]]", "Write ]] at its end."),
        # Twice
        ("[t]\na = 1\nb = 2\na = 3", '4:1: "a" stands twice', "The first stands in line 2."),
        ("[t]\na = 1\n[u]\na = 2\n[t]\nb = 1", "5:1: [t] stands twice", "The first stands in line 1."),
        ("[tables.x]\n[ tables.x ]", "2:1: [tables.x] stands twice", "under one heading"),
        ("t = { a = 1 }\n[t.b]\n", '2:1: "t.b" is written out above, and goes on here', "in one place"),
        ("a = { b = 1, b = 2 }", "1:19: 'b' stands twice in this table", "Take one of the two out."),
        # Signs that nobody sees
        ('a =\u00a0"x"', "1:4: a blank that TOML does not know (U+00A0)", "Write a usual blank."),
        ("a = \u200b1", "1:5: a character that nobody sees (U+200B)", "Take it out."),
        ('a = "c:\\rules"\nb = "c:\\path"', "2:10: a \\ that begins no escape", "in single quotes"),
    ],
)
def test_a_mistake_is_told_at_its_place(text: str, said: str, hint: str) -> None:
    for ends in (text, text.replace("\n", "\r\n")):
        with pytest.raises(RulesError) as caught:
            read_toml(SourceFile("x.toml", ends))
        place, _, message = said.partition(": ")
        assert str(caught.value).startswith(f"x.toml:{place}: not valid TOML: {message}")
        assert hint in caught.value.hint


def test_what_tomllib_says_else_is_told_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_text: str) -> None:
        raise tomllib.TOMLDecodeError("Something new (at line 1, column 3)")

    monkeypatch.setattr(tomllib, "loads", refuse)
    with pytest.raises(RulesError, match=r"x\.toml:1:3: not valid TOML: something new") as caught:
        read_toml(SourceFile("x.toml", "a = 1"))
    assert caught.value.hint == "See toml.io."
