"""Changes made and judged, one after the other or by several processes.

In: documents. Out: for each change what the check made of it.
"""

from __future__ import annotations

import gc
import multiprocessing
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from random import Random

from refgen.checks.finding import CheckReport
from refgen.game import GameModel
from refgen.gc_tuning import tune_gc
from tests.checks.mutation.change import Change
from tests.checks.mutation.edits import Author
from tests.checks.mutation.exceptions import SAME_MEANING, reason
from tests.checks.mutation.front_door import Edited, documents
from tests.checks.mutation.mutations import Mutation, Size, mutations
from tests.checks.mutation.shown import Shown, difference, says_the_same, shown
from tests.checks.mutation.tokens import Standing, Token, tokens
from tests.checks.mutation.verdict import Judgement, Verdict, judge

SEED = "refgen"
CHUNK = 8
DERIVABLE = tuple(standing for standing in Standing if standing.is_derivable)


@dataclass(frozen=True, slots=True)
class Judged:
    """A change of a document and its judgement. ``exception`` is why it need not be caught, "" when it must.

    ``differs`` are places of tables and facts that show something else without a word of it in the report.
    """

    document: str
    place: str
    change: Change
    size: Size | None
    standing: Standing
    judgement: Judgement
    exception: str = ""
    differs: tuple[str, ...] = ()

    @property
    def verdict(self) -> Verdict:
        return self.judgement.verdict

    @property
    def is_hidden(self) -> bool:
        """Whether play aids show something else and nothing is said, not even by a note."""
        return bool(self.differs) and not self.exception

    def __str__(self) -> str:
        """A line for people: place, name, what was printed, what is written instead, and the verdict."""
        what = f"{self.place}: {self.change.name or '-'}: {self.change.old!r} made {self.change.new!r}"
        why = "; ".join(filter(None, (self.judgement.why, *self.differs[:3])))
        return f"{what}: {self.standing}, {self.change.kind}: {self.verdict.upper()} {why}".rstrip()


class Trial:
    """A document, its unchanged outcome, and the changes that can be made to it."""

    def __init__(self, edited: Edited) -> None:
        self.edited = edited

    @cached_property
    def _unchanged(self) -> tuple[GameModel, CheckReport]:
        outcome = self.edited.check()
        if outcome.game is None or outcome.report is None:
            raise AssertionError(f"{self.edited} is refused: {outcome}")
        return outcome.game, outcome.report

    @property
    def report(self) -> CheckReport:
        return self._unchanged[1]

    @cached_property
    def tokens(self) -> Sequence[Token]:
        return tokens(self.edited, self._unchanged[0])

    @cached_property
    def mutations(self) -> Sequence[Mutation]:
        """Every mutation, each once."""
        found = {one.change.pieces: one for one in mutations(self._unchanged[0], self.tokens)}
        return list(found.values())

    def edits(self, count: int) -> Sequence[Change]:
        """So many edits, always the same ones, named by the tokens that they touch."""
        edits = Author.of(self._unchanged[0], self.tokens, f"{SEED} {self.edited}").edits(count)
        return [replace(one, name=" … ".join(token.name for token in self.touched(one))) for one in edits]

    def touched(self, change: Change) -> Sequence[Token]:
        """The tokens that a change touches."""
        return [
            token
            for token in self.tokens
            if any(token.start <= piece.end and piece.start <= token.end for piece in change.pieces)
        ]

    def standing_of(self, change: Change) -> Standing:
        """The best standing of the tokens that a change touches."""
        standings = (token.standing for token in self.touched(change))
        return min(standings, key=list(Standing).index, default=Standing.IGNORED)

    @cached_property
    def shown(self) -> Shown:
        return shown(self._unchanged[0])

    def prepared(self) -> Trial:
        """The same, with all that every change needs worked out."""
        _ = self.mutations, self.shown
        return self

    def judged(self, change: Change, size: Size | None = None, standing: Standing = Standing.READ) -> Judged:
        """Make a change and check the document."""
        outcome = self.edited.check(change.applied(self.edited.text))
        judgement = judge(self.report, change, outcome)
        differs: tuple[str, ...] = ()
        if judgement.verdict is Verdict.SILENT and outcome.game is not None:
            differs = tuple(difference(self.shown, shown(outcome.game)))
        span = self.report_span(change)
        why = reason(self.edited.game, change)
        if size is Size.SWAP and judgement.verdict is Verdict.SILENT and outcome.game is not None:
            why = why or (SAME_MEANING if says_the_same(self._unchanged[0], outcome.game) else "")
        return Judged(str(self.edited), span, change, size, standing, judgement, why, differs)

    def report_span(self, change: Change) -> str:
        source = self._unchanged[0].ruleset.document
        line, column = source.position(change.pieces[0].start)
        return f"{line}:{column}"


@cache
def trial(document: str) -> Trial:
    """The trial of a document, by the name of its game and edition."""
    return Trial(documents()[document])


Task = tuple[str, Change, Size | None, Standing]


def mutation_tasks(
    document: str,
    sizes: Sequence[Size] = tuple(Size),
    count: int | None = None,
    *,
    derivable: bool = False,
    counted: bool = False,
) -> Sequence[Task]:
    """The mutations of some sizes, all or so many of them picked by chance, always the same.

    ``derivable``: only those of numbers that follow from others. ``counted``: those, and of what they rest on.
    """
    kept = DERIVABLE if derivable else (*DERIVABLE, Standing.SOURCE) if counted else tuple(Standing)
    tasks: list[Task] = [
        (document, one.change, one.size, one.standing)
        for one in trial(document).mutations
        if one.size in sizes and one.standing in kept
    ]
    return tasks if count is None else Random(f"{SEED} {document}").sample(tasks, min(count, len(tasks)))


def edit_tasks(document: str, count: int) -> Sequence[Task]:
    """So many of an author's edits."""
    one = trial(document)
    return [(document, change, None, one.standing_of(change)) for change in one.edits(count)]


def run(tasks: Sequence[Task], jobs: int = 1) -> Iterator[Judged]:
    """Judge each change, by several processes that share what was worked out before."""
    for document in dict.fromkeys(task[0] for task in tasks):
        trial(document).prepared()
    if jobs == 1:
        yield from map(_judge, tasks)
        return
    gc.freeze()
    tune_gc()
    with multiprocessing.get_context("fork").Pool(jobs) as pool:
        yield from pool.imap(_judge, tasks, CHUNK)


def _judge(task: Task) -> Judged:
    document, change, size, standing = task
    return trial(document).judged(change, size, standing)
