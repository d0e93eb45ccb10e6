"""What must be read on the pages of panels.

In: the pages, and the system that these belong to. Out: the panels in order, each with its pieces of text in
reading order, and the words of the tabs. The order of the template is repeated here on purpose.
"""

from __future__ import annotations

from refgen.aids.panels.pages import PanelPage, PanelPages
from refgen.blocks.pieces import Piece
from refgen.game.system_info import SystemInfo
from refgen.render.readback.expected import ExpectedPart, boxed, header


def expected(system: SystemInfo, panels: PanelPages) -> list[ExpectedPart]:
    """The panels, in order."""
    return [_panel(system, page) for page in panels.pages]


def tabs(panels: PanelPages) -> list[str]:
    """What the tabs above the panels say."""
    return ["All", *(page.title for page in panels.pages)]


def _panel(system: SystemInfo, page: PanelPage) -> ExpectedPart:
    edge = [Piece(text, f'edge, "{level}"') for value, level in page.panel.edge for text in (level, value)]
    pieces = [*header(page.title, system, page.place), *edge]
    for box, column in enumerate(page.columns):
        blocks = (block.panel_block.block for block in column.blocks)
        pieces += boxed(box, [piece for block in blocks for piece in block.pieces(page.title)])
    return ExpectedPart(page.title, (*pieces, Piece(page.panel.source, "footer")))
