"""The texts that editors show of the keys of files that people write: descriptions in the JSON Schemas of the files.

In: the schema of a file, and the model of the file. Out: the schema with a description of each key: the sentences of
the model's docstring that name the key, else the text for the key in ``hover_texts.toml``.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from refgen.rules.toml import Strict

_SENTENCES = re.compile(r"(?<=[.;])\s+")


def describe_schema(schema: dict[str, Any], model: type[Strict]) -> dict[str, Any]:
    """The schema of a model with a description of each key of all its parts; a key without any has none."""
    models = {each.__name__: each for each in _models(Strict)}
    parts = {name: _described_part(part, models.get(name)) for name, part in schema.get("$defs", {}).items()}
    return _described_part(schema, model) | ({"$defs": parts} if parts else {})


def _models(base: type[Strict]) -> Iterator[type[Strict]]:
    for model in base.__subclasses__():
        yield model
        yield from _models(model)


def _described_part(part: dict[str, Any], model: type[Strict] | None) -> dict[str, Any]:
    if model is None or "properties" not in part:
        return part
    texts = {key: _hover_text(model, key) for key in part["properties"]}
    keys = {
        key: {**spec, "description": texts[key]} if texts[key] else spec for key, spec in part["properties"].items()
    }
    return {**part, "properties": keys}


def _hover_text(model: type[Strict], key: str) -> str:
    """The description of a key: that of the model itself, or of the nearest of its base classes that has one."""
    written = _written_texts()
    for each in model.__mro__[: model.__mro__.index(Strict)]:
        own = written.get(each.__name__, {}).get(key)
        sentences = _SENTENCES.split(" ".join((each.__dict__.get("__doc__") or "").split()))
        found = own or " ".join(said for said in sentences if f"``{key}``" in said or said.startswith(f"{key}:"))
        if found:
            return found.replace("``", "`").removesuffix(";")
    return written["keys"].get(key, "")


@cache
def _written_texts() -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
