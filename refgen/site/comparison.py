"""The dice and the ladders of all games beside each other.

In: the rolls and ladders of each game, which a build keeps beside the game's pages, so that a build of other games can
still compare them. Out: ComparisonPage.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, TypedDict

from refgen.aids.reference_lists import glossary_rolls
from refgen.blocks.table_block import TableBlock, show_table
from refgen.game import GameModel
from refgen.notation.figures import percent
from refgen.notation.values import Percent
from refgen.resolver.dice.distribution import Distribution
from refgen.rules.model import Cell, Column, RuleTable
from refgen.site import address
from refgen.site.address import SitePart
from refgen.site.page import Head, Link
from refgen.words import ENGLISH, Words

PLACES = 0
"""Decimals of a percentage; outcomes that round to nothing are left out."""


class ComparedRoll(TypedDict):
    """A roll: its dice, mean and standard deviation, and the chance of each outcome as "p/q"."""

    title: str
    expression: str
    mean: str
    deviation: str
    chances: list[tuple[int, str]]


class ComparedLadder(TypedDict):
    """A ladder: the number and name of each level."""

    id: str
    levels: list[tuple[int, str]]


class ComparedGame(TypedDict):
    """The rolls and the ladders of a game."""

    id: str
    title: str
    rolls: list[ComparedRoll]
    ladders: list[ComparedLadder]


@dataclass(frozen=True, slots=True)
class RollChances:
    """A roll on the page with its game, and a table of its chances with bars."""

    game: Link
    roll: ComparedRoll
    block: TableBlock


@dataclass(frozen=True, slots=True)
class ComparisonPage:
    """All rolls, and all ladders on one scale."""

    template: ClassVar[str] = "comparison"
    head: Head
    rolls: tuple[RollChances, ...]
    ladders: TableBlock


def comparison_data(game: GameModel) -> ComparedGame:
    """The rolls and the ladders of a game, as data for the comparison."""
    ladders = (
        ComparedLadder(id=name, levels=[(level.value, level.name) for level in ladder.levels])
        for name, ladder in game.ladders.items()
    )
    return ComparedGame(id=game.id, title=game.title, rolls=list(_rolls(game)), ladders=list(ladders))


def make_comparison(games: Sequence[ComparedGame], words: Words = ENGLISH) -> ComparisonPage:
    """The page that compares games."""
    head = Head(address.COMPARISON, words("comparison-title"), words("comparison-about"), words)
    rolls = tuple(_roll_chances(game, roll, words) for game in games for roll in game["rolls"])
    return ComparisonPage(head, rolls, show_table(_ladders(games, words), words=words))


def _rolls(game: GameModel) -> Iterator[ComparedRoll]:
    for shown, roll in glossary_rolls(game):
        yield ComparedRoll(
            title=shown.title,
            expression=shown.expression,
            mean=shown.mean,
            deviation=shown.deviation,
            chances=[(outcome, str(chance)) for outcome, chance in _chances(roll)],
        )


def _chances(roll: Distribution) -> Iterator[tuple[int, Fraction]]:
    for outcome in roll.outcomes:
        chance = roll.exactly(outcome)
        if roll.is_exact(outcome) and not percent(chance, PLACES).startswith("<"):
            yield outcome, chance


def _roll_chances(game: ComparedGame, roll: ComparedRoll, words: Words) -> RollChances:
    link = Link(game["title"], address.part_page(game["id"], SitePart.OVERVIEW))
    columns = (Column("outcome", words("result"), "number"), Column("chance", words("chance"), "percent"))
    rows = tuple((Cell(f"{outcome}"), _chance(Fraction(chance))) for outcome, chance in roll["chances"])
    table = RuleTable(roll["title"], roll["title"], columns, rows)
    block = show_table(table, bars="chance", words=words)
    return RollChances(link, roll, block)


def _chance(chance: Fraction) -> Cell:
    return Cell(percent(chance, PLACES), Percent(chance, PLACES), exact=chance)


def _ladders(games: Sequence[ComparedGame], words: Words) -> RuleTable:
    """All ladders on one scale, from the highest number to the lowest."""
    ladders = [(game["title"], ladder) for game in games for ladder in game["ladders"]]
    names: Sequence[Mapping[int, str]] = [dict(ladder["levels"]) for _, ladder in ladders]
    numbers = sorted({number for levels in names for number in levels}, reverse=True)
    columns = (
        Column("number", words("number"), "number"),
        *(Column(f"{title} {ladder['id']}", title, unit=ladder["id"]) for title, ladder in ladders),
    )
    rows = tuple((Cell(f"{number}"), *(Cell(levels.get(number, "")) for levels in names)) for number in numbers)
    return RuleTable("ladders", words("ladders"), columns, rows)
