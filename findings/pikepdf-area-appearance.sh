#!/usr/bin/env bash
# pikepdf 10.18.0 (PyPI): what ExtendedAppearanceStreamGenerator draws in a field of several lines is not printed by Ghostscript.
#
# Seen: the appearance of such a field has the entries /Type (XObject) and /Subtype (Form), strings where ISO 32000-1
# (8.10.2) wants the names /XObject and /Form. PDFium, poppler and MuPDF draw the appearance all the same; Ghostscript (here
# the one in @okathira/ghostpdl-wasm 1.1.0 of npm) leaves it out without a word, and draws the field of one line beside it.
# This script fails where the behaviour is another.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/v"
"$folder/v/bin/python" -m pip install --quiet --disable-pip-version-check pikepdf==10.18.0 pillow==13.0.0
cd "$folder" && npm init --yes >/dev/null && npm install --silent --no-audit --no-fund @okathira/ghostpdl-wasm@1.1.0

v/bin/python - <<'PROGRAM'
import pikepdf
from pikepdf import Array, Dictionary, Name, String
from pikepdf.form import ExtendedAppearanceStreamGenerator, Form

pdf = pikepdf.new()
page = pdf.add_blank_page(page_size=(300, 200))
font = pdf.make_indirect(Dictionary(
    Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica, Encoding=Name.WinAnsiEncoding, FirstChar=32, LastChar=126,
    Widths=Array([600] * 95), FontDescriptor=Dictionary(
        Type=Name.FontDescriptor, FontName=Name.Helvetica, Flags=32, FontBBox=[-166, -225, 1000, 931], ItalicAngle=0,
        Ascent=718, Descent=-207, CapHeight=718, StemV=88, Leading=0, MissingWidth=600,
    ),
))
fonts = Dictionary(Font=Dictionary(Helv=font))
fields = [
    pdf.make_indirect(Dictionary(
        Type=Name.Annot, Subtype=Name.Widget, FT=Name.Tx, Ff=flags, T=String(name), V=String(""), F=4, P=page.obj,
        Rect=[20, y, 280, y + 40], DA=String("0 g /Helv 12 Tf"),
    ))
    for name, y, flags in (("line", 140, 0), ("area", 40, 1 << 12))
]
page.obj.Annots = Array(fields)
pdf.Root.AcroForm = pdf.make_indirect(Dictionary(Fields=Array(fields), DR=fonts, DA=String("0 g /Helv 12 Tf")))
form = Form(pdf, ExtendedAppearanceStreamGenerator)
form["line"].value = form["area"].value = "Ada Brown"
pdf.save("filled.pdf")
shown = {str(field.T): repr(field.AP.N.get("/Subtype")) for field in page.obj.Annots}
print("pikepdf", pikepdf.__version__, "/Subtype:", shown)
assert isinstance(page.obj.Annots[1].AP.N.Subtype, pikepdf.String), "the subtype is a name now"
PROGRAM

cat >draw.mjs <<'PROGRAM'
import {readFileSync, writeFileSync} from "node:fs";
import load from "@okathira/ghostpdl-wasm";
const gs = await load();
gs.FS.writeFile("filled.pdf", readFileSync("filled.pdf"));
gs.callMain(["-q", "-dNOPAUSE", "-dBATCH", "-sDEVICE=pnggray", "-r72", "-sOutputFile=drawn.png", "filled.pdf"]);
writeFileSync("drawn.png", gs.FS.readFile("drawn.png"));
PROGRAM
node draw.mjs

v/bin/python - <<'PROGRAM'
from PIL import Image

picture = Image.open("drawn.png").convert("L")
darkest = {"line": min(picture.crop((20, 20, 280, 60)).tobytes()), "area": min(picture.crop((20, 120, 280, 160)).tobytes())}
print("darkest dot by Ghostscript:", darkest)
assert darkest["line"] < 100, "Ghostscript draws no field at all"
assert darkest["area"] == 255, "Ghostscript draws the area now"
PROGRAM
