"""``refgen read``: what a document holds, before any system.toml."""

from __future__ import annotations

import sys
from pathlib import Path

import click

import refgen
from refgen.commands.options import FINDINGS, changes_limits, echo_json, echo_lines, output_format


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@output_format("text", "json", "toml")
@click.option("--sections", is_flag=True, help="Show the text of each section too, every paragraph with its place.")
@click.option("--check", is_flag=True, help="Check what needs no system.toml; exit with 1 for findings.")
@changes_limits
def read(file: Path, output_format: str, sections: bool, check: bool) -> None:
    """Show the raw tables and lists that FILE holds, before any system.toml; toml proposes one to edit.

    --check (text or json) tells in their place where rows that are rolled do not cover their die once, where one
    number of a column goes against the way of all others, and which percentages their dice cannot give.
    """
    document = refgen.read(file)
    if check:
        _check(document, output_format)
    elif output_format == "json":
        from refgen.export.document import document_data

        echo_json(document_data(document, sections))
    elif output_format == "toml":
        from refgen.export.system_toml import propose

        click.echo(propose(document), nl=False)
    else:
        from refgen.export.document import document_lines

        echo_lines(document_lines(document, sections))


def _check(document: refgen.Document, output_format: str) -> None:
    from refgen.api.document_check import check_document
    from refgen.export.check import check_data, report_lines

    if output_format == "toml":
        raise click.UsageError("--check is shown as text or json.")
    report = check_document(document)
    if output_format == "json":
        echo_json(check_data([report]))
    else:
        echo_lines(report_lines([report]))
    sys.exit(FINDINGS if report.open else 0)
