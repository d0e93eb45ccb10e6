"""The character sheet of a game for which nobody described one.

In: a game. Out: a SheetSpec in its short form: name, the traits and skills that tables of the game name, tracks, and
lines to write on. Nothing is computed: that is for the author to say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from refgen.blocks.table_shape import has_head
from refgen.characters.sheet import slug
from refgen.characters.sheet_spec import USUAL_WHO, ListEntry, ListSpec, SheetSpec
from refgen.game import GameModel
from refgen.rules.model import RuleTable

ATTRIBUTES = (
    "attribute attributes ability abilities characteristic characteristics stat stats "
    "attribut attribute eigenschaft eigenschaften kyky kyvyt ominaisuudet "
    "atributo atributos característica características характеристика характеристики атрибуты"
)
SKILLS = "skill skills fertigkeit fertigkeiten taito taidot perícia perícias habilidades навык навыки умения"
"""Words for attributes and skills in some languages, as they stand in titles."""

MOST_ATTRIBUTES = 12
MOST_SKILLS = 40

LONGEST_TRAIT = 24
"""The most letters of the name of a trait."""

_WORD = re.compile(r"[^\W\d_]+")


def proposed_sheet(game: GameModel, traits: Sequence[str] = (), skills: str = "") -> SheetSpec:
    """A sheet of the ``traits`` and of the ``skills`` in a column ("table.column"), or of those that tables name."""
    attributes = list(traits) or next(_attributes(game), [])
    found = skills or next((path for path in _skills(game) if path), "")
    lists: list[ListEntry] = []
    if found:
        lists.append(ListSpec(title=game.tables[found.partition(".")[0]].title, of=found))
    else:
        lists.append("Abilities" if attributes else ListSpec(title="Traits", type="number"))
    return SheetSpec(
        title="Character sheet",
        who=[*USUAL_WHO],
        traits=list(attributes),
        ladder=_ladder(game) if attributes else None,
        tracks=[name for name, track in game.ruleset.spec.tracks.items() if track.by is None],
        lists=[*lists, "Gear"],
        notes=["Notes"],
    )


def _ladder(game: GameModel) -> str | None:
    """The ladder of the traits with which characters act."""
    ladders = (action.trait.ladder for action in game.ruleset.spec.actions.values())
    return next(filter(None, ladders), None)


def _attributes(game: GameModel) -> Iterator[list[str]]:
    """The names in the first column of each table that speaks of attributes."""
    for table in game.printed.values():
        names = _names(table)
        if 2 <= len(names) <= MOST_ATTRIBUTES and _speaks_of(table, ATTRIBUTES):
            yield names


def _skills(game: GameModel) -> Iterator[str]:
    """The path of the first column of each table that speaks of skills, and of each whose rows are the traits."""
    for action in game.ruleset.spec.actions.values():
        yield action.trait.of
    for table in game.printed.values():
        if 2 <= len(_names(table)) <= MOST_SKILLS and _speaks_of(table, SKILLS):
            yield f"{table.id}.{table.columns[0].id}"


def _names(table: RuleTable) -> list[str]:
    """The words in the first column; none unless all are different names of a word or two."""
    if table.columns[0].type not in ("text", "level"):
        return []
    names = [row[0].shown for row in table.rows]
    are_names = all(_is_name(name) for name in names) and len({slug(name) for name in names}) == len(names)
    return names if are_names else []


def _is_name(text: str) -> bool:
    return 0 < len(text) <= LONGEST_TRAIT and len(text.split()) <= 3 and text[0].isalpha() and "{" not in text


def _speaks_of(table: RuleTable, words: str) -> bool:
    """Whether the title of a table, or of its first column, is little more than one of some words."""
    heads = [table.title, table.columns[0].title if has_head(table.columns[0]) else ""]
    return any({*_WORD.findall(head.casefold())} & {*words.split()} for head in heads if len(head.split()) <= 4)
