"""Tables of printed odds, compared with the chances of dice that most likely explain the table.

In: a GameDraft. Out: an Entry of proof.toml for each column of chances beside numbers that most of its cells explain: a
check by a formula. The candidates are sums of dice, open-ended dice and pools. The check is certain where one
candidate explains most, and only one; the evidence says which chances differ, and each of these is a question then.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb

from refgen.errors import NotationError
from refgen.export.model import toml_string
from refgen.languages.title_words import title_words
from refgen.notation.figures import Rounding, percent, units
from refgen.notation.printed_cell import in_usual_style, is_blank, read_value
from refgen.notation.printed_numbers import NotationStyle
from refgen.notation.values import Interval, Percent, Value, as_chance, as_number
from refgen.proposals.draft import LIKELY, Entry, GameDraft, Proposal
from refgen.readers.document import RawCell
from refgen.resolver.dice.distribution import Distribution
from refgen.resolver.formula.chances import CHANCES
from refgen.resolver.rolls import roll

FEWEST_KINDS = 3
"""Fewer different chances explain nothing."""

_LIKELY = Fraction(3, 4)


@dataclass(frozen=True, slots=True)
class ChanceBesideNumber:
    """A printed chance, and the number or range of its row."""

    cell: RawCell
    value: Percent
    key: Interval

    @property
    def is_telling(self) -> bool:
        """Whether the chance is neither never nor always."""
        return 0 < self.value.value < 1


@dataclass(frozen=True, slots=True)
class OddsColumn:
    """A column of printed chances, beside a column of numbers or ranges; both may be one column: "+4 (1%)"."""

    table: Proposal
    column: str
    key: str
    chances: Sequence[ChanceBesideNumber]
    has_words: bool
    has_ranges: bool

    @property
    def row(self) -> str:
        """The number of the row, as a formula names it."""
        return "{row}" if self.key == self.column else f"{{row.{self.key}}}"


@dataclass(frozen=True, slots=True)
class OddsFit:
    """How a candidate explains a column: the exact chances, and the printed chances that differ from them."""

    candidate: Candidate
    exact: Sequence[Fraction]
    different: Sequence[int]


def odds_entries(draft: GameDraft) -> Sequence[Entry]:
    """For each column of printed odds the check that explains the column best."""
    return [entry for column in odds_columns(draft) if (entry := _entry(draft, column)) is not None]


def odds_columns(draft: GameDraft) -> Iterator[OddsColumn]:
    """The columns of chances that stand beside numbers or ranges."""
    words, style = title_words(draft.language).chances, draft.style
    for table in draft.usable_tables():
        types = [column.type for column in table.spec.columns]
        keys = [at for at, notation in enumerate(types) if notation in ("number", "interval")]
        for at, notation in enumerate(types):
            if notation == "weighted":
                yield from _columns(table, at, at, words, style)
            elif notation == "percent":
                for key in keys[:1]:
                    yield from _columns(table, at, key, words, style)


def _columns(table: Proposal, at: int, key: int, words: frozenset[str], style: NotationStyle) -> Iterator[OddsColumn]:
    rows = [row for row in table.found.rows if len(row) > max(at, key)]
    shown = style.of_column([row[at].text for row in rows])
    chances = []
    for row in rows:
        if is_blank("percent", row[at].text) or is_blank("number", row[key].text):
            continue
        try:
            chance = as_chance(_read(table, at, row[at].text, shown))
            number = _key(_read(table, key, row[key].text, style))
        except NotationError:
            return
        if chance is None or number is None or not 0 <= chance.value <= 1:
            return
        chances.append(ChanceBesideNumber(row[at], chance, number))
    head = table.found.header[at] if at < len(table.found.header) else ""
    said = " ".join((head, table.spec.title, table.spec.section or "")).casefold()
    has_words = not words.isdisjoint(re.findall(r"\w+", said))
    ids = [column.id for column in table.spec.columns]
    has_ranges = any(chance.key.low != chance.key.high for chance in chances)
    if chances:
        yield OddsColumn(table, ids[at], ids[key], chances, has_words, has_ranges)


def _read(table: Proposal, at: int, text: str, style: NotationStyle) -> Value:
    notation = table.spec.columns[at].type
    return read_value(notation, in_usual_style(notation, text, style), language=style.language)


def _key(value: Value) -> Interval | None:
    """The number or range of a row; None where the value is neither."""
    if isinstance(value, Interval):
        return value
    number = as_number(value)
    return None if number is None or number.denominator != 1 else Interval(int(number), int(number))


def _entry(draft: GameDraft, column: OddsColumn) -> Entry | None:
    fits = _find_fits(column)
    if not fits:
        return None
    best, equals = fits[0], [fit for fit in fits if len(fit.different) == len(fits[0].different)]
    is_alone = all(fit.exact == best.exact for fit in equals)
    if best.different and not is_alone:
        return None  # several candidates explain as much: none is likely
    name = draft.unused_id(f"{column.table.id}-{column.column}-odds")
    formula = best.candidate.formula.replace(KEY, column.row)
    lines = [
        'kind = "formula"',
        f'table = "{column.table.id}"',
        f'column = "{column.column}"',
        f"formula = {toml_string(formula)}",
        f"rule = {toml_string(f'the chance of {best.candidate.words}')}",
        LIKELY if best.different else "inferred = true",
    ]
    return Entry(f"[checks.{name}]", lines, list(_evidence(column, best, equals)), is_alone)


def _evidence(column: OddsColumn, best: OddsFit, equals: Sequence[OddsFit]) -> Iterator[str]:
    count = len(column.chances)
    place = column.chances[0].cell.span
    yield f"{count - len(best.different)} of {count} chances from {place} on are those of {best.candidate.words}"
    others = [fit.candidate.words for fit in equals if fit.exact != best.exact]
    if others:
        yield f"They are as well those of {', or of '.join(others[:2])}."
    for at in best.different:
        printed = column.chances[at]
        yield f"{printed.cell.text} at {printed.cell.span} is not: {percent(best.exact[at], printed.value.places)}"


def _find_fits(column: OddsColumn) -> Sequence[OddsFit]:
    """The candidates that give at least three of four telling chances, the best first."""
    telling = [chance for chance in column.chances if chance.is_telling]
    most_odd = len(telling) - max(Fraction(FEWEST_CHANCES), _LIKELY * len(telling))
    if len(telling) < FEWEST_CHANCES or len({chance.value.value for chance in telling}) < FEWEST_KINDS:
        return []
    fits, printed = [], Counter((chance.key, chance.value) for chance in telling)
    for candidate in candidates_for_ranges() if column.has_ranges else candidates_for_numbers():
        if (candidate.needs_words and not column.has_words) or len(telling) < candidate.fewest:
            continue
        if not _is_far(candidate, printed, most_odd) and (fit := _fit(column, candidate, most_odd)) is not None:
            fits.append(fit)
    return sorted(fits, key=lambda fit: len(fit.different))


def _is_far(candidate: Candidate, printed: Counter[tuple[Interval, Percent]], most_odd: Fraction) -> bool:
    """Whether too many printed chances are not those of a candidate, by whatever rule of rounding."""
    far = 0
    for (key, chance), count in printed.items():
        expected = candidate.chance(key)
        if expected is None or abs(expected - chance.value) * 10 ** _places(chance) >= 1:
            far += count
        if far > most_odd:
            return True
    return False


def _fit(column: OddsColumn, candidate: Candidate, most_odd: Fraction) -> OddsFit | None:
    exact = []
    for chance in column.chances:
        expected = candidate.chance(chance.key)
        if expected is None:
            return None
        exact.append(expected)
    by_rounding = [_differing_positions(column.chances, exact, rule) for rule in Rounding]
    different = min(by_rounding, key=len)
    odd = sum(column.chances[at].is_telling for at in different)
    return OddsFit(candidate, exact, different) if odd <= most_odd else None


def _places(chance: Percent) -> int:
    """The decimals of a chance as a share of 1."""
    return chance.places + 2


def _differing_positions(
    chances: Sequence[ChanceBesideNumber], exact: Sequence[Fraction], rule: Rounding
) -> Sequence[int]:
    """The positions of the printed chances that the exact chances, rounded by a rule, are not."""
    found = []
    for at, (printed, expected) in enumerate(zip(chances, exact, strict=True)):
        places = _places(printed.value)
        if units(expected, places, rule) != printed.value.value * 10**places:
            found.append(at)
    return found


KEY = "KEY"
"""What stands in the formula of a candidate for the number of a row."""

SUMS = ("2d6", "3d6", "4d6", "2d10", "2d8", "2d12", "3d8", "3d10", "5d6", "2d4", "2d20", "4dF")
SUMS_OF_SOME = ("3d6kh2", "3d6kl2", "2d20kh1", "2d20kl1", "4d6kh3")
OPEN = ("open(4dF)", "explode(d4)", "explode(d6)", "explode(d8)", "explode(d10)", "explode(d12)", "explode(2d6)")
SINGLE_DICE = ("d20", "d100", "d6", "d8", "d10", "d12")
"""Dice whose chances go in equal steps, as prices may: only words tell that they are chances."""

POOLED = (6, 10, 8, 12)
MOST_SUCCESSES = 3
MOST_DICE = 40

FEWEST_CHANCES = 4
"""Fewer chances between never and always explain nothing."""

FEWEST_SHIFTED = 5
"""Likewise, where a target is chosen to fit the chances."""

_Chance = Callable[[Interval], Fraction | None]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A way to a chance: in words, as a formula with KEY for the number of the row, and as a function of that number.

    ``needs_words``: the chances may as well be numbers of another kind.
    """

    words: str
    formula: str
    chance: _Chance
    needs_words: bool = False
    fewest: int = FEWEST_CHANCES


@cache
def candidates_for_ranges() -> Sequence[Candidate]:
    """Candidates for ranges of results: "6–8", "12+"."""
    return [
        Candidate(f"{dice} within the range", f"chance({dice} in KEY)", _chance_within(roll(dice)), dice in SINGLE_DICE)
        for dice in (*SUMS, *SUMS_OF_SOME, *OPEN, *SINGLE_DICE)
    ]


@cache
def candidates_for_numbers() -> Sequence[Candidate]:
    """Candidates for numbers: to be reached, not to be exceeded, to be rolled; a bonus; how many dice."""
    return [*_comparisons(), *_pools(), *_bonuses()]


_WAYS = {">=": "at least", "<=": "at most", "==": "exactly", ">": "more than", "<": "less than"}


def _comparisons() -> Iterator[Candidate]:
    for dice in (*SUMS, *SUMS_OF_SOME, *OPEN, *SINGLE_DICE):
        rolled = roll(dice)
        for sign, words in _WAYS.items():
            formula = f"chance({dice} {sign} KEY)"
            yield Candidate(f"{dice} {words} the number", formula, _chance_compared(rolled, sign), dice in SINGLE_DICE)


def _bonuses() -> Iterator[Candidate]:
    """Dice with the number of the row added, against each target."""
    for dice in (*SUMS, *SINGLE_DICE):
        rolled = roll(dice)
        for target in range(int(rolled.outcomes[0]) + 1, int(rolled.outcomes[-1]) + 1):
            words, formula = f"{dice} and the number at least {target}", f"chance({dice} + KEY >= {target})"
            yield Candidate(words, formula, _with_bonus(rolled, target), dice in SINGLE_DICE, FEWEST_SHIFTED)


def _pools() -> Iterator[Candidate]:
    """So many dice as the number says, of which some must show a success; perhaps rolled again once."""
    for sides in POOLED:
        for least in range(2, sides + 1):
            for wanted in range(1, MOST_SUCCESSES + 1):
                formula = f"chance(count(repeat(KEY, d{sides}) >= {least}) >= {wanted})"
                words = f"{_times(wanted)} {_faces(least, sides)} with so many d{sides}"
                yield Candidate(words, formula, _of_pool(Fraction(sides - least + 1, sides), wanted))
    for first, words in ((2, "neither 1 nor 6"), (1, "not 6")):
        faces = range(first, 6)
        again = f"reroll(d6, {', '.join(map(str, faces))})"
        chance = Fraction(1, 6) + Fraction(len(faces), 6) * Fraction(1, 6)
        formula = f"1 - (1 - chance({again} >= 6))^KEY"
        yield Candidate(
            f"at least one 6 with so many d6, those that show {words} rolled once more", formula, _of_pool(chance, 1)
        )


def _times(count: int) -> str:
    return f"at least {('one', 'two', 'three')[count - 1]}"


def _faces(least: int, sides: int) -> str:
    return f"{least}" if least == sides else f"{least} or more"


def _chance_within(rolled: Distribution) -> _Chance:
    return lambda key: rolled.between(key.low, key.high)


def _chance_compared(rolled: Distribution, sign: str) -> _Chance:
    return lambda key: None if key.low is None else CHANCES[sign](rolled, key.low)


def _with_bonus(rolled: Distribution, target: int) -> _Chance:
    return lambda key: None if key.low is None else rolled.at_least(target - key.low)


def _of_pool(success: Fraction, wanted: int) -> _Chance:
    def chance(key: Interval) -> Fraction | None:
        count = key.low
        if count is None or not 1 <= count <= MOST_DICE:
            return None
        fewer = (comb(count, k) * success**k * (1 - success) ** (count - k) for k in range(min(wanted, count + 1)))
        return 1 - sum(fewer, Fraction(0))

    return chance
