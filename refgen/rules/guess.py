"""Guesses at the ids and notations of a table's words, for an author to look over.

In: printed texts. Out: an id; the narrowest notation that reads every text, the next best, and the notation that all
texts but a few are in.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import inf

from anyascii import anyascii

from refgen.errors import NotationError
from refgen.languages import guess_language
from refgen.limits import limits
from refgen.marks import plain_marks
from refgen.notation.levels import level_name
from refgen.notation.number import read_range
from refgen.notation.printed_cell import NotationName, in_usual_style, is_blank, one_unit, read_value
from refgen.notation.printed_numbers import USUAL, NotationStyle
from refgen.notation.values import DiceText, Interval, LabelledDice, Modifier, NumberList, Quantity, Value, as_number
from refgen.readers.document import Document
from refgen.rules.schema import DocumentSettings

NARROWEST_FIRST: Sequence[NotationName] = (
    "percent",
    "weighted",
    "number",
    "score",
    "interval",
    "quantity",
    "modifier",
    "dice",
)
_NO_NUMBER = re.compile(r"0\d.*|.*\d\d\s*/.*|.*/\s*\d\d.*")
"""Texts that read_number takes for 5, 0 and 1/4: the faces of d% ("05", "00" for 100), and pairs such as "30/120"."""

_NO_MODIFIER = re.compile(r"[^\W\d_][^-+±\d]*[1-9].*|[A-Z]-\d+|0\d+")
"""Words and a number without a sign: "Room 3"; codes: "A-1", "007"."""

_NO_INTERVAL = re.compile(r"(?=\d{3})0+[1-9]\d*|[^&/]*[&/].*|[¼-¾⅐-⅞]")
"""A code of three digits and more: "007"; "1/2" and "5 & 6", which are ranges under a die alone."""

_COUNTED = re.compile(r"\d{0,3}")
"""A whole number alone."""

_NO_QUANTITY = re.compile(r"[-+±]?\d+D")
"""Dice of a kind that the rules name once for all: "5D", "+2D"."""

_MISLEADING = {
    "number": _NO_NUMBER,
    "modifier": _NO_MODIFIER,
    "interval": _NO_INTERVAL,
    "quantity": _NO_QUANTITY,
}

ID_WORDS = 6
ID_LENGTH = 60


def slug(text: str, otherwise: str) -> str:
    """The first words of a text as an identifier in Latin letters, or ``otherwise`` if it has no letter or digit."""
    words = re.findall(r"[a-z0-9]+", "".join(map(_in_our_letters, text)).lower())
    return "-".join(words[:ID_WORDS])[:ID_LENGTH].strip("-") or otherwise


def _in_our_letters(character: str) -> str:
    """A character without accents; a letter of another script in Latin letters."""
    plain = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()
    return plain or "".join(filter(str.isalnum, anyascii(character) if character.isalpha() else ""))


def unused_name(name: str, taken: Collection[str]) -> str:
    """``name``, or if that is taken, the name with the first free number behind it: odds, odds-2, odds-3."""
    number = 1
    free = name
    while free in taken:
        number += 1
        free = f"{name}-{number}"
    return free


def guess_style(document: Document) -> NotationStyle:
    """How a document writes numbers and dice, by the language that its words show; as nobody says where none shows."""
    tag = guess_language(document.wording)
    return DocumentSettings(language=tag).style


def guess_notation(texts: Sequence[str], style: NotationStyle = USUAL) -> NotationName:
    """The narrowest notation that reads every text that is not blank; "text" if no notation does.

    ``style`` is that of the document. If it does not say which mark stands before decimals, a comma may be that mark
    only where no notation reads the texts otherwise: "1,2" above "3,4" are ranges.
    """
    return _narrowest_notation(texts, style) or _narrowest_notation(texts, style.of_column(texts)) or "text"


def are_results(texts: Sequence[str], style: NotationStyle = USUAL) -> bool:
    """Whether texts under a die are its results: ranges and lists, "1/2" among them, of which none overlaps another."""
    stretches: list[tuple[float, float]] = []
    for text in filter(None, texts):
        try:
            found = read_range(in_usual_style("interval", text, style), style.language)
        except NotationError:
            return False
        stretches += _stretches(found)
    stretches.sort()
    return bool(stretches) and all(above[1] < below[0] for above, below in pairwise(stretches))


def _stretches(found: Interval | NumberList) -> Sequence[tuple[float, float]]:
    """The lowest and the highest number of a range, or of each number of a list."""
    if isinstance(found, NumberList):
        return [(number, number) for number in found.numbers]
    return [(-inf if found.low is None else found.low, inf if found.high is None else found.high)]


def _narrowest_notation(texts: Sequence[str], style: NotationStyle) -> NotationName | None:
    return next((notation for notation in NARROWEST_FIRST if _fits_texts(notation, texts, style)), None)


def _fits_texts(notation: NotationName, texts: Sequence[str], style: NotationStyle) -> bool:
    """Whether a notation reads every text that is not blank, and tells something of them."""
    printed = [text for text in texts if not is_blank(notation, text)]
    are_read = bool(printed) and all(_reads_text(notation, text, style) for text in printed)
    return are_read and _is_informative(notation, printed, style)


def is_value(text: str, style: NotationStyle = USUAL) -> bool:
    """Whether a text is blank or in a notation other than "text"."""
    return is_blank("number", text) or guess_notation([text], style) != "text"


@dataclass(frozen=True, slots=True)
class ColumnGuess:
    """The ``notation`` that reads all ``printed`` cells of a column (the cells not blank), and the ``next_best`` one.

    ``near`` is a narrower notation that reads all printed cells but those at the positions ``misfits``; None if too
    many cells are otherwise.
    """

    notation: NotationName
    next_best: NotationName
    printed: int
    near: NotationName | None = None
    misfits: Sequence[int] = ()


MOST_MISFITS = 4
"""The share of the cells of a column, one in so many, that may keep the column from a near notation."""


def guess_column(texts: Sequence[str], style: NotationStyle = USUAL, *, under_die: bool = False) -> ColumnGuess:
    """The notation of a column, from every cell of the column, in a document of a style.

    A column that stands ``under_die`` has results of the die if its cells can be read so: "1/2" and "1, 3, 5".
    """
    if under_die and not all(map(_COUNTED.fullmatch, texts)) and are_results(texts, style):
        return ColumnGuess("interval", "text", _count_printed("interval", texts))
    notation = guess_notation(texts, style)
    if notation != "text":
        shown = style.of_column(texts)
        later = NARROWEST_FIRST[NARROWEST_FIRST.index(notation) + 1 :]
        next_best: NotationName = next((name for name in later if _fits_texts(name, texts, shown)), "text")
        return ColumnGuess(notation, next_best, _count_printed(notation, texts))
    near = [(misfits, name) for name in NARROWEST_FIRST if (misfits := _misfits(name, texts, style)) is not None]
    if not near:
        return ColumnGuess("text", "text", _count_printed("text", texts))
    misfits, name = min(near, key=lambda found: len(found[0]))
    return ColumnGuess("text", "text", _count_printed(name, texts), name, misfits)


def _count_printed(notation: NotationName, texts: Sequence[str]) -> int:
    return sum(not is_blank(notation, text) for text in texts)


def _misfits(notation: NotationName, texts: Sequence[str], style: NotationStyle) -> Sequence[int] | None:
    """The positions of the printed cells that a notation does not read; None where the notation is not near."""
    printed = [at for at, text in enumerate(texts) if not is_blank(notation, text)]
    misfits = [at for at in printed if not _reads_text(notation, texts[at], style)]
    is_near = len(misfits) * MOST_MISFITS <= len(printed) or (len(misfits) == 1 and len(printed) >= 3)
    read = [texts[at] for at in sorted({*printed}.difference(misfits))]
    return misfits if is_near and read and _is_informative(notation, read, style) else None


def _reads_text(notation: NotationName, text: str, style: NotationStyle) -> bool:
    return _value(notation, text, style) is not None


def _value(notation: NotationName, text: str, style: NotationStyle) -> Value | None:
    """The value of a text in a notation; None for a text that is otherwise, or only seems to be in that notation."""
    return None if len(text) > limits().value_letters else _value_in_style(notation, text, style)  # prose is costly


@lru_cache(maxsize=2**14)
def _value_in_style(notation: NotationName, text: str, style: NotationStyle) -> Value | None:
    """The value of a text that is not too long; a column is tried in each notation several times."""
    misleading = _MISLEADING.get(notation)
    if misleading is not None and misleading.fullmatch(plain_marks(text)):
        return None
    try:
        found = read_value(notation, in_usual_style(notation, text, style), language=style.language)
    except NotationError:
        return None
    return None if isinstance(found, NumberList) else found


def _is_informative(notation: NotationName, texts: Sequence[str], style: NotationStyle) -> bool:
    """Whether a notation fits the sense of texts."""
    values = [value for text in texts if text and (value := _value(notation, text, style)) is not None]
    if notation == "dice":
        return _are_dice([value for value in values if isinstance(value, DiceText)])
    if notation == "modifier":
        return not _are_ratings([value for value in values if isinstance(value, Modifier)])
    return len({one_unit(value.unit) for value in values if isinstance(value, Quantity)}) <= 1


def _are_dice(values: Sequence[DiceText]) -> bool:
    """Whether any dice are rolled, and no label names one of two things: "2d6 + 1 radiation hit" above "1d6"."""
    rolled = [value for value in values if "d" in value.expression]
    labels = [value for value in rolled if isinstance(value, LabelledDice)]
    are_sums = any(re.search(r"\d ?[-+]", value.expression) for value in labels)
    return bool(rolled) and not (are_sums and len(labels) < len(rolled))


def _are_ratings(values: Sequence[Modifier]) -> bool:
    """Whether the hyphens between names and numbers are no minus: "Pilot-1" above "Gun Combat-2"."""
    return len({value.base for value in values if value.base}) > 1 and all(
        value.base and value.high < 0 for value in values
    )


def ladder_columns(
    columns: Sequence[tuple[str, NotationName]], rows: Sequence[Sequence[str]]
) -> tuple[str, str] | None:
    """The ids of a column of words and of a column of numbers that goes by ones, up or down; None without both."""
    if len(rows) < 3:
        return None
    counting = [
        column
        for number, (column, notation) in enumerate(columns)
        if notation in ("number", "weighted") and _counts_by_one([row[number] for row in rows], notation)
    ]
    words = [
        column
        for number, (column, notation) in enumerate(columns)
        if notation == "text" and _are_names([row[number] for row in rows])
    ]
    return (words[0], counting[0]) if words and counting else None


def _counts_by_one(texts: Sequence[str], notation: NotationName) -> bool:
    """Whether each text has a whole number, which is one more, or one less, than the number before."""
    shown = USUAL.of_column(texts)
    values = [None if is_blank(notation, text) else as_number(_value(notation, text, shown)) for text in texts]
    numbers = [value for value in values if value is not None and value.denominator == 1]
    steps = {after - before for before, after in pairwise(numbers)}
    return len(numbers) == len(texts) and steps in ({Fraction(1)}, {Fraction(-1)})


def _are_names(texts: Sequence[str]) -> bool:
    try:
        names = {level_name(text)[0] for text in texts}
    except NotationError:
        return False
    return len(names) == len(texts)
