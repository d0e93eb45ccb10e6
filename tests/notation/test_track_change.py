import pytest

from refgen.errors import NotationError
from refgen.notation.levels import read_track_change
from refgen.notation.values import Interval, TrackChange


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("4 Scratched boxes", TrackChange("", (("Scratched", 4),), (), (), False)),
        ("Good + 2 Hurt Boxes", TrackChange("Good", (("Hurt", 2),), (), (), False)),
        (
            "Great + Scratched[1-3], Hurt[4-6],V.Hurt[7-8] etc.",
            TrackChange(
                "Great",
                (),
                (),
                (("Scratched", Interval(1, 3)), ("Hurt", Interval(4, 6)), ("V.Hurt", Interval(7, 8))),
                True,
            ),
        ),
        (
            "Great + extra Scratched, Hurt, V.Hurt box",
            TrackChange("Great", (), ("Scratched", "Hurt", "V.Hurt"), (), False),
        ),
        (
            "Mediocre + Scratched[1],Hurt[2-3], etc.",
            TrackChange("Mediocre", (), (), (("Scratched", Interval(1, 1)), ("Hurt", Interval(2, 3))), True),
        ),
        (
            "1 Scratch box, Scratch[1],Hurt[2],V.Hurt[3-4] etc.",
            TrackChange(
                "",
                (("Scratch", 1),),
                (),
                (("Scratch", Interval(1, 1)), ("Hurt", Interval(2, 2)), ("V.Hurt", Interval(3, 4))),
                True,
            ),
        ),
    ],
)
def test_changes(text: str, expected: TrackChange) -> None:
    assert read_track_change(text) == expected


@pytest.mark.parametrize("text", ["", "many boxes more", "Good +", "Hurt[6-4]", "Hurt[]"])
def test_other_words_are_an_error(text: str) -> None:
    with pytest.raises(NotationError):
        read_track_change(text)
