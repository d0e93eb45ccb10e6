"""What follows from a character's values: exact, rounded by a named rule, and blank where something is missing."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import refgen
from refgen.characters.filling import FilledValues, fill, filled_sheet
from refgen.characters.form import Form
from refgen.characters.sheet import TICKED
from refgen.characters.validation import check_character
from refgen.errors import RefgenError
from refgen.span import Span
from tests.characters.small import SHEET, form_of, rides_form


def filled(form: Form, **parts: Any) -> FilledValues:
    data = parts if "ride" in parts else {"who": {"name": "Ada"}, **parts}
    character, errors = check_character(form, data, lambda _path: Span("ada.toml", 0, 0, 1, 1, 1, 1))
    assert errors == []
    assert character is not None
    return fill(form, character)


@pytest.mark.parametrize(
    ("title", "parts", "field", "text", "exact"),
    [
        ("a level of a ladder", {"attributes": {"will": "good"}}, "attributes.will", "Good", None),
        ("a number", {"who": {"name": "Ada", "age": "1/2"}}, "who.age", "1/2", Fraction(1, 2)),
        (
            "an average, rounded half up",
            {"attributes": {"perception": "Superb", "agility": "Great"}},
            "stance.initiative",
            "+2",
            Fraction(5, 3),
        ),
        (
            "a third below nought, to two places, up",
            {"attributes": {"strength": "Terrible"}},
            "stance.in-thirds",
            "−1.00",
            Fraction(-1),
        ),
        (
            "a third, to two places, up",
            {"attributes": {"strength": "Good"}},
            "stance.in-thirds",
            "0.34",
            Fraction(1, 3),
        ),
        ("a value of a row of a table", {"stance": {"posture": "Aggressive"}}, "stance.to-hit", "+1", Fraction(1)),
        ("a cell as it is printed", {"stance": {"posture": "Aggressive"}}, "stance.as-printed", "−1", None),
        (
            "a sum with another field of the sheet, as a level",
            {"attributes": {"will": "Good"}, "skills": [{"skill": "Ride", "level": "Fair", "with": "Will"}]},
            "skills.1.both",
            "Good",
            Fraction(1),
        ),
        (
            "a sum beyond the ladder",
            {"attributes": {"will": "Legendary"}, "skills": [{"level": "Legendary", "with": "Will"}]},
            "skills.1.both",
            "Legendary +4",
            Fraction(8),
        ),
        ("lines that are written on", {"skills": ["Ride", "Swim"]}, "stance.trained", "2", Fraction(2)),
        ("no line at all", {}, "stance.trained", "0", Fraction(0)),
        ("a total of a list less its own", {"mount": [{"load": 4}, {"load": 3}]}, "mount.2.left", "4", Fraction(4)),
        ("a tick", {"who": {"name": "Ada", "left-handed": True}}, "who.left-handed", TICKED, None),
        ("the points that mark a box", {"attributes": {"health": "Superb"}}, "wounds.hurt.points", "4–6", None),
    ],
)
def test_a_value_follows(
    form: Form, title: str, parts: dict[str, Any], field: str, text: str, exact: Fraction | None
) -> None:
    found = filled(form, **parts)
    assert (found.texts.get(field), found.exact.get(field)) == (text, exact), title
    assert found.faults == []


@pytest.mark.parametrize("field", ["stance.initiative", "stance.to-hit", "skills.1.both", "wounds.hurt.points"])
def test_what_misses_an_input_is_blank(form: Form, field: str) -> None:
    found = filled(form, attributes={"perception": "Good"}, skills=[{"skill": "Ride", "level": "Good"}])
    assert field not in found.texts
    assert found.faults == []


def test_a_track_has_the_boxes_of_its_character(form: Form) -> None:
    found = filled(form, attributes={"health": "Great", "will": "Good"}, wounds={"hurt": 2, "luck": 1})
    assert found.boxes == {
        "wounds.scratched": 4,
        "wounds.hurt": 2,
        "wounds.very-hurt": 1,
        "wounds.incapacitated": 1,
        "wounds.near-death": 1,
        "wounds.luck": 4,
    }
    ticked = [name for name, text in found.texts.items() if text == TICKED]
    assert ticked == ["wounds.hurt.1", "wounds.hurt.2", "wounds.luck.1"]


def test_more_ticks_than_boxes_are_a_fault(form: Form) -> None:
    found = filled(form, attributes={"health": "Fair"}, wounds={"hurt": 2})
    assert list(map(str, found.faults)) == ["ada.toml:1:1: Ada: Hurt has 1 boxes, and 2 are ticked"]


def test_a_formula_without_an_answer_is_a_fault_and_its_field_blank(tmp_path: Path) -> None:
    form = form_of(tmp_path, SHEET.replace("{skills.count}", "1 / {skills.count}"))
    found = filled(form)
    assert [str(fault).split(": ", 1)[1] for fault in found.faults] == [
        'Ada: "Trained" has no answer: a formula divides by zero'
    ]
    assert "stance.trained" not in found.texts


@pytest.mark.parametrize(
    ("title", "old", "new", "message", "hint"),
    [
        (
            "an unknown name",
            "{attributes.strength} / 3",
            "{attributes.strenght}",
            '"In thirds": a formula asks for',
            "strength",
        ),
        (
            "a circle",
            "{mount.load.sum} - {load}",
            "{mount.left.sum} - {load}",
            '"Mount 1: Left" follows from itself',
            "circle",
        ),
        ("two parts of one name", 'title = "Story"', 'title = "Who"', 'two fields have the name "who"', "id"),
        (
            "a track without its level",
            'level = "{attributes.health}", ',
            "",
            'the track "wounds" goes by a level',
            "level",
        ),
        ("boxes nobody can count", ', most = "7"', "", 'names "attributes.will", which the blank', "most"),
        (
            "a part that is not there",
            'part = "attributes"',
            'part = "atributes"',
            'there is no part "atributes"',
            "attributes",
        ),
        ("a column that is not there", "posture.posture", "posture.postures", 'has no column "postures"', "posture"),
    ],
)
def test_a_sheet_that_is_wrong_is_refused(
    tmp_path: Path, title: str, old: str, new: str, message: str, hint: str
) -> None:
    assert old in SHEET
    with pytest.raises(RefgenError, match=message) as caught:
        form_of(tmp_path, SHEET.replace(old, new))
    assert str(caught.value.span).startswith("atari-isev/sheet.toml:")
    assert hint in caught.value.hint, title


def test_the_sheet_of_a_character_has_the_same_parts_with_their_values(form: Form) -> None:
    found = filled(form, attributes={"health": "Poor"}, skills=["Ride", "Swim", "Sing", "Row"], story="Once.")
    sheet = filled_sheet(form.sheet, found)
    assert [part.id for part in sheet.parts()] == [part.id for part in form.sheet.parts()]
    fields = {field.name: field for field in sheet.fields()}
    assert fields["skills.4.skill"].value == "Row"
    assert fields["story"].value == "Once."
    assert not any(field.optional for name, field in fields.items() if name.startswith("wounds.scratched."))
    assert [fields[f"wounds.scratched.{number}"].absent for number in range(1, 6)] == [False, False, True, True, True]


@pytest.mark.slow
def test_the_wound_chart_of_every_health_is_that_of_the_rules() -> None:
    """Against the computed table, which the checks hold against the document."""
    game = refgen.load("atari-isev")
    table = game.tables["wound-levels"]
    for row, level in enumerate(game.ladders["trait"].levels):
        character = refgen.Character("A", {"character.name": "A", "attributes.health.level": level.name})
        found = game.fill(character)
        shown = []
        for kind in ("scratched", "hurt", "very-hurt", "incapacitated", "near-death"):
            count, points = found.boxes[f"wounds.{kind}"], found.texts[f"wounds.{kind}.points"]
            shown.append(f"{points.replace('–', '-')} ({count})" if count != 1 else points.replace("–", "-"))
        assert [cell.text for cell in table.rows[row]] == [level.name, *shown]


PERCENTAGES = ("odds", "to-one", "whole", "chosen", "chosen-to-one", "falls", "found", "fall", "by-name")


@pytest.mark.parametrize(
    ("road", "texts"),
    [
        (1, "92% 92% 92% 92% 92% 2.50% 92% 2.5% 92%"),
        (2, "8.3% 8.3% 8% 8.3% 8.3% 2.50% 8.3% 2.5% 8.3%"),
        (3, "50.0% 50.0% 50% 50.0% 50.0% 2.50% 50.0% 2.5% 50.0%"),
    ],
)
def test_a_percentage_of_the_document_has_the_decimals_that_are_printed(tmp_path: Path, road: int, texts: str) -> None:
    found = filled(rides_form(tmp_path), ride={"name": "Ada", "road": road, "on": str(road)}).texts
    assert " ".join(found[f"ride.{key}"] for key in PERCENTAGES) == texts


def test_a_percentage_that_is_worked_out_has_the_decimals_of_its_field(tmp_path: Path) -> None:
    found = filled(rides_form(tmp_path), ride={"name": "Ada", "road": 1, "on": "3"}).texts
    assert (found["ride.half"], found["ride.half-to-one"]) == ("46%", "25.0%")
