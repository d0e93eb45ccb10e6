"""Printed averages of dice: "2d8+2 (11)", or "11 (2d8+2)" as stat blocks have them, in tables, lists and prose.

In: the paragraphs and sections of documents. Out: a Comparison for each number beside dice that is meant as their mean.
A mean with a half may be printed rounded down or up: "4 (1d8)" and "5 (1d8)" both agree.

A number in brackets may as well be a price, or how long something lasts. So numbers are averages where one stands alone
without a unit, and where at least half of the numbers of a kind are means. Numbers of a kind have the same unit, as in
"2d8+2 (11 hp)", or stand without a unit in one column, or outside all tables; all before their dice, or all behind.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from refgen.checks.comparison import Basis, CheckSubject, Comparison, Precision, comparison_id, precision_of
from refgen.checks.dice import roll_dice
from refgen.errors import RefgenError
from refgen.languages.title_words import has_word, title_words
from refgen.marks import DASHES, plain_marks
from refgen.notation.dice_notation import DICE_WITHOUT_BLANKS
from refgen.notation.figures import Rounding
from refgen.notation.number import read_number
from refgen.notation.printed_numbers import NotationStyle
from refgen.readers.document import Section
from refgen.source import Passage, plain_text
from refgen.span import Span, SpanIndex
from refgen.words import Phrase, chain_texts

AVERAGES = "averages"
"""The id of the check, which has no entry."""

_TERM = rf"(?:{DICE_WITHOUT_BLANKS}|\d+)"
_EXPRESSION = rf"{DICE_WITHOUT_BLANKS}(?:\s?[-+{DASHES}×*]\s?{_TERM})*"
_NUMBER = r"\d+(?:[.,]\d+)?(?:\s?½)?"
_UNIT = r"(?:\s?(?P<unit>[^\W\d_]{1,12})\.?)?"

_BRACKET = re.compile(r"\((?=[\dDd\s]|[^\W\d_]+\.?\s?\d|[Øø~≈])")
_DICE_INSIDE = re.compile(rf"\((?P<dice>{_EXPRESSION})\)")
_NUMBER_BEFORE = re.compile(rf"(?<![\w.,/⁄+±{DASHES}×-])(?P<number>{_NUMBER}){_UNIT}\s?\Z")
_NUMBER_INSIDE = re.compile(rf"\((?:(?P<word>[^\W\d_]{{1,14}}|[Øø~≈])\.?\s?)?(?P<number>{_NUMBER}){_UNIT}\)")
_DICE_BEFORE = re.compile(rf"(?<![\w.,/⁄½¼¾])(?<![½¼¾] )(?<![/⁄]\d )(?P<dice>{_EXPRESSION})\s?\Z")
_MORE_DICE = re.compile(r"[\d)]\s(?P<join>[^\W\d_]+|[-+,&])\s\Z")
_ABOUT = frozenset("Øø~≈")

LETTERS_BEFORE = 60
"""How many characters before a bracket are read: more than the dice, or the number, that stand there."""

MOST_COUNTED = 10
"""Texts count less than so many things in brackets."""


@dataclass(frozen=True, slots=True)
class PrintedAverage:
    """A number beside dice, which may be their mean: the number, the dice, and both as they are printed.

    ``unit`` is the word behind the number ("hp"), ``is_behind`` says whether the number stands behind the dice, and
    ``is_named`` whether a word calls it an average. ``precision`` is a unit of its last digit.
    """

    number: Passage
    dice: Passage
    printed: str
    value: Fraction
    precision: Precision
    mean: Fraction
    unit: str
    is_behind: bool
    is_named: bool

    @property
    def agrees(self) -> bool:
        """Whether the number is the mean of the dice, rounded down or up."""
        return abs(self.value - self.mean) < self.precision.unit or self.value == self.mean

    @property
    def expected(self) -> str:
        """The mean as finely as the number is printed, rounded down or up."""
        rounded = (self.precision.shown(self.mean, rule) for rule in (Rounding.DOWN, Rounding.UP))
        exact = [str(self.mean)] if self.mean.denominator == 1 else dict.fromkeys(rounded)
        return chain_texts("check-or", exact)


def average_comparisons(
    paragraphs: Iterable[Passage], sections: Iterable[Section], style: NotationStyle, compared: Iterable[Span] = ()
) -> Sequence[Comparison]:
    """A comparison for each printed average, in the order of the ``paragraphs``; none in ``compared`` places."""
    found = {average.number.span: average for paragraph in paragraphs for average in _averages_in(paragraph, style)}
    if not found:
        return []
    taken = SpanIndex(compared, lambda span: span)
    found = {span: average for span, average in found.items() if not ((last := taken.last(span)) and last.holds(span))}
    cells = SpanIndex(_cells(sections), lambda cell: cell.span)
    placed = [(average, _cell_at(cells, span)) for span, average in found.items()]
    agreeing, kinds = Counter[object](), Counter[object]()
    for average, cell in placed:
        kinds[_kind(average, cell)] += 1
        agreeing[_kind(average, cell)] += average.agrees
    seen: Counter[str] = Counter()
    comparisons = []
    for average, cell in placed:
        kind = _kind(average, cell)
        is_alone = kinds[kind] == 1 and not average.unit
        if average.is_named or is_alone or 2 * agreeing[kind] >= kinds[kind]:
            comparisons.append(_comparison(average, cell, seen))
    return comparisons


@dataclass(frozen=True, slots=True)
class _Cell:
    """The place of a cell, its column, and the title, row and column that a finding names."""

    span: Span
    column: tuple[Span, int]
    title: str
    row: str
    head: str


def _cells(sections: Iterable[Section]) -> Iterator[_Cell]:
    for section in sections:
        for grid in section.grids:
            title, header = grid.caption or plain_text(section.title) or "Table", grid.header
            for row in grid.rows:
                for at, cell in enumerate(row):
                    head = header[at] if at < len(header) else ""
                    yield _Cell(cell.span, (grid.span, at), title, row[0].text, head)


def _cell_at(cells: SpanIndex[_Cell], span: Span) -> _Cell | None:
    cell = cells.last(span)
    return cell if cell is not None and cell.span.holds(span) else None


def _kind(average: PrintedAverage, cell: _Cell | None) -> object:
    place = cell.column if cell and not average.unit else None
    return place, average.is_behind, average.is_named, average.unit.casefold()


def _comparison(average: PrintedAverage, cell: _Cell | None, seen: Counter[str]) -> Comparison:
    """The comparison of an average; ``seen`` counts the averages by their ids so far."""
    dice, row = average.dice.text, cell.row if cell else ""
    name = comparison_id(AVERAGES, row, re.sub(r"\s", "", dice))
    seen[name] += 1
    subject = CheckSubject(
        f"{name}-{seen[name]}" if seen[name] > 1 else name,
        average.number.text,
        average.number.span,
        title=cell.title if cell else "",
        row=row or dice,
        column=cell.head if cell else average.printed,
    )
    rule = Phrase("check-average", dice=dice)
    sources = (average.dice.span,)
    return Comparison(subject, average.expected, rule, same=average.agrees, basis=Basis.LIKELY, sources=sources)


@dataclass(frozen=True, slots=True)
class _Pair:
    """A number and dice, one of them in brackets: their places in a text, and the words beside the number."""

    number: tuple[int, int]
    dice: tuple[int, int]
    unit: str
    word: str = ""

    @property
    def is_behind(self) -> bool:
        """Whether the number stands behind the dice."""
        return self.number > self.dice

    @property
    def start(self) -> int:
        """The start of the first of the two."""
        return min(self.number, self.dice)[0]


def _averages_in(paragraph: Passage, style: NotationStyle) -> Iterator[PrintedAverage]:
    """The numbers of a paragraph that may be averages."""
    text = style.usual(paragraph.text) if "(" in paragraph.text else ""
    for bracket in _BRACKET.finditer(text):
        pair = _pair_at(text, bracket.start())
        dice, number = (text[slice(*place)] for place in (pair.dice, pair.number)) if pair else ("", "")
        mean = _mean_of(dice) if dice else None
        if pair is None or mean is None or not _may_be_average(text, pair):
            continue
        yield PrintedAverage(
            number=paragraph[slice(*pair.number)],
            dice=paragraph[slice(*pair.dice)],
            printed=paragraph.text[pair.start : text.index(")", bracket.start()) + 1],
            value=read_number(number.replace(" ", "")).value,
            precision=precision_of(number.replace("½", ".5"), None),
            mean=mean,
            unit=pair.unit,
            is_behind=pair.is_behind,
            is_named=bool(pair.word),
        )


def _pair_at(text: str, bracket: int) -> _Pair | None:
    """The number and the dice at an opening bracket; None if there are not both."""
    start = max(0, bracket - LETTERS_BEFORE)
    before = text[start:bracket]
    if (inside := _DICE_INSIDE.match(text, bracket)) and (beside := _NUMBER_BEFORE.search(before)):
        low, high = beside.span("number")
        return _Pair((start + low, start + high), inside.span("dice"), beside["unit"] or "")
    if (inside := _NUMBER_INSIDE.match(text, bracket)) and (beside := _DICE_BEFORE.search(before)):
        low, high = beside.span("dice")
        return _Pair(inside.span("number"), (start + low, start + high), inside["unit"] or "", inside["word"] or "")
    return None


def _may_be_average(text: str, pair: _Pair) -> bool:
    """Whether a number beside dice is no number of a list, no roll of somebody, and not about further dice."""
    words, number = title_words(""), text[slice(*pair.number)]
    before = text[max(0, pair.start - LETTERS_BEFORE) : pair.start]
    if pair.word and pair.word not in _ABOUT and not has_word(pair.word, words.averages):
        return False
    more = _MORE_DICE.search(before) if pair.is_behind else None
    if more is not None and (more["join"] in words.joins | {"plus"} or not more["join"].isalpha()):
        return False
    if pair.is_behind and number.isdecimal() and _is_counted(int(number), text):
        return False
    is_thrown = has_word(before.rpartition(". ")[2], words.throws)
    return not (is_thrown and number.isdecimal() and int(number) in roll_dice(_plain(text[slice(*pair.dice)])).outcomes)


def _is_counted(number: int, text: str) -> bool:
    """Whether a text counts up to a number: "(1) … (2) … (3)"."""
    return number < MOST_COUNTED and all(f"({one})" in text for one in range(1, number + 1))


def _plain(dice: str) -> str:
    """Dice with the signs of formulas."""
    return plain_marks(dice).replace("×", "*")


@lru_cache(maxsize=4096)
def _mean_of(dice: str) -> Fraction | None:
    """The mean of dice; None for what cannot be rolled, and for dice without an end."""
    try:
        rolled = roll_dice(_plain(dice))
    except RefgenError:
        return None
    return None if rolled.is_open else rolled.mean
