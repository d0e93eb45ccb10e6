"""The JSON Schema of a sheet's characters: it takes what is read without an error, and refuses what is not."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import refgen
from refgen.characters.character import blank_file
from refgen.characters.character_files import read_characters
from refgen.characters.form import Form
from refgen.characters.validation import character_schema, check_character
from refgen.files import bundled_folder
from refgen.words import ENGLISH
from tests.conftest import SYSTEMS, ours, public_game

ONE_AND_OTHERS = [pytest.param(name, marks=() if name == "fudge-1995" else pytest.mark.slow) for name in SYSTEMS]


@cache
def validator(system: str) -> Draft202012Validator:
    schema = refgen.json_schema(f"sheet/{system}")
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


@pytest.mark.slow
@pytest.mark.parametrize("system", ONE_AND_OTHERS)
def test_the_ready_characters_fit_the_schema_of_their_game(system: str) -> None:
    for path in sorted((bundled_folder("content") / system).glob("characters/*.toml")):
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        assert [fault.message for fault in validator(system).iter_errors(data)] == []


@pytest.mark.slow
@pytest.mark.parametrize("system", ONE_AND_OTHERS)
def test_a_schema_names_its_game(system: str) -> None:
    schema = validator(system).schema
    assert isinstance(schema, Mapping)
    assert schema["$id"] == f"urn:refgen:sheet:{system}:1"
    assert ours(system).title in schema["title"]


NAMED = {"who": {"name": "Ada"}}


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"who": {"name": "Ada", "age": 3}},
        {"who": {"name": "Ada", "age": "-1/2"}},
        {"who": {"name": "Ada", "age": "+2"}},
        {"who": {"name": "Ada", "age": ""}},
        {"who": {"name": "Ada", "age": " 1 1/2 "}},
        {"who": {"name": "Ada", "age": ">3"}},
        {"who": {"name": "Ada", "age": "three"}},
        {"who": {"name": "Ada", "age": "old"}},
        {"who": {"name": "Ada", "age": True}},
        {"who": {"name": "Ada", "aeg": 3}},
        {"who": {"age": 3}},
        {"who": ["Ada"]},
        {"who": {"name": "Ada", "left-handed": True}},
        {"attributes": {"health": "Good"}},
        {"attributes": {"health": ""}},
        {"attributes": {"health": "Goood"}},
        {"attributes": {"health": 1}},
        {"skills": ["Ride", {"skill": "Swim", "level": "Fair"}]},
        {"skills": [{"skill": "Swim", "both": "Fair"}]},
        {"skills": [{"level": "Wet"}]},
        {"skills": {"skill": "Swim"}},
        {"skills": [["Swim"]]},
        {"aspects": ["one", "two"]},
        {"aspects": ["one", "two", "three"]},
        {"mount": [{"called": "Bay", "load": 3}]},
        {"mount": [{}, {}, {}]},
        {"wounds": {"hurt": 1}},
        {"wounds": {"hurt": 9}},
        {"wounds": {"hurt": -1}},
        {"story": "Once."},
        {"story": ["Once."]},
        {"tale": "Once."},
    ],
)
def test_schema_and_reading_agree(form: Form, more: dict[str, Any]) -> None:
    data = {**NAMED, **more}
    refused = bool(list(Draft202012Validator(character_schema(form)).iter_errors(data)))
    _, errors = check_character(form, data)
    assert refused == bool(errors), errors


class TestABlankFile:
    """What ``refgen sheet GAME --new NAME`` writes."""

    @pytest.mark.parametrize("system", ONE_AND_OTHERS)
    @pytest.mark.parametrize("name", ["Orlin", 'Élan "the Quill" d’Or', "名"])
    def test_it_reads_as_a_character_with_nothing_but_a_name(self, system: str, name: str, tmp_path: Path) -> None:
        own = public_game(system)
        path = own.begin_character(name, tmp_path)
        found = read_characters(own.form, [path])
        assert found.errors == ()
        (character,) = found.characters
        assert (character.name, len(character.values)) == (name, 1)
        assert own.fill(character).faults == []

    def test_it_has_every_field_and_says_what_may_stand_there(self, form: Form) -> None:
        text = blank_file(form.game.title, form.sheet, "Ada", ENGLISH)
        data = tomllib.loads(text)
        assert set(data) == {"story", "who", "attributes", "skills", "aspects", "mount", "stance", "wounds"}
        assert set(data["skills"][0]) == {"skill", "level", "with"}
        assert "# Legendary, Superb, Great, Good, Fair, Mediocre, Poor, Terrible." in text
        assert max(map(len, text.splitlines())) <= 100
