"""One cause, one finding: what goes away once one printed number is what a finding says it should be.

In: the open findings of a ruleset, and what finds them. Out: the same, those that a number explains listed in the
finding about that number. Nothing is guessed: the number is mended, and all is checked again. Where mending another
number does just as well, nothing says which of them is wrong, and the finding stands at each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from refgen.checks.comparison import ChecksSpec
from refgen.checks.finding import Finding, with_figure
from refgen.errors import NotationError
from refgen.notation.read import read_value
from refgen.rules.fact_spec import FactSpec
from refgen.rules.model import Cell, Fact, Ruleset, RuleTable
from refgen.rules.schema import ColumnSpec
from refgen.span import Span

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
