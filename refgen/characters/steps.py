"""What is worked out on a sheet, field by field, each after those that it follows from.

In: the computed fields of a sheet. Out: the same in order. Raises AidError for values that follow from each other in a
circle.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from refgen.characters.formula import ReadyFormula, Show
from refgen.characters.reader import Values
from refgen.characters.sheet.model import Field, Part
from refgen.errors import AidError, RefgenError
from refgen.resolver.chains.tracks import Tracks

COUNT, SUM = "count", "sum"
"""What formulas may ask of a list: on how many lines something is written, and what a field of its lines adds up to."""


@dataclass(frozen=True, slots=True)
class Step:
    """A computed field. ``list_id`` is the list on whose lines it is, "" for none; ``totals`` are those it asks for.

    ``entry`` is what the row of a table brings along.
    """

    field: Field
    formula: ReadyFormula
    show: Show
    list_id: str
    totals: Sequence[str]
    entry: Values
    part: Part

    @property
    def keys(self) -> Sequence[str]:
        """The keys of the values that its formula wants."""
        return [wanted.known.key for wanted in self.formula.wanted]


@dataclass(frozen=True, slots=True)
class TrackStep:
    """A row of boxes: its key, what it is called, and how many there are: a kind of box of a track, or a formula.

    ``formula`` is that of the level that the track goes by, None where it is the same for all.
    """

    key: str
    label: str
    formula: ReadyFormula | None
    tracks: Tracks | None
    place: int


@contextmanager
def placed(part: Part) -> Iterator[None]:
    """Give a fault without a place that of a part."""
    try:
        yield
    except RefgenError as error:
        if error.span is not None:
            raise
        raise AidError(error.message, span=part.place, hint=error.hint) from error


def in_order(steps: Sequence[Step]) -> Sequence[Step]:
    """Each step after those whose values it wants. Raises AidError for a circle."""
    by_key: dict[str, list[Step]] = {}
    for step in steps:
        by_key.setdefault(step.field.name, []).append(step)
        if step.list_id:
            by_key.setdefault(f"{step.list_id}.{step.field.id}.{SUM}", []).append(step)
    after = {id(step): [other for key in step.keys for other in by_key.get(key, [])] for step in steps}
    ordered: dict[int, Step] = {}
    for step in steps:
        _add(step, after, ordered, ())
    return list(ordered.values())


def _add(step: Step, after: Mapping[int, Sequence[Step]], ordered: dict[int, Step], above: tuple[int, ...]) -> None:
    """Put a step behind those that it comes after. Raises AidError where that goes in a circle."""
    if id(step) in ordered:
        return
    if id(step) in above:
        with placed(step.part):
            raise AidError(f'"{step.field.label}" follows from itself', hint="Break the circle of formulas.")
    for other in after[id(step)]:
        _add(other, after, ordered, (*above, id(step)))
    ordered[id(step)] = step
