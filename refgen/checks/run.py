"""All checks of a system.

In: a Ruleset and its computed tables. Out: a CheckReport. Raises CheckError at the entry of system.toml that
names something unknown.
"""

from __future__ import annotations

from collections.abc import Mapping

from refgen.checks.compare import compare
from refgen.checks.damage import check_damage
from refgen.checks.facts import check_range, check_stated
from refgen.checks.finding import CheckReport, Finding
from refgen.checks.structure import check_cover, check_sum
from refgen.errors import CheckError, RefgenError
from refgen.rules.model import Ruleset, Table
from refgen.rules.schema import CheckSpec, CompareSpec, CoverSpec, RangeSpec, StatedSpec, SumSpec
from refgen.rules.toml import locate


def check(ruleset: Ruleset, derived: Mapping[str, Table]) -> CheckReport:
    """Run every ``[checks.*]`` of a system."""
    compared = 0
    findings: list[Finding] = []
    for check_id, spec in ruleset.spec.checks.items():
        try:
            count, found = _run(ruleset, derived, check_id, spec)
        except RefgenError as error:
            span = locate(ruleset.spec_source, ("checks", check_id))
            raise CheckError(error.message, span=span, hint=error.hint) from error
        compared += count
        findings += found
    findings += check_damage(ruleset)
    return CheckReport(ruleset.id, compared, tuple(findings))


def _run(ruleset: Ruleset, derived: Mapping[str, Table], check_id: str, spec: CheckSpec) -> tuple[int, list[Finding]]:
    match spec:
        case CompareSpec():
            if spec.computed not in derived:
                raise CheckError(
                    f'there is no computed table "{spec.computed}"', hint=f"There are {', '.join(derived)}."
                )
            return compare(ruleset, derived[spec.computed], check_id, spec)
        case SumSpec():
            return check_sum(ruleset, check_id, spec)
        case CoverSpec():
            return check_cover(ruleset, check_id, spec)
        case StatedSpec():
            return check_stated(ruleset, check_id, spec)
        case RangeSpec():
            return check_range(ruleset, check_id, spec)
