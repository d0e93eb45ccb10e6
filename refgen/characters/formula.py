"""The formulas of a sheet, compiled once for many characters.

In: the text of a formula, and the names that it may mention. Out: a SheetFormula, which computes a result from the
values of a character, or none if a value is missing; and a Formatter, which writes the result as the field shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from refgen.blocks.typesetting import typeset
from refgen.catalog import did_you_mean
from refgen.characters.character import Leaf, WrittenValue
from refgen.characters.make_sheet import column_words
from refgen.characters.sheet import Rule, slug
from refgen.errors import AidError, ResolverError
from refgen.game import GameModel
from refgen.notation.figures import decimal, percent, units
from refgen.notation.formula_parser import parse_formula
from refgen.notation.formula_tree import Call, Formula, NameReference, parts_of
from refgen.notation.values import Number, Percent
from refgen.resolver.chains.chain import chain_functions
from refgen.resolver.dice.arithmetic import Rational
from refgen.resolver.formula.axis import AxisSpec, level_cells, level_of_number, read_axis
from refgen.resolver.formula.compiler import Compiler
from refgen.resolver.formula.names import Names
from refgen.resolver.formula.scope import NamedValue, Scope
from refgen.rules.model import Cell

Values = Mapping[str, NamedValue]
"""The values of the names of formulas."""

_ROW = "row"


@dataclass(frozen=True)
class FieldReader:
    """Reads the value of a leaf for formulas, which know the leaf by several names with different ``endings``.

    For each ending it is known whether the name stands for dice. ``by_word`` are the values of each choice. A choice
    among the fields of another ``part`` has the value of the chosen field.
    """

    leaf: Leaf
    endings: Mapping[str, bool]
    by_word: Mapping[str, Values]
    part: str = ""

    @classmethod
    def of(cls, game: GameModel, leaf: Leaf) -> FieldReader:
        """The reader of a leaf. Raises an error for an unknown ladder or column."""
        domain = leaf.field.domain
        if domain is None:
            return cls(leaf, {"": False}, {})
        if domain.ladder:
            cells = level_cells(game.ruleset, domain.ladder)
            return cls(leaf, {"": False}, {level.name: {"": NamedValue.of(cell)} for level, cell in cells})
        if domain.part:
            return cls(leaf, {"": False}, {}, domain.part)
        axis = read_axis(game.ruleset, AxisSpec(id=_ROW, of=domain.of))
        by_word = {
            word: {name.removeprefix(_ROW): named for name, named in entry.named.items()}
            for word, entry in zip(column_words(game, domain.of), axis.entries, strict=True)
        }
        return cls(leaf, {name.removeprefix(_ROW): dice for name, dice in axis.names.items()}, by_word)

    def names(self, name: str) -> Iterator[tuple[str, bool]]:
        """Every name under which formulas know the value of a field of that name, and whether it stands for dice."""
        return ((name + ending, dice) for ending, dice in self.endings.items())

    def values(self, written: WrittenValue, values: Values) -> Values:
        """The values of the names by their endings, for a written value; other fields have ``values``."""
        if self.part:
            found = values.get(f"{self.part}.{slug(str(written))}")
            return {"": found} if found is not None else {}
        if isinstance(written, str):
            return self.by_word.get(written) or {"": NamedValue(Cell(written), None)}
        return {"": number_value(int(written) if isinstance(written, bool) else written)}


def number_value(value: Rational, bound: str = "") -> NamedValue:
    """The value of a name that is a number, or only a bound."""
    exact = Fraction(value) if isinstance(value, int) else value
    return NamedValue(Cell(f"{bound}{value}", Number(exact, bound)), value, bound)


class FormulaResult(NamedTuple):
    """The result of a formula: a number, or a text as printed; and whether the number is only a bound (">500,000").

    ``places`` are the decimals of a percentage that the document prints, None for a number that it does not print.
    """

    value: Rational | str
    bound: str = ""
    places: int | None = None


BLANK = NamedValue(Cell(""), None)
"""The value of a name without a value for this character."""


@dataclass(frozen=True, slots=True)
class KnownName:
    """A name that a formula may mention: the key of its value, among the values of the row or among all values.

    ``dice`` is whether it stands for dice.
    """

    key: str
    in_row: bool = False
    dice: bool = False


@dataclass(frozen=True, slots=True)
class MentionedName:
    """A name that a formula mentions; without a value for an ``optional`` name the formula still has a result."""

    name: str
    key: str
    in_row: bool
    optional: bool


@dataclass(frozen=True, slots=True)
class SheetFormula:
    """A compiled formula with the names that the formula mentions, the syntax tree ``parsed``, and the compiler.

    Where the formula is no more than a percentage of the document, ``printed`` has its decimals: those of each
    percentage of a column or a fact, by its value; or the name of a value of the character that brings them along.
    """

    mentioned: Sequence[MentionedName]
    evaluate: Callable[[Scope], Rational | str]
    parsed: Formula
    formulas: Compiler
    printed: Mapping[Rational, int] | str

    @property
    def keys(self) -> Sequence[str]:
        """The keys of the values that the formula reads."""
        return [mentioned.key for mentioned in self.mentioned]

    def work_out(self, values: Values, row: Values) -> FormulaResult | None:
        """The result of the formula; None if a value is missing. Raises ResolverError if there is no result."""
        named: dict[str, NamedValue] = {}
        for mentioned in self.mentioned:
            found = (row if mentioned.in_row else values).get(mentioned.key)
            if found is None:
                if not mentioned.optional:
                    return None
                found = BLANK
            named[mentioned.name] = found
        scope = Scope(named)
        result = self.evaluate(scope)
        return FormulaResult(result, scope.bound, self._places(named, result))

    def _places(self, named: Values, result: Rational | str) -> int | None:
        """The decimals with which the document prints the result of the formula; None if it does not print it."""
        if isinstance(self.printed, str):
            value = named[self.printed].cell.value
            return value.places if isinstance(value, Percent) else None
        return None if isinstance(result, str) else self.printed.get(result)


def compile_formula(game: GameModel, rule: Rule, known: Mapping[str, KnownName], label: str) -> SheetFormula:
    """Compile the formula of a field called ``label``. Raises AidError for an unknown name."""
    formula = parse_formula(rule.formula)
    let = {name: parse_formula(text) for name, text in rule.let}
    all_names = list(dict.fromkeys(Names(game.ruleset, {}, let).mentioned(formula)))
    optional = _optional_names([formula, *(let[name] for name in all_names if name in let)])
    mentioned = [name for name in all_names if name in known and name not in let]
    keys = [MentionedName(name, known[name].key, known[name].in_row, name in optional) for name in mentioned]
    names = Names(game.ruleset, {name: known[name].dice for name in mentioned}, let)
    formulas = Compiler(names, chain_functions(game.ruleset).all)
    try:
        evaluate = _text_reader(formula, names) if rule.show == "text" else formulas.number(formula)
        return SheetFormula(keys, evaluate, formula, formulas, _printed_places(formula, names))
    except ResolverError as error:
        unknown = next((name for name in all_names if f'"{name}"' in error.message), "")
        hint = did_you_mean(unknown, [*known, *game.facts]) if unknown else error.hint
        raise AidError(f'"{label}": {error.message}', hint=hint) from error


def _printed_places(formula: Formula, names: Names) -> Mapping[Rational, int] | str:
    """The ``printed`` of a SheetFormula."""
    for _ in names.let:  # a formula with a name may be another formula with a name
        formula = names.let.get(formula.name, formula) if isinstance(formula, NameReference) else formula
    found: Sequence[NamedValue] = []
    match formula:
        case NameReference(name=name) if name in names.named:
            return name
        case NameReference(name=name) if given := names.given(name):
            found = [given]
        case Call(name="at", arguments=(_, _, NameReference(name=column), *_)):
            found = names.column(column)
    values = (named.cell.value for named in found)
    return {value.value: value.places for value in values if isinstance(value, Percent)}


def _optional_names(formulas: Sequence[Formula]) -> frozenset[str]:
    """The names that formulas mention with a default only."""
    needed: set[str] = set()
    with_default: set[str] = set()

    def walk(part: Formula) -> None:
        match part:
            case NameReference(name=name):
                needed.add(name)
            case Call(name="default", arguments=(NameReference(name=name), otherwise)):
                with_default.add(name)
                walk(otherwise)
            case _:
                for inner in parts_of(part):
                    walk(inner)

    for formula in formulas:
        walk(formula)
    return frozenset(with_default - needed)


def _text_reader(formula: Formula, names: Names) -> Callable[[Scope], str]:
    """The value of a formula that is a single name, as printed."""
    if not isinstance(formula, NameReference):
        raise ResolverError('show = "text" takes a single name in braces')
    look_up = names.look_up(formula.name)

    def find(scope: Scope) -> str:
        cell = look_up(scope).cell
        return typeset(cell.shown, cell.value)

    return find


NO = "–"
"""The text of a condition that is not met."""

Formatter = Callable[[FormulaResult], str]


def formatter(game: GameModel, rule: Rule) -> Formatter:
    """The formatter of the results of a field, which rounds by the rule of the field."""
    ladder, words = game.ladders[rule.ladder] if rule.show == "level" else None, game.words

    def show(answer: FormulaResult) -> str:
        if isinstance(answer.value, str):
            return answer.value
        exact = Fraction(answer.value)
        if rule.show == "yes":
            return words("yes") if exact else NO
        if ladder is not None:
            return typeset(level_of_number(ladder, units(exact, 0, rule.rounding)).name)
        if rule.show == "percent":
            return words.figure(percent(exact, rule.decimals(answer.places), rule.rounding))
        text = format_number(decimal(exact, rule.decimals(), rule.rounding), signed=rule.show == "signed")
        return f"{answer.bound}{words.figure(text)} {rule.unit}".rstrip()

    return show


def format_number(text: str, *, signed: bool) -> str:
    """A number with a real minus, a plus if it is signed, and commas between thousands."""
    whole, point, part = text.removeprefix("-").partition(".")
    sign = "−" if text.startswith("-") else "+" if signed and (int(whole) or part.strip("0")) else ""
    return f"{sign}{int(whole):,}{point}{part}"
