"""Rolls of a game or of a text, and the odds of dice that people ask for.

In: dice as text, or the id of a roll. Out: a Distribution, followed as far as the question reaches, or the odds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from refgen.notation.dice_notation import in_one_spelling
from refgen.notation.formula_parser import parse_dice, parse_formula
from refgen.notation.formula_tree import Formula
from refgen.resolver.dice.distribution import DEFAULT_REACH, Distribution
from refgen.resolver.formula.compiler import Compiler
from refgen.resolver.formula.names import Names
from refgen.resolver.formula.scope import Scope
from refgen.resolver.lookup import dice_of, placed_at, roll_spec
from refgen.rules.model import Ruleset
from refgen.rules.schema import RulesSpec
from refgen.rules.spec_files import SpecFiles
from refgen.source import SourceFile

_NO_SPEC = RulesSpec.model_construct(title="", about="", accent="", source="", tables={})
_NO_RULES = Ruleset("", _NO_SPEC, SpecFiles(SourceFile("", "")), (), {}, {}, {})
"""An empty ruleset, for dice that belong to no game."""


@dataclass(frozen=True, slots=True)
class NamedRoll:
    """A roll of a game; ``reaching(n)`` follows it so far that the chance of n is exact, if it can be."""

    id: str
    title: str
    reaching: Callable[[int], Distribution]


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


Rolls = Mapping[str, Callable[[int], Distribution]]
"""Rolls by name, each followed as far as it is asked about."""


@dataclass(frozen=True, slots=True)
class DiceOdds:
    """The odds of dice, perhaps against other dice; ``at_least`` is the number that was asked about."""

    dice: str
    against: str | None
    at_least: int | None
    roll: Distribution


def odds_of_dice(
    dice: str, against: str | None = None, at_least: int | None = None, rolls: Rolls | None = None
) -> DiceOdds:
    """Work the odds out; ``rolls`` are those that have a name. Raises NotationError and ResolverError."""
    reach = max(DEFAULT_REACH, abs(at_least or 0))
    rolled, *foe = [
        rolls[text](reach) if rolls and text in rolls else roll(text, reach)
        for text in (dice, against)
        if text is not None
    ]
    if foe:
        rolled = rolled.less(foe[0])
    named = rolls or {}
    shown = [text if text is None or text in named else in_one_spelling(text) for text in (dice, against)]
    return DiceOdds(shown[0] or "", shown[1], at_least, rolled)
