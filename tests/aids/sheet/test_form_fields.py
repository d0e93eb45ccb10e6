"""Every viewer and reader has the same values of a sheet with fields: pypdf, PDFium, poppler and qpdf.

Chromium's own viewer is in tests/browser/test_pdf.py.
"""

from __future__ import annotations

import ctypes
import io
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pypdf
import pypdfium2
import pypdfium2.raw as pdfium
import pytest
from PIL import Image, ImageChops

from refgen.aids.sheet.drawing import Placing
from tests.aids.sheet.sheets import book, form, picture, ready, texts
from tests.conftest import SYSTEMS, others_in_soak

pytestmark = pytest.mark.slow


def expected(placing: Placing) -> Mapping[str, str]:
    """The values of fields, as every reader is to have them."""
    return {**texts(placing)} | {box.name: "Yes" for box in placing.ticked}


def by_pypdf(data: bytes) -> Mapping[str, str]:
    fields = pypdf.PdfReader(io.BytesIO(data)).get_fields() or {}
    found = {name: str(field.get("/V", "")).removeprefix("/") for name, field in fields.items()}
    return {name: value for name, value in found.items() if value not in ("", "Off")}


def by_pdfium(data: bytes) -> Mapping[str, str]:
    found = {}
    with pypdfium2.PdfDocument(data) as document:
        document.init_forms()
        for page in document:
            for number in range(pdfium.FPDFPage_GetAnnotCount(page.raw)):
                annotation = pdfium.FPDFPage_GetAnnot(page.raw, number)
                name, value = (
                    _text(ask, document.formenv, annotation)
                    for ask in (pdfium.FPDFAnnot_GetFormFieldName, pdfium.FPDFAnnot_GetFormFieldValue)
                )
                if value not in ("", "Off"):
                    found[name] = value
                pdfium.FPDFPage_CloseAnnot(annotation)
    return found


def _text(ask: object, form_: object, annotation: object) -> str:
    buffer = ctypes.create_string_buffer(4096)
    length = ask(form_, annotation, ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)), 4096)  # type: ignore[operator]
    return buffer.raw[: max(length - 2, 0)].decode("utf-16-le")


@pytest.mark.parametrize("system", SYSTEMS)
def test_all_have_the_same_values(system: str, tmp_path: Path) -> None:
    for placing in ready(system):
        data = form(system, placing)
        assert by_pypdf(data) == expected(placing)
        assert by_pdfium(data) == expected(placing)


@pytest.mark.skipif(not shutil.which("pdftoppm"), reason="poppler is not installed")
@pytest.mark.parametrize("system", others_in_soak(["atari-isev"], SYSTEMS))
def test_poppler_shows_what_pdfium_shows(system: str, tmp_path: Path) -> None:
    """Both draw letters a little differently: pictures of a quarter of their size differ by less than half of black."""
    (placing, *_) = ready(system)
    path = tmp_path / "sheet.pdf"
    for data in (form(system, placing), book(system, [placing])):
        path.write_bytes(data)
        subprocess.run(["pdftoppm", "-r", "144", "-gray", path, tmp_path / "page"], check=True)
        for page, drawn in enumerate(sorted(tmp_path.glob("page-*.pgm"))):
            with Image.open(drawn) as found:
                one, other = found, picture(data, page)
                small = [each.resize((other.width // 4, other.height // 4)) for each in (one, other)]
            assert max(ImageChops.difference(*small).tobytes()) < 128
        text = subprocess.run(["pdftotext", "-layout", path, "-"], capture_output=True, text=True, check=True).stdout
        words = " ".join(text.split())
        assert [each.text for each in placing.written if each.lines == (each.text,) and each.text not in words] == []


@pytest.mark.skipif(not shutil.which("qpdf"), reason="qpdf is not installed")
@pytest.mark.parametrize("editable", [False, True], ids=["flattened", "editable"])
def test_qpdf_finds_nothing_wrong(editable: bool, tmp_path: Path) -> None:
    for system in SYSTEMS:
        for data in (book(system, ready(system), editable=editable), form(system, ready(system)[0])):
            (tmp_path / "sheet.pdf").write_bytes(data)
            found = subprocess.run(["qpdf", "--check", tmp_path / "sheet.pdf"], capture_output=True, text=True)
            assert found.returncode == 0, found.stderr
