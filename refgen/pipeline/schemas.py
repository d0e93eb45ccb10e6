"""The JSON Schemas of every file that refgen writes, and of every file that people write for it.

In: the name of a schema. Out: the schema, in JSON Schema draft 2020-12.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Any
from urllib.parse import quote

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core.core_schema import DictSchema, TypedDictSchema

from refgen.aids.kinds import KINDS
from refgen.catalog import did_you_mean
from refgen.checks.errata import ErrataSpec
from refgen.checks.pins import PinsSpec
from refgen.errors import UnknownNameError
from refgen.export.answers import ActionOddsData, ConditionsData
from refgen.export.check import CheckData
from refgen.export.compared_odds import ComparedOddsData
from refgen.export.coverage import CoverageData
from refgen.export.deck import DeckData
from refgen.export.document import ReadData
from refgen.export.model import BuildLogLine, MachineData, ManifestData
from refgen.export.odds import OddsData
from refgen.export.tables import TablesData
from refgen.game import SystemSpec
from refgen.look.spec import LookSpec
from refgen.pipeline.hover_texts import describe_schema
from refgen.pipeline.project import ProjectSpec
from refgen.rules.field_types import FactSpec
from refgen.rules.schema import IN_PROOF, IN_PROOF_OF_FACTS
from refgen.rules.spec_files import FACTS, PhrasingSpec

_REFERENCE = re.compile(r'"#/\$defs/([^"]+)"')
DIALECT = "https://json-schema.org/draft/2020-12/schema"

SCHEMAS: Mapping[str, tuple[str, Any]] = {
    "tables": ("Tables of rules, printed and computed", TablesData),
    "check": ("Printed numbers against computed ones", CheckData),
    "coverage": ("What becomes of every printed number", CoverageData),
    "odds": ("The odds of some dice", OddsData),
    "action-odds": ("The odds of an action of a game", ActionOddsData),
    "manifest": ("The files of a build", ManifestData),
    "build-log": ("A line of the log of a build", BuildLogLine),
    "doctor": ("What this machine has of all that refgen needs or can use", MachineData),
    "read": ("A document as its reader sees it", ReadData),
    "conditions": ("Printed conditions, and which of them are met", ConditionsData),
    "deck": ("The cards of a game, and what they say", DeckData),
    "compared-odds": ("The odds of several rolls, side by side", ComparedOddsData),
    "system": ("system.toml", SystemSpec),
    "proof": ("proof.toml", SystemSpec),
    "phrasings": ("phrasings/<edition>.toml", PhrasingSpec),
    **{kind.spec_name.removesuffix(".toml"): (kind.spec_name, kind.spec) for kind in KINDS.values() if kind.spec},
    "errata": ("errata.toml", ErrataSpec),
    "pins": ("pins.toml", PinsSpec),
    "project": ("refgen.toml", ProjectSpec),
    "look": ("look.toml", LookSpec),
}
"""The title and the model of each. What refgen writes names its model and version under ``schema``."""


SCHEMA_NAMES: Mapping[str, str] = {title: name for name, (title, _) in SCHEMAS.items() if title.endswith(".toml")}
"""The schema of each file that people write, by the name of the file."""


class _Closed(GenerateJsonSchema):
    """Objects have the keys of their model and no others; pydantic's own schema lets others pass."""

    def typed_dict_schema(self, schema: TypedDictSchema) -> JsonSchemaValue:
        return {**super().typed_dict_schema(schema), "additionalProperties": False}

    def dict_schema(self, schema: DictSchema) -> JsonSchemaValue:
        made = super().dict_schema(schema)
        return {**made, "additionalProperties": False} if "patternProperties" in made else made


def schema_of(name: str) -> dict[str, Any]:
    """The schema called ``name``. Raises UnknownNameError for an unknown one, with the nearest names."""
    schema: dict[str, Any] = json.loads(schema_bytes(name))
    return schema


@cache
def schema_bytes(name: str) -> bytes:
    """The file of a schema. Raises UnknownNameError as ``schema_of`` does."""
    if name not in SCHEMAS:
        raise UnknownNameError(f'there is no schema "{name}"', hint=did_you_mean(name, SCHEMAS))
    title, model = SCHEMAS[name]
    schema = TypeAdapter(model).json_schema(schema_generator=_Closed)
    if model is SystemSpec:
        schema = _of_one_file(schema, is_proof=name == "proof")
    if name in SCHEMA_NAMES.values():
        schema = describe_schema(schema, model)
    version = re.search(rf'"refgen/{name}/(\d+)"', json.dumps(schema))
    address = schema_address(name, int(version[1]) if version else 1)
    whole = {"$schema": DIALECT, "$id": address, **schema, "title": title}
    return json.dumps(whole, ensure_ascii=False, indent=1).encode() + b"\n"


def schema_address(name: str, version: int) -> str:
    """The ``$id`` of a schema: editors take none that is no absolute address."""
    return f"urn:refgen:{quote(name, safe=':')}:{version}"


def _of_one_file(schema: dict[str, Any], *, is_proof: bool) -> dict[str, Any]:
    """The part of the schema of a game's rules that is for system.toml, or for proof.toml."""
    sections = schema["properties"]
    held = {name: sections[name] for name in sections if name == FACTS or (name in IN_PROOF) is is_proof}
    parts, fact = schema["$defs"], schema["$defs"][FactSpec.__name__]
    keys = {key: said for key, said in fact["properties"].items() if is_proof or key not in IN_PROOF_OF_FACTS}
    parts = {**parts, FactSpec.__name__: {**fact, "properties": keys, "required": [] if is_proof else fact["required"]}}
    made = {**schema, "properties": held, "required": [] if is_proof else schema["required"]}
    return {**made, "$defs": {name: parts[name] for name in sorted(_referred_parts(held, parts))}}


def _referred_parts(held: object, parts: Mapping[str, Any]) -> set[str]:
    """The names of the parts that a schema refers to, or one of those does."""
    found: set[str] = set()
    wanted = {*_REFERENCE.findall(json.dumps(held))}
    while wanted:
        found |= wanted
        wanted = {other for name in wanted for other in _REFERENCE.findall(json.dumps(parts[name]))} - found
    return found
