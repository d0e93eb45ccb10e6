"""One piece of work for one worker: an aid becomes HTML and PDF, on each paper, and both are read back.

In: a Job. Out: a Done with its files, errors and mismatches. Both travel between processes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from refgen.aids.imprint import Imprint
from refgen.errors import RefgenError
from refgen.pipeline.prepare import Aid, Kind
from refgen.render.assets import assets
from refgen.render.fit import Scale, Sizes, fit
from refgen.render.html import Paper, Setting, deck_html, screen_html, sheet_html
from refgen.render.pdf import write
from refgen.render.preview import previews
from refgen.render.readback.aid import Rendered, read_back
from refgen.render.readback.mismatch import Mismatch

HTML_OF: Mapping[Kind, Callable[[Imprint, Any, Setting], str]] = {
    Kind.SCREEN: screen_html,
    Kind.SHEET: sheet_html,
    Kind.CARD: deck_html,
}

SCALES: Mapping[Kind, Scale] = {
    Kind.SCREEN: Scale((13, 12.5, 12, 11.5, 11, 10.5, 10, 9.5, 9, 8.5, 8, 7.5), usual=10),
    Kind.SHEET: Scale((9, 8.7, 8.4, 8.1, 7.8, 7.5), usual=9),
    Kind.CARD: Scale((11, 10.5, 10, 9.5, 9, 8.5, 8, 7.5, 7), usual=9.5),
}
"""The type sizes of each aid: read at arm's length, on paper before one, in the hand."""

FILE_NAMES = {Kind.SCREEN: "gm-screen", Kind.SHEET: "sheet", Kind.CARD: "cards"}

PREVIEWED = {Kind.SCREEN: sys.maxsize, Kind.SHEET: 1, Kind.CARD: 1}
"""How many pages of each aid have a preview: every panel of a screen; the rest look much like the first."""


@dataclass(frozen=True, slots=True)
class Job:
    """What to make: an aid of a system, on some papers."""

    system: Imprint
    kind: Kind
    aid: Aid
    papers: Sequence[Paper]

    @property
    def name(self) -> str:
        """What the job makes, as a path in the output without paper and suffix."""
        return f"{self.system.id}/{FILE_NAMES[self.kind]}"

    @property
    def weight(self) -> int:
        """How long the job takes, compared with others: about as long as its aid is."""
        return len(repr(self.aid))


@dataclass(frozen=True, slots=True)
class Done:
    """What became of a job.

    The bytes of its files by path, of its previews likewise, the errors of the papers that failed, and what is not as
    the aid says.
    """

    job: Job
    files: Mapping[str, bytes]
    previews: Mapping[str, bytes] = field(default_factory=dict)
    errors: Sequence[RefgenError] = ()
    mismatches: Sequence[Mismatch] = ()


def do(job: Job) -> Done:
    """Do a job. A RefgenError ends up in the result, so that it takes no other job down.

    The second paper starts with the type sizes that fit the first: most often they fit it too, and an aid that
    looks the same on both is what one expects. The previews show the first paper.
    """
    files: dict[str, bytes] = {}
    pictures: dict[str, bytes] = {}
    errors: list[RefgenError] = []
    mismatches: list[Mismatch] = []
    sizes: Sizes = {}
    for paper in job.papers:
        name = f"{job.name}-{paper}"
        try:
            fitted = fit(_html(job, paper), job.aid.part_titles, name, SCALES[job.kind], sizes)
            made = Rendered(name, fitted.html, write(fitted.document, name), fitted.rooms)
            mismatches += read_back(job.system, job.aid, made, assets())
            pictures = pictures or _previews(job, made.pdf)
            files |= {f"{name}.html": made.html.encode(), f"{name}.pdf": made.pdf}
        except RefgenError as error:
            errors.append(error)
        else:
            sizes = fitted.sizes
    return Done(job, files, pictures, errors, mismatches)


def preview_path(name: str, number: int) -> str:
    """The path of a preview of an aid, by the aid's path without paper and suffix; ``number`` counts from 1."""
    return f"{name}-{number}.png"


def _previews(job: Job, pdf: bytes) -> dict[str, bytes]:
    pictures = previews(pdf, PREVIEWED[job.kind])
    return {preview_path(job.name, number): picture for number, picture in enumerate(pictures, start=1)}


def _html(job: Job, paper: Paper) -> Callable[[Sizes], str]:
    make = HTML_OF[job.kind]
    return lambda sizes: make(job.system, job.aid, Setting(paper, sizes))
