"""Printed tables to roll on in virtual tabletops: Foundry VTT, Roll20 and Tabletop Simulator.

In: a game and one of its printed tables. Out: a RollTable with the exact weight of each row, and as text: the data that
"Import Data" of Foundry 12 to 14 takes, the lines that TableExport of Roll20 takes, or a saved object of Tabletop
Simulator with a script that rolls. The same table gives the same bytes.

A random table is rolled with its own dice. In a table for which nobody names dice, each row is equally likely.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import accumulate

from refgen.blocks.typesetting import typeset
from refgen.checks.dice import roll_dice
from refgen.checks.rolled_tables import TableRoll, why_not_rolled
from refgen.errors import AidError
from refgen.export.deck import TableResult, foundry_table
from refgen.export.model import json_text
from refgen.files import bundled_folder
from refgen.game import GameModel
from refgen.resolver.dice.distribution import Distribution
from refgen.rules.model import Cell, RuleTable
from refgen.source import plain_text

_DICE_HINT = 'Dice are named in the head over the row numbers, or in a check of proof.toml: kind = "partition".'
_PLAIN_DICE = re.compile(r"(?P<count>\d*)d(?P<faces>\d+|%|F)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class DrawnRow:
    """A row: the lowest and highest result that draws it, its weight, and its texts, each under its head."""

    low: int
    high: int
    weight: int
    texts: Sequence[tuple[str, str]]

    @property
    def results(self) -> str:
        """The results that draw the row: "4" or "1–3"."""
        return "–".join(typeset(str(end)) for end in dict.fromkeys((self.low, self.high)))

    def words(self, marked: Callable[[str], str] = str, between: str = " · ") -> str:
        """The texts in one line, all but the first behind their ``marked`` heads."""
        first, *others = [(head, text) for head, text in self.texts if text] or [("", "–")]
        return between.join([first[1], *(f"{marked(f'{head}:')} {text}" if head else text for head, text in others)])


@dataclass(frozen=True, slots=True)
class RollTable:
    """A table to roll on with a ``formula`` of dice, as Foundry writes dice."""

    title: str
    note: str
    formula: str
    rows: Sequence[DrawnRow]


def make_roll_table(game: GameModel, table: RuleTable) -> RollTable:
    """A printed table as a table to roll on. Raises AidError for a table with nothing to draw, or with wrong dice."""
    if table.computed or len(table.rows) < 2:
        why = "its figures are computed" if table.computed else "it has one row"
        raise AidError(f'"{table.id}" is no table to roll on: {why}', hint="Take a printed table with several rows.")
    roll = game.table_roll(table)
    if roll is None and (why := why_not_rolled(game.ruleset, table)):
        raise AidError(f'"{table.id}" cannot be rolled on: {why}', span=table.span, hint=_DICE_HINT)
    formula, rows = _by_dice(table, roll) if roll else _equal(table)
    note = " ".join(filter(None, (typeset(table.note), f"{game.ruleset.spec.source}.")))
    return RollTable(table.title, note, formula, rows)


def _by_dice(table: RuleTable, roll: TableRoll) -> tuple[str, Sequence[DrawnRow]]:
    """The rows of a random table with the results of its dice; of unusual dice or lists, with numbers by weight."""
    distribution = roll_dice(roll.dice)
    weights = [sum(distribution.weight(one) for one in distribution.outcomes if one in row) for row in roll.rows]
    formula = "" if any(row.only for row in roll.rows) else _formula(roll.dice, distribution)
    lasts = [*accumulate(weights)]
    ends = [(row.low, row.high) for row in roll.rows]
    if not formula:
        ends = [(last - weight + 1, last) for last, weight in zip(lasts, weights, strict=True)]
    texts = (_texts(table, row[1:], first=1) for row in table.rows)
    rows = [
        DrawnRow(low or 0, high or 0, weight, words)
        for (low, high), weight, words in zip(ends, weights, texts, strict=True)
    ]
    return formula or f"1d{lasts[-1]}", rows


def _equal(table: RuleTable) -> tuple[str, Sequence[DrawnRow]]:
    rows = [DrawnRow(number, number, 1, _texts(table, row)) for number, row in enumerate(table.rows, start=1)]
    return f"1d{len(rows)}", rows


def _texts(table: RuleTable, cells: Sequence[Cell], first: int = 0) -> Sequence[tuple[str, str]]:
    """The cells of a row from the ``first`` column on, each under its head; the first cell of words leads."""
    columns = table.columns[first:]
    heads = [typeset(f"{column.head} {column.unit}".strip()) for column in columns]
    texts = [(head, plain_text(typeset(cell.shown, cell.value))) for head, cell in zip(heads, cells, strict=True)]
    leading = next((at for at, column in enumerate(columns) if column.type == "text"), 0)
    return [texts[leading], *texts[:leading], *texts[leading + 1 :]]


def _formula(dice: str, distribution: Distribution) -> str:
    """Dice as Foundry writes dice; "" for dice with modifiers, which tabletops write each in their own way."""
    match = _PLAIN_DICE.fullmatch(dice)
    if match is None:
        return ""
    digits = str(distribution.outcomes[0])
    if not match["count"] and len(digits) > 1 and {*digits} == {"1"}:  # d66: a die for each digit
        die = f"1d{match['faces'][0]}"
        return " + ".join(f"{die} * {10**place}" if place else die for place in range(len(digits) - 1, -1, -1))
    return f"{match['count'] or 1}d{'100' if match['faces'] == '%' else match['faces'].upper()}"


def foundry_text(game: GameModel, table: RuleTable) -> str:
    """The JSON of a RollTable of Foundry VTT."""
    made = make_roll_table(game, table)
    note = f"<p>{escape(made.note)}</p>"
    return json_text(foundry_table(made.title, note, made.formula, map(_result, made.rows), replacement=True))


def _result(row: DrawnRow) -> TableResult:
    """A row as a result, with its first text as the name, unless it is the only text."""
    filled = [text for _, text in row.texts if text]
    escaped = DrawnRow(row.low, row.high, row.weight, [(escape(head), escape(text)) for head, text in row.texts])
    text = escaped.words(lambda head: f"<strong>{head}</strong>", "<br>")
    name = filled[0] if len(filled) > 1 else ""
    description = text.removeprefix(f"{escape(name)}<br>") if name else text
    return TableResult(name, description, text, row.weight, row.low, row.high)


def roll20_text(game: GameModel, table: RuleTable) -> str:
    """The lines by which TableExport of Roll20, and betteR20, make a rollable table."""
    made = make_roll_table(game, table)
    name = re.sub(r"[\W_]+", "-", made.title).strip("-") or table.id
    items = (f"!import-table-item --{name} --{_roll20_words(row)} --{row.weight} --" for row in made.rows)
    return "\n".join([f"!import-table --{name} --show", *items]) + "\n"


_ROLLED = re.compile(r"\[{2,}|\]{2,}")
"""The brackets around what the chat of Roll20 rolls before any script reads it."""

_BRACKETS = {"[": "<%%91%%>", "]": "<%%93%%>"}
"""Brackets as TableExport writes them, and reads them back."""

_ASKED = re.compile(r"(?<=[@%?&])(?=\{)")
"""Within what the chat replaces or asks for, such as @{strength}; TableExport has no other writing for them."""


def _roll20_words(row: DrawnRow) -> str:
    """The words of a row of which the chat rolls and asks nothing, without hyphens that would part the arguments."""
    words = re.sub(r"^-|-{2,}", "–", row.words())
    words = _ROLLED.sub(lambda found: "".join(_BRACKETS[sign] for sign in found[0]), words)
    return _ASKED.sub("\N{WORD JOINER}", words)


def tabletop_text(game: GameModel, table: RuleTable) -> str:
    """The JSON of a saved object of Tabletop Simulator: a notecard with the table, and its script."""
    made = make_roll_table(game, table)
    lines = [f"{row.results}: {row.words()}" for row in made.rows]
    card = {
        "Name": "Notecard",
        "Transform": {
            **{f"pos{axis}": 0.0 for axis in "XYZ"},
            "rotX": 0.0,
            "rotY": 180.0,
            "rotZ": 0.0,
            **{f"scale{axis}": 1.0 for axis in "XYZ"},
        },
        "Nickname": made.title,
        "Description": "\n".join([*lines, made.note]),
        "LuaScript": _script(game.words("roll-on", dice=made.formula), made.rows),
    }
    return json_text({"SaveName": made.title, "ObjectStates": [card]})


def _script(label: str, rows: Sequence[DrawnRow]) -> str:
    """The script that rolls, behind its data."""
    data = "".join(
        f"  {{ weight = {row.weight}, results = {_lua(row.results)}, text = {_lua(row.words())} }},\n" for row in rows
    )
    script = (bundled_folder("templates") / "tabletop" / "roll_table.lua").read_text(encoding="utf-8")
    return f"local label = {_lua(label)}\nlocal rows = {{\n{data}}}\n\n{script}"


def _lua(text: str) -> str:
    """A text as Lua writes texts."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


ROLL_TEXTS: Mapping[str, Callable[[GameModel, RuleTable], str]] = {
    "foundry": foundry_text,
    "roll20": roll20_text,
    "tts": tabletop_text,
}
"""The formats of a table to roll on."""
