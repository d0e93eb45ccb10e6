"""Names in formulas, and the cells or numbers behind them.

In: a ruleset, and the names that the rows and columns of a table give. Out: for each name a way to look it up while
a cell is worked out; the Scope of that cell remembers every printed thing that was used.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple

from refgen.errors import ResolverError
from refgen.notation.formula_parser import parse_formula
from refgen.notation.formula_tree import INTEGRATING, MEMORY, Call, Formula, NameReference, names_in, parts_of
from refgen.notation.values import DiceText, Number, as_number, fraction
from refgen.resolver.dice.arithmetic import Rational, whole
from refgen.resolver.dice.cost import Work
from refgen.resolver.dice.roll import DEFAULT_REACH
from refgen.resolver.lookup import NotPrintedError, column_of
from refgen.rules.model import Cell, Ruleset
from refgen.rules.schema import BeyondSpec
from refgen.span import Span


@dataclass(slots=True, eq=False)
class Named:
    """The meaning of a name: a cell, its number (None when it has none), and ">" or "<" when that is only a bound.

    ``formula`` is the formula of a roll that the name stands for.

    A Named is equal to itself only and can be a key of a cache; it is not frozen, for there are thousands.
    """

    cell: Cell
    number: Rational | None
    bound: str = ""
    formula: Formula | None = None

    @classmethod
    def of(cls, cell: Cell) -> Named:
        """A cell, with its number read once."""
        number = as_number(cell.value)
        bound = cell.value.bound if isinstance(cell.value, Number) else ""
        return cls(cell, number if number is None else whole(number), bound)


_NOWHERE = Cell("")
NOT_PRINTED = Cell("?")
"""A cell of a row that a table should have and does not print; and what is shown where a figure rests on one."""


def named_number(number: Rational) -> Named:
    """A number that a name stands for, and that is printed nowhere."""
    return Named(_NOWHERE, whole(number))


def kept_by(named: Named | None) -> object:
    """By what results are kept: a number, or the cell that has none."""
    return named if named is None or named.number is None else named.number


def bare(named: Named) -> Named:
    """The number without its place in the document: another row may have it from elsewhere."""
    return named if named.number is None or named.cell.span is None else Named(_NOWHERE, named.number, named.bound)


class Result(NamedTuple):
    """The number of a formula with a name, whether the number is a bound, and its sources."""

    number: Rational
    bound: str
    sources_by_id: Mapping[int, Span]


@dataclass(slots=True)
class Scope:
    """The names of the current row (``named``) and column (``across``), and the sources used so far.

    ``bound`` is ">" or "<" once a bound was used: from ">500 mil" only a bound follows. ``row_results`` and
    ``cell_results`` keep what formulas with a name came to: the same in all of a row, or in this cell only. ``stated``
    are the sources of all figures where a table says which. ``reach`` is the farthest outcome from zero that open-ended
    rolls are followed to, ``work`` the steps that working out their dice has taken.
    """

    named: Mapping[str, Named]
    across: Mapping[str, Named] = field(default_factory=dict)
    row_results: dict[str, Result] = field(default_factory=dict)
    cell_results: dict[str, Result] = field(default_factory=dict)
    sources_by_id: dict[int, Span] = field(default_factory=dict)
    bound: str = ""
    stated: tuple[Span, ...] = ()
    reach: int = DEFAULT_REACH
    work: Work = field(default_factory=Work)

    def reaching(self, reach: int) -> Scope:
        """A scope in which open-ended rolls are followed at least to an outcome."""
        return self if reach <= self.reach else replace(self, reach=reach)

    def begin_cell(self, across: Mapping[str, Named]) -> None:
        """Go on to the next cell of the row, which has no sources so far."""
        self.across, self.sources_by_id, self.bound = across, {}, ""
        if self.cell_results:
            self.cell_results = {}

    def find(self, name: str) -> Named | None:
        """The meaning of a name of the row or column; None for a name that neither gives."""
        return self.named.get(name) or self.across.get(name)

    def given(self, names: Collection[str]) -> tuple[object, ...]:
        """The numbers that the row and the column give for some names: the key under which results are kept."""
        return tuple(
            [
                (name, kept_by(named))
                for part in (self.named, self.across)
                for name, named in part.items()
                if name in names
            ]
        )

    def bare(self, names: Collection[str]) -> Scope:
        """The numbers of some names alone, without their places."""
        row, column = (
            {name: bare(named) for name, named in part.items() if name in names} for part in (self.named, self.across)
        )
        return Scope(row, column)

    def add_source(self, named: Named) -> None:
        """Remember that a printed cell was used."""
        span = named.cell.span
        if span is not None:
            self.sources_by_id[id(span)] = span  # a cell has one span, and to hash spans is slow
        if named.bound:
            self.bound = named.bound

    def number_and_bound(self, evaluate: Evaluate) -> tuple[Rational, str]:
        """The value of a formula, and whether this value is a bound; ``bound`` stays as it was."""
        before, self.bound = self.bound, ""
        number = evaluate(self)
        bound, self.bound = self.bound, before
        return number, bound

    def keep(self, evaluate: Evaluate) -> Result:
        """The value of a formula with its sources, to be used more than once."""
        before, self.sources_by_id = self.sources_by_id, {}
        number, bound = self.number_and_bound(evaluate)
        sources, self.sources_by_id = self.sources_by_id, before
        return Result(number, bound, sources)

    def use(self, kept: Result) -> Rational:
        """The number of a formula that was kept; its sources are sources here too."""
        self.sources_by_id.update(kept.sources_by_id)
        self.bound = kept.bound or self.bound
        return kept.number

    @property
    def sources(self) -> tuple[Span, ...]:
        """Where everything stands that was used, in the order of its use, or what the table states in its place."""
        return self.stated or tuple(self.sources_by_id.values())


Evaluate = Callable[[Scope], Rational]
"""A formula, ready to be worked out."""

LookUp = Callable[[Scope], Named]


@dataclass(frozen=True)
class Names:
    """The names that formulas may use: ``named`` are those of rows and columns, each with whether it stands for dice.

    ``across`` are more of them, which change within a row; ``let`` are formulas with a name, those of ``[rolls.*]``
    among them, ``thrown`` dice with one: a throw that is the same wherever a formula mentions it. Where ``varied``,
    rows and columns may give a number in place of any formula with a name, which then serves several tables.
    Besides there are the facts of the document, the ends of its ladders ("skill.lowest", "skill.highest") and of tables
    with a row for each number of a range, and, for functions that go through them, columns of printed tables.
    """

    ruleset: Ruleset
    named: Mapping[str, bool]
    let: Mapping[str, Formula] = field(default_factory=dict)
    across: Mapping[str, bool] = field(default_factory=dict)
    thrown: Mapping[str, Formula] = field(default_factory=dict)
    varied: bool = False
    _known: dict[str, Named] = field(default_factory=dict, repr=False, compare=False)
    _columns: dict[str, Sequence[Named]] = field(default_factory=dict, repr=False, compare=False)
    _thrown: dict[str, bool] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        rolls = self.ruleset.spec.rolls
        if rolls:
            known = {*self.let, *self.named, *self.across, *self.thrown}
            named = {name: parse_formula(spec.roll) for name, spec in rolls.items() if name not in known}
            object.__setattr__(self, "let", {**named, **self.let})

    def given(self, name: str) -> Named | None:
        """A name with the same meaning in every cell: a fact, or an end of a ladder or of the range of a table."""
        fact = self.ruleset.facts.get(name)
        if fact is not None:
            return Named.of(Cell(fact.text, fact.value, fact.span))
        of, _, end = name.rpartition(".")
        ladder, table = self.ruleset.ladders.get(of), self.ruleset.spec.tables.get(of)
        numbers = [level.value for level in ladder.levels] if ladder is not None else table.numbers if table else []
        if not numbers or end not in ("lowest", "highest"):
            return None
        return Named.of(_number(min(numbers) if end == "lowest" else max(numbers)))

    def look_up(self, name: str) -> LookUp:
        """How to find what a name stands for. Raises ResolverError for a name that is not there."""
        if name in self.named:
            return lambda scope: _used(scope, scope.named[name])
        if name in self.across:
            return lambda scope: _used(scope, scope.across[name])
        given = self._given(name)
        return lambda scope: _used(scope, given)

    def _given(self, name: str) -> Named:
        if name in self._known:
            return self._known[name]
        given = self.given(name)
        if given is None:
            known = ", ".join(sorted([*self.named, *self.across, *self.let]))
            hint = f"There are {known}, and the facts of the document." if known else ""
            raise ResolverError(f'a formula asks for "{name}", which is not there', hint=hint)
        self._known[name] = given
        return given

    def number(self, name: str) -> Evaluate:
        """How to find the number that a name stands for. Raises ResolverError for a name that is not there."""
        if name in self.named:
            return lambda scope: _number_of(scope, scope.named[name], name)
        if name in self.across:
            return lambda scope: _number_of(scope, scope.across[name], name)
        given = self._given(name)
        return lambda scope: _number_of(scope, given, name)

    def changes(self, formula: Formula) -> bool:
        """Whether a formula may come to something else in each cell of a row."""
        return self.varied or any(
            self.changes(self.let[name]) if name in self.let else name in self.across for name in names_in(formula)
        )

    def mentioned(self, formula: Formula) -> Iterator[str]:
        """Every name that a formula comes to, through those of ``let``; at each mention again."""
        for name in names_in(formula):
            yield name
            if name in self.let:
                yield from self.mentioned(self.let[name])

    def varying(self, formula: Formula) -> tuple[Sequence[str], Sequence[str]]:
        """The names of rows, and those of columns, that a formula comes to."""
        found: dict[str, None] = {}
        waiting = list(names_in(formula))
        while waiting:
            name = waiting.pop()
            stands_for = self.let.get(name) or self.thrown.get(name)
            if name not in found and stands_for is not None:
                waiting += names_in(stands_for)
            found[name] = None
        of_row = [name for name in found if name in self.named or (self.varied and name in self.let)]
        return of_row, [name for name in found if name in self.across and name not in self.named]

    def is_thrown(self, formula: Formula) -> bool:
        """Whether a formula comes to another number with each outcome of a bound throw."""
        return any(map(self.is_thrown_name, thrown_names(formula)))

    def is_thrown_name(self, name: str) -> bool:
        """Whether a name is a bound throw, or follows from one."""
        if name in self.thrown or name not in self.let:
            return name in self.thrown
        if name not in self._thrown:
            self._thrown[name] = self.is_thrown(self.let[name])
        return self._thrown[name]

    def is_dice(self, name: str) -> bool:
        """Whether a name stands for dice."""
        if (rolled := self.named.get(name, self.across.get(name))) is not None:
            return rolled
        fact = self.ruleset.facts.get(name)
        return fact is not None and isinstance(fact.value, DiceText)

    def is_column(self, name: str) -> bool:
        """Whether a name is that of a printed column, and not of a column of a row or of anything else."""
        table, _, column = name.partition(".")
        known = name in self.named or name in self.across or name in self.let
        return bool(column) and not known and table in self.ruleset.tables

    def column(self, path: str) -> Sequence[Named]:
        """The cells of a printed column, by "table.column"; read once, for formulas name the same ones often."""
        if path not in self._columns:
            table_id, _, column = path.partition(".")
            table = self.ruleset.tables.get(table_id)
            if table is None:
                raise ResolverError(f'a formula asks for "{path}", which is no column of a printed table')
            self._columns[path] = list(map(Named.of, column_of(table, column)))
        return self._columns[path]

    def beyond(self, path: str) -> BeyondSpec | None:
        """How a printed column goes on beyond its ends; None for one that does not."""
        table_id, _, column = path.partition(".")
        table = self.ruleset.spec.tables.get(table_id)
        return next((spec.beyond for spec in table.columns if spec.id == column), None) if table is not None else None

    def ends(self, path: str) -> tuple[Rational, Rational]:
        """The lowest and the highest number that a printed column has, or is to have."""
        numbers = self.expected(path) or [named.number for named in self.column(path) if named.number is not None]
        if not numbers:
            raise ResolverError(f'"{path}" has no numbers, and a column goes on beyond them')
        return min(numbers), max(numbers)

    def expected(self, path: str) -> range:
        """The numbers that a printed column has, where its table says which have a row; else none."""
        table_id, _, column = path.partition(".")
        table = self.ruleset.spec.tables.get(table_id)
        return table.numbers if table is not None and table.columns[table.numbered].id == column else range(0)


@lru_cache(maxsize=MEMORY)
def thrown_names(formula: Formula) -> Sequence[str]:
    """The names in a formula, but for those inside chance() and the like, which ask for throws of their own."""
    if isinstance(formula, NameReference):
        return (formula.name,)
    if isinstance(formula, Call) and formula.name in INTEGRATING:
        return ()
    return tuple([name for part in parts_of(formula) for name in thrown_names(part)])


def _number(value: int) -> Cell:
    return Cell(str(value), Number(fraction(value)))


def _number_of(scope: Scope, named: Named, name: str) -> Rational:
    """The number of a name; its look-up is written out here, for formulas do nothing more often."""
    span = named.cell.span
    if span is not None:
        scope.sources_by_id[id(span)] = span
    if named.bound:
        scope.bound = named.bound
    return number_in(named, name) if named.number is None else named.number


def _used(scope: Scope, named: Named) -> Named:
    scope.add_source(named)
    return named


def number_in(named: Named, name: str) -> Rational:
    """The number that a name stands for. Raises ResolverError when it stands for none."""
    if named.cell is NOT_PRINTED:
        raise NotPrintedError(f"{{{name}}} is not printed")
    if named.number is None:
        where = f" at {named.cell.span}" if named.cell.span else ""
        raise ResolverError(f'"{named.cell.text}"{where} is no number, and a formula asks for {{{name}}}')
    return named.number
