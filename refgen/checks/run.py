"""All checks of a system.

In: a Ruleset, its computed tables, its errata and its pins. Out: a CheckReport. Nothing hides the rest: what cannot be
worked out is an error of the report, and each check that needs it a finding where its numbers are printed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from refgen.checks.bare import chances_of, fall_findings, row_number_findings, tables_of
from refgen.checks.causes import by_cause
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
from refgen.checks.finding import CheckReport, Finding
from refgen.checks.pins import check_pins
from refgen.checks.results import CheckResults, Failures
from refgen.errors import RefgenError
from refgen.readers.document import Document
from refgen.resolver.computed import ComputedTables
from refgen.rules.model import Ruleset, RuleTable


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
