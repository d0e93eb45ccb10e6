"""On the form of a character stand the wounds that the rules give to his or her Health: which damage marks them, and as
many boxes, no more and no fewer. The charts of the rules are tables, which the checks hold against the documents."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any

import pikepdf
import pytest

from tests.aids.sheet.fill.sheets import fields, form, loaded, named, placed, value
from tests.conftest import SYSTEMS

LEVELS = ("Legendary", "Superb", "Great", "Good", "Fair", "Mediocre", "Poor", "Terrible")
HIDDEN = 2

pytestmark = pytest.mark.slow


def filled_in(system: str, values: Mapping[str, Any]) -> Mapping[str, Any]:
    """The fields of a form by their names, but for those that are hidden."""
    with pikepdf.open(io.BytesIO(form(system, placed(system, named(system, "Orlin", values))))) as pdf:
        return {name: value(one) for name, one in fields(pdf).items() if not int(one.F) & HIDDEN}


def test_these_are_all_levels_and_games_with_a_chart_by_a_level() -> None:
    by_level = [system for system in SYSTEMS if any(spec.by for spec in loaded(system).ruleset.spec.tracks.values())]
    assert by_level == ["atari-isev"]
    assert tuple(level.name for level in loaded("atari-isev").ladders["trait"].levels) == LEVELS
    assert tuple(row[0].text for row in loaded("polyhedral-fudge").tables["damage-ratings"].rows) == LEVELS


@pytest.mark.parametrize("level", LEVELS)
def test_each_health_has_its_chart(level: str) -> None:
    """ "1-2 (5)": five boxes, which one or two points mark."""
    found = filled_in("atari-isev", {"attributes.health.level": level})
    chart = {row[0].text: row[1:] for row in loaded("atari-isev").tables["wound-levels"].rows}[level]
    shown = []
    for wound in ("scratched", "hurt", "very-hurt", "incapacitated", "near-death"):
        own = [name for name in found if name.startswith(f"wounds.{wound}.")]
        boxes = len(own) - 1
        points = found[f"wounds.{wound}.points"].replace("–", "-")
        shown.append(f"{points} ({boxes})" if boxes > 1 else points)
        assert sorted(own) == sorted(f"wounds.{wound}.{each}" for each in ("points", *range(1, boxes + 1)))
    assert shown == [cell.text for cell in chart]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("armor", [0, 3])
def test_each_damage_capacity_has_its_thresholds(level: str, armor: int) -> None:
    """From which damage on there is which wound: what the wound track says, over the rating that the table says."""
    game = loaded("polyhedral-fudge")
    values = {"damage-rating.damage-capacity": level, "damage-rating.armor": armor}
    found = filled_in("polyhedral-fudge", values)
    (rating,) = (int(row[1 + armor].text) for row in game.tables["damage-ratings"].rows if row[0].text == level)
    assert found["damage-rating.dr"] == str(rating)
    for row in game.tables["wound-track"].rows:
        low = int(row[0].text.rstrip("+").split("-")[0])
        assert found[f"wounds.{row[1].text.lower().replace(' ', '-')}.from"] == str(low + rating)
