"""The jobs of a deck: cards fitted to their size, put on sheets, written as HTML, PDF and pictures, and read back.

In: a CardDeck and its formats. Out: the files of each format, and mismatches between the files and the deck. All faces
are laid out at once, one a page; where an estimate was too low, a card is set smaller and laid out again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
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
from refgen.aids.kind import AidJob, MadeFiles, preview_files
from refgen.blocks.letters import letter_fault
from refgen.errors import RefgenError, RenderError
from refgen.game import SystemInfo
from refgen.layout.engine import PartBoxes, lay_out, write
from refgen.layout.layout_cache import KeptPages, LayoutCache
from refgen.layout.lengths import MILLIMETRE, PIXEL
from refgen.layout.pieces import ExpectedPart, Mismatch, Piece, box_pieces
from refgen.layout.readback.compare import AidOutput, read_back
from refgen.layout.templates import SharedStyles, aid_html, environment, loaded_files
from refgen.look.look import USUAL
from refgen.words import Words

LARGE, BATCH = 60, 50
"""In a deck of at least LARGE cards, faces are written and kept in batches of BATCH."""

BELOW = 1000.0
"""Millimetres by which a page is longer than its card in layouts: WeasyPrint drops content beyond the end of a page."""

_SMALLER = 1.02
"""How many times higher, at least, a card that was found too full is estimated next."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FittedDeck(AidOutput):
    """The output of a deck that fits, and its faces. ``faults`` are the errors of cards that have no face."""

    faces: Faces
    faults: Sequence[RefgenError]


def fit_deck(
    system: SystemInfo, deck: CardDeck, style: CardStyle, name: str, kept: KeptPages | None = None
) -> FittedDeck:
    """Set and lay out a deck, of which some faces may be ``kept``. Raises RenderError when no card can be made."""
    return _DeckFitter(system, deck, style, name).fit(kept)


def estimate_deck(
    system: SystemInfo, deck: CardDeck, style: CardStyle, name: str
) -> tuple[Faces, Sequence[RefgenError]]:
    """The faces of a deck as they are set before any layout, and the errors of cards that fit in no way.

    Raises RenderError when no card can be made.
    """
    fitter = _DeckFitter(system, deck, style, name)
    return fitter.faces(dict.fromkeys(deck.cards, 1.0)), list(fitter.faults.values())


@dataclass(slots=True)
class _DeckFitter:
    """Sets the cards of a deck; ``fronts`` and ``faults`` are by the numbers of cards."""

    system: SystemInfo
    deck: CardDeck
    style: CardStyle
    name: str
    fronts: dict[int, Sequence[SetFront]] = field(default_factory=dict)
    faults: dict[int, RefgenError] = field(default_factory=dict)

    def fit(self, kept: KeptPages | None) -> FittedDeck:
        """Lay out all cards as estimated; set cards that are too full smaller, until all fit."""
        batch = BATCH if len(self.deck.cards) >= LARGE else 1
        longer = BELOW * MILLIMETRE / PIXEL
        cache = LayoutCache[SetFront | CardBack](self._batch_html, self.name, kept, batch, longer)
        scales = dict.fromkeys(self.deck.cards, 1.0)
        changed = scales
        while changed:
            faces = self.faces(changed)
            printed: list[SetFront | CardBack] = [*faces.fronts, *faces.backs]
            contents = [{face.number: face} for face in printed]
            measured = [next(iter(page.parts.values())) for page in cache.pages(contents)]
            changed = {
                card: scales[card] * times for card, times in self._underestimated_cards(faces, measured).items()
            }
            scales |= changed
        boxes = [{place: found} for place, found in enumerate(measured)]
        html = deck_html(self.system, self.style, faces.fronts, faces.backs)
        faults = list(self.faults.values())
        return FittedDeck(self.name, html, cache.write(contents), boxes, faces=faces, faults=faults)

    def _batch_html(self, parts: Mapping[int, SetFront | CardBack]) -> str:
        """The HTML of some faces, on pages long enough to show what overflows."""
        fronts = [face for face in parts.values() if isinstance(face, SetFront)]
        backs = [face for face in parts.values() if isinstance(face, CardBack)]
        return deck_html(self.system, self.style, fronts, backs, BELOW)

    def _set(self, card: Card, scale: float) -> None:
        divides = self.deck.overflow != "report"
        try:
            self._check_letters(card)
            self._check_back(card)
            self.fronts[card.number] = fronts_of(card, self.system, self.style, self.name, divides=divides, scale=scale)
        except RefgenError as fault:
            self.fronts.pop(card.number, None)
            self.faults[card.number] = fault

    def _check_letters(self, card: Card) -> None:
        blocks = (piece for block in card.blocks for piece in block.pieces(card.title))
        framing = Piece(card.title, "its title"), Piece(card.source, "its footer"), Piece(card.back, "its back")
        if fault := letter_fault([*framing, *blocks], card.title, card.place):
            raise fault

    def _check_back(self, card: Card) -> None:
        excess = self._back_of(card).excess
        if excess > 0.01:
            message = f'{self.name}: the back of "{card.title}" is too full by {excess:.1f} mm'
            hint = "Take larger cards, a shorter text on the back, or a shorter licence in look.toml."
            raise RenderError(message, span=card.place, hint=hint)

    def _underestimated_cards(self, faces: Faces, measured: Sequence[PartBoxes]) -> Mapping[Card, float]:
        """The cards that are higher than estimated, and how many times higher to take each, to be on the safe side."""
        inner = self.style.inner * MILLIMETRE / PIXEL
        found: dict[Card, float] = {}
        for face, boxes in zip(faces.fronts, measured, strict=False):
            if boxes.overflows:
                scale = max(_SMALLER, boxes.fill / FULL, (1 + boxes.overflow / inner) ** 2)
                found[face.front.card] = max(scale, found.get(face.front.card, 1.0))
        return found

    def faces(self, scales: Mapping[Card, float]) -> Faces:
        """All faces, after some cards are set again, by how many times higher than estimated each is.

        Raises the error of the first card where no card can be made.
        """
        for card, scale in scales.items():
            self._set(card, scale)
        cards = [card for card in self.deck.cards if card.number in self.fronts]
        if not cards:
            raise next(iter(self.faults.values()))
        fronts = tuple(front for card in cards for front in self.fronts[card.number])
        backs = list(dict.fromkeys(map(self._back_of, cards)))
        return Faces(self.style, fronts, tuple(backs), tuple(self._copies(cards, len(fronts), backs)))

    def _copies(self, cards: Sequence[Card], first_back: int, backs: Sequence[CardBack]) -> Iterator[tuple[int, int]]:
        """The cards to print: front and back of each."""
        start = 0
        for card in cards:
            places = range(start, start := start + len(self.fronts[card.number]))
            back = first_back + backs.index(self._back_of(card))
            if self.deck.overflow == "back":
                pairs = list(zip_longest(places[::2], places[1::2], fillvalue=back))
            else:
                pairs = [(place, back) for place in places]
            yield from pairs * card.count

    def _back_of(self, card: Card) -> CardBack:
        return CardBack(card.back, self.deck.icon, self.deck.pattern, self.system, self.style)


def expected_parts(faces: Faces, *, is_extended: bool = False) -> list[ExpectedPart]:
    """The texts that must be read on each face: the fronts, then the backs; templates of a project may extend faces."""
    parts = [*(_front(face.front) for face in faces.fronts), *map(_expected_back, faces.backs)]
    return [replace(part, is_extended=is_extended) for part in parts]


def _front(front: CardFront) -> ExpectedPart:
    title = front.title
    blocks = [piece for block in front.blocks for piece in block.pieces(title)]
    footer = Piece(front.footer, f'"{title}", footer')
    return ExpectedPart(title, (Piece(title, f'"{title}", title'), *box_pieces(0, blocks), footer))


def _expected_back(back: CardBack) -> ExpectedPart:
    framing = (Piece(back.system.title, "back, title", framing=True), Piece(back.words, "back, words", framing=True))
    pieces = (*framing, Piece(back.licence, "back, licence"))
    return ExpectedPart("back", tuple(box_pieces(0, pieces)))


def deck_html(
    system: SystemInfo,
    style: CardStyle,
    fronts: Sequence[SetFront],
    backs: Sequence[CardBack],
    below: float = 0,
    *,
    printed: bool = False,
) -> str:
    """Some faces of cards, one a page; each page is ``below`` millimetres longer than its card."""
    values = {"fronts": fronts, "backs": backs, "below": below, "printed": printed, "styled": SharedStyles()}
    return aid_html("cards/cards.html", system, style=style, **values)


def calibration_html(paper: CardPaper, words: Words) -> str:
    """Two sides of a sheet, by which the offset of a printer is found: a ruler, and a cross behind its middle."""
    width, height = CARD_PAPER_SIZES[paper]
    template = environment().get_template("cards/calibration.html")
    lengths = {"width": width, "height": height, "middle": width / 2, "centre": height / 2}
    return template.render(**lengths, look=USUAL, words=words, root="../")


def imposed_mismatches(faces: Faces, pdf: bytes, imposed: bytes, sheet: SheetFormat, file: str) -> Iterator[Mismatch]:
    """The mismatches between the cards and their sheets in ``file``: every letter is compared."""
    bleed = faces.style.bleed
    with closing(pypdfium2.PdfDocument(pdf)) as single, closing(pypdfium2.PdfDocument(imposed)) as sheets:
        pages = (page.get_textpage() for page in single)
        texts = [_text(page, Placement(number, bleed, bleed), faces) for number, page in enumerate(pages)]
        expected = list(sides(faces.copies, sheet))
        if len(sheets) != len(expected):
            yield Mismatch(file, "", f"{len(sheets)} pages in place of {len(expected)}")
            return
        for number, (sheet_page, placements) in enumerate(zip(sheets, expected, strict=True), start=1):
            page = sheet_page.get_textpage()
            yield from (Mismatch(file, f"page {number}", what) for what in _faults(page, placements, texts, faces))


def _faults(page: Any, placements: Sequence[Placement], texts: Sequence[str], faces: Faces) -> Iterator[str]:
    """The faults of the text of a page of a sheet."""
    found = 0
    for place, placement in enumerate(placements, start=1):
        text, wanted = _text(page, placement, faces), texts[placement.face]
        found += len(text)
        # a card that is upside down is read backwards, line by line
        if sorted(text) != sorted(wanted) if placement.turned else text != wanted:
            yield f'card {place}: "{text}" in place of "{wanted}"'
    whole = len(_letters(page.get_text_range()))
    if whole > found:
        yield f"{whole - found} letters are on no card"


def _text(page: Any, placement: Placement, faces: Faces) -> str:
    """The letters of the text of a page inside the trim edge of a card."""
    size = faces.style.size
    left, top = placement.left * MILLIMETRE, page.page.get_height() - placement.top * MILLIMETRE
    right, bottom = left + size.width * MILLIMETRE, top - size.height * MILLIMETRE
    return _letters(page.get_text_bounded(left, bottom, right, top))


def _letters(text: str) -> str:
    return "".join(text.split())


@dataclass(frozen=True, slots=True)
class DeckJob(AidJob):
    """A deck on all its papers: each face is laid out once, and put on the sheets of every paper."""

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
            if sheet.deck.imposition is not CardImposition.SINGLE:
                _ = sheet_grid(sheet)  # raises an error before any layout where a card is larger than the paper
        fitted = fit_deck(self.system, self.deck_format.printable(self.aid), style, name, kept)
        model = expected_parts(fitted.faces, is_extended=bool(self.system.look.templates))
        mismatches = read_back(model, fitted)
        files = {f"{name}.html": fitted.html.encode(), f"{name}.pdf": with_boxes(fitted.pdf, style)}
        shown = fitted.pdf
        faces = fitted.faces.with_licence(has_backs=self.deck_format.imposition is not CardImposition.FRONTS)
        for number, sheet in enumerate(sheets):
            file = f"{self.system.id}/{sheet.name}.pdf"
            files[file] = impose(fitted.pdf, faces, sheet)
            mismatches += imposed_mismatches(faces, fitted.pdf, files[file], sheet, file)
            shown = shown if number else files[file]
        files |= self._extra_files(sheets, fitted)
        return MadeFiles(files, preview_files(self.name, shown, 1), fitted.faults, mismatches)

    def _extra_files(self, sheets: Sequence[SheetFormat], fitted: FittedDeck) -> dict[str, bytes]:
        """The files that only some formats have: calibration sheets, pictures, the files of a virtual tabletop."""
        chosen, name = self.deck_format, self._path
        files: dict[str, bytes] = {}
        for sheet in sheets if chosen.calibration else ():
            files |= self._calibration(sheet)
        if chosen.pictures:
            pictures = face_pictures(fitted.pdf, fitted.faces)
            files |= {f"{name}-300dpi/{number:03d}.png": picture for number, picture in enumerate(pictures, start=1)}
        if chosen.tabletop:
            made = tabletop_files(self.system.title, fitted.faces, fitted.pdf, chosen.url)
            files |= {f"{name}-tabletop-simulator/{file}": data for file, data in made.items()}
        return files

    def _calibration(self, sheet: SheetFormat) -> Mapping[str, bytes]:
        name = f"{self.system.id}/cards-calibration-{sheet.paper}"
        html = calibration_html(sheet.paper, self.system.words)
        return {f"{name}.pdf": write(lay_out(html, name, loaded_files()), name)}

    def draft(self, *, printed: bool = False) -> MadeFiles:
        """The HTML of the faces, set by estimated heights, and read back."""
        style = self.deck_format.style
        faces, faults = estimate_deck(self.system, self.deck_format.printable(self.aid), style, self._path)
        html = deck_html(self.system, style, faces.fronts, faces.backs, printed=printed)
        mismatches = read_back(expected_parts(faces), AidOutput(self._path, html))
        return MadeFiles({f"{self._path}.html": html.encode()}, errors=faults, mismatches=mismatches)
