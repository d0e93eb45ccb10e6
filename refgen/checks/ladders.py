"""Where the numbers of levels are printed: what rests on a level rests on its number too.

In: a ladder and a level, or a formula that names some. Out: the places.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from refgen.notation.values import Level
from refgen.resolver.formula.scope import Named
from refgen.rules.model import Ruleset
from refgen.span import Span


def level_places(ruleset: Ruleset, ladder: str, number: int) -> Iterator[Span]:
    """Where a ladder prints the level of a number, and the number, unless its levels are counted."""
    spec = ruleset.spec.ladders[ladder]
    table = ruleset.tables[spec.table]
    columns = [at for name in (spec.level, spec.value) if name and (at := table.index(name)) is not None]
    for row in table.rows if columns else ():
        level = row[columns[0]].value
        if isinstance(level, Level) and level.value == number:
            yield from (place for at in columns if (place := row[at].span) is not None)


def places_in(ruleset: Ruleset, table: str, name: str, named: Mapping[str, Named]) -> Iterator[Span]:
    """Where the number of the level is printed that a name of a formula stands for, if it stands for one.

    ``named`` are the cells of the row of ``table`` that the formula is worked out for.
    """
    ladder, _, end = name.rpartition(".")
    if ladder in ruleset.ladders and end in ("lowest", "highest"):
        found = ruleset.ladders[ladder]
        yield from level_places(ruleset, ladder, found.lowest if end == "lowest" else found.highest)
    elif name in named:
        value = named[name].cell.value
        columns = {column.id: column.ladder for column in ruleset.spec.tables[table].columns}
        if isinstance(value, Level) and (of_column := columns.get(name.rpartition(".")[2])):
            yield from level_places(ruleset, of_column, value.value)
    elif name in ruleset.facts:
        value, of_fact = ruleset.facts[name].value, ruleset.spec.facts[name].ladder
        if isinstance(value, Level) and of_fact:
            yield from level_places(ruleset, of_fact, value.value)
