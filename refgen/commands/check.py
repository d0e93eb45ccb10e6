"""``refgen check``: compares every printed number with the rules, and writes errata and pins.

In: options. Out: a report or the coverage on stdout, errors on stderr, the exit code; or errata.toml or pins.toml.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress

import click

import refgen
from refgen.commands import completion
from refgen.commands.options import (
    BAD_INPUT,
    FINDINGS,
    ProjectChoice,
    echo_answer,
    echo_editions,
    echo_json,
    echo_lines,
    output_format,
    reads_rules,
    show_error,
    show_warnings,
)


@click.command(short_help="Compare every printed number with the rules.")
@click.argument("games", nargs=-1, metavar="[GAME]...", shell_complete=completion.GAMES)
@output_format("text", "json", "sarif", "github")
@click.option("--strict", is_flag=True, help="Exit with 1 for questions as well; never for remarks.")
@click.option("--coverage", is_flag=True, help="Show what becomes of every number.")
@click.option(
    "--accept",
    metavar="ID",
    shell_complete=completion.FINDINGS,
    help="Write the finding with this id to errata.toml, and check nothing else.",
)
@click.option("--reason", default="", help="Why it is accepted. --accept needs it.")
@click.option(
    "--print", "prints", type=click.Choice(["printed", "computed", "both"]), help="What play aids print in its place."
)
@click.option("--pin", is_flag=True, help="Write what nothing can compare to pins.toml, and check nothing.")
@reads_rules
def check(
    games: Sequence[str],
    output_format: str,
    strict: bool,
    coverage: bool,
    accept: str | None,
    reason: str,
    prints: str | None,
    pin: bool,
    choice: ProjectChoice,
) -> None:
    """Compare every printed number with the rules. Exits with 1 when findings are open.

    Findings that errata.toml accepts are not open. Notes are questions, which ask for an answer (mend the document, or
    accept the print), or remarks, which ask for none: --strict exits with 1 for questions too.

    Every file of a game is read, the files of its play aids too. All errors of the files are reported at once, with
    exit code 2, and every number that can be compared is compared all the same.

    sarif is for code hosts and editors, github for annotations in GitHub Actions.

    --coverage (text or json) shows, in place of the findings, which check compares each number of the documents; with
    --strict it exits with 1 when nothing checks a number and nothing says why.
    --accept ID --reason TEXT writes an erratum with the printed and the computed number of today: the erratum lapses
    when either number changes. CHECK/rounding stands for all cells of a check that are rounded otherwise than the rest.
    --pin writes down everything that no check can compare: the numbers that proof.toml pins, the words of tables, and
    the cells beside names of rows. From then on each change of a pinned text, or of its place, is a note.
    """
    project = choice.open(*games)
    names = project.select(games)
    if accept is None and (reason or prints):
        raise click.UsageError("--reason and --print belong to --accept.")
    if pin:
        echo_lines(_write_pins(project, names, alone=accept is None and not coverage))
        return
    if accept is not None:
        click.echo(_accept_finding(project, names, accept, reason, prints or "printed"))
        return
    if coverage and output_format not in ("text", "json"):
        raise click.UsageError("--coverage is shown as text or json")
    reports = [project.check(name) for name in names]
    read = list(_readable_games(project, names))
    echo_editions(read)
    coverages = [game.coverage() for game in read] if coverage else []
    if coverage:
        _show_coverage(coverages, output_format)
    else:
        _show(reports, output_format, project)
    for error in (error for report in reports for error in report.errors):
        show_error(error)
    for game in read:
        show_warnings(game.unset)
    sys.exit(_exit_code(reports, coverages, strict))


def _exit_code(reports: Sequence[refgen.Report], coverages: Sequence[refgen.Coverage], strict: bool) -> int:
    if any(report.errors for report in reports):
        return BAD_INPUT
    asks = strict and not coverages
    failed = any(report.open or (asks and report.questions) for report in reports)
    unchecked = strict and not all(found.is_complete for found in coverages)
    return FINDINGS if failed or unchecked else 0


def _readable_games(project: refgen.Project, names: Sequence[str]) -> Iterator[refgen.Game]:
    """The games without those that cannot be read at all."""
    for name in names:
        with suppress(refgen.RefgenError):  # it is among the errors of its report
            yield project.partial[name]


def _show_coverage(coverages: Sequence[refgen.Coverage], output_format: str) -> None:
    from refgen.export.coverage import coverage_data, coverage_lines

    echo_answer(output_format, coverage_data, coverage_lines, coverages)


def _accept_finding(project: refgen.Project, names: Sequence[str], finding: str, reason: str, prints: str) -> str:
    """Write an erratum; what was written, in words."""
    if not reason.strip():
        raise click.UsageError('--accept needs --reason "…": what explains the printed number.')
    if len(names) != 1:
        raise click.UsageError(f"--accept needs one game: {', '.join(names)}.")
    return f"{project.accept(names[0], finding, reason, prints)}: {finding} is accepted."


def _write_pins(project: refgen.Project, names: Sequence[str], *, alone: bool) -> Iterator[str]:
    """Write the pins of some games; what was written, in words."""
    if not alone:
        raise click.UsageError("--pin goes without --accept and --coverage.")
    yield from (f"{project.pin(name)}: the numbers of {name} are pinned." for name in names)


def _show(reports: Sequence[refgen.Report], output_format: str, project: refgen.Project) -> None:
    from refgen.export.check import check_data, report_lines
    from refgen.export.sarif import github_report, sarif_report

    match output_format:
        case "text":
            echo_lines(report_lines(reports))
        case "github":
            echo_lines(github_report(reports, project.folders))
        case "sarif":
            echo_json(sarif_report(reports, project.folders))
        case _:
            echo_json(check_data(reports))
