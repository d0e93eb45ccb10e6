"""Files of characters: every error of a file at once, with its place; the good characters can be used."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from refgen.characters.character import Character
from refgen.characters.character_files import ReadCharacters, read_characters
from refgen.characters.filling import fill
from refgen.characters.form import Form
from refgen.errors import FileErrors, RefgenError

GOOD = """
story = "Once."

[who]
name = "Ada"
age = 30

[attributes]
health = "good"
will = "Great"

[wounds]
hurt = 1

[[skills]]
skill = "Ride"
level = "Fair"
with = "will"

[[mount]]
called = "Bay"
load = "+2"
"""


def read(form: Form, folder: Path, *texts: str | bytes, suffix: str = ".toml") -> ReadCharacters:
    paths = [folder / f"{number}{suffix}" for number in range(1, len(texts) + 1)]
    for path, text in zip(paths, texts, strict=True):
        path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_characters(form, paths)


def errors(found: ReadCharacters) -> list[str]:
    return [
        f"{Path(error.span.file).name}:{error.span.line}:{error.span.column}: {error.message}"
        if error.span
        else str(error)
        for error in found.errors
    ]


VALUES = {
    "story": "Once.",
    "who.name": "Ada",
    "who.age": 30,
    "attributes.health": "Good",
    "attributes.will": "Great",
    "wounds.hurt": 1,
    "skills.1.skill": "Ride",
    "skills.1.level": "Fair",
    "skills.1.with": "Will",
    "mount.1.called": "Bay",
    "mount.1.load": 2,
}


def test_a_character_in_toml(form: Form, tmp_path: Path) -> None:
    found = read(form, tmp_path, GOOD)
    assert found.errors == ()
    assert [(one.name, one.values) for one in found.characters] == [("Ada", VALUES)]


def test_several_characters_in_json(form: Form, tmp_path: Path) -> None:
    data = [{"who": {"name": "Ada", "left-handed": True}}, {"who": {"name": "Bo", "age": 1.5}, "skills": ["Ride"]}]
    found = read(form, tmp_path, json.dumps(data), suffix=".json")
    assert found.errors == ()
    assert [one.values for one in found.characters] == [
        {"who.name": "Ada", "who.left-handed": True},
        {"who.name": "Bo", "who.age": Fraction(3, 2), "skills.1.skill": "Ride"},
    ]


def test_all_errors_of_a_file_come_at_once_each_with_its_line(form: Form, tmp_path: Path) -> None:
    text = """
[who]
name = "Ada"
age = "old"
aeg = 3
[attributes]
health = "Goood"
skills = 3
[wounds]
hurt = 9
[[skills]]
skill = "Ride"
[[skills]]
skill = "Swim"
level = "Wet"
with = "Wits"
[[mount]]
[[mount]]
[[mount]]
called = "One too many"
"""
    assert errors(read(form, tmp_path, text)) == [
        '1.toml:4:1: who.age: "old" is no number',
        '1.toml:5:1: there is no field "who.aeg"',
        '1.toml:7:1: attributes.health: "Goood" is no level of "Health"',
        '1.toml:8:1: there is no field "attributes.skills"',
        "1.toml:10:1: wounds.hurt: there are no 9 boxes to tick",
        '1.toml:15:1: skills.2.level: "Wet" is no level of "Level"',
        '1.toml:16:1: skills.2.with: "Wits" is no choice of "With"',
        "1.toml:19:1: mount has 2 lines on the sheet, and 3 are written",
    ]


def test_an_error_says_what_may_stand_there(form: Form, tmp_path: Path) -> None:
    (error,) = read(form, tmp_path, '[who]\nname = "Ada"\n[attributes]\nhealth = "Goood"\n').errors
    assert error.hint == (
        "Did you mean Good? It is one of Legendary, Superb, Great, Good, Fair, Mediocre, Poor, Terrible."
    )


def test_items_in_brackets_have_their_lines_too(form: Form, tmp_path: Path) -> None:
    text = '[who]\nname = "Ada"\n\n[attributes]\n\n[[mount]]\ncalled = "Bay"\n'
    inline = 'skills = [\n  { skill = "a # b", level = "Fair" },\n  { skill = "b", level = "Fiar" },  # here\n]\n'
    assert errors(read(form, tmp_path, inline + text)) == ['1.toml:3:18: skills.2.level: "Fiar" is no level of "Level"']
    lines = json.dumps({"who": {"name": "Ada"}, "skills": [{"level": "Fair"}, {"level": "Fiar"}]}, indent=1)
    assert errors(read(form, tmp_path, lines, suffix=".json")) == [
        '1.json:10:4: skills.2.level: "Fiar" is no level of "Level"'
    ]


@pytest.mark.parametrize(
    ("title", "text", "message"),
    [
        ("no name", "[who]\nage = 3\n", "1.toml:1:1: a character without a name"),
        ("a slash", '[who]\nname = "a/b"\n', '1.toml:2:1: the name "a/b" has "/"'),
        ("dots", '[who]\nname = "../b"\n', '1.toml:2:1: the name "../b" has ".." at an end'),
        ("a formula", '[who]\nname = "=A1+2"\n', '1.toml:2:1: who.name: "=A1+2" is a formula of a spreadsheet'),
        (
            "a control character",
            '[who]\nname = "A\\u0007"\n',
            "1.toml:2:1: who.name: the control character U+0007 is no text",
        ),
        (
            "a separator of lines",
            '[who]\nname = "A\\u2028B"\n',
            "1.toml:2:1: who.name: the control character U+2028 is no text",
        ),
        ("bad TOML", "[who\n", "1.toml:1:5: not valid TOML: this heading is not closed with ]"),
        ("a list in place of values", 'who = ["Ada"]\n', "1.toml:1:1: who holds named values"),
        ("values in place of a list", '[who]\nname = "A"\n[skills]\nskill = "x"\n', "1.toml:3:1: skills is a list"),
    ],
)
def test_bad_input(form: Form, tmp_path: Path, title: str, text: str, message: str) -> None:
    found = read(form, tmp_path, text)
    assert message in errors(found), title
    assert all(error.hint for error in found.errors)
    assert found.characters == ()


def test_the_good_characters_of_several_files_can_be_used(form: Form, tmp_path: Path) -> None:
    found = read(form, tmp_path, GOOD, '[who]\nname = "Bo"\nage = "x"\n', '[who]\nname = "Cy"\n')
    assert [one.name for one in found.characters] == ["Ada", "Cy"]
    with pytest.raises(FileErrors) as caught:
        found.strict()
    assert len(caught.value.errors) == 1


def test_two_of_one_name_would_have_the_same_file(form: Form, tmp_path: Path) -> None:
    found = read(form, tmp_path, GOOD, '[who]\nname = "ADA!"\n')
    assert [one.name for one in found.characters] == ["Ada"]
    assert [error.message.split(" at ")[0] for error in found.errors] == ['"ADA!" has the name of another character']


def test_a_long_text_is_kept_whole(form: Form, tmp_path: Path) -> None:
    found = read(form, tmp_path, f'story = "{"word " * 2_000}"\n[who]\nname = "Ada"\n')
    assert len(str(found.characters[0].values["story"])) == 9_999


@pytest.mark.parametrize("value", ["nan", "inf", "2020-01-01", "[1]", "{ a = 1 }", '"1' + "0" * 5000 + '"', "true"])
def test_what_is_no_number(form: Form, tmp_path: Path, value: str) -> None:
    (error,) = read(form, tmp_path, f'[who]\nname = "Ada"\nage = {value}\n').errors
    assert "is no number" in error.message


def test_brackets_without_end(form: Form, tmp_path: Path) -> None:
    deep = "[" * 900 + "]" * 900
    (error,) = read(form, tmp_path, f'{{"who": {{"name": "Ada"}}, "skills": {deep}}}', suffix=".json").errors
    assert "too deep" in error.message


def test_a_field_that_a_character_of_ones_own_making_has_is_a_fault(form: Form) -> None:
    assert [str(fault) for fault in fill(form, Character("Ada", {"who.nmae": "Ada"})).faults] == [
        'Ada: there is no field "who.nmae"'
    ]


DAMAGE = ["", "x", '"', "[", "]", "{", "}", "=", "\n", "#", ",", ";", "-1", "\\", "'", ".", "\u00a0", "[[skills]]"]


@pytest.mark.slow
@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), suffix=st.sampled_from([".toml", ".json", ".csv"]))
def test_a_damaged_file_gives_errors_and_never_a_traceback(
    form: Form, tmp_path: Path, data: st.DataObject, suffix: str
) -> None:
    text = {
        ".toml": GOOD,
        ".json": json.dumps({"who": {"name": "Ada", "age": 1}, "skills": [{"skill": "Ride"}, "Swim"]}, indent=1),
        ".csv": 'name;age;skills.1;story\nAda;3;Ride;"One\ntwo"\nBo;;;\n',
    }[suffix]
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(start + 5, len(text))))
        text = text[:start] + data.draw(st.sampled_from(DAMAGE)) + text[end:]
    found = read(form, tmp_path, text, suffix=suffix)
    assert all(isinstance(error, RefgenError) and error.message for error in found.errors)
    assert all(fill(form, character).texts for character in found.characters)


class TestASpreadsheet:
    """A row for each character."""

    @pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
    @pytest.mark.parametrize("comma", [",", ";", "\t"])
    @pytest.mark.parametrize("end", ["\n", "\r\n"])
    def test_any_delimiter_and_any_line_end(
        self, form: Form, tmp_path: Path, mark: bytes, comma: str, end: str
    ) -> None:
        head = ["who.name", "Age", "HEALTH", "skills.1", "skills.1.level", "wounds.hurt", "who.left-handed", ""]
        rows = [["Ada", "30", "good", "Ride", "Fair", "1", "yes", ""], [], ["Bo", "", "", "", "", "", "no", "loose"]]
        text = "".join(comma.join(row) + end for row in (head, *rows))
        found = read(form, tmp_path, mark + text.encode(), suffix=".csv")
        assert found.errors == ()
        assert [one.values for one in found.characters] == [
            {
                "who.name": "Ada",
                "who.age": 30,
                "attributes.health": "Good",
                "skills.1.skill": "Ride",
                "skills.1.level": "Fair",
                "wounds.hurt": 1,
                "who.left-handed": True,
            },
            {"who.name": "Bo"},
        ]

    def test_a_quoted_cell_may_have_lines_and_commas(self, form: Form, tmp_path: Path) -> None:
        text = 'name,story\nAda,"One, and\nmore"\nBo,x\n,y\n'
        found = read(form, tmp_path, text, suffix=".csv")
        assert [one.values.get("story") for one in found.characters] == ["One, and\nmore", "x"]
        assert errors(found) == ["1.csv:5:1: a character without a name"]

    def test_every_error_has_its_row_and_column(self, form: Form, tmp_path: Path) -> None:
        text = "name,helath,age,Age\nAda,Good,1,\nBo,Good,x,,surplus\nCy,Good\n=1+1,,2\nAda,,3\n"
        found = read(form, tmp_path, text, suffix=".csv")
        assert errors(found) == [
            '1.csv:1:2: there is no field "helath"',
            '1.csv:1:4: two columns are "who.age"',
            "1.csv:3:5: 5 cells, and the head has 4",
            '1.csv:3:3: who.age: "x" is no number',
            '1.csv:5:1: who.name: "=1+1" is a formula of a spreadsheet',
            "1.csv:5:1: a character without a name",
            f'1.csv:6:1: "Ada" has the name of another character at {tmp_path}/1.csv:2:1',
        ]
        assert [one.name for one in found.characters] == ["Ada", "Cy"]

    @pytest.mark.parametrize(
        ("title", "text", "message"),
        [
            ("an empty file", "", "1.csv has no head"),
            ("an open quote", 'name,story\nAda,"never\n', "not a table: unexpected end of data"),
            ("another encoding", b"name\nJos\xe9\n", "1.csv is not UTF-8"),
        ],
    )
    def test_what_is_no_table(self, form: Form, tmp_path: Path, title: str, text: str | bytes, message: str) -> None:
        (error,) = read(form, tmp_path, text, suffix=".csv").errors
        assert error.message.endswith(message), title
        assert error.hint
