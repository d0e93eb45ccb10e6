"""Ladders, and the notations of cells that name levels or boxes: levels, changes to a track, conditions on traits.

In: "Legendary +4", "Med.", "Great (expert)", "8 Legendary", "Legendary (2nd)". Out: a Level of a ladder.
In: "4 Scratched boxes", "Good + 2 Hurt Boxes", "Great + Scratched[1-3], Hurt[4-6],V.Hurt[7-8] etc.", "Great + extra
Scratched, Hurt, V.Hurt box". Out: a TrackChange, its names as printed.
In: "Power - Authority >= +2", "Consent / Power <= Poor", "Tolerance <= Terrible and Prevalence >= Mediocre", and the
ladder of their levels. Out: a Condition, and back from it: plain words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from refgen.catalog import did_you_mean, typo_of
from refgen.errors import NotationError
from refgen.marks import DASHES, plain_marks
from refgen.notation.formula_tree import Grammar
from refgen.notation.number import read_interval
from refgen.notation.values import Condition, Interval, Level, Relation, TrackChange, TraitComparison
from refgen.words import Phrase, chain_texts

_LEVEL = re.compile(
    rf"(?:(?P<before>[-+{DASHES}]?\d+\+?|\*+)\s+)?\(?(?P<name>[^\W\d][^\d()+−]*?)\)?(?P<beyond>\+)?"
    r"(?:\s*\(?(?P<ordinal>\d+)(?:st|nd|rd|th)\)?)?"
    rf"(?:\s+\(?(?P<after>[-+{DASHES}]?\d+)\)?)?(?:\s*\((?P<gloss>[^()]+)\))?"
)


@dataclass(frozen=True, slots=True)
class Ladder:
    """The levels of one ladder from best to worst, and further names for some levels.

    ``signed`` is whether the document prints a plus before their numbers: "+2", but a difficulty of 15.
    """

    levels: tuple[Level, ...]
    aliases: Mapping[str, str] = field(default_factory=dict)
    signed: bool = True

    def find(self, name: str) -> Level | None:
        """The level of that name or alias, compared without case."""
        wanted = self.aliases.get(name, name).casefold()
        return next((level for level in self.levels if level.name.casefold() == wanted), None)

    def named(self, value: int) -> Level | None:
        """The level with that number."""
        return next((level for level in self.levels if level.value == value), None)

    @property
    def lowest(self) -> int:
        """The number of the worst level."""
        return min(level.value for level in self.levels)

    @property
    def highest(self) -> int:
        """The number of the best level."""
        return max(level.value for level in self.levels)


def level_name(text: str) -> tuple[str, str]:
    """The bare name in a printed level, and its gloss: "Good (professional)" is ("Good", "professional")."""
    match = _LEVEL.fullmatch(text)
    if match is None or not match["name"]:
        raise NotationError(f'"{text}" is not the name of a level')
    return match["name"].strip(), match["gloss"] or ""


def read_level(text: str, ladder: Ladder) -> Level:
    """A level of ``ladder``. A step beyond the ladder ("Superb +1", "Legendary 2nd") counts from the level named.

    A number printed beside the name that is not a step must be the level's own number.
    """
    if exact := ladder.find(text):
        return exact
    match = _LEVEL.fullmatch(text)
    if match is None:
        raise NotationError(f'"{text}" is not a level')
    name = match["name"].strip()
    level = ladder.find(name)
    if level is None:
        hint = did_you_mean(name, [level.name for level in ladder.levels])
        raise NotationError(f'"{name}" is not a level of the ladder', hint=hint)
    steps = int(match["ordinal"]) - 1 if match["ordinal"] else 0
    printed = match["before"] or match["after"]
    if printed and not printed.startswith("*"):
        number = int(plain_marks(printed).rstrip("+"))
        if number != level.value + steps:
            steps = _step_beyond(text, number, level, ladder)
    gloss = match["gloss"] or ""
    if not steps:
        return Level(level.name, level.value, gloss)
    beyond = ladder.named(level.value + steps)
    return Level(beyond.name if beyond else f"{level.name} {steps:+d}", level.value + steps, gloss)


def _step_beyond(text: str, number: int, level: Level, ladder: Ladder) -> int:
    if (number > 0 and level.value == ladder.highest) or (number < 0 and level.value == ladder.lowest):
        return number
    raise NotationError(f'"{text}" gives {level.name} the number {number:+d}; on its ladder it is {level.value:+d}')


_LETTER = r"[^\W\d_]"
_STATUS = rf"{_LETTER}(?:{_LETTER}|[. ])*?"
_SEPARATOR = re.compile(r"\s*,\s*(?![^\[]*\])")
_CONTINUES = re.compile(r",?\s*\betc\.?\s*$", re.IGNORECASE)
_BASE = re.compile(rf"(?P<base>{_LETTER}(?:{_LETTER}| )*?)\s*\+\s*")
_RANGE = re.compile(rf"(?P<status>{_STATUS})\s*\[(?P<range>[^\[\]]+)\]")
_BOXES = re.compile(rf"(?P<count>\d{{1,9}})\s+(?P<status>{_STATUS})\s+box(?:es)?", re.IGNORECASE)
_EXTRA = re.compile(rf"(?:extra\s+)?(?P<status>{_STATUS})(?:\s+box(?:es)?)?", re.IGNORECASE)


def read_track_change(text: str) -> TrackChange:
    """A change to a track. Raises NotationError for words that are no part of a change."""
    base = _BASE.match(text)
    rest = text[base.end() :] if base else text
    continues = _CONTINUES.search(rest)
    boxes: list[tuple[str, int]] = []
    extra: list[str] = []
    ranges: list[tuple[str, Interval]] = []
    for part in _SEPARATOR.split(rest[: continues.start()] if continues else rest):
        if match := _RANGE.fullmatch(part):
            ranges.append((match["status"], read_interval(match["range"])))
        elif match := _BOXES.fullmatch(part):
            boxes.append((match["status"], int(match["count"])))
        elif (extra or part.lower().startswith("extra ")) and (match := _EXTRA.fullmatch(part)):
            extra.append(match["status"])
        else:
            hint = 'Write "2 Hurt boxes", "Hurt[4-6]", "extra Hurt box", after "Good + " where it builds on another.'
            raise NotationError(f'"{part}" in "{text}" is no change to a track', hint=hint)
    return TrackChange(base["base"] if base else "", tuple(boxes), tuple(extra), tuple(ranges), continues is not None)


_TERM = re.compile(
    rf"\s*(?:(?P<number>[-+{DASHES}]?\d{{1,4}})"
    r"|(?P<words>(?!(?:and|or)\b)[^\W\d_][\w']*(?: +(?!(?:and|or)\b)[^\W\d_][\w']*)*))",
    re.IGNORECASE,
)
"""A number of a level, or the words of a trait or level. "or" is in no name: it could part traits or comparisons."""
_JOINT = re.compile(
    rf"\s*(?:(?P<minus>[-{DASHES}])|(?P<either>/)|(?P<relation>>=|<=|[≥≤<>=])|(?P<both>and\b))", re.IGNORECASE
)
"""The sign or word between two terms: "-" makes a difference, "/" parts alternatives."""

_RELATIONS: dict[str, Relation] = {">=": ">=", "<=": "<=", ">": ">", "<": "<", "=": "=", "≥": ">=", "≤": "<="}
_MIRRORED: dict[Relation, Relation] = {">=": "<=", "<=": ">=", ">": "<", "<": ">", "=": "="}
_IN_WORDS: dict[Relation, str] = {
    ">=": "condition-at-least",
    "<=": "condition-at-most",
    ">": "condition-above",
    "<": "condition-below",
    "=": "condition-exactly",
}
"""The ids of the words of each relation."""

GRAMMAR = Grammar("condition", 'Write conditions like "Wealth <= Poor", "Power - Authority >= +2", joined by "and".')

_Side = list[tuple[int, re.Match[str]]]
"""The terms of a difference, each with its sign."""


def read_condition(text: str, ladder: Ladder) -> Condition:
    """A condition. Words that are a level of ``ladder`` are its number; all other words are the name of a trait.

    Raises NotationError, whose message names the column, for a text that is no condition, for a comparison without
    a trait, and for words on the right that are nearly a level or start with a level: typos rather than traits.
    """
    return Condition(
        tuple(
            tuple(_comparison(left, relation, right, ladder) for left in alternatives)
            for alternatives, relation, right in _ConditionParser(text).clauses()
        )
    )


class _ConditionParser:
    """Reads one condition from left to right. Every method raises NotationError."""

    def __init__(self, text: str) -> None:
        GRAMMAR.check_length(text)
        self.text = text
        self.place = 0

    def clauses(self) -> Iterator[tuple[list[_Side], Relation, _Side]]:
        """The clauses, each as the alternatives on the left, the relation, and the right side."""
        while True:
            alternatives = [self.side()]
            while (joint := self.take(_JOINT, "either", "relation")).lastgroup == "either":
                alternatives.append(self.side())
            yield alternatives, _RELATIONS[joint["relation"]], self.side()
            if not self.text[self.place :].strip():
                return
            self.take(_JOINT, "both")

    def side(self) -> _Side:
        terms = [(1, self.take(_TERM, "number", "words"))]
        while (joint := _JOINT.match(self.text, self.place)) and joint.lastgroup == "minus":
            self.place = joint.end()
            terms.append((-1, self.take(_TERM, "number", "words")))
        return terms

    def take(self, pattern: re.Pattern[str], *kinds: str) -> re.Match[str]:
        """The next token, which must be of one of the kinds."""
        found = pattern.match(self.text, self.place)
        if found is None or found.lastgroup not in kinds:
            column = len(self.text) - len(self.text[self.place :].lstrip()) + 1
            ends = column > len(self.text)
            raise GRAMMAR.refused(self.text, column, "it ends too early" if ends else "this is not expected here")
        self.place = found.end()
        return found


def _comparison(left: _Side, relation: Relation, right: _Side, ladder: Ladder) -> TraitComparison:
    """Traits brought to the left, numbers to the right, and the first trait counted as a plus."""
    traits: Counter[str] = Counter()
    number, constants = 0, []
    for sign, term in (*left, *((-sign, term) for sign, term in right)):
        value = _constant(term, ladder)
        if value is None:
            traits[_same_name(term, traits)] += sign
        else:
            number -= sign * value.value
            constants.append(value)
    if len(right) == 1:
        _refuse_nearly_a_level(right[0][1], ladder)
    counted = tuple((name, count) for name, count in traits.items() if count)
    if not counted:
        raise GRAMMAR.refused(left[0][1].string, _column(left[0][1]), "no trait is left in this comparison")
    if counted[0][1] < 0:
        counted, relation, number = tuple((name, -count) for name, count in counted), _MIRRORED[relation], -number
    level = constants[0].name if len(constants) == 1 and constants[0].value == number else ""
    return TraitComparison(counted, relation, number, level)


def _column(term: re.Match[str]) -> int:
    return term.start(term.lastgroup or 0) + 1


def _constant(term: re.Match[str], ladder: Ladder) -> Level | None:
    """The level or the number that a term stands for; a plain number is a level without a name."""
    if term["number"]:
        return Level("", int(plain_marks(term["number"])))
    return ladder.find(" ".join(term["words"].split()))


def _same_name(term: re.Match[str], known: Counter[str]) -> str:
    """The name of a trait as it stands in the condition for the first time; case makes no difference."""
    name = " ".join(term["words"].split())
    return next((trait for trait in known if trait.casefold() == name.casefold()), name)


def _refuse_nearly_a_level(term: re.Match[str], ladder: Ladder) -> None:
    if _constant(term, ladder) is not None:
        return
    words, names = term["words"], [*(level.name for level in ladder.levels), *ladder.aliases]
    begins = (name for name in names if words.casefold().startswith(f"{name.casefold()} "))
    if (meant := next(begins, None) or typo_of(words, names)) is not None:
        hint = f'Did you mean {meant}? Where it is a trait, write "… - {words}" and compare with 0.'
        raise GRAMMAR.refused(term.string, _column(term), f'"{words}" is not a level of the ladder', hint)


def in_words(condition: Condition) -> str:
    """A condition in plain words: "Consent or Power at Poor or lower"."""
    return chain_texts("condition-and", map(_clause_in_words, condition.clauses))


def _clause_in_words(clause: Sequence[TraitComparison]) -> str:
    limits = {(part.relation, part.level or signed_text(part.number)) for part in clause}
    if len(limits) == 1:
        ((relation, level),) = limits
        return Phrase(_IN_WORDS[relation], trait=chain_texts("check-or", map(_sum_in_words, clause)), level=level)
    return chain_texts(
        "condition-either",
        (
            Phrase(_IN_WORDS[part.relation], trait=_sum_in_words(part), level=part.level or signed_text(part.number))
            for part in clause
        ),
    )


def signed_text(number: int) -> str:
    """The number of a level with its sign: "+2", "0", "-3"."""
    return f"{number:+d}" if number else "0"


def _sum_in_words(part: TraitComparison) -> str:
    text = ""
    for name, count in part.traits:
        term = name if abs(count) == 1 else f"{abs(count)} {name}"
        text = Phrase("condition-plus" if count > 0 else "condition-minus", first=text, second=term) if text else term
    return text
