"""The originals: every test in this folder reads them, is marked so, and is skipped where they are absent."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from refgen.files import bundled_folder
from refgen.game import GameModel, GameRules, load_game
from tests.conftest import Loaded

FOLDER = Path(__file__).parent
ORIGINALS = FOLDER.parents[2] / "shared" / "sources"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(FOLDER):
            item.add_marker("originals")
            if not ORIGINALS.is_dir():
                item.add_marker(pytest.mark.skip(reason=f"the originals are not here: {ORIGINALS}"))


def original(system: str) -> Path:
    """The original document of a system."""
    (found,) = (ORIGINALS / system).iterdir()
    return found


@cache
def original_game(system: str) -> GameModel:
    """A bundled game, from the original document."""
    return load_game(bundled_folder("content") / system, original(system))


def from_original(system: str) -> GameRules:
    """Its rules."""
    return original_game(system).ruleset


@pytest.fixture(scope="session")
def loaded() -> Loaded:
    """The rules of the bundled games, from the originals."""
    return from_original
