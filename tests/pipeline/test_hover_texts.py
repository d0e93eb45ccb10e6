"""Hover texts of editors: each key of a file that people write has a description, and no description is surplus."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import refgen.pipeline.hover_texts
from refgen.pipeline.schemas import SCHEMA_NAMES, SCHEMAS, schema_of

FILES = [*SCHEMA_NAMES.values()]


def keys(name: str) -> Iterator[tuple[str, str, Any]]:
    """The keys of a file, each with its model and its schema."""
    schema = schema_of(name)
    for model, part in [(SCHEMAS[name][1].__name__, schema), *schema.get("$defs", {}).items()]:
        yield from ((model, key, spec) for key, spec in part.get("properties", {}).items())


@pytest.mark.parametrize("name", FILES)
def test_every_key_has_a_description_in_plain_words(name: str) -> None:
    texts = {f"{model}.{key}": spec.get("description", "") for model, key, spec in keys(name)}
    assert [key for key, text in texts.items() if len(text) < 8 or "``" in text] == []


def test_no_description_is_written_for_a_key_that_is_gone() -> None:
    written = tomllib.loads(Path(refgen.pipeline.hover_texts.__file__).with_suffix(".toml").read_text("utf-8"))
    known = [(model, key, spec["description"]) for name in FILES for model, key, spec in keys(name)]
    shown = {(key, text) for _, key, text in known}
    assert [
        (part, key) for part, texts in written.items() for key, text in texts.items() if (key, text) not in shown
    ] == []


@pytest.mark.parametrize(
    ("name", "model", "key", "text"),
    [
        ("sheet", "FieldSpec", "unit", "`unit` stands behind."),
        ("cards", "CardSpec", "count", "`count` is how often the card is in the deck, `back` the words on its back."),
        ("system", "TableSpec", "fold", "`fold`: so many columns of a grid make a row"),
        ("look", "ColoursSpec", "rule", "The colour of lines."),
    ],
)
def test_the_docstring_of_a_model_says_it_where_it_names_the_key(name: str, model: str, key: str, text: str) -> None:
    (found,) = [spec["description"] for of, named, spec in keys(name) if (of, named) == (model, key)]
    assert text in found
