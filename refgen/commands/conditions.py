"""``refgen conditions``: which printed conditions are met."""

from __future__ import annotations

from collections.abc import Sequence

import click

from refgen.commands.options import ProjectChoice, echo_editions, echo_json, echo_lines, output_format, reads_rules


@click.command()
@click.argument("game")
@click.argument("traits", nargs=-1, metavar="[TRAIT=LEVEL]...")
@output_format("text", "json")
@reads_rules
def conditions(game: str, traits: Sequence[str], output_format: str, choice: ProjectChoice) -> None:
    """Which printed conditions are met by whoever has some traits, say Power=Great Authority=-2.

    A level is a name or a number. Traits may be left out; what they would decide is unknown then.
    """
    from refgen.export.conditions import conditions_data, conditions_lines

    asked = choice.open(game).games[game]
    echo_editions([asked])
    if output_format == "json":
        echo_json(conditions_data(asked, traits))
    else:
        echo_lines(conditions_lines(asked, traits))
