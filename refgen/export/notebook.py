"""What a notebook shows of tables, rolls and reports: HTML fragments with no style sheet of their own.

In: a table, a roll or a report. Out: HTML.
"""

from __future__ import annotations

from refgen.checks.finding import CheckReport
from refgen.export.check import error_lines, sentence, summary
from refgen.export.odds import PLACES, shown_outcomes
from refgen.notation.rounding import percent
from refgen.render.environment import environment
from refgen.resolver.dice.roll import Roll
from refgen.rules.model import Table


def table_html(table: Table) -> str:
    """A table under its title, with its place in the document or the rule that computes it."""
    return _fragment("table", table=table, source=str(table.span) if table.span else table.explained)


def odds_html(title: str, roll: Roll) -> str:
    """The chance of each outcome, with a bar behind it, and the chance of at least that."""
    outcomes, hidden = shown_outcomes(roll)
    likeliest = max(roll.exactly(outcome) for outcome in outcomes)
    rows = [
        (
            outcome,
            percent(roll.exactly(outcome), PLACES),
            percent(roll.at_least(outcome), PLACES),
            round(100 * roll.exactly(outcome) / likeliest),
        )
        for outcome in outcomes
    ]
    return _fragment("odds", title=title, rows=rows, hidden=hidden)


def report_html(report: CheckReport) -> str:
    """The summary of a report, its errors and its findings."""
    findings = [(finding, sentence(finding)) for found in report.findings for finding in found.at_each_place]
    return _fragment("report", summary=summary(report), errors=list(error_lines(report.errors)), findings=findings)


def _fragment(name: str, **values: object) -> str:
    return environment().get_template(f"notebook/{name}.html").render(**values)
