"""Fingerprints: the same for what shows the same, another for all else."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from typing import Any

import pytest

from refgen.aids.kinds import KINDS
from refgen.aids.screen.kind import screen_of_game
from refgen.files import bundled_folder
from refgen.pipeline.digests import NoFingerprintError, fingerprint
from refgen.pipeline.make_aids import make_aids
from refgen.span import Span
from tests.conftest import SYSTEMS, game

SETS = "from refgen.pipeline.digests import fingerprint; print(fingerprint({'a', 'b', 'c', 'd', 'e'}))"


class Colour(Enum):
    RED = 1
    BLUE = 2


@dataclass(frozen=True)
class Shown:
    text: str
    parts: tuple[object, ...] = ()
    place: Span | None = None


@dataclass(frozen=True)
class Other:
    text: str
    parts: tuple[object, ...] = ()
    place: Span | None = None


VALUES: list[Any] = [
    None, True, 1, 1.0, "1", "", (), (1,), ((1,),), (1, 1), [1], {1: 1}, {"1": 1}, {1}, Fraction(1), Fraction(1, 3),
    Colour.RED, Colour.BLUE, Shown("a"), Shown("b"), Other("a"), Shown("a", (1,)), Shown("a", ("1",)), ("a", "b"),
    ("ab",), ("a,", "b"), "None", "\ud800",
]  # fmt: skip


def test_values_that_differ_have_different_fingerprints() -> None:
    assert len({fingerprint(value) for value in VALUES}) == len(VALUES)


def test_places_do_not_count() -> None:
    places = [Span("rules.md", start, start + 1, 1, 1, 1, 2) for start in (1, 2)]
    assert len({fingerprint(Shown("a", place=place)) for place in places}) == 1


def test_what_has_no_fingerprint_is_refused() -> None:
    with pytest.raises(NoFingerprintError, match="no fingerprint of object"):
        fingerprint((1, object()))


@pytest.mark.slow
def test_they_are_the_same_in_every_process() -> None:
    found = {
        subprocess.run(
            [sys.executable, "-c", SETS], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert found == {f"{fingerprint(set('abcde'))}\n".encode()}


@pytest.mark.slow
@pytest.mark.parametrize("system", SYSTEMS)
def test_every_aid_has_one(system: str) -> None:
    aids, _ = make_aids(game(system), bundled_folder("content") / system, KINDS, {})
    screen = screen_of_game(bundled_folder("content") / system, game(system))
    found = {fingerprint(aid) for aid in aids.values()}
    assert len(found) == len(aids) == len(KINDS)
    assert fingerprint(replace(screen, panels=screen.panels[1:])) not in found
