"""HTML becomes a PDF, by WeasyPrint.

In: a page of ours as HTML. Out: a laid-out document, or the bytes of the PDF. The same HTML gives the same
bytes. Every PDF is tagged for screen readers, as PDF/UA-1 (ISO 14289-1) wants it. Nothing is fetched from outside; a
warning of WeasyPrint is an error, since it means something is lost.
"""

from __future__ import annotations

import ctypes.util
import gc
import logging
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from functools import cache, partial
from io import StringIO
from typing import Any

from refgen.errors import RenderError
from refgen.gc_tuning import collect_seldom
from refgen.render.quick.replaced import quickly
from refgen.render.subset import INSTALL_HINT


def load_fonts() -> Any:
    """A WeasyPrint font configuration, to be shared by layouts whose pages are to be joined."""
    _weasyprint()
    from weasyprint.text.ffi import ffi, gobject, pangoft2
    from weasyprint.text.fonts import FontConfiguration

    def let_go(font_map: Any, at_the_end: Callable[[], bool] = sys.is_finalizing) -> None:
        """Take the fonts out of a map first: Pango itself keeps their memory, 230 kB of each layout, to the end."""
        if not at_the_end():
            pangoft2.pango_fc_font_map_set_config(ffi.cast("PangoFcFontMap *", font_map), ffi.NULL)
            gobject.g_object_unref(font_map)

    fonts = FontConfiguration()
    # In place of what WeasyPrint does, not beside it: which of two is done first would be a matter of chance.
    ffi.gc(fonts.font_map, None)
    fonts.font_map = ffi.gc(fonts.font_map, let_go)
    return fonts


def layout(html: str, name: str, fonts: Any = None) -> Any:
    """Lay an HTML document out: a WeasyPrint document. ``name`` says in errors which it is. Raises RenderError."""
    _weasyprint()
    from refgen.render.drawings import drawings
    from refgen.render.fetcher import BASE_URL, AssetFetcher
    from refgen.render.page_html import PageHtml

    with _warnings(name), quickly():
        page = PageHtml(html, BASE_URL, AssetFetcher())
        return page.render(font_config=fonts or load_fonts(), pdf_forms=True, cache=drawings())


def write(document: Any, name: str) -> bytes:
    """The bytes of a laid-out document, as PDF/UA-1. Raises RenderError."""
    from refgen.render.tags import mend

    return _written(document, name, mend)


def write_to_join(document: Any, name: str, prefix: str) -> bytes:
    """The same for ``join``; the ids of its tags begin with a prefix. Raises RenderError."""
    from refgen.render.loose_pages import finish, lightly_compressed, without_fonts

    with without_fonts(), lightly_compressed():
        return _written(document, name, partial(finish, prefix=prefix))


def _written(document: Any, name: str, finisher: Callable[[Any, Any], None]) -> bytes:
    with _warnings(name), quickly(), _pages_known():
        return bytes(document.write_pdf(pdf_variant="pdf/ua-1", finisher=finisher))


def write_names(document: Any, name: str) -> tuple[bytes, frozenset[str]]:
    """The bytes of a document with the names of people, and the letters in them that no font of this machine has.

    Raises RenderError.
    """
    from refgen.render.tags import mend

    with _warnings(name, _MISSING) as missing, quickly():
        data = document.write_pdf(pdf_variant="pdf/ua-1", finisher=mend)
    return bytes(data), frozenset(chr(int(code, 16)) for code in missing)


@cache
def _weasyprint() -> None:
    """Import WeasyPrint, once. Raises RenderError when it cannot work on this machine."""
    try:
        with _no_fonts_is_an_error():
            with suppress(OSError), redirect_stdout(StringIO()), _libraries_by_file_name():
                import weasyprint
            import weasyprint  # noqa: F401  # where that failed, as it finds them itself
    except OSError as error:
        raise RenderError("WeasyPrint cannot load Pango, which sets its text", hint=INSTALL_HINT) from error


@contextmanager
def _libraries_by_file_name() -> Iterator[None]:
    """On Linux libraries are loaded by the names of their files alone.

    WeasyPrint tries other systems' names first; for each of these Python would ask gcc, ld and ldconfig, which takes as
    long as all of its import.
    """
    find = ctypes.util.find_library
    if sys.platform == "linux":
        ctypes.util.find_library = lambda name: None  # noqa: ARG005  # as the original has it
    try:
        yield
    finally:
        ctypes.util.find_library = find


@cache
def warm_up() -> None:
    """Make this process ready for many layouts: WeasyPrint loaded, garbage collected seldom. Those it forks then are.

    A failure is left to the first page.
    """
    with suppress(RenderError):
        layout("<!doctype html><html lang=en><title>warm</title><p>up", "warm-up")
    gc.freeze()
    collect_seldom()


@contextmanager
def _pages_known() -> Iterator[None]:
    """While tags are written: WeasyPrint asks for the references of all pages once for each of many thousand tags."""
    import pydyf

    known: dict[int, tuple[bytes, ...]] = {}
    slow = pydyf.PDF.page_references

    def references(pdf: Any) -> tuple[bytes, ...]:
        count = int(pdf.pages["Count"])
        if len(known.get(id(pdf), ())) != count:
            known[id(pdf)] = slow.fget(pdf)
        return known[id(pdf)]

    pydyf.PDF.page_references = property(references)
    try:
        yield
    finally:
        pydyf.PDF.page_references = slow


_MISSING = re.compile(r"^\.notdef glyph rendered .*\(U\+([0-9A-F]+)\)$", re.DOTALL)
"""What WeasyPrint says of a letter that no font has."""


@contextmanager
def _warnings(name: str, expected: re.Pattern[str] | None = None) -> Iterator[list[str]]:
    """Collect WeasyPrint's warnings while it works, and raise the first as a RenderError.

    Of those that are ``expected`` it hands out the first group.
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
    """WeasyPrint only warns of a machine without fonts, and may crash later."""
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
