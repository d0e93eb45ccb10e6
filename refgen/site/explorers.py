"""The explorers of a game, to be asked in a browser.

In: a game. Out: ExplorersPage, with every answer worked out and rounded: the page looks them up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import ClassVar, TypedDict

from refgen.game.game import GameModel
from refgen.resolver.tables.explorer import Explorer
from refgen.rules.model import Cell
from refgen.site.page import Head

LONGEST = 20
"""An exact number of more characters tells nobody anything."""


class AxisData(TypedDict):
    """A choice: its id and title, the words of each entry, and the place of the one that is chosen at first."""

    id: str
    title: str
    entries: list[str]
    start: int


class AcrossData(TypedDict):
    """What there is an answer of for each entry: its title, the entries, and the titles of the figures of each."""

    title: str
    entries: list[str]
    cells: list[str]


class ExplorerData(TypedDict):
    """An explorer.

    ``figures`` are pairs: as shown, and exactly where that says more. ``rows`` are answers, by the places of their
    figures: those of ``columns``, then those across. ``answers`` has the place of the row of each combination, the last
    axis fastest; None where there is none.
    """

    id: str
    title: str
    rule: str
    note: str
    axes: list[AxisData]
    columns: list[str]
    across: AcrossData
    figures: list[tuple[str, str]]
    rows: list[list[int]]
    answers: list[int | None]


@dataclass(frozen=True)
class ExplorersPage:
    """A form to ask explorers; ``data`` is what its script looks up, worked out when the page is made."""

    template: ClassVar[str] = "explorers"
    head: Head
    explorers: Sequence[Explorer]

    @cached_property
    def data(self) -> Sequence[ExplorerData]:
        """Every explorer with all its answers."""
        return list(map(_explorer, self.explorers))


def make_explorers(head: Head, game: GameModel) -> ExplorersPage:
    """The page of a game's explorers."""
    return ExplorersPage(head, list(game.explorers.values()))


def _explorer(explorer: Explorer) -> ExplorerData:
    figures: dict[tuple[str, str], int] = {}
    rows: dict[tuple[int, ...], int] = {}
    answers: list[int | None] = []
    for entries in product(*(axis.entries for axis in explorer.grid.axes)):
        cells = explorer.answer(entries)
        if cells is not None:
            row = tuple([figures.setdefault(figure, len(figures)) for figure in map(_figure, cells)])
            answers.append(rows.setdefault(row, len(rows)))
        else:
            answers.append(None)
    return ExplorerData(
        id=explorer.id,
        title=explorer.title,
        rule=explorer.rule,
        note=explorer.note,
        axes=list(_axes(explorer)),
        columns=[" ".join(filter(None, (column.title, column.unit))) for column in explorer.columns],
        across=AcrossData(title=explorer.across_title, entries=list(explorer.across), cells=list(explorer.cells)),
        figures=list(figures),
        rows=[list(row) for row in rows],
        answers=answers,
    )


def _axes(explorer: Explorer) -> Iterator[AxisData]:
    for axis, chosen in zip(explorer.grid.axes, explorer.start, strict=True):
        shown = [entry.shown.text for entry in axis.entries]
        title = axis.column.title or axis.column.id
        yield AxisData(id=axis.column.id, title=title, entries=shown, start=shown.index(chosen.shown.text))


def _figure(cell: Cell) -> tuple[str, str]:
    """A figure as it is shown, and exactly: "" for a whole number, and for one that is too long to be read."""
    exact = "" if cell.exact is None or cell.exact.denominator == 1 else str(cell.exact)
    return cell.shown, exact if len(exact) <= LONGEST else ""
