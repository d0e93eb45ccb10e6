"""``refgen tables``: the tables of games, printed, typed and computed."""

from __future__ import annotations

from collections.abc import Sequence

import click

import refgen
from refgen.commands.options import ProjectChoice, echo_editions, output_format, reads_rules


@click.command()
@click.argument("what", required=False, metavar="[GAME[/TABLE]]", default="")
@click.option("--expand", is_flag=True, help="Write a computed table out as the grid that it is, in TOML.")
@output_format("text", "json", "csv", "markdown")
@reads_rules
def tables(what: str, expand: bool, output_format: str, choice: ProjectChoice) -> None:
    """List the tables of a game, or show one: printed, typed and computed."""
    name, _, table = what.partition("/")
    project = choice.open(*filter(None, [name]))
    if expand:
        if not table:
            raise click.UsageError("--expand takes one table: refgen tables --expand GAME/TABLE.")
        click.echo(_expanded(project.games[name], table), nl=False)
        return
    names = project.select([name] if name else [])
    echo_editions(project.games[name] for name in names)
    games = [project.games[name] for name in names]
    click.echo(_one(games[0].tables[table], output_format) if table else _all(games, output_format), nl=False)


def _one(table: refgen.Table, output_format: str) -> str:
    from refgen.export.table_text import TEXTS

    return table.to_json() if output_format == "json" else TEXTS[output_format](table)


def _expanded(game: refgen.Game, table: str) -> str:
    from refgen.export.system_toml import toml_entry

    return toml_entry(f"derived.{game.tables.id_of(table)}", game.grid_of(table))


def _all(games: Sequence[refgen.Game], output_format: str) -> str:
    from refgen.export.model import json_text
    from refgen.export.table_text import listing
    from refgen.export.tables import games_data, tables_data

    if output_format == "json":
        return json_text(tables_data(games[0]) if len(games) == 1 else games_data(list(map(tables_data, games))))
    if output_format == "text":
        return "".join(map(listing, games))
    everything = [table for game in games for table in game.tables.values()]
    return "".join(f"{_heading(table, output_format)}{_one(table, output_format)}\n" for table in everything)


def _heading(table: refgen.Table, output_format: str) -> str:
    return f"## {table.title}\n\n" if output_format == "markdown" else ""
