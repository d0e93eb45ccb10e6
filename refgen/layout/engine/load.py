"""The import of WeasyPrint, if the installed release is the one that refgen knows, and its warnings as errors.

In: nothing. Out: ``load_weasyprint``, which must be called before the other modules of this package are imported; the
context in which WeasyPrint works; and the list of all private names of other packages that refgen relies on.
"""

from __future__ import annotations

import logging
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.metadata import version
from typing import NamedTuple

from refgen.errors import RenderError

WANTED = {"weasyprint": "70", "pydyf": "0.13", "cssselect2": "0.10"}
"""The releases whose private names this package relies on; pyproject.toml has the same releases as ranges."""

INSTALL_HINT = "On Debian: apt-get install libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0"

MISSING_GLYPH = re.compile(r"^\.notdef glyph rendered .*\(U\+([0-9A-F]+)\)$", re.DOTALL)
"""The warning about a letter for which no font has a glyph."""


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
    PrivateName("weasyprint.text.ffi", "gobject", "53", "fonts of a layout are freed with the layout"),
    PrivateName("weasyprint.text.ffi", "ffi", "53", "fonts of a layout are freed with the layout"),
    PrivateName("weasyprint.pdf.fonts", "Font.clean", "64", "pages that are joined leave refgen's own fonts out"),
    PrivateName("pydyf", "Dictionary", "0.1", "tags are mended among the objects of a PDF"),
    PrivateName("pydyf", "Stream", "0.1", "marked content and maps of glyphs are mended"),
)


@cache
def load_weasyprint() -> None:
    """Import WeasyPrint once. Raises RenderError if it cannot work, or is not the release that refgen knows."""
    _check_versions()
    try:
        with _no_fonts_is_an_error():
            import weasyprint  # noqa: F401
    except OSError as error:
        raise RenderError("WeasyPrint cannot load Pango, which sets its text", hint=INSTALL_HINT) from error


def _check_versions() -> None:
    for package, wanted in WANTED.items():
        found = version(package)
        if not f"{found}.".startswith(f"{wanted}."):
            raise RenderError(
                f"refgen lays pages out with {package} {wanted}, and {package} {found} is installed",
                hint=f'pip install "{package}=={wanted}.*"',
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
