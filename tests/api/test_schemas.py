"""Every JSON that refgen writes fits the schema that `refgen schema` prints, and nothing else does."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator, ValidationError
from jsonschema.protocols import Validator
from jsonschema.validators import extend

from refgen.api.schemas import json_schema
from refgen.cli import main
from refgen.errors import RulesError
from refgen.export.tables import ValueData
from refgen.files import bundled_folder
from refgen.notation.values import Value
from refgen.pipeline.schemas import SCHEMAS
from tests.conftest import SYSTEMS, ours

pytestmark = pytest.mark.usefixtures("commands_share_games")

OUTPUTS = ("tables", "check", "odds", "action-odds", "manifest", "read", "conditions", "coverage", "deck")
FILES = {
    "system": "system.toml",
    "phrasings": "phrasings/original.toml",
    "screen": "screen.toml",
    "sheet": "sheet.toml",
    "cards": "cards.toml",
    "errata": "errata.toml",
    "proof": "proof.toml",
    "pins": "pins.toml",
}


def printed(*arguments: str | Path) -> Any:
    result = CliRunner().invoke(main, [str(argument) for argument in arguments], catch_exceptions=False)
    return json.loads(result.stdout)


@cache
def validator(name: str) -> Validator:
    schema = printed("schema", name)
    Draft202012Validator.check_schema(schema)
    return remembering()(schema)


def remembering() -> type[Validator]:
    """A validator that looks once at what fits a part of a schema: the same tables and values come again and again."""
    fitting: set[tuple[str, int, str]] = set()

    def remembered(keyword: str) -> Callable[..., Iterator[ValidationError]]:
        def look(inside: Validator, part: Any, data: Any, schema: Any) -> Iterator[ValidationError]:
            seen = (keyword, id(schema), json.dumps(data))
            if seen not in fitting:
                faults = list(Draft202012Validator.VALIDATORS[keyword](inside, part, data, schema))
                if not faults:
                    fitting.add(seen)
                yield from faults

        return look

    parts = {keyword: remembered(keyword) for keyword in ("$ref", "oneOf")}
    made: type[Validator] = extend(Draft202012Validator, parts)  # type: ignore[no-untyped-call]
    return made


def faults(name: str, data: Any) -> list[str]:
    return [fault.message for fault in validator(name).iter_errors(data)]


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_names_its_dialect_itself_and_what_it_describes(name: str) -> None:
    schema = json_schema(name)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    named = SAMPLES.get(name, {}).get("schema", f"refgen/{name}/1")
    assert schema["$id"] == f"urn:{named.replace('/', ':')}"
    assert schema["title"]


@pytest.mark.slow
def test_the_tables_of_a_system_fit() -> None:
    assert faults("tables", printed("tables", "harmonies", "--format", "json")) == []


@pytest.mark.slow
def test_the_tables_of_all_systems_are_one_document_that_fits() -> None:
    data = printed("tables", "--format", "json")
    assert [system["system"] for system in data["systems"]] == list(SYSTEMS)
    assert faults("tables", data) == []


@pytest.mark.slow
@pytest.mark.parametrize("group", ["tables", "derived"])
def test_one_table_alone_fits(group: str) -> None:
    table = printed("tables", "harmonies", "--format", "json")[group][0]
    alone = printed("tables", f"harmonies/{table['id']}", "--format", "json")
    assert alone == {"schema": "refgen/tables/3", "system": "harmonies", **table}
    assert faults("tables", alone) == []


@pytest.mark.slow
def test_the_check_report_fits() -> None:
    data = printed("check", "--format", "json")
    assert {finding["kind"] for finding in data["findings"]} == {"number", "rounding", "reading", "source"}
    assert faults("check", data) == []


@pytest.mark.slow
def test_the_coverage_fits() -> None:
    data = printed("check", "--coverage", "--format", "json")
    assert [each["system"] for each in data["summary"]] == list(SYSTEMS)
    assert sum(each["numbers"] for each in data["summary"]) == len(data["entries"])
    assert faults("coverage", data) == []


@pytest.mark.slow
def test_a_finding_with_a_part_missing_does_not_fit() -> None:
    data = printed("check", "harmonies", "--format", "json")
    for key in data["findings"][0]:
        finding = {own: value for own, value in data["findings"][0].items() if own != key}
        assert faults("check", {**data, "findings": [finding]}) != [], key


@pytest.mark.parametrize("change", [{"finding": ""}, {"reason": ""}, {"print": "neither"}, {"why": "x"}])
def test_a_wrong_erratum_does_not_fit(change: dict[str, str]) -> None:
    erratum = {"finding": "odds/+2", "reason": "so it is", **change}
    assert faults("errata", {"errata": [erratum]}) != []


@pytest.mark.parametrize("question", [["4dF"], ["open(4dF)", "--at-least", "9"], ["d6", "--against", "d8"]])
def test_odds_fit(question: list[str]) -> None:
    assert faults("odds", printed("odds", *question, "--format", "json")) == []


@pytest.mark.parametrize(
    ("system", "question"),
    [
        ("fudge-1995", ["--trait", "Good"]),
        ("fudge-1995", ["--trait", "Good", "--modifier", "-1", "--difficulty", "Great"]),
        ("atari-isev", ["--trait", "Good", "--against", "Great", "--minimum", "Fair"]),
        ("polyhedral-fudge", ["--trait", "Good", "--difficulty", "Superb"]),
        ("harmonies", ["--trait", "+3"]),
    ],
)
def test_odds_of_actions_fit(system: str, question: list[str]) -> None:
    assert faults("action-odds", printed("odds", "--system", system, *question, "--format", "json")) == []


@pytest.mark.parametrize("system", SYSTEMS)
def test_decks_fit(system: str) -> None:
    data = printed("cards", system, "--format", "json")
    assert faults("deck", data) == []
    assert data["size"] == sum(card["count"] for card in data["cards"])


@pytest.mark.parametrize("traits", [[], ["Power=Great", "Authority=Poor", "Wealth=+7"]])
def test_conditions_fit(traits: list[str]) -> None:
    assert faults("conditions", printed("conditions", "interactive-history", *traits, "--format", "json")) == []


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_the_reader_sees_fits(system: str) -> None:
    document = bundled_folder("content") / ours(system).document.name
    assert faults("read", printed("read", document, "--format", "json")) == []


def test_the_faults_of_a_document_fit(tmp_path: Path) -> None:
    document = tmp_path / "rules.md"
    document.write_text("a | b\n--|--\n1 | 2 | 3\n", encoding="utf-8")
    data = printed("read", document, "--format", "json")
    assert [fault["span"]["line"] for fault in data["faults"]] == [3]
    assert faults("read", data) == []


@pytest.mark.slow
def test_the_files_of_a_build_fit(built: Path) -> None:
    for name, files in {"manifest": "manifest.json", "tables": "*/tables.json", "check": "*/check.json"}.items():
        paths = list(built.glob(files))
        assert paths
        for path in paths:
            assert faults(name, json.loads(path.read_text(encoding="utf-8"))) == [], path


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("system", SYSTEMS)
def test_what_people_wrote_fits(system: str, name: str) -> None:
    data = tomllib.loads((bundled_folder("content") / system / FILES[name]).read_text(encoding="utf-8"))
    assert faults(name, data) == []


SAMPLES: dict[str, Any] = {
    "doctor": {"schema": "refgen/doctor/1", "parts": []},
    "build-log": {
        "schema": "refgen/build-log/3",
        "event": "error",
        "at": 0.5,
        "message": "it does not fit",
        "place": {"file": "river/screen.toml", "line": 3, "column": 1},
        "hint": "",
    },
    "tables": {"schema": "refgen/tables/3", "systems": []},
    "check": {"schema": "refgen/check/2", "summary": [], "findings": [], "errors": []},
    "odds": {
        "schema": "refgen/odds/3",
        "dice": "d2",
        "against": None,
        "notes": [],
        "pmf": [{"outcome": 1, "exact": "1/2", "percent": 50.0}],
        "at_least": [],
        "at_most": [],
        "mean": "3/2",
        "sd": 0.5,
        "mean_exact": True,
        "residue": "0",
        "exact_from": None,
        "exact_to": None,
    },
    "compared-odds": {"schema": "refgen/compared-odds/2", "rolls": []},
    "action-odds": {
        "schema": "refgen/action-odds/2",
        "system": "",
        "trait": "",
        "modifier": 0,
        "difficulty": None,
        "against": None,
        "minimum": None,
        "actions": [],
    },
    "manifest": {
        "schema": "refgen/manifest/4",
        "refgen": "0" * 64,
        "inputs": [{"fate/rules.md": "2" * 64}],
        "made": [{"part": "index", "inputs": 0, "files": {"index.html": "1" * 64}}],
    },
    "conditions": {"schema": "refgen/conditions/3", "system": "", "traits": [], "conditions": []},
    "coverage": {"schema": "refgen/coverage/2", "summary": [], "entries": [], "unfound": []},
    "read": {"schema": "refgen/read/2", "file": "x.md", "format": "markdown", "sections": [], "faults": []},
    "deck": {
        "schema": "refgen/deck/2",
        "system": "",
        "title": "",
        "about": "",
        "source": "",
        "licence": "",
        "size": 0,
        "cards": [],
    },
    "system": {"title": "", "about": "", "document": "", "accent": "#123456", "source": "", "tables": {}},
    "proof": {"facts": {"hold": {"follows": "6", "because": "so it is"}}, "pinned": {"": ["boats"]}},
    "phrasings": {"facts": {"dice": "roll {dice}"}, "tables": {"odds": {"nth": 2}}},
    "screen": {"panels": [{"title": "", "blocks": [{"text": "Words."}]}]},
    "sheet": {"title": "", "pages": [{"parts": []}]},
    "cards": {"cards": [{"title": "A card", "blocks": [{"text": "Words."}]}]},
    "errata": {
        "errata": [{"finding": "odds/+2", "printed": "1%", "computed": "2%", "reason": "so it is", "print": "both"}]
    },
    "pins": {"facts": {"boats": "2"}, "tables": {"ferries": {"Raft": {"toll": "+2"}}}, "editions": {}},
    "project": {"content": "systems", "screen": {"papers": ["a5"], "imposition": "sheet", "files": ["mine.toml"]}},
    "look": {"palette": {"rust": "#8a3b12"}, "colours": {"accent": "rust"}, "radius": 1.5},
}


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_key_too_many_or_by_another_name_does_not_fit(name: str) -> None:
    sample = SAMPLES.get(name, {"title": ""})  # of a file that needs no key at all
    assert faults(name, sample) == []
    assert faults(name, {**sample, "surplus": 1}) != []
    key = next(reversed(sample))
    assert faults(name, {("new" if own == key else own): value for own, value in sample.items()}) != []


@pytest.mark.parametrize("name", OUTPUTS)
def test_another_version_does_not_fit(name: str) -> None:
    assert faults(name, {**SAMPLES[name], "schema": f"refgen/{name}/9"}) != []


@pytest.mark.parametrize(
    ("title", "change"),
    [
        ("a number that is not exact", {"exact": "0.5"}),
        ("a chance over 100%", {"percent": 101}),
        ("a missing number", {"exact": None}),
    ],
)
def test_a_changed_value_does_not_fit(title: str, change: dict[str, Any]) -> None:
    sample = SAMPLES["odds"]
    assert faults("odds", {**sample, "pmf": [{**sample["pmf"][0], **change}]}) != [], title


def test_a_name_that_is_no_identifier_does_not_fit() -> None:
    table = {"title": "", "columns": []}
    assert faults("system", {**SAMPLES["system"], "tables": {"odds": table}}) == []
    assert faults("system", {**SAMPLES["system"], "tables": {"My Odds": table}}) != []


def test_every_typed_value_has_its_shape() -> None:
    hints = [get_type_hints(model) for model in get_args(get_args(ValueData)[0])]
    described = {get_args(hint["type"])[0]: {*hint} - {"type"} for hint in hints}
    assert described == {kind.__name__.lower(): {field.name for field in fields(kind)} for kind in get_args(Value)}


@pytest.mark.parametrize(
    ("name", "hint"),
    [("tabels", "Did you mean tables"), ("zzz", "There are tables, check, coverage, odds, action-odds, manifest")],
)
def test_an_unknown_schema_is_refused(name: str, hint: str) -> None:
    with pytest.raises(RulesError, match=f'there is no schema "{name}"') as caught:
        json_schema(name)
    assert hint in caught.value.hint


def test_all_schemas_are_files_for_editors(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["schema", "--all", "-o", str(tmp_path / "schemas")])
    assert (result.exit_code, result.stdout) == (0, f"{len(SCHEMAS)} files: {tmp_path / 'schemas'}\n")
    read = {path.stem: json.loads(path.read_bytes()) for path in (tmp_path / "schemas").iterdir()}
    assert read == {name: json_schema(name) for name in SCHEMAS}


@pytest.mark.parametrize("question", [["schema"], ["schema", "odds", "--all"]])
def test_one_schema_or_all_are_asked_for(question: list[str]) -> None:
    result = CliRunner().invoke(main, question)
    assert result.exit_code == 2
    assert "Name a schema, or say --all." in result.stderr
