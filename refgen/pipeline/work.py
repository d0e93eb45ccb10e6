"""One piece of work for one worker: an aid becomes HTML and PDF, in each of its formats, and both are read back.

In: a Job. Out: a Done with its files, errors and mismatches. Both travel between processes.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from refgen.aids.gm_screen import GmScreen
from refgen.aids.sheet.model import CharacterSheet
from refgen.aids.system_info import SystemInfo
from refgen.errors import RefgenError
from refgen.pipeline.prepare import Aid, Kind
from refgen.render.assets import assets
from refgen.render.fill.fillable import FillableSheet
from refgen.render.fill.geometry import field_boxes
from refgen.render.fit import Sizes, TypeScale, fit
from refgen.render.html import Setting, deck_html, screen_html, sheet_html
from refgen.render.page_format import PageFormat
from refgen.render.pdf import write
from refgen.render.preview import previews
from refgen.render.readback.aid import Rendered, read_back
from refgen.render.readback.expected import ShownAid
from refgen.render.readback.mismatch import Mismatch
from refgen.render.screen.fit import fit_screen
from refgen.render.screen.panel_area import USUAL_FORMAT
from refgen.render.sheet.fit import fit_sheet

CARD_SIZES = TypeScale((11, 10.5, 10, 9.5, 9, 8.5, 8, 7.5, 7), usual=9.5)
"""The type sizes of cards: in the hand."""

FILE_NAMES = {Kind.SCREEN: "gm-screen", Kind.SHEET: "sheet", Kind.CARD: "cards"}

USUAL_FORMATS = {Kind.SCREEN: USUAL_FORMAT, Kind.SHEET: PageFormat(), Kind.CARD: PageFormat()}
"""The formats that names of files say nothing of but the paper: what differs from them is named."""

PREVIEWED = {Kind.SCREEN: sys.maxsize, Kind.SHEET: 1, Kind.CARD: 1}
"""How many pages of each aid have a preview: every panel of a screen; the rest look much like the first."""


@dataclass(frozen=True, slots=True)
class Job:
    """What to make: an aid of a system, in some formats."""

    system: SystemInfo
    kind: Kind
    aid: Aid
    formats: Sequence[PageFormat]

    @property
    def name(self) -> str:
        """What the job makes, as a path in the output without format and suffix."""
        return f"{self.system.id}/{FILE_NAMES[self.kind]}"

    @property
    def title(self) -> str:
        """The name of the job, unique in a build."""
        usual = USUAL_FORMATS[self.kind]
        return f"{self.name} ({', '.join(page_format.name(usual) for page_format in self.formats)})"

    @property
    def weight(self) -> int:
        """How long the job takes, compared with others: about as long as its aid is."""
        return len(repr(self.aid)) * len(self.formats)


@dataclass(frozen=True, slots=True)
class Done:
    """What became of a job.

    The bytes of its files by path, of its previews likewise, the errors of what failed, and what is not as the aid
    says.
    """

    job: Job
    files: Mapping[str, bytes]
    previews: Mapping[str, bytes] = field(default_factory=dict)
    errors: Sequence[RefgenError] = ()
    mismatches: Sequence[Mismatch] = ()


@dataclass(frozen=True, slots=True)
class _Made:
    """An aid in one format: the aid as it is shown, what was made of it, and the sizes of its parts."""

    shown: ShownAid
    rendered: Rendered
    sizes: Sizes = field(default_factory=dict)
    faults: Sequence[RefgenError] = ()


def do(job: Job) -> Done:
    """Do a job. A RefgenError ends up in the result, so that it takes no other job down.

    The second format starts with the type sizes that fit the first: most often they fit it too, and an aid that
    looks the same on both is what one expects. The previews show the first.
    """
    files: dict[str, bytes] = {}
    pictures: dict[str, bytes] = {}
    errors: list[RefgenError] = []
    mismatches: list[Mismatch] = []
    sizes: Sizes = {}
    for page_format in job.formats:
        try:
            made = _make(job, page_format, sizes)
            mismatches += read_back(job.system, made.shown, made.rendered, assets())
            pictures = pictures or _previews(job, page_format, made.rendered.pdf)
        except RefgenError as error:
            errors.append(error)
        else:
            name, sizes = made.rendered.name, made.sizes
            errors += made.faults
            files |= {f"{name}.html": made.rendered.html.encode(), f"{name}.pdf": made.rendered.pdf}
    return Done(job, files, pictures, errors, mismatches)


def _make(job: Job, page_format: PageFormat, sizes: Sizes) -> _Made:
    """Make an aid in one format. Raises RenderError when it does not fit."""
    name, aid = f"{job.system.id}/{file_name(job.kind, page_format)}", job.aid
    if isinstance(aid, GmScreen):
        return _screen(job.system, aid, page_format, name)
    if isinstance(aid, CharacterSheet):
        return _sheet(job.system, aid, page_format, name)
    make = partial(deck_html, job.system, aid)
    fitted = fit(lambda sizes: make(Setting(page_format, sizes)), aid.part_titles, name, CARD_SIZES, sizes)
    return _Made(aid, Rendered(name, fitted.html, write(fitted.document, name), fitted.measured), fitted.sizes)


def _screen(system: SystemInfo, screen: GmScreen, page_format: PageFormat, name: str) -> _Made:
    fitted = fit_screen(lambda pages: screen_html(system, pages, page_format), screen, page_format, name)
    rendered = Rendered(name, fitted.html, write(fitted.document, name), fitted.measured)
    return _Made(fitted.pages, rendered, faults=fitted.faults)


def _sheet(system: SystemInfo, sheet: CharacterSheet, page_format: PageFormat, name: str) -> _Made:
    fitted = fit_sheet(lambda pages: sheet_html(system, pages, page_format), sheet, page_format, name)
    fields = [field for page in fitted.pages.pages for field in page.fields()]
    pdf = FillableSheet.of(write(fitted.document, name), field_boxes(fitted.document, fields)).data
    rendered = Rendered(name, fitted.html, pdf, fitted.measured)
    return _Made(fitted.pages, rendered)


def file_name(kind: Kind, page_format: PageFormat) -> str:
    """The name of an aid's files in a format, without suffix."""
    return f"{FILE_NAMES[kind]}-{page_format.name(USUAL_FORMATS[kind])}"


def preview_path(name: str, number: int) -> str:
    """The path of a preview, by the path of what it shows without suffix; ``number`` counts from 1."""
    return f"{name}-{number}.png"


def _previews(job: Job, page_format: PageFormat, pdf: bytes) -> dict[str, bytes]:
    """The pictures of an aid are the same for all papers; those of a screen in an unusual format stand beside them."""
    unusual = page_format.unlike(USUAL_FORMATS[job.kind])
    name = f"{job.system.id}/{file_name(job.kind, page_format)}" if unusual else job.name
    pictures = previews(pdf, PREVIEWED[job.kind])
    return {preview_path(name, number): picture for number, picture in enumerate(pictures, start=1)}
