"""The rolls that a game has names for.

In: a ruleset and the id of a roll. Out: a NamedRoll, which is followed as far as it is asked about.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from refgen.notation.formula import parse_formula
from refgen.resolver.dice.roll import Roll
from refgen.resolver.formula.evaluate import Formulas
from refgen.resolver.formula.scope import Names, Scope
from refgen.resolver.lookup import placed_at, roll_spec
from refgen.rules.model import Ruleset


@dataclass(frozen=True, slots=True)
class NamedRoll:
    """A roll of a game; ``reaching(n)`` follows it so far that the chance of n is exact, if it can be."""

    id: str
    title: str
    reaching: Callable[[int], Roll]


def named_roll(ruleset: Ruleset, roll_id: str) -> NamedRoll:
    """A roll by its id. Raises ResolverError for one that is not there, or that cannot be worked out."""
    spec = roll_spec(ruleset, roll_id)
    with placed_at(ruleset.files.at("rolls", roll_id)):
        find = Formulas(Names(ruleset, {})).roll_reaching(parse_formula(spec.roll))
    return NamedRoll(roll_id, spec.title, lambda reach: find(Scope({}), reach))
