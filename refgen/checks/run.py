"""All checks of a system.

In: a Ruleset, its computed tables, and its errata. Out: a CheckReport. Raises CheckError at the entry of system.toml
or errata.toml that names something unknown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from refgen.checks.comparison import CheckSpec, ChecksSpec, Comparison, Judged, Verdict, judge
from refgen.checks.defects import check_defects
from refgen.checks.errata import apply_errata, load_errata
from refgen.checks.finding import CheckReport, Finding, FindingKind, Severity
from refgen.checks.formulas import formula_of_fact
from refgen.checks.kinds import CHECK_KINDS
from refgen.checks.tables import check_tables
from refgen.errors import CheckError, RefgenError
from refgen.notation.rounding import Rounding
from refgen.rules.model import Ruleset, Table
from refgen.rules.toml import locate

ROUNDING = "rounding"
"""The last part of the id of a finding that a table mixes rounding rules."""


def check(ruleset: Ruleset[ChecksSpec], derived: Mapping[str, Table], folder: Path | None = None) -> CheckReport:
    """Run every ``[checks.*]`` of a system, and accept what the errata in its ``folder`` accept."""
    judged: list[Judged] = []
    findings: list[Finding] = []
    roundings: dict[str, Rounding] = {}
    for check_id, comparisons in _checked(ruleset, derived):
        rule, results = judge(comparisons)
        roundings[check_id] = rule
        judged += results
        findings += _findings(ruleset.id, check_id, rule, results)
    findings += check_tables(ruleset)
    known = {result.comparison.subject.id for result in judged} | {f"{name}/{ROUNDING}" for name in roundings}
    known |= {finding.id for finding in findings}
    findings += check_defects(ruleset)
    if folder is not None:
        findings = apply_errata(ruleset.id, findings, known, *load_errata(folder))
    return CheckReport(ruleset.id, tuple(judged), tuple(findings), roundings)


def _checked(ruleset: Ruleset[ChecksSpec], derived: Mapping[str, Table]) -> Iterator[tuple[str, Sequence[Comparison]]]:
    for (section, check_id), spec in _entries(ruleset.spec):
        try:
            yield check_id, list(CHECK_KINDS[type(spec)](ruleset, derived, check_id, spec))
        except RefgenError as error:
            if error.span is not None and error.span.file == ruleset.spec_source.name:
                raise  # a table to compare with cannot be computed: its own entry is at fault
            span = locate(ruleset.spec_source, (section, check_id))
            raise CheckError(error.message, span=span, hint=error.hint) from error


def _entries(spec: ChecksSpec) -> Iterator[tuple[tuple[str, str], CheckSpec]]:
    """Every check with its place in system.toml: what facts say that they follow, then the entries of their own."""
    for fact_id, fact in spec.facts.items():
        if fact.follows and fact_id not in spec.checks:
            yield ("facts", fact_id), formula_of_fact(fact_id, fact)
    for check_id, check in spec.checks.items():
        yield ("checks", check_id), check


def _findings(system: str, check_id: str, rule: Rounding, judged: Sequence[Judged]) -> Iterator[Finding]:
    misrounded = [result.comparison for result in judged if result.verdict is Verdict.ROUNDING]
    for result in judged:
        if result.verdict is Verdict.DIFFERS:
            severity = Severity.ERROR if result.comparison.stated else Severity.WARNING
            yield _finding(system, result.comparison, FindingKind.NUMBER, severity)
        elif result.verdict is Verdict.ROUNDING and len(misrounded) > 1:
            yield _finding(system, result.comparison, FindingKind.ROUNDING, Severity.NOTE)
    if len(misrounded) == 1:
        found = _finding(system, misrounded[0], FindingKind.ROUNDING, Severity.WARNING)
        yield replace(found, rule=f"{found.rule}; {_others(rule, len(judged) - 1)}")
    elif misrounded:
        yield _mixed(system, check_id, rule, misrounded, len(judged))


def _finding(system: str, comparison: Comparison, kind: FindingKind, severity: Severity) -> Finding:
    subject = comparison.subject
    return Finding(
        id=subject.id,
        kind=kind,
        system=system,
        table=subject.table,
        title=subject.title,
        row=subject.row,
        column=subject.column,
        printed=subject.printed,
        computed=comparison.computed,
        exact="" if comparison.exact is None else str(comparison.exact),
        decimal=comparison.decimal,
        rule=comparison.rule,
        severity=severity,
        span=subject.span,
        sources=comparison.sources,
    )


def _mixed(system: str, check_id: str, rule: Rounding, misrounded: Sequence[Comparison], compared: int) -> Finding:
    """A table in which some figures are rounded otherwise than the rest; each of them has a note of its own."""
    first = misrounded[0].subject
    return Finding(
        id=f"{check_id}/{ROUNDING}",
        kind=FindingKind.ROUNDING,
        system=system,
        table=first.table,
        title=first.title,
        printed=", ".join(comparison.subject.printed or "a blank" for comparison in misrounded),
        computed=", ".join(comparison.computed for comparison in misrounded),
        rule=f"{misrounded[0].rule}; {_others(rule, compared - len(misrounded))}",
        severity=Severity.WARNING,
        span=first.span,
        sources=tuple(dict.fromkeys(span for one in misrounded for span in (one.subject.span, *one.sources))),
    )


def _others(rule: Rounding, others: int) -> str:
    if not others:
        return f"rounded {rule}"
    return f"the other figure is rounded {rule}" if others == 1 else f"the other {others} figures are rounded {rule}"
