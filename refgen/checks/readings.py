"""Prints that are read as something else than they say: "< -7" as -7 or less.

In: a ruleset. Out: a note for each cell and fact whose `read` changes what the print means by itself. One that only
makes an unknown notation readable ("half", "(+4)") changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from refgen.checks.cells import comparison_id, row_names
from refgen.checks.finding import Finding, FindingKind, Severity
from refgen.errors import NotationError
from refgen.notation.read import in_usual_style, is_blank, read_value
from refgen.notation.values import Interval, LabelledDice, Text, Value
from refgen.rules.model import Ruleset
from refgen.rules.readings import read_in_place
from refgen.rules.schema import ColumnSpec, FactSpec
from refgen.span import Span

READ_AS = "not what the print says by itself"


def check_readings_of(ruleset: Ruleset) -> Iterator[Finding]:
    """The cells of tables, then the facts, whose print is read as something else than it says."""
    for table in ruleset.printed_tables:
        spec = ruleset.spec.tables[table.id]
        for index, column in ((at, column) for at, column in enumerate(spec.columns) if column.read):
            for name, row in zip(row_names(table), table.rows, strict=True):
                cell, title = row[index], table.columns[index].title
                found = _Printed(cell.text, cell.value, cell.span or table.span)
                yield from _changed(ruleset, column, found, (table.id, table.title, name, title))
    for fact in ruleset.facts.values():
        spec_of_fact = ruleset.spec.facts[fact.id]
        found = _Printed(fact.text, fact.value, fact.span)
        yield from _changed(ruleset, spec_of_fact, found, ("facts", "", fact.id, fact.title))


@dataclass(frozen=True, slots=True)
class _Printed:
    """A printed text, the value that it was given, and where it stands."""

    text: str
    value: Value | None
    span: Span | None


def _changed(
    ruleset: Ruleset, spec: ColumnSpec | FactSpec, found: _Printed, names: tuple[str, str, str, str]
) -> Iterator[Finding]:
    read = read_in_place(spec.read, found.text)
    literal = _literal(ruleset, spec, found.text) if read != found.text else None
    if literal is None or literal == found.value or isinstance(literal, Text | LabelledDice) or found.span is None:
        return
    table, title, row, column = names
    yield Finding(
        id=comparison_id("readings", *((row,) if table == "facts" else (table, row, column))),
        kind=FindingKind.READING,
        system=ruleset.id,
        table=table,
        title=title,
        row=row,
        column=column,
        printed=found.text,
        computed=_words(found.value, read),
        rule=READ_AS,
        severity=Severity.NOTE,
        span=found.span,
    )


def _literal(ruleset: Ruleset, spec: ColumnSpec | FactSpec, text: str) -> Value | None:
    """What a print says by itself; None where it is blank, or in no notation of its column."""
    try:
        written = in_usual_style(spec.type, text, ruleset.style)
        ladder = ruleset.ladders.get(spec.ladder or "")
        return None if is_blank(spec.type, text) else read_value(spec.type, written, ladder)
    except NotationError:
        return None


def _words(value: Value | None, read: str) -> str:
    match value:
        case Interval(low=int() as low, high=None):
            return f"{low} or more"
        case Interval(low=None, high=int() as high):
            return f"{high} or less"
        case _:
            return read
