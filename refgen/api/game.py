"""A game that can be explored and built.

In: a game of a project. Out: the same, with tables and reports that can be written down, and its play aids.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from refgen.api.coverage import Coverage
from refgen.api.report import Report
from refgen.api.roll import Roll
from refgen.api.table import Table
from refgen.game import game
from refgen.game.catalog import Catalog
from refgen.game.spec import GameRules
from refgen.pipeline.progress import Progress, no_progress

if TYPE_CHECKING:
    from refgen.pipeline.run import BuildResult

Build = Callable[..., "BuildResult"]
"""What builds some games of the project that a game belongs to."""


class Game(game.Game):
    """A game: what its document states, what follows from it, whether the two agree, and the play aids made of it."""

    def __init__(self, ruleset: GameRules, folder: Path, build: Build) -> None:
        """``build`` is that of the project which the game belongs to."""
        super().__init__(ruleset, folder)
        self._build = build

    @cached_property
    def tables(self) -> Catalog[Table]:
        """Printed and computed tables, in this order."""
        return super().tables.mapped(lambda table: Table.of(table, self.id))

    @cached_property
    def rolls(self) -> Catalog[Roll]:
        """What is rolled, by name: the distributions of the game's dice.

        >>> game.rolls["4d6"].at_least(2)
        Fraction(115, 648)
        """
        return self.named_rolls.mapped(lambda named: Roll(named.title, named.reaching))

    def check(self) -> Report:
        """Compare every printed number with the rules. What is wrong with its files is in the report's ``errors``."""
        return Report.of(super().check())

    def coverage(self) -> Coverage:
        """What becomes of every number of the documents. Raises CheckError for a check or erratum that is wrong."""
        return Coverage.of(super().coverage())

    def build(
        self,
        output: Path | str = "build",
        *,
        only: Collection[str] = (),
        papers: Sequence[str] = (),
        jobs: int | None = None,
        progress: Progress = no_progress,
        **settings: Any,
    ) -> BuildResult:
        """Make the play aids of this game and publish them whole; as ``Project.build``, of this game alone."""
        return self._build(output, [self.id], only=only, papers=papers, jobs=jobs, progress=progress, **settings)
