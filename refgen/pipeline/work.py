"""One piece of work for one worker: an aid on one paper becomes HTML and PDF.

In: a Job. Out: a Done with its files, or with the error that stopped it. Both travel between processes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from refgen.aids.imprint import Imprint
from refgen.errors import RefgenError
from refgen.pipeline.prepare import Aid, Kind
from refgen.render.fit import fit
from refgen.render.html import Paper, Setting, deck_html, screen_html, sheet_html
from refgen.render.pdf import write

HTML_OF: Mapping[Kind, Callable[[Imprint, Any, Setting], str]] = {
    Kind.SCREEN: screen_html,
    Kind.SHEET: sheet_html,
    Kind.CARD: deck_html,
}

FILE_NAMES = {Kind.SCREEN: "gm-screen", Kind.SHEET: "sheet", Kind.CARD: "cards"}


@dataclass(frozen=True, slots=True)
class Job:
    """What to make: an aid of a system, on a paper."""

    system: Imprint
    kind: Kind
    aid: Aid
    paper: Paper

    @property
    def name(self) -> str:
        """The path of its files in the output, without their suffix."""
        return f"{self.system.id}/{FILE_NAMES[self.kind]}-{self.paper}"


@dataclass(frozen=True, slots=True)
class Done:
    """What became of a job: the bytes of its files by path, or an error."""

    job: Job
    files: Mapping[str, bytes]
    error: RefgenError | None = None


def do(job: Job) -> Done:
    """Do a job. A RefgenError ends up in the result, so that it takes no other job down."""
    make = HTML_OF[job.kind]

    def html(steps: Sequence[int]) -> str:
        return make(job.system, job.aid, Setting(job.paper, steps))

    try:
        fitted = fit(html, job.aid.part_titles, job.name)
        pdf = write(fitted.document, job.name)
    except RefgenError as error:
        return Done(job, {}, error)
    return Done(job, {f"{job.name}.html": fitted.html.encode(), f"{job.name}.pdf": pdf})
