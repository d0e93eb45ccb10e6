"""The kinds of checks: a line each. A new kind is a model and a function beside it, and a line here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from refgen.checks.agreement import (
    CompareSpec,
    QuotesSpec,
    RangeSpec,
    SameDistributionSpec,
    check_quotes,
    check_range,
    check_same_distribution,
    compare,
)
from refgen.checks.columns import (
    BoundsSpec,
    MirrorSpec,
    MonotoneSpec,
    PartitionSpec,
    StepsSpec,
    SumSpec,
    check_bounds,
    check_mirror,
    check_monotone,
    check_partition,
    check_steps,
    check_sum,
)
from refgen.checks.comparison import CheckSpec, ChecksSpec, Comparison
from refgen.checks.formulas import FormulaSpec, check_formula
from refgen.rules.model import Ruleset, RuleTable

CHECK_KINDS: Mapping[type[CheckSpec], Callable[..., Iterable[Comparison]]] = {
    CompareSpec: compare,
    FormulaSpec: check_formula,
    SumSpec: check_sum,
    PartitionSpec: check_partition,
    QuotesSpec: check_quotes,
    RangeSpec: check_range,
    SameDistributionSpec: check_same_distribution,
    StepsSpec: check_steps,
    MirrorSpec: check_mirror,
    MonotoneSpec: check_monotone,
    BoundsSpec: check_bounds,
}
"""The model of each kind of entry, and what compares as it says: a ruleset, the id of the check, and its entry."""


def comparisons(
    ruleset: Ruleset[ChecksSpec], derived: Mapping[str, RuleTable], check_id: str, spec: CheckSpec
) -> Sequence[Comparison]:
    """The comparisons of a check; only one kind of check needs the computed tables."""
    if isinstance(spec, CompareSpec):
        return list(compare(ruleset, derived, check_id, spec))
    return list(CHECK_KINDS[type(spec)](ruleset, check_id, spec))


RENAMED_CHECK_KINDS = {"alike": "same-distribution", "cover": "partition", "stated": "quotes"}
"""Kinds by the names they had before."""
