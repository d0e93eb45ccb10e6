"""Cards as HTML.

In: faces of cards, the system that the cards are of, and their style. Out: a whole HTML document, which loads nothing
but the assets beside it.
"""

from __future__ import annotations

from collections.abc import Sequence

from refgen.aids.cards.faces import Back, SetFront, Style
from refgen.aids.cards.imposition import CARD_PAPER_SIZES, CardPaper
from refgen.game.system_info import SystemInfo
from refgen.render.environment import SharedStyles, aid_html, environment


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
