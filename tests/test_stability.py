"""docs/stability.md: what it lists is what the code has, and no shape of JSON changes under its old number."""

from __future__ import annotations

import hashlib
import json
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from refgen import cli
from refgen.api.schemas import json_schema
from refgen.commands.options import BAD_INPUT, FINDINGS
from refgen.pipeline.schemas import SCHEMA_NAMES, SCHEMAS

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "stability.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE))
WRITTEN, READ = "JSON that refgen writes", "Files that you write"
SHAPES = {
    "refgen/tables/3": "b82699a4e4d085be",
    "refgen/check/2": "743fb79c424b8555",
    "refgen/coverage/2": "9924fdcc3d163cab",
    "refgen/odds/3": "83ee462a964e595c",
    "refgen/compared-odds/2": "20a406025dff2d0c",
    "refgen/action-odds/2": "d7f6e06893b9c580",
    "refgen/manifest/4": "4fd7faba97fa95e4",
    "refgen/build-log/3": "c14a814fc9b69834",
    "refgen/doctor/1": "ccf2622c32186ac5",
    "refgen/read/2": "78c9465099f9abcb",
    "refgen/conditions/3": "1392148006e8f63f",
    "refgen/deck/2": "f772de4e85948ead",
}
"""The start of the SHA-256 of each shape without its texts. One that changes has a new number, on the page too."""


def rows(section: str) -> dict[str, str]:
    """The first two cells of each row of a section's table."""
    found = re.findall(r"^\| `?([^|`]+?)`? \| ([^|]+?) \|", SECTIONS[section], re.MULTILINE)
    return {first: second for first, second in found if first not in ("schema", "exit code")}


def id_of(schema: dict[str, str]) -> str:
    """The name and version of a schema, as the JSON that it describes has it."""
    return schema["$id"].removeprefix("urn:").replace(":", "/")


def is_written(name: str) -> bool:
    """Whether refgen writes the JSON of a schema: it then names its schema itself."""
    return f'"const": "refgen/{name}/' in json.dumps(json_schema(name))


def test_the_page_lists_every_schema_with_its_version_and_title() -> None:
    for section, written in ((WRITTEN, True), (READ, False)):
        named = [json_schema(name) for name in SCHEMAS if is_written(name) is written]
        assert rows(section) == {id_of(schema): schema["title"] for schema in named}


def shape(value: object) -> object:
    """A schema without its texts for people."""
    if isinstance(value, dict):
        texts = [key for key in ("title", "description") if isinstance(value.get(key), str)]
        return {key: shape(part) for key, part in value.items() if key not in texts}
    return [shape(part) for part in value] if isinstance(value, list) else value


@pytest.mark.parametrize("name", [name for name in SCHEMAS if name not in SCHEMA_NAMES.values()])
def test_a_shape_keeps_its_number_while_it_stays_the_same(name: str) -> None:
    schema = json_schema(name)
    held = {key: part for key, part in schema.items() if key != "$id"}
    digest = hashlib.sha256(json.dumps(shape(held), sort_keys=True).encode()).hexdigest()[:16]
    assert {id_of(schema): digest}.items() <= SHAPES.items()


def test_the_page_lists_every_exit_code() -> None:
    signals = [128 + getattr(signal, f"SIG{name}") for name in re.findall(r"\(([A-Z]+)\)", SECTIONS["Exit codes"])]
    assert [*map(int, rows("Exit codes"))] == [0, FINDINGS, BAD_INPUT, *signals]
    assert {*signals} == {cli.StopSignal(number).code for number in cli._SIGNALS}


def exits() -> Iterator[tuple[str, str]]:
    """The file of each place where a command ends with a code, and how the code is written."""
    for path in [*sorted((ROOT / "refgen" / "commands").glob("*.py")), ROOT / "refgen" / "cli.py"]:
        for code in re.findall(r"(?:sys|ctx)\.exit\((.*)\)$", path.read_text(encoding="utf-8"), re.MULTILINE):
            yield path.stem, code


def test_commands_end_with_no_other_code() -> None:
    codes = {"BAD_INPUT", "FINDINGS", "stopped.code", "FINDINGS if report.open else 0"}
    assert {code for _, code in exits()} - {"_exit_code(reports, coverages, strict)"} == codes
    assert {file for file, code in exits() if "FINDINGS" in code or "_exit_code" in code} == {
        "build_runner",
        "check",
        "doctor",
        "rules",
    }
