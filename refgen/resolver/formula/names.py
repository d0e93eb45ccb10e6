"""The names that formulas may use: of rows, columns, facts, printed columns, and of formulas and throws in ``let``.

In: a ruleset, the names that a table gives, and an entry with ``use``, ``let`` and ``throws``. Out: Names, which find
for each name a function from a Scope to its meaning; and the Bindings of the entry.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter
from typing import TypeVar

from refgen.errors import ResolverError
from refgen.limits import limit_hint, limits
from refgen.notation.formula_parser import parse_formula
from refgen.notation.formula_tree import INTEGRATING, Call, Formula, NameReference, depth_of, names_in, parts_of
from refgen.notation.values import DiceText, Number
from refgen.resolver.dice.arithmetic import Rational
from refgen.resolver.formula.scope import Evaluator, NamedValue, Scope, number_in
from refgen.resolver.lookup import column_of, find_named, table_of
from refgen.rules.field_types import FormulaText, Identifier
from refgen.rules.model import Cell, Ruleset
from refgen.rules.schema import BeyondSpec, RulesSpec
from refgen.rules.toml import Strict
from refgen.span import Span

NameLookup = Callable[[Scope], NamedValue]

_Found = TypeVar("_Found")


@dataclass(frozen=True)
class Names:
    """The names that formulas may use: ``named`` are those of rows and columns, each with whether it stands for dice.

    ``across`` are names that change within a row; ``let`` are formulas with a name, including ``[rolls.*]``; ``thrown``
    are throws with a name: a throw is the same wherever a formula mentions its name. Where ``varied``, rows and columns
    may give a number in place of any formula with a name, which then serves several tables. Known everywhere are facts,
    the ends of ladders ("skill.lowest", "skill.highest") and of tables with a row for each number of a range, and
    columns of printed tables for functions that go through columns.
    """

    ruleset: Ruleset
    named: Mapping[str, bool]
    let: Mapping[str, Formula] = field(default_factory=dict)
    across: Mapping[str, bool] = field(default_factory=dict)
    thrown: Mapping[str, Formula] = field(default_factory=dict)
    varied: bool = False
    _known: dict[str, NamedValue] = field(default_factory=dict, repr=False, compare=False)
    _columns: dict[str, Sequence[NamedValue]] = field(default_factory=dict, repr=False, compare=False)
    _thrown: dict[str, bool] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        rolls = self.ruleset.spec.rolls
        if rolls:
            known = {*self.let, *self.named, *self.across, *self.thrown}
            named = {name: parse_formula(spec.roll) for name, spec in rolls.items() if name not in known}
            object.__setattr__(self, "let", {**named, **self.let})

    def given(self, name: str) -> NamedValue | None:
        """A name with the same meaning in every cell: a fact, or an end of a ladder or of the range of a table."""
        fact = self.ruleset.facts.get(name)
        if fact is not None:
            return NamedValue.of(Cell(fact.text, fact.value, fact.span))
        of, _, end = name.rpartition(".")
        ladder, table = self.ruleset.ladders.get(of), self.ruleset.spec.tables.get(of)
        numbers = [level.value for level in ladder.levels] if ladder is not None else table.numbers if table else []
        if not numbers or end not in ("lowest", "highest"):
            return None
        return NamedValue.of(_number(min(numbers) if end == "lowest" else max(numbers)))

    def look_up(self, name: str) -> NameLookup:
        """How to find what a name stands for. Raises ResolverError for a name that is not there."""
        if name in self.named:
            return lambda scope: _note_source(scope, scope.named[name])
        if name in self.across:
            return lambda scope: _note_source(scope, scope.across[name])
        given = self._given_value(name)
        return lambda scope: _note_source(scope, given)

    def _given_value(self, name: str) -> NamedValue:
        if name in self._known:
            return self._known[name]
        given = self.given(name)
        if given is None:
            known = ", ".join(sorted([*self.named, *self.across, *self.let]))
            hint = f"There are {known}, and the facts of the document." if known else ""
            raise ResolverError(f'a formula asks for "{name}", which is not there', hint=hint)
        self._known[name] = given
        return given

    def number(self, name: str) -> Evaluator:
        """How to find the number that a name stands for. Raises ResolverError for a name that is not there."""
        look_up = self.look_up(name)
        return lambda scope: number_in(look_up(scope), name)

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

    def remembered(self, formula: Formula, ask: Callable[[Scope], _Found]) -> Callable[[Scope, int], _Found]:
        """The answer to a question about a formula, worked out once for the same rows, columns and reach."""
        of_row, of_column = self.varying(formula)
        known: dict[tuple[object, ...], tuple[_Found, Mapping[int, Span]]] = {}

        def find(scope: Scope, reach: int) -> _Found:
            key = (reach, *map(scope.find, of_row), *map(scope.across.__getitem__, of_column))
            found = known.get(key)
            if found is None:
                first = Scope(scope.named, scope.across, reach=reach)
                found = known[key] = ask(first), first.sources_by_id
            scope.sources_by_id.update(found[1])
            return found[0]

        return find

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

    def column(self, path: str) -> Sequence[NamedValue]:
        """The cells of a printed column, by "table.column"; read once, for formulas name the same ones often."""
        if path not in self._columns:
            table_id, _, column = path.partition(".")
            table = self.ruleset.tables.get(table_id)
            if table is None:
                raise ResolverError(f'a formula asks for "{path}", which is no column of a printed table')
            self._columns[path] = list(map(NamedValue.of, column_of(table, column)))
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


def thrown_names(formula: Formula) -> Sequence[str]:
    """The names in a formula, but for those inside chance() and the like, which ask for throws of their own."""
    if isinstance(formula, NameReference):
        return (formula.name,)
    if isinstance(formula, Call) and formula.name in INTEGRATING:
        return ()
    return tuple([name for part in parts_of(formula) for name in thrown_names(part)])


def _number(value: int) -> Cell:
    return Cell(str(value), Number(Fraction(value)))


def _note_source(scope: Scope, named: NamedValue) -> NamedValue:
    scope.add_source(named)
    return named


class BindingsSpec(Strict):
    """Names for formulas: a formula in ``let`` may use throws, and formulas above it.

    A formula may mention one of the ``throws`` twice, and means the same throw. ``sources`` are the facts and tables
    that every figure rests on, in place of those that its formulas look at.
    """

    throws: dict[Identifier, FormulaText] = {}
    let: dict[Identifier, FormulaText] = {}
    sources: list[Identifier] = []


_NOTHING = BindingsSpec()


class BoundSpec(BindingsSpec):
    """An entry with names for formulas; the entry may redefine names of ``[formulas.<use>]``, which are known too."""

    use: Identifier | None = None


class FormulasSpec(RulesSpec):
    """A system.toml with formulas that several entries share."""

    formulas: dict[Identifier, BindingsSpec] = {}


@dataclass(frozen=True, slots=True)
class Bindings:
    """The formulas and the throws with a name, and where everything stands that figures rest on (none: not stated)."""

    let: Mapping[str, Formula]
    thrown: Mapping[str, Formula]
    sources: tuple[Span, ...]


def bindings(ruleset: Ruleset[FormulasSpec], spec: BoundSpec, given: Collection[str]) -> Bindings:
    """The names of an entry, but for those ``given`` by rows and columns.

    Raises ResolverError for shared formulas, facts and tables that are not there, and for formulas that
    name a later formula, or grow too large.
    """
    shared = _NOTHING if spec.use is None else find_named(ruleset.spec.formulas, spec.use, "[formulas.*]")
    throws = {**{name: text for name, text in shared.throws.items() if name not in spec.let}, **spec.throws}
    let = {name: text for name, text in {**shared.let, **spec.let}.items() if name not in throws}
    parsed, thrown = ({name: parse_formula(text) for name, text in texts.items()} for texts in (let, throws))
    formulas = _in_dependency_order(parsed) if spec.use else parsed
    _check(formulas, thrown)
    spans = dict.fromkeys(_spans(ruleset, [*shared.sources, *spec.sources]))
    kept, rolled = (
        {name: formula for name, formula in part.items() if name not in given} for part in (formulas, thrown)
    )
    return Bindings(kept, rolled, tuple(spans))


def _spans(ruleset: Ruleset, sources: Collection[str]) -> Iterator[Span]:
    """Where facts, and then tables, stand. Raises ResolverError for an id that is neither."""
    yield from (ruleset.facts[source].span for source in sources if source in ruleset.facts)
    for source in sources:
        if source not in ruleset.facts and (span := table_of(ruleset, source).span) is not None:
            yield span


def _in_dependency_order(formulas: Mapping[str, Formula]) -> Mapping[str, Formula]:
    """The formulas sorted so that each follows the formulas it uses, because an entry may redefine shared names.

    Formulas that use each other in a circle stay as they are, to be refused by ``_check``.
    """
    used = {name: [other for other in names_in(formula) if other in formulas] for name, formula in formulas.items()}
    try:
        return {name: formulas[name] for name in TopologicalSorter(used).static_order()}
    except CycleError:
        return formulas


def _check(formulas: Mapping[str, Formula], thrown: Collection[str]) -> None:
    """Refuse a formula that names a later formula, or that grows too large. Raises ResolverError.

    What follows from bound throws is worked out once, however often it is mentioned; dice stand wherever they are.
    """
    depths: dict[str, int] = {}
    mentions: dict[str, int] = {}
    once = {*thrown}
    for name, formula in formulas.items():
        names = list(names_in(formula))
        used = [other for other in names if other in formulas]
        if later := [other for other in used if other not in depths]:
            raise ResolverError(f'`let` names "{name}" by "{later[0]}", which comes after it')
        mentions[name] = sum(1 + mentions[other] for other in used)
        depths[name] = depth_of(formula, depths) + 1
        if not once.isdisjoint(names):
            once.add(name)
            mentions[name] = 0
            depths[name] = 1 + max([depth_of(formula), *(depths[other] for other in used)])
        for limit, number in (("formula_mentions", mentions[name]), ("formula_depth", depths[name])):
            if number > getattr(limits(), limit):
                message = f'`let` makes "{name}" too large: too many formulas stand in one another'
                raise ResolverError(message, hint=limit_hint(limit))
