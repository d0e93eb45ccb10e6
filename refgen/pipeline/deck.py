"""The files of a deck: each face is laid out once, and then laid on every paper.

In: a deck, and how somebody wants it made. Out: its files by their paths, and what is not as the deck says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from refgen.aids.card_deck import CardDeck
from refgen.aids.system_info import SystemInfo
from refgen.errors import RefgenError
from refgen.layout.engine import lay_out, write
from refgen.pipeline.tabletop import tabletop_files
from refgen.render.assets import assets
from refgen.render.card.deck_format import DeckFormat
from refgen.render.card.fit import FittedDeck, fit_deck
from refgen.render.card.impose import impose, with_boxes
from refgen.render.card.imposition import SheetFormat
from refgen.render.card.pictures import face_pictures
from refgen.render.html import calibration_html, deck_html
from refgen.render.layout_cache import KeptPages
from refgen.render.page_format import PageFormat
from refgen.render.readback.aid import Rendered, read_back
from refgen.render.readback.imposed import imposed_mismatches
from refgen.render.readback.mismatch import Mismatch


@dataclass(frozen=True, slots=True)
class DeckFiles:
    """What was made of a deck; ``shown`` is the PDF that a preview shows, ``faults`` are those of cards left out."""

    files: Mapping[str, bytes]
    shown: bytes
    mismatches: Sequence[Mismatch]
    faults: Sequence[RefgenError]


def make_deck_files(
    system: SystemInfo, deck: CardDeck, chosen: DeckFormat, formats: Sequence[PageFormat], kept: KeptPages | None
) -> DeckFiles:
    """Make a deck, of which some faces may be ``kept``. Raises RenderError when no card can be made."""
    name, style = f"{system.id}/{chosen.name}", chosen.style
    sheets = list(chosen.sheets(formats))
    for sheet in sheets:
        sheet.check()
    fitted = fit_deck(
        lambda *faces: deck_html(system, style, *faces), system, chosen.printable(deck), style, name, kept
    )
    html = fitted.html
    rendered = Rendered(name, html, fitted.pdf, fitted.measured)
    mismatches = read_back(system, fitted.faces, rendered, assets())
    files = {f"{name}.html": html.encode(), f"{name}.pdf": with_boxes(fitted.pdf, style)}
    shown = fitted.pdf
    for number, sheet in enumerate(sheets):
        file = f"{system.id}/{sheet.name}.pdf"
        files[file] = impose(fitted.pdf, fitted.faces, sheet)
        mismatches += imposed_mismatches(fitted.faces, fitted.pdf, files[file], sheet, file)
        shown = shown if number else files[file]
        files |= _calibration(system, sheet) if chosen.calibration else {}
    return DeckFiles({**files, **_others(system, chosen, fitted)}, shown, mismatches, fitted.faults)


def _calibration(system: SystemInfo, sheet: SheetFormat) -> Mapping[str, bytes]:
    name = f"{system.id}/cards-calibration-{sheet.paper}"
    return {f"{name}.pdf": write(lay_out(calibration_html(sheet.paper), name, assets()), name)}


def _others(system: SystemInfo, chosen: DeckFormat, fitted: FittedDeck) -> Mapping[str, bytes]:
    """What else somebody may want: pictures, and the files of other tables."""
    name = f"{system.id}/{chosen.name}"
    files: dict[str, bytes] = {}
    if chosen.pictures:
        pictures = face_pictures(fitted.pdf, chosen.style)
        files |= {f"{name}-300dpi/{number:03d}.png": picture for number, picture in enumerate(pictures, start=1)}
    if chosen.tabletop:
        made = tabletop_files(system.title, fitted, chosen.url)
        files |= {f"{name}-tabletop-simulator/{file}": data for file, data in made.items()}
    return files
