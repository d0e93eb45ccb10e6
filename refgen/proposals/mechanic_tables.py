"""Tables of a document that the odds of a mechanic go by: difficulties, and the modifiers of traits.

In: the tables of a GameDraft and the words of its language. Out: the table of difficulties, and that of modifiers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from refgen.errors import NotationError
from refgen.marks import plain_marks
from refgen.notation.printed_cell import NotationName, is_blank, read_value
from refgen.notation.values import Interval, Value, as_number
from refgen.proposals.draft import GameDraft, Proposal
from refgen.proposals.phrases import Phrases
from refgen.rules.pattern import fold_text
from refgen.source import plain_text

_BANDS = (3, 5)
"""How many bands of results a table has."""

_LEAST_SUCCESSES = 2
"""So many successes are enough for the easiest of some difficulties, at most."""

_NUMERIC: frozenset[NotationName] = frozenset(("number", "modifier", "interval"))


@dataclass(frozen=True, slots=True)
class OddsTable:
    """A table that the odds of a roll go by: the ids of the table and its columns of words and of numbers, its place.

    The words are difficulties, traits, or bands of results. ``added``: the numbers are modifiers, which are added to a
    roll, and no numbers to reach. ``intervals``: each row has a range of numbers. ``is_ladder``: the words are levels
    of the ladder with the id of the table. ``last`` are the words of the band above the lowest.
    """

    table: str
    words: str
    number: str
    place: str
    added: bool = False
    intervals: bool = False
    is_ladder: bool = False
    last: str = ""

    @property
    def entries(self) -> str:
        """The entries of an axis that goes by the words, as TOML."""
        return f'ladder = "{self.table}"' if self.is_ladder else f'of = "{self.table}.{self.words}"'

    def number_on(self, axis: str) -> str:
        """The number of an entry of such an axis, as formulas name it."""
        return f"{{{axis}}}" if self.is_ladder else f"{{{axis}.{self.number}}}"


def difficulty_table(
    draft: GameDraft, phrases: Phrases, sections: Collection[str], *, added: bool, signed: bool
) -> OddsTable | None:
    """The table of difficulties: numbers that are ``added`` to a roll, or numbers to reach.

    Numbers that are added have signs; numbers to reach only where dice have signed faces. Tables under the headings
    ``sections`` come first, then those that name tests; others must name difficulties by a word for nothing else.
    """
    found: list[tuple[bool, bool, OddsTable]] = []
    for proposal in draft.usable_tables():
        heads, is_near = _heads(proposal), proposal.spec.section in sections
        is_named = phrases.has("difficulty-table", heads) or (is_near and phrases.has("difficulty", heads))
        if is_named and (table := _two_columns(proposal, added=added, signed=signed)):
            found.append((not is_near, not phrases.has("test", heads), table))
    return min(found, key=lambda one: one[:2])[2] if found else None


def target_table(draft: GameDraft, phrases: Phrases, sections: Collection[str], target: int) -> OddsTable | None:
    """The table of numbers to reach that has the usual ``target`` of a roll among its numbers."""
    table = difficulty_table(draft, phrases, sections, added=False, signed=False)
    if table is None:
        return None
    proposal = next(proposal for proposal in draft.usable_tables() if proposal.id == table.table)
    number = next(at for at, column in enumerate(proposal.spec.columns) if column.id == table.number)
    return table if target in _lows(proposal.texts(number), proposal.spec.columns[number].type) else None


def _two_columns(proposal: Proposal, *, added: bool, signed: bool) -> OddsTable | None:
    """The first two columns of a table as difficulties and their numbers, or the other way round."""
    if not 2 <= len(proposal.spec.columns) <= 3:
        return None
    pairs = ((words, 1 - words) for words in (0, 1) if _is_list_of_words(proposal, words))
    tables = (_difficulties(proposal, words, number, added, signed) for words, number in pairs)
    return next((table for table in tables if table is not None), None)


def bands_table(draft: GameDraft, phrases: Phrases, section: str) -> OddsTable | None:
    """The only table under a heading whose ranges are bands: one up from a number, one down from a number.

    The head over the ranges names a total, or the ranges are the labels of a list: margins are other numbers.
    """
    title = plain_text(section)
    tables = [proposal for proposal in draft.usable_tables() if proposal.spec.section == title]
    found = [table for proposal in tables if (table := _bands(proposal, phrases))]
    return found[0] if len(found) == 1 else None


def _bands(proposal: Proposal, phrases: Phrases) -> OddsTable | None:
    columns = proposal.spec.columns
    ranges = [at for at, column in enumerate(columns) if column.type == "interval"]
    words = [at for at, column in enumerate(columns) if column.type in ("text", "level")]
    if len(ranges) != 1 or not words or len(columns) > 3 or not _BANDS[0] <= len(proposal.found.rows) <= _BANDS[1]:
        return None
    number, label = ranges[0], words[0]
    if proposal.spec.header and not phrases.has("total", fold_text(proposal.spec.header[number])):
        return None
    bands = [value for value in _values(proposal.texts(number), "interval") if isinstance(value, Interval)]
    is_whole = len(bands) == len(proposal.found.rows) and bands[0].high is None and bands[-1].low is None
    if not (is_whole and _go_down(bands) and _is_list_of_words(proposal, label)):
        return None
    last = proposal.texts(label)[-2]
    return OddsTable(proposal.id, columns[label].id, columns[number].id, proposal.place, last=last)


def _go_down(bands: Sequence[Interval]) -> bool:
    """Whether each band begins right above the next."""
    return all(
        upper.low is not None and lower.high is not None and upper.low == lower.high + 1
        for upper, lower in pairwise(bands)
    )


def successes_table(draft: GameDraft, phrases: Phrases, sections: Collection[str]) -> OddsTable | None:
    """The first table of how many successes a difficulty needs: small numbers, from one up."""
    for proposal in draft.usable_tables():
        heads, is_near = _heads(proposal), proposal.spec.section in sections
        if phrases.has("difficulty-table", heads) or (is_near and phrases.has("hit", heads)):
            found = _two_columns(proposal, added=False, signed=False)
            values = list(_lows(proposal.texts(1), proposal.spec.columns[1].type)) if found else []
            if found and not found.intervals and values == sorted(set(values)) and 1 <= values[0] <= _LEAST_SUCCESSES:
                return found
    return None


def _heads(proposal: Proposal) -> str:
    return fold_text(" ".join((proposal.spec.title, *proposal.spec.header)))


def _is_list_of_words(proposal: Proposal, column: int) -> bool:
    texts = proposal.texts(column)
    return len(set(texts)) == len(texts) >= 3 and all(any(map(str.isalpha, text)) for text in texts)


def _difficulties(proposal: Proposal, words: int, number: int, added: bool, signed: bool) -> OddsTable | None:
    notation = proposal.spec.columns[number].type
    values = list(_lows(proposal.texts(number), notation))
    if notation not in _NUMERIC or len(values) != len(proposal.found.rows) or not _in_order(values):
        return None
    is_signed = (
        notation == "modifier"
        or min(values) < 0 < max(values)
        or any(plain_marks(text).startswith(("+", "-")) for text in proposal.texts(number))
    )
    if is_signed != added and not signed:
        return None
    ids = [column.id for column in proposal.spec.columns]
    return OddsTable(proposal.id, ids[words], ids[number], proposal.place, added, notation == "interval")


def _lows(texts: Sequence[str], notation: NotationName) -> Iterator[int]:
    """The whole numbers of a column, of ranges their lower ends."""
    for value in _values(texts, notation):
        number = value.low if isinstance(value, Interval) else as_number(value)
        if number is not None and number == int(number):
            yield int(number)


def _values(texts: Sequence[str], notation: NotationName) -> Iterator[Value]:
    """The values of a column up to the first text that the notation does not read; blank texts have none."""
    for text in texts:
        try:
            if not is_blank(notation, text):
                yield read_value(notation, text)
        except NotationError:
            return


def _in_order(values: Sequence[int]) -> bool:
    steps = {after > before for before, after in pairwise(values)}
    return len(values) >= 3 and len(steps) == 1 and len(set(values)) == len(values)


def trait_table(draft: GameDraft, phrases: Phrases) -> OddsTable | None:
    """The only table with a score and its modifier in each row."""
    found = [table for proposal in draft.usable_tables() if (table := _trait_modifiers(proposal, phrases))]
    return found[0] if len(found) == 1 else None


def _trait_modifiers(proposal: Proposal, phrases: Phrases) -> OddsTable | None:
    """The columns of scores and modifiers of a table whose title or heads name both."""
    if not (phrases.has("trait", _heads(proposal)) and 2 <= len(proposal.spec.columns) <= 3):
        return None
    columns = proposal.spec.columns
    last, heads = len(columns) - 1, list(proposal.spec.header) or [column.id for column in columns]
    if not phrases.has("modifier", fold_text(heads[last])) or phrases.has("special", _heads(proposal)):
        return None
    modifiers = list(_lows(proposal.texts(last), columns[last].type))
    if len(modifiers) != len(proposal.found.rows) or len(modifiers) < 4 or not (min(modifiers) < 0 < max(modifiers)):
        return None
    if sorted(modifiers) not in (modifiers, modifiers[::-1]):
        return None
    return OddsTable(proposal.id, columns[0].id, columns[last].id, proposal.place)


def step_table(draft: GameDraft, phrases: Phrases) -> OddsTable | None:
    """The only table with one die for each of some traits or their levels."""
    found = [
        OddsTable(proposal.id, columns[words].id, columns[1 - words].id, proposal.place)
        for proposal in draft.usable_tables()
        if len(columns := proposal.spec.columns) == 2 and phrases.has("trait", _heads(proposal))
        for words in (0, 1)
        if columns[1 - words].type == "dice" and _is_list_of_words(proposal, words)
    ]
    return found[0] if len(found) == 1 else None
