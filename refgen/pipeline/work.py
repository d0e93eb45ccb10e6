"""One piece of work for one worker: an aid becomes HTML and PDF, in each of its formats, and both are read back.

In: a Job. Out: a Done with its files, errors and mismatches.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from refgen.aids.booklet import Booklet
from refgen.aids.card_deck import CardDeck
from refgen.aids.gm_screen import GmScreen
from refgen.aids.sheet.model import CharacterSheet
from refgen.aids.system_info import SystemInfo
from refgen.errors import RefgenError
from refgen.layout.engine import write
from refgen.pipeline.deck import make_deck_files
from refgen.pipeline.job import USUAL_FORMATS, Done, Job, file_name, preview_path
from refgen.pipeline.prepare import Kind
from refgen.render.assets import assets
from refgen.render.booklet.area import LAID_OUT
from refgen.render.booklet.fit import fit_booklet
from refgen.render.booklet.paper import on_paper
from refgen.render.fill.fillable import FillableSheet
from refgen.render.fill.geometry import field_boxes
from refgen.render.html import booklet_html, form_html, screen_html, sheet_html
from refgen.render.layout_cache import KeptPages
from refgen.render.page_format import PageFormat
from refgen.render.preview import previews
from refgen.render.readback.aid import Rendered, read_back
from refgen.render.readback.aid_pdf import pdf_mismatches
from refgen.render.readback.expected import ShownAid, expected
from refgen.render.readback.form import form_mismatches
from refgen.render.readback.mismatch import Mismatch
from refgen.render.screen.fit import fit_screen
from refgen.render.screen.pages import PanelPage
from refgen.render.sheet.fit import fit_sheet
from refgen.render.sheet.form import SheetForm

PREVIEWED = {Kind.SCREEN: sys.maxsize, Kind.SHEET: 1, Kind.CARD: 1, Kind.BOOKLET: 5}
"""How many pages of each aid have a preview: every panel of a screen; of a booklet its cover, its contents and some
tables; the rest look much like the first."""


@dataclass(frozen=True, slots=True)
class _Made:
    """An aid in one format: the aid as it is shown, and what was made of it."""

    shown: ShownAid
    rendered: Rendered
    faults: Sequence[RefgenError] = ()


def do(job: Job, kept: KeptPages | None = None) -> Done:
    """Do a job, of which some pages may be ``kept``.

    A RefgenError ends up in the result, so that it takes no other job down. The previews show the first format.
    """
    if isinstance(job.aid, CardDeck):
        return _do_deck(job, job.aid, kept)
    if isinstance(job.aid, SheetForm):
        return _do_form(job, job.aid)
    if isinstance(job.aid, Booklet):
        return _do_booklet(job, job.aid, kept)
    files: dict[str, bytes] = {}
    pictures: dict[str, bytes] = {}
    errors: list[RefgenError] = []
    mismatches: list[Mismatch] = []
    for page_format in job.formats:
        try:
            made = _make(job, page_format, kept)
            mismatches += read_back(job.system, made.shown, made.rendered, assets())
            pictures = pictures or _previews(job, page_format, made.rendered.pdf)
        except RefgenError as error:
            errors.append(error)
        else:
            name = made.rendered.name
            errors += made.faults
            files[f"{name}.pdf"] = made.rendered.pdf
            if job.kind is not Kind.SHEET:  # in browsers a sheet is a form, whatever the paper
                files[f"{name}.html"] = made.rendered.html.encode()
    return Done(job.title, job.system.id, files, pictures, errors, mismatches)


def _make(job: Job, page_format: PageFormat, kept: KeptPages | None) -> _Made:
    """Make an aid in one format. Raises RenderError when it does not fit."""
    name, aid = f"{job.system.id}/{file_name(job.kind, page_format)}", job.aid
    if isinstance(aid, GmScreen):
        return _screen(job.system, aid, page_format, name, kept)
    if not isinstance(aid, CharacterSheet):
        raise TypeError("a deck is made for all its papers at once, and a form for none")
    return _sheet(job, aid, page_format, name)


def _do_form(job: Job, form: SheetForm) -> Done:
    """The page of a form, which goes by no paper."""
    file, page = f"{job.name}.html", form_html(job.system, form)
    mismatches = form_mismatches(form, page, file, assets())
    return Done(job.title, job.system.id, {file: page.encode()}, mismatches=mismatches)


def _do_deck(job: Job, deck: CardDeck, kept: KeptPages | None) -> Done:
    try:
        made = make_deck_files(job.system, deck, job.deck_format, job.formats, kept)
    except RefgenError as error:
        return Done(job.title, job.system.id, {}, errors=[error])
    pictures = {preview_path(job.name, number): data for number, data in enumerate(previews(made.shown, 1), start=1)}
    return Done(job.title, job.system.id, made.files, pictures, made.faults, made.mismatches)


def _do_booklet(job: Job, booklet: Booklet, kept: KeptPages | None) -> Done:
    """One layout for all papers, whose pages are alike but for their margins."""
    name = f"{job.system.id}/{file_name(job.kind, PageFormat(LAID_OUT))}"
    try:
        fitted = fit_booklet(partial(booklet_html, job.system), job.system, booklet, name, kept)
        model = expected(job.system, fitted.pages)
        mismatches = [*pdf_mismatches(model, fitted.pdf, fitted.measured, f"{name}.pdf")]
    except RefgenError as error:
        return Done(job.title, job.system.id, {}, errors=[error])
    formats = {f"{job.system.id}/{file_name(job.kind, each)}.pdf": each.paper for each in job.formats}
    files = {path: on_paper(fitted.pdf, paper) for path, paper in formats.items()}
    pictures = enumerate(previews(fitted.pdf, PREVIEWED[job.kind]), start=1)
    shown = {preview_path(job.name, number): data for number, data in pictures}
    return Done(job.title, job.system.id, files, shown, mismatches=mismatches)


def _screen(system: SystemInfo, screen: GmScreen, page_format: PageFormat, name: str, kept: KeptPages | None) -> _Made:
    def make(pages: Sequence[PanelPage], across: int) -> str:
        return screen_html(system, pages, page_format, across)

    fitted = fit_screen(make, screen, page_format, name, kept)
    return _Made(fitted.pages, Rendered(name, fitted.html, fitted.pdf, fitted.measured), faults=fitted.faults)


def _sheet(job: Job, sheet: CharacterSheet, page_format: PageFormat, name: str) -> _Made:
    fitted = fit_sheet(lambda pages: sheet_html(job.system, pages, page_format), sheet, page_format, name)
    fields = [field for page in fitted.pages.pages for field in page.fields()]
    boxes = field_boxes(fitted.laid_out, fields)
    pdf = FillableSheet.of(write(fitted.laid_out, name), boxes, calculation=job.calculation).data
    rendered = Rendered(name, fitted.html, pdf, [page.parts for page in fitted.laid_out])
    return _Made(fitted.pages, rendered)


def _previews(job: Job, page_format: PageFormat, pdf: bytes) -> dict[str, bytes]:
    """The pictures of an aid are the same for all papers; those of a screen in an unusual format stand beside them."""
    unusual = page_format.unlike(USUAL_FORMATS[job.kind])
    name = f"{job.system.id}/{file_name(job.kind, page_format)}" if unusual else job.name
    pictures = previews(pdf, PREVIEWED[job.kind])
    return {preview_path(name, number): picture for number, picture in enumerate(pictures, start=1)}
