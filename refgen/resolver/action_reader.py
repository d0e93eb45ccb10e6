"""The actions of a game, read from its system.toml, and the odds of these actions that people ask for.

In: an ``[actions.*]`` entry and a Ruleset. Out: an Action, ready to be asked. In: a Question, such as Good +1 against
Great. Out: the ActionOdds of each action that knows the names in the question.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from refgen.errors import ResolverError
from refgen.marks import DASHES
from refgen.notation.formula_parser import parse_formula
from refgen.notation.formula_tree import Formula, NameReference, Sum, names_in
from refgen.notation.levels import Ladder
from refgen.notation.values import Interval
from refgen.resolver.action import Action, Contest, Degree, DifficultyUse, RollTarget, entry_named
from refgen.resolver.formula.axis import Axis, AxisSpec, level_of_number, read_axis
from refgen.resolver.formula.compiler import Compiler
from refgen.resolver.formula.names import Names
from refgen.resolver.lookup import column_of, find_named, ladder_of, placed_at, table_of, words_of
from refgen.resolver.rolls import DIFFICULTY, MODIFIER, TRAIT, ActionSpec, ActionsSpec, BandsSpec
from refgen.rules.model import Cell, Ruleset


def read_action(ruleset: Ruleset, spec: ActionSpec) -> Action:
    """An action, ready to be asked. Raises ResolverError for a name, table or ladder that is not there."""
    _check_names(ruleset, spec)
    trait = read_axis(ruleset, spec.trait)
    use = _difficulty_use(spec)
    difficulty = _difficulty(ruleset, spec.difficulty, spec.trait, is_goal=not use.names) if spec.difficulty else None
    words = _words(ruleset, spec, spec.roll)
    names = {**trait.names, MODIFIER: False, **(difficulty.names if difficulty and use.names else {})}
    formulas = Compiler(Names(ruleset, names))
    target = _target(ruleset, spec, formulas) if spec.target else None
    bands = _bands(ruleset, spec.bands) if spec.bands else {}
    roll = formulas.roll_and_number(parse_formula(spec.roll))
    if not spec.names_of(spec.trait):
        raise ResolverError(f'no formula of "{spec.title}" names the trait: {{{spec.trait.id}}}')
    return Action(spec.title, words, trait, difficulty, *roll, bands, target, use)


def _check_names(ruleset: Ruleset, spec: ActionSpec) -> None:
    """Refuse a name in a formula with two meanings, and a key in place of an id. Raises ResolverError."""
    for key, axis in ((TRAIT, spec.trait), (DIFFICULTY, spec.difficulty)):
        kind = axis and axis.id in spec.names and _kind_of_name(ruleset, axis.id)
        if axis and key in spec.names and not spec.names_of(axis) and not _kind_of_name(ruleset, key):
            raise ResolverError(f"{{{key}}} is called by the id of its axis: {{{axis.id}}}")
        if axis and kind:
            message = f'{{{axis.id}}} is the {key} of "{spec.title}", and also the name of a {kind}'
            raise ResolverError(message, hint=f"Give the {key} another id.")


def _kind_of_name(ruleset: Ruleset, name: str) -> str:
    return "fact" if name in ruleset.facts else "roll" if name in ruleset.spec.rolls else ""


def _words(ruleset: Ruleset, spec: ActionSpec, text: str) -> str:
    """A formula of an action with its facts filled in; the names of its axes and of the modifier stay."""
    axes = {axis.id for axis in (spec.trait, spec.difficulty) if axis is not None} | {MODIFIER}
    no_facts = {name.partition(".")[0] for name in spec.names if name in axes or "." in name}
    return words_of(ruleset, text, keep=no_facts)


def _target(ruleset: Ruleset, spec: ActionSpec, formulas: Compiler) -> RollTarget:
    formula = parse_formula(spec.target)
    of_trait = any(name.partition(".")[0] == spec.trait.id for name in names_in(formula))
    return RollTarget(formulas.number(formula), _words(ruleset, spec, spec.target), bool(spec.at_most), of_trait)


def _difficulty_use(spec: ActionSpec) -> DifficultyUse:
    names = spec.names_of(spec.difficulty)
    formulas = [parse_formula(text) for text in (spec.roll, spec.target) if text]
    return DifficultyUse(names, is_added=all(_is_only_added(formula, names) for formula in formulas))


def _is_only_added(formula: Formula, names: Collection[str]) -> bool:
    """Whether a formula names some names as terms of its sum, and nowhere within a term."""
    terms = [term for _, term in formula.terms] if isinstance(formula, Sum) else [formula]
    return not any(name in names for term in terms if not isinstance(term, NameReference) for name in names_in(term))


_SIGNS = frozenset(f"+-{DASHES}")


def _difficulty(ruleset: Ruleset, spec: AxisSpec, trait: AxisSpec, *, is_goal: bool) -> Axis:
    """The difficulties. Raises ResolverError for numbers to reach printed as modifiers, in a table without traits.

    There "-2" makes a roll harder, where as a number to reach it would make the roll easier.
    """
    axis, table = read_axis(ruleset, spec), _table_of_axis(ruleset, spec)
    signed = [number for number in _printed_numbers(ruleset, spec) if number.text.strip("( ")[:1] in _SIGNS]
    if is_goal and signed and not spec.signed and table != _table_of_axis(ruleset, trait):
        hint = (
            f"Where it is added to the roll, name it there, and say what the roll must reach: "
            f'roll = "… + {{{spec.id}}}", at_least = "…". '
            "Where a roll must reach it, write signed = true in `difficulty`."
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
            hint = f'Let `range` name a column of the type interval of "{table_id}".'
            raise ResolverError(f'"{cell.text}" at {cell.span} is not a range of results', hint=hint)
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
        difficulty = next(iter(action.difficulty.entries), None) if action.difficulty else None
        for entry in action.trait.entries:
            try:
                action.attempt(entry, difficulty)
            except ResolverError as error:
                errors.append(error)
            else:
                return action
        if errors:
            raise errors[0]
    return action


@dataclass(frozen=True, slots=True)
class Question:
    """A question about odds: names are those of the game's ladders; "" leaves a part out.

    ``action`` is the id of one action, or "" for all that know the trait. ``minimum`` is the level that an opposed
    action must reach to count.
    """

    trait: str
    difficulty: str = ""
    modifier: int = 0
    against: str = ""
    minimum: str = ""
    action: str = ""

    @property
    def words(self) -> str:
        """The question in words."""
        changed = f" {self.modifier:+d}" if self.modifier else ""
        goal = f" against {self.against or self.difficulty}" if self.difficulty or self.against else ""
        if self.difficulty and self.against:
            goal += f", difficulty {self.difficulty}"
        least = f", at least {self.minimum}" if self.minimum else ""
        return f"{self.trait}{changed}{goal}{least}"


@dataclass(frozen=True, slots=True)
class ActionOdds:
    """The answer for one action: ``success`` or ``contest`` where they were asked for, else the chance of each band.

    No chance is farther off than ``off_by``, which is 0 where all are exact.
    """

    id: str
    action: Action
    degree: Degree
    ladder: Ladder | None
    success: Fraction | None
    contest: Contest | None
    bands: Mapping[str, Fraction]
    off_by: Fraction

    def level(self, outcome: int) -> str:
        """The name of an outcome: the band, or the level on the ladder; "" in a game without bands and ladders."""
        for name, band in self.action.bands.items():
            if outcome in band:
                return name
        return level_of_number(self.ladder, outcome).name if self.ladder else ""


def action_odds(ruleset: Ruleset[ActionsSpec], question: Question) -> Sequence[ActionOdds]:
    """The odds of a game's actions. Raises ResolverError for what the game does not know."""
    names = [question.action] if question.action else list(ruleset.spec.actions)
    if not names:
        hint = "Describe how it rolls in [actions.*] of its system.toml."
        raise ResolverError(f"{ruleset.id} has no actions", hint=hint)
    return list(_answers(ruleset, names, question))


def _answers(ruleset: Ruleset[ActionsSpec], names: Sequence[str], question: Question) -> Iterator[ActionOdds]:
    """The odds of each action that knows the names in a question. Raises the first error when no action knows them."""
    lacking: list[ResolverError] = []
    for name, action in [(name, action_of(ruleset, name)) for name in names]:
        try:
            yield _answer(ruleset, name, action, question)
        except ResolverError as error:
            lacking.append(error)
    if len(lacking) == len(names):
        raise lacking[0]


def _answer(ruleset: Ruleset[ActionsSpec], action_id: str, action: Action, question: Question) -> ActionOdds:
    trait, modifier, difficulty = question.trait, question.modifier, question.difficulty
    is_band = action.difficulty is None and bool(action.bands)
    entry = entry_named(action.trait, trait, TRAIT)
    degree = action.degree(entry, modifier, None if is_band else action.difficulty_named(difficulty))
    success = contest = None
    off_by = max([degree.left_out(band.low, band.high) for band in action.bands.values()], default=Fraction(0))
    if question.against:
        contest = action.contest(trait, question.against, modifier, question.minimum, difficulty)
        off_by = contest.residue
    elif difficulty or (action.difficulty is None and (action.target or not action.bands)):
        success = action.chance(trait, difficulty, modifier)
        if not is_band:
            off_by = action.attempt(entry, action.difficulty_named(difficulty), modifier).left_out
    answers_all = contest is not None or (success is not None and bool(difficulty or not action.target))
    bands = {} if answers_all else action.chances_of_bands(degree)
    ladder = ladder_of_results(ruleset, action_id)
    return ActionOdds(action_id, action, degree, ladder, success, contest, bands, off_by)


def ladder_of_results(ruleset: Ruleset[ActionsSpec], action_id: str) -> Ladder | None:
    """The ladder on which results are read: that of the traits, else that of the difficulties.

    A roll that is held against some other number, or to which a difficulty is added, is no level.
    """
    spec = ruleset.spec.actions[action_id]
    if spec.target or spec.names_of(spec.difficulty):
        return None
    named = spec.trait.ladder or (spec.difficulty and spec.difficulty.ladder)
    return ladder_of(ruleset, named) if named else None
