"""Formulas and throws with names: those of one entry, and those that several entries share.

In: an entry with ``use``, ``with`` and ``let``, and the names that its rows and columns give. Out: its formulas and
throws by name, without those that a row or column stands for.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from refgen.errors import ResolverError
from refgen.notation.formula_parser import MAX_DEPTH, parse_formula
from refgen.notation.formula_tree import Formula, depth_of, names_in
from refgen.resolver.lookup import named, table_of
from refgen.rules.field_types import FormulaText, Identifier
from refgen.rules.model import Ruleset
from refgen.rules.schema import RulesSpec
from refgen.rules.toml import Strict
from refgen.span import Span

MEMORY = 256

MAX_MENTIONS = 100
"""How many formulas with a name may stand in one, however deep."""


class BindingsSpec(Strict):
    """Names for formulas: those in ``let`` may use those before them, and throws.

    A formula may mention one of the ``throws`` twice, and means the same throw. ``sources`` are the facts and tables
    that every figure rests on, in place of those that its formulas look at.
    """

    throws: dict[Identifier, FormulaText] = {}
    let: dict[Identifier, FormulaText] = {}
    sources: list[Identifier] = []


_NOTHING = BindingsSpec()


class BoundSpec(BindingsSpec):
    """An entry with names for formulas, which may use those of ``[formulas.<use>]``: its own go before them."""

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

    Raises ResolverError for shared formulas, facts and tables that are not there, and as ``_checked`` does.
    """
    shared = _shared(ruleset, spec)
    throws = {**{name: text for name, text in shared.throws.items() if name not in spec.let}, **spec.throws}
    let = {name: text for name, text in {**shared.let, **spec.let}.items() if name not in throws}
    formulas, thrown = _parsed(tuple(let.items()), tuple(throws.items()), spec.use is not None)
    spans = dict.fromkeys(_spans(ruleset, [*shared.sources, *spec.sources]))
    kept, rolled = (
        {name: formula for name, formula in part.items() if name not in given} for part in (formulas, thrown)
    )
    return Bindings(kept, rolled, tuple(spans))


_Texts = tuple[tuple[str, str], ...]


@lru_cache(maxsize=MEMORY)
def _parsed(let: _Texts, throws: _Texts, in_order: bool) -> tuple[Mapping[str, Formula], Mapping[str, Formula]]:
    """Formulas and throws by name: many tables have the same ones."""
    formulas, thrown = ({name: parse_formula(text) for name, text in texts} for texts in (let, throws))
    return _checked(_in_order(formulas) if in_order else formulas, thrown), thrown


def _shared(ruleset: Ruleset[FormulasSpec], spec: BoundSpec) -> BindingsSpec:
    return _NOTHING if spec.use is None else named(ruleset.spec.formulas, spec.use, "[formulas.*]")


def _spans(ruleset: Ruleset, sources: Collection[str]) -> Iterator[Span]:
    """Where facts, and then tables, stand. Raises ResolverError for an id that is neither."""
    yield from (ruleset.facts[source].span for source in sources if source in ruleset.facts)
    for source in sources:
        if source not in ruleset.facts and (span := table_of(ruleset, source).span) is not None:
            yield span


def _in_order(formulas: Mapping[str, Formula]) -> Mapping[str, Formula]:
    """The same formulas, each after those that it uses: own formulas stand after the shared ones that name them."""
    found: dict[str, Formula] = {}
    waiting = list(formulas)[::-1]
    above: set[str] = set()
    while waiting:
        name = waiting.pop()
        needed = [other for other in names_in(formulas[name]) if other in formulas and other not in found]
        if name in found or (name in above and needed):
            found.setdefault(name, formulas[name])  # of formulas in a circle, the first is refused
        elif needed:
            above.add(name)
            waiting += [name, *needed]
        else:
            found[name] = formulas[name]
    return found


def _checked(formulas: Mapping[str, Formula], thrown: Collection[str]) -> Mapping[str, Formula]:
    """The formulas. Raises ResolverError for one that names a later one, or that grows too large.

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
        if mentions[name] > MAX_MENTIONS or depths[name] > MAX_DEPTH:
            raise ResolverError(f'`let` makes "{name}" too large: too many formulas stand in one another')
    return formulas
