"""The door to WeasyPrint: the one package that imports WeasyPrint, pydyf or cssselect2, or calls Pango.

In: HTML of refgen's templates, and the files that the HTML may load. Out: LaidOutPages, which have the places of all
parts and form fields; and of LaidOutPages the bytes of a PDF. The same HTML gives the same bytes. Nothing is fetched
from the network; a warning of WeasyPrint is an error, because a part of the page is lost.

WeasyPrint is imported when the first page is laid out, if the installed release is the one that refgen knows: the other
modules of this package, which use private names of WeasyPrint (PRIVATE_NAMES), are imported after ``load_weasyprint``.
"""

from __future__ import annotations

import gc
import io
import logging
import re
import warnings
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from importlib.metadata import version
from typing import Any, NamedTuple

from refgen.errors import RenderError
from refgen.gc_tuning import tune_gc
from refgen.look.harfbuzz import NoPangoError, install_hint

WANTED = {"weasyprint": "70", "pydyf": "0.13", "cssselect2": "0.10"}
"""The releases whose private names this package relies on; pyproject.toml has the same releases as ranges."""

MISSING_GLYPH = re.compile(r"^\.notdef glyph rendered .*\(U\+([0-9A-F]+)\)$", re.DOTALL)
"""The warning about a letter for which no font has a glyph."""

TOLERANCE = 0.5
"""CSS pixels by which rounding may exceed a box."""

WITHIN = "within:"
"""The beginning of the address of a link to an element, perhaps on another page; the id of the element follows."""

BOOKMARK_LEVEL = "/RefgenLevel"
"""The entry of a bookmark that has the level of the bookmark, in a page that is to be joined with other pages."""

Rect = tuple[float, float, float, float]
"""Left, top, width and height in CSS pixels from the upper left corner of the page."""


@dataclass(frozen=True, slots=True)
class PartBoxes:
    """The boxes of a part of an aid (a panel, a card, a part of a sheet), and the space that content takes in them.

    ``overflow`` is the most by which content reaches out of a box, in CSS pixels; ``fill`` the share of its height that
    the fullest box uses. ``frame`` is the place of the whole part if the template marks it (``data-frame``), ``boxes``
    the places of the boxes that must hold their content (``data-fit``), and ``blocks`` the heights of the blocks
    (``data-block``), both in the order of the document.
    """

    overflow: float = 0.0
    fill: float = 0.0
    frame: Rect | None = None
    boxes: tuple[Rect, ...] = ()
    blocks: tuple[float, ...] = ()

    @property
    def overflows(self) -> bool:
        """Whether content reaches out of a box by more than rounding explains."""
        return self.overflow > TOLERANCE


@dataclass(frozen=True, slots=True)
class FieldPlace:
    """The border box of a form field, and the size of the type in the field, in CSS pixels."""

    box: Rect
    type_size: float


@dataclass(frozen=True, slots=True, eq=False)
class LaidOutPage:
    """A page that was laid out, with the boxes of parts by number, form fields by name, and the height in CSS pixels.

    A released page can no longer be written as a PDF, and holds no memory of WeasyPrint.
    """

    parts: Mapping[int, PartBoxes]
    fields: Mapping[str, FieldPlace] = field(default_factory=dict)
    height: float = 0.0
    layout: Any = field(default=None, repr=False)
    """WeasyPrint's own page and document, for this package alone; None once the page is released."""

    @property
    def is_released(self) -> bool:
        """Whether the page can no longer be written."""
        return self.layout is None

    def released(self) -> LaidOutPage:
        """The page with its places, but without the objects that are needed to write a PDF."""
        return replace(self, layout=None)


@dataclass(frozen=True)
class LayoutSession:
    """Lays out documents that share their fonts, so that pages of several documents can be written as one PDF.

    ``files`` are all files that a document may load, by their paths.
    """

    files: Mapping[str, bytes]

    def lay_out(self, html: str, name: str) -> Sequence[LaidOutPage]:
        """The pages of a document; ``name`` is the name of the document in errors. Raises RenderError."""
        fonts = self._fonts
        from refgen.layout.engine import pages

        with warnings_as_errors(name):
            return pages.lay_out(html, name, self.files, fonts)

    @cached_property
    def _fonts(self) -> Any:
        load_weasyprint()
        from refgen.layout.engine import pages

        return pages.load_fonts()


def lay_out(html: str, name: str, files: Mapping[str, bytes]) -> Sequence[LaidOutPage]:
    """The pages of a document that shares its fonts with no other document. Raises RenderError."""
    return LayoutSession(files).lay_out(html, name)


def write(pages: Sequence[LaidOutPage], name: str) -> bytes:
    """The pages as a PDF that is tagged for screen readers (PDF/UA-1, ISO 14289-1). Raises RenderError."""
    from refgen.layout.engine import pdf

    with warnings_as_errors(name):
        return pdf.tagged_pdf(pages)


def write_with_missing(pages: Sequence[LaidOutPage], name: str, prefix: str = "") -> tuple[bytes, frozenset[str]]:
    """The pages as PDF/UA-1, and the letters of the pages for which this machine has no font. Raises RenderError.

    For sheets of characters, whose names may be in any script. The ids of tags begin with ``prefix``.
    """
    from refgen.layout.engine import pdf

    with warnings_as_errors(name, MISSING_GLYPH) as codes:
        data = pdf.tagged_pdf(pages, prefix)
    return data, frozenset(chr(int(code, 16)) for code in codes)


def write_to_join(pages: Sequence[LaidOutPage], name: str, prefix: str, cut: float = 0.0) -> bytes:
    """The pages as PDF/UA-1, made ready for ``refgen.layout.join``. Raises RenderError.

    The ids of tags begin with ``prefix``. Bookmarks have their level, and refgen's fonts are left out: each font is
    embedded once when the pages are joined. ``cut`` CSS pixels are cut off the end of each page.
    """
    from refgen.layout.engine import pdf

    with warnings_as_errors(name):
        return pdf.to_join(pages, prefix, cut)


def font_subset(font: bytes, glyphs: Collection[int]) -> bytes:
    """The bytes of a font with only the glyphs of these numbers. Raises RenderError if WeasyPrint cannot work."""
    load_weasyprint()
    from refgen.layout.engine import pdf

    return pdf.font_subset(font, glyphs)


def warm_up() -> None:
    """Make this process, and the processes that it forks, ready for many layouts.

    WeasyPrint is loaded, and garbage is collected less often. An error is raised later, when the first page is made.
    """
    with suppress(RenderError):
        lay_out("<!doctype html><html lang=en><title>warm</title><p>up", "warm-up", {})
    gc.freeze()
    tune_gc()


def load_weasyprint() -> None:
    """Import WeasyPrint once. Raises RenderError if it cannot work, or is not the release that refgen knows."""
    if library := _missing_library():
        raise NoPangoError(f"there is no {library}, so that no PDF can be made", hint=install_hint())


@cache
def _missing_library() -> str:
    """The library that WeasyPrint cannot load, looked for once; "" where WeasyPrint works. Raises RenderError."""
    _check_versions()
    try:
        with _no_fonts_is_an_error(), redirect_stdout(io.StringIO()):  # WeasyPrint prints where it cannot load
            from weasyprint.text.ffi import harfbuzz_subset
    except OSError:
        return "Pango"
    return "" if harfbuzz_subset else "HarfBuzz with hb-subset"


def pango_version() -> str:
    """The version of Pango that WeasyPrint has loaded. Raises RenderError."""
    load_weasyprint()
    from weasyprint.text.ffi import pango

    number = pango.pango_version()
    return f"{number // 10000}.{number // 100 % 100}.{number % 100}"


def _check_versions() -> None:
    for package, wanted in WANTED.items():
        found = version(package)
        if not f"{found}.".startswith(f"{wanted}."):
            raise RenderError(
                f"refgen lays pages out with {package} {wanted}, and {package} {found} is installed",
                hint=f'pip install "{package}=={wanted}.*"',
            )


class PrivateName(NamedTuple):
    """An undocumented name of a package: its module, the first release that has the name, and the reason to use it."""

    module: str
    name: str
    since: str
    why: str


PRIVATE_NAMES = (
    PrivateName("weasyprint.document", "Page._page_box", "0.1", "the places of boxes on a page"),
    PrivateName("weasyprint.formatting_structure.boxes", "Box.descendants", "0.1", "the boxes inside a box"),
    PrivateName("weasyprint.formatting_structure.boxes", "TextBox", "0.1", "what is typed into a field is no overflow"),
    PrivateName("weasyprint.formatting_structure.boxes", "LineBox", "0.1", "what is typed into a field is no overflow"),
    PrivateName("weasyprint", "HTML._ua_stylesheets", "0.1", "a default style sheet without rules for every element"),
    PrivateName("weasyprint.html", "UA", "70", "the text of the default style sheet"),
    PrivateName("weasyprint.html", "UA_STYLESHEET", "70", "which of the default style sheets is replaced"),
    PrivateName("weasyprint.css.counters", "CounterStyle", "53", "what a default style sheet is parsed with"),
    PrivateName("cssselect2", "ElementWrapper.from_html_root", "0.2", "a page that was read as XML is handed over"),
    PrivateName("weasyprint.text.ffi", "pangoft2", "53", "fonts of a layout are freed with the layout"),
    PrivateName("weasyprint.text.ffi", "pango", "53", "the version of Pango is reported"),
    PrivateName("weasyprint.text.ffi", "harfbuzz_subset", "62", "without this library no fonts are shared by pages"),
    PrivateName("weasyprint.text.ffi", "gobject", "53", "fonts of a layout are freed with the layout"),
    PrivateName("weasyprint.text.ffi", "ffi", "53", "fonts of a layout are freed with the layout"),
    PrivateName("weasyprint.pdf.fonts", "Font.clean", "64", "pages that are joined leave refgen's own fonts out"),
    PrivateName("weasyprint.pdf.fonts", "Font.subset", "63", "pages that are joined share the fonts of refgen"),
    PrivateName("weasyprint.pdf.fonts", "Font.hb_face", "63", "a font that was not used in a layout is made smaller"),
    PrivateName("weasyprint.pdf.fonts", "Font.used_in_forms", "60", "the font of fields is not embedded whole"),
    PrivateName("pydyf", "Dictionary", "0.1", "tags are mended among the objects of a PDF"),
    PrivateName("pydyf", "Stream", "0.1", "marked content and maps of glyphs are mended"),
)


@contextmanager
def warnings_as_errors(name: str, expected: re.Pattern[str] | None = None) -> Iterator[list[str]]:
    """Collect the warnings of WeasyPrint, and raise the first as a RenderError about the document ``name``.

    A warning that matches ``expected`` is no error: its first group is added to the list that the context returns.
    """
    found: list[str] = []
    logger = logging.getLogger("weasyprint")
    collector = _Collector()
    before = logger.handlers[:]
    logger.handlers = [collector]
    try:
        yield found
    finally:
        logger.handlers = before
    matches = [(message, expected.search(message) if expected else None) for message in collector.messages]
    found += [match[1] for _, match in matches if match]
    unexpected = [message for message, match in matches if not match]
    if unexpected:
        raise RenderError(f"{name}: {unexpected[0]}", hint="This is a fault in refgen's templates.")


@contextmanager
def _no_fonts_is_an_error() -> Iterator[None]:
    """Raise RenderError on a machine without fonts, of which WeasyPrint only warns before it may crash."""
    with warnings.catch_warnings():
        warnings.filterwarnings("error", "No fonts configured", UserWarning)
        try:
            yield
        except UserWarning as error:
            raise RenderError(
                "no fonts are installed on this machine", hint="On Debian: apt-get install fonts-dejavu-core"
            ) from error


class _Collector(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())
