"""What the tests share: the five systems, loaded from our documents and, where they are at hand, from the originals."""

from __future__ import annotations

import gc
import os
from collections.abc import Generator, Mapping
from functools import cache
from pathlib import Path

import pytest
from hypothesis import settings

from refgen.bundle import bundled
from refgen.game.game import Game, load_game
from refgen.game.spec import GameRules, SystemSpec
from refgen.gc_tuning import collect_seldom
from refgen.rules.load import load_ruleset
from refgen.rules.model import Table

# The same examples every time, so that a change fails or passes for what it is; slow machines are no failure.
# HYPOTHESIS_PROFILE=explore looks for new ones.
settings.register_profile("steady", derandomize=True, deadline=None)
settings.register_profile("explore", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))

SYSTEMS = ("atari-isev", "fudge-1995", "harmonies", "interactive-history", "polyhedral-fudge")
ORIGINALS = Path(__file__).resolve().parents[2] / "shared" / "sources"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The slow tests first: at the end, short ones keep all workers busy."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


@pytest.hookimpl(wrapper=True)
def pytest_runtestloop() -> Generator[None, object, object]:
    """Garbage is looked for as in a build; without that, layouts take a quarter longer.

    WeasyPrint removes its fonts from the disk with the layouts that hold them.
    """
    gc.collect()
    gc.freeze()
    collect_seldom()
    done = yield
    gc.collect()
    return done


def original(system: str) -> Path:
    """The original document of a system; skips the test where the folder of originals is absent."""
    found = sorted((ORIGINALS / system).glob("*")) if ORIGINALS.is_dir() else []
    if not found:
        pytest.skip(f"the original of {system} is not here: {ORIGINALS}")
    return found[0]


@cache
def game(system: str) -> Game:
    """A bundled game, from its own document."""
    return load_game(bundled("content") / system)


@cache
def ours(system: str) -> GameRules:
    """The rules of a bundled game, from its own document."""
    return game(system).ruleset


@cache
def from_original(system: str) -> GameRules:
    """A bundled system, from the original document."""
    return load_ruleset(bundled("content") / system, SystemSpec, original(system))


def computed(system: str) -> Mapping[str, Table]:
    """The computed tables of a bundled game."""
    return game(system).computed


def texts(table: Table, *columns: str) -> list[list[str]]:
    """The cells of some columns of a table, row by row."""
    indexes = [index for column in columns if (index := table.index(column)) is not None]
    assert len(indexes) == len(columns)
    return [[row[index].text for index in indexes] for row in table.rows]
