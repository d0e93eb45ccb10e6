"""How refgen's own code reads: names that stand for one thing each, and docstrings that name what they are about."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

import refgen

PACKAGE = Path(refgen.__file__).parent

_OPENING = re.compile(
    r"(It|Its|They|Them|Their|Those|These|This|That|Such|Others?|Ones?|What(ever)?|Whoever|Here|There"
    r"|The (same|others?))\b"
)
_POINTING = re.compile(r"\b(it|them|such|others|those|what)\b", re.IGNORECASE)
_BARE = {
    "Added",
    "All",
    "Apart",
    "Asked",
    "Beside",
    "Between",
    "Beyond",
    "Done",
    "Each",
    "Filled",
    "Found",
    "Given",
    "Kept",
    "Known",
    "Listed",
    "Live",
    "Made",
    "Manner",
    "Meanwhile",
    "Named",
    "Numbered",
    "Once",
    "One",
    "Others",
    "Placed",
    "Printed",
    "Same",
    "Shown",
    "Something",
    "Strange",
    "Taken",
    "Told",
    "Whole",
    "Within",
    "Without",
    "Written",
    "Wrong",
}


@dataclass(frozen=True, slots=True)
class Module:
    """A module of refgen: the path, the docstrings with the line of each, the public classes and all functions by name.

    Methods are none of the functions.
    """

    path: str
    docstrings: Sequence[tuple[int, str]]
    classes: Sequence[str]
    functions: Sequence[str]


@cache
def modules() -> Sequence[Module]:
    """All modules of refgen; no syntax tree is kept, as trees are a million objects."""
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        classes = [node.name for node in tree.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_")]
        functions = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
        found.append(Module(str(path.relative_to(PACKAGE.parent)), [*docstrings(tree)], classes, functions))
    return found


def docstrings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The docstrings of a module, each with its line."""
    statements: list[ast.AST] = [tree]
    for node in statements:  # which grows: expressions hold no docstrings, and are most of a module
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            text = ast.get_docstring(node)
            if text:
                yield node.body[0].lineno, text
        for part in ("body", "orelse", "handlers", "finalbody"):
            inner = getattr(node, part, [])
            statements += inner if isinstance(inner, list) else []


def pointing(text: str) -> str:
    """The reason why a docstring points instead of naming, or "" where it names."""
    if found := _OPENING.match(text):
        return f'opens with "{found.group()}"'
    for paragraph in text.split("\n\n"):
        words = _POINTING.findall(paragraph)
        if len(words) >= 3:
            return f"has {len(words)} pointing words in a paragraph ({', '.join(words)})"
    return ""


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("The columns of a table.", ""),
        ("It is kept.", 'opens with "It"'),
        ("Those of screens that belong to no game.", 'opens with "Those"'),
        ("What formulas ask of marks by some names.", 'opens with "What"'),
        ("The same, with a ladder.", 'opens with "The same"'),
        ("Items of a list.", ""),
        ("A page and what it is.\n\nIts title, and what it says.", ""),
        (
            "A page says what it is, and others point at it.",
            "has 4 pointing words in a paragraph (what, it, others, it)",
        ),
    ],
)
def test_a_docstring_that_points_is_told_from_one_that_names(text: str, reason: str) -> None:
    assert pointing(text) == reason


def test_docstrings_name_what_they_are_about() -> None:
    found = [
        f"{module.path}:{line}: {reason}: {text.splitlines()[0]}"
        for module in modules()
        for line, text in module.docstrings
        if (reason := pointing(text))
    ]
    assert not found, "\n".join(["Say the noun again in place of the pronoun:", *found])


def public_classes() -> Iterator[tuple[str, str]]:
    """The public classes of all modules, and the path of each."""
    for module in modules():
        for name in module.classes:
            yield name, module.path


def test_each_public_class_has_a_name_of_its_own() -> None:
    paths: dict[str, Sequence[str]] = defaultdict(list)
    for name, path in public_classes():
        paths[name] = [*paths[name], path]
    assert {name: found for name, found in paths.items() if len(found) > 1} == {}


def test_no_class_is_called_by_a_bare_participle_or_adverb() -> None:
    assert [f"{path}: {name}" for name, path in public_classes() if name in _BARE] == []


def test_no_function_is_called_by_a_bare_participle_or_adverb() -> None:
    found = [
        f"{module.path}: {name}"
        for module in modules()
        for name in module.functions
        if name.strip("_").capitalize() in _BARE
    ]
    assert found == []


def test_the_map_of_the_house_names_files_that_are_there() -> None:
    root = PACKAGE.parent
    text = (root / "docs" / "architecture.md").read_text(encoding="utf-8")
    paths = [path for path in re.findall(r"`([\w./-]+)`", text) if "/" in path or path.endswith(".py")]
    assert len(paths) > 50
    assert [path for path in paths if not any((folder / path).exists() for folder in (root, PACKAGE))] == []
