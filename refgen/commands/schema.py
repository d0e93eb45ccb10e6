"""``refgen schema``: the JSON Schema of a file that refgen writes or reads."""

from __future__ import annotations

import click

import refgen
from refgen.commands.options import ProjectChoice, echo_json, reads_rules


@click.command()
@click.argument("name")
@reads_rules
def schema(name: str, choice: ProjectChoice) -> None:
    """Print the JSON Schema of NAME.

    What refgen writes: tables, check, odds, action-odds, manifest, build-log, read, conditions. Files that people
    write: system, phrasings, screen, sheet, cards, errata, project; sheet/GAME is that of the characters of a game.
    """
    project = choice.open(name) if "/" in name else None
    echo_json(refgen.json_schema(name, project))
