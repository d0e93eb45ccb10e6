"""All kinds of blocks, and the keys of a block of any kind.

In: a BlockSpec, and a game or another scope. Out: the block described. Texts may name facts in braces ("roll {dice}"):
the number comes from the rule document, never from here. Raises AidError for a table, column or fact that does not
exist, with the nearest names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Self

from pydantic import model_validator

from refgen.blocks.block import Block, BlockContext
from refgen.blocks.chart.block import ChartBlock
from refgen.blocks.chart.plan import ChartKeys
from refgen.blocks.facts import FactsBlock, FactsKeys, GlossaryBlock, GlossaryKeys
from refgen.blocks.quote import QuoteBlock, QuoteKeys
from refgen.blocks.table.block import TableBlock
from refgen.blocks.texts import ListBlock, ListKeys, StepsBlock, StepsKeys, TextBlock, TextKeys
from refgen.blocks.words import BlockScope, fill_placeholders, footnotes_of

KINDS: Sequence[type[Block]] = (
    ChartBlock,
    TableBlock,
    StepsBlock,
    ListBlock,
    GlossaryBlock,
    FactsBlock,
    TextBlock,
    QuoteBlock,
)
"""All kinds of blocks; a spec describes a block of the first kind that is wanted. ``BlockSpec`` has the keys of all."""

KINDS_BY_NAME: Mapping[str, type[Block]] = {kind.kind: kind for kind in KINDS}

CONTENT = tuple(dict.fromkeys(kind.key for kind in KINDS))
"""The keys of which a block has exactly one."""


class BlockSpec(QuoteKeys, TextKeys, FactsKeys, GlossaryKeys, ListKeys, StepsKeys, ChartKeys):
    """One block of a panel, card or sheet, with exactly one of the keys in ``CONTENT``.

    A table, steps of a procedure, ``items`` of a list in no order, a glossary, facts, a short text, or a quotation. Of
    a long table, ``row_range`` takes the rows from one to another (counted from 1), ``part`` one of so many equal
    ``parts`` of these, and ``fold`` sets them in so many groups side by side. ``chart`` draws a table instead: its
    ``columns`` over the column ``across``; ``width`` is that of the whole chart, ``height`` that of the drawing, in em;
    a chart is never wider than its column. ``note`` replaces a table's own note; "" leaves the note out.
    """

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        given = [key for key in CONTENT if getattr(self, key)]
        if len(given) != 1:
            raise ValueError(f"a block has one of {', '.join(CONTENT)}; this one has {', '.join(given) or 'none'}")
        return self


def kind_of(spec: BlockSpec) -> type[Block]:
    """The kind of block that a spec describes."""
    return next(kind for kind in KINDS if kind.is_wanted(spec))


def make_block(scope: BlockScope, spec: BlockSpec, *, titled: bool = True, within: str = "") -> Block:
    """Make the block that a spec describes; a table without a title gets that of the game's table, if ``titled``.

    ``within`` is the title above the block, which a table of one column does not repeat as its head.
    """
    kind = kind_of(spec)
    footnotes = footnotes_of(scope, spec.note or "", *kind.texts_of(spec))
    title, note = fill_placeholders(scope, spec.title), fill_placeholders(scope, spec.note or "", footnotes)
    return kind.make(spec, BlockContext(scope, title, note, footnotes, titled, within))
