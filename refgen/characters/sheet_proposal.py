"""The character sheet of a game for which nobody described one.

In: a game. Out: a SheetSpec in its short form: name, the traits and skills that tables of the game name, tracks, and
lines to write on. Nothing is computed: that is for the author to say.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from refgen.blocks.table_shape import has_head
from refgen.characters.sheet import slug
from refgen.characters.sheet_spec import ListEntry, ListSpec, SheetSpec
from refgen.game import GameModel
from refgen.languages.title_words import has_word, title_words, words_in
from refgen.rules.model import RuleTable

MOST_ATTRIBUTES = 12
MOST_SKILLS = 40

LONGEST_TRAIT = 24
"""The most letters of the name of a trait."""


def proposed_sheet(game: GameModel, traits: Sequence[str] = (), skills: Sequence[str] = ()) -> SheetSpec:
    """A sheet of the ``traits`` and ``skills`` of these names, or else of those that tables of the game name."""
    attributes, words = list(traits) or next(_attributes(game), []), game.words
    return SheetSpec(
        title=words("character-sheet"),
        who=[words("name"), words("player")],
        traits=list(attributes),
        ladder=_ladder(game) if attributes else None,
        tracks=[name for name, track in game.ruleset.spec.tracks.items() if track.by is None],
        lists=[_list_of_skills(game, skills, has_traits=bool(attributes)), words("gear")],
        notes=[words("notes")],
    )


def _list_of_skills(game: GameModel, skills: Sequence[str], *, has_traits: bool) -> ListEntry:
    """The list of skills by name; without names, lines to write abilities or traits on."""
    if skills:
        return ListSpec(title=game.words("skills"), names=list(skills))
    found = next(_skills(game), "")
    if found:
        return ListSpec(title=game.tables[found.partition(".")[0]].title, of=found)
    return game.words("abilities") if has_traits else ListSpec(title=game.words("traits"), type="number")


def _ladder(game: GameModel) -> str | None:
    """The ladder of the traits with which characters act."""
    ladders = (action.trait.ladder for action in game.ruleset.spec.actions.values())
    return next(filter(None, ladders), None)


def _attributes(game: GameModel) -> Iterator[list[str]]:
    """The names in the first column of each table that speaks of attributes."""
    words = title_words(game.ruleset.spec.document.language)
    for table in game.printed.values():
        names = _names(table, 0)
        is_of_abilities = len(words_in(table.title)) == 1 and has_word(table.title, words.abilities)
        is_named = is_of_abilities or _speaks_of(table, words.attributes)
        if 2 <= len(names) <= MOST_ATTRIBUTES and is_named:
            yield names


def _skills(game: GameModel) -> Iterator[str]:
    """The path of each column that names what characters act with, and of the first of each table of skills."""
    for action in game.ruleset.spec.actions.values():
        table_id, _, column = action.trait.of.partition(".")
        table = game.printed.get(table_id)
        if table and (at := table.index(column)) is not None and _names(table, at):
            yield action.trait.of
    skills = title_words(game.ruleset.spec.document.language).skills
    for table in game.printed.values():
        if 2 <= len(_names(table, 0)) <= MOST_SKILLS and _speaks_of(table, skills):
            yield f"{table.id}.{table.columns[0].id}"


def _names(table: RuleTable, column: int) -> list[str]:
    """The words in a column; none unless all are different names of a word or two."""
    if table.columns[column].type not in ("text", "level"):
        return []
    names = [row[column].shown for row in table.rows]
    are_names = all(_is_name(name) for name in names) and len({slug(name) for name in names}) == len(names)
    return names if are_names else []


def _is_name(text: str) -> bool:
    return 0 < len(text) <= LONGEST_TRAIT and len(text.split()) <= 3 and text[0].isalpha() and "{" not in text


def _speaks_of(table: RuleTable, beginnings: Collection[str]) -> bool:
    """Whether the title of a table, or of its first column, is little more than a word with one of some beginnings."""
    heads = [table.title, table.columns[0].title if has_head(table.columns[0]) else ""]
    return any(has_word(head, beginnings) for head in heads if len(head.split()) <= 4)
