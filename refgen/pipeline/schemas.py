"""The JSON Schemas of every file that refgen writes, and of every file that people write for it.

In: the name of one. Out: its schema, JSON Schema draft 2020-12.
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core.core_schema import DictSchema

from refgen.aids.schema import DeckSpec, ScreenSpec, SheetSpec
from refgen.checks.errata import ErrataSpec
from refgen.errors import RulesError
from refgen.game.spec import SystemSpec
from refgen.pipeline.project import ProjectSpec
from refgen.pipeline.shapes import ActionOddsShape, CheckShape, ConditionsShape, ManifestShape, OddsShape, ReadShape
from refgen.render.shapes import TablesShape

DIALECT = "https://json-schema.org/draft/2020-12/schema"

SCHEMAS: Mapping[str, tuple[str, type[BaseModel]]] = {
    "tables": ("Tables of rules, printed and computed", TablesShape),
    "check": ("Printed numbers against computed ones", CheckShape),
    "odds": ("The odds of some dice", OddsShape),
    "action-odds": ("The odds of an action of a game", ActionOddsShape),
    "manifest": ("The files of a build", ManifestShape),
    "read": ("A document as its reader sees it", ReadShape),
    "conditions": ("Printed conditions, and which of them a society meets", ConditionsShape),
    "system": ("system.toml", SystemSpec),
    "screen": ("screen.toml", ScreenSpec),
    "sheet": ("sheet.toml", SheetSpec),
    "cards": ("cards.toml", DeckSpec),
    "errata": ("errata.toml", ErrataSpec),
    "project": ("refgen.toml", ProjectSpec),
}
"""The title and the model of each shape. What refgen writes names its shape and version under ``schema``."""


class _Closed(GenerateJsonSchema):
    """Where names have a pattern, a name that does not match it is a mistake: pydantic's own schema lets it pass."""

    def dict_schema(self, schema: DictSchema) -> JsonSchemaValue:
        made = super().dict_schema(schema)
        return {**made, "additionalProperties": False} if "patternProperties" in made else made


def json_schema(name: str) -> dict[str, Any]:
    """The schema called ``name``. Raises RulesError for an unknown one, with the nearest names."""
    if name not in SCHEMAS:
        close = get_close_matches(name, SCHEMAS, n=3, cutoff=0.4)
        hint = f"Did you mean {' or '.join(close)}?" if close else f"There are {', '.join(SCHEMAS)}."
        raise RulesError(f'there is no schema "{name}"', hint=hint)
    title, model = SCHEMAS[name]
    schema = model.model_json_schema(schema_generator=_Closed)
    return {"$schema": DIALECT, "$id": f"refgen/{name}/1", **schema, "title": title}
