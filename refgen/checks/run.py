"""Run all checks of a system, apply its errata and pins, and list findings under the number that causes them.

In: a Ruleset, its computed tables, errata and pins. Out: a CheckReport. No fault hides the rest: a part that
cannot be worked out is an error of the report, and each check that needs the part is a finding at its numbers.

To find causes, nothing is guessed: the printed number of a finding is mended, and all is checked again. Findings that
are gone then are listed in the finding. Where mending a further number does just as well, nothing says which number is
wrong, and the finding stands at each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TypeVar

from refgen.checks.agreement import check_readings_of
from refgen.checks.averages import AVERAGES, average_comparisons
from refgen.checks.comparison import ChecksSpec
from refgen.checks.dice import check_chances, check_rolled_anew
from refgen.checks.document_numbers import paragraphs_of
from refgen.checks.documents import (
    check_defects,
    check_left_out,
    check_links,
    check_placeholders,
    check_undecided,
    check_words,
)
from refgen.checks.errata import CheckOutcome, apply_errata, load_errata
from refgen.checks.finding import CheckReport, Finding, Severity, with_figure
from refgen.checks.pins import check_pins
from refgen.checks.results import CheckFailures, CheckResults
from refgen.errors import NotationError, RefgenError
from refgen.notation.printed_cell import read_value
from refgen.resolver.computed import ComputedTables
from refgen.rules.field_types import FactSpec
from refgen.rules.model import Cell, Fact, Ruleset, RuleTable, with_parts
from refgen.rules.schema import ColumnSpec
from refgen.span import Span, SpanIndex


def check(
    ruleset: Ruleset[ChecksSpec],
    derived: Mapping[str, RuleTable],
    folder: Path | None = None,
    others: Sequence[Mapping[str, object]] = (),
) -> CheckReport:
    """Run every check of a system, with the errata and pins in its ``folder``.

    ``others`` are further parts of the game by name (explorers, actions, rolls). Each is made, to report its errors.
    """
    failures = CheckFailures.of(ruleset, derived, *others)
    results = CheckResults.of(ruleset, derived, failures)
    found, compared = list(results.findings), {judged.comparison.subject.span for judged in results.judged}
    paragraphs = chain.from_iterable(paragraphs_of(ruleset).values())
    results.add(ruleset.id, AVERAGES, average_comparisons(paragraphs, ruleset.sections, ruleset.style, compared))
    findings = [
        *results.findings,
        *check_readings_of(ruleset),
        *check_defects(ruleset),
        *check_links(ruleset),
        *check_placeholders(ruleset),
        *check_words(ruleset),
        *check_rolled_anew(ruleset),
        *check_left_out(ruleset),
        *check_undecided(ruleset),
        *check_chances(ruleset, compared),
    ]
    if folder is not None:
        asked = {finding.id: (finding.span, *finding.sources) for finding in findings if finding.is_asked}
        checked = CheckOutcome(ruleset.id, findings, results.known | asked, failures.checks)
        try:
            findings = apply_errata(checked, *load_errata(folder))
        except RefgenError as error:
            failures.add(error)
    findings = by_cause(findings, found, ruleset)
    if folder is not None:
        try:
            findings = [*findings, *check_pins(ruleset, folder, findings)]
        except RefgenError as error:
            failures.add(error)
    return CheckReport(ruleset.id, tuple(results.judged), tuple(findings), results.roundings, tuple(failures.errors))


MOST_MENDED = 12
"""The most numbers that are mended in turn; a document with more has its findings listed one by one."""

_Held = TypeVar("_Held", Cell, Fact)


def by_cause(findings: Sequence[Finding], found: Sequence[Finding], ruleset: Ruleset[ChecksSpec]) -> list[Finding]:
    """The findings, each effect listed in the finding of its cause. ``found`` are the findings of the checks alone.

    Of several numbers that explain the same findings, the number with the most checks against it comes first.
    """
    causes = sorted(_causes(findings, found, ruleset), key=lambda pair: (-len(pair[1]), -len(pair[0].also)))
    explained = {cause.id: frozenset(finding.id for finding in (cause, *gone)) for cause, gone in causes}
    causing: dict[str, Finding] = {}
    listed: set[str] = set()
    for cause, gone in causes:
        unlisted = [finding for finding in gone if finding.id not in listed | causing.keys()]
        unlisted.sort(key=lambda finding: finding.span)
        if unlisted and cause.id not in listed:
            rivals = [finding for finding in unlisted if explained.get(finding.id) == explained[cause.id]]
            effects = [finding for finding in unlisted if finding not in rivals]
            causing[cause.id] = replace(cause, rivals=tuple(rivals), effects=tuple(effects))
            listed |= {finding.id for finding in unlisted}
    return [causing.get(finding.id, finding) for finding in findings if finding.id not in listed]


def _causes(
    findings: Sequence[Finding], found: Sequence[Finding], ruleset: Ruleset[ChecksSpec]
) -> Iterator[tuple[Finding, Sequence[Finding]]]:
    """Each open finding, and each of a likely rule, with the findings that are gone once its number is mended.

    A number is no cause if a new finding appears once it is mended. A question never explains an open finding.
    """
    likely = {finding.id for finding in found if finding.severity is Severity.QUESTION}
    is_open = [one for one in findings if one.is_open or (one.accepted is None and one.id in likely)]
    before = set(map(_finding_identity, found))
    for root in _roots(is_open):
        if (mended := _mended_ruleset(ruleset, root)) is not None:
            again = CheckResults.of(mended, ComputedTables(mended), CheckFailures(mended, []))
            after = set(map(_finding_identity, again.findings))
            if after < before and _finding_identity(root) not in after:
                gone = [other for other in is_open if other is not root and _finding_identity(other) in before - after]
                yield root, [other for other in gone if root.is_open or not other.is_open]


def _roots(findings: Sequence[Finding]) -> Sequence[Finding]:
    """The findings at the place of a further finding, or from whose number one follows; none if they are too many."""
    index = SpanIndex((finding for finding in findings if finding.row), lambda finding: finding.span)
    ids: set[str] = set()
    for finding in findings:
        for place in (finding.span, *finding.sources):
            ids |= {root.id for root in index.within(place) if root is not finding}
            if len(ids) > MOST_MENDED:
                return []
    return [finding for finding in findings if finding.id in ids]


def _finding_identity(finding: Finding) -> object:
    """The identity of a finding when all is checked again. Its id may differ then, as rows are named by their words."""
    return finding.id.partition("/")[0], finding.span, finding.column


def _mended_ruleset(ruleset: Ruleset[ChecksSpec], finding: Finding) -> Ruleset[ChecksSpec] | None:
    """The ruleset with the agreeing number in place of the printed number; None if that number cannot be read."""
    new = _MendedText(ruleset, finding.span, with_figure(finding.printed, finding.computed))
    try:
        tables = {table.id: new.table(table) for table in ruleset.printed_tables if table.id == finding.table}
        facts = {fact.id: new.fact(fact) for fact in ruleset.facts.values()}
        restated = tuple(new.fact(fact) for fact in ruleset.restated)
    except NotationError:
        return None
    return replace(
        ruleset,
        tables=with_parts(ruleset.tables, tables),
        facts=with_parts(ruleset.facts, facts),
        restated=restated,
        kept={},
    )


@dataclass(frozen=True, slots=True)
class _MendedText:
    """A text in place of a printed text, read as its cell or fact. Raises NotationError for a text that is no value."""

    ruleset: Ruleset[ChecksSpec]
    span: Span
    text: str

    def table(self, table: RuleTable) -> RuleTable:
        columns = self.ruleset.spec.tables[table.id].columns
        rows = ([self._read(cell, column) for cell, column in zip(row, columns, strict=True)] for row in table.rows)
        return replace(table, rows=tuple(map(tuple, rows)))

    def fact(self, fact: Fact) -> Fact:
        return self._read(fact, self.ruleset.spec.facts[fact.id])

    def _read(self, held: _Held, spec: ColumnSpec | FactSpec) -> _Held:
        if held.span != self.span or spec.type == "text":
            return held
        value = read_value(
            spec.type, self.text, self.ruleset.ladders.get(spec.ladder or ""), self.ruleset.style.language
        )
        return replace(held, text=self.text, value=value)
