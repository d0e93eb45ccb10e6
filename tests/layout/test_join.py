"""Pages that are written one by one and joined are, to every reader, those that were written together."""

from __future__ import annotations

import io
from collections.abc import Iterator
from functools import cache
from typing import Any

import pikepdf
import pypdfium2
import pytest

from refgen.aids.panels.job import estimate_panels, panels_html
from refgen.aids.panels.model import USUAL_FORMAT
from refgen.aids.screen.kind import screen_of_game
from refgen.errors import RenderError
from refgen.files import bundled_folder
from refgen.game import SystemInfo
from refgen.layout import engine, pdf_objects
from refgen.layout.engine import write, write_to_join
from refgen.layout.join import join
from refgen.layout.metrics import PDF_FONTS
from refgen.layout.templates import assets
from refgen.words import ENGLISH
from tests.conftest import game
from tests.layout.laid_out import pages_of

FIRST, LAST = 1, 4
"""Some pages of a screen, with tables, folded tables, facts and a chart."""

pytestmark = pytest.mark.slow


@cache
def both() -> tuple[bytes, bytes, list[bytes]]:
    """Pages of a screen written together, the same joined, and one by one."""
    system = SystemInfo.of(game("interactive-history"))
    screen = screen_of_game(bundled_folder("content") / "interactive-history", game("interactive-history"))
    chosen = type(screen)(screen.title, screen.panels[FIRST:LAST])
    estimated, _, _ = estimate_panels(chosen, USUAL_FORMAT, ENGLISH)
    laid_out = pages_of(panels_html(system, "gm-screen", estimated, USUAL_FORMAT))
    pages = [write_to_join([page], "screen", f"{number}-") for number, page in enumerate(laid_out)]
    return write(laid_out, "screen"), join(pages), pages


@pytest.fixture
def pdfs() -> Iterator[tuple[pikepdf.Pdf, pikepdf.Pdf]]:
    together, joined, _ = both()
    with pikepdf.open(io.BytesIO(together)) as one, pikepdf.open(io.BytesIO(joined)) as other:
        yield one, other


def test_they_look_the_same_and_say_the_same() -> None:
    together, joined, pages = both()
    with pypdfium2.PdfDocument(together) as one, pypdfium2.PdfDocument(joined) as other:
        assert len(one) == len(other) == len(pages)
        for page, same in zip(one, other, strict=True):
            assert page.render(scale=2).to_pil().tobytes() == same.render(scale=2).to_pil().tobytes()
            assert page.get_textpage().get_text_range() == same.get_textpage().get_text_range()


def test_the_same_pages_give_the_same_bytes() -> None:
    _, joined, pages = both()
    assert join(pages) == joined


def element(of: Any) -> Any:
    """An element of the structure tree and all in it; ids have the number of their page in front when joined."""
    if not isinstance(of, pikepdf.Dictionary):
        return int(of)
    headers = of.A.get("/Headers", ()) if "/A" in of else ()
    kids = [element(kid) for kid in of.get("/K", ())]
    return str(of.S), str(of.get("/Alt", "")), len(headers), "/ID" in of, kids


def test_they_have_the_same_tags(pdfs: tuple[pikepdf.Pdf, pikepdf.Pdf]) -> None:
    one, other = (element(pdf.Root.StructTreeRoot.K[0]) for pdf in pdfs)
    assert one == other


def test_each_piece_of_content_leads_to_its_tag(pdfs: tuple[pikepdf.Pdf, pikepdf.Pdf]) -> None:
    one, other = (pdf.Root.StructTreeRoot.ParentTree.Nums for pdf in pdfs)
    assert [len(part) for part in one[1::2]] == [len(part) for part in other[1::2]]
    for number, page in enumerate(pdfs[1].pages):
        assert page.StructParents == other[2 * number] == number
        assert {owner.Pg.objgen for owner in other[2 * number + 1]} == {page.obj.objgen}
        assert all(place in map(int, owner.K) for place, owner in enumerate(other[2 * number + 1]))


def test_every_header_that_a_cell_names_is_there_once(pdfs: tuple[pikepdf.Pdf, pikepdf.Pdf]) -> None:
    names = pdfs[1].Root.StructTreeRoot.IDTree.Names
    ids = [bytes(name) for name in names[::2]]
    assert ids == sorted(set(ids))
    assert all(bytes(owner.ID) == name for name, owner in zip(ids, names[1::2], strict=True))
    assert len(ids) == len(pdfs[0].Root.StructTreeRoot.IDTree.Names[::2])
    cells = [cell for cell in pdfs[1].objects if isinstance(cell, pikepdf.Dictionary) and cell.get("/S") == "/TD"]
    assert {bytes(header) for cell in cells for header in cell.A.Headers} <= set(ids)


def bookmarks(pdf: pikepdf.Pdf) -> Any:
    def of(items: Any) -> Any:
        return [
            (item.title, pdf.pages.index(pikepdf.Page(item.destination[0])), item.destination[2:4], of(item.children))
            for item in items
        ]

    with pdf.open_outline() as outline:
        return repr(of(outline.root))


def test_they_have_the_same_bookmarks_places_and_properties(pdfs: tuple[pikepdf.Pdf, pikepdf.Pdf]) -> None:
    one, other = pdfs
    assert bookmarks(one) == bookmarks(other)
    assert one.Root.Outlines.Count == other.Root.Outlines.Count
    places = [pdf.Root.Names.Dests.Names for pdf in pdfs]
    assert list(map(str, places[0][::2])) == list(map(str, places[1][::2]))
    assert [one.pages.index(pikepdf.Page(place[0])) for place in places[0][1::2]] == [
        other.pages.index(pikepdf.Page(place[0])) for place in places[1][1::2]
    ]
    assert dict(one.docinfo) == dict(other.docinfo)
    assert one.Root.Metadata.read_bytes() == other.Root.Metadata.read_bytes()
    assert one.Root.Lang == other.Root.Lang


def fonts(pdf: pikepdf.Pdf) -> dict[str, Any]:
    """What is said of each font."""
    return {
        str(font.BaseFont): (
            [[int(width) for width in part] if isinstance(part, pikepdf.Array) else int(part) for part in own.W],
            sorted(font.ToUnicode.read_bytes().partition(b"endcodespacerange")[2].split(b"\n")),
            own.FontDescriptor.FontFile3.read_bytes(),
        )
        for page in pdf.pages
        for font in page.Resources.Font.values()
        for own in font.DescendantFonts
    }


def test_of_each_font_there_is_one_as_if_written_together(pdfs: tuple[pikepdf.Pdf, pikepdf.Pdf]) -> None:
    one, other = map(fonts, pdfs)
    assert one == other
    files = [
        font for font in pdfs[1].objects if isinstance(font, pikepdf.Stream) and font.get("/Subtype") == "/OpenType"
    ]
    assert len(files) == len(one)


def test_all_fonts_of_ours_can_be_shared() -> None:
    assert {f"assets/fonts/{file}" for file in PDF_FONTS.values()} == {
        name for name in assets() if name.startswith("assets/fonts/")
    }


def test_pages_to_be_joined_have_none_of_our_fonts() -> None:
    for page in both()[2]:
        with pikepdf.open(io.BytesIO(page)) as pdf:
            assert {one[2] for one in fonts(pdf).values()} == {b"OTTO"}


def test_without_harfbuzz_it_is_told_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_missing_library", lambda: "HarfBuzz with hb-subset")
    pdf_objects._subset.cache_clear()
    with pytest.raises(RenderError, match="there is no HarfBuzz with hb-subset, so that no PDF can be made"):
        join(both()[2])


PLACES = """<!doctype html><html lang=en><title>Places</title><style>section { break-after: page }</style>
<section><h2 id=one>One</h2><p><a href="within:two">the second</a>
<a href="within:caf%C3%A9">caf\u00e9</a></section>
<section><h3>Below</h3><h1 id=two>Two</h1></section><section><h3 id=caf\u00e9>Skipped</h3><h2>Last</h2></section>"""


def places() -> list[bytes]:
    """Three pages, the first of which has links to both others."""
    return [write_to_join([page], "places", f"{number}-") for number, page in enumerate(pages_of(PLACES))]


def test_links_lead_to_places_on_other_pages_and_are_described_by_their_words() -> None:
    with pikepdf.open(io.BytesIO(join(places()))) as pdf:
        names: Any = pdf.Root.Names.Dests.Names
        there = {
            str(name): pdf.pages.index(pikepdf.Page(place[0]))
            for name, place in zip(names[::2], names[1::2], strict=True)
        }
        assert there == {"one": 0, "two": 1, "caf\u00e9": 2}
        links = list(pdf.pages[0].Annots)
        assert [str(link.Dest) for link in links] == ["two", "caf\u00e9"]
        assert [str(link.Contents) for link in links] == ["the second", "caf\u00e9"]
        assert not any("/A" in link for link in links)


def test_a_link_to_a_place_that_is_not_there_is_an_error() -> None:
    first, second, _ = places()
    with pytest.raises(RenderError, match='a link leads to "caf\u00e9", which is on no page'):
        join([first, second])


def test_bookmarks_stand_under_the_last_of_a_higher_level() -> None:
    def of(items: Any) -> Any:
        return [(item.title, of(item.children)) for item in items]

    with pikepdf.open(io.BytesIO(join(places()))) as pdf, pdf.open_outline() as outline:
        assert of(outline.root) == [("One", [("Below", [])]), ("Two", [("Skipped", []), ("Last", [])])]
        assert pdf.Root.Outlines.Count == 5
