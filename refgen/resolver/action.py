"""Actions: what a character of some trait rolls, and the chance that it reaches a difficulty or beats an opponent.

In: an ``[actions.*]`` entry of system.toml. Out: an Action, which answers with rolls and chances.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Annotated, Any, Self

from pydantic import BeforeValidator, ConfigDict, model_validator

from refgen.errors import ResolverError
from refgen.notation.formula_parser import parse_formula
from refgen.notation.formula_tree import names_in
from refgen.notation.values import Interval, Number
from refgen.resolver.dice.arithmetic import Rational
from refgen.resolver.dice.distribution import Distribution
from refgen.resolver.formula.axis import Axis, AxisEntry, AxisSpec, read_axis
from refgen.resolver.formula.compiler import Compiler
from refgen.resolver.formula.dice_functions import reach_to
from refgen.resolver.formula.names import Names
from refgen.resolver.formula.scope import Evaluator, NamedValue, Scope
from refgen.resolver.lookup import column_of, find_named, placed_at, table_of, words_of
from refgen.rules.field_types import FormulaText, Identifier
from refgen.rules.model import Cell, Ruleset
from refgen.rules.schema import RulesSpec
from refgen.rules.toml import Strict
from refgen.span import Span
from refgen.suggestion import did_you_mean, find_key

TRAIT, MODIFIER, DIFFICULTY = "trait", "modifier", "difficulty"
"""The names that the formula of an action may use."""


class BandsSpec(Strict):
    """Degrees of success: the names in a column ("table.column"), and the column with the range of results of each."""

    of: str
    range: Identifier


def _with_trait_or_like(schema: dict[str, Any]) -> None:
    schema["required"].remove(TRAIT)
    schema["anyOf"] = [{"required": [TRAIT]}, {"required": ["like"]}]


class ActionSpec(Strict):
    """A way to act: the roll for a trait, and the number that this roll must reach.

    ``roll`` is the rolled degree as a formula of {trait} and {modifier}; the roll succeeds when the degree reaches the
    difficulty, or 0 in a game without difficulties (a roll-under game rolls "{trait} + {modifier} - d20"). ``bands``
    are the names of results. An action that is ``like`` another action takes its missing trait, difficulty and bands
    from that action.
    """

    model_config = ConfigDict(json_schema_extra=_with_trait_or_like)

    title: str
    roll: FormulaText
    like: Identifier | None = None
    trait: AxisSpec
    difficulty: AxisSpec | None = None
    bands: BandsSpec | None = None

    @model_validator(mode="after")
    def _trait_by_name(self) -> Self:
        if self.trait.id != TRAIT:
            raise ValueError(f'the axis of the trait has the id "{TRAIT}", by which the roll calls it: {{{TRAIT}}}')
        return self


def _with_like(actions: Any) -> Any:
    """The actions, each with the missing parts of the action that it is like."""
    if not isinstance(actions, dict):
        return actions
    return {
        name: _parts_of_like(actions, action) | action if isinstance(action, dict) else action
        for name, action in actions.items()
    }


def _parts_of_like(actions: Mapping[str, Any], action: Mapping[str, Any]) -> dict[str, Any]:
    other = action.get("like")
    if isinstance(other, str) and other not in actions:
        raise ValueError(f'there is no action "{other}" to be like')
    said = actions[other] if isinstance(other, str) else {}
    return {key: said[key] for key in (TRAIT, DIFFICULTY, "bands") if isinstance(said, dict) and key in said}


class ActionsSpec(RulesSpec):
    """A system.toml with actions."""

    actions: Annotated[dict[Identifier, ActionSpec], BeforeValidator(_with_like)] = {}


@dataclass(frozen=True, slots=True)
class Degree:
    """A rolled degree: a roll, a number added to it, and the sources of both."""

    rolled: Distribution
    added: int
    sources: tuple[Span, ...] = ()

    def reaches(self, goal: int) -> Fraction:
        """The chance of a degree of at least ``goal``."""
        return self.rolled.at_least(goal - self.added)

    def between(self, low: int | None, high: int | None) -> Fraction:
        """The chance of a degree from ``low`` to ``high``; None for an open end."""
        ends = (None if end is None else end - self.added for end in (low, high))
        return self.rolled.between(*ends)


@dataclass(frozen=True, slots=True)
class Contest:
    """The chances of an opposed action: a draw keeps the status quo.

    ``below_minimum`` is the chance to be no worse than the other, but below the minimum: neither a win nor a draw.
    """

    win: Fraction
    draw: Fraction
    lose: Fraction
    below_minimum: Fraction = Fraction(0)


def contest(degree: Degree, against: Degree, minimum: int | None = None) -> Contest:
    """The chances of two independent rolled degrees: the better degree wins, if it reaches ``minimum``."""
    margin = degree.rolled.less(against.rolled)
    ahead = against.added - degree.added
    win, not_worse = margin.at_least(ahead + 1), margin.at_least(ahead)
    if minimum is None:
        return Contest(win, not_worse - win, 1 - not_worse)
    win, reached = (_reaching(minimum, degree, against, least) for least in (1, 0))
    return Contest(win, reached - win, 1 - not_worse, not_worse - reached)


def _reaching(minimum: int, degree: Degree, against: Degree, least: int) -> Fraction:
    """The chance of a degree of at least ``minimum`` that is better than the other by ``least`` or more."""
    chances = ((degree.rolled.exactly(outcome), outcome + degree.added) for outcome in degree.rolled.outcomes)
    beaten = (chance * (1 - against.reaches(result + 1 - least)) for chance, result in chances if result >= minimum)
    return sum(beaten, Fraction(0))


@dataclass(frozen=True, slots=True)
class Action:
    """A way to act: the traits, the difficulties (None in a game without difficulties), and the roll.

    Traits, difficulties and levels are given as people write them: by name or number, whatever their case and
    typography. Raises ResolverError for what the game does not have, with the nearest names.
    """

    title: str
    formula: str
    trait: Axis
    difficulty: Axis | None
    roll: Callable[[Scope, int], Distribution]
    added: Evaluator
    bands: Mapping[str, Interval] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Action {self.title}: {self.words()}>"

    def chance(self, trait: str | int, difficulty: str | int = "", modifier: int = 0) -> Fraction:
        """The chance that a trait succeeds: that it reaches the difficulty, or 0 in a game without difficulties.

        A difficulty may be any whole number. In a game without difficulties, the name of a band asks for the chance to
        get a result in that band.

        >>> game.actions["four-df"].chance("Good", "Great", modifier=1)
        Fraction(50, 81)
        """
        degree = self.degree(entry_named(self.trait, trait, TRAIT), modifier)
        if self.difficulty is not None and difficulty == "":
            known = ", ".join(entry.shown.text for entry in self.difficulty.entries)
            raise ResolverError(f"{self.title} needs a difficulty", hint=f"There are {known}, and all whole numbers.")
        if self.difficulty is not None:
            return degree.reaches(number_named(self.difficulty, difficulty, DIFFICULTY))
        if difficulty != "" and self.bands:
            return self.chances_of_bands(degree)[_key_meant(self.bands, difficulty, "band of results")]
        if difficulty != "":
            hint = "Give a modifier, or a trait to roll against."
            raise ResolverError(f"{self.title} has no difficulties", hint=hint)
        return degree.reaches(0)

    @property
    def knows_modifiers(self) -> bool:
        """Whether a modifier changes its roll."""
        return f"{{{MODIFIER}}}" in self.formula

    def chances_of_bands(self, degree: Degree) -> Mapping[str, Fraction]:
        """The chance of each band of results."""
        return {name: degree.between(band.low, band.high) for name, band in self.bands.items()}

    def contest(self, trait: str | int, against: str | int, modifier: int = 0, minimum: str | int = "") -> Contest:
        """The chances of two traits that roll against each other; only the first has the modifier.

        ``minimum`` is the level that the first must reach to win: one of the difficulties, in a game that has some.
        """
        first, second = (entry_named(self.trait, name, TRAIT) for name in (trait, against))
        levels = self.difficulty or self.trait
        least = None if minimum == "" else number_named(levels, minimum, "level")
        return contest(self.degree(first, modifier), self.degree(second), least)

    def degree(self, trait: AxisEntry, modifier: int = 0) -> Degree:
        """The rolled degree of a trait. Raises ResolverError when a broken number is added to the roll."""
        if modifier and not self.knows_modifiers:
            raise ResolverError(f"{self.title} knows no modifiers", hint=f"Its roll names no {{{MODIFIER}}}.")
        changed = NamedValue.of(Cell(f"{modifier:+d}", Number(Fraction(modifier))))
        scope = Scope({**trait.named, MODIFIER: changed})
        added = self.added(scope)
        if not isinstance(added, int):
            raise ResolverError(f"{self.title}: {added} is added to the roll, which is no whole number")
        return Degree(self.roll(scope, reach_to(added)), added, scope.sources)

    def words(self, modifier: int = 0) -> str:
        """The roll in words: "4dF + trait +1"."""
        changed = f"{modifier:+d}" if modifier else ""
        plain = self.formula.replace(f" + {{{MODIFIER}}}", f" {changed}".rstrip())
        return plain.replace("{", "").replace("}", "").replace(f"{TRAIT}.", f"{TRAIT}'s ")


def read_action(ruleset: Ruleset, spec: ActionSpec) -> Action:
    """An action, ready to be asked. Raises ResolverError for a name, table or ladder that is not there."""
    trait = read_axis(ruleset, spec.trait)
    difficulty = _difficulty(ruleset, spec.difficulty, spec.trait) if spec.difficulty else None
    formulas = Compiler(Names(ruleset, {**trait.names, MODIFIER: False}))
    formula = parse_formula(spec.roll)
    no_facts = {name.partition(".")[0] for name in names_in(formula) if name in (TRAIT, MODIFIER) or "." in name}
    words = words_of(ruleset, spec.roll, keep=no_facts)
    bands = _bands(ruleset, spec.bands) if spec.bands else {}
    return Action(spec.title, words, trait, difficulty, *formulas.roll_and_number(formula), bands)


_SIGNS = frozenset("+-−–")


def _difficulty(ruleset: Ruleset, spec: AxisSpec, trait: AxisSpec) -> Axis:
    """The difficulties. Raises ResolverError for numbers printed as modifiers, in a table that has no traits.

    There "-2" makes a roll harder, where as a number to reach it would make the roll easier.
    """
    axis, table = read_axis(ruleset, spec), _table_of_axis(ruleset, spec)
    signed = [number for number in _printed_numbers(ruleset, spec) if number.text.strip("( ")[:1] in _SIGNS]
    if signed and not spec.signed and table != _table_of_axis(ruleset, trait):
        hint = (
            "Where they are added to the roll, leave `difficulty` out, take the number to reach from the roll "
            '(roll = "{dice} + {trait} + {modifier} - {target}") and give a level as the modifier. '
            "Where a roll must reach them, write signed = true in `difficulty`."
        )
        message = f'"{signed[0].text}" is a difficulty, and is printed like a modifier'
        raise ResolverError(message, span=signed[0].span, hint=hint)
    return axis


def _table_of_axis(ruleset: Ruleset, spec: AxisSpec) -> str:
    """The table of the levels or rows of an axis; "" where it has none."""
    ladder = ruleset.spec.ladders.get(spec.ladder or "")
    return ladder.table if ladder else spec.of.partition(".")[0]


def _printed_numbers(ruleset: Ruleset, spec: AxisSpec) -> Sequence[Cell]:
    """The cells with the numbers of an axis; no cells where levels are counted, or where no table prints numbers."""
    ladder = ruleset.spec.ladders.get(spec.ladder or "")
    column = ladder.value if ladder else spec.of.partition(".")[2]
    return list(column_of(table_of(ruleset, _table_of_axis(ruleset, spec)), column)) if column else []


def _bands(ruleset: Ruleset, spec: BandsSpec) -> Mapping[str, Interval]:
    """The bands of a table by name. Raises ResolverError where one has no range."""
    table_id, _, label = spec.of.partition(".")
    table = table_of(ruleset, table_id)
    bands = {}
    for name, cell in zip(column_of(table, label), column_of(table, spec.range), strict=True):
        if not isinstance(cell.value, Interval):
            raise ResolverError(f'"{cell.text}" at {cell.span} is not a range of results')
        bands[name.text] = cell.value
    return bands


def action_of(ruleset: Ruleset[ActionsSpec], action_id: str) -> Action:
    """An action by its id. Raises ResolverError, at its entry, for a name, table or ladder that is not there."""
    spec = find_named(ruleset.spec.actions, action_id, "action", "system.toml describes none in [actions.*].")
    with placed_at(ruleset.files.at("actions", action_id)):
        return read_action(ruleset, spec)


def tried_action(ruleset: Ruleset[ActionsSpec], action_id: str) -> Action:
    """An action by its id. Raises ResolverError for an action whose roll cannot be worked out for any trait."""
    action = action_of(ruleset, action_id)
    errors = []
    with placed_at(ruleset.files.at("actions", action_id)):
        for entry in action.trait.entries:
            try:
                action.degree(entry)
            except ResolverError as error:
                errors.append(error)
            else:
                return action
        if errors:
            raise errors[0]
    return action


def entry_named(axis: Axis, name: str | int, what: str) -> AxisEntry:
    """A trait or difficulty by its name or number; case and typographic variants make no difference."""
    written: dict[str, AxisEntry] = {}
    for entry in axis.entries:
        for form in (entry.shown.text, *_numbers(entry.named[axis.column.id].number)):
            written.setdefault(form, entry)
    return written[_key_meant(written, name, what, [entry.shown.text for entry in axis.entries])]


def _key_meant(known: Mapping[str, object], name: str | int, what: str, shown: Sequence[str] = ()) -> str:
    """The key that a person means. Raises ResolverError for an unknown key, with the nearest of the ``shown`` names."""
    key = find_key(str(name), known)
    if key is None:
        raise ResolverError(f'"{name}" is no {what} of this game', hint=did_you_mean(str(name), shown or list(known)))
    return key


def _numbers(number: Rational | None) -> Sequence[str]:
    """How a number may be written: "1", "+1"."""
    return () if number is None else (str(number), f"+{number}") if number >= 0 else (str(number),)


def number_named(axis: Axis, name: str | int, what: str) -> int:
    """The number of a difficulty by its name, or any whole number."""
    try:
        return number_of_entry(axis, entry_named(axis, name, what))
    except ResolverError:
        if not _WHOLE.fullmatch(str(name)):
            raise
        return int(str(name).replace("−", "-"))


_WHOLE = re.compile(r"\s*[-+−]?\d{1,4}\s*")


def number_of_entry(axis: Axis, entry: AxisEntry) -> int:
    """The number of a trait or difficulty."""
    number = entry.named[axis.column.id].number
    if not isinstance(number, int):
        raise ResolverError(f'"{entry.shown.text}" has no whole number')
    return number
