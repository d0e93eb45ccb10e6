#!/usr/bin/env bash
# pypdf 7.1.0 (PyPI): fields that share a blank appearance all show the text of the last field that is filled in.
#
# Two text fields of one size refer to one empty appearance stream, as ISO 32000-1 allows of every indirect object.
# update_page_form_field_values is given "Ada" for the first field and "Bess" for the second. The values are right. Seen:
# pypdf writes each text into the stream that it finds, so that the page shows "Bess" twice, without a warning.
# This script installs pinned packages into a folder of its own, and fails where the behaviour is another.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/v"
"$folder/v/bin/python" -m pip install --quiet --disable-pip-version-check pypdf==7.1.0 pikepdf==10.17.0

cd "$folder" && v/bin/python - <<'PROGRAM'
import pikepdf
import pypdf
from pikepdf import Array, Dictionary, Name, String

pdf = pikepdf.new()
page = pdf.add_blank_page(page_size=(300, 200))
font = pdf.make_indirect(Dictionary(
    Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica, Encoding=Name.WinAnsiEncoding
))
fonts = Dictionary(Font=Dictionary(Helv=font))
blank = pdf.make_stream(b"/Tx BMC EMC", Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, 200, 20], Resources=fonts)
fields = [
    pdf.make_indirect(Dictionary(
        Type=Name.Annot, Subtype=Name.Widget, FT=Name.Tx, T=String(name), V=String(""), F=4, Rect=[20, y, 220, y + 20],
        DA=String("0 g /Helv 12 Tf"), AP=Dictionary(N=blank), P=page.obj,
    ))
    for name, y in (("first", 150), ("second", 100))
]
page.obj.Annots = Array(fields)
pdf.Root.AcroForm = pdf.make_indirect(Dictionary(Fields=Array(fields), DR=fonts, DA=String("0 g /Helv 12 Tf")))
pdf.save("form.pdf")

writer = pypdf.PdfWriter(clone_from="form.pdf")
writer.update_page_form_field_values(writer.pages[0], {"first": "Ada", "second": "Bess"}, auto_regenerate=False)
writer.write("filled.pdf")

with pikepdf.open("filled.pdf") as filled:
    values = [str(field.V) for field in filled.pages[0].Annots]
    shown = [field.AP.N.read_bytes() for field in filled.pages[0].Annots]
print("pypdf", pypdf.__version__, "values:", values, "shown:", [b"Ada" in each for each in shown], shown)
assert values == ["Ada", "Bess"]
assert [b"Bess" in each and b"Ada" not in each for each in shown] == [True, True], "pypdf draws each field by itself now"
PROGRAM
