#!/usr/bin/env bash
# PDFium of pypdfium2 5.15.2 (PyPI): a minus sign that is typed into a form whose font has WinAnsiEncoding is not drawn.
#
# The field has the usual font of forms, Helvetica in WinAnsiEncoding, which lacks U+2212. "−2" is typed as a user types it.
# Seen: the value is "−2", the page shows the same dots as for "2", and nothing warns: a field that a script of the PDF
# calculates loses its sign in the same way. With "-2" (a hyphen) the dots are others.
# Seen with the DejaVu and URW fonts of Debian 12, which have the sign.
# This script fails where the behaviour is another.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/v"
"$folder/v/bin/python" -m pip install --quiet --disable-pip-version-check pypdfium2==5.15.2 pikepdf==10.18.0 pillow==13.0.0

cd "$folder" && v/bin/python - <<'PROGRAM'
import ctypes

import pikepdf
import pypdfium2
import pypdfium2.raw as pdfium
from pikepdf import Array, Dictionary, Name, String

pdf = pikepdf.new()
page = pdf.add_blank_page(page_size=(300, 100))
font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica, Encoding=Name.WinAnsiEncoding)
fonts = Dictionary(Font=Dictionary(Helv=font))
field = pdf.make_indirect(Dictionary(
    Type=Name.Annot, Subtype=Name.Widget, FT=Name.Tx, T=String("modifier"), V=String(""), F=4, Rect=[20, 40, 280, 60],
    DA=String("0 g /Helv 12 Tf"), P=page.obj,
))
page.obj.Annots = Array([field])
pdf.Root.AcroForm = pdf.make_indirect(Dictionary(Fields=Array([field]), DR=fonts, DA=String("0 g /Helv 12 Tf")))
pdf.save("form.pdf")


def typed(text: str) -> tuple[str, bytes]:
    """The value of the field, and the dots of the page, after a text is typed."""
    document = pypdfium2.PdfDocument("form.pdf")
    document.init_forms()
    opened, form = document[0], document.formenv.raw
    pdfium.FORM_OnLButtonDown(form, opened.raw, 0, 100, 50)
    pdfium.FORM_OnLButtonUp(form, opened.raw, 0, 100, 50)
    data = text.encode("utf-16-le") + b"\0\0"
    pdfium.FORM_ReplaceSelection(form, opened.raw, ctypes.cast(ctypes.create_string_buffer(data), pdfium.FPDF_WIDESTRING))
    pdfium.FORM_ForceToKillFocus(form)
    note = pdfium.FPDFPage_GetAnnot(opened.raw, 0)
    buffer = ctypes.create_string_buffer(100)
    size = pdfium.FPDFAnnot_GetFormFieldValue(form, note, ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)), 100)
    return buffer.raw[: size - 2].decode("utf-16-le"), opened.render(scale=2).to_pil().convert("L").tobytes()


(minus, seen_minus), (plain, seen_plain), (hyphen, seen_hyphen) = map(typed, ("\u22122", "2", "-2"))
print("pypdfium2", pypdfium2.version.PYPDFIUM_INFO, "values:", [minus, plain, hyphen], "−2 looks like 2:", seen_minus == seen_plain)
assert [minus, plain, hyphen] == ["\u22122", "2", "-2"]
assert seen_hyphen != seen_plain, "nothing was typed"
assert seen_minus == seen_plain, "PDFium draws the minus now"
PROGRAM
