"""A deck is made to fit: each card in the largest type that holds, its height used, or on several cards, or reported.

In: a deck, its style, and how to make the HTML of some faces. Out: its faces, their HTML and their PDF. All faces are
laid out at once, one a page; where an estimate was too low, a card is set smaller and laid out again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from itertools import zip_longest
from typing import Any

import pypdfium2

from refgen.aids.cards.deck_format import (
    CARD_PAPER_SIZES,
    CardImposition,
    CardPaper,
    CardStyle,
    DeckFormat,
    SheetFormat,
)
from refgen.aids.cards.faces import CardBack, CardFront, Faces, SetFront
from refgen.aids.cards.imposition import Placement, impose, sheet_grid, sides, with_boxes
from refgen.aids.cards.model import Card, CardDeck
from refgen.aids.cards.setting import FULL, fronts_of
from refgen.aids.cards.tabletop import face_pictures, tabletop_files
from refgen.aids.kind import AidJob, MadeFiles, numbered_previews
from refgen.errors import RefgenError
from refgen.game.system_info import SystemInfo
from refgen.layout.engine import PartBoxes, lay_out, write
from refgen.layout.layout_cache import KeptPages, LayoutCache
from refgen.layout.lengths import MILLIMETRE, PIXEL
from refgen.layout.preview import previews
from refgen.layout.readback.compare import Rendered, read_back
from refgen.layout.readback.expected import ExpectedPart, Mismatch, Piece, boxed
from refgen.layout.templates import SharedStyles, aid_html, assets, environment

MakeHtml = Callable[[Sequence[SetFront], Sequence[CardBack], float], str]
"""Makes the HTML of some faces, on pages that are so many millimetres longer than their cards."""

LARGE, BATCH = 60, 50
"""In a deck of so many cards, so many faces are written and kept together."""

BELOW = 1000.0
"""Millimetres that a page is longer than its card while it is laid out: WeasyPrint drops what goes over its end."""

_SMALLER = 1.02
"""By how much higher, at least, a card is taken for that was found too full."""


@dataclass(frozen=True, slots=True)
class FittedDeck:
    """A deck that fits: its faces, how to make their HTML, their PDF, and what was measured on each page.

    ``faults`` are those of the cards that could not be made, and stand in no face.
    """

    faces: Faces
    make: MakeHtml
    pdf: bytes
    measured: Sequence[Mapping[int, PartBoxes]]
    faults: Sequence[RefgenError]

    @property
    def html(self) -> str:
        """The HTML of the faces, made anew: whoever wants only paper needs none."""
        return self.make(self.faces.fronts, self.faces.backs, 0.0)


def fit_deck(
    make: MakeHtml, system: SystemInfo, deck: CardDeck, style: CardStyle, name: str, kept: KeptPages | None = None
) -> FittedDeck:
    """Set and lay out a deck, of which some faces may be ``kept``. Raises RenderError when no card can be made."""
    return _Fitter(system, deck, style, name).fit(make, kept)


def estimate_deck(
    system: SystemInfo, deck: CardDeck, style: CardStyle, name: str
) -> tuple[Faces, Sequence[RefgenError]]:
    """The faces of a deck as they are set before any layout, and the faults of cards that fit in no way.

    Raises RenderError when no card can be made.
    """
    fitter = _Fitter(system, deck, style, name)
    return fitter.estimated(), list(fitter.faults.values())


@dataclass(slots=True)
class _Fitter:
    system: SystemInfo
    deck: CardDeck
    style: CardStyle
    name: str
    fronts: dict[int, Sequence[SetFront]] = field(default_factory=dict)
    faults: dict[int, RefgenError] = field(default_factory=dict)

    def fit(self, make: MakeHtml, kept: KeptPages | None) -> FittedDeck:
        """Lay out all cards as estimated; those that are too full after all are set smaller, until all fit."""
        cache = self._cache(make, kept)
        scales = {card.number: 1.0 for card in self.deck.cards}
        changed: Sequence[Card] = self.deck.cards
        while changed:
            for card in changed:
                self._set(card, scales[card.number])
            faces = self._faces()
            contents = [{face.number: face} for face in faces.in_order]
            measured = [next(iter(page.parts.values())) for page in cache.pages(contents)]
            higher = self._higher(faces, measured)
            scales |= {number: scales[number] * scale for number, scale in higher.items()}
            changed = [card for card in changed if card.number in higher]
        boxes = [{place: found} for place, found in enumerate(measured)]
        return FittedDeck(faces, make, cache.write(contents), boxes, list(self.faults.values()))

    def _cache(self, make: MakeHtml, kept: KeptPages | None) -> LayoutCache[SetFront | CardBack]:
        def make_html(parts: Mapping[int, SetFront | CardBack]) -> str:
            fronts = [face for face in parts.values() if isinstance(face, SetFront)]
            return make(fronts, [face for face in parts.values() if isinstance(face, CardBack)], BELOW)

        batch = BATCH if len(self.deck.cards) >= LARGE else 1
        return LayoutCache(make_html, self.name, kept, batch, longer=BELOW * MILLIMETRE / PIXEL)

    def estimated(self) -> Faces:
        """All faces as estimated."""
        for card in self.deck.cards:
            self._set(card, 1.0)
        return self._faces()

    def _set(self, card: Card, scale: float) -> None:
        divides = self.deck.overflow != "report"
        try:
            self.fronts[card.number] = fronts_of(card, self.system, self.style, self.name, divides=divides, scale=scale)
        except RefgenError as fault:
            self.fronts.pop(card.number, None)
            self.faults[card.number] = fault

    def _higher(self, faces: Faces, measured: Sequence[PartBoxes]) -> dict[int, float]:
        """The numbers of cards that are higher than estimated, and by how much, to be on the safe side."""
        inner = self.style.inner * MILLIMETRE / PIXEL
        found: dict[int, float] = {}
        for face, boxes in zip(faces.fronts, measured, strict=False):
            if boxes.overflows:
                scale = max(_SMALLER, boxes.fill / FULL, (1 + boxes.overflow / inner) ** 2)
                found[face.front.card.number] = max(scale, found.get(face.front.card.number, 1.0))
        return found

    def _faces(self) -> Faces:
        """All faces as they are set now. Raises the fault of the first card where no card can be made."""
        cards = [card for card in self.deck.cards if card.number in self.fronts]
        if not cards:
            raise next(iter(self.faults.values()))
        fronts = tuple(front for card in cards for front in self.fronts[card.number])
        backs = list(dict.fromkeys(map(self._back, cards)))
        return Faces(self.style, fronts, tuple(backs), tuple(self._copies(cards, len(fronts), backs)))

    def _copies(self, cards: Sequence[Card], first_back: int, backs: Sequence[CardBack]) -> Iterator[tuple[int, int]]:
        """The cards to print: front and back of each."""
        start = 0
        for card in cards:
            places = range(start, start := start + len(self.fronts[card.number]))
            back = first_back + backs.index(self._back(card))
            if self.deck.overflow == "back":
                pairs = list(zip_longest(places[::2], places[1::2], fillvalue=back))
            else:
                pairs = [(place, back) for place in places]
            yield from pairs * card.count

    def _back(self, card: Card) -> CardBack:
        return CardBack(card.back, self.deck.icon, self.deck.pattern, self.system, self.style)


def expected(faces: Faces) -> list[ExpectedPart]:
    """The fronts, then the backs."""
    return [*(_front(face.front) for face in faces.fronts), *map(_back, faces.backs)]


def _front(front: CardFront) -> ExpectedPart:
    title = front.title
    blocks = [piece for block in front.blocks for piece in block.pieces(title)]
    footer = Piece(front.footer, f'"{title}", footer')
    return ExpectedPart(title, (Piece(title, f'"{title}", title'), *boxed(0, blocks), footer))


def _back(back: CardBack) -> ExpectedPart:
    pieces = (Piece(back.system.title, "back, title"), Piece(back.words, "back, words"))
    return ExpectedPart("back", tuple(boxed(0, pieces)))


def deck_html(
    system: SystemInfo, style: CardStyle, fronts: Sequence[SetFront], backs: Sequence[CardBack], below: float = 0
) -> str:
    """Some faces of cards, one a page; each page is ``below`` millimetres longer than its card."""
    values = {"fronts": fronts, "backs": backs, "below": below, "styled": SharedStyles()}
    return aid_html("cards/cards.html", system, style=style, **values)


def calibration_html(paper: CardPaper) -> str:
    """Two sides of a sheet, by which the offset of a printer is found: a ruler, and a cross behind its middle."""
    width, height = CARD_PAPER_SIZES[paper]
    template = environment().get_template("cards/calibration.html")
    return template.render(width=width, height=height, middle=width / 2, centre=height / 2, root="../")


def imposed_mismatches(faces: Faces, pdf: bytes, imposed: bytes, sheet: SheetFormat, file: str) -> Iterator[Mismatch]:
    """What is wrong on the sheets that are called ``file``."""
    bleed = faces.style.bleed
    with closing(pypdfium2.PdfDocument(pdf)) as single, closing(pypdfium2.PdfDocument(imposed)) as sheets:
        texts = [_text(_TextPage(page), Placement(number, bleed, bleed), faces) for number, page in enumerate(single)]
        expected = list(sides(faces.copies, sheet))
        if len(sheets) != len(expected):
            yield Mismatch(file, "", f"{len(sheets)} pages in place of {len(expected)}")
            return
        for number, (page, placements) in enumerate(zip(sheets, expected, strict=True), start=1):
            yield from (Mismatch(file, f"page {number}", what) for what in _faults(page, placements, texts, faces))


def _faults(page: Any, placements: Sequence[Placement], texts: Sequence[str], faces: Faces) -> Iterator[str]:
    """What is wrong on a page."""
    found, textpage = 0, _TextPage(page)
    for place, placement in enumerate(placements, start=1):
        text, wanted = _text(textpage, placement, faces), texts[placement.face]
        found += len(text)
        # One that stands on its head is read backwards, line by line.
        if sorted(text) != sorted(wanted) if placement.turned else text != wanted:
            yield f'card {place}: "{text}" in place of "{wanted}"'
    whole = len(_letters(textpage.text.get_text_range()))
    if whole > found:
        yield f"{whole - found} letters are on no card"


class _TextPage:
    """The text of a page, and its height in points."""

    def __init__(self, page: Any) -> None:
        self.text, self.height = page.get_textpage(), page.get_height()


def _text(page: _TextPage, placement: Placement, faces: Faces) -> str:
    """The letters inside the trim edge of a card."""
    size = faces.style.size
    left, top = placement.left * MILLIMETRE, page.height - placement.top * MILLIMETRE
    right, bottom = left + size.width * MILLIMETRE, top - size.height * MILLIMETRE
    return _letters(page.text.get_text_bounded(left, bottom, right, top))


def _letters(text: str) -> str:
    return "".join(text.split())


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
            if sheet.imposition is not CardImposition.SINGLE:
                _ = sheet_grid(sheet)  # raises an error before any layout where a card is larger than the paper
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
            made = tabletop_files(self.system.title, fitted.faces, fitted.pdf, chosen.url)
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
