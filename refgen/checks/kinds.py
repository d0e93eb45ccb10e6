"""The kinds of checks: a line each. A new kind is a model and a function beside it, and a line here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from refgen.checks.bounds import BoundsSpec, check_bounds
from refgen.checks.compare import CompareSpec, compare
from refgen.checks.comparison import CheckSpec, ChecksSpec, Comparison
from refgen.checks.facts import (
    QuotesSpec,
    RangeSpec,
    SameDistributionSpec,
    check_quotes,
    check_range,
    check_same_distribution,
)
from refgen.checks.formulas import FormulaSpec, check_formula
from refgen.checks.ranges import PartitionSpec, check_partition
from refgen.checks.structure import (
    MirrorSpec,
    MonotoneSpec,
    StepsSpec,
    SumSpec,
    check_mirror,
    check_monotone,
    check_steps,
    check_sum,
)
from refgen.rules.model import Ruleset, Table

Checker = Callable[[Ruleset[ChecksSpec], Mapping[str, Table], str, CheckSpec], Iterable[Comparison]]
"""Takes a ruleset, its computed tables, and the id and the entry of a check; compares as the entry says."""

_Spec = TypeVar("_Spec", bound=CheckSpec)


def _kind(
    model: type[_Spec], compared: Callable[[Ruleset[ChecksSpec], Mapping[str, Table], str, _Spec], Iterable[Comparison]]
) -> tuple[type[CheckSpec], Checker]:
    def check_any(
        ruleset: Ruleset[ChecksSpec], tables: Mapping[str, Table], check_id: str, spec: CheckSpec
    ) -> Iterable[Comparison]:
        if not isinstance(spec, model):
            raise TypeError(f"{type(spec).__name__} is no {model.__name__}")
        return compared(ruleset, tables, check_id, spec)

    return model, check_any


def _printed(
    model: type[_Spec], compared: Callable[[Ruleset[ChecksSpec], str, _Spec], Iterable[Comparison]]
) -> tuple[type[CheckSpec], Checker]:
    """A kind that needs no computed table."""
    return _kind(model, lambda ruleset, _, check_id, spec: compared(ruleset, check_id, spec))


CHECK_KINDS: Mapping[type[CheckSpec], Checker] = dict(
    [
        _kind(CompareSpec, compare),
        _printed(FormulaSpec, check_formula),
        _printed(SumSpec, check_sum),
        _printed(PartitionSpec, check_partition),
        _printed(QuotesSpec, check_quotes),
        _printed(RangeSpec, check_range),
        _printed(SameDistributionSpec, check_same_distribution),
        _printed(StepsSpec, check_steps),
        _printed(MirrorSpec, check_mirror),
        _printed(MonotoneSpec, check_monotone),
        _printed(BoundsSpec, check_bounds),
    ]
)
"""The model of each kind of entry, and what compares as it says."""

RENAMED_CHECK_KINDS = {"alike": "same-distribution", "cover": "partition", "stated": "quotes"}
"""Kinds by the names they had before."""
