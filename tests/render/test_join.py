"""Pages that are written one by one and joined are, to every reader, those that were written together."""

from __future__ import annotations

import io
from collections.abc import Iterator
from functools import cache
from typing import Any

import pikepdf
import pypdfium2
import pytest

from refgen.aids.gm_screen import screen_of_game
from refgen.aids.system_info import SystemInfo
from refgen.bundle import bundled
from refgen.render.assets import assets
from refgen.render.html import screen_html
from refgen.render.join import join
from refgen.render.pdf import layout, write
from refgen.render.screen.fit import fit_screen
from refgen.render.screen.panel_area import USUAL_FORMAT
from refgen.render.shared_fonts import FILES
from tests.conftest import game

FIRST, LAST = 1, 4
"""Some pages of a screen, with tables, folded tables, facts and a chart."""

pytestmark = pytest.mark.slow


@cache
def both() -> tuple[bytes, bytes, list[bytes]]:
    """Pages of a screen written together, the same joined, and one by one."""
    system = SystemInfo.of(game("interactive-history"))
    screen = screen_of_game(bundled("content") / "interactive-history", game("interactive-history"))
    chosen = type(screen)(screen.title, screen.panels[FIRST:LAST])
    html = fit_screen(lambda pages, _: screen_html(system, pages, USUAL_FORMAT), chosen, USUAL_FORMAT, "screen").html
    document = layout(html, "screen")
    pages = [write(document.copy([page]), "screen", f"{number}-") for number, page in enumerate(document.pages)]
    return write(document, "screen"), join(pages), pages


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
    assert {f"assets/fonts/{file}" for file in FILES.values()} == {name for name in assets() if name.endswith(".otf")}


def test_without_harfbuzz_pages_have_fonts_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object) -> bytes:
        raise OSError("libharfbuzz-subset.so.0")

    monkeypatch.setattr("refgen.render.shared_fonts._subset", missing)
    together, _, pages = both()
    joined = join(pages)
    assert len(joined) > len(together)
    with pypdfium2.PdfDocument(together) as one, pypdfium2.PdfDocument(joined) as other:
        texts = [[page.get_textpage().get_text_range() for page in pdf] for pdf in (one, other)]
    assert texts[0] == texts[1]
