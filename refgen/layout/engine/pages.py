"""Pages that WeasyPrint lays out, and the places of parts and fields on the pages.

In: HTML of refgen's templates. Out: LaidOutPages. The templates mark each box that must hold its content with
``data-fit``, the whole panel or card with ``data-frame``, and blocks whose height is wanted with ``data-block``, all
with the number of the part; and form fields with their name (``data-field`` if a field is printed as text).

Two short cuts make a layout a third faster. HTML of refgen's templates is XML as well, and is read as XML: expat is
forty times faster than WeasyPrint's parser, which is written in Python. And the default style sheet of WeasyPrint has
no rules for pseudo-elements of every element (footnotes of CSS, markers of lists) and for boxes in the margins, since
WeasyPrint works out a style for each pseudo-element in every element of every page.
"""

from __future__ import annotations

import mimetypes
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import Any
from xml.etree import ElementTree

import weasyprint
from weasyprint.css.counters import CounterStyle
from weasyprint.formatting_structure.boxes import LineBox, TextBox
from weasyprint.html import UA, UA_STYLESHEET
from weasyprint.text.ffi import ffi, gobject, pangoft2
from weasyprint.text.fonts import FontConfiguration
from weasyprint.urls import URLFetcher, URLFetcherResponse

from refgen.errors import RenderError
from refgen.layout.engine import WITHIN, FieldPlace, LaidOutPage, PartBoxes, Rect

ORIGIN = "https://refgen.invalid/"
BASE_URL = f"{ORIGIN}system/"
"""The pretended address of a page, from which relative links lead to the files that the page may load (RFC 2606)."""

_LINKED = ("http:", "https:", "mailto:", WITHIN)
"""How the addresses begin to which a link may lead."""

_PSEUDO_ELEMENTS = re.compile(r"^::(?:(?:footnote|note)-[a-z]+|marker) *\{[^}]*\}$", re.MULTILINE)
_MARGIN_BOXES = re.compile(r"^ *@(?:footnote|note-area|(?:top|left|right|bottom)-[a-z-]+) *\{[^}]*\}$", re.MULTILINE)

_MEASURED = ("data-frame", "data-fit", "data-block")
"""The attributes of elements whose places are wanted."""

FIELDS = frozenset({"input", "select", "textarea"})
"""The elements that are fields of a form."""


def load_fonts() -> Any:
    """A font configuration whose fonts are freed when the configuration is freed."""

    def free(font_map: Any, at_the_end: Callable[[], bool] = sys.is_finalizing) -> None:
        """Take the fonts out of the map before it is freed: Pango keeps their memory, 230 kB for each layout."""
        if not at_the_end():
            pangoft2.pango_fc_font_map_set_config(ffi.cast("PangoFcFontMap *", font_map), ffi.NULL)
            gobject.g_object_unref(font_map)

    fonts = FontConfiguration()
    # The finalizer of WeasyPrint is removed: of two finalizers either might run first.
    ffi.gc(fonts.font_map, None)
    fonts.font_map = ffi.gc(fonts.font_map, free)
    return fonts


def lay_out(html: str, name: str, files: Mapping[str, bytes], fonts: Any) -> Sequence[LaidOutPage]:
    """The pages of a document called ``name``, which may load only ``files``.

    Raises RenderError for a link that a PDF must not have: such a link comes from a template of a project.
    """
    document = PageHtml(html, FileFetcher(files)).render(font_config=fonts, pdf_forms=True)
    for address in (address for page in document.pages for address in _refused_links(page)):
        hint = "On paper a link leads to an address with http:, https: or mailto:, or to a place on the pages (#id)."
        raise RenderError(f'{name}: a link leads to "{address}"', hint=hint)
    return [_measure_page(page, document) for page in document.pages]


def _refused_links(page: Any) -> Iterator[str]:
    """The addresses of links that run something, attach a file, or lead to a file that is not beside the PDF."""
    for kind, address, *_ in page.links:
        leads_out = kind == "external" and address.lower().startswith(_LINKED) and not address.startswith(ORIGIN)
        if kind != "internal" and not leads_out:
            yield address.removeprefix(ORIGIN)


class FileFetcher(URLFetcher):  # type: ignore[misc]
    """Serves files below ``ORIGIN`` by their paths, and refuses every other address."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        super().__init__()
        self._files = files

    def fetch(self, url: str, headers: dict[str, str] | None = None) -> Any:
        """The file at an address. Raises ValueError for an unknown address, which WeasyPrint reports as a warning."""
        del headers
        data = self._files.get(url.removeprefix(ORIGIN)) if url.startswith(ORIGIN) else None
        if data is None:
            raise ValueError(f"refgen loads nothing but its own assets, not {url}")
        kind = mimetypes.guess_type(url)[0] or "application/octet-stream"
        return URLFetcherResponse(url, data, {"Content-Type": kind})


class PageHtml(weasyprint.HTML):  # type: ignore[misc]
    """A page of refgen's templates, read as XML, with a shorter default style sheet."""

    def __init__(self, html: str, fetcher: URLFetcher) -> None:
        page = _read(html)
        if page is None:
            super().__init__(string=html, base_url=BASE_URL, url_fetcher=fetcher)
            return
        # These attributes are what WeasyPrint sets when it has read a page; it has no public way to take a tree.
        self.base_url, self.url_fetcher, self.media_type = BASE_URL, fetcher, "print"
        self.wrapper_element = weasyprint.cssselect2.ElementWrapper.from_html_root(page, content_language=None)
        self.etree_element = self.wrapper_element.etree_element

    # Without this method WeasyPrint would take its own style sheet: it has no public way to choose another.
    def _ua_stylesheets(self, forms: bool = False) -> list[Any]:
        return [_default_styles() if sheet is UA_STYLESHEET else sheet for sheet in super()._ua_stylesheets(forms)]


@cache
def _default_styles() -> Any:
    styles = _MARGIN_BOXES.sub("", _PSEUDO_ELEMENTS.sub("", UA))
    return weasyprint.CSS(string=styles, counter_style=CounterStyle())


def _read(html: str) -> Any:
    """The root element of a page; None for a page that is no XML, such as a page with control characters."""
    try:
        return ElementTree.fromstring(html)  # noqa: S314  # a page of refgen, in which all text is escaped
    except ElementTree.ParseError:
        return None


def _measure_page(page: Any, document: Any) -> LaidOutPage:
    """A page of WeasyPrint with the places of the marked elements."""
    frames: dict[int, Rect] = {}
    parts: dict[int, tuple[list[Any], list[float]]] = {}
    fields: dict[str, FieldPlace] = {}
    for element, box in _outermost_boxes(page):
        field = element.get("name") or element.get("data-field")
        if field and field not in fields:
            fields[field] = FieldPlace(_border_box(box), float(box.style["font_size"]))
        for attribute in _MEASURED:
            number = element.get(attribute)
            if number is None or not _is_placed(box):
                continue
            if attribute == "data-frame":
                frames[int(number)] = _content_box(box)
                continue
            boxes, blocks = parts.setdefault(int(number), ([], []))
            if attribute == "data-fit":
                boxes.append(box)
            else:
                blocks.append(float(box.height))
    measured = {number: _part(frames.get(number), *part) for number, part in parts.items()}
    return LaidOutPage(measured, fields, float(page.height), (page, document))


def _outermost_boxes(page: Any) -> Iterator[tuple[Any, Any]]:
    """Each element of a page with its outermost box, for which WeasyPrint has no public name."""
    for box in page._page_box.descendants(placeholders=True):
        element = box.element
        # Of the several boxes of an element, the outermost has the tag of the element.
        if element is not None and box.element_tag == element.tag:
            yield element, box


def _part(frame: Rect | None, boxes: Sequence[Any], blocks: Sequence[float]) -> PartBoxes:
    """The measures of a part: its frame, its boxes, and the space that content takes in the boxes."""
    overflow = fill = 0.0
    for box in boxes:
        right, bottom = _content_end(box)
        left, top = box.content_box_x(), box.content_box_y()
        overflow = max(overflow, right - left - box.width, bottom - top - box.height)
        fill = max(fill, (bottom - top) / box.height)
    return PartBoxes(overflow, fill, frame, tuple(map(_content_box, boxes)), tuple(blocks))


def _content_box(box: Any) -> Rect:
    return float(box.content_box_x()), float(box.content_box_y()), float(box.width), float(box.height)


def _border_box(box: Any) -> Rect:
    x, y, width, height = box.border_box_x(), box.border_box_y(), box.border_width(), box.border_height()
    return float(x), float(y), float(width), float(height)


def _content_end(box: Any) -> tuple[float, float]:
    """The right and the lower end of the content of a box."""
    right, bottom = box.content_box_x(), box.content_box_y()
    for inner in islice(box.descendants(placeholders=True), 1, None):
        if _is_placed(inner) and not _is_typed(inner):
            right = max(right, inner.position_x + inner.margin_left + inner.border_width())
            bottom = max(bottom, inner.position_y + inner.margin_top + inner.border_height())
    return float(right), float(bottom)


def _is_typed(box: Any) -> bool:
    """Whether a box is the text in a field: the PDF viewer shows that text, and WeasyPrint places it far outside."""
    return box.element_tag.partition("::")[0] in FIELDS and isinstance(box, LineBox | TextBox)


def _is_placed(box: Any) -> bool:
    return isinstance(getattr(box, "width", None), (int, float)) and isinstance(box.height, (int, float))
