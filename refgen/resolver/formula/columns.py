"""Joint outcomes of throws: a column of numbers for each formula over them.

In: outcomes and their weights. Out: the same with one throw more, or with those put together that nothing tells apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, product, repeat, starmap
from math import prod
from operator import mul

from refgen.errors import ResolverError
from refgen.resolver.dice.arithmetic import Rational

MAX_OUTCOMES = 100_000
"""How many joint outcomes some throws have."""

Column = list[Rational] | tuple[Rational, ...]

Weighed = tuple[tuple[int, ...], tuple[int, ...]]
"""The outcomes of one throw, and the weight of each."""


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """A column of numbers for each name, and the weights: for each outcome one.

    They are equal to themselves only, so that they can be a key of a cache.
    """

    numbers: Mapping[str, Column]
    weights: Sequence[int]

    def with_throw(self, name: str, thrown: Weighed) -> Columns:
        """The same outcomes with each outcome of one throw more. Raises ResolverError for too many of them."""
        outcomes, weights = thrown
        if not self.numbers and len(self.weights) == 1:
            return Columns({name: outcomes}, [self.weights[0] * weight for weight in weights])
        count = len(self.weights) * len(outcomes)
        if count > MAX_OUTCOMES:
            message = f'with "{name}" these throws have {count:,} outcomes together; refgen follows at most'
            raise ResolverError(f"{message} {MAX_OUTCOMES:,}", hint="Throw fewer or smaller dice.")
        each = len(outcomes)
        columns: dict[str, Column] = {
            known: [*chain.from_iterable(map(repeat, column, repeat(each)))] for known, column in self.numbers.items()
        }
        columns[name] = [*outcomes] * len(self.weights)
        return Columns(columns, [*starmap(mul, product(self.weights, weights))])

    def merged(self, names: Sequence[str], last: bool) -> Columns:
        """The outcomes by the columns of some names alone: those that these cannot tell apart are one.

        Unless it is the ``last`` time, they are looked for only where there must be some.
        """
        if not names:
            return Columns({}, (sum(self.weights),))
        if not last and prod([len(set(self.numbers[name])) for name in names]) >= len(self.weights):
            return Columns({name: self.numbers[name] for name in names}, self.weights)
        found: dict[tuple[Rational, ...], int] = {}
        for key, weight in zip(zip(*[self.numbers[name] for name in names], strict=True), self.weights, strict=True):
            found[key] = found.get(key, 0) + weight
        return Columns(dict(zip(names, zip(*found, strict=True), strict=True)), list(found.values()))


START = Columns({}, (1,))
"""Before anything is thrown."""
