"""Rolls of a game or of a text, the odds of dice that people ask for, and actions as system.toml describes them.

In: dice as text, or the id of a roll. Out: a Distribution, followed as far as the question reaches, or the odds.
In: the text of ``[actions.*]``: who rolls, what is rolled, and the number that the roll is held against. Out:
ActionSpecs whose parts fit together, with the parts of the actions they are like.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, Self

from pydantic import BeforeValidator, ConfigDict, model_validator

from refgen.notation.dice_notation import in_one_spelling
from refgen.notation.formula_parser import parse_dice, parse_formula
from refgen.notation.formula_tree import Formula, names_in
from refgen.resolver.dice.distribution import DEFAULT_REACH, Distribution
from refgen.resolver.formula.axis import AxisSpec
from refgen.resolver.formula.compiler import Compiler
from refgen.resolver.formula.dice_functions import signed_sum
from refgen.resolver.formula.following import follow_wholly
from refgen.resolver.formula.names import Names
from refgen.resolver.formula.scope import Scope
from refgen.resolver.lookup import dice_of, placed_at, roll_spec
from refgen.rules.field_types import FormulaText, Identifier
from refgen.rules.model import Ruleset
from refgen.rules.schema import RulesSpec
from refgen.rules.spec_files import SpecFiles
from refgen.rules.toml import Strict
from refgen.source import SourceFile

_NO_SPEC = RulesSpec.model_construct(title="", about="", accent=None, source="", tables={})
_NO_RULES = Ruleset("", _NO_SPEC, SpecFiles(SourceFile("", "")), (), {}, {}, {})
"""An empty ruleset, for dice that belong to no game."""


Reaching = Callable[[int], Distribution]
"""A roll, followed as far as it is asked about."""


@dataclass(frozen=True, slots=True)
class NamedRoll:
    """A roll of a game; ``reaching(n)`` follows it so far that the chance of n is exact, if it can be."""

    id: str
    title: str
    reaching: Reaching


def named_roll(ruleset: Ruleset, roll_id: str) -> NamedRoll:
    """A roll by its id. Raises ResolverError for one that is not there, or that cannot be worked out."""
    spec = roll_spec(ruleset, roll_id)
    with placed_at(ruleset.files.at("rolls", roll_id)):
        find = Compiler(Names(ruleset, {})).roll_reaching(parse_formula(spec.roll))
    return NamedRoll(roll_id, spec.title, lambda reach: find(Scope({}), reach))


def roll_of(ruleset: Ruleset, text: str, reach: int = DEFAULT_REACH) -> Distribution:
    """The distribution of a dice expression that may name facts and tables of the ruleset."""
    return Compiler(Names(ruleset, {})).roll_reaching(parse_dice(dice_of(ruleset, text)))(Scope({}), reach)


def roll(text: str, reach: int = DEFAULT_REACH) -> Distribution:
    """Work out dice given as text.

    ``reach`` is the farthest outcome from zero that will be asked about: open-ended rolls are followed so far.
    Raises NotationError for a text that is none, ResolverError for one that is too large.
    """
    return roll_formula(parse_dice(text), reach)


def roll_formula(formula: Formula, reach: int = DEFAULT_REACH) -> Distribution:
    """Work out a formula without names. Raises ResolverError for one that is too large, or that means nothing."""
    return Compiler(Names(_NO_RULES, {})).roll_reaching(formula)(Scope({}), reach)


Rolls = Mapping[str, Reaching]
"""Rolls by name."""


def difference(one: Reaching, other: Reaching, reach: int = DEFAULT_REACH) -> Distribution:
    """The difference of two independent rolls, both followed until the difference is exact, where possible."""
    signed = (1, _in_scope(one)), (-1, _in_scope(other))
    return follow_wholly(lambda scope: signed_sum(signed, scope), Scope({}, reach=reach)).as_whole()


def _in_scope(rolled: Reaching) -> Callable[[Scope], Distribution]:
    return lambda scope: rolled(scope.reach * scope.farther)


@dataclass(frozen=True, slots=True)
class DiceOdds:
    """The odds of dice, perhaps against other dice; ``at_least`` or ``at_most`` is the number that was asked about."""

    dice: str
    against: str | None
    at_least: int | None
    at_most: int | None
    roll: Distribution


def odds_of_dice(
    dice: str,
    against: str | None = None,
    at_least: int | None = None,
    at_most: int | None = None,
    rolls: Rolls | None = None,
    reach: int = DEFAULT_REACH,
) -> DiceOdds:
    """Work the odds out, followed to ``reach`` or farther; ``rolls`` are those that have a name.

    Raises NotationError and ResolverError.
    """
    reach = max(reach, abs(at_least or 0), abs(at_most or 0) + 1)  # the chance of 8 or less is one minus that of 9
    named = rolls or {}
    own, *foe = [named.get(text) or partial(roll, text) for text in (dice, against) if text is not None]
    rolled = difference(own, foe[0], reach) if foe else own(reach)
    shown = [text if text is None or text in named else in_one_spelling(text) for text in (dice, against)]
    return DiceOdds(shown[0] or "", shown[1], at_least, at_most, rolled)


TRAIT, MODIFIER, DIFFICULTY = "trait", "modifier", "difficulty"
"""The keys of an action with axes, and the name of the modifier in formulas."""
AT_LEAST, AT_MOST = "at_least", "at_most"


class BandsSpec(Strict):
    """Degrees of success: the names in a column ("table.column"), and the column with the range of results of each."""

    of: str
    range: Identifier


def _with_trait_or_like(schema: dict[str, Any]) -> None:
    schema["required"].remove(TRAIT)
    schema["anyOf"] = [{"required": [TRAIT]}, {"required": ["like"]}]


class ActionSpec(Strict):
    """A way to act: the roll for a trait, and the number that the roll is held against.

    Formulas call the trait and the difficulty by the ids of their axes, and may name {modifier}. The roll succeeds when
    it comes to ``at_least`` a number, or to ``at_most`` a number. Without both it must reach the difficulty, or 0 in a
    game without difficulties. A difficulty that a formula names changes the roll or the number in that place, and is
    no number to reach. ``bands`` are the names of results. An action that is ``like`` another action takes its missing
    trait, difficulty, number and bands from that action.
    """

    model_config = ConfigDict(json_schema_extra=_with_trait_or_like)

    title: str
    roll: FormulaText
    like: Identifier | None = None
    trait: AxisSpec
    difficulty: AxisSpec | None = None
    at_least: FormulaText = ""
    at_most: FormulaText = ""
    bands: BandsSpec | None = None

    @property
    def target(self) -> str:
        """The formula of the number that the roll is held against; "" for the difficulty, or 0."""
        return self.at_least or self.at_most

    @property
    def names(self) -> frozenset[str]:
        """The names in the formulas of the action."""
        texts = [text for text in (self.roll, self.target) if text]
        return frozenset(name for text in texts for name in names_in(parse_formula(text)))

    def names_of(self, axis: AxisSpec | None) -> frozenset[str]:
        """The names in the formulas that stand for an entry of an axis, or for another column of its table."""
        return frozenset(name for name in self.names if axis is not None and name.partition(".")[0] == axis.id)

    @model_validator(mode="after")
    def _check_roll(self) -> Self:
        if self.at_least and self.at_most:
            raise ValueError("a roll comes to `at_least` a number or to `at_most` a number, not to both")
        ids = [axis.id for axis in (self.trait, self.difficulty) if axis is not None]
        if len({*ids, MODIFIER}) <= len(ids):
            raise ValueError(f'formulas call the trait and the difficulty by their ids: two ids, neither "{MODIFIER}"')
        if self.difficulty and self.target and not self.names_of(self.difficulty):
            key = AT_LEAST if self.at_least else AT_MOST
            raise ValueError(f"name the difficulty in `roll` or in `{key}`: {{{self.difficulty.id}}}")
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
    targets = () if AT_LEAST in action or AT_MOST in action else (AT_LEAST, AT_MOST)
    return {key: said[key] for key in (TRAIT, DIFFICULTY, *targets, "bands") if isinstance(said, dict) and key in said}


class ActionsSpec(RulesSpec):
    """A system.toml with actions."""

    actions: Annotated[dict[Identifier, ActionSpec], BeforeValidator(_with_like)] = {}
