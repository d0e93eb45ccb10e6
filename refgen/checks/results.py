"""Run the checks of a system.

In: a ruleset, and its computed tables. Out: comparisons with their verdicts, findings, the rounding rule of each check,
and each error once. Findings with the same answer at the same number are one finding. A new kind of check is a subclass
of ``CheckSpec``, and a line in ``CHECK_KINDS``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from refgen.checks.agreement import (
    RESTATED,
    CompareSpec,
    QuotesSpec,
    RangeSpec,
    SameDistributionSpec,
    check_restated,
)
from refgen.checks.columns import BoundsSpec, MirrorSpec, MonotoneSpec, PartitionSpec, StepsSpec, SumSpec
from refgen.checks.comparison import (
    Basis,
    CheckInputs,
    CheckSpec,
    ChecksSpec,
    CheckSubject,
    Comparison,
    JudgedComparison,
    Verdict,
    judge,
)
from refgen.checks.errata import ROUNDING
from refgen.checks.finding import Finding, FindingKind, Severity
from refgen.checks.formulas import FormulaSpec, formula_of_fact
from refgen.checks.row_names import check_row_names
from refgen.checks.table_structure import check_tables
from refgen.errors import CheckError, RefgenError, is_among
from refgen.notation.figures import Rounding
from refgen.resolver.lookup import places_named
from refgen.rules.model import Ruleset, RuleTable
from refgen.span import Span
from refgen.words import Phrase, chain_texts

CHECK_KINDS: tuple[type[CheckSpec], ...] = (
    CompareSpec,
    FormulaSpec,
    SumSpec,
    PartitionSpec,
    QuotesSpec,
    RangeSpec,
    SameDistributionSpec,
    StepsSpec,
    MirrorSpec,
    MonotoneSpec,
    BoundsSpec,
)
"""Every kind of check."""

RENAMED_CHECK_KINDS = {"alike": "same-distribution", "cover": "partition", "stated": "quotes"}
"""Kinds by their former names."""


@dataclass(slots=True)
class CheckFailures:
    """The errors so far, and the ids of the checks that could not compare."""

    ruleset: Ruleset
    errors: list[RefgenError]
    checks: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, ruleset: Ruleset, *computed: Mapping[str, object]) -> CheckFailures:
        """The errors before any check: parts that cannot be read, and ``computed`` parts that cannot be worked out."""
        failures = cls(ruleset, list(ruleset.errors))
        for found in computed:
            for name in found:
                try:
                    found[name]
                except RefgenError as error:
                    failures.add(error)
        return failures

    def add(self, *errors: RefgenError) -> None:
        """Add errors, each once."""
        self.errors += [error for error in errors if not is_among(error, self.errors)]

    def not_compared(self, section: str, check_id: str, spec: CheckSpec, error: RefgenError) -> Finding:
        """The finding of a check that failed, where its numbers are printed. Adds a new error to the errors."""
        if not is_among(error, self.errors):
            of_fact = (*self.ruleset.spec.entry_of(check_id), "follows")
            entry = self.ruleset.files.at(*(of_fact if section == "facts" else (section, check_id)))
            error = CheckError(error.message, span=error.span or entry, hint=error.hint)
            self.add(error)
        self.checks.add(check_id)
        asked = (span for _, span in places_named(self.ruleset, spec.model_dump()))
        place = error.span or self.ruleset.document.span(0, 0)
        nowhere = CheckSubject(check_id, "", place, column=check_id)
        return Finding.about(
            next(self._subjects(check_id, spec), nowhere),
            FindingKind.NOT_COMPARED,
            Severity.ERROR,
            system=self.ruleset.id,
            rule=error.message,
            sources=dict.fromkeys(span for span in (error.span, *asked) if span is not None),
        )

    def _subjects(self, check_id: str, spec: CheckSpec) -> Iterator[CheckSubject]:
        """The fact or the table of a check, as far as they can be read."""
        facts, tables = dict(self.ruleset.facts), dict(self.ruleset.tables)
        if (fact := facts.get(getattr(spec, "fact", None) or "")) is not None:
            yield CheckSubject(check_id, "", fact.span, "facts", column=fact.title)
        for name in ("table", "printed"):
            table = tables.get(getattr(spec, name, None) or "")
            if table is not None and table.span is not None:
                yield CheckSubject(check_id, "", table.span, table.id, table.title)


SEVERITIES = {Basis.STATED: Severity.ERROR, Basis.INFERRED: Severity.WARNING, Basis.LIKELY: Severity.QUESTION}
"""How sure a difference from a rule is, by the grounds of the rule."""

_SURENESS = tuple(Severity)


def merge_findings(findings: Sequence[Finding]) -> Sequence[Finding]:
    """The findings, merged into the surest finding where place and answer are the same."""
    groups: dict[object, list[Finding]] = {}
    for finding in findings:
        is_about_number = finding.row != "" and finding.kind is not FindingKind.NOT_COMPARED
        key = (finding.span, finding.printed, finding.computed) if is_about_number else finding.id
        groups.setdefault(key, []).append(finding)
    return [_merge_group(group) for group in groups.values()]


def _merge_group(group: Sequence[Finding]) -> Finding:
    surest, *others = sorted(group, key=lambda finding: (_SURENESS.index(finding.severity), finding.kind))
    rules = dict.fromkeys(finding.rule for finding in (surest, *others))
    sources = dict.fromkeys(span for finding in (surest, *others) for span in finding.sources)
    if not others:
        return surest
    ids = tuple(finding.id for finding in others)
    return replace(surest, rule=chain_texts("check-rules", rules), sources=tuple(sources), also=ids)


@dataclass(slots=True)
class CheckResults:
    """The results of checks: the comparisons, the findings, and the rounding rule of each check."""

    judged: list[JudgedComparison]
    findings: list[Finding]
    roundings: dict[str, Rounding]

    @classmethod
    def of(
        cls, ruleset: Ruleset[ChecksSpec], derived: Mapping[str, RuleTable], failures: CheckFailures
    ) -> CheckResults:
        """Run all checks. A check that fails is a finding, and its error is among the failures."""
        results = cls([], [], {})
        if ruleset.restated:
            results.add(ruleset.id, RESTATED, list(check_restated(ruleset)))
        for section, check_id, spec in _checks_of(ruleset.spec):
            if section == "facts" and check_id not in ruleset.facts:
                continue  # not in this edition
            try:
                found = list(spec.comparisons(CheckInputs(ruleset, derived, check_id)))
                if spec.basis is not Basis.STATED:
                    found = [replace(comparison, basis=spec.basis) for comparison in found]
                results.add(ruleset.id, check_id, found)
            except RefgenError as error:
                results.findings.append(failures.not_compared(section, check_id, spec, error))
        of_tables, errors = check_tables(ruleset)
        failures.add(*errors)
        results.findings = list(merge_findings([*results.findings, *of_tables, *check_row_names(ruleset)]))
        return results

    def add(self, system: str, check_id: str, comparisons: Sequence[Comparison]) -> None:
        """Add the comparisons of a check, and their findings."""
        self.roundings[check_id], judged = judge(comparisons)
        self.judged += judged
        self.findings += findings_of(system, self.roundings[check_id], judged)

    @property
    def known(self) -> dict[str, Sequence[Span]]:
        """Every id that a finding can have, with the place of its number, then the places which that follows from."""
        known: dict[str, Sequence[Span]] = {f"{name}/{ROUNDING}": () for name in self.roundings}
        known |= {finding.id: (finding.span, *finding.sources) for finding in self.findings}
        for comparison in (judged.comparison for judged in self.judged):
            known[comparison.subject.id] = (comparison.subject.span, *comparison.sources)
        return known


def _checks_of(spec: ChecksSpec) -> Iterator[tuple[str, str, CheckSpec]]:
    """Every check with its section of proof.toml and its id: of facts with ``follows``, then those of ``[checks]``."""
    for fact_id, fact in spec.facts.items():
        if fact.follows and fact_id not in spec.checks:
            yield "facts", fact_id, formula_of_fact(fact_id, fact)
    for check_id, check in spec.checks.items():
        yield "checks", check_id, check


def findings_of(system: str, rule: Rounding, judged: Sequence[JudgedComparison]) -> Iterator[Finding]:
    """The findings of a check: the numbers that differ, and those that are rounded otherwise than the rest."""
    agreeing = sum(result.verdict is Verdict.AGREES for result in judged)
    for result in judged:
        found = _finding(system, result.comparison, rule)
        if result.verdict is Verdict.DIFFERS:
            yield found
        elif result.verdict is Verdict.ROUNDING:
            words = chain_texts("check-rules", [found.rule, _rounding_words(rule, agreeing)])
            severity = max(found.severity, Severity.WARNING, key=_SURENESS.index)
            yield replace(found, kind=FindingKind.ROUNDING, severity=severity, rule=words)


def _finding(system: str, comparison: Comparison, rule: Rounding) -> Finding:
    found = Finding.about(
        comparison.subject,
        FindingKind.NUMBER,
        SEVERITIES[comparison.basis],
        system=system,
        rule=comparison.rule,
        computed=comparison.agreeing(rule),
        sources=comparison.sources,
    )
    return replace(found, exact="" if comparison.exact is None else str(comparison.exact), decimal=comparison.decimal)


def _rounding_words(rule: Rounding, others: int) -> str:
    rounding = Phrase(f"rounded-{rule}")
    return (
        Phrase("check-others-rounded", count=others, rule=rounding)
        if others
        else Phrase("check-rounded", rule=rounding)
    )
