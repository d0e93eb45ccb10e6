"""Tables on the command line: a listing, or one of them, as text, JSON, CSV or Markdown.

In: a project and the names of systems or a table. Out: the text to print.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches

from refgen.errors import RulesError
from refgen.game.spec import SystemSpec
from refgen.pipeline.project import Project
from refgen.render.data import csv_text, json_text, markdown_text, one_table_data, system_data, systems_data
from refgen.resolver.computed import ComputedTables
from refgen.rules.load import load_ruleset
from refgen.rules.model import Ruleset, Table


def show_all(project: Project, systems: Sequence[str], form: str) -> str:
    """The tables of some systems: a line each, or all of them in full."""
    loaded = [_load(project, system) for system in systems]
    if form == "json":
        data = [system_data(ruleset, derived) for ruleset, derived in loaded]
        return json_text(data[0] if len(data) == 1 else systems_data(data))
    parts = []
    for system, (ruleset, derived) in zip(systems, loaded, strict=True):
        everything = [*ruleset.tables.values(), *derived.values()]
        if form == "text":
            parts += [f"{ruleset.title} ({len(ruleset.tables)} printed, {len(derived)} computed)\n"]
            parts += [line + "\n" for line in _listing(system, everything)]
        else:
            parts += [f"{_heading(table, form)}{_in_full(table, form)}\n" for table in everything]
    return "".join(parts)


def show_one(project: Project, system: str, table_id: str, form: str) -> str:
    """One table in full. Raises RulesError for an unknown one, with the nearest names."""
    ruleset, derived = _load(project, system)
    everything = {**ruleset.tables, **derived}
    if table_id not in everything:
        close = get_close_matches(table_id, everything, n=3, cutoff=0.3)
        hint = f"Did you mean {' or '.join(close)}?" if close else f"There are {', '.join(everything)}."
        raise RulesError(f'{system} has no table "{table_id}"', hint=hint)
    if form == "json":
        return json_text(one_table_data(ruleset, everything[table_id]))
    return _in_full(everything[table_id], form)


def _load(project: Project, system: str) -> tuple[Ruleset, Mapping[str, Table]]:
    ruleset = load_ruleset(project.systems[system], SystemSpec, project.documents.get(system))
    return ruleset, dict(ComputedTables(ruleset))


def _listing(system: str, everything: Sequence[Table]) -> Iterator[str]:
    width = max(len(table.id) for table in everything)
    for table in everything:
        size = f"{len(table.rows)} × {len(table.columns)}"
        place = str(table.span) if table.span else "computed"
        yield f"  {system}/{table.id:<{width}}  {size:>7}  {place}"


def _heading(table: Table, form: str) -> str:
    return f"## {table.title}\n\n" if form == "markdown" else ""


def _in_full(table: Table, form: str) -> str:
    if form == "csv":
        return csv_text(table)
    if form == "markdown":
        return markdown_text(table)
    return _text(table)


def _text(table: Table) -> str:
    rows = [[column.title for column in table.columns], *([cell.text for cell in row] for row in table.rows)]
    widths = [max(len(row[index]) for row in rows) for index in range(len(table.columns))]
    lines = ["  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    lines.insert(1, "  ".join("─" * width for width in widths))
    place = str(table.span) if table.span else f"computed: {table.explained}"
    return "\n".join([f"{table.title} ({place})", *lines]) + "\n"
