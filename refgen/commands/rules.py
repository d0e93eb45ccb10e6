"""``refgen tables``, ``export``, ``conditions``, ``read`` and ``schema``: rules and documents as text and data.

In: options. Out: text, JSON, TOML or CSV on stdout; of ``export``, a folder of Markdown files.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

import refgen
from refgen.catalog import counted
from refgen.commands import completion
from refgen.commands.options import (
    FINDINGS,
    ProjectChoice,
    changes_limits,
    echo_answer,
    echo_editions,
    echo_json,
    output_format,
    reads_rules,
)

ROLL_FORMATS = ("foundry", "roll20", "tts")
"""The formats of a table to roll on."""


@click.command(short_help="Show tables: printed, typed and computed.")
@click.argument("what", required=False, metavar="[GAME[/TABLE]]", default="", shell_complete=completion.TABLES)
@click.option("--expand", is_flag=True, help="Write a computed table out as the grid that it is, in TOML.")
@output_format("text", "json", "csv", "markdown", *ROLL_FORMATS)
@reads_rules
def tables(what: str, expand: bool, output_format: str, choice: ProjectChoice) -> None:
    """List the tables of a game, or show one: printed, typed and computed.

    foundry, roll20 and tts make one printed table a table to roll on in Foundry VTT, Roll20 or Tabletop Simulator: with
    its dice, or if it has none, with each row equally likely.
    """
    from refgen.api.project import is_document

    name, _, table = (what, "", "") if is_document(what) else what.partition("/")
    project = choice.open(*filter(None, [name]))
    if expand:
        if not table:
            raise click.UsageError("--expand takes one table: refgen tables --expand GAME/TABLE.")
        click.echo(_expanded_text(project.games[name], table), nl=False)
        return
    if output_format in ROLL_FORMATS:
        if not table:
            raise click.UsageError(f"--format {output_format} takes one table: refgen tables GAME/TABLE.")
        click.echo(_roll_text(project.games[name], table, output_format), nl=False)
        return
    names = project.select([name] if name else [])
    echo_editions(project.games[name] for name in names)
    games = [project.games[name] for name in names]
    click.echo(
        _table_text(games[0].tables[table], output_format) if table else _tables_text(games, output_format), nl=False
    )


def _table_text(table: refgen.Table, output_format: str) -> str:
    from refgen.export.table_text import TEXTS

    return table.to_json() if output_format == "json" else TEXTS[output_format](table)


def _roll_text(game: refgen.Game, table: str, output_format: str) -> str:
    from refgen.export.roll_tables import ROLL_TEXTS

    echo_editions([game])
    return ROLL_TEXTS[output_format](game, game.tables[table])


def _expanded_text(game: refgen.Game, table: str) -> str:
    from refgen.export.toml_text import toml_entry

    return toml_entry(f"derived.{game.tables.id_of(table)}", game.grid_of(table))


def _tables_text(games: Sequence[refgen.Game], output_format: str) -> str:
    from refgen.export.model import json_text
    from refgen.export.table_text import listing
    from refgen.export.tables import games_data, tables_data

    if output_format == "json":
        return json_text(tables_data(games[0]) if len(games) == 1 else games_data(list(map(tables_data, games))))
    if output_format == "text":
        return "".join(map(listing, games))
    everything = [table for game in games for table in game.tables.values()]
    return "".join(f"{_heading(table, output_format)}{_table_text(table, output_format)}\n" for table in everything)


def _heading(table: refgen.Table, output_format: str) -> str:
    return f"## {table.title}\n\n" if output_format == "markdown" else ""


@click.command(short_help="Write rules and tables as Markdown, for another site.")
@click.argument("games", nargs=-1, metavar="[GAME]...", shell_complete=completion.GAMES)
@click.option("-o", "--output", type=click.Path(path_type=Path), default=Path("markdown"), show_default=True)
@click.option(
    "--for",
    "target",
    type=click.Choice(["mkdocs", "hugo"]),
    default="mkdocs",
    show_default=True,
    help="What makes a site of the files: their links and the names of their lists are its own.",
)
@reads_rules
def export(games: Sequence[str], output: Path, target: str, choice: ProjectChoice) -> None:
    """Write the rule documents and tables of GAMES (default: all) as Markdown files, for a site of your own.

    A page each, with its title and source as front matter, and links among them. The output is a folder for MkDocs'
    docs or Hugo's content; what an earlier export wrote there is replaced.
    """
    result = choice.open(*games).export(output, games, target=target)
    click.echo(f"{counted(len(result.files), 'file')}: {output}")


@click.command(short_help="Show which printed conditions are met.")
@click.argument("game", shell_complete=completion.GAMES)
@click.argument("traits", nargs=-1, metavar="[TRAIT=LEVEL]...", shell_complete=completion.LEVELS)
@output_format("text", "json")
@reads_rules
def conditions(game: str, traits: Sequence[str], output_format: str, choice: ProjectChoice) -> None:
    """Which printed conditions are met by whoever has some traits, say Power=Great Authority=-2.

    A level is a name or a number. Traits may be left out; conditions that need a missing trait are unknown.
    """
    from refgen.export.answers import conditions_data, conditions_lines

    asked = choice.open(game).games[game]
    echo_editions([asked])
    echo_answer(output_format, conditions_data, conditions_lines, asked, traits)


@click.command(short_help="Show the tables and lists of any document.")
@click.argument("file", type=click.Path(path_type=Path))
@output_format("text", "json", "toml")
@click.option("--sections", is_flag=True, help="Show the text of each section too, every paragraph with its place.")
@click.option("--check", is_flag=True, help="Check what needs no system.toml; exit with 1 for findings.")
@changes_limits
def read(file: Path, output_format: str, sections: bool, check: bool) -> None:
    """Show the raw tables and lists that FILE holds, before any system.toml; toml proposes one to edit.

    --check (text or json) tells in their place where rows that are rolled do not cover their die once, where one
    number of a column goes against the way of all others, which percentages their dice cannot give, and which averages
    behind dice are none; which names of rows have odd characters, or stand
    twice; and how many of the tables with dice are checked.
    """
    document = refgen.read(file)
    if check:
        _check_document(document, output_format)
    elif output_format == "toml":
        from refgen.proposals.rules_files import propose_rules

        click.echo(propose_rules(document).system, nl=False)
    else:
        from refgen.export.document import document_data, document_lines

        echo_answer(output_format, document_data, document_lines, document, sections)


def _check_document(document: refgen.Document, output_format: str) -> None:
    from refgen.export.check import check_data, report_lines
    from refgen.export.document import check_document

    if output_format == "toml":
        raise click.UsageError("--check is shown as text or json.")
    report = check_document(document)
    echo_answer(output_format, check_data, report_lines, [report])
    sys.exit(FINDINGS if report.open else 0)


@click.command(short_help="Print the JSON Schema of a file.")
@click.argument("name", required=False, shell_complete=completion.SCHEMAS)
@click.option("--all", "every", is_flag=True, help="Write every schema into a folder, as files for editors.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path(".schemas"),
    show_default=True,
    help="With --all: the folder.",
)
@reads_rules
def schema(name: str | None, every: bool, output: Path, choice: ProjectChoice) -> None:
    """Print the JSON Schema of NAME.

    JSON that refgen writes: tables, check, odds, action-odds, manifest, build-log, read, conditions, coverage, deck,
    doctor. Files of people: system, proof, phrasings, screen, sheet, cards, session, errata, pins, project, look;
    sheet/GAME is that of the characters of a game. `refgen init` keeps the schemas of its files in .schemas, which the
    first line of each file names for editors; --all writes all schemas there, as after an update of refgen.
    """
    if every == bool(name):
        from refgen.api.schemas import schema_names

        raise click.UsageError(f"Name a schema, or say --all. There are {', '.join(schema_names())}, and sheet/GAME.")
    if name is None:
        from refgen.api.schemas import write_schemas

        click.echo(f"{counted(len(write_schemas(output)), 'file')}: {output}")
        return
    project = choice.open(name) if "/" in name else None
    echo_json(refgen.json_schema(name, project))
