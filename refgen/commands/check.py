"""``refgen check``: every printed number against the rules."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import click

import refgen
from refgen.commands.options import (
    BAD_INPUT,
    FINDINGS,
    echo_editions,
    echo_json,
    echo_lines,
    output_format,
    reads_rules,
    show_error,
)


@click.command()
@click.argument("games", nargs=-1, metavar="[GAME]...")
@output_format("text", "json", "sarif", "github")
@click.option("--strict", is_flag=True, help="Exit with 1 for notes and accepted findings as well.")
@click.option("--coverage", is_flag=True, help="Show what becomes of every number.")
@reads_rules
def check(
    games: Sequence[str],
    output_format: str,
    strict: bool,
    coverage: bool,
    folder: Path | None,
    documents: Sequence[str],
) -> None:
    """Compare every printed number with the rules. Exits with 1 when findings are open.

    Every file of a game is read, those of its play aids too; all that is wrong with them is told at once, and the
    games without such errors are checked.

    sarif is for code hosts and editors, github for annotations in GitHub Actions.

    --coverage (text or json) shows what becomes of every number of the documents in place of the findings; with
    --strict it exits with 1 when a number is unlisted.
    """
    if coverage and output_format not in ("text", "json"):
        raise click.UsageError("--coverage is shown as text or json")
    project = refgen.project(folder, documents)
    reports: list[refgen.Report] = []
    errors: list[refgen.RefgenError] = []
    for name in project.select(games):
        errors += project.validate(name)
        with suppress(refgen.RefgenError):  # it is among the errors
            reports.append(project.games[name].check())
            echo_editions(project, [name])
    coverages = [project.games[report.system].coverage() for report in reports] if coverage else []
    if coverage:
        _show_coverage(coverages, output_format)
    else:
        _show(reports, output_format, project)
    for error in errors:
        show_error(error)
    if errors:
        sys.exit(BAD_INPUT)
    everything = strict and not coverage
    if any(report.findings if everything else report.open for report in reports):
        sys.exit(FINDINGS)
    if strict and not all(found.is_complete for found in coverages):
        sys.exit(FINDINGS)


def _show_coverage(coverages: Sequence[refgen.Coverage], output_format: str) -> None:
    from refgen.export.coverage import coverage_data
    from refgen.export.coverage_text import coverage_lines

    if output_format == "json":
        echo_json(coverage_data(coverages))
    else:
        echo_lines(coverage_lines(coverages))


def _show(reports: Sequence[refgen.Report], output_format: str, project: refgen.Project) -> None:
    from refgen.export.check import check_data
    from refgen.export.check_text import report_lines
    from refgen.export.github import github_report
    from refgen.export.sarif import sarif_report

    match output_format:
        case "text":
            echo_lines(report_lines(reports))
        case "github":
            echo_lines(github_report(reports, project.folders))
        case "sarif":
            echo_json(sarif_report(reports, project.folders))
        case _:
            echo_json(check_data(reports))
