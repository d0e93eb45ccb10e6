"""All objects of a PDF, looked through for what runs, leads away, hides a file, or tells of the machine.

In: the bytes of a PDF. Out: what is there of that kind, in words; nothing for a PDF as refgen promises it. All
revisions are read, and objects that nothing refers to as well. What a trailer, a catalog, a form and metadata may have
is listed, so that a kind of content that nobody thought of is told too.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Collection, Iterator
from typing import Any

import pikepdf
from lxml import etree
from pikepdf import Array, Dictionary, Name, Stream, String

from refgen.aids.sheet.interactive import ACTION, PDF_SCRIPTS
from refgen.files import bundled_folder

TRAILER = {"/DecodeParms", "/Filter", "/ID", "/Index", "/Info", "/Length", "/Prev", "/Root", "/Size", "/Type", "/W"}
CATALOG = {
    *("/AcroForm", "/Lang", "/MarkInfo", "/Metadata", "/Names", "/Outlines", "/OutputIntents", "/PageMode", "/Pages"),
    *("/StructTreeRoot", "/Type", "/ViewerPreferences"),
}
FORM = {"/CO", "/DA", "/DR", "/Fields", "/NeedAppearances"}
NAMES = {"/Dests", "/JavaScript"}
INFORMATION = {"/Author", "/Creator", "/Producer", "/Subject", "/Title"}
"""The entries that some dictionaries may have."""

XMP = {
    *("{http://purl.org/dc/elements/1.1/}" + name for name in ("creator", "description", "title")),
    *("{http://www.aiim.org/pdfa/ns/id/}" + name for name in ("conformance", "part")),
    *("{http://ns.adobe.com/pdf/1.3/}Producer", "{http://ns.adobe.com/xap/1.0/}CreatorTool"),
    *("{http://www.aiim.org/pdfua/ns/id/}part", "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}about"),
}
"""What the metadata may say."""

SUBTYPES = {
    "/Annot": {"/Link", "/Widget"},
    "/XObject": {"/Form", "/Image"},
    "/Font": {"/CIDFontType0", "/CIDFontType2", "/Type0", "/Type1"},
}
"""The kinds of annotations, of external objects and of fonts (a font of Type 3 is a program)."""

REFUSED = {
    *("/AA", "/AF", "/AlternatePresentations", "/Collection", "/CreationDate", "/EF", "/EmbeddedFiles", "/Encrypt"),
    *("/FFilter", "/FS", "/IDS", "/LastModified", "/M", "/ModDate", "/OPI", "/OpenAction", "/Perms", "/PieceInfo"),
    *("/PresSteps", "/RF", "/Ref", "/Renditions", "/Requirements", "/RichMediaContent", "/Threads", "/URLS", "/XFA"),
}
"""Entries that no dictionary may have: actions, files, programs, times."""

TYPES = {"/Action", "/EmbeddedFile", "/Filespec", "/Rendition", "/Sig"}
ACTIONS = {
    *("/GoTo", "/GoTo3DView", "/GoToDp", "/GoToE", "/GoToR", "/Hide", "/ImportData", "/JavaScript", "/Launch"),
    *("/Movie", "/Named", "/Rendition", "/ResetForm", "/RichMediaExecute", "/SetOCGState", "/Sound", "/SubmitForm"),
    *("/Thread", "/Trans", "/URI"),
}
"""The types of dictionaries and of actions of which there are none, but links and scripts that are allowed."""

TIME = re.compile(r"D:\d{4}|\d{4}-\d\d-\d\dT\d\d|\d\d:\d\d:\d\d")

_FILES = ((bundled_folder("templates") / name).read_text("utf-8") for name in PDF_SCRIPTS)
PROGRAM = "\n".join(["var refgenSheet = (function () {", *_FILES]).encode("ascii", "backslashreplace").decode()
"""The script of --calculate, without its data."""

DATA = re.compile(
    rf"var refgenBeyond = (\{{.*\}});|{re.escape(PROGRAM)}\nWords\.load\((\{{.*?\}})\); "
    r"return new Calculation\((\{.*\}), (\{.*?\})\);\n\}\)\(\);"
)
"""The two scripts with their data, which is JSON."""


def forbidden(
    data: bytes, machine: Collection[str] = (), *, links: Collection[str] = (), calculates: bool = False
) -> list[str]:
    """What a PDF has besides pages: names of the ``machine``; links out of it but ``links``; scripts but ours."""
    found: list[str] = []
    for revision in _revisions(data):
        with pikepdf.open(io.BytesIO(revision)) as pdf:
            found += [*_listed(pdf), *_metadata(pdf)]
            for value in _values(pdf):
                if isinstance(value, Dictionary | Stream):
                    found += _entries(value, links, calculates)
                if isinstance(value, Stream | String):
                    told = _bytes(value)
                    found += [f"tells of {name}" for name in machine if name.encode() in told]
                if isinstance(value, String) and TIME.search(str(value)):
                    found.append(f"tells a time: {value}")
    return list(dict.fromkeys(found))


def _bytes(value: Any) -> bytes:
    """What a string or a stream says; a photograph as it is stored, with the notes of a camera."""
    if isinstance(value, String):
        return str(value).encode()
    is_photograph = value.get("/Filter") == Name.DCTDecode
    return bytes(value.read_raw_bytes() if is_photograph else value.read_bytes())


def _revisions(data: bytes) -> Iterator[bytes]:
    """The PDF as it is, and as it was before each part was appended."""
    return (data[: end.end()] for end in re.finditer(rb"startxref\s+\d+\s+%%EOF\s*", data))


def _values(pdf: pikepdf.Pdf) -> Iterator[Any]:
    """All dictionaries, streams, arrays and strings."""
    waiting: list[Any] = [*pdf.objects, pdf.trailer]
    while waiting:
        value = waiting.pop()
        yield value
        if isinstance(value, Dictionary | Stream):
            waiting += [kid for _, kid in value.items() if not getattr(kid, "is_indirect", True)]
        elif isinstance(value, Array):
            waiting += [kid for kid in value if not getattr(kid, "is_indirect", True)]


def _listed(pdf: pikepdf.Pdf) -> Iterator[str]:
    root: Any = pdf.Root
    form, names = root.get("/AcroForm", Dictionary()), root.get("/Names", Dictionary())
    for entries, known in (
        *((pdf.trailer, TRAILER), (root, CATALOG), (pdf.docinfo, INFORMATION)),
        *((form, FORM), (names, NAMES)),
    ):
        yield from (f"{key} beside {min(known)}" for key in {*entries.keys()} - known)


def _metadata(pdf: pikepdf.Pdf) -> Iterator[str]:
    told = pdf.Root.Metadata.read_bytes()
    for description in etree.fromstring(told).iter("{http://www.w3.org/1999/02/22-rdf-syntax-ns#}Description"):
        names = [*(str(kid.tag) for kid in description), *map(str, description.attrib)]
        yield from (f"{name} in the metadata" for name in names if name not in XMP)
    yield from (f"the metadata tells a time: {time}" for time in TIME.findall(told.decode()))


def _entries(value: Any, links: Collection[str], calculates: bool) -> Iterator[str]:
    kind, subtype, does = (str(value.get(key, "")) for key in ("/Type", "/Subtype", "/S"))
    yield from (f"{key} in {kind}" for key in sorted(REFUSED & {*value.keys()} - ({"/AA"} if calculates else set())))
    if subtype not in SUBTYPES.get(kind, {subtype}):
        yield f"{kind} of the kind {subtype}"
    if isinstance(value.get("/F"), String | Dictionary):
        yield f"a file: {value.F}"
    if "/URI" in value:
        if str(value.URI) not in links:
            yield f"a link to {value.URI}"
    elif "/JS" in value:
        script = value.JS.read_bytes().decode() if isinstance(value.JS, Stream) else str(value.JS)
        if not (calculates and is_ours(script)):
            yield f"a script: {script[:80]}"
    elif kind in TYPES or does in ACTIONS:
        yield f"{kind or 'an action'} {does}"


def is_ours(script: str) -> bool:
    """Whether a script is one of --calculate: its action, its values, or its program, with nothing but data."""
    if found := DATA.fullmatch(script):
        return all(isinstance(json.loads(data), dict) for data in found.groups() if data)
    return script == ACTION
