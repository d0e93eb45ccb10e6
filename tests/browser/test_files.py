"""Characters from the browser to files and back: what is saved is read by refgen, what is opened is shown or told."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from refgen.characters.character import Character
from refgen.characters.character_files import read_characters
from refgen.files import bundled_folder
from tests.browser.at_random import characters
from tests.browser.conftest import Reader, form
from tests.browser.test_form import name_of
from tests.conftest import RICHEST_AND_SOAK, SYSTEMS


def ready() -> Iterator[object]:
    """The first ready character of each game, and in ``make soak`` the others."""
    for system in SYSTEMS:
        first, *others = sorted((bundled_folder("content") / system / "characters").iterdir())
        yield system, first
        yield from (pytest.param(system, path, marks=pytest.mark.soak) for path in others)


def saved(page: Page, folder: Path) -> Path:
    with page.expect_download() as download:
        page.click("#save")
    path: Path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def read(system: str, path: Path) -> Character:
    found = read_characters(form(system), [path])
    assert found.errors == ()
    return found.characters[0]


def opened(page: Page, path: Path) -> None:
    page.set_input_files("#file", path)
    expect(page.locator("#said")).to_contain_text("is here")


@pytest.mark.parametrize(("system", "path"), list(ready()), ids=lambda value: getattr(value, "stem", value))
def test_a_ready_character_goes_in_and_comes_out_the_same(
    reader: Reader, tmp_path: Path, system: str, path: Path
) -> None:
    page = reader.sheet(system)
    opened(page, path)
    expect(page.locator("#told")).to_be_empty()
    expect(page.locator(".message")).to_have_count(0)
    assert read(system, saved(page, tmp_path)) == read(system, path)


@pytest.mark.parametrize("system", RICHEST_AND_SOAK)
def test_whatever_a_character_has_is_saved_and_opened_again(reader: Reader, tmp_path: Path, system: str) -> None:
    page = reader.sheet(system)
    for number, character in enumerate(characters(form(system), 5, 4)):
        written = {key: value if isinstance(value, str) else str(int(value) if isinstance(value, bool) else value)
                   for key, value in character.values.items()}  # fmt: skip
        page.evaluate(
            """written => {
              store.add(Object.fromEntries(Object.entries(written).map(([key, value]) =>
                [key, {box: true, boxes: Number(value)}[fieldOf(program, key).kind] ?? value])));
              showCharacter();
            }""",
            written,
        )
        first = saved(page, tmp_path)
        assert read(system, first) == character
        kept = first.rename(tmp_path / f"{number}.toml")
        opened(page, kept)
        assert read(system, saved(page, tmp_path)) == character


def test_json_and_several_characters_in_one_file_are_read(reader: Reader, tmp_path: Path) -> None:
    page = reader.sheet("fudge-1995")
    data = {"characters": [{"who": {"name": "Ann"}, "skills": ["Riding"]}, {"who": {"name": "Ben"}}]}
    (tmp_path / "party.json").write_text(json.dumps(data), encoding="utf-8")
    page.set_input_files("#file", tmp_path / "party.json")
    expect(page.locator("#said")).to_have_text("2 characters are here.")
    expect(page.locator("#who option")).to_have_text(["Ann", "Ben"])
    page.locator("#who").select_option("Ann")
    expect(page.locator('[id="skills.1.skill"]')).to_have_value("Riding")


def paste(page: Page, text: str) -> None:
    page.click("#paste")
    page.fill("#pasted", text)
    page.click("#asks-text .grave")


def test_what_is_pasted_is_read_as_toml_or_json(reader: Reader) -> None:
    page = reader.sheet("harmonies")
    paste(page, '[who]\nname = "Ann"\n\n[attributes]\nagility = 2 # quick\n')
    expect(page.locator('[id="attributes.agility"]')).to_have_value("2")
    paste(page, '[{"who": {"name": "Ben"}, "attributes": {"agility": -1.5}}]')
    expect(page.locator('[id="attributes.agility"]')).to_have_value("-3/2")
    expect(page.locator("#who")).to_contain_text("Ann")


def test_faults_are_reported_by_field_and_what_is_right_is_there(reader: Reader) -> None:
    page = reader.sheet("atari-isev")
    paste(
        page,
        """
        [character]
        name = "Ann"
        nickname = "Annie"
        [attributes]
        health = "Goood"
        strength = "great"
        [fighting]
        armour = "much"
        [wounds]
        hurt = 9
        """,
    )
    expect(page.locator("#told li")).to_have_count(4)
    told = page.locator("#told li").all_text_contents()
    assert [line.partition(".")[0] for line in told] == [
        "character",
        "Health: Level: “Goood” is no choice of Level",
        "Armour: “much” is no number: write one such as 2, −1 or 1/2",
        "Hurt: There are no 9 boxes to tick: write how many are ticked, from 0 to 3",
    ]
    expect(page.locator('[id="attributes.strength.level"]')).to_have_value("Great")
    armour = page.locator('[id="fighting.armour"]')
    expect(armour).to_have_value("much")
    expect(armour).to_have_attribute("aria-invalid", "true")
    health = page.locator('[id="attributes.health.level"]')
    expect(health).to_have_attribute("aria-invalid", "true")
    expect(page.locator(".part-rows .message")).to_contain_text("Level: “Goood” is no choice of Level.")
    expect(page.locator('[id^="wounds.hurt."]:checked')).to_have_count(0)
    page.locator("#told a", has_text="Armour").click()
    expect(armour).to_be_focused()
    page.click("#save")
    expect(page.locator("#told")).to_contain_text("Nothing is saved yet")
    expect(health).to_be_focused()
    health.select_option("Good")
    expect(health).not_to_have_attribute("aria-invalid", "true")


def test_a_character_without_a_name_is_not_saved(reader: Reader) -> None:
    page = reader.sheet("harmonies")
    page.fill('[id="who.age"]', "30")
    page.click("#save")
    expect(page.locator('[id="who.name"]')).to_be_focused()
    expect(page.locator('[id="who.name"]')).to_have_accessible_description("A character has a name: write it here.")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[who", "Line 1: “]” is missing."),
        ('[who]\nname = "Ann', "Line 2: A text does not end: a quote is missing."),
        ("[who]\nname = Ann", "Line 2: “Ann” is no value: write words and dates in quotes."),
        ('[who]\nname = "a"\nname = "b"', "Line 3: “name” is there twice."),
        ('[who]\n[who]\nname = "b"', "Line 2: “who” is there already."),
        ("{", "This is no JSON:"),
    ],
)
def test_what_is_no_file_of_characters_is_reported_with_its_line(reader: Reader, text: str, message: str) -> None:
    page = reader.sheet("harmonies")
    paste(page, text)
    expect(page.locator("#told")).to_contain_text(message)
    expect(page.locator("#who option")).to_have_count(1)


def test_a_spreadsheet_is_left_to_refgen(reader: Reader, tmp_path: Path) -> None:
    page = reader.sheet("harmonies")
    (tmp_path / "party.csv").write_text("name\nAnn\n", encoding="utf-8")
    page.set_input_files("#file", tmp_path / "party.csv")
    expect(page.locator("#told")).to_contain_text("refgen sheet harmonies party.csv")


TOML = r'''
# a comment
bare = "a \"quoted\" \\ text \u00e9 \U0001F600"   # another
'single' = 'C:\folder'
"dotted.key" = 1_000
a.b.c = -5
a.b.d = +3.50
hex = 0xFF
big = 123456789012345678901234567890
list = [ "one", 'two', [1, 2,], # three
  { x = 1, "y z" = true }, ]
many = """
first "line"
second\
   joined"""
raw = \'\'\'
as it \is\'\'\'
empty = {}
[table.inner] # a head
yes = true
no = false
[[items]]
name = "a"
[items.more]
deep = 1
[[items]]
name = "b"
'''.replace(r"\'\'\'", "'''")

PLAIN = """text => {
  const plain = value => value instanceof Map
    ? Object.fromEntries([...value].map(([key, inner]) => [key, plain(inner)]))
    : Array.isArray(value) ? value.map(plain)
    : typeof value === "bigint" ? `#${value}` : value instanceof Decimal ? `#${Number(value.text)}` : value;
  return plain(readToml(text));
}"""


def marked(value: object) -> object:
    """The same data as the browser gives it: numbers as texts, for JavaScript has no long ones."""
    match value:
        case dict():
            return {key: marked(inner) for key, inner in value.items()}
        case list():
            return list(map(marked, value))
        case bool() | str():
            return value
    return f"#{value}"


@pytest.mark.parametrize(
    "text", [TOML, TOML.replace("\n", "\r\n"), "", "\ufeffa = 1"], ids=["unix", "dos", "empty", "bom"]
)
def test_toml_is_read_as_python_reads_it(reader: Reader, text: str) -> None:
    expected = marked(tomllib.loads(text.removeprefix("\ufeff")))
    assert reader.sheet("harmonies").evaluate(PLAIN, text) == expected


BROKEN = [
    "a", "a =", "= 1", "a = 1 b = 2", "a = [1", "a = {x = 1", "a = 01", "a = 1__0", "a = 'x", 'a = """x', 'a = "\\q"',
    'a = "\\ud800"', "[a]\n[a]", "[a.b]\n[a.b]", "a = 1\na.b = 2", "a = {x = 1}\n[a.y]", "a = [1]\n[[a]]", "a = truee",
    "[[a]]\n[a]", "é = 1", "a = 2026-01-01x", 'a = "x\ny"', "a.b = 1\n[a]\nc = 2", "a = [1 2]", "a = {x = 1, x = 2}",
]  # fmt: skip


def test_what_python_refuses_of_toml_is_refused(reader: Reader) -> None:
    page = reader.sheet("harmonies")
    taken = []
    for text in BROKEN:
        with pytest.raises(tomllib.TOMLDecodeError):
            tomllib.loads(text)
        refuses = (
            "text => { try { readToml(text); return false; } catch (error) { return error instanceof SyntaxFault; } }"
        )
        if not page.evaluate(refuses, text):
            taken.append(text)
    assert taken == []


@pytest.mark.slow
def test_every_game_has_a_field_for_a_name() -> None:
    assert [name_of(system) in form(system).readers for system in SYSTEMS] == [True] * len(SYSTEMS)
