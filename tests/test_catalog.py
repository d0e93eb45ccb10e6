"""Parts by name, of which few may be remembered; a name that does not exist, and those that do."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from refgen.catalog import LazyMapping, did_you_mean, find_key, fold_name, nearest_names, typo_of
from refgen.errors import RefgenError


def made(most: int | None) -> tuple[LazyMapping[str], list[str]]:
    """Three things, and the names of those that were made."""
    names: list[str] = []

    def make(name: str) -> str:
        names.append(name)
        return name.upper()

    return LazyMapping(["one", "two", "three"], make, most), names


def test_of_many_things_the_last_that_were_asked_for_are_remembered() -> None:
    things, names = made(2)
    for name in ("one", "two", "one", "three", "one", "two"):
        assert things[name] == name.upper()
    assert names == ["one", "two", "three", "two"]


def test_one_of_many_that_is_forgotten_is_made_again() -> None:
    things, names = made(2)
    things.forget("one")
    assert things["one"] == "ONE"
    things.forget("one")
    things.forget("one")
    assert things["one"] == "ONE"
    assert names == ["one", "one"]


def test_where_all_are_remembered_none_is_forgotten() -> None:
    for most in (3, None):
        things, names = made(most)
        assert things["one"] == "ONE"
        things.forget("one")
        assert things["one"] == "ONE"
        assert names == ["one"]


def test_what_cannot_be_made_is_tried_once_until_it_is_dropped() -> None:
    tries: list[str] = []

    def fail(name: str) -> str:
        tries.append(name)
        raise RefgenError(f"no {name}", hint="Make one.")

    things = LazyMapping(["one", "two"], fail)
    for _ in range(2):
        with pytest.raises(RefgenError, match="no one") as caught:
            things["one"]
        assert caught.value.hint == "Make one."
    assert tries == ["one"]
    things.drop("one")
    with pytest.raises(RefgenError, match="no one"):
        things["one"]
    assert tries == ["one", "one"]


LEVELS = ("Superb", "Great", "Good", "Fair", "Mediocre", "Poor", "Terrible")


@pytest.mark.parametrize(
    ("title", "name", "known", "hint"),
    [
        ("a typo", "Goood", LEVELS, "Did you mean Good?"),
        ("two that are like it", "ods", ["steps", "rods", "odds"], "Did you mean rods or odds?"),
        ("the three nearest of four", "d6-1", ["d6-4", "d6-3", "d6-2", "d6-5"], "Did you mean d6-4, d6-3 or d6-2?"),
        ("another case", "MEDIOCRE", LEVELS, "Did you mean Mediocre?"),
        ("a word in common", "fair-chance", ["d6-chances", "fair-odds"], "Did you mean fair-odds?"),
        ("a name with blanks is quoted", "wound penalty", ["Wound penalties"], 'Did you mean "Wound penalties"?'),
        ("nothing like it: all there are", "xyz", ["roll", "run", "hit it"], 'There are roll, run and "hit it".'),
        ("nothing like it: the only one", "jump", ["roll"], "There is only roll."),
        ("nothing there at all", "jump", [], "There are none."),
    ],
)
def test_a_hint_names_the_nearest_or_all(title: str, name: str, known: Sequence[str], hint: str) -> None:
    assert did_you_mean(name, known) == hint


def test_a_hint_lists_twenty_names_at_most() -> None:
    hint = did_you_mean("xyz", [f"{number}" for number in range(100, 125)])
    assert hint.startswith("There are 100, 101, ")
    assert hint.endswith(" 119 and 5 more.")


def test_a_hint_may_say_something_else_where_none_is_near() -> None:
    assert did_you_mean("xyz", ["roll"], "Look it up.") == "Look it up."
    assert did_you_mean("rol", ["roll"], "Look it up.") == "Did you mean roll?"


@pytest.mark.parametrize(
    ("title", "name", "key"),
    [
        ("as it is", "Hit Points", "Hit Points"),
        ("case", "hit points", "Hit Points"),
        ("a hyphen for a blank", "Hit-Points", "Hit Points"),
        ("an underscore for a blank", "hit_points", "Hit Points"),
        ("a no-break space, and blanks around", " hit\u00a0points ", "Hit Points"),
        ("a blank for a hyphen", "step dice", "step-dice"),
        ("an en dash", "step–dice", "step-dice"),
        ("a plain apostrophe", "Troll's bane", "Troll’s bane"),
        ("plain quotes", '"wild" die', "“Wild” die"),
        ("a real minus sign", "−2", "-2"),
        ("a composed letter in two", "Ma\u0308rz", "März"),
        ("another number", "+2", None),
        ("a minus sign is no blank", "Superb 1", None),
        ("a part of a name", "Hit", None),
        ("nothing", "", None),
    ],
)
def test_a_key_is_found_as_people_write_it(title: str, name: str, key: str | None) -> None:
    assert find_key(name, ["Hit Points", "step-dice", "Troll’s bane", "“Wild” die", "-2", "März", "Superb -1"]) == key


def test_a_key_that_may_be_two_is_found_only_by_its_exact_name() -> None:
    assert find_key("a b", ["a-b", "A B"]) is None
    assert find_key("a-b", ["a-b", "A B"]) == "a-b"
    assert nearest_names("a b", ["a-b", "A B", "xyz"]) == ["a-b", "A B"]


def test_numbers_keep_their_signs_and_ranges() -> None:
    assert len({fold_name(text) for text in ("1", "+1", "-1", "91-00", "91 00", "2d6-1", "2d6 1")}) == 7
    assert fold_name("91–00") == fold_name("91-00")


def test_a_typo_is_more_like_its_name_than_what_is_suggested() -> None:
    assert typo_of("Terible", LEVELS) == "Terrible"
    assert typo_of("Terribly bad", LEVELS) is None
    assert nearest_names("Terribly bad", LEVELS) == ["Terrible"]


def test_a_hint_says_how_a_name_that_looks_the_same_differs() -> None:
    known = ["large", "small"]
    assert (
        did_you_mean("l\u0430rge", known)
        == "Did you mean large? Only one of the two has U+0430 CYRILLIC SMALL LETTER A."
    )
    assert did_you_mean("sm\u200ball", known) == "Did you mean small? Only one of the two has U+200B ZERO WIDTH SPACE."
    assert did_you_mean("\u0410\u0425\u0415", ["AXE", "BOW"]).startswith(
        "Did you mean AXE? Only one of the two has U+0410"
    )
    assert did_you_mean("larg", known) == "Did you mean large?"
