"""All kinds of blocks, the keys of a block of any kind, and the files in which authors describe blocks.

In: a BlockSpec, and a game or another scope. Out: the described block. Texts may name facts in braces ("roll {dice}"):
the number comes from the rule document, never from here. Raises AidError for a table, column or fact that does not
exist, with the nearest names. In: the folder of a system, and the name of a file. Out: the spec of an aid.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Self, TypeVar

from pydantic import BaseModel, model_validator

from refgen.blocks.block import Block, BlockContext
from refgen.blocks.chart_block import ChartBlock
from refgen.blocks.chart_plan import ChartKeys
from refgen.blocks.lines_block import LinesBlock, LinesKeys
from refgen.blocks.table_block import TableBlock
from refgen.blocks.text_blocks import FactsBlock, GlossaryBlock, ListBlock, QuoteBlock, StepsBlock, TextBlock, TextKeys
from refgen.blocks.typesetting import BlockScope, fill_placeholders, footnotes_of, named_figures
from refgen.errors import AidError, RefgenError
from refgen.files import path_inside
from refgen.rules.field_types import short_form
from refgen.rules.places import locate
from refgen.rules.toml import load_toml
from refgen.source import SourceFile
from refgen.span import Span

KINDS: Sequence[type[Block]] = (
    ChartBlock,
    TableBlock,
    StepsBlock,
    ListBlock,
    GlossaryBlock,
    FactsBlock,
    TextBlock,
    QuoteBlock,
    LinesBlock,
)
"""All kinds of blocks; a spec describes a block of the first kind that is wanted. ``BlockSpec`` has the keys of all."""

KINDS_BY_NAME: Mapping[str, type[Block]] = {kind.kind: kind for kind in KINDS}

CONTENT = tuple(dict.fromkeys(kind.key for kind in KINDS))
"""The keys of which a block has exactly one."""


class BlockSpec(TextKeys, ChartKeys, LinesKeys):
    """A block of a panel, card or sheet, with exactly one of the keys in ``CONTENT``.

    A table, steps of a procedure, ``items`` of a list in no order, a glossary, facts, a short text, a quotation, or so
    many free ``lines`` to write on. Of a long table, ``row_range`` is the first and the last row to show (counted from
    1), ``part`` the number of one of ``parts`` equal parts of these rows, and ``fold`` the number of groups of rows
    side by side. ``chart`` draws ``columns`` of a table over the column ``across``; ``width`` is the width of the whole
    chart, ``height`` the height of the drawing, in em; a chart is never wider than its column. ``note`` replaces the
    note of the table; "" leaves the note out.
    """

    @model_validator(mode="after")
    def _check_kind(self) -> Self:
        given = [key for key in CONTENT if getattr(self, key)]
        if len(given) != 1:
            raise ValueError(f"a block has one of {', '.join(CONTENT)}; this one has {', '.join(given) or 'none'}")
        return self


BlockEntry = Annotated[BlockSpec, short_form("table", BlockSpec)]
"""A block, or the id of the table that it shows."""


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


def printed_spans(scope: BlockScope, spec: BlockSpec) -> Iterator[Span]:
    """The places where the document prints the figures and texts of a block."""
    kind = kind_of(spec)
    if span := kind.printed_at(spec, scope):
        yield span
    for text in (spec.note or "", *kind.texts_of(spec)):
        yield from (stated.span for stated in named_figures(scope, text) if stated.span)


SpecT = TypeVar("SpecT", bound=BaseModel)


def load_aid_spec(
    folder: Path, name: str, model: type[SpecT], dice_letters: tuple[str, ...] = ()
) -> tuple[SpecT, SourceFile]:
    """Load ``folder/name``; ``dice_letters`` may stand for dice in its formulas, besides d.

    Raises SourceError or RulesError.
    """
    source = SourceFile.read(path_inside(folder, name), (Path(folder.name) / name).as_posix())
    return load_toml(source, model, dice_letters), source


def unwritten_file(folder: Path, name: str) -> SourceFile:
    """An empty file in the place of ``folder/name``, for a spec that is proposed and not written."""
    return SourceFile((Path(folder.name) / name).as_posix(), "")


@contextmanager
def place_faults(source: SourceFile, *path: str | int) -> Iterator[None]:
    """Give a fault without a place the place of ``path`` in the file."""
    try:
        yield
    except RefgenError as error:
        if error.span is not None:
            raise
        raise AidError(error.message, span=locate(source, path), hint=error.hint) from error
