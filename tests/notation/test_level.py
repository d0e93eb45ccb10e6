import pytest

from refgen.errors import NotationError
from refgen.notation.levels import Ladder, level_name, read_level
from refgen.notation.values import Level

NAMES = ("Superb", "Great", "Good", "Fair", "Mediocre", "Poor", "Terrible")
LADDER = Ladder(tuple(Level(name, 3 - number) for number, name in enumerate(NAMES)), {"Med.": "Mediocre"})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Good", Level("Good", 1)),
        ("good", Level("Good", 1)),
        ("Med.", Level("Mediocre", -1)),
        ("Great (expert)", Level("Great", 2, "expert")),
        ("Good +1", Level("Good", 1)),
        ("Fair  0".replace("  ", " "), Level("Fair", 0)),
        ("+3 Superb", Level("Superb", 3)),
        ("Superb +1", Level("Superb +1", 4)),
        ("Terrible -2", Level("Terrible -2", -5)),
        ("Superb (2nd)", Level("Superb +1", 4)),
        ("(Fair)", Level("Fair", 0)),
    ],
)
def test_levels(text: str, expected: Level) -> None:
    assert read_level(text, LADDER) == expected


def test_an_unknown_level_is_an_error_with_the_nearest_names() -> None:
    with pytest.raises(NotationError, match='"Grate" is not a level') as caught:
        read_level("Grate", LADDER)
    assert "Great" in caught.value.hint


def test_a_number_that_is_not_the_levels_own_is_an_error() -> None:
    with pytest.raises(NotationError, match=r"gives Good the number \+2; on its ladder it is \+1"):
        read_level("Good +2", LADDER)
    with pytest.raises(NotationError, match=r"gives Terrible the number \+2"):
        read_level("Terrible +2", LADDER)  # nothing below the ladder is above it


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Good (professional)", ("Good", "professional")),
        ("Legendary +4", ("Legendary", "")),
        ("8+ Legendary", ("Legendary", "")),
        ("(Legendary)", ("Legendary", "")),
        ("Very small", ("Very small", "")),
    ],
)
def test_bare_names(text: str, expected: tuple[str, str]) -> None:
    assert level_name(text) == expected
