"""``refgen odds``: the exact odds of dice, or of an action of a game.

In: options. Out: lines or JSON on stdout, and notes on stderr about dice that could be read in two ways.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click

import refgen
from refgen.commands.options import ProjectChoice, echo_answer, echo_editions, echo_notes, output_format, reads_rules

if TYPE_CHECKING:
    from refgen.export.odds import Sides


class _DiceCommand(click.Command):
    """A command whose dice may begin with a minus: "-1d6" is no option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        with_value = {name for each in self.params if not getattr(each, "is_flag", True) for name in each.opts}
        marked = [
            text.replace("-", _MINUS, 1) if _NEGATIVE.match(text) and before not in with_value else text
            for before, text in zip(("", *args), args, strict=False)
        ]
        return super().parse_args(ctx, marked)


_MINUS = "−"
"""A minus in print, which begins no option."""

_NEGATIVE = re.compile(r"-\s*(?:\d|\(|[^\W\d_]{1,2}[\d%]|d[fF]\b|[a-z_]+\()", re.IGNORECASE)
"""How dice with a minus in front begin: -1d6, -d6, -(2d6), -max(d6, d8)."""


@click.command(cls=_DiceCommand, short_help="Give the exact odds of dice, rolls and actions.")
@click.argument("dice", required=False)
@click.option("--at-least", type=int, metavar="N", help="The chance of N or more alone.")
@click.option(
    "--against", default="", metavar="DICE|TRAIT", help="What the other side rolls, or its trait with --system."
)
@click.option("--system", "game", metavar="GAME", help="Ask in the words of a game: --system fudge-1995 --trait Good.")
@click.option("--action", default="", metavar="ACTION", help="One way to act of the game; all of them otherwise.")
@click.option("--trait", default="", metavar="LEVEL", help="The trait that is rolled.")
@click.option("--difficulty", default="", metavar="LEVEL", help="What the roll must reach, or what changes the roll.")
@click.option("--modifier", type=int, default=0, metavar="N", help="Added to the trait.")
@click.option("--minimum", default="", metavar="LEVEL", help="What an opposed roll must reach to count at all.")
@output_format("text", "json")
@reads_rules
def odds(
    dice: str | None, at_least: int | None, game: str | None, output_format: str, choice: ProjectChoice, **asked: Any
) -> None:
    """The exact odds of DICE, such as 4dF, 4d6kh3, "d20 vs 2d10" or fudge-1995:four-d6; or of an action of a game."""
    if (dice is None) == (game is None):
        raise click.UsageError("Give either DICE, or --system with --trait.")
    if game is not None:
        if not asked["trait"] or at_least is not None:
            raise click.UsageError("--system needs --trait, and goes without --at-least.")
        asked_game = choice.open(game).games[game]
        echo_editions([asked_game])
        _show_action(asked_game, output_format, asked)
        return
    if any(value for name, value in asked.items() if name != "against"):
        raise click.UsageError("--action, --trait, --difficulty, --modifier and --minimum need --system.")
    sides = _sides((dice or "").replace(_MINUS, "-", 1), asked["against"], at_least, choice)
    named = {text: _named_roll(text, choice) for text in sides[:2] if text and _NAMED.fullmatch(text)}
    _show_dice(sides, output_format, named)


_NAMED = re.compile(r"([\w-]+):([\w% -]+)")
"""A roll of a game, such as fudge-1995:four-d6."""

_OTHER_LETTER = re.compile(r"(?<!\w)\d*(?![dD])[^\W\d_](?=[\d%％]|[fF]\b)")
"""A letter that may stand for dice in the language of a project: only for these are its files read."""


def _named_roll(text: str, choice: ProjectChoice) -> Callable[[int], Any]:
    game, _, name = text.partition(":")
    return choice.open(game).games[game].named_rolls[name].reaching


def _sides(dice: str, against: str, at_least: int | None, choice: ProjectChoice) -> Sides:
    """The dice, and the dice of the other side: "d20 vs 2d10" names both, in the dice letters of the project."""
    from refgen.export.odds import NotationStyle, Sides, sides_of

    has_letters = any(map(_OTHER_LETTER.search, (dice, against)))
    style = NotationStyle(dice_letters=choice.dice_letters if has_letters else ())
    sides = sides_of(style.usual(dice))
    if (against or at_least is not None) and sides.dice != style.usual(dice):
        raise click.UsageError("Give either DICE vs what it must reach, or --against or --at-least.")
    return sides if sides.dice != style.usual(dice) else Sides(sides.dice, style.usual(against) or None, at_least)


def _show_dice(sides: Sides, output_format: str, named: Mapping[str, Callable[[int], Any]]) -> None:
    from refgen.export.odds import ambiguity_notes, odds_data, odds_lines

    for text in sides[:2]:
        echo_notes(ambiguity_notes(text) if text and text not in named else ())
    echo_answer(output_format, odds_data, odds_lines, *sides, named)


def _show_action(game: refgen.Game, output_format: str, asked: dict[str, Any]) -> None:
    from refgen.export.answers import Question, action_odds_data, action_odds_lines

    if asked["minimum"] and not asked["against"]:
        raise click.UsageError("--minimum needs --against.")
    echo_answer(output_format, action_odds_data, action_odds_lines, game, Question(**asked))
