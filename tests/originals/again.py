"""Tests of our documents that hold of the originals as well: collected there once more."""

from __future__ import annotations

from inspect import signature
from types import ModuleType


def again(module: ModuleType, fixture: str = "loaded") -> dict[str, object]:
    """The tests of a module that ask for a fixture, by name; with the fixture, if it is the module's own."""
    members = vars(module)
    tests = {
        name: own for name, own in members.items() if name.startswith("test_") and fixture in signature(own).parameters
    }
    assert tests
    return tests | ({fixture: members[fixture]} if fixture in members else {})
