"""Aids as they are made, small ones, to be read back: whole, or changed in one of their outputs."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import chain

import pikepdf

from refgen.aids.cards.faces import Faces
from refgen.aids.cards.job import expected_parts as expected_cards
from refgen.aids.panels.job import expected_parts as expected_screen
from refgen.aids.panels.job import panels_html, tab_labels
from refgen.aids.panels.model import USUAL_FORMAT, PageBlock, PageColumn, Panel, PanelBlock, PanelPage
from refgen.aids.sheet.job import expected_parts as expected_sheet
from refgen.aids.sheet.parts import SheetPages
from refgen.aids.sheet.planner import sheet_html
from refgen.blocks.block import Block
from refgen.blocks.table_cells import ShownCell
from refgen.game import SystemInfo
from refgen.layout.engine import LayoutSession, write
from refgen.layout.page_format import PageFormat, Theme
from refgen.layout.pieces import ExpectedPart
from refgen.layout.readback.compare import AidOutput, read_back
from refgen.layout.templates import assets
from refgen.words import ENGLISH
from tests.aids.cards.decks import html_of

SYSTEM = SystemInfo("game", "Game", "About", "#123456", "Source & more")
Aid = tuple[PanelPage, ...] | Faces | SheetPages


def cells(*texts: str) -> tuple[ShownCell, ...]:
    """A row that the first of its texts names."""
    return tuple(ShownCell(text, "end", header=number == 0) for number, text in enumerate(texts))


EDGE = (("+1", "Good"), ("0", "Fair"))
_session = cache(lambda: LayoutSession(assets()))


def page(number: int, title: str, *columns: tuple[Block, ...]) -> PanelPage:
    """A panel with these columns."""
    blocks = tuple(tuple(map(PanelBlock, column)) for column in columns)
    panel = Panel(title, tuple(chain(*blocks)), EDGE, "Source.")
    width = 100 / len(columns)
    set_columns = (
        PageColumn(place * width, width - 2, 0, tuple(map(PageBlock, held))) for place, held in enumerate(blocks)
    )
    return PanelPage(number, number, panel, title, f"panel {number + 1} of 2", 9, 10, tuple(set_columns))


def screen_of(*pages: PanelPage) -> tuple[PanelPage, ...]:
    """A screen of some pages."""
    return pages


@cache
def rendered(aid: Aid, css: str = "", theme: Theme = Theme.COLOUR) -> AidOutput:
    """An aid as it is made, with a fault of its style sheet."""
    if isinstance(aid, tuple):
        html = panels_html(SYSTEM, "gm-screen", aid, replace(USUAL_FORMAT, theme=theme))
    elif isinstance(aid, Faces):
        html = html_of(SYSTEM, aid)
    else:
        html = sheet_html(SYSTEM, aid, PageFormat())
    html = html.replace("</head>", f"<style>{css}</style></head>")
    return faces_laid_out(html) if isinstance(aid, Faces) else laid_out(html)


def faces_laid_out(html: str) -> AidOutput:
    """A page of faces, which go by their places, and the PDF of it."""
    made = laid_out(html)
    return replace(made, measured=[{place: face} for place, page in enumerate(made.measured) for face in page.values()])


def laid_out(html: str) -> AidOutput:
    """A page and the PDF of it."""
    pages = _session().lay_out(html, "x")
    return AidOutput("game/x", html, write(pages, "x"), [page.parts for page in pages])


def found(aid: Aid, made: AidOutput) -> list[str]:
    """All mismatches between an aid and what was made of it."""
    named = tab_labels(aid, ENGLISH) if isinstance(aid, tuple) else ()
    return [str(mismatch) for mismatch in read_back(expected(aid), made, named)]


def expected(aid: Aid) -> list[ExpectedPart]:
    """What must be read on each part of an aid."""
    if isinstance(aid, tuple):
        return expected_screen(SYSTEM, aid)
    return expected_cards(aid) if isinstance(aid, Faces) else expected_sheet(SYSTEM, aid)


def in_pdf(aid: Aid, made: AidOutput) -> list[str]:
    """Those in the PDF, without its name."""
    return [line.removeprefix("game/x.pdf: ") for line in found(aid, made) if line.startswith("game/x.pdf: ")]


def changed_pdf(made: AidOutput, change: Callable[[pikepdf.Pdf], None]) -> AidOutput:
    """The same with a change of the PDF."""
    buffer = io.BytesIO()
    with pikepdf.open(io.BytesIO(made.pdf)) as pdf:
        change(pdf)
        pdf.save(buffer)
    return replace(made, pdf=buffer.getvalue())


def changed_html(made: AidOutput, old: str, new: str) -> AidOutput:
    """The same with a change of the HTML alone."""
    assert made.html.count(old) >= 1
    return replace(made, html=made.html.replace(old, new, 1))
