"""A check report that can be written down.

In: a CheckReport. Out: the same, with text, JSON and HTML.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from refgen.checks.finding import CheckReport
from refgen.export.check import check_data, error_lines, report_lines, summary
from refgen.export.model import json_text


@dataclass(frozen=True, slots=True, repr=False)
class Report(CheckReport):
    """The comparisons and findings of a game's checks. ``open`` are the findings that somebody has to decide about.

    ``errors`` are what is wrong with its files; each has a message, a span (or None) and a hint.
    """

    @classmethod
    def of(cls, report: CheckReport) -> Report:
        """A CheckReport that can be written down."""
        return cls(**{field.name: getattr(report, field.name) for field in fields(report)})

    def __repr__(self) -> str:
        return f"<Report {summary(self)}>"

    def __str__(self) -> str:
        """A line for each error and for each finding, then a summary."""
        return "\n".join([*error_lines(self.errors), *report_lines([self])])

    def to_json(self) -> str:
        """The report as ``refgen check GAME --format json`` prints it."""
        return json_text(check_data([self]))

    def _repr_html_(self) -> str:
        from refgen.export.tables import report_html

        return report_html(self)
