"""What a build gives to its workers, and what they give back.

In: an aid of a game, and the formats that it is made in. Out: a Job, and the Done that it becomes. Both travel between
processes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from refgen.aids.system_info import SystemInfo
from refgen.errors import RefgenError
from refgen.pipeline.prepare import Aid, Kind
from refgen.pipeline.spool import Spool
from refgen.render.card.deck_format import DeckFormat
from refgen.render.page_format import PageFormat
from refgen.render.readback.mismatch import Mismatch
from refgen.render.screen.panel_area import USUAL_FORMAT

if TYPE_CHECKING:  # a build that makes no aid loads nothing of what lays them out
    from refgen.render.fill.calculation import Calculation
    from refgen.render.sheet.form import SheetForm

FILE_NAMES = {Kind.SCREEN: "gm-screen", Kind.SHEET: "sheet", Kind.CARD: "cards", Kind.BOOKLET: "booklet"}

USUAL_FORMATS = {
    Kind.SCREEN: USUAL_FORMAT,
    Kind.SHEET: PageFormat(),
    Kind.CARD: PageFormat(),
    Kind.BOOKLET: PageFormat(),
}
"""The formats that names of files say nothing of but the paper: what differs from them is named."""


@dataclass(frozen=True, slots=True)
class Job:
    """What to make: an aid of a system, in some formats; a form for browsers has none.

    ``calculation`` is how the fields of a sheet follow from each other, if they are to in viewers of PDFs.
    """

    system: SystemInfo
    kind: Kind
    aid: Aid | SheetForm
    formats: Sequence[PageFormat]
    deck_format: DeckFormat = field(default_factory=DeckFormat)
    calculation: Calculation | None = None

    @property
    def name(self) -> str:
        """What the job makes, as a path in the output without format and suffix."""
        return f"{self.system.id}/{FILE_NAMES[self.kind]}"

    @property
    def title(self) -> str:
        """The name of the job, unique in a build."""
        usual = USUAL_FORMATS[self.kind]
        formats = ", ".join(page_format.name(usual) for page_format in self.formats)
        return f"{self.name} ({formats or 'form'})"

    @property
    def weight(self) -> int:
        """How long the job takes, compared with others: about as long as its aid is."""
        return len(repr(self.aid)) * len(self.formats)


@dataclass(frozen=True, slots=True)
class Done:
    """What became of a job, by its title, of a game (or of a screen that belongs to none).

    The bytes of its files by path, of its previews likewise, the errors of what failed, and what is not as the aid
    says.
    """

    title: str
    game: str
    files: Mapping[str, bytes]
    previews: Mapping[str, bytes] = field(default_factory=dict)
    errors: Sequence[RefgenError] = ()
    mismatches: Sequence[Mismatch] = ()

    def spooled(self, spool: Spool) -> Done:
        """The same, with its files in a spool."""
        return replace(self, files=spool.take(self.files), previews=spool.take(self.previews))


def file_name(kind: Kind, page_format: PageFormat) -> str:
    """The name of an aid's files in a format, without suffix."""
    return f"{FILE_NAMES[kind]}-{page_format.name(USUAL_FORMATS[kind])}"


def preview_path(name: str, number: int) -> str:
    """The path of a preview, by the path of what it shows without suffix; ``number`` counts from 1."""
    return f"{name}-{number}.png"
