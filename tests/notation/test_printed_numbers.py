"""Numbers in running text: where each starts and ends."""

from __future__ import annotations

import pytest

from refgen.notation.printed_numbers import numbers_in, things_counted

NUMBERS = [
    ("figures", "from -4 to +4, 1,000 in all, 97.5% of 3-5", ["-4", "+4", "1,000", "97.5%", "3", "5"]),
    ("a minus is a hyphen, a minus sign or an en dash", "−3 or –2 or 5–6", ["−3", "–2", "5", "6"]),
    ("both signs", "±1 or +/-2", ["±1", "+/-2"]),
    (
        "dice with what is added to them",
        "4dF, d12+2, 2d6 + 1d4, d%, 4d6kh3",
        ["4dF", "d12+2", "2d6 + 1d4", "d%", "4d6kh3"],
    ),
    ("dice with modifiers", "4d6dl1, d6!>5 or 3d6r<2, but a d6!", ["4d6dl1", "d6!>5", "3d6r<2", "d6!"]),
    ("any dash", "‒3 or ‑2 or —5", ["‒3", "‑2", "—5"]),
    ("wide signs", "３ｄ６－１ in ３３％, ２〜３", ["３ｄ６－１", "３３％", "２", "３"]),
    ("thousands", "1'500, 2’500 and 3\u202f500", ["1'500", "2’500", "3\u202f500"]),
    ("raised figures", "10² men, ¹⁄₂ and 2¹⁄₂, 5²", ["10²", "¹⁄₂", "2¹⁄₂", "5"]),
    ("ordinals in figures", "the 2nd floor", ["2nd"]),
    ("fractions", "1/4, ½ and 1½", ["1/4", "½", "1½"]),
    ("words", "Three of ten, half of them twice", ["Three", "ten", "half", "twice"]),
    ("no part of a longer word", "often, someone, atone, tend", []),
    ("ordinals in words, and once, are none", "once, the second time", []),
    ("the number of a section", "Section 3.21.", ["3.21"]),
    ("a letter with a number", "p4 goes", ["4"]),
    ("one of what is counted", "one round and one long fight", ["one"]),
    ("one that is compared", "one step lower, one line down", ["one", "one"]),
    ("one before a capital letter", "one A and One Step Lower", ["One"]),
    ("one that stands for somebody", "one of the rounds is the one; no one lives", []),
]


@pytest.mark.parametrize(("text", "expected"), [case[1:] for case in NUMBERS], ids=[case[0] for case in NUMBERS])
def test_numbers_in(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in numbers_in(text, {"round"})] == expected


def test_what_stands_after_a_number_in_the_plural_is_counted() -> None:
    text = "two rounds, 3 Hurt boxes, five dice, six parries, two or more, two less"
    assert things_counted(text) == {"round", "box", "die", "parry"}
