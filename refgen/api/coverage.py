"""What becomes of every number of a game, which can be written down.

In: a Coverage. Out: the same, with text and JSON.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from refgen.checks import coverage
from refgen.export.coverage import coverage_data, coverage_lines
from refgen.export.model import json_text


@dataclass(frozen=True, repr=False)
class Coverage(coverage.NumberCoverage):
    """Every number of a game's documents with its checks; ``open`` are the numbers that nothing checks or explains."""

    @classmethod
    def of(cls, found: coverage.NumberCoverage) -> Coverage:
        """A Coverage that can be written down."""
        return cls(**{field.name: getattr(found, field.name) for field in fields(found)})

    def __str__(self) -> str:
        """A summary, then a line for each number."""
        return "\n".join(coverage_lines([self]))

    def to_json(self) -> str:
        """The numbers as ``refgen check GAME --coverage --format json`` prints them."""
        return json_text(coverage_data([self]))
