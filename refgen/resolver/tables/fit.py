"""How well candidates explain printed chances that come without their rule.

In: printed columns of chances, and candidates: computed tables, or families of dice. Out: a computed table with a row
for each candidate, best first: the errors, and the number of printed cells that agree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, Self

from pydantic import Field, model_validator

from refgen.errors import ResolverError
from refgen.notation.figures import Rounding, decimal, half_unit, units
from refgen.notation.values import Number, Percent, as_chance
from refgen.resolver.dice.distribution import DEFAULT_REACH
from refgen.resolver.lookup import ComputedSpec, column_of, computed_table, key_of, sources_of_dice, table_of
from refgen.resolver.rolls import roll_of
from refgen.rules.field_types import Identifier, RolledText
from refgen.rules.model import Cell, Column, Ruleset, RuleTable
from refgen.rules.toml import Strict
from refgen.span import Span
from refgen.words import Phrase


class FitCandidate(Strict):
    """A candidate that may explain printed chances: a computed table that stands above, or some dice (``{die}``).

    ``key`` and ``columns`` (printed to computed) name the computed table's own where they differ.
    ``best`` is how many of the family are shown.
    """

    title: str
    computed: Identifier | None = None
    key: Identifier | None = None
    columns: dict[Identifier, Identifier] = {}
    dice: RolledText = ""
    die: list[str] = Field([], max_length=20)
    best: int = Field(1, ge=1)

    @model_validator(mode="after")
    def _check_candidate(self) -> Self:
        if (self.computed is None) == (not self.dice):
            raise ValueError("a candidate is either `computed` or `dice`")
        return self


class FitSpec(ComputedSpec):
    """How well candidates explain printed columns of chances: errors, and how many cells agree.

    Dice are the chance to reach the key; with ``shift`` the key is added to the roll and the sum must reach 0.
    """

    kind: Literal["fit"]
    printed: Identifier
    key: Identifier
    columns: list[Identifier] = Field(min_length=1)
    shift: bool = False
    candidates: list[FitCandidate] = Field(min_length=1)

    @model_validator(mode="after")
    def _check_columns(self) -> Self:
        for candidate in self.candidates:
            if unknown := set(candidate.columns) - set(self.columns):
                raise ValueError(f'"{candidate.title}" names {", ".join(sorted(unknown))}, which is not in `columns`')
        return self


Place = tuple[Fraction | str, str]
"""A cell of the printed table: its key, and its column."""


@dataclass(frozen=True, slots=True)
class PrintedOdds:
    """A printed chance, half a unit of its last digit, and the words that say where it stands."""

    chance: Percent
    slack: Fraction
    place: Place
    words: str

    def roundings(self, exact: Fraction) -> Sequence[Rounding]:
        """The rules of rounding that make it of that chance."""
        places = self.chance.places + 2
        figure = self.chance.value * 10**places
        return [rule for rule in Rounding if units(exact, places, rule) == figure]


@dataclass(frozen=True, slots=True)
class Fit:
    """A candidate beside the printed chances. Errors are shares (not percentage points).

    ``near`` are the cells that some rounding may give, with the candidate's chances; ``worst`` is the first printed
    cell with the largest error; ``residue`` is the most by which a chance may be wrong because an open-ended roll was
    not followed to its end.
    """

    title: str
    near: Sequence[tuple[PrintedOdds, Fraction]]
    agreeing: int
    mean: Fraction
    largest: Fraction
    worst: PrintedOdds
    sources: tuple[Span, ...]
    residue: Fraction

    @property
    def rank(self) -> tuple[int, Fraction, Fraction]:
        """The key by which fits are sorted, best first."""
        return -self.agreeing, self.mean, self.largest


def fit(ruleset: Ruleset, table_id: str, spec: FitSpec) -> RuleTable:
    """The candidates (rows, best first) and how well each explains the printed chances.

    Errors are in percentage points. Of a family of dice the ``best`` few are shown. Raises ResolverError for a
    candidate that says nothing about a printed cell.
    """
    table = table_of(ruleset, spec.printed)
    printed = list(_printed_odds(table, spec, ruleset.spec.tables[table.id].numbers))
    if not printed:
        raise ResolverError(f'"{spec.printed}" prints no chances in {", ".join(spec.columns)}')
    families = [_fit_candidate(ruleset, spec, candidate, printed) for candidate in spec.candidates]
    kept = [
        found
        for candidate, family in zip(spec.candidates, families, strict=True)
        for found in sorted(family, key=lambda found: found.rank)[: candidate.best]
    ]
    kept.sort(key=lambda found: found.rank)
    rows = [_row(found, kept[0], len(printed), table, spec) for found in kept]
    rule = _rule(table.title, sum(map(len, families)), max(found.residue for found in kept))
    return computed_table(table_id, spec, _COLUMNS, rows, rule)


def _rule(title: str, tried: int, residue: Fraction) -> str:
    rule = Phrase("fit-rule", table=title, number=tried)
    return Phrase("fit-open-ended", rule=rule, number=f"{int(1 / residue):,}") if residue else rule


def _printed_odds(table: RuleTable, spec: FitSpec, expected: range) -> Iterator[PrintedOdds]:
    """The printed chances, row by row; a blank counts when system.toml says which chance it means.

    What stands in a row that the table should not have explains nothing.
    """
    columns = [(column, list(column_of(table, column))) for column in spec.columns]
    titles = {column.id: column.title for column in table.columns}
    for number, key in enumerate(column_of(table, spec.key)):
        if expected and key_of(key) not in expected:
            continue
        for column, cells in columns:
            chance = as_chance(cells[number].value)
            if chance is not None:
                words = f"{key.text}, {titles[column]}" if len(columns) > 1 else key.text
                yield PrintedOdds(chance, half_unit(chance), (key_of(key), column), words)


def _fit_candidate(
    ruleset: Ruleset, spec: FitSpec, candidate: FitCandidate, printed: Sequence[PrintedOdds]
) -> list[Fit]:
    """A candidate, or each of its family, beside the printed chances."""
    if candidate.computed:
        table = table_of(ruleset, candidate.computed)
        cells = dict(_cells(table, spec, candidate))
        chances = [_looked_up(table, cells, figure.place) for figure in printed]
        spans = (span for cell in cells.values() for span in cell.sources)
        return [_fit(candidate.title, chances, printed, tuple(dict.fromkeys(spans)))]
    family = candidate.die or [""]
    return [_dice_fit(ruleset, spec, candidate, die, printed) for die in family]


def _cells(table: RuleTable, spec: FitSpec, candidate: FitCandidate) -> Iterator[tuple[Place, Cell]]:
    keys = [key_of(cell) for cell in column_of(table, candidate.key or spec.key)]
    for column in spec.columns:
        found = column_of(table, candidate.columns.get(column, column))
        yield from zip(((key, column) for key in keys), found, strict=True)


def _looked_up(table: RuleTable, cells: Mapping[Place, Cell], place: Place) -> Fraction:
    cell = cells.get(place)
    if cell is None or cell.exact is None:
        raise ResolverError(f'"{table.id}" has no chance for {place[0]} in "{place[1]}"')
    return cell.exact


def _dice_fit(
    ruleset: Ruleset, spec: FitSpec, candidate: FitCandidate, die: str, printed: Sequence[PrintedOdds]
) -> Fit:
    dice, title = candidate.dice.replace("{die}", die), candidate.title.replace("{die}", die)
    targets = [_target(figure, spec) for figure in printed]
    rolled = roll_of(ruleset, dice, max(DEFAULT_REACH, *map(abs, targets)))
    residue = Fraction(0) if all(map(rolled.is_exact, targets)) else rolled.residue
    chances = list(map(rolled.at_least, targets))
    return _fit(title, chances, printed, sources_of_dice(ruleset, dice), residue)


def _target(printed: PrintedOdds, spec: FitSpec) -> int:
    """The number that a roll must reach: the key, or minus the key when the key is added to the roll."""
    key = printed.place[0]
    if isinstance(key, str) or key.denominator != 1:
        raise ResolverError(f'"{key}" is not a whole number that a roll can reach')
    return -int(key) if spec.shift else int(key)


def _fit(
    title: str,
    chances: Sequence[Fraction],
    printed: Sequence[PrintedOdds],
    sources: tuple[Span, ...],
    residue: Fraction = Fraction(0),
) -> Fit:
    errors = [abs(figure.chance.value - chance) for figure, chance in zip(printed, chances, strict=True)]
    cells = list(zip(printed, chances, errors, strict=True))
    agreeing = sum(error <= figure.slack for figure, _, error in cells)
    # No rule of rounding moves a figure by a whole unit.
    near = [(figure, chance) for figure, chance, error in cells if error < 2 * figure.slack]
    largest = max(errors)
    mean = sum(errors, Fraction(0)) / len(errors)
    return Fit(title, near, agreeing, mean, largest, printed[errors.index(largest)], sources, residue)


def _best_rounding(found: Fit) -> tuple[Rounding, int]:
    """The rule of rounding that gives the most printed cells, and how many."""
    counts = Counter(rule for figure, chance in found.near for rule in figure.roundings(chance))
    best = max(Rounding, key=counts.__getitem__)
    return best, counts[best]


_COLUMNS = [
    Column("candidate", Phrase("fit-candidate")),
    Column("agree", Phrase("fit-agree"), "number"),
    Column("cells", Phrase("fit-of"), "number"),
    Column("rounded", Phrase("fit-rounded"), "number"),
    Column("rounding", Phrase("fit-rounding")),
    Column("mean", Phrase("fit-mean"), "number"),
    Column("largest", Phrase("fit-largest"), "number"),
    Column("at", Phrase("fit-at")),
    Column("verdict", Phrase("verdict")),
]


def _row(found: Fit, best: Fit, cells: int, table: RuleTable, spec: FitSpec) -> tuple[Cell, ...]:
    sources = (*found.sources, table.span) if table.span else found.sources
    rounding, rounded = _best_rounding(found)
    return (
        Cell(found.title),
        _number(Fraction(found.agreeing), 0, spec, sources),
        _number(Fraction(cells), 0, spec, sources),
        _number(Fraction(rounded), 0, spec, sources),
        Cell(Phrase(f"rounded-{rounding}")),
        _number(found.mean * 100, spec.places, spec, sources),
        _number(found.largest * 100, spec.places, spec, sources),
        Cell(found.worst.words if found.largest else "–"),
        Cell(_verdict(found, best, cells)),
    )


def _number(number: Fraction, places: int, spec: FitSpec, sources: tuple[Span, ...]) -> Cell:
    return Cell(decimal(number, places, spec.rounding), Number(number), exact=number, sources=sources)


def _verdict(found: Fit, best: Fit, cells: int) -> str:
    """Whether this is the best candidate, and whether it explains every cell; equally good ones are all best."""
    if found.rank != best.rank:
        return "–"
    return Phrase("fit-best") if found.agreeing == cells else Phrase("fit-not-every")
