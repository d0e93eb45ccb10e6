"""Pages as WeasyPrint lays them out with less work: the same PDF to the byte, nothing is fetched, no memory is kept."""

from __future__ import annotations

import ctypes
import gc
from typing import Any
from unittest.mock import patch

import pytest
import weasyprint
from weasyprint.css import get_all_computed_styles

from refgen.errors import RenderError
from refgen.layout.engine.pages import BASE_URL, ORIGIN, FileFetcher, PageHtml, load_fonts
from refgen.layout.templates import assets
from tests.layout.laid_out import pages_of, pdf_of

FORM = "<form><input name='a' value='b'/><select name='c'><option>d</option></select></form>"
XML = f"""<!DOCTYPE html><html lang="en"><head><title>Page</title>
<style>html {{ font-variant-numeric: tabular-nums }} p > b {{ color: red }} svg {{ display: block }}</style></head>
<body>
<h1>Heading</h1><p>Text<br/>on&#160;<b>two</b> lines &amp; more</p><ol><li>one</li><li>two</li></ol>
<svg viewBox="0 0 20 10" role="img"><title>A square</title><path d="M0 0h9v9h-9z"/><text x="3" y="9">4</text></svg>
<table><colgroup><col style="width: 9em"/></colgroup><tbody><tr><td>1</td></tr></tbody></table>
<div>
<p>A block <i>with</i>
<b>two</b> words</p>
</div>
{FORM}</body></html>"""
HTML = (
    "<!doctype html><html lang=en><title>Page</title><h1>Heading</h1><p>One<p>Two<br>lines<ul><li>and <q>this</q></ul>"
)
ODD = XML.replace("Text", "A form feed \f and a bell \a")


def page(html: str) -> PageHtml:
    return PageHtml(html, FileFetcher(assets()))


def written(html: weasyprint.HTML) -> bytes:
    return bytes(html.write_pdf(pdf_variant="pdf/ua-1", pdf_forms=True))


def test_pseudo_elements_have_no_styles_of_their_own() -> None:
    html = page("<ol><li>one<li>two</ol><p>Text")
    assert {pseudo for _, pseudo in styles_of(html)} == {None}


@pytest.mark.slow
@pytest.mark.parametrize("html", [XML, HTML, ODD], ids=["XML as well", "HTML alone", "control characters"])
def test_the_pdf_is_the_same(html: str) -> None:
    ours = html.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ')
    assert written(page(ours)) == written(weasyprint.HTML(string=html, base_url=BASE_URL))


def test_what_is_xml_as_well_is_read_as_xml() -> None:
    with patch.object(weasyprint.HTML, "__init__") as slow:
        page(XML)
        assert not slow.called
        page(HTML)
        assert slow.called


def styles_of(html: weasyprint.HTML) -> list[tuple[Any, str | None]]:
    return list(get_all_computed_styles(html, forms=True).get_computed_styles())


@pytest.mark.parametrize(
    "url", ["https://example.invalid/x.css", "file:///etc/passwd", f"{ORIGIN}../secret", "data:,x"]
)
def test_nothing_but_assets_is_fetched(url: str) -> None:
    with pytest.raises(ValueError, match="refgen loads nothing but its own assets"):
        FileFetcher(assets()).fetch(url)


@pytest.mark.parametrize(
    "link",
    [
        *("href='javascript:f()'", "href='JavaScript:f()'", "href='file:///etc/passwd'", "href='data:,x'"),
        *("href='ftp://example.invalid/'", "href='tel:1'", "href='rules.html'", "href='/rules.html'"),
        *("rel='attachment' href='../assets/css/tokens.css'", "rel='attachment' href='https://example.invalid/'"),
    ],
)
def test_a_link_that_a_pdf_must_not_have_is_an_error(link: str) -> None:
    with pytest.raises(RenderError, match="sheet-a4: a link leads to "):
        pages_of(f"<!doctype html><html lang=en><title>A page</title><p><a {link}>Words</a>", "sheet-a4")


def test_links_lead_to_places_of_the_page_and_to_sites_and_letters() -> None:
    links = "".join(f"<a href='{link}'>x</a>" for link in ("#place", "HTTPS://example.invalid/", "mailto:a@b.invalid"))
    assert pages_of(f"<!doctype html><html lang=en><title>A page</title><p id=place>{links}")


def test_fonts_go_without_a_complaint_of_pango(capfd: pytest.CaptureFixture[str]) -> None:
    """Whatever holds them; garbage is freed in any order."""
    fonts = load_fonts()
    fonts.itself = fonts
    del fonts
    gc.collect()
    assert capfd.readouterr().err == ""


LAYOUTS = 20
"""So many that what else a process takes meanwhile, some hundred kilobytes, does not matter."""

PAGE = "<!doctype html><html lang=en><title>A page</title><p>Words."


class _Allocated(ctypes.Structure):
    """What glibc says of its memory (mallinfo2): of ten numbers, that of the bytes in use."""

    _fields_ = [(name, ctypes.c_size_t) for name in (*"abcdefg", "in_use", *"hi")]


def taken() -> int:
    """The bytes that libraries in C hold."""
    library = ctypes.CDLL(None)
    if not hasattr(library, "mallinfo2"):
        pytest.skip("this C library does not say what it holds")
    library.mallinfo2.restype = _Allocated
    gc.collect()
    return int(library.mallinfo2().in_use)


@pytest.mark.slow
def test_a_layout_keeps_nothing() -> None:
    """Pango keeps the fonts of a layout that has gone, 230 kB, unless they are taken out of its hands."""
    for _ in range(2):  # what is made once
        pdf_of(PAGE)
    before = taken()
    for _ in range(LAYOUTS):
        pdf_of(PAGE)
    assert taken() - before < LAYOUTS * 50_000
