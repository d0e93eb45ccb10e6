"""Sheets filled in by other programs: each field has what was filled in, in letters that every viewer draws."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import pikepdf
import pypdf
import pytest
from pikepdf.form import DefaultAppearanceStreamGenerator, ExtendedAppearanceStreamGenerator, Form
from PIL import Image, ImageChops

from refgen.aids.sheet.fields import FieldBox, letters
from tests.aids.sheet.sheets import book, fields, form, named, picture, placed, template
from tests.conftest import others_in_soak

ONE = "fudge-1995"


def blank_form() -> bytes:
    return template(ONE).form.base.data


Texts = Mapping[str, str]

TEXTS = {
    "who.name": "Ada Brown",
    "who.concept": "Bess",
    "gifts.1": "Ada",
    "gifts.2": "Bess",
    "gifts.3": "Crème “brûlée” – €5",
    "skills.1.level": "Good",
    "skills.1.odds": "92%",
    "weapons-and-armor.1.bonus": "+2",
    "notes": "Bess was here",
}
"""What is filled in: in fields of the same size, in a list, in a computed field, in an area."""


def by_pypdf(blank: Path, filled: Path, texts: Texts) -> None:
    writer = pypdf.PdfWriter(clone_from=blank)
    for page in writer.pages:
        writer.update_page_form_field_values(page, dict(texts), auto_regenerate=False)
    writer.write(filled)


def by_pikepdf(blank: Path, filled: Path, texts: Texts, generator: Any = DefaultAppearanceStreamGenerator) -> None:
    with pikepdf.open(blank) as pdf:
        made = Form(pdf, generator)
        for name, text in texts.items():
            made[name].value = text
        pdf.save(filled)


def by_pikepdf_with_lines(blank: Path, filled: Path, texts: Texts) -> None:
    by_pikepdf(blank, filled, texts, ExtendedAppearanceStreamGenerator)


def by_qpdf(blank: Path, filled: Path, texts: Texts) -> None:
    """qpdf draws what pikepdf has written as values, and takes boxes for what they are."""
    with pikepdf.open(blank) as pdf:
        found = fields(pdf)
        for name, text in texts.items():
            found[name].V = pikepdf.String(text)
        for one in found.values():
            if one.FT == "/Btn":
                one.V = one.AS = pikepdf.Name.Yes
        pdf.Root.AcroForm.NeedAppearances = True
        pdf.save(filled)
    subprocess.run(["qpdf", "--generate-appearances", "--replace-input", filled], check=True, capture_output=True)


def by_pdftk(blank: Path, filled: Path, texts: Texts) -> None:
    told = filled.with_suffix(".xfdf")
    head = '<?xml version="1.0" encoding="UTF-8"?><xfdf xmlns="http://ns.adobe.com/xfdf/">'
    told.write_text(f"{head}<fields>{_xfdf(texts)}</fields></xfdf>", encoding="utf-8")
    subprocess.run(["pdftk", blank, "fill_form", told, "output", filled], check=True, capture_output=True)


def _xfdf(texts: Texts) -> str:
    """Fields in XFDF, in their groups."""
    groups: dict[str, dict[str, str]] = {}
    for name, text in texts.items():
        first, _, rest = name.partition(".")
        groups.setdefault(first, {})[rest] = text
    inner = ((name, f"<value>{escape(own[''])}</value>" if "" in own else _xfdf(own)) for name, own in groups.items())
    return "".join(f'<field name="{name}">{kids}</field>' for name, kids in inner)


def seen_by_pdfium(path: Path) -> Image.Image:
    made: Image.Image = picture(path.read_bytes(), 0)
    return made


def seen_by(*command: str) -> Callable[[Path], Image.Image]:
    """The first page as a program draws it, in grey, given the command without the names of the files."""

    def seen(path: Path) -> Image.Image:
        made = path.with_suffix(".png")
        words = [word.replace("{pdf}", str(path)).replace("{png}", str(made)) for word in command]
        subprocess.run(words, check=True, capture_output=True)
        with Image.open(made) as found:
            return found.convert("L")

    return seen


GHOSTSCRIPT = "gs -q -dNOPAUSE -dBATCH -sDEVICE=pnggray -r144 -dTextAlphaBits=4 -dLastPage=1 -sOutputFile={png} {pdf}"
MUTOOL = "mutool draw -q -r 144 -o {png} {pdf} 1"
VIEWERS = {
    "pdfium": seen_by_pdfium,
    "poppler": seen_by("sh", "-c", "pdftoppm -r 144 -gray -png -singlefile '{pdf}' > '{png}'"),
    "mutool": seen_by(*MUTOOL.split()),
    "gs": seen_by(*GHOSTSCRIPT.split()),
}
FILLERS = {
    "pypdf": by_pypdf,
    "pikepdf": by_pikepdf,
    "pikepdf with lines": by_pikepdf_with_lines,
    "qpdf": by_qpdf,
    "pdftk": by_pdftk,
}
PROGRAMS = {"poppler": "pdftoppm", **{name: name for name in ("mutool", "gs", "qpdf", "pdftk")}}
"""The programs that are not there on every machine."""


def skip_without(*names: str) -> None:
    """Skip the test where a program is not installed."""
    for program in (PROGRAMS[name] for name in names if name in PROGRAMS):
        if not shutil.which(program):
            pytest.skip(f"{program} is not installed")


UNSEEN = {("pikepdf with lines", "gs"): "notes"}
"""pikepdf writes the type of the appearance of an area as a string, no name: Ghostscript draws none of it."""

IN_ALL_TESTS = [
    (filler, viewer) for filler in FILLERS for viewer in VIEWERS if not {filler, viewer} & {"pdftk", "mutool", "gs"}
]


def in_font_of_fields(path: Path) -> Path:
    """The same PDF with the values of fields in the same places in the font of fields, in which refgen draws."""
    made = path.with_name("in-font-of-fields.pdf")
    with pikepdf.open(path) as pdf:
        for name, one in fields(pdf).items():
            if name in TEXTS:
                shown = one.AP.N
                shown.write(pikepdf.unparse_content_stream([*_in_font_of_fields(shown)]))
                shown.Resources = pdf.pages[0].Resources
        pdf.save(made)
    return made


def _in_font_of_fields(shown: Any) -> Iterator[tuple[list[Any], Any]]:
    step: Any
    for step in pikepdf.parse_content_stream(shown):
        operands, operator = list(step[0]), step[1]
        if str(operator) == "Tf":
            assert shown.Resources.Font[str(operands[0])].Subtype == "/Type1"
            operands[0] = pikepdf.Name.Fill
        elif str(operator) == "Tj":
            operands = [_glyphs(operands[0])]
        elif str(operator) == "TJ":
            operands = [pikepdf.Array(map(_glyphs, operands[0]))]
        yield operands, operator


def _glyphs(text: Any) -> pikepdf.String:
    found = (letters()[letter].glyph.to_bytes(2, "big") for letter in bytes(text).decode("cp1252"))
    return pikepdf.String(b"".join(found))


def inside(box: FieldBox) -> tuple[int, int, int, int]:
    """The inside of a field on the picture of its page, two dots a point."""
    top = template(ONE).form.base.pages[box.page].height - box.bottom - box.height
    left, right, top, bottom = (round(2 * at) for at in (box.left, box.left + box.width, top, top + box.height))
    return left + 3, top + 3, right - 3, bottom - 3


@pytest.mark.slow
@pytest.mark.parametrize(("filler", "viewer"), others_in_soak(IN_ALL_TESTS, product(FILLERS, VIEWERS)))
def test_what_a_program_fills_in_is_seen_in_each_field(filler: str, viewer: str, tmp_path: Path) -> None:
    """Letter for letter as in the font of fields; nothing of it is seen in a field that stayed blank."""
    skip_without(filler, viewer)
    blank, filled, see = tmp_path / "blank.pdf", tmp_path / "filled.pdf", VIEWERS[viewer]
    blank.write_bytes(blank_form())
    FILLERS[filler](blank, filled, TEXTS)
    before, after, wanted = see(blank), see(filled), see(in_font_of_fields(filled))
    assert max(ImageChops.difference(after, wanted).tobytes()) < 64
    changed, shown = ImageChops.difference(before, after), {*TEXTS} - {UNSEEN.get((filler, viewer))}
    for box in template(ONE).boxes:
        if box.page == 0 and not box.is_box:
            assert (max(changed.crop(inside(box)).tobytes()) > 100) is (box.name in shown), box.name


def seen_words(path: Path) -> set[str]:
    """The words of a PDF as poppler draws it, with those of its fields."""
    done = subprocess.run(["pdftotext", "-layout", path, "-"], capture_output=True, encoding="utf-8", check=True)
    return {*done.stdout.split()}


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("pdftotext"), reason="poppler is not installed")
@pytest.mark.parametrize("filler", others_in_soak(["pypdf"], ["pypdf", "pikepdf", "qpdf", "pdftk"]))
@pytest.mark.parametrize("merged", [False, True], ids=["a sheet", "the sheets of a party"])
def test_fields_of_the_same_size_keep_their_own_texts(filler: str, merged: bool, tmp_path: Path) -> None:
    party = [placed(ONE, named(ONE, name)) for name in ("Orlin", "Wren")]
    groups = ("orlin.", "wren.") if merged else ("",)
    own = {f"{group}gifts.{number}": f"{group}{number}" for group in groups for number in range(1, 7)}
    (tmp_path / "blank.pdf").write_bytes(book(ONE, party, editable=True) if merged else blank_form())
    skip_without(filler)
    FILLERS[filler](tmp_path / "blank.pdf", tmp_path / "filled.pdf", own)
    assert seen_words(tmp_path / "filled.pdf") >= {*own.values()}


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("pdftotext"), reason="poppler is not installed")
def test_letters_of_three_scripts_are_filled_in_where_such_letters_were(tmp_path: Path) -> None:
    values = {"who.concept": "Żółw", "gifts.1": "Ελένη", "gifts.2": "Жук"}
    (tmp_path / "blank.pdf").write_bytes(form(ONE, placed(ONE, named(ONE, "Ada", values))))
    own = {"who.concept": "Źródło", "gifts.1": "Ωμέγα", "gifts.2": "Ёжик", "gifts.3": "Ada"}
    by_pypdf(tmp_path / "blank.pdf", tmp_path / "filled.pdf", own)
    assert seen_words(tmp_path / "filled.pdf") >= {*own.values()}
