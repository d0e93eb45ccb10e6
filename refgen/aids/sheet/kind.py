"""The kind of aid that blank character sheets are.

In: sheet.toml of a game, or a proposal for a game without one. Out: jobs, and from these a PDF with fields for each
paper, and a page to fill in with a browser.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from refgen.aids.kind import NO_NAMES, AidJob, AidKind, AidSources, FileNames, NamesInProse, upright_formats
from refgen.characters.form import Form
from refgen.characters.make_sheet import SPEC_NAME, make_sheet
from refgen.characters.sheet import CharacterSheet
from refgen.characters.sheet_proposal import proposed_sheet
from refgen.characters.sheet_spec import SheetSpec
from refgen.game import GameModel, SystemInfo
from refgen.layout.page_format import PageFormat, Theme


@dataclass(frozen=True, slots=True)
class SheetOptions:
    """The formats of sheets; ``calculates``: computed fields of PDFs follow what is typed, whatever sheet.toml says."""

    formats: Sequence[PageFormat]
    calculates: bool = False


class SheetKind(AidKind[CharacterSheet, SheetOptions]):
    """Blank character sheets."""

    names = FileNames("sheet", "sheet")
    spec_name = SPEC_NAME
    has_characters = True
    spec = SheetSpec
    title = "Sheet"
    whole: ClassVar[Mapping[str, str]] = {"html": "to-fill-in"}

    def proposed_spec(self, game: GameModel, names: NamesInProse = NO_NAMES) -> SheetSpec:
        """A sheet with the traits that the prose or the tables of the game name."""
        return proposed_sheet(game, names.attributes, names.skills)

    def make(self, sources: AidSources) -> CharacterSheet:
        """The blank sheet of a game, whose formulas are sound."""
        return Form(sources.game, make_sheet(sources.folder, sources.game)).sheet

    def options(self, papers: Sequence[str] = (), *, theme: str | None = None, calculate: bool = False) -> SheetOptions:
        """Sheets on ``papers`` in a ``theme`` (None: in colour)."""
        said = Theme(theme or Theme.COLOUR)
        return SheetOptions([PageFormat(each.paper, theme=said) for each in upright_formats(papers)], calculate)

    def jobs(self, game: GameModel, aid: CharacterSheet, options: SheetOptions) -> Iterator[AidJob]:
        """The sheet on all papers, and its form."""
        from refgen.aids.sheet.interactive import Calculation, make_form
        from refgen.aids.sheet.job import FormJob, SheetJob
        from refgen.characters.program import program_of

        system, form = SystemInfo.of(game), Form(game, aid)
        calculation = Calculation.of(form) if options.calculates or aid.calculates else None
        yield SheetJob(self.names, system, aid, options.formats, calculation)
        yield FormJob(self.names, system, make_form(aid, program_of(form)), ())
