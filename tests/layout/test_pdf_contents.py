"""What runs, leads away, hides a file or tells of the machine is told, wherever it stands in a PDF."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, String

from refgen.aids.sheet.growing_pdf import GrowingPdf
from refgen.aids.sheet.interactive import ACTION
from refgen.layout.pdf_objects import saved_pdf
from tests.layout.pdf_contents import PROGRAM, forbidden, is_ours

LINK = "https://example.invalid/"


def pdf_with(change: Callable[[Any], object] = lambda _: None, **information: str) -> bytes:
    """A PDF of a blank page, changed."""
    with pikepdf.new() as pdf:
        pdf.add_blank_page()
        change(pdf)
        with pdf.open_metadata(set_pikepdf_as_editor=False) as told:
            told["dc:title"] = "Blank"
        pdf.docinfo.update({f"/{key}": value for key, value in information.items()})
        data = io.BytesIO()
        pdf.save(data, deterministic_id=True, fix_metadata_version=False)
        return data.getvalue()


def noted(**entries: Any) -> Callable[[Any], object]:
    """A change: an annotation with these entries."""

    def change(pdf: Any) -> None:
        pdf.pages[0].Annots = Array([Dictionary(Type=Name.Annot, Rect=[0, 0, 9, 9], **entries)])

    return change


def linked(**entries: Any) -> Callable[[Any], object]:
    """A change: a link that does this."""
    return noted(Subtype=Name.Link, A=Dictionary(**entries))


def rooted(key: str, value: Any) -> Callable[[Any], object]:
    """A change: an entry of the catalog."""
    return lambda pdf: pdf.Root.__setitem__(key, value)


def stored(**entries: Any) -> Callable[[Any], object]:
    """A change: an object that nothing refers to."""
    return lambda pdf: pdf.Root.__setitem__("/Lang", pdf.make_indirect(Dictionary(**entries)))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (linked(S=Name.URI, URI=String("javascript:f()")), "a link to javascript:f()"),
        (linked(S=Name.URI, URI=String(f"{LINK}other")), f"a link to {LINK}other"),
        (linked(S=Name.JavaScript, JS=String("app.alert(1)")), "a script: app.alert(1)"),
        (linked(S=Name.Launch, F=String("a.exe")), "a file: a.exe"),
        (linked(S=Name.SubmitForm), "an action /SubmitForm"),
        (linked(S=Name.Named, N=Name.Print), "an action /Named"),
        (noted(Subtype=Name.FileAttachment), "/Annot of the kind /FileAttachment"),
        (rooted("/OpenAction", Array([])), "/OpenAction in /Catalog"),
        (rooted("/NewKind", Array([])), "/NewKind beside /AcroForm"),
        (rooted("/Names", Dictionary(EmbeddedFiles=Dictionary())), "/EmbeddedFiles beside /Dests"),
        (rooted("/AcroForm", Dictionary(XFA=String(""))), "/XFA beside /CO"),
        (stored(AA=Dictionary()), "/AA in "),
        (stored(Type=Name.Filespec), "/Filespec "),
        (stored(Type=Name.Font, Subtype=Name.Type3), "/Font of the kind /Type3"),
        (stored(T=String("/home/somebody")), "tells of somebody"),
        (stored(T=String("D:20260101")), "tells a time: D:20260101"),
        (rooted("/Lang", String("at 12:34:56")), "tells a time: at 12:34:56"),
    ],
    ids=lambda told: told if isinstance(told, str) else "",
)
def test_what_a_pdf_must_not_have_is_reported(change: Callable[[Any], object], told: str) -> None:
    assert told in forbidden(pdf_with(change), ["somebody"], links=[LINK])


def test_a_page_and_a_link_that_is_wanted_are_nothing_to_tell_of() -> None:
    assert forbidden(pdf_with(linked(S=Name.URI, URI=String(LINK))), ["somebody"], links=[LINK]) == []


def test_former_revisions_are_read_too() -> None:
    with pikepdf.open(io.BytesIO(pdf_with(stored(T=String("somebody"))))) as pdf:
        number, before, file = pdf.Root.Lang.objgen[0], saved_pdf(pdf), io.BytesIO()
    now = GrowingPdf(file, before)
    now.put(number, b"<<>>")
    now.finish()
    with pikepdf.open(file) as pdf:
        assert b"somebody" not in pdf.get_object(number, 0).unparse()
    assert forbidden(file.getvalue(), ["somebody"]) == ["tells of somebody"]


def test_metadata_tells_no_more_than_is_listed() -> None:
    assert forbidden(pdf_with(Keywords="secret")) == ["/Keywords beside /Author"]


@pytest.mark.parametrize(
    ("script", "ours"),
    [
        (ACTION, True),
        ('var refgenBeyond = {"a": "b"};', True),
        (PROGRAM + "\nWords.load({}); return new Calculation({}, {});\n})();", True),
        ("var refgenBeyond = {}; f({});", False),
        (PROGRAM + "\nWords.load({}); return new Calculation({}, f({}));\n})();", False),
        (ACTION + " ", False),
    ],
)
def test_scripts_are_ours_with_nothing_but_data(script: str, ours: bool) -> None:
    assert is_ours(script) is ours
