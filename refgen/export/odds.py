"""The odds of dice: the public Roll, and odds as JSON and in lines of text.

In: a dice expression ("4dF", "d6!", "4d6 drop lowest"). Out: a Roll, which answers with Fractions; plain data, in which
exact chances are texts "p/q"; or lines: each outcome with a bar, its chance, and the chance of that outcome or more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Literal

from typing_extensions import TypedDict

from refgen.export.model import Chance, Deviation, Exact, chance, notebook_html
from refgen.notation.dice_notation import Sides as Sides
from refgen.notation.dice_notation import in_one_spelling
from refgen.notation.dice_notation import sides_of as sides_of
from refgen.notation.figures import decimal, percent, scientific
from refgen.notation.printed_numbers import NotationStyle as NotationStyle
from refgen.notation.readings import ambiguity_notes as ambiguity_notes
from refgen.notation.readings import is_dice as is_dice
from refgen.resolver.action import Contest, contest_of
from refgen.resolver.dice.distribution import DEFAULT_REACH, Distribution
from refgen.resolver.rolls import DiceOdds, Rolls, difference, odds_of_dice
from refgen.resolver.rolls import roll as distribution_of


class OutcomeChance(Chance):
    """The chance of one outcome."""

    outcome: int


class ReachChance(Chance):
    """The chance of ``n`` or more, or of ``n`` or less."""

    n: int


class RollData(TypedDict):
    """The chances of a roll; ``residue`` is the chance that was not followed further.

    Chances of outcomes from ``exact_from`` to ``exact_to`` are exact (null for no limit); others are off by the residue
    at most. If ``exact_from`` is more than ``exact_to``, none is exact. Mean and standard deviation are those of the
    whole roll if ``mean_exact``, else of the rolls that were followed.
    """

    pmf: list[OutcomeChance]
    at_least: list[ReachChance]
    mean: Exact
    sd: Deviation
    mean_exact: bool
    residue: Exact
    exact_from: int | None
    exact_to: int | None


class DiceData(RollData):
    """The chances of some dice, perhaps against other dice; ``notes`` say which of two readings the dice were given."""

    dice: str
    against: str | None
    notes: list[str]
    at_most: list[ReachChance]


class OddsData(DiceData):
    """The output of ``refgen odds DICE --format json``."""

    schema: Literal["refgen/odds/3"]


def odds_data(
    dice: str,
    against: str | None = None,
    at_least: int | None = None,
    at_most: int | None = None,
    rolls: Rolls | None = None,
) -> OddsData:
    """The odds of dice, perhaps against other dice: of all outcomes, or of ``at_least`` or ``at_most`` a number."""
    return OddsData(schema="refgen/odds/3", **dice_data(Sides(dice, against, at_least, at_most), rolls))


def dice_data(asked: Sides, rolls: Rolls | None = None) -> DiceData:
    """The odds of a roll; ``rolls`` remembers what several rolls have in common."""
    answer = odds_of_dice(*asked, rolls)
    goal = answer.at_least if answer.at_most is None else answer.at_most
    outcomes = answer.roll.outcomes if goal is None else (goal,)
    return DiceData(
        dice=answer.dice,
        against=answer.against,
        notes=reading_notes(asked, rolls),
        at_most=[ReachChance(n=number, **chance(answer.roll.between(None, number))) for number in outcomes],
        **distribution(answer.roll, outcomes=outcomes),
    )


def reading_notes(asked: Sides, rolls: Rolls | None = None) -> list[str]:
    """Which of two readings the dice of both sides were given; a roll that has a name has one reading."""
    texts = (text for text in (asked.dice, asked.against) if text is not None and text not in (rolls or {}))
    return [note for text in texts for note in ambiguity_notes(text)]


def distribution(roll: Distribution, added: int = 0, outcomes: Sequence[int] | None = None) -> RollData:
    """A roll and a number added to it: all its outcomes, or the chances of some."""
    shown = [(outcome, outcome - added) for outcome in outcomes or [rolled + added for rolled in roll.outcomes]]
    return RollData(
        pmf=[OutcomeChance(outcome=outcome, **chance(roll.exactly(rolled))) for outcome, rolled in shown],
        at_least=[ReachChance(n=outcome, **chance(roll.at_least(rolled))) for outcome, rolled in shown],
        mean=str(roll.mean + added),
        sd=float(roll.deviation),
        mean_exact=roll.moments is not None,
        residue=str(roll.residue),
        exact_from=None if roll.exact_low is None else int(roll.exact_low) + added,
        exact_to=None if roll.exact_high is None else int(roll.exact_high) + added,
    )


PLACES = 2
_BAR_WIDTH = 40
_ALL_OUTCOMES = 80
"""So many outcomes are all shown; of more, those that round to nothing are left out."""


def odds_lines(
    dice: str,
    against: str | None = None,
    at_least: int | None = None,
    at_most: int | None = None,
    rolls: Rolls | None = None,
) -> Iterator[str]:
    """Lines of the odds of dice, perhaps against other dice: all outcomes, or ``at_least`` or ``at_most`` a number."""
    answer = odds_of_dice(dice, against, at_least, at_most, rolls)
    yield summary_line(answer)
    if answer.at_least is answer.at_most is None:
        yield from distribution_lines(answer.roll)


def title_of(answer: DiceOdds) -> str:
    """The dice, and the dice against them."""
    return answer.dice if answer.against is None else f"{answer.dice} against {answer.against}"


def summary_line(answer: DiceOdds) -> str:
    """The chance that was asked about; where no chance was, the mean and the standard deviation."""
    roll = answer.roll
    if answer.at_least is not None:
        return f"{title_of(answer)}: {answer.at_least} or more  {chance_words(roll, answer.at_least)}"
    if answer.at_most is not None:
        return f"{title_of(answer)}: {answer.at_most} or less  {chance_words(roll, answer.at_most, at_most=True)}"
    return f"{title_of(answer)}: {mean_words(roll)}"


def chance_words(roll: Distribution, number: int, *, at_most: bool = False) -> str:
    """The chance of a number or more (or less), in percent and exactly; or how far off it is, or may be, at most."""
    chance = roll.between(None, number) if at_most else roll.at_least(number)
    if roll.is_exact(number + at_most):
        return f"{percent(chance, PLACES)}  ({chance})"
    low, high = chance - roll.residue, chance + roll.residue
    if low <= 0:
        return f"{percent(high, PLACES)}  (at most {scientific(high)})"
    if high >= 1:
        return f"{percent(low, PLACES)}  (all but at most {scientific(1 - low)})"
    return f"{percent(chance, PLACES)}  ({chance}, off by at most {scientific(roll.residue)})"


def mean_words(roll: Distribution, added: int = 0) -> str:
    """Mean and standard deviation of a roll and a number added to it; with ≈ where rolls that go on are left out."""
    sign = "" if roll.moments else "≈ "
    figures = [f"{sign}{decimal(number, PLACES)}" for number in (roll.mean + added, roll.deviation)]
    return f"mean {figures[0]}, standard deviation {figures[1]}"


def distribution_lines(
    roll: Distribution, added: int = 0, name: Callable[[int], str] | None = None, at_most: bool = False
) -> Iterator[str]:
    """A roll and a number added to it: a line for each outcome, with its name where outcomes have names.

    Beside the chance of each outcome stands that of the outcome or more, or of ``at_most`` the outcome.
    """
    shown, hidden = shown_outcomes(roll)
    likeliest = max(roll.exactly(outcome) for outcome in shown)
    names = [name(outcome + added) if name else "" for outcome in shown]
    width = max(map(len, names))
    gap = f"{'':<{width}} " if width else ""
    yield f"{'roll':>6} {gap}{'exactly':>9} {'at most' if at_most else 'at least':>9}"
    for outcome, label in zip(shown, names, strict=True):
        chance = roll.exactly(outcome)
        bar = "█" * round(_BAR_WIDTH * chance / likeliest)
        reached = percent(roll.between(None, outcome) if at_most else roll.at_least(outcome), PLACES)
        named = f"{label:<{width}} " if width else ""
        yield f"{outcome + added:>6} {named}{percent(chance, PLACES):>9} {reached:>9}  {bar}".rstrip()
    if hidden:
        yield f"({hidden} rarer outcomes at the ends are not shown; --format json has all)"
    if roll.residue:
        yield f"Open-ended: {followed_words(roll, shown)}."


def followed_words(roll: Distribution, shown: Iterable[int]) -> str:
    """How far a roll was followed, and what that leaves out of its mean and of the chances of the outcomes shown."""
    inexact = "" if all(map(roll.is_exact, shown)) else "; no chance is farther off than that"
    left_out = "" if roll.moments else "; ≈ leaves them out"
    return f"followed until only {scientific(roll.residue)} of the rolls go on{inexact}{left_out}"


def shown_outcomes(roll: Distribution) -> tuple[list[int], int]:
    """The outcomes worth a line, and how many are not: of few outcomes all, else those that round to something."""
    outcomes = list(roll.outcomes)
    if roll.is_open:
        outcomes = list(filter(roll.is_exact, outcomes)) or outcomes
    if len(outcomes) > _ALL_OUTCOMES or roll.residue:
        outcomes = [outcome for outcome in outcomes if not percent(roll.exactly(outcome), PLACES).startswith("<")]
    shown = outcomes or list(roll.outcomes)
    return shown, len(roll.outcomes) - len(shown)


def roll(dice: str) -> Roll:
    """The odds of a dice expression.

    Raises NotationError for what is no dice expression, ResolverError for dice whose odds cannot be worked out.

    >>> roll("2d6").at_least(10)
    Fraction(1, 6)
    """
    found = Roll(dice, lambda reach: distribution_of(dice, reach))
    found.dice = in_one_spelling(dice)
    return found


class Roll:
    """A distribution over whole numbers; every chance is a Fraction.

    An open-ended roll is exact for every number that ``is_exact``; a chance of any other number is off by the
    ``residue`` at most, which is the chance that the roll went on beyond the outcomes of ``pmf()``.
    """

    def __init__(self, dice: str, follow: Callable[[int], Distribution]) -> None:
        """``follow`` gives the distribution, followed as far as a number asks for."""
        self.dice = dice
        self._follow = follow
        self._distribution = follow(DEFAULT_REACH)

    def at_least(self, number: int) -> Fraction:
        """The chance of ``number`` or more."""
        return self._reaching(number).at_least(number)

    def at_most(self, number: int) -> Fraction:
        """The chance of ``number`` or less."""
        return 1 - self._reaching(number + 1).at_least(number + 1)

    def exactly(self, number: int) -> Fraction:
        """The chance of just ``number``."""
        return self._reaching(number).exactly(number)

    def is_exact(self, number: int) -> bool:
        """Whether the chances of a number leave nothing out.

        >>> roll("3d6!").is_exact(100), roll("even(d6!)").is_exact(1)
        (True, False)
        """
        return self._reaching(number).is_exact(number)

    @property
    def mean(self) -> Fraction:
        """The expected outcome; where not ``mean_is_exact``, without the rolls that go on.

        >>> roll("3d8!").mean
        Fraction(108, 7)
        """
        return self._distribution.mean

    @property
    def deviation(self) -> float:
        """The standard deviation; where not ``mean_is_exact``, without the rolls that go on."""
        return float(self._distribution.deviation)

    @property
    def mean_is_exact(self) -> bool:
        """Whether mean and deviation are those of the roll followed for ever."""
        return self._distribution.moments is not None

    @property
    def residue(self) -> Fraction:
        """The chance of rolls that were still open when they were no longer followed; 0 for a roll that ends."""
        return self._distribution.residue

    def pmf(self) -> Mapping[int, Fraction]:
        """The chance of each outcome, from the lowest to the highest."""
        return {outcome: self._distribution.exactly(outcome) for outcome in self._distribution.outcomes}

    def against(self, other: Roll) -> Contest:
        """The chances to roll more than another, as much, and less.

        >>> roll("d6").against(roll("d6")).win
        Fraction(5, 12)
        """
        margin = difference(self._follow, other._follow)
        return contest_of(margin, 0)

    def _reaching(self, number: int) -> Distribution:
        """The distribution, followed as far as a number asks for."""
        if self._distribution.is_exact(number):
            return self._distribution
        return self._follow(max(DEFAULT_REACH, abs(number)))

    def __repr__(self) -> str:
        return f"<Roll {self.dice}: {mean_words(self._distribution)}>"

    def __str__(self) -> str:
        """A line for each outcome, with a bar."""
        return "\n".join(distribution_lines(self._distribution))

    def _repr_html_(self) -> str:
        roll = self._distribution
        outcomes, hidden = shown_outcomes(roll)
        likeliest = max(roll.exactly(outcome) for outcome in outcomes)
        rows = [
            (
                outcome,
                percent(roll.exactly(outcome), PLACES),
                percent(roll.at_least(outcome), PLACES),
                round(100 * roll.exactly(outcome) / likeliest),
            )
            for outcome in outcomes
        ]
        return notebook_html("odds", title=self.dice, rows=rows, hidden=hidden)
