"""Tables and facts as plain data, for JSON and CSV.

In: a ruleset and its computed tables. Out: dictionaries and lists of text and whole numbers; exact numbers are
texts of the form "p/q", so that no reader rounds them. ``schema`` names the shape and its version.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from fractions import Fraction
from typing import Any

from refgen.notation.values import Value
from refgen.rules.model import Cell, Fact, Ruleset, Table
from refgen.span import Span

SCHEMA = "refgen/tables/1"

KINDS = {"grid": "marked", "ragged": "ragged", "list": "list", "paragraphs": "list", "prose": "list"}
"""What a table is to a reader of the data, by its layout in system.toml."""


def system_data(ruleset: Ruleset, derived: Mapping[str, Table]) -> dict[str, Any]:
    """Everything that was read and computed for a system."""
    return {
        "schema": SCHEMA,
        "system": ruleset.id,
        "title": ruleset.title,
        "document": ruleset.document.name,
        "ladders": {
            name: [{"level": level.name, "value": level.value} for level in ladder.levels]
            for name, ladder in ruleset.ladders.items()
        },
        "tables": [
            *(_table_data(ruleset, table) for table in ruleset.tables.values()),
            *(_fact_table(ruleset, fact) for fact in ruleset.facts.values()),
        ],
        "derived": [_table_data(ruleset, table) for table in derived.values()],
        "facts": [_fact_data(fact) for fact in ruleset.facts.values()],
    }


def systems_data(systems: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Several systems as one document."""
    return {"schema": SCHEMA, "systems": list(systems)}


def one_table_data(ruleset: Ruleset, table: Table) -> dict[str, Any]:
    """One table as a document of its own."""
    return {"schema": SCHEMA, "system": ruleset.id, **_table_data(ruleset, table)}


def _table_data(ruleset: Ruleset, table: Table) -> dict[str, Any]:
    """One table; a computed one has its ``rule`` where a printed one has its ``source``."""
    spec = ruleset.spec.tables.get(table.id)
    data: dict[str, Any] = {"id": table.id, "title": table.title, "kind": KINDS[spec.layout] if spec else "computed"}
    if table.span is not None:
        data["source"] = {"file": table.span.file, "line": table.span.line, "end_line": table.span.end_line}
    else:
        data |= {"rule": table.rule, "rounding": table.rounding}
    data["columns"] = [{"id": column.id, "title": column.title, "type": column.type} for column in table.columns]
    if table.span is not None:
        data["rows"] = [[_cell_data(cell) for cell in row] for row in table.rows]
        return data
    sources = {span: number for number, span in enumerate(_sources(table))}
    data["sources"] = [_place(span) for span in sources]
    data["rows"] = [[_computed_cell_data(cell, sources) for cell in row] for row in table.rows]
    return data


def _cell_data(cell: Cell) -> dict[str, Any]:
    data: dict[str, Any] = {"text": cell.text, "value": value_data(cell.value)}
    if cell.span is not None:
        data |= {"line": cell.span.line, "column": cell.span.column}
    return data


def _computed_cell_data(cell: Cell, sources: Mapping[Span, int]) -> dict[str, Any]:
    """``rests_on`` counts from 0 in the table's ``sources``."""
    data: dict[str, Any] = {"text": cell.text, "value": value_data(cell.value)}
    if cell.exact is not None:
        data["exact"] = str(cell.exact)
    return data | {"rests_on": [sources[span] for span in cell.rests_on]}


def _sources(table: Table) -> Iterable[Span]:
    """Where everything stands that the cells of a computed table rest on, each place once."""
    return dict.fromkeys(span for row in table.rows for cell in row for span in cell.rests_on)


def _place(span: Span) -> dict[str, Any]:
    return {"file": span.file, "line": span.line, "column": span.column}


def _fact_table(ruleset: Ruleset, fact: Fact) -> dict[str, Any]:
    """A fact as a table of one cell: whoever goes through the tables meets every number of the document."""
    span = fact.span
    cell = {"text": fact.text, "value": value_data(fact.value), "line": span.line, "column": span.column}
    return {
        "id": f"facts/{fact.id}",
        "title": fact.title,
        "kind": "fact",
        "source": {"file": span.file, "line": span.line, "end_line": span.end_line},
        "columns": [{"id": "value", "title": fact.unit or "Value", "type": ruleset.spec.facts[fact.id].type}],
        "rows": [[cell]],
    }


def _fact_data(fact: Fact) -> dict[str, Any]:
    return {
        "id": fact.id,
        "title": fact.title,
        "text": fact.text,
        "value": value_data(fact.value),
        "unit": fact.unit,
        "source": _place(fact.span),
    }


def value_data(value: Value | None) -> dict[str, Any] | None:
    """A typed value: its type and its parts."""
    if value is None:
        return None
    parts = {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    return {"type": type(value).__name__.lower(), **parts}


def _plain(part: Any) -> Any:
    if isinstance(part, Fraction):
        return str(part)
    if isinstance(part, (str, int)) or part is None:
        return part
    if isinstance(part, tuple):
        return [_plain(item) for item in part]
    return value_data(part)


def json_text(data: Mapping[str, Any]) -> str:
    """Data as JSON, ready to be written to a file."""
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def csv_text(table: Table) -> str:
    """A table as CSV (RFC 4180): its titles, then its cells as printed."""
    return _csv([[column.title for column in table.columns], *([cell.text for cell in row] for row in table.rows)])


def _csv(rows: Sequence[Sequence[str]]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer).writerows(rows)
    return buffer.getvalue()


def markdown_text(table: Table) -> str:
    """A table as a Markdown pipe table."""
    rows = [[cell.text.replace("|", "\\|") for cell in row] for row in table.rows]
    head = [column.title.replace("|", "\\|") for column in table.columns]
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)
