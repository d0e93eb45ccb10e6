"""Numbers such as "1,250", which are 1250 or 1.25 according to the language, where nothing tells which.

In: a ruleset. Out: a finding for each column, and for each fact, with such a number and no other that shows the mark.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from refgen.checks.cells import comparison_id, row_names
from refgen.checks.finding import Finding, FindingKind, Severity
from refgen.notation.read import WITH_DECIMALS
from refgen.notation.style import Style, undecided
from refgen.rules.model import Ruleset
from refgen.rules.readings import read_in_place
from refgen.span import Span


@dataclass(frozen=True, slots=True)
class _Printed:
    """A number as it is to be read, where it stands, and what row it stands in."""

    text: str
    span: Span
    row: str


def check_undecided(ruleset: Ruleset) -> Iterator[Finding]:
    """The columns, then the facts; none where the game or its project says how numbers are written."""
    if ruleset.style.numbers:
        return
    for table in ruleset.printed_tables:
        names = row_names(table)
        for at, spec in enumerate(ruleset.spec.tables[table.id].columns):
            cells = [
                _Printed(read_in_place(spec.read, row[at].text), span, name)
                for name, row in zip(names, table.rows, strict=True)
                if (span := row[at].span) is not None
            ]
            if spec.type in WITH_DECIMALS:
                yield from _found(ruleset.id, cells, (table.id, table.title, table.columns[at].title))
    for fact in ruleset.facts.values():
        spec_of_fact = ruleset.spec.facts[fact.id]
        if spec_of_fact.type in WITH_DECIMALS:
            printed = _Printed(read_in_place(spec_of_fact.read, fact.text), fact.span, fact.id)
            yield from _found(ruleset.id, [printed], ("", "", fact.title))


def _found(system: str, cells: Sequence[_Printed], names: tuple[str, str, str]) -> Iterator[Finding]:
    """A finding at the first of some numbers that may be either."""
    either = undecided([cell.text for cell in cells])
    if not either:
        return
    table, title, column = names
    first = cells[either[0]]
    others = f", of which {len(either)} may be either," if len(either) > 1 else ""
    yield Finding(
        id=comparison_id("numbers", table, first.row, column if table else ""),
        kind=FindingKind.UNDECIDED,
        system=system,
        table=table,
        title=title,
        row=first.row,
        column=column,
        printed=first.text,
        computed=Style("1,5").usual(first.text).replace(",", ""),
        rule=f'no number of its column{others} tells which; say numbers = "1.5" or "1,5" in [document]',
        severity=Severity.WARNING,
        span=first.span,
    )
