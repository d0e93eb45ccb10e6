"""All checks of a system.

In: a Ruleset, its computed tables, its errata and its pins. Out: a CheckReport. Nothing hides the rest: what cannot be
worked out is an error of the report, and each check that needs it a finding where its numbers are printed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from refgen.checks.bare import chances_of, fall_findings, row_number_findings, tables_of
from refgen.checks.comparison import ChecksSpec
from refgen.checks.dice import chance_findings, check_chances, check_rolled_anew
from refgen.checks.documents import (
    check_defects,
    check_left_out,
    check_links,
    check_placeholders,
    check_readings_of,
    check_undecided,
)
from refgen.checks.errata import Checked, apply_errata, load_errata
from refgen.checks.finding import CheckReport, Finding, with_figure
from refgen.checks.pins import check_pins
from refgen.checks.results import CheckResults, Failures
from refgen.errors import NotationError, RefgenError
from refgen.notation.printed_cell import read_value
from refgen.readers.document import Document
from refgen.resolver.computed import ComputedTables
from refgen.rules.fact_spec import FactSpec
from refgen.rules.model import Cell, Fact, Ruleset, RuleTable
from refgen.rules.schema import ColumnSpec
from refgen.span import Span


def check(
    ruleset: Ruleset[ChecksSpec],
    derived: Mapping[str, RuleTable],
    folder: Path | None = None,
    others: Sequence[Mapping[str, object]] = (),
) -> CheckReport:
    """Run every ``[checks.*]`` of a system, and accept what the errata in its ``folder`` accept.

    Where the folder has pins, what is not as it was pinned is a note. ``others`` is what the game has besides, by name:
    explorers, actions, rolls. Each is made, and what is wrong with it is among the errors.
    """
    failures = Failures.of(ruleset, derived, *others)
    results = CheckResults.of(ruleset, derived, failures)
    findings = [
        *results.findings,
        *check_readings_of(ruleset),
        *check_defects(ruleset),
        *check_links(ruleset),
        *check_placeholders(ruleset),
        *check_rolled_anew(ruleset),
        *check_left_out(ruleset),
        *check_undecided(ruleset),
        *check_chances(ruleset, {judged.comparison.subject.span for judged in results.judged}),
    ]
    if folder is not None:
        checked = Checked(ruleset.id, findings, results.known, failures.checks)
        try:
            findings = apply_errata(checked, *load_errata(folder))
        except RefgenError as error:
            failures.add(error)
    findings = by_cause(findings, results.findings, ruleset, _found)
    if folder is not None:
        try:
            findings = [*findings, *check_pins(ruleset, folder, findings)]
        except RefgenError as error:
            failures.add(error)
    return CheckReport(ruleset.id, tuple(results.judged), tuple(findings), results.roundings, tuple(failures.errors))


def check_bare(document: Document) -> CheckReport:
    """The checks of a document without a system.toml.

    Rows that are rolled cover their die once, numbers that rise from row to row do so everywhere, and percentages are
    ones that their dice can give.
    """
    findings: list[Finding] = []
    for table in tables_of(document):
        findings += [*row_number_findings(table), *fall_findings(table)]
        findings += chance_findings(document.name, chances_of(table))
    return CheckReport(document.name, (), tuple(findings), {}, ())


def _found(ruleset: Ruleset[ChecksSpec]) -> Sequence[Finding]:
    """The findings of all checks."""
    return CheckResults.of(ruleset, ComputedTables(ruleset), Failures(ruleset, [])).findings


MOST = 12
"""So many numbers are mended in turn to see what goes with them; a document with more is told finding by finding."""

Check = Callable[[Ruleset[ChecksSpec]], Sequence[Finding]]
"""What finds everything that is wrong with a ruleset."""

_Held = TypeVar("_Held", Cell, Fact)


def by_cause(
    findings: Sequence[Finding], found: Sequence[Finding], ruleset: Ruleset[ChecksSpec], check: Check
) -> list[Finding]:
    """The findings, each open one that goes away with another listed in that. ``found`` is what ``check`` has found.

    Of several numbers that explain the same, the one with the most checks against it comes first.
    """
    causes = sorted(_causes(findings, found, ruleset, check), key=lambda one: (-len(one[1]), -len(one[0].also)))
    explained = {cause.id: frozenset(one.id for one in (cause, *gone)) for cause, gone in causes}
    causing: dict[str, Finding] = {}
    listed: set[str] = set()
    for cause, gone in causes:
        others = sorted(
            (one for one in gone if one.id not in listed | causing.keys()), key=lambda finding: finding.span
        )
        if others and cause.id not in listed:
            rivals = [one for one in others if explained.get(one.id) == explained[cause.id]]
            effects = [one for one in others if one not in rivals]
            causing[cause.id] = replace(cause, rivals=tuple(rivals), effects=tuple(effects))
            listed |= {finding.id for finding in others}
    return [causing.get(finding.id, finding) for finding in findings if finding.id not in listed]


def _causes(
    findings: Sequence[Finding], found: Sequence[Finding], ruleset: Ruleset[ChecksSpec], check: Check
) -> Iterator[tuple[Finding, Sequence[Finding]]]:
    """Each open finding with those that are gone once its number is mended, and nothing else is wrong instead."""
    is_open = [finding for finding in findings if finding.is_open]
    roots = [finding for finding in is_open if finding.row and any(_touches(other, finding) for other in is_open)]
    if not 0 < len(roots) <= MOST:
        return
    before = set(map(_key, found))
    for root in roots:
        if (mended := _mended(ruleset, root)) is not None:
            after = set(map(_key, check(mended)))
            if after < before and _key(root) not in after:
                yield root, [other for other in is_open if other is not root and _key(other) in before - after]


def _touches(finding: Finding, root: Finding) -> bool:
    """Whether a finding is about what stands where another number does, or rests on it."""
    return finding is not root and any(place.holds(root.span) for place in (finding.span, *finding.sources))


def _key(finding: Finding) -> object:
    """By what a finding is known when all is checked again: a row may then go by other words."""
    return finding.id.partition("/")[0], finding.span, finding.column


def _mended(ruleset: Ruleset[ChecksSpec], finding: Finding) -> Ruleset[ChecksSpec] | None:
    """The ruleset with the number that would agree in the place of the printed one, if that number can be read."""
    new = _New(ruleset, finding.span, with_figure(finding.printed, finding.computed))
    try:
        tables = {table.id: new.table(table) for table in ruleset.printed_tables if table.id == finding.table}
        facts = {fact.id: new.fact(fact) for fact in ruleset.facts.values()}
        restated = tuple(new.fact(fact) for fact in ruleset.restated)
    except NotationError:
        return None
    return replace(ruleset, tables={**ruleset.tables, **tables}, facts=facts, restated=restated, kept={})


@dataclass(frozen=True, slots=True)
class _New:
    """A text read as the cell or the fact of a place reads its own. Raises NotationError for a text that is none."""

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
        value = read_value(spec.type, self.text, self.ruleset.ladders.get(spec.ladder or ""))
        return replace(held, text=self.text, value=value)
