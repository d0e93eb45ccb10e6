"""Targets: printed cells, dice and formulas."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import get_args

from refgen.errors import RefgenError
from refgen.export.odds import odds_data, sides_of
from refgen.notation.dice_notation import in_one_spelling, tokens
from refgen.notation.formula_parser import parse_formula, read_inline_table
from refgen.notation.printed_cell import NotationName, read_value
from refgen.notation.printed_numbers import numbers_in, things_counted
from refgen.notation.readings import ambiguity_notes
from refgen.resolver.formula.compiler import Compiler
from refgen.resolver.formula.names import Names
from refgen.resolver.formula.scope import NamedValue, Scope
from tests.browser.random_dice import expression
from tests.browser.random_formulas import formula
from tests.fuzz import seeds
from tests.fuzz.games import GAMES, game_named
from tests.fuzz.target import Run, Target


def _notations(_folder: Path) -> Run:
    ladders = [ladder for game in ("fudge-1995", "atari-isev") for ladder in game_named(game).ladders.values()]

    def run(data: bytes) -> None:
        text = data.decode("utf-8", "replace")
        for notation in get_args(NotationName):
            for ladder in ladders[:2]:
                with suppress(RefgenError):
                    read_value(notation, text, ladder)
        readers: Sequence[Callable[[str], object]] = (
            read_inline_table,
            parse_formula,
            in_one_spelling,
            tokens,
            ambiguity_notes,
        )
        for read in readers:
            with suppress(RefgenError):
                read(text)
        list(numbers_in(text, things_counted(text)))

    return run


def _cells() -> Sequence[bytes]:
    """The printed cells of the bundled games."""
    tables = (table for name in GAMES for table in game_named(name).printed.values())
    return seeds.chosen(cell.text.encode() for table in tables for row in table.rows for cell in row if cell.text)


def _dice(_folder: Path) -> Run:
    def run(data: bytes) -> None:
        odds_data(*sides_of(data.decode("utf-8", "replace")))

    return run


def _odds_command(_folder: Path, data: bytes) -> Sequence[str] | None:
    text = data.decode("utf-8", "replace")
    return None if "\0" in text else ["odds", "--format", "json", "--", text]


def _formulas(_folder: Path) -> Run:
    ruleset = game_named("grids").ruleset
    table = ruleset.tables["realms"]
    columns = [column.id for column in table.columns]

    def run(data: bytes) -> None:
        parsed = parse_formula(data.decode("utf-8", "replace"))
        cells = map(NamedValue.of, table.rows[0])
        scope = Scope({f"realm.{name}": value for name, value in zip(columns, cells, strict=True)})
        compiler = Compiler(Names(ruleset, {name: name == "realm.guard" for name in scope.named}))
        for work_out in (compiler.number, compiler.roll):
            with suppress(RefgenError):
                work_out(parsed)(scope)

    return run


def _known_formulas() -> Sequence[bytes]:
    """The formulas of the bundled games and of the small systems."""
    texts = [
        path.read_text(encoding="utf-8")
        for folder in (seeds.CONTENT, seeds.SYSTEMS)
        for path in sorted(folder.rglob("*.toml"))
    ]
    quoted = (found[1] for text in texts for found in re.finditer(r'= "([^"\n]*(?:\(|d\d|\{|[*/])[^"\n]*)"', text))
    return seeds.chosen(text.encode() for text in quoted)


def _grid_formula(random: Random) -> str:
    names = iter(lambda: random.choice(("realm.size", "months", "mood.highest", "realm.guard", "luck.roll")), None)
    return re.sub(r"\{\w+\}", lambda _: f"{{{next(names)}}}", formula(random, random.randint(1, 3)))


TARGETS: Mapping[str, Target] = {
    "notation": Target(_cells, _notations),
    "dice": Target(
        _known_formulas, _dice, command=_odds_command, fresh=lambda random: expression(random, random.randint(0, 3))
    ),
    "formula": Target(_known_formulas, _formulas, fresh=_grid_formula),
}
