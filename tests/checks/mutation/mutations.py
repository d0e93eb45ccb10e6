"""Tokens, each changed by one unit, by a lot, or swapped with a neighbour.

In: a document and its tokens. Out: the changes of each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from refgen.game import GameModel
from tests.checks.mutation.change import Change, Piece
from tests.checks.mutation.tokens import SERIES, Kind, Standing, Token

NEAR = 120
"""Characters between two tokens that are neighbours."""
DIE_SIZES = (4, 6, 8, 10, 12, 20)


class Size(StrEnum):
    """How a token is changed."""

    UNIT = "one unit"
    LOT = "a lot"
    SWAP = "swapped"


@dataclass(frozen=True, slots=True)
class Mutation:
    """A change of a token, and the best standing of the tokens in it."""

    change: Change
    size: Size
    standing: Standing


def mutations(game: GameModel, tokens: Sequence[Token]) -> Iterator[Mutation]:
    """Every mutation of every token: by one unit up and down, by a lot, and with the next one of its kind."""
    for number, token in enumerate(tokens):
        for size, new in _changed(game, token):
            change = Change.of(size, token.name, [Piece(token.start, token.text, new)])
            if change is not None:
                yield Mutation(change, size, token.standing)
        yield from _swapped(token, tokens[number + 1 : number + 30])
    yield from _swapped_below(game, tokens)


def _changed(game: GameModel, token: Token) -> Iterator[tuple[Size, str]]:
    for size, new in _STEPS[token.kind](game, token.text):
        if new and new != token.text:
            yield size, new


def _of_number(_: GameModel, text: str) -> Iterator[tuple[Size, str]]:
    number = Decimal(text.replace(",", ""))
    unit = Decimal(1).scaleb(int(number.as_tuple().exponent))
    for size, other in (
        (Size.UNIT, number + unit),
        (Size.UNIT, number - unit),
        (Size.LOT, number * 10 if number else Decimal(10)),
    ):
        if other >= 0:
            yield size, f"{other:,}" if "," in text else f"{other:f}"


def _of_word(_: GameModel, text: str) -> Iterator[tuple[Size, str]]:
    for series in SERIES:
        if text.lower() in series:
            at = series.index(text.lower())
            yield from ((Size.UNIT, _as(text, series[other])) for other in (at + 1, at - 1) if 0 <= other < len(series))
            if len(series) > 2:
                yield Size.LOT, _as(text, series[-1] if at < len(series) / 2 else series[0])


def _as(model: str, word: str) -> str:
    return word.capitalize() if model[0].isupper() else word


def _of_level(game: GameModel, text: str) -> Iterator[tuple[Size, str]]:
    for ladder in game.ruleset.ladders.values():
        if (level := ladder.find(text)) is None:
            continue
        for step in (1, -1):
            other = ladder.named(level.value + step)
            yield Size.UNIT, _as(text, other.name.lower()) if other and text.islower() else other.name if other else ""
        far = ladder.highest if level.value * 2 < ladder.highest + ladder.lowest else ladder.lowest
        furthest = ladder.named(far)
        yield Size.LOT, furthest.name if furthest else ""
        return


def _of_dice(_: GameModel, text: str) -> Iterator[tuple[Size, str]]:
    count, letter, faces = re.split(r"(d)", text, maxsplit=1, flags=re.IGNORECASE)
    if count:
        yield from ((Size.UNIT, f"{int(count) + step}{letter}{faces}") for step in (1, -1) if int(count) + step > 0)
        yield Size.LOT, f"{int(count) + 10}{letter}{faces}"
    if faces.isdigit():
        yield from ((Size.UNIT, f"{count}{letter}{int(faces) + step}") for step in (1, -1))
        yield Size.LOT, f"{count}{letter}{100 if int(faces) < 100 else 4}"
        sizes = [size for size in DIE_SIZES if size != int(faces)]
        yield Size.LOT, f"{count}{letter}{min(sizes, key=lambda size: (abs(size - int(faces)), size))}"


_STEPS = {Kind.NUMBER: _of_number, Kind.WORD: _of_word, Kind.LEVEL: _of_level, Kind.DICE: _of_dice}


def _swapped(token: Token, following: Sequence[Token]) -> Iterator[Mutation]:
    """A token and the next of its kind that says something else."""
    other = next((one for one in following if one.kind is token.kind and one.text != token.text), None)
    if other is not None and other.start - token.end <= NEAR:
        pieces = [Piece(token.start, token.text, other.text), Piece(other.start, other.text, token.text)]
        change = Change.of(Size.SWAP, f"{token.name} … {other.name}", pieces)
        if change is not None:
            yield Mutation(change, Size.SWAP, _better(token.standing, other.standing))


def _swapped_below(game: GameModel, tokens: Sequence[Token]) -> Iterator[Mutation]:
    """Each cell of a table and the one under it, where they differ."""
    text = game.ruleset.document.text
    for table in game.ruleset.tables.values():
        for above, below in zip(table.rows, table.rows[1:], strict=False):
            for column, cell, other in zip(table.columns, above, below, strict=True):
                if cell.span is None or other.span is None or column.type == "text":
                    continue
                one, two = text[cell.span.start : cell.span.end], text[other.span.start : other.span.end]
                pieces = [Piece(cell.span.start, one, two), Piece(other.span.start, two, one)]
                change = Change.of(Size.SWAP, f"{table.id}/{column.id}", pieces)
                if one and two and "\n" not in one + two and change is not None:
                    held = [
                        token.standing
                        for token in tokens
                        for span in (cell.span, other.span)
                        if span.start <= token.start < span.end
                    ]
                    yield Mutation(change, Size.SWAP, _better(*held))


def _better(*standings: Standing) -> Standing:
    return min(standings, key=list(Standing).index, default=Standing.READ)
