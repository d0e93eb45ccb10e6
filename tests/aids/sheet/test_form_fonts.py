"""The two fonts of a form, which of them a field names, and the appearances of fields.

What other programs make of these is in test_other_programs.py.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import replace
from importlib.resources import files

import pikepdf
import pytest
from fontTools.cffLib import CFFFontSet
from fontTools.pens.boundsPen import BoundsPen
from fontTools.ttLib import TTFont
from fontTools.ttLib.scaleUpem import scale_upem

from refgen.aids.sheet.form_fonts import is_simple, simple_font
from refgen.aids.sheet.job import SheetJob
from refgen.aids.sheet.kind import SheetKind
from refgen.characters.make_sheet import make_sheet
from refgen.characters.sheet import FieldKind
from refgen.files import bundled_folder
from refgen.game import SystemInfo, load_game
from refgen.layout.page_format import PageFormat
from refgen.look.fonts import BUNDLED
from refgen.look.look import Look, in_look
from tests.aids.sheet.sheets import book, calculating, fields, form, named, placed, ready, template
from tests.conftest import others_in_soak
from tests.look.tiny import tiny_font

ONE = "fudge-1995"

SIMPLE = ["", "Ada Brown", "Crème “brûlée” – €5…", "Ærøskøbing, Žižka", "one\ntwo", "\xa0\xad"]
OTHER = ["Żółw", "Ελένη", "Жук", "−2", "one\ntwo Ω", "\x7f"]


@pytest.mark.parametrize("text", SIMPLE)
def test_these_are_letters_of_the_simple_font(text: str) -> None:
    assert is_simple(text)


@pytest.mark.parametrize("text", OTHER)
def test_these_need_the_font_of_fields(text: str) -> None:
    assert not is_simple(text)


def bundled(name: str, units: int = 1000) -> bytes:
    """The regular face of a font that ships with refgen, with so many units an em."""
    package, regular, *_ = BUNDLED[name]
    font = TTFont(io.BytesIO((files(package) / "files" / regular).read_bytes()))
    if units != 1000:
        scale_upem(font, units)
    font.save(data := io.BytesIO())
    return data.getvalue()


def drawn(data: bytes, letter: str) -> tuple[float, ...]:
    """The width and the bounds of a letter in a font, in thousandths of an em; () if the font lacks the letter."""
    font = TTFont(io.BytesIO(data))
    if ord(letter) not in font.getBestCmap():
        return ()
    glyphs = font.getGlyphSet()
    glyph, pen = glyphs[font.getBestCmap()[ord(letter)]], BoundsPen(glyphs)
    glyph.draw(pen)
    return tuple(length * 1000 / font["head"].unitsPerEm for length in (glyph.width, *(pen.bounds or ())))


NAMES = {"A": "A", "’": "quoteright", "€": "Euro", "Ž": "Zcaron", "²": "twosuperior", "µ": "mu", "ÿ": "ydieresis"}
"""Letters of WinAnsiEncoding, and the names of their glyphs (ISO 32000-1, D.2)."""


@pytest.mark.slow
@pytest.mark.parametrize(("name", "units"), [("source-sans", 1000), ("atkinson-hyperlegible", 2048)])
def test_a_letter_of_the_simple_font_is_that_of_the_font(name: str, units: int) -> None:
    """Of fonts of both kinds: with cubic curves, and with quadratic curves and other units."""
    data = bundled(name, units)
    made, program = simple_font(name, data), CFFFontSet()
    program.decompile(io.BytesIO(made.program), None)
    glyphs = program.topDictIndex[0].CharStrings
    for letter, glyph in NAMES.items():
        pen = BoundsPen(glyphs)
        glyphs[glyph].draw(pen)
        found = (made.widths[letter.encode("cp1252")[0] - 0x20], *(pen.bounds or ()))
        assert found == pytest.approx(drawn(data, letter), abs=1)
        assert glyphs[glyph].width == found[0]


@pytest.mark.slow
def test_a_letter_that_the_font_lacks_is_left_out() -> None:
    font = TTFont(io.BytesIO(bundled("source-sans")))
    for table in font["cmap"].tables:
        table.cmap.pop(ord("€"), None)
    font.save(data := io.BytesIO())
    made = simple_font("without", data.getvalue())
    assert [made.widths["€".encode("cp1252")[0] - 0x20], made.widths[0x7F - 0x20]] == [0, 0]
    assert min(made.widths[b"a"[0] - 0x20], made.widths["Ž".encode("cp1252")[0] - 0x20]) > 0


def default_appearances(data: bytes) -> Mapping[str, str]:
    """The name of the font in which a value of each field is to be drawn."""
    with pikepdf.open(io.BytesIO(data)) as pdf:
        return {name: str(one.DA).split()[-3] for name, one in fields(pdf).items() if "/DA" in one}


@pytest.mark.slow
def test_a_field_names_the_simple_font_as_long_as_it_has_the_letters_of_its_value() -> None:
    assert set(default_appearances(template(ONE).form.base.data).values()) == {"/Latin"}
    values = {"who.concept": "Żółw", "gifts.1": "Crème", "gifts.2": "Ελένη", "notes": "one\ntwo Ж"}
    found = default_appearances(form(ONE, placed(ONE, named(ONE, "Ada Brown", values))))
    assert {name for name, font in found.items() if font == "/Fill"} == {"who.concept", "gifts.2", "notes"}


@pytest.mark.slow
@pytest.mark.parametrize("values", [{}, {"skills.1.skill": "Climbing", "skills.1.level": "Good"}])
def test_fields_that_a_viewer_calculates_name_the_font_that_has_a_minus(values: Mapping[str, str]) -> None:
    found = default_appearances(form(ONE, placed(ONE, named(ONE, "Ada", values)), calculates=True))
    computed = {box.name for box in calculating(ONE).boxes if box.field.kind is FieldKind.COMPUTED}
    assert {name for name, font in found.items() if font == "/Fill"} == computed


@pytest.mark.slow
@pytest.mark.parametrize("how", ["blank", "filled in", "a party"])
@pytest.mark.parametrize("system", others_in_soak([(ONE,)], [(ONE,), ("atari-isev",)]))
def test_each_field_to_write_in_has_an_appearance_of_its_own(system: str, how: str) -> None:
    placings = ready(system)
    data = {
        "blank": lambda: template(system).form.base.data,
        "filled in": lambda: form(system, placings[0]),
        "a party": lambda: book(system, placings, editable=True),
    }[how]()
    with pikepdf.open(io.BytesIO(data)) as pdf:
        notes = (note for page in pdf.pages for note in page.obj.get("/Annots", []))
        shown = [note.AP.N.objgen for note in notes if note.get("/FT") in ("/Tx", "/Ch")]
    assert len(shown) > 100
    assert len({*shown}) == len(shown)


@pytest.mark.slow
def test_print_holds_no_font_for_what_is_filled_in() -> None:
    with pikepdf.open(io.BytesIO(book(ONE, ready(ONE)))) as pdf:
        assert {str(font.get("/Subtype")) for page in pdf.pages for font in page.Resources.Font.values()} == {"/Type0"}


@pytest.mark.slow
def test_a_font_whose_features_put_another_glyph_for_a_figure_of_the_page_makes_a_form() -> None:
    """As Noto Sans CJK does for the 1 of "page 1 of 1", by ``locl``."""
    letters = map(chr, (*range(0x20, 0x7F), *range(0xA0, 0x180), 0x2212, 0x25CA))
    data = tiny_font(letters, "feature locl { sub uni0031 by one.local; } locl;", ["one.local"])
    fonts = dict.fromkeys(("Look-Text", "Look-Text-Italic", "Look-Text-Semi-Bold"), data)
    game = load_game(bundled_folder("content") / ONE)
    sheet = make_sheet(bundled_folder("content") / ONE, game)
    look = Look("tiny", fonts=fonts)
    with in_look(look):
        made = SheetJob(SheetKind.names, replace(SystemInfo.of(game), look=look), sheet, [PageFormat()]).make()
    assert (made.errors, made.mismatches) == ([], [])
