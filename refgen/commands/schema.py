"""``refgen schema``: the JSON Schema of a file that refgen writes or reads."""

from __future__ import annotations

import click

import refgen
from refgen.commands.options import echo_json


@click.command()
@click.argument("name")
def schema(name: str) -> None:
    """Print the JSON Schema of NAME.

    Files that refgen writes: tables, check, odds, action-odds, manifest, read, conditions. Files that people write:
    system, phrasings, screen, sheet, cards, errata, project.
    """
    echo_json(refgen.json_schema(name))
