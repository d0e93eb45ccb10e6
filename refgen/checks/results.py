"""The checks of a system, run: what they compare, what they find, and what could not be checked.

In: a ruleset, its computed tables, and which facts and printed tables are asked about. Out: the comparisons with their
verdicts, the findings, the rounding rule that each check detected, and each error once. Where several checks find the
same number in place of one printed number, there is one finding.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from refgen.checks.agreement import (
    RESTATED,
    CompareSpec,
    QuotesSpec,
    RangeSpec,
    SameDistributionSpec,
    check_quotes,
    check_range,
    check_restated,
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
from refgen.checks.comparison import CheckSpec, ChecksSpec, CheckSubject, Comparison, Judged, Verdict, judge
from refgen.checks.documents import check_readings_of
from refgen.checks.errata import ROUNDING, ErrataSpec, accept_findings, load_errata
from refgen.checks.finding import Finding, FindingKind, Mark, Severity, marks
from refgen.checks.formulas import FormulaSpec, check_formula, formula_of_fact
from refgen.checks.tables import check_tables
from refgen.errors import CheckError, RefgenError, is_among
from refgen.notation.figures import Rounding
from refgen.resolver.lookup import places_named
from refgen.rules.model import Ruleset, RuleTable
from refgen.span import Span

CHECK_KINDS: Mapping[type[CheckSpec], Callable[..., Iterator[Comparison]]] = {
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

RENAMED_CHECK_KINDS = {"alike": "same-distribution", "cover": "partition", "stated": "quotes"}
"""Kinds by the names they had before."""


_Entry = tuple[str, str, CheckSpec]
"""A check: its section of proof.toml, its id, and what it says."""


@dataclass(slots=True)
class Failures:
    """The errors so far, and the ids of the checks that could not compare."""

    ruleset: Ruleset
    errors: list[RefgenError]
    checks: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, ruleset: Ruleset, *computed: Mapping[str, object]) -> Failures:
        """The errors before any check: parts that cannot be read, ``computed`` things that cannot be worked out."""
        failures = cls(ruleset, list(ruleset.errors))
        for found in computed:
            for name in found:
                try:
                    found[name]
                except RefgenError as error:
                    failures.add(error)
        return failures

    def add(self, *errors: RefgenError) -> None:
        """Keep errors, each once."""
        self.errors += [error for error in errors if not is_among(error, self.errors)]

    def not_compared(self, section: str, check_id: str, spec: CheckSpec, error: RefgenError) -> Finding:
        """The finding of a check that failed, where its numbers are printed; the error is added if it is new."""
        if not is_among(error, self.errors):
            of_fact = (*self.ruleset.spec.entry_of(check_id), "follows")
            entry = self.ruleset.files.at(*(of_fact if section == "facts" else (section, check_id)))
            error = CheckError(error.message, span=error.span or entry, hint=error.hint)
            self.add(error)
        self.checks.add(check_id)
        asked = (span for _, span in places_named(self.ruleset, spec.model_dump()))
        table, title, column, place = next(self._places(spec), ("", "", check_id, error.span))
        place = place or self.ruleset.document.span(0, 0)
        return Finding.about(
            CheckSubject(check_id, "", place, table, title, column=column),
            FindingKind.NOT_COMPARED,
            Severity.ERROR,
            system=self.ruleset.id,
            rule=error.message,
            sources=dict.fromkeys(span for span in (error.span, *asked) if span is not None),
        )

    def _places(self, spec: CheckSpec) -> Iterator[tuple[str, str, str, Span]]:
        """The fact or table that a check is about, if it can be read: table, title and column, and where it stands."""
        facts, tables = dict(self.ruleset.facts), dict(self.ruleset.tables)
        if (fact := facts.get(getattr(spec, "fact", None) or "")) is not None:
            yield "facts", "", fact.title, fact.span
        for name in ("table", "printed"):
            table = tables.get(getattr(spec, name, None) or "")
            if table is not None and table.span is not None:
                yield table.id, table.title, "", table.span


_SURE = (Severity.ERROR, Severity.WARNING, Severity.NOTE)


def merged(findings: Sequence[Finding]) -> Sequence[Finding]:
    """Findings at one place with one answer, together: the surest of them, which lists the others."""
    groups: dict[object, list[Finding]] = {}
    for finding in findings:
        key = (finding.span, finding.printed, finding.computed) if _is_of_a_number(finding) else finding.id
        groups.setdefault(key, []).append(finding)
    return [_together(group) for group in groups.values()]


def _is_of_a_number(finding: Finding) -> bool:
    return finding.kind is not FindingKind.NOT_COMPARED and finding.row != ""


def _together(group: Sequence[Finding]) -> Finding:
    surest, *others = sorted(group, key=lambda finding: (_SURE.index(finding.severity), finding.kind))
    rules = dict.fromkeys(finding.rule for finding in (surest, *others))
    sources = dict.fromkeys(span for finding in (surest, *others) for span in finding.sources)
    if not others:
        return surest
    ids = tuple(finding.id for finding in others)
    return replace(surest, rule="; ".join(rules), sources=tuple(sources), also=ids)


@dataclass(slots=True)
class CheckResults:
    """The results of checks: the comparisons, the findings, and the rounding rule of each check."""

    judged: list[Judged]
    findings: list[Finding]
    roundings: dict[str, Rounding]

    @classmethod
    def of(
        cls,
        ruleset: Ruleset[ChecksSpec],
        derived: Mapping[str, RuleTable],
        failures: Failures,
        subjects: Container[str] | None = None,
    ) -> CheckResults:
        """Run every check of some ``subjects``, facts and printed tables by their ids, or every check there is.

        What cannot be compared is a finding, and among the failures. What a document says again is always compared.
        """
        results = cls([], [], {})
        if ruleset.restated:
            results.add(ruleset.id, RESTATED, list(check_restated(ruleset)))
        for section, check_id, spec in _checks_of(ruleset):
            if section == "facts" and check_id not in ruleset.facts:
                continue  # this edition does not say it
            if subjects is not None and spec.subject not in subjects:
                continue
            try:
                results.add(ruleset.id, check_id, _comparisons(ruleset, derived, check_id, spec))
            except RefgenError as error:
                results.findings.append(failures.not_compared(section, check_id, spec, error))
        of_tables, errors = check_tables(ruleset, subjects)
        failures.add(*errors)
        results.findings = list(merged([*results.findings, *of_tables]))
        return results

    def add(self, system: str, check_id: str, comparisons: Sequence[Comparison]) -> None:
        """Add the comparisons of a check, and the findings that follow."""
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


def _comparisons(
    ruleset: Ruleset[ChecksSpec], derived: Mapping[str, RuleTable], check_id: str, spec: CheckSpec
) -> Sequence[Comparison]:
    """The comparisons of a check; only one kind of check reads computed tables."""
    if isinstance(spec, CompareSpec):
        found = compare(ruleset, derived, check_id, spec)
    else:
        found = CHECK_KINDS[type(spec)](ruleset, check_id, spec)
    return [replace(comparison, inferred=True) if spec.inferred else comparison for comparison in found]


def _checks_of(ruleset: Ruleset[ChecksSpec]) -> Sequence[_Entry]:
    """Every check, made once: a page asks for the checks of one table after the other."""
    if "checks" not in ruleset.kept:
        ruleset.kept["checks"] = list(_entries(ruleset.spec))
    checks: Sequence[_Entry] = ruleset.kept["checks"]
    return checks


def _entries(spec: ChecksSpec) -> Iterator[_Entry]:
    """Every check and its section of proof.toml: what facts say that they follow, then the entries of their own."""
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
    found = Finding.about(
        comparison.subject,
        FindingKind.NUMBER,
        Severity.WARNING if comparison.inferred else Severity.ERROR,
        system=system,
        rule=comparison.rule,
        computed=comparison.agreeing(rule),
        sources=comparison.sources,
    )
    return replace(found, exact="" if comparison.exact is None else str(comparison.exact), decimal=comparison.decimal)


def _others(rule: Rounding, others: int) -> str:
    if not others:
        return f"rounded {rule}"
    return f"the other figure is rounded {rule}" if others == 1 else f"the other {others} figures are rounded {rule}"


Marks = Mapping[Span, Mark]


class PlaceMarks(Marks):
    """The marks of a game by place, each worked out when its place is first asked about."""

    def __init__(
        self,
        ruleset: Ruleset[ChecksSpec],
        derived: Mapping[str, RuleTable],
        folder: Path | None,
        report: Callable[[], Sequence[Finding]],
    ) -> None:
        """``folder`` is where the errata lie; ``report`` runs all checks and gives their findings."""
        self._ruleset, self._derived, self._folder, self._report = ruleset, derived, folder, report
        self._of_subjects: dict[frozenset[str], Marks] = {}

    def __getitem__(self, place: Span) -> Mark:
        subjects = frozenset(self._subjects.get(place, ()))
        if subjects not in self._of_subjects:
            self._of_subjects[subjects] = self._marks(subjects)
        return self._of_subjects[subjects][place]

    def __iter__(self) -> Iterator[Span]:
        return iter(self._whole)

    def __len__(self) -> int:
        return len(self._whole)

    @cached_property
    def _whole(self) -> Marks:
        return marks(self._report())

    @cached_property
    def _subjects(self) -> Mapping[Span, set[str]]:
        """The ids of the printed tables and facts that stand at each place; a cell may stand where its table does."""
        found: dict[Span, set[str]] = defaultdict(set)
        for table in self._ruleset.printed_tables:
            for span in (table.span, *(cell.span for row in table.rows for cell in row)):
                if span is not None:
                    found[span].add(table.id)
        for fact in (*self._ruleset.facts.values(), *self._ruleset.restated):
            found[fact.span].add(fact.id)
        return found

    @cached_property
    def _readings(self) -> Sequence[Finding]:
        return list(check_readings_of(self._ruleset))

    @cached_property
    def _errata(self) -> ErrataSpec | None:
        return None if self._folder is None else load_errata(self._folder)[0]

    def _marks(self, subjects: frozenset[str]) -> Marks:
        """The marks at the places where just these tables and facts stand."""
        failures = Failures(self._ruleset, [])
        try:
            results = CheckResults.of(self._ruleset, self._derived, failures, subjects)
            found = [*results.findings, *self._readings]
            findings = found if self._errata is None else list(accept_findings(found, self._errata))
        except RefgenError:
            return self._whole
        is_open = failures.errors or any(finding.is_open for finding in findings)
        return self._whole if is_open else marks(findings)
