"""Text in fields: on lines, as large as fits, and cut only where another page goes on with it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refgen.aids.sheet.fields import SMALLEST, FieldBox, baseline, is_supported, normalized_text, set_text, text_width
from refgen.characters.sheet import Field, FieldKind
from refgen.look.look import USUAL, in_look


def line(width: float) -> FieldBox:
    return FieldBox(Field("name", "Name"), 0, 0.0, 0.0, width, 15.0, 10.0, 1.5)


def area(width: float, height: float) -> FieldBox:
    return FieldBox(Field("notes", "Notes", FieldKind.AREA), 0, 0.0, 0.0, width, height, 10.0, 1.3)


def test_a_text_that_fits_keeps_its_size() -> None:
    found = set_text(line(60), "Orlin")
    assert (found.size, found.lines, found.whole) == (10.0, ("Orlin",), True)


def test_a_longer_one_is_set_smaller_and_fits() -> None:
    box = line(60)
    found = set_text(box, "Orlin the Younger")
    assert SMALLEST <= found.size < 10
    assert text_width("Orlin the Younger") * found.size <= box.width - 2 * box.padding


def test_what_is_too_long_even_so_ends_in_dots() -> None:
    found = set_text(line(60), "Orlin the Younger of the Eastern Marches")
    assert not found.whole
    assert found.lines[0].endswith("…")
    assert "Orlin the Younger of the Eastern Marches".startswith(found.lines[0][:-1])


def test_in_large_print_no_text_is_smaller_than_12_points() -> None:
    with in_look(replace(USUAL, theme="large-print")):
        on_line = set_text(replace(line(60), size=13.0), "Orlin the Younger")
        in_area = set_text(replace(area(60, 40), size=13.0), "Orlin the Younger of the Eastern Marches")
    assert [(found.size, found.whole) for found in (on_line, in_area)] == [(12, False), (12, False)]


def test_an_area_wraps_at_blanks_and_behind_hyphens() -> None:
    found = set_text(area(64, 100), "A half-forgotten name")
    assert found.lines == ("A half-", "forgotten", "name")


def test_an_area_keeps_line_ends() -> None:
    box = area(200, 100)
    assert set_text(box, normalized_text("one\r\n\r\ntwo", box)).lines == ("one", "", "two")


def test_a_word_longer_than_a_line_goes_on_in_the_next() -> None:
    found = set_text(area(40, 200), "W" * 12)
    assert "".join(found.lines) == "W" * 12
    assert len(found.lines) > 1


def test_letters_are_composed_and_blanks_are_plain() -> None:
    assert normalized_text("Zoe\u0301\tof\nYs ", line(50)) == "Zo\u00e9 of Ys"


def test_smaller_text_keeps_the_baseline_of_a_line() -> None:
    assert baseline(line(50), 7.0) == baseline(line(50), 10.0)


@pytest.mark.parametrize("letter", ["a", "Ż", "Ω", "ж", "½", "–", "“", "€", "º"])
def test_the_font_shows_letters_of_three_scripts(letter: str) -> None:
    assert is_supported(letter)


@pytest.mark.parametrize("letter", ["ع", "ש", "日", "\u0301", "🐉", "\u200d"])
def test_it_leaves_all_others_to_full_layout(letter: str) -> None:
    assert not is_supported(letter)


@pytest.mark.slow
@settings(max_examples=40)
@given(st.text(st.sampled_from("abcW .-–\n"), max_size=300), st.floats(30, 200), st.floats(30, 200))
def test_no_text_reaches_out_of_an_area_and_none_is_lost(text: str, width: float, height: float) -> None:
    box = area(width, height)
    text = normalized_text(text, box)
    found = set_text(box, text)
    room = width - 2 * box.padding - 1
    assert all(text_width(one) * found.size <= room + 1e-6 for one in found.lines)
    assert len(found.lines) * found.size * box.line_height <= height - 2 * box.padding or len(found.lines) == 1
    if found.whole:
        assert "".join("".join(found.lines).split()) == "".join(text.split())
