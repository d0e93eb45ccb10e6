"""The public face: which names there are, that they are documented, and that all examples run."""

from __future__ import annotations

import doctest
import inspect
import re
import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

import refgen

NAMES = [
    "Action",
    "BuildResult",
    "BuildSettings",
    "Cell",
    "Character",
    "Coverage",
    "Document",
    "Fact",
    "Game",
    "Project",
    "RefgenError",
    "Report",
    "Roll",
    "Table",
    "json_schema",
    "load",
    "project",
    "propose",
    "read",
    "roll",
]
GUIDE = Path(__file__).resolve().parents[2] / "docs" / "python.md"
RULES = "# Rules\n\n| Level | Value |\n|---|---|\n| Good | +1 |\n"


def test_these_are_all_names() -> None:
    assert sorted(refgen.__all__) == NAMES
    assert dir(refgen) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_documented(name: str) -> None:
    assert inspect.getdoc(getattr(refgen, name))
    assert f"refgen.{name}" in GUIDE.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["Game", "Project", "Report", "Coverage", "Roll", "Table", "Action"])
def test_whatever_a_public_class_offers_is_documented(name: str) -> None:
    described = getattr(refgen, name)
    public = [member for member in vars(described) if not member.startswith("_")]
    slots = getattr(described, "__slots__", ())
    assert [member for member in public if not inspect.getdoc(getattr(described, member)) and member not in slots] == []


def test_another_name_is_an_error_as_of_any_module() -> None:
    with pytest.raises(AttributeError, match="module 'refgen' has no attribute 'lode'"):
        _ = refgen.lode


@pytest.mark.slow
def test_the_examples_of_the_guide_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "rules.md").write_text(RULES, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    result = doctest.testfile(str(GUIDE), module_relative=False, encoding="utf-8")
    assert result.attempted >= 30
    assert result.failed == 0


def test_every_example_of_the_guide_is_one_that_runs() -> None:
    blocks = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert all(block.startswith(">>> ") for block in blocks)


@pytest.fixture(scope="module")
def known() -> dict[str, object]:
    """The names that every example may use."""
    return {**vars(refgen), "game": refgen.load("fudge-1995"), "roll": refgen.roll, "load": refgen.load}


@pytest.mark.parametrize("name", NAMES)
def test_the_examples_of_docstrings_run(name: str, known: dict[str, object]) -> None:
    described = getattr(refgen, name)
    for example in doctest.DocTestFinder(exclude_empty=True).find(described, name, globs=known):
        result = doctest.DocTestRunner().run(example)
        assert result.failed == 0, example.name


def test_importing_refgen_loads_nothing_heavy() -> None:
    code = "import sys, refgen; print([m for m in ('weasyprint', 'pydantic', 'lxml', 'icepool') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.slow
def test_tables_and_checks_load_nothing_that_only_play_aids_need() -> None:
    code = """
        import sys, refgen
        game = refgen.load("fudge-1995")  # plain text, which no parser of Markdown or XML reads
        assert game.tables["action-odds"]["Good", "Great"] and not game.check().open
        parts = ("weasyprint", "lxml", "markdown_it", "refgen.characters", "refgen.aids")
        print([part for part in parts if part in sys.modules])
    """
    done = subprocess.run([sys.executable, "-c", dedent(code)], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"papers": ["a3"]}, '"a3" is not one of a4, letter, a5'),
        ({"only": ["scren"]}, '"scren" is not one of screen'),
        ({"inputs": {"party": ["ann.toml"]}}, '"party" is not one of screen'),
        ({"options": {"panel": {}}}, '"panel" is not one of screen'),
        ({"options": {"screen": {"colour": True}}}, "screens cannot be made so: colour: "),
        ({"options": {"screen": {"orientation": "askew"}}}, "screens cannot be made so: orientation: "),
        ({"options": {"screen": {"papers": ["half-letter"]}}}, "screens cannot be made so: papers: "),
        ({"options": {"screen": {"players": "perhaps"}}}, "screens cannot be made so: players: "),
        ({"options": {"session": {"theme": "dark"}}}, "'dark' is not a valid Theme"),
        ({"options": {"card": {"corners": 4}}}, "unexpected keyword argument 'corners'"),
        ({"options": {"card": {"size": "huge"}}}, 'there is no card size "huge"'),
        ({"jobs": 0}, "0 steps at a time"),
        ({"executor": "cloud"}, 'there is no executor "cloud"'),
        ({"base_url": "javascript:1"}, "is not the address of a site"),
    ],
)
def test_a_wrong_setting_of_a_build_is_refused(setting: dict[str, Any], message: str, tmp_path: Path) -> None:
    settings = refgen.BuildSettings(output=tmp_path / "build", games=["harmonies"], **setting)
    with pytest.raises(refgen.RefgenError, match=message):
        refgen.project(bundled=True).build(settings)
    assert [*tmp_path.iterdir()] == []


def test_a_text_in_place_of_a_list_of_names_is_refused_with_the_list() -> None:
    with pytest.raises(refgen.RefgenError, match='only = "screen" is no list') as refused:
        refgen.BuildSettings(only="screen")
    assert refused.value.hint == 'Write only=["screen"].'
