"""Bounds at the end of a column: ">500,000" above a row with 500,000.

In: a printed column. Out: a Comparison for each bound with the number of the row beside it, and the other way round.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from refgen.checks.cells import column_subjects, places
from refgen.checks.comparison import CheckSpec, Comparison
from refgen.notation.values import Number
from refgen.resolver.lookup import table_of
from refgen.rules.field_types import Identifier
from refgen.rules.model import Ruleset

STRICT = (">", "<")


class BoundsSpec(CheckSpec):
    """Columns in which a bound is as tight as the row beside it allows: more, or less, than just that number."""

    kind: Literal["bounds"]
    table: Identifier
    columns: list[Identifier]
    stated: bool = False


def check_bounds(ruleset: Ruleset, check_id: str, spec: BoundsSpec) -> Iterator[Comparison]:
    """A bound such as ">500,000" is the number of the row below it, or above it where it is the last."""
    table = table_of(ruleset, spec.table)
    for column in spec.columns:
        held = list(column_subjects(table, check_id, column, by_column=True))
        for row, (_, cell) in enumerate(held):
            beside = row + 1 if row + 1 < len(held) else row - 1
            bound, number = cell.value, held[beside][1].value
            if isinstance(bound, Number) and isinstance(number, Number) and bound.bound in STRICT and not number.bound:
                words = f"{bound.bound}{held[beside][1].text}", cell.text.removeprefix(bound.bound).strip()
                same = bound.value == number.value
                for one, other, computed in ((row, beside, words[0]), (beside, row, words[1])):
                    yield Comparison(
                        held[one][0],
                        computed=computed,
                        rule="a bound is the number of the row beside it",
                        same=same,
                        stated=spec.stated,
                        sources=places(held[other][1]),
                    )
