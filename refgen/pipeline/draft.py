"""The pages of an aid as HTML, before anything is laid out: by the same estimates that a layout begins with.

In: a Job. Out: a Done with its pages alone, most often just those that its layout will lead to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from refgen.aids.booklet import Booklet
from refgen.aids.card_deck import CardDeck
from refgen.aids.gm_screen import GmScreen, Panel
from refgen.errors import RefgenError
from refgen.pipeline.job import Done, Job, file_name
from refgen.pipeline.work import do
from refgen.render.card.fit import estimate_deck
from refgen.render.html import deck_html, screen_html
from refgen.render.screen.distribute import Arrangement
from refgen.render.screen.pages import on_sheets
from refgen.render.screen.planner import BlockLengths
from refgen.render.screen.planner import Planner as ScreenPlanner
from refgen.render.sheet.form import SheetForm
from refgen.render.sheet.planner import Planner as SheetPlanner


@dataclass(slots=True)
class Drafter:
    """Drafts pages, and remembers how panels are arranged: one that has not changed is arranged no second time."""

    _arranged: dict[tuple[str, int], tuple[Panel, list[BlockLengths], Arrangement]] = field(default_factory=dict)

    def draft(self, job: Job) -> Done:
        """The pages of a job by path, and the errors that can be told without a layout."""
        try:
            files, errors = self._pages(job)
        except RefgenError as error:
            files, errors = {}, [error]
        return Done(job.title, job.system.id, files, errors=errors)

    def _pages(self, job: Job) -> tuple[Mapping[str, bytes], Sequence[RefgenError]]:
        """The pages, and the faults of what they lack. Raises RenderError when nothing fits."""
        if isinstance(job.aid, SheetForm):
            return do(job).files, ()
        if isinstance(job.aid, Booklet):
            return {}, ()
        if isinstance(job.aid, CardDeck):
            return _deck(job, job.aid)
        if isinstance(job.aid, GmScreen):
            return self._screen(job, job.aid)
        for page_format in job.formats:  # on paper alone
            SheetPlanner(job.aid, page_format).pages()
        return {}, ()

    def _screen(self, job: Job, screen: GmScreen) -> tuple[Mapping[str, bytes], Sequence[RefgenError]]:
        files: dict[str, bytes] = {}
        faults: list[RefgenError] = []
        for page_format in job.formats:
            planner = ScreenPlanner(screen, page_format)
            path = f"{job.system.id}/{file_name(job.kind, page_format)}.html"
            self._arrange(planner, path)
            pages = planner.pages().pages
            across = max(map(len, on_sheets(pages, page_format.imposition)))
            files[path] = screen_html(job.system, pages, page_format, across).encode()
            faults += planner.faults
        return files, faults

    def _arrange(self, planner: ScreenPlanner, name: str) -> None:
        for number, panel in enumerate(planner.screen.panels):
            known = self._arranged.get((name, number))
            if known is not None and known[0] == panel:
                _, planner.blocks[number], planner.arranged[number] = known
            else:
                planner.arrange([number])
            if number in planner.arranged:
                self._arranged[name, number] = panel, planner.blocks[number], planner.arranged[number]


def _deck(job: Job, deck: CardDeck) -> tuple[Mapping[str, bytes], Sequence[RefgenError]]:
    chosen = job.deck_format
    name = f"{job.system.id}/{chosen.name}"
    faces, faults = estimate_deck(job.system, deck, chosen.style, name)
    return {f"{name}.html": deck_html(job.system, chosen.style, faces.fronts, faces.backs).encode()}, faults


def pages_of(job: Job) -> frozenset[str]:
    """The paths of the pages that a job makes."""
    if isinstance(job.aid, SheetForm):
        return frozenset({f"{job.name}.html"})
    if isinstance(job.aid, Booklet):
        return frozenset()
    if isinstance(job.aid, CardDeck):
        return frozenset({f"{job.system.id}/{job.deck_format.name}.html"})
    return frozenset(f"{job.system.id}/{file_name(job.kind, each)}.html" for each in job.formats)
