"""Characters that nobody sees, and letters that look like letters of another script: which are odd, and which not."""

from __future__ import annotations

import pytest

from refgen.look_alikes import (
    as_seen,
    code_points,
    difference,
    foreign_letters,
    foreign_words,
    main_script,
    mended,
    reads_right_to_left,
    scripts_at_home,
    show_name,
    unseen_characters,
)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Rope", "Rope"),
        ("Ro\u200bpe", "Ro⟨U+200B⟩pe"),
        ("\ufeffRope", "⟨U+FEFF⟩Rope"),
        ("Rope\u2060", "Rope⟨U+2060⟩"),
        ("\u202eRope\u202c", "⟨U+202E⟩Rope⟨U+202C⟩"),
        ("Ro\u200b\u200dpe", "Ro⟨U+200B⟩⟨U+200D⟩pe"),
        ("Rope\ufe0f", "Rope⟨U+FE0F⟩"),
        ("Ro\u0007pe", "Ro⟨U+0007⟩pe"),
        ("R\u043epe", "R⟨U+043E⟩pe"),
        ("М\u0065ч", "М⟨U+0065⟩ч"),
    ],
)
def test_odd_characters_are_shown_by_their_code_points(name: str, shown: str) -> None:
    assert show_name(name) == shown


@pytest.mark.parametrize(
    "name",
    [
        "می\u200cخواهم",  # Persian parts the prefix of a verb
        "क\u094d\u200dष",  # Hindi joins consonants
        "ന\u0d4d\u200d",  # Malayalam writes a final letter so
        "ไม้\u200bเท้า",  # Thai has no blanks between words
        "חרב\u200f (d6)",
        "\u202bشمشیر\u202c",
        "Team \U0001f468\u200d\U0001f469\u200d\U0001f467",
        "\u2764\ufe0f\u200d\U0001f525 burning",
        "1\ufe0f\u20e3 one",
        "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f Scots",
        "Ro\u00adpe",  # typesetting
    ],
)
def test_what_a_script_or_a_sign_needs_is_not_odd(name: str) -> None:
    assert show_name(name) == name


def test_names_beside_it_may_turn_the_direction_of_a_name() -> None:
    names = ["שלום", "HP\u200e"]
    assert reads_right_to_left(names)
    assert not unseen_characters("HP\u200e", is_right_to_left=True)
    assert unseen_characters("HP\u200e", is_right_to_left=False) == {2: ""}
    assert unseen_characters("\u202eHP", is_right_to_left=True) == {0: ""}


@pytest.mark.parametrize(
    ("name", "script", "meant"),
    [
        ("L\u0430rge", "LATIN", "Large"),
        ("\u0421\u0430\u0440e", "LATIN", "Cape"),
        ("\u041c\u0065\u0447", "CYRILLIC", "Меч"),
        ("Бoльшoй щит", "CYRILLIC", "Большой щит"),
        ("Бoльшoй щит", "LATIN", "Большой щит"),
        ("\u0041σπίδα", "GREEK", "Ασπίδα"),
        ("\u0555ne", "LATIN", "One"),
        ("L\uff41nce", "LATIN", "Lance"),
        ("\U0001d401ow", "LATIN", "Bow"),
        ("N\u043e\u0451l", "LATIN", "Noël"),
    ],
)
def test_letters_of_a_word_in_two_scripts_are_meant_in_one(name: str, script: str, meant: str) -> None:
    assert mended(name, foreign_letters(name, script)) == meant


@pytest.mark.parametrize(
    "name",
    [
        "KoЯn",
        "Яndex",
        "ΔT",
        "ΔHP",
        "µTorrent",
        "\ufb01re",
        "Größe",
        "Меч (d6)",
        "HP-бонус",
        "PvP-μάχη",
        "Tシャツ",
        "ＨＰ",
        "d20",
    ],
)
@pytest.mark.parametrize("script", ["LATIN", "CYRILLIC"])
def test_words_that_are_meant_as_they_are(name: str, script: str) -> None:
    assert not foreign_letters(name, script)


@pytest.mark.parametrize(
    ("name", "others", "meant"),
    [
        ("\u0410\u0425\u0415", ["Bow", "Sword"], "AXE"),
        ("Class \u0421", ["Class A", "Class B"], "Class C"),
        ("\u0410\u0425\u0415", ["Меч", "Bow", "Sword", "Shield"], None),  # Russian words stand here
        ("Axe", ["Меч", "Щит"], None),
        ("XP", ["Меч", "Щит"], None),
        ("α-test", ["Bow", "Sword"], None),
        ("ＨＰ", ["MP", "Level"], None),
    ],
)
def test_a_whole_word_may_be_in_letters_of_another_script(name: str, others: list[str], meant: str | None) -> None:
    names = [*others, name]
    found = foreign_words(name, main_script(names), scripts_at_home(names))
    assert (mended(name, found) if found else None) == meant


def test_two_names_that_look_alike_are_one_whatever_their_case() -> None:
    assert as_seen("L\u0430R\u200bge") == as_seen("larGe")
    assert as_seen("Вес") == as_seen("вЕС")
    assert as_seen("cafe\u0301") == as_seen("Café")
    assert as_seen("Меч") != as_seen("Мяч")


def test_the_difference_of_two_names_is_told_if_they_look_alike() -> None:
    assert difference("L\u0430rge", "Large") == "U+0430 CYRILLIC SMALL LETTER A"
    assert difference("Large", "La\u200brge") == "U+200B ZERO WIDTH SPACE"
    assert difference("Large", "Larger") == difference("Large", "large") == ""


def test_each_code_point_is_named_once() -> None:
    assert code_points("\u200b\u200b\u0007") == "U+200B ZERO WIDTH SPACE, U+0007"
