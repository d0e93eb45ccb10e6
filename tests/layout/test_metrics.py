"""Widths of text and places where lines break, against Pango's."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import cache
from html import escape
from itertools import pairwise
from pathlib import Path

import pytest

from refgen.layout.lengths import FOOTER, MILLIMETRE
from refgen.layout.metrics import SYMBOLS, Face, fonts, width, without_glyph
from refgen.layout.sizing import breakable_text, footer_height
from refgen.look.find import find_look
from refgen.look.look import in_look
from tests.aids.panels.laid_out import screen_blocks
from tests.conftest import SYSTEMS
from tests.layout.laid_out import boxes_of, pages_of

STYLES = {
    Face.REGULAR: "400 100px 'Refgen Sans'",
    Face.ITALIC: "italic 400 100px 'Refgen Sans'",
    Face.SEMIBOLD: "600 100px 'Refgen Sans'",
    Face.SERIF: "600 100px 'Refgen Serif'",
}

PAIRS = [
    "To",
    "AV",
    "Vast",
    "Trait",
    "fi",
    "ff",
    "ffi",
    "after",
    "Difficulty",
    "L·l",
    "r.",
    "(j",
    "1/2",
    "−3",
    "±1",
]


@cache
def texts() -> list[str]:
    """Every text on our screens, once."""
    pieces = (piece for system in SYSTEMS for block in screen_blocks(system) for piece in block.pieces(""))
    return sorted({piece.text for piece in pieces if piece.text})


def misjudged(wanted: Sequence[str], face: Face, font: str = "", sheet: str = "") -> list[str]:
    """The texts that WeasyPrint sets wider or narrower than we say."""
    paragraphs = "".join(f"<p><span>{escape(text)}</span></p>" for text in wanted)
    style = f"span {{ white-space: pre; font: {font or STYLES[face]} }}"
    own = f'<link rel="stylesheet" href="{sheet}"/>' if sheet else ""
    head = f'<title>Widths</title><link rel="stylesheet" href="../assets/css/tokens.css"/>{own}<style>{style}</style>'
    pages = pages_of(f'<!doctype html><html lang="en"><head>{head}</head><body>{paragraphs}</body></html>')
    found = [
        (box.text, box.width / 100) for box in boxes_of(pages) if box.element_tag == "span" and hasattr(box, "text")
    ]
    assert [text for text, _ in found] == list(wanted)
    return [text for text, wide in found if abs(width(text, face) - wide) > 2e-4]


@pytest.mark.slow
@pytest.mark.parametrize("face", Face)
def test_every_text_of_our_screens_is_as_wide_as_weasyprint_sets_it(face: Face) -> None:
    """Each in one face, and what fonts set closer, or as one letter, than it would be letter by letter, in all."""
    assert misjudged([*PAIRS, *texts()[[*Face].index(face) :: len(Face)]], face) == []


@pytest.mark.soak
@pytest.mark.parametrize("face", Face)
def test_every_text_of_our_screens_in_every_face_is_as_wide_as_weasyprint_sets_it(face: Face) -> None:
    assert misjudged(texts(), face) == []


@pytest.mark.parametrize("face", Face)
def test_all_figures_are_equally_wide(face: Face) -> None:
    assert len({width(figure, face) for figure in "0123456789"}) == 1


def test_kerning_and_ligatures_make_letters_stand_closer() -> None:
    assert width("To", Face.REGULAR) < width("T", Face.REGULAR) + width("o", Face.REGULAR) - 0.05
    assert width("fi", Face.SERIF) < width("f", Face.SERIF) + width("i", Face.SERIF) - 0.03


def test_characters_that_a_font_lacks_are_named_once_in_order_and_guessed_wide() -> None:
    assert without_glyph("Fair ★ 漢 字 漢 −1", Face.REGULAR) == "漢字"
    assert without_glyph("Legendary: ±3, 1–2, ½ × “it’s”", Face.REGULAR) == ""
    assert width("漢字", Face.REGULAR) == 2
    assert width("a\u2060b", Face.REGULAR) == width("a", Face.REGULAR) + width("b", Face.REGULAR)


@pytest.mark.parametrize("face", Face)
def test_signs_that_games_use_come_with_refgen(face: Face) -> None:
    assert without_glyph("★☆ ♥♦♠♣ ⚔ ☠ ⚀⚁⚂⚃⚄⚅ ✓✗ ☀☾ ☂❄ ♔♞ ☐☑☒ ●○■□▲△", face) == ""
    assert without_glyph("⚡⚓", face) == "⚡⚓"  # which Pango takes from a font for emoji
    assert len(fonts()[SYMBOLS]) < 100_000


def pieces(text: str) -> list[str]:
    """The text, cut where its words start."""
    places = [width(text[: end + 1], Face.REGULAR) - width(text[end], Face.REGULAR) for end in range(len(text))]
    starts = [bisect_left(places, start - 1e-6) for start in breakable_text(text, Face.REGULAR).starts]
    return [text[start:end].strip(" ") for start, end in pairwise([*starts, len(text)])]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("fifty-fifty and/or 1/2", ["fifty-", "fifty", "and/", "or", "1/2"]),
        ("3d6-2 of 1–2 (or −3)", ["3d6-2", "of", "1–", "2", "(or", "−3)"]),
        ("now—or never", ["now", "—", "or", "never"]),
        ("50%, +1: “Fair”", ["50%,", "+1:", "“Fair”"]),
    ],
)
def test_lines_break_between_these(text: str, expected: list[str]) -> None:
    assert pieces(text) == expected


@pytest.mark.slow
def test_lines_break_where_pango_breaks_them() -> None:
    from weasyprint.text.line_break import get_log_attrs

    for text in texts():
        allowed = get_log_attrs(text, "en")
        cuts = [0, *(place for place in range(1, len(text)) if allowed[place].is_line_break), len(text)]
        assert pieces(text) == [text[start:end].strip(" ") for start, end in pairwise(cuts)], text


def obvious_lines(text: str, width: float) -> int:
    """Word by word: a word goes on the line when the line is not longer than the width with it."""
    measured = breakable_text(text, Face.REGULAR)
    count, begun = 0, 0.0
    for number, (start, end) in enumerate(zip(measured.starts, measured.ends, strict=True)):
        if number == 0 or end - begun > width + 1e-6:
            count, begun = count + 1, start
    return count


@pytest.mark.slow
def test_lines_are_counted_as_if_word_by_word() -> None:
    for text in texts():
        for ems in (3.3, 9.7, 17.1, 33.3):
            assert breakable_text(text, Face.REGULAR).lines(ems) == obvious_lines(text, ems), (text, ems)


def test_no_words_need_no_line_and_a_long_word_one_of_its_own() -> None:
    assert breakable_text(" ", Face.REGULAR).lines(10) == 0
    assert breakable_text("a Mediocre-looking b", Face.REGULAR).lines(1) == 4


@pytest.mark.slow
@pytest.mark.parametrize("face", Face)
def test_texts_in_the_fonts_of_a_look_are_as_wide_as_weasyprint_sets_them(face: Face, tmp_path: Path) -> None:
    """Letters of the font of text, figures of another font, and letters that only refgen's own font has."""
    fonts = 'text = "atkinson-hyperlegible"\nfigures = "source-serif"\ntitles = "atkinson-hyperlegible"\n'
    (tmp_path / "look.toml").write_text(f"[fonts]\n{fonts}")
    with in_look(find_look(tmp_path, None)):
        style = {Face.SERIF: "'Look Titles', 'Refgen Serif'"}.get(face, "'Look Text', 'Look Figures', 'Refgen Sans'")
        look = f"{STYLES[face].partition(chr(39))[0]}{style}"
        foreign = [] if face is Face.ITALIC else ["Жук is"]  # no italic font of refgen has Cyrillic letters
        wanted = [*PAIRS, "2 of 4", "3d6−2 or 18%", "18% or", *foreign]
        assert misjudged(wanted, face, look, "../assets/look/look.css") == []


def test_a_source_of_many_lines_has_the_height_of_these() -> None:
    source, room = "word " * 40, 400.0
    assert [footer_height(text, room, 7.5) for text in ("", "word", source)] == [FOOTER, FOOTER, FOOTER]
    lines = breakable_text(source, Face.REGULAR).lines(room / 12)
    assert lines > 2
    assert footer_height(source, room, 12) == pytest.approx(lines * 12 / MILLIMETRE - 1, abs=0.01)
