"""Actions: what a character of some trait rolls, and the chance that it succeeds or beats an opponent.

In: axes, a roll made ready, and the number that it is held against. Out: an Action, which answers with chances.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor

from refgen.catalog import did_you_mean, find_key
from refgen.errors import ResolverError
from refgen.marks import DASHES, TO_HYPHENS
from refgen.notation.values import Interval, Number
from refgen.resolver.dice.arithmetic import Rational
from refgen.resolver.dice.distribution import Distribution, either_open
from refgen.resolver.formula.axis import Axis, AxisEntry
from refgen.resolver.formula.following import reach_to
from refgen.resolver.formula.scope import Evaluator, NamedValue, Scope, named_number
from refgen.resolver.rolls import DIFFICULTY, MODIFIER, TRAIT
from refgen.rules.model import Cell
from refgen.span import Span
from refgen.words import ENGLISH, Words


@dataclass(frozen=True, slots=True)
class Degree:
    """A rolled degree: a roll, a number added to it, and the sources of both."""

    rolled: Distribution
    added: int
    sources: tuple[Span, ...] = ()

    def reaches(self, goal: int) -> Fraction:
        """The chance of a degree of at least ``goal``."""
        return self.rolled.at_least(goal - self.added)

    def between(self, low: int | None, high: int | None) -> Fraction:
        """The chance of a degree from ``low`` to ``high``; None for an open end."""
        ends = (None if end is None else end - self.added for end in (low, high))
        return self.rolled.between(*ends)

    def left_out(self, low: int | None, high: int | None = None) -> Fraction:
        """How far the chance of a degree from ``low`` to ``high`` may be off: 0 where it is exact."""
        ends = [end - self.added for end in (low, None if high is None else high + 1) if end is not None]
        return Fraction(0) if all(map(self.rolled.is_exact, ends)) else self.rolled.residue


@dataclass(frozen=True, slots=True)
class Attempt:
    """A rolled degree, and the number that it must reach, or must not exceed where it is to be ``at_most`` that."""

    degree: Degree
    goal: int
    at_most: bool = False

    @property
    def chance(self) -> Fraction:
        """The chance of success."""
        return self.degree.between(None, self.goal) if self.at_most else self.degree.reaches(self.goal)

    @property
    def left_out(self) -> Fraction:
        """How far the chance of success may be off: 0 where it is exact."""
        return self.degree.left_out(None, self.goal) if self.at_most else self.degree.left_out(self.goal)

    @property
    def margin(self) -> Degree:
        """By how much the degree succeeds: a margin of 0 or more is a success."""
        rolled, ahead = self.degree.rolled, self.goal - self.degree.added
        return Degree(*((rolled.negated(), ahead) if self.at_most else (rolled, -ahead)), self.degree.sources)


@dataclass(frozen=True, slots=True)
class Contest:
    """The chances of an opposed action: a draw keeps the status quo.

    ``below_minimum`` is the chance to be no worse than the other, but below the minimum: neither a win nor a draw.
    No chance is farther off than the ``residue``, the chance that open-ended rolls go on unseen; 0: all are exact.
    """

    win: Fraction
    draw: Fraction
    lose: Fraction
    below_minimum: Fraction = Fraction(0)
    residue: Fraction = Fraction(0)


def contest(degree: Degree, against: Degree, minimum: int | None = None) -> Contest:
    """The chances of two independent rolled degrees: the better degree wins, if it reaches ``minimum``."""
    without_minimum = contest_of(degree.rolled.less(against.rolled), against.added - degree.added)
    if minimum is None:
        return without_minimum
    win, reached = (_reaching(minimum, degree, against, least) for least in (1, 0))
    lose, residue = without_minimum.lose, either_open(degree.rolled, against.rolled)
    return Contest(win, reached - win, lose, 1 - lose - reached, residue)


def contest_of(margin: Distribution, ahead: int) -> Contest:
    """The chances of two rolls by their difference, where the second is ``ahead`` by so much."""
    win, not_worse = margin.at_least(ahead + 1), margin.at_least(ahead)
    return Contest(win, not_worse - win, 1 - not_worse, residue=Degree(margin, 0).left_out(ahead, ahead))


def _reaching(minimum: int, degree: Degree, against: Degree, least: int) -> Fraction:
    """The chance of a degree of at least ``minimum`` that is better than the other by ``least`` or more."""
    chances = ((degree.rolled.exactly(outcome), outcome + degree.added) for outcome in degree.rolled.outcomes)
    beaten = (chance * (1 - against.reaches(result + 1 - least)) for chance, result in chances if result >= minimum)
    return sum(beaten, Fraction(0))


@dataclass(frozen=True, slots=True)
class RollTarget:
    """The number that a roll must reach, or must not exceed where it is to be ``at_most`` that; and its formula.

    ``of_trait`` says whether the number is another one for each trait.
    """

    number: Evaluator
    formula: str
    at_most: bool
    of_trait: bool

    def goal(self, scope: Scope) -> int:
        """The last whole number that succeeds."""
        number = self.number(scope)
        return floor(number) if self.at_most else ceil(number)


@dataclass(frozen=True, slots=True)
class DifficultyUse:
    """How formulas use the difficulty: by which ``names``, and whether they do nothing but add its number.

    Without names the difficulty is the number that the roll must reach.
    """

    names: frozenset[str] = frozenset()
    is_added: bool = False


@dataclass(frozen=True, slots=True)
class Action:
    """A way to act: the traits, the difficulties (None in a game without difficulties), the roll and its target.

    Without a ``target``, the roll must reach the difficulty, or 0. Traits, difficulties and levels are given as people
    write them: by name or number, whatever their case and typography. Raises ResolverError for what the game does not
    have, with the nearest names.
    """

    title: str
    formula: str
    trait: Axis
    difficulty: Axis | None
    roll: Callable[[Scope, int], Distribution]
    added: Evaluator
    bands: Mapping[str, Interval] = field(default_factory=dict)
    target: RollTarget | None = None
    difficulty_use: DifficultyUse = DifficultyUse()

    def __repr__(self) -> str:
        return f"<Action {self.title}: {self.words()}>"

    def chance(self, trait: str | int, difficulty: str | int = "", modifier: int = 0) -> Fraction:
        """The chance that a trait succeeds: with a difficulty, in a game that has difficulties.

        A difficulty may be any whole number. In a game without difficulties, the name of a band asks for the chance to
        get a result in that band.

        >>> game.actions["four-df"].chance("Good", "Great", modifier=1)
        Fraction(50, 81)
        """
        entry = entry_named(self.trait, trait, TRAIT)
        if self.difficulty is not None and difficulty == "":
            raise self._needs_difficulty(self.difficulty)
        if self.difficulty is None and difficulty != "" and self.bands:
            bands = self.chances_of_bands(self.degree(entry, modifier))
            return bands[_key_meant(self.bands, difficulty, "band of results")]
        return self.attempt(entry, self.difficulty_named(difficulty), modifier).chance

    def difficulty_named(self, name: str | int) -> AxisEntry | None:
        """A difficulty by its name or as any whole number; None for ""."""
        if name == "":
            return None
        if self.difficulty is None:
            hint = "Give a modifier, or a trait to roll against."
            raise ResolverError(f"{self.title} has no difficulties", hint=hint)
        axis = self.difficulty.column.id
        try:
            return entry_named(self.difficulty, name, DIFFICULTY)
        except ResolverError:
            number = _whole_number(name)
            if number is None or not self.difficulty_use.names <= {axis}:
                raise
        return AxisEntry(Cell(str(number)), {axis: named_number(number)})

    @property
    def uses_difficulty(self) -> bool:
        """Whether the difficulty changes the roll or its target, and is no number to reach."""
        return bool(self.difficulty_use.names)

    @property
    def cannot_do_without_difficulty(self) -> bool:
        """Whether there is nothing to roll without a difficulty, because it does more than add."""
        return self.uses_difficulty and not self.difficulty_use.is_added

    @property
    def knows_modifiers(self) -> bool:
        """Whether a modifier changes its roll or its target."""
        return any(f"{{{MODIFIER}}}" in text for text in (self.formula, self.target.formula if self.target else ""))

    def chances_of_bands(self, degree: Degree) -> Mapping[str, Fraction]:
        """The chance of each band of results."""
        return {name: degree.between(band.low, band.high) for name, band in self.bands.items()}

    def contest(
        self,
        trait: str | int,
        against: str | int,
        modifier: int = 0,
        minimum: str | int = "",
        difficulty: str | int = "",
    ) -> Contest:
        """The chances of two traits that roll against each other; only the first has the modifier.

        The sides compare their rolls, or by how much they succeed where a roll succeeds at most at a number, or where
        each trait has a number to reach of its own. ``minimum`` is what the first must come to in order to win: a level
        of the difficulties, or a number. A difficulty that changes the roll or its target does so for both sides.
        """
        if difficulty != "" and not self.uses_difficulty:
            raise ResolverError(f"{self.title}: an opposed roll has no difficulty", hint="Give a minimum.")
        first, second = (entry_named(self.trait, name, TRAIT) for name in (trait, against))
        chosen = self.difficulty_named(difficulty)
        sides = self.compared(first, chosen, modifier), self.compared(second, chosen)
        return contest(*sides, None if minimum == "" else self._level(minimum))

    def compared(self, trait: AxisEntry, difficulty: AxisEntry | None = None, modifier: int = 0) -> Degree:
        """The side of a contest that a trait is on: its rolled degree, or by how much it succeeds."""
        if self.compares_margins:
            return self.attempt(trait, difficulty, modifier).margin
        return self.degree(trait, modifier, difficulty)

    @property
    def compares_margins(self) -> bool:
        """Whether the sides of a contest compare by how much they succeed."""
        return self.target is not None and (self.target.at_most or self.target.of_trait)

    def _level(self, name: str | int) -> int:
        """A level that a degree can reach."""
        if self.target is not None or self.uses_difficulty:
            if (number := _whole_number(name)) is None:
                raise ResolverError(f'"{name}" is no whole number', hint="Opposed rolls are compared as numbers here.")
            return number
        axis = self.difficulty or self.trait
        try:
            return number_of_entry(axis, entry_named(axis, name, "level"))
        except ResolverError:
            if (number := _whole_number(name)) is None:
                raise
            return number

    def degree(self, trait: AxisEntry, modifier: int = 0, difficulty: AxisEntry | None = None) -> Degree:
        """The rolled degree of a trait. Raises ResolverError when a broken number is added to the roll."""
        return self._roll_degree(self._scope(trait, modifier, difficulty))

    def attempt(self, trait: AxisEntry, difficulty: AxisEntry | None = None, modifier: int = 0) -> Attempt:
        """The rolled degree of a trait, and the number that it is held against."""
        scope = self._scope(trait, modifier, difficulty)
        if self.target is not None:
            goal = self.target.goal(scope)
        elif self.difficulty is not None and difficulty is not None and not self.uses_difficulty:
            goal = number_of_entry(self.difficulty, difficulty)
        else:
            goal = 0
        return Attempt(self._roll_degree(scope, goal), goal, self.target is not None and self.target.at_most)

    def _roll_degree(self, scope: Scope, goal: int = 0) -> Degree:
        added = self.added(scope)
        if not isinstance(added, int):
            raise ResolverError(f"{self.title}: {added} is added to the roll, which is no whole number")
        return Degree(self.roll(scope, reach_to(added, goal - added)), added, scope.sources)

    def _scope(self, trait: AxisEntry, modifier: int, difficulty: AxisEntry | None) -> Scope:
        """The meaning of the names in the formulas; a difficulty that is merely added is 0 where none is given."""
        if modifier and not self.knows_modifiers:
            raise ResolverError(f"{self.title} knows no modifiers", hint=f"Its roll names no {{{MODIFIER}}}.")
        changed = NamedValue.of(Cell(f"{modifier:+d}", Number(Fraction(modifier))))
        named = {**trait.named, MODIFIER: changed}
        if self.difficulty is None or not self.uses_difficulty:
            return Scope(named)
        if difficulty is not None:
            return Scope({**named, **difficulty.named})
        if self.cannot_do_without_difficulty:
            raise self._needs_difficulty(self.difficulty)
        return Scope({**named, **dict.fromkeys(self.difficulty_use.names, named_number(0))})

    def _needs_difficulty(self, difficulty: Axis) -> ResolverError:
        known = ", ".join(entry.shown.text for entry in difficulty.entries)
        numbers = ", and all whole numbers" if self.difficulty_use.names <= {difficulty.column.id} else ""
        return ResolverError(f"{self.title} needs a difficulty", hint=f"There are {known}{numbers}.")

    def words(self, modifier: int = 0, words: Words = ENGLISH) -> str:
        """The roll in words: "4dF + trait +1", "1d20, at most ability +1"."""
        roll, target = self._formula_in_words(self.formula, modifier, words), self.target_words(modifier, words)
        return words("action-with-target", roll=roll, target=target) if target else roll

    def target_words(self, modifier: int = 0, words: Words = ENGLISH) -> str:
        """The number that the roll is held against, in words: "at most ability +1"; "" for the difficulty, or 0."""
        if self.target is None:
            return ""
        name = "action-at-most" if self.target.at_most else "action-at-least"
        return words(name, number=self._formula_in_words(self.target.formula, modifier, words))

    def success_words(self, modifier: int = 0, words: Words = ENGLISH) -> str:
        """When the roll succeeds, in words: "4dF + trait reaches the difficulty"."""
        roll, target = self._formula_in_words(self.formula, modifier, words), self.target_words(modifier, words)
        return words("action-is" if target else "action-reaches", roll=roll, target=target)

    def _formula_in_words(self, formula: str, modifier: int, words: Words) -> str:
        """A formula in words, in which axes are called by their ids, or as the language calls the usual ids."""
        plain = formula.replace(f" + {{{MODIFIER}}}", f" {modifier:+d}" if modifier else "")
        for axis in filter(None, (self.trait, self.difficulty)):
            name = axis.column.id
            called = words(f"in-formula-{name}") if name in (TRAIT, DIFFICULTY) else name.replace("-", " ")
            plain = plain.replace(f"{{{name}}}d", f"({called})d").replace(f"{{{name}}}", called)
            for value in re.findall(rf"{{{re.escape(name)}\.([^{{}}]*)}}", plain):
                plain = plain.replace(f"{{{name}.{value}}}", words("value-of-axis", name=called, value=value))
        return plain.replace("{", "").replace("}", "")


def entry_named(axis: Axis, name: str | int, what: str) -> AxisEntry:
    """A trait or difficulty by its name or number; case and typographic variants make no difference."""
    written: dict[str, AxisEntry] = {}
    for entry in axis.entries:
        for form in (entry.shown.text, *_numbers(entry.named[axis.column.id].number)):
            written.setdefault(form, entry)
    return written[_key_meant(written, name, what, [entry.shown.text for entry in axis.entries])]


def _key_meant(known: Mapping[str, object], name: str | int, what: str, shown: Sequence[str] = ()) -> str:
    """The key that a person means. Raises ResolverError for an unknown key, with the nearest of the ``shown`` names."""
    if (key := find_key(str(name), known)) is None:
        raise ResolverError(f'"{name}" is no {what} of this game', hint=did_you_mean(str(name), shown or list(known)))
    return key


def _numbers(number: Rational | None) -> Sequence[str]:
    """How a number may be written: "1", "+1"."""
    return () if number is None else (str(number), f"+{number}") if number >= 0 else (str(number),)


_WHOLE = re.compile(rf"\s*[-+{DASHES}]?\d{{1,4}}\s*")


def _whole_number(name: str | int) -> int | None:
    """The whole number that stands in place of a name; None for a name."""
    return int(str(name).translate(TO_HYPHENS)) if _WHOLE.fullmatch(str(name)) else None


def number_of_entry(axis: Axis, entry: AxisEntry) -> int:
    """The number of a trait or difficulty."""
    number = entry.named[axis.column.id].number
    if not isinstance(number, int):
        hint = f'Take the column of the numbers, or name it: at_least = "{{{axis.column.id}.column}}".'
        raise ResolverError(f'"{entry.shown.text}" has no whole number', hint=hint)
    return number
