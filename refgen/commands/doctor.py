"""``refgen doctor``: all that this machine has of what refgen needs or can use.

In: the format. Out: a line for each part, or JSON; exit code 1 where something is missing.
"""

from __future__ import annotations

import sys

import click

from refgen.api.machine import machine_data
from refgen.commands.options import FINDINGS, echo_json, output_format


@click.command(short_help="Show what refgen needs, and what is missing.")
@output_format("text", "json")
def doctor(output_format: str) -> None:
    """Say what is there of all that refgen needs or can use, and how to get what is missing.

    Python, packages, Pango (for PDFs), fonts, Pagefind (for the search), pandoc (for docx, odt …), cache and cores.
    Exit code 1: something is missing. Without Pango all but PDFs and pictures is made.
    """
    data = machine_data()
    if output_format == "json":
        echo_json(data)
    else:
        for part in data["parts"]:
            click.echo(f"{part['state']:<9}{part['name']}: {part['found']}")
            if part["hint"]:
                click.echo(f"{'':<9}  {part['hint']}")
    if any(part["state"] == "missing" for part in data["parts"]):
        sys.exit(FINDINGS)
