"""``refgen read``: what a document holds, before any system.toml."""

from __future__ import annotations

from pathlib import Path

import click

import refgen
from refgen.commands.options import changes_limits, echo_json, echo_lines, output_format


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@output_format("text", "json", "toml")
@click.option("--sections", is_flag=True, help="Show the text of each section too, every paragraph with its place.")
@changes_limits
def read(file: Path, output_format: str, sections: bool) -> None:
    """Show the raw tables and lists that FILE holds, before any system.toml; toml proposes one to edit."""
    document = refgen.read(file)
    if output_format == "json":
        from refgen.export.document import document_data

        echo_json(document_data(document, sections))
    elif output_format == "toml":
        from refgen.export.system_toml import propose

        click.echo(propose(document), nl=False)
    else:
        from refgen.export.document import document_lines

        echo_lines(document_lines(document, sections))
