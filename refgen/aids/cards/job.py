"""The jobs of a deck: its cards fitted to their size, put on sheets, written as HTML or PDF, and read back.

In: a CardDeck and the formats. Out: the files of each format, and mismatches between the cards and the deck.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from refgen.aids.cards.deck_format import DeckFormat
from refgen.aids.cards.faces import Back, Faces, Front, SetFront, Style
from refgen.aids.cards.fit import FittedDeck, estimate_deck, fit_deck
from refgen.aids.cards.impose import impose, imposed_mismatches, with_boxes
from refgen.aids.cards.imposition import CARD_PAPER_SIZES, CardPaper, SheetFormat
from refgen.aids.cards.model import CardDeck
from refgen.aids.cards.tabletop import face_pictures, tabletop_files
from refgen.aids.kind import AidJob, MadeFiles, numbered_previews
from refgen.game.system_info import SystemInfo
from refgen.layout.engine import lay_out, write
from refgen.layout.layout_cache import KeptPages
from refgen.layout.preview import previews
from refgen.layout.readback.compare import Rendered, read_back
from refgen.layout.readback.expected import ExpectedPart, Piece, boxed
from refgen.layout.templates import SharedStyles, aid_html, assets, environment


def expected(faces: Faces) -> list[ExpectedPart]:
    """The fronts, then the backs."""
    return [*(_front(face.front) for face in faces.fronts), *map(_back, faces.backs)]


def _front(front: Front) -> ExpectedPart:
    title = front.title
    blocks = [piece for block in front.blocks for piece in block.pieces(title)]
    footer = Piece(front.footer, f'"{title}", footer')
    return ExpectedPart(title, (Piece(title, f'"{title}", title'), *boxed(0, blocks), footer))


def _back(back: Back) -> ExpectedPart:
    pieces = (Piece(back.system.title, "back, title"), Piece(back.words, "back, words"))
    return ExpectedPart("back", tuple(boxed(0, pieces)))


def deck_html(
    system: SystemInfo, style: Style, fronts: Sequence[SetFront], backs: Sequence[Back], below: float = 0
) -> str:
    """Some faces of cards, one a page; each page is ``below`` millimetres longer than its card."""
    values = {"fronts": fronts, "backs": backs, "below": below, "styled": SharedStyles()}
    return aid_html("cards/cards.html", system, style=style, **values)


def calibration_html(paper: CardPaper) -> str:
    """Two sides of a sheet, by which the offset of a printer is found: a ruler, and a cross behind its middle."""
    width, height = CARD_PAPER_SIZES[paper]
    template = environment().get_template("cards/calibration.html")
    return template.render(width=width, height=height, middle=width / 2, centre=height / 2, root="../")


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
