"""A deck of cards: each face laid out once, read back, and laid on sheets.

In: a deck, the system that the deck is of, papers, and how cards are made. Out: the cards one a page, sheets to cut, a
preview, and what else is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from refgen.aids.cards.deck_format import DeckFormat
from refgen.aids.cards.expected import expected
from refgen.aids.cards.fit import FittedDeck, estimate_deck, fit_deck
from refgen.aids.cards.html import calibration_html, deck_html
from refgen.aids.cards.impose import impose, with_boxes
from refgen.aids.cards.imposed_readback import imposed_mismatches
from refgen.aids.cards.imposition import SheetFormat
from refgen.aids.cards.model import CardDeck
from refgen.aids.cards.tabletop import face_pictures, tabletop_files
from refgen.aids.kind import AidJob, MadeFiles, numbered_previews
from refgen.layout.engine import lay_out, write
from refgen.render.assets import assets
from refgen.render.layout_cache import KeptPages
from refgen.render.preview import previews
from refgen.render.readback.aid import Rendered, read_back


@dataclass(frozen=True, slots=True)
class DeckJob(AidJob):
    """A deck: each face is laid out once, and then laid on every paper."""

    aid: CardDeck
    deck_format: DeckFormat = field(default_factory=DeckFormat)

    @property
    def html_paths(self) -> frozenset[str]:
        """The path of the page with all faces."""
        return frozenset({f"{self._path}.html"})

    @property
    def _path(self) -> str:
        return f"{self.system.id}/{self.deck_format.name}"

    def make(self, kept: KeptPages | None = None) -> MadeFiles:
        """All files; cards that cannot be made are left out, each with an error."""
        name, style = self._path, self.deck_format.style
        sheets = list(self.deck_format.sheets(self.formats))
        for sheet in sheets:
            sheet.check()
        make = partial(deck_html, self.system, style)
        fitted = fit_deck(make, self.system, self.deck_format.printable(self.aid), style, name, kept)
        html = fitted.html
        mismatches = read_back(expected(fitted.faces), Rendered(name, html, fitted.pdf, fitted.measured))
        files = {f"{name}.html": html.encode(), f"{name}.pdf": with_boxes(fitted.pdf, style)}
        shown = fitted.pdf
        for number, sheet in enumerate(sheets):
            file = f"{self.system.id}/{sheet.name}.pdf"
            files[file] = impose(fitted.pdf, fitted.faces, sheet)
            mismatches += imposed_mismatches(fitted.faces, fitted.pdf, files[file], sheet, file)
            shown = shown if number else files[file]
        files |= self._extra_files(sheets, fitted)
        return MadeFiles(files, numbered_previews(self.name, previews(shown, 1)), fitted.faults, mismatches)

    def _extra_files(self, sheets: Sequence[SheetFormat], fitted: FittedDeck) -> dict[str, bytes]:
        """What else is asked for: sheets for calibration, pictures, and the files of a virtual tabletop."""
        chosen, name = self.deck_format, self._path
        files: dict[str, bytes] = {}
        for sheet in sheets if chosen.calibration else ():
            files |= self._calibration(sheet)
        if chosen.pictures:
            pictures = face_pictures(fitted.pdf, chosen.style)
            files |= {f"{name}-300dpi/{number:03d}.png": picture for number, picture in enumerate(pictures, start=1)}
        if chosen.tabletop:
            made = tabletop_files(self.system.title, fitted, chosen.url)
            files |= {f"{name}-tabletop-simulator/{file}": data for file, data in made.items()}
        return files

    def _calibration(self, sheet: SheetFormat) -> Mapping[str, bytes]:
        name = f"{self.system.id}/cards-calibration-{sheet.paper}"
        return {f"{name}.pdf": write(lay_out(calibration_html(sheet.paper), name, assets()), name)}

    def draft(self) -> MadeFiles:
        """The faces as they are set by estimated heights."""
        style = self.deck_format.style
        faces, faults = estimate_deck(self.system, self.aid, style, self._path)
        html = deck_html(self.system, style, faces.fronts, faces.backs)
        return MadeFiles({f"{self._path}.html": html.encode()}, errors=faults)
