"""The gallery: a panel with a block of each kind, made of the parts of a game, for authors who try a look.

In: a game. Out: the HTML of the panel, set by estimated heights, as ``refgen serve`` shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from typing import Any

from refgen.aids.panels.job import estimate_panels, panels_html
from refgen.aids.panels.model import USUAL_FORMAT, Importance, Panel, PanelBlock, Panels
from refgen.aids.reference_lists import ladder_steps
from refgen.blocks.block import Block
from refgen.blocks.kinds import BlockSpec, make_block
from refgen.blocks.table_block import TableBlock
from refgen.errors import RefgenError
from refgen.game import GameModel, SystemInfo
from refgen.look.look import in_look
from refgen.source import plain_text

_MOST_ROWS, _MOST_COLUMNS = 8, 8
"""The most of a table that is shown."""

_TRIED = 10
"""So many tables are looked at; the table with the most tints is shown, if the block has tints."""

_FEW = 5
"""The most entries of a list."""

Keys = Mapping[str, Any]
"""The keys of a block, as an author writes them."""


def gallery_html(game: GameModel) -> str:
    """A page with a block of each kind that the game has parts for. Raises RenderError."""
    system = SystemInfo.of(game)
    edge = next((ladder_steps(ladder) for ladder in game.ladders.values()), ())
    importances = [*Importance, *[Importance.USUAL] * len(_SHOWN)]
    with in_look(game.look):
        blocks = tuple(map(PanelBlock, gallery_blocks(game), importances))
        panel = Panel(game.title, blocks, edge, f"{system.source}.", flows=True, rounding=system.rounding)
        pages, across, _ = estimate_panels(Panels(game.title, (panel,)), USUAL_FORMAT, system.words)
        return panels_html(system, "gm-screen", pages, USUAL_FORMAT, across)


def gallery_blocks(game: GameModel) -> Iterator[Block]:
    """A block of each kind, in plain and in marked forms, as far as the game has parts for the kind."""
    for title, candidates in _SHOWN.items():
        made = list(islice(_gallery_blocks(game, title, candidates(game)), _TRIED))
        if made:
            yield max(made, key=_tints)


def _gallery_blocks(game: GameModel, title: str, candidates: Iterable[Keys]) -> Iterator[Block]:
    for keys in candidates:
        with suppress(RefgenError, ValueError):  # a table without figures has no chart
            yield make_block(game, BlockSpec.model_validate({"title": title, **keys}))


def _tints(block: Block) -> int:
    """The number of tints behind the figures of a block."""
    return len({cell.heat for row in block.rows for cell in row}) if isinstance(block, TableBlock) else 0


def _tables(game: GameModel, **keys: Any) -> Iterator[Keys]:
    """Tables, the first rows of each: computed tables first, whose figures have tints, then those of most columns."""
    narrow = [table for table in game.tables.values() if table.rows and len(table.columns) <= _MOST_COLUMNS]
    for table in sorted(narrow, key=lambda table: (not table.computed, -len(table.columns))):
        yield {"table": table.id, "row_range": [1, min(len(table.rows), _MOST_ROWS)], **keys}


def _of_columns(game: GameModel, key: str, **keys: Any) -> Iterator[Keys]:
    """Tables with one of their columns under a key."""
    for table in _tables(game, **keys):
        for column in game.tables[table["table"]].columns[1:]:
            yield {**table, key: column.id} if key == "bars" else {**table, key: [column.id]}


def _words(texts: Iterable[str]) -> list[str]:
    """A few texts, without those that name facts in braces."""
    return [plain_text(text) for text in dict.fromkeys(texts) if text and "{" not in text][:_FEW]


def _titles(game: GameModel) -> list[str]:
    return _words(section.title for section in game.sections)


def _quotes(game: GameModel) -> Iterator[Keys]:
    for section in game.sections:
        if section.title and section.paragraphs:
            yield {"quote": {"section": section.title, "paragraph": 1}}


_SHOWN: Mapping[str, Callable[[GameModel], Iterable[Keys]]] = {
    "text": lambda game: [{"text": text} for text in _words([game.ruleset.spec.about, game.title])],
    "table": _tables,
    "table, heat": lambda game: _tables(game, heat=True),
    "table, bars": lambda game: _of_columns(game, "bars"),
    "chart, bars": lambda game: _of_columns(game, "columns", chart="bars"),
    "chart, lines": lambda game: _of_columns(game, "columns", chart="lines"),
    "steps": lambda game: [{"steps": _titles(game)}],
    "items": lambda game: [{"items": _titles(game)}],
    "facts": lambda game: [{"facts": [*game.facts][:_FEW]}],
    "glossary": lambda game: [{"glossary": [{"term": text, "text": game.title} for text in _titles(game)[:2]]}],
    "quote": _quotes,
    "lines": lambda _: [{"lines": 2}],
}
"""By the title of a block, its possible keys, the best first."""
