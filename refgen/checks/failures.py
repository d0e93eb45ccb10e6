"""What could not be checked, and why: each error once, and a finding where the numbers stand that it leaves open.

In: what a check fails with. Out: the errors, and the findings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from refgen.checks.comparison import CheckSpec
from refgen.checks.finding import Finding, FindingKind, Severity
from refgen.errors import CheckError, RefgenError, is_among
from refgen.resolver.lookup import places_named
from refgen.rules.model import Ruleset
from refgen.rules.toml import locate
from refgen.span import Span


@dataclass(slots=True)
class Failures:
    """The errors so far, and the ids of the checks that could not compare."""

    ruleset: Ruleset
    errors: list[RefgenError]
    checks: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, ruleset: Ruleset, *computed: Mapping[str, object]) -> Failures:
        """What is wrong before any check: what could not be read, and what is ``computed`` and cannot be."""
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
            entry = locate(self.ruleset.spec_source, (section, check_id))
            error = CheckError(error.message, span=error.span or entry, hint=error.hint)
            self.add(error)
        self.checks.add(check_id)
        asked = (span for _, span in places_named(self.ruleset, spec.model_dump()))
        table, title, column, place = next(self._places(spec), ("", "", check_id, error.span))
        return Finding(
            id=check_id,
            kind=FindingKind.NOT_COMPARED,
            system=self.ruleset.id,
            table=table,
            title=title,
            column=column,
            printed="",
            computed="",
            rule=error.message,
            severity=Severity.ERROR,
            span=place or self.ruleset.document.span(0, 0),
            sources=tuple(dict.fromkeys(span for span in (error.span, *asked) if span is not None)),
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
