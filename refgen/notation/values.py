"""The typed values that a printed cell can hold. All are small frozen records; numbers are exact."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal


@dataclass(frozen=True, slots=True)
class Text:
    """Words without a value."""

    text: str


@dataclass(frozen=True, slots=True)
class Number:
    """A number, or with ``bound`` a limit: ">500 mil" is ``Number(500_000_000, ">")``."""

    value: Fraction
    bound: str = ""


@dataclass(frozen=True, slots=True)
class Percent:
    """A share between 0 and 1, and how many decimals are printed: "97.5%" is ``Percent(39/40, 1)``."""

    value: Fraction
    places: int = 0


@dataclass(frozen=True, slots=True)
class WeightedNumber:
    """A number and its chance: "+4 (1%)"."""

    number: Fraction
    chance: Percent


@dataclass(frozen=True, slots=True)
class Score:
    """A number and the modifier that it gives: "16 (+3)"."""

    number: Fraction
    modifier: Fraction


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number and its unit as printed, or with ``bound`` a limit: "5 gp", "60 ft.", "DC 15"."""

    value: Fraction
    unit: str
    bound: str = ""


@dataclass(frozen=True, slots=True)
class Interval:
    """A range of whole numbers, both ends included; an open end is None: "17+" is ``Interval(17, None)``."""

    low: int | None
    high: int | None

    def __contains__(self, number: int) -> bool:
        return (self.low is None or number >= self.low) and (self.high is None or number <= self.high)


@dataclass(frozen=True, slots=True)
class NumberList:
    """Whole numbers with a gap between them, in rising order: "1, 3, 5"."""

    numbers: tuple[int, ...]

    def __contains__(self, number: int) -> bool:
        return number in self.numbers


@dataclass(frozen=True, slots=True)
class Modifier:
    """A signed change from ``low`` to ``high`` of ``base`` (of the roll if ``base`` is ""), under a condition.

    "Scope-1" is ``Modifier(-1, -1, "Scope")``; "±1 (Phl.or.)" is ``Modifier(-1, 1, "", "Phl.or.")``.
    """

    low: Fraction
    high: Fraction
    base: str = ""
    condition: str = ""


@dataclass(frozen=True, slots=True)
class Level:
    """A step of a ladder with its canonical name, its number, and the words in brackets behind the name."""

    name: str
    value: int
    gloss: str = ""


@dataclass(frozen=True, slots=True)
class DiceText:
    """A dice expression in refgen's own notation; "" for a cell that says that nothing is rolled."""

    expression: str


@dataclass(frozen=True, slots=True)
class LabelledDice(DiceText):
    """Dice and the label after them: "1d4 bludgeoning"."""

    label: str


@dataclass(frozen=True, slots=True)
class TrackChange:
    """A change to the track ``base`` ("" for the default) by boxes set, boxes added, and ranges of damage set.

    "Great + Scratched[1-3] etc." is ``TrackChange("Great", (), (), (("Scratched", Interval(1, 3)),), True)``.
    """

    base: str
    boxes: tuple[tuple[str, int], ...]
    extra: tuple[str, ...]
    ranges: tuple[tuple[str, Interval], ...]
    continues: bool


Relation = Literal[">=", "<=", ">", "<", "="]


@dataclass(frozen=True, slots=True)
class TraitComparison:
    """The sum of traits, each times a factor, against a number and the name of its level (or "").

    "Power - Authority >= +2" is ``TraitComparison((("Power", 1), ("Authority", -1)), ">=", 2)``.
    """

    traits: tuple[tuple[str, int], ...]
    relation: Relation
    number: int
    level: str = ""


@dataclass(frozen=True, slots=True)
class Condition:
    """Clauses that must all be met; a clause is met if any of its comparisons holds.

    "Consent / Power <= Poor" has one clause of two comparisons, "Wealth <= Poor and Power >= Good" two clauses of one.
    """

    clauses: tuple[tuple[TraitComparison, ...], ...]


Value = (
    Text
    | Number
    | Percent
    | WeightedNumber
    | Score
    | Quantity
    | Interval
    | NumberList
    | Modifier
    | Level
    | DiceText
    | LabelledDice
    | TrackChange
    | Condition
)


def as_number(value: Value | None) -> Fraction | None:
    """The single number of a value; None for a value without a number, or with more than one."""
    match value:
        case Number(value=number) | Percent(value=number) | Quantity(value=number):
            return number
        case WeightedNumber(number=number) | Score(number=number):
            return number
        case Level(value=level):
            return Fraction(level)
        case Interval(low=low, high=high) if low is not None and low == high:
            return Fraction(low)
        case Modifier(low=low_change, high=high_change) if low_change == high_change:
            return low_change
    return None


def as_chance(value: Value | None) -> Percent | None:
    """The printed chance in a value, or None."""
    match value:
        case Percent():
            return value
        case WeightedNumber(chance=chance):
            return chance
    return None
