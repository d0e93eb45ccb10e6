"""The marks of the places that a page shows, without the checks of all others.

In: a ruleset, its computed tables and errata, and a place. Out: the Mark of the place, exactly as of the whole report.

A mark is of a finding that stands at its place, and a finding stands where its check has its subject: a cell of one
table, or a fact. So the checks of the tables and facts at a place find all that is ever found there. Of these findings
errata accept each by itself; but one that is open may be listed as an effect of another number, which only all checks
together can tell, and where one of them is open, or cannot be told, the whole report says what is marked.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from refgen.checks.comparison import ChecksSpec
from refgen.checks.documents import check_readings_of
from refgen.checks.errata import ErrataSpec, accept_findings, load_errata
from refgen.checks.finding import Finding, Mark, marks
from refgen.checks.results import CheckResults, Failures
from refgen.errors import RefgenError
from refgen.rules.model import Ruleset, RuleTable
from refgen.span import Span

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
