"""``refgen odds``: the exact odds of dice, of several rolls side by side, or of an action of a game.

In: options. Out: lines or JSON on stdout, and notes on stderr about dice that could be read in two ways.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

import refgen
from refgen.commands import completion
from refgen.commands.options import ProjectChoice, echo_answer, echo_editions, echo_notes, output_format, reads_rules
from refgen.marks import DASHES

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
@click.argument("dice", nargs=-1)
@click.option("--at-least", type=int, metavar="N", help="The chance of N or more alone.")
@click.option("--at-most", type=int, metavar="N", help="The chance of N or less alone.")
@click.option(
    "--against",
    default="",
    metavar="DICE|TRAIT",
    shell_complete=completion.TRAITS,
    help="What the other side rolls, or its trait with --system.",
)
@click.option(
    "--system",
    "game",
    metavar="GAME",
    shell_complete=completion.GAMES,
    help="Ask in the words of a game: --system fudge-1995 --trait Good.",
)
@click.option(
    "--action",
    default="",
    metavar="ACTION",
    shell_complete=completion.ACTIONS,
    help="One way to act of the game; all of them otherwise.",
)
@click.option(
    "--trait", default="", metavar="LEVEL", shell_complete=completion.TRAITS, help="The trait that is rolled."
)
@click.option(
    "--difficulty",
    default="",
    metavar="LEVEL",
    shell_complete=completion.DIFFICULTIES,
    help="What the roll must reach, or what changes the roll.",
)
@click.option("--modifier", type=int, default=0, metavar="N", help="Added to the trait.")
@click.option(
    "--minimum",
    default="",
    metavar="LEVEL",
    shell_complete=completion.TRAITS,
    help="What an opposed roll must reach to count at all.",
)
@output_format("text", "json")
@reads_rules
def odds(
    dice: tuple[str, ...],
    at_least: int | None,
    at_most: int | None,
    game: str | None,
    output_format: str,
    choice: ProjectChoice,
    **asked: Any,
) -> None:
    """The exact odds of DICE, such as 4dF, 4d6kh3, "d20 vs 2d10" or fudge-1995:four-d6; or of an action of a game.

    Up to six rolls are shown side by side: 3d6 2d10 d20.
    """
    if bool(dice) == (game is not None):
        raise click.UsageError("Give either DICE, or --system with --trait.")
    goals = (at_least, at_most)
    if game is not None:
        if not asked["trait"] or goals != _NO_GOAL:
            raise click.UsageError("--system needs --trait, and goes without --at-least and --at-most.")
        asked_game = choice.open(game).games[game]
        echo_editions([asked_game])
        _show_action(asked_game, output_format, asked)
        return
    if any(value for name, value in asked.items() if name != "against"):
        raise click.UsageError("--action, --trait, --difficulty, --modifier and --minimum need --system.")
    _show_dice(_rolls(dice, asked["against"], goals, choice), output_format, choice)


_Goals = tuple[int | None, int | None]
"""The numbers of --at-least and --at-most."""

_NO_GOAL: _Goals = (None, None)

_NAMED = re.compile(r"([\w-]+):([\w% -]+)")
"""A roll of a game, such as fudge-1995:four-d6."""

_OTHER_LETTER = re.compile(r"(?<!\w)\d*(?![dD])[^\W\d_](?=[\d%％]|[fF]\b)")
"""A letter that may stand for dice in the language of a project: only for these are its files read."""


def _named_roll(text: str, choice: ProjectChoice) -> Callable[[int], Any]:
    game, _, name = text.partition(":")
    return choice.open(game).games[game].named_rolls[name].reaching


def _rolls(dice: Sequence[str], against: str, goals: _Goals, choice: ProjectChoice) -> Sequence[Sides]:
    """The dice, the other side and the goal of each of some rolls.

    Raises click.UsageError for too many rolls, for goals that do not go together, and for one roll without quotes that
    the shell has parted: 4d6 drop lowest.
    """
    from refgen.export.compared_odds import SIDE_BY_SIDE

    typed = [text.replace(_MINUS, "-", 1) for text in dice]
    texts = [part.strip() for text in typed for part in re.split("[;；]", text)]
    if len(texts) > SIDE_BY_SIDE:
        raise click.UsageError(f"Give at most {SIDE_BY_SIDE} rolls: {len(texts)} are given.")
    if None not in goals:
        raise click.UsageError('Give --at-least or --at-most; of both ask for a range, such as "2d6 in 5..9".')
    rolls = [_sides(text, against, goals, choice) for text in texts]
    whole = " ".join(typed)
    is_parted = any(_BEGINS_WITH_SIGN.match(text) for text in typed[1:]) or not all(map(_can_be_read, rolls))
    if len(typed) > 1 and is_parted and _can_be_read(_sides(whole, "", _NO_GOAL, choice)):
        raise click.UsageError(f'Put quotes around a roll with blanks: refgen odds "{whole}".')
    return rolls


_BEGINS_WITH_SIGN = re.compile(f"[-+{DASHES}]")


def _can_be_read(sides: Sides) -> bool:
    from refgen.export.odds import is_dice

    return all(_NAMED.fullmatch(text) or is_dice(text) for text in sides[:2] if text)


def _sides(dice: str, against: str, goals: _Goals, choice: ProjectChoice) -> Sides:
    """The dice, and the dice of the other side: "d20 vs 2d10" names both, in the dice letters of the project."""
    from refgen.export.odds import NotationStyle, Sides, sides_of

    has_letters = any(map(_OTHER_LETTER.search, (dice, against)))
    style = NotationStyle(dice_letters=choice.dice_letters if has_letters else ())
    sides = sides_of(style.usual(dice))
    if sides.dice == style.usual(dice):
        return Sides(sides.dice, style.usual(against) or None, *goals)
    if against or goals != _NO_GOAL:
        raise click.UsageError("Give either DICE vs what it must reach, or --against, --at-least or --at-most.")
    return sides


def _show_dice(rolls: Sequence[Sides], output_format: str, choice: ProjectChoice) -> None:
    from refgen.export.compared_odds import compared_odds_data, compared_odds_lines
    from refgen.export.odds import odds_data, odds_lines, reading_notes

    texts = [text for sides in rolls for text in sides[:2] if text and _NAMED.fullmatch(text)]
    named = {text: _named_roll(text, choice) for text in texts}
    echo_notes(dict.fromkeys(note for sides in rolls for note in reading_notes(sides, named)))
    if len(rolls) == 1:
        echo_answer(output_format, odds_data, odds_lines, *rolls[0], named)
    else:
        echo_answer(output_format, compared_odds_data, compared_odds_lines, rolls, named)


def _show_action(game: refgen.Game, output_format: str, asked: dict[str, Any]) -> None:
    from refgen.export.answers import Question, action_odds_data, action_odds_lines

    if asked["minimum"] and not asked["against"]:
        raise click.UsageError("--minimum needs --against.")
    echo_answer(output_format, action_odds_data, action_odds_lines, game, Question(**asked))
