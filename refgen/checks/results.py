"""The checks of a system, run: what they compare, and what they find.

In: a ruleset, its computed tables, and which facts and printed tables are asked about. Out: the comparisons with their
verdicts, the findings, and the rounding rule that each check detected.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from refgen.checks.comparison import CheckSpec, ChecksSpec, Comparison, Judged, Verdict, judge
from refgen.checks.errata import ROUNDING
from refgen.checks.facts import AGAIN, check_again
from refgen.checks.failures import Failures
from refgen.checks.finding import Finding, FindingKind, Severity
from refgen.checks.formulas import formula_of_fact
from refgen.checks.kinds import comparisons
from refgen.checks.same import merged
from refgen.checks.tables import check_tables
from refgen.errors import RefgenError
from refgen.notation.rounding import Rounding
from refgen.rules.model import Ruleset, Table
from refgen.span import Span


@dataclass(slots=True)
class CheckResults:
    """What checks have come to: the comparisons, the findings, and the rounding rule of each check."""

    judged: list[Judged]
    findings: list[Finding]
    roundings: dict[str, Rounding]

    @classmethod
    def of(
        cls,
        ruleset: Ruleset[ChecksSpec],
        derived: Mapping[str, Table],
        failures: Failures,
        subjects: Container[str] | None = None,
    ) -> CheckResults:
        """Run every check of some ``subjects``, facts and printed tables by their ids, or every check there is.

        What cannot be compared is a finding, and among the failures. What a document says again is always compared.
        """
        results = cls([], [], {})
        if ruleset.again:
            results.add(ruleset.id, AGAIN, list(check_again(ruleset)))
        for section, check_id, spec in _entries(ruleset.spec):
            if section == "facts" and check_id not in ruleset.facts:
                continue  # this edition does not say it
            if subjects is not None and spec.subject not in subjects:
                continue
            try:
                results.add(ruleset.id, check_id, comparisons(ruleset, derived, check_id, spec))
            except RefgenError as error:
                results.findings.append(failures.not_compared(section, check_id, spec, error))
        of_tables, errors = check_tables(ruleset, subjects)
        failures.add(*errors)
        results.findings = list(merged([*results.findings, *of_tables]))
        return results

    def add(self, system: str, check_id: str, comparisons: Sequence[Comparison]) -> None:
        """The comparisons of a check, and what they find."""
        self.roundings[check_id], judged = judge(comparisons)
        self.judged += judged
        self.findings += _findings(system, self.roundings[check_id], judged)

    @property
    def known(self) -> dict[str, Sequence[Span]]:
        """Every id that a finding can have, where its number is printed, and what that follows from."""
        known: dict[str, Sequence[Span]] = {f"{name}/{ROUNDING}": () for name in self.roundings}
        known |= {finding.id: (finding.span, *finding.sources) for finding in self.findings}
        compared = (each.comparison for each in self.judged)
        return known | {one.subject.id: (one.subject.span, *one.sources) for one in compared}


def _entries(spec: ChecksSpec) -> Iterator[tuple[str, str, CheckSpec]]:
    """Every check and its section of system.toml: what facts say that they follow, then the entries of their own."""
    for fact_id, fact in spec.facts.items():
        if fact.follows and fact_id not in spec.checks:
            yield "facts", fact_id, formula_of_fact(fact_id, fact)
    for check_id, check in spec.checks.items():
        yield "checks", check_id, check


def _findings(system: str, rule: Rounding, judged: Sequence[Judged]) -> Iterator[Finding]:
    agreeing = sum(result.verdict is Verdict.AGREES for result in judged)
    for result in judged:
        found = _finding(system, result.comparison, rule)
        if result.verdict is Verdict.DIFFERS:
            yield found
        elif result.verdict is Verdict.ROUNDING:
            words = f"{found.rule}; {_others(rule, agreeing)}"
            yield replace(found, kind=FindingKind.ROUNDING, severity=Severity.WARNING, rule=words)


def _finding(system: str, comparison: Comparison, rule: Rounding) -> Finding:
    subject = comparison.subject
    return Finding(
        id=subject.id,
        kind=FindingKind.NUMBER,
        system=system,
        table=subject.table,
        title=subject.title,
        row=subject.row,
        column=subject.column,
        printed=subject.printed,
        computed=comparison.agreeing(rule),
        exact="" if comparison.exact is None else str(comparison.exact),
        decimal=comparison.decimal,
        rule=comparison.rule,
        severity=Severity.ERROR if comparison.stated else Severity.WARNING,
        span=subject.span,
        sources=comparison.sources,
    )


def _others(rule: Rounding, others: int) -> str:
    if not others:
        return f"rounded {rule}"
    return f"the other figure is rounded {rule}" if others == 1 else f"the other {others} figures are rounded {rule}"
