"""Levels of a ladder and changes to a track as documents print them.

In: "Legendary +4", "Med.", "Great (expert)", "8 Legendary", "Legendary (2nd)", "Superb +1". Out: a Level, and the
ladder that gives levels their numbers. In: "4 Scratched boxes", "Good + 2 Hurt Boxes",
"Great + Scratched[1-3], Hurt[4-6],V.Hurt[7-8] etc.", "Great + extra Scratched, Hurt, V.Hurt box". Out: a TrackChange,
its names as printed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import get_args

from refgen.errors import NotationError
from refgen.notation.formula_tree import Grammar
from refgen.notation.number import read_interval
from refgen.notation.values import Condition, Interval, Level, Relation, TrackChange, TraitComparison
from refgen.suggestion import did_you_mean, typo_of

_LEVEL = re.compile(
    r"(?:(?P<before>[-+−]?\d+\+?|\*+)\s+)?\(?(?P<name>[^\W\d][^\d()+−]*?)\)?(?P<beyond>\+)?"
    r"(?:\s*\(?(?P<ordinal>\d+)(?:st|nd|rd|th)\)?)?"
    r"(?:\s+\(?(?P<after>[-+−]?\d+)\)?)?(?:\s*\((?P<gloss>[^()]+)\))?"
)


@dataclass(frozen=True, slots=True)
class Ladder:
    """The levels of one ladder from best to worst, and other names that they go by.

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
    """A level of ``ladder``. A step beyond it ("Superb +1", "Legendary 2nd") counts from the level named.

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
        raise _unknown(name, ladder)
    steps = int(match["ordinal"]) - 1 if match["ordinal"] else 0
    printed = match["before"] or match["after"]
    if printed and not printed.startswith("*"):
        number = int(printed.replace("−", "-").rstrip("+"))
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


def _unknown(name: str, ladder: Ladder) -> NotationError:
    hint = did_you_mean(name, [level.name for level in ladder.levels])
    return NotationError(f'"{name}" is not a level of the ladder', hint=hint)


_LETTER = r"[^\W\d_]"
_STATUS = rf"{_LETTER}(?:{_LETTER}|[. ])*?"
_SEPARATOR = re.compile(r"\s*,\s*(?![^\[]*\])")
_CONTINUES = re.compile(r",?\s*\betc\.?\s*$", re.IGNORECASE)
_BASE = re.compile(rf"(?P<base>{_LETTER}(?:{_LETTER}| )*?)\s*\+\s*")
_RANGE = re.compile(rf"(?P<status>{_STATUS})\s*\[(?P<range>[^\[\]]+)\]")
_BOXES = re.compile(rf"(?P<count>\d+)\s+(?P<status>{_STATUS})\s+box(?:es)?", re.IGNORECASE)
_EXTRA = re.compile(rf"(?:extra\s+)?(?P<status>{_STATUS})(?:\s+box(?:es)?)?", re.IGNORECASE)


def read_track_change(text: str) -> TrackChange:
    """Read a change. Raises NotationError for words that are none of its parts."""
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
            raise NotationError(
                f'"{part}" in "{text}" is no change to a track',
                hint='Write "2 Hurt boxes", "Hurt[4-6]", "extra Hurt box", after "Good + " where it builds on another.',
            )
    return TrackChange(base["base"] if base else "", tuple(boxes), tuple(extra), tuple(ranges), continues is not None)


_TERM = re.compile(
    r"(?P<number>[-+−]?\d{1,4})"
    r"|(?P<words>(?!(?:and|or)\b)[^\W\d_][\w']*(?: +(?!(?:and|or)\b)[^\W\d_][\w']*)*)",
    re.IGNORECASE,
)
"""A number or the words of a trait or level. Longer numbers than four digits are no levels, and "or" is no part of a
name: whether it parts traits or comparisons would be a guess."""
_JOINT = re.compile(r"(?P<minus>[-−])|(?P<either>/)|(?P<relation>>=|<=|[≥≤<>=])|(?P<both>and\b)", re.IGNORECASE)
"""What stands between two terms: a side is a difference; sides parted by "/" are alternatives."""
_BLANKS = re.compile(r"\s*")

_PLAIN_RELATION = {"≥": ">=", "≤": "<="}
_MIRRORED: dict[Relation, Relation] = {">=": "<=", "<=": ">=", ">": "<", "<": ">", "=": "="}
_IN_WORDS: dict[Relation, str] = {
    ">=": "at {} or higher",
    "<=": "at {} or lower",
    ">": "above {}",
    "<": "below {}",
    "=": "at exactly {}",
}
_SIGNED_WORD = {True: "plus", False: "minus"}


@dataclass(frozen=True, slots=True)
class _Term:
    """A number, or the words of a trait or level, and the column where they stand."""

    text: str
    column: int
    is_number: bool


_Signed = tuple[int, _Term]
_Side = list[_Signed]
"""The terms of a difference with their signs."""


@dataclass(slots=True)
class _Clause:
    """The left sides, the relation, "" until there is one, and the right side."""

    alternatives: list[_Side] = field(default_factory=lambda: [[]])
    relation: str = ""
    right: _Side = field(default_factory=list)

    @property
    def joints(self) -> Sequence[str]:
        """The kinds of joining words that may follow a term."""
        return ("minus", "both") if self.relation else ("minus", "either", "relation")

    def add(self, term: _Term) -> None:
        side = self.right if self.relation else self.alternatives[-1]
        side.append((-1 if side else 1, term))

    def join(self, joint: str, text: str) -> None:
        if joint == "either":
            self.alternatives.append([])
        elif joint == "relation":
            self.relation = text


LANGUAGE = Grammar("condition", 'Write conditions like "Wealth <= Poor", "Power - Authority >= +2", joined by "and".')


def read_condition(text: str, ladder: Ladder) -> Condition:
    """Read a condition. Words that are a level of ``ladder`` are its number, all others are the name of a trait.

    Raises NotationError, whose message names the column, for a text that is no condition, for a comparison without
    a trait, and for words compared with that are nearly a level or start with one, which are typos rather than traits.
    """
    return Condition(tuple(tuple(_alternatives(clause, text, ladder)) for clause in _clauses(text)))


def _clauses(text: str) -> Sequence[_Clause]:
    """The clauses of a text: terms, with the conjunctions between them."""
    LANGUAGE.check_length(text)
    clauses, at = [_Clause()], 0
    while True:
        term, at = _next(_TERM, text, at, ("number", "words"))
        clauses[-1].add(_Term(term[0], term.start() + 1, term.lastgroup == "number"))
        if clauses[-1].relation and not text[at:].strip():
            return clauses
        joint, at = _next(_JOINT, text, at, clauses[-1].joints)
        clauses[-1].join(joint.lastgroup or "", joint[0])
        if joint.lastgroup == "both":
            clauses.append(_Clause())


def _next(pattern: re.Pattern[str], text: str, at: int, kinds: Sequence[str]) -> tuple[re.Match[str], int]:
    """The next token of some kinds, and its end. Raises NotationError for anything else."""
    blanks = _BLANKS.match(text, at)
    start = at if blanks is None else blanks.end()
    found = pattern.match(text, start)
    if found is None or (found.lastgroup or "") not in kinds:
        raise LANGUAGE.refused(
            text, start + 1, "this is not expected here" if start < len(text) else "it ends too early"
        )
    return found, found.end()


def _alternatives(clause: _Clause, text: str, ladder: Ladder) -> Iterator[TraitComparison]:
    """The alternatives of a clause, each compared with the same right side."""
    for left in clause.alternatives:
        yield _comparison(left, _relation(clause.relation), clause.right, text, ladder)


def _relation(printed: str) -> Relation:
    wanted = _PLAIN_RELATION.get(printed, printed)
    return next(known for known in get_args(Relation) if known == wanted)


def _comparison(
    left: Sequence[_Signed], relation: Relation, right: Sequence[_Signed], text: str, ladder: Ladder
) -> TraitComparison:
    """Traits brought to the left, numbers to the right, and the first trait counted as a plus."""
    traits: Counter[str] = Counter()
    number, constants = 0, []
    for sign, term in (*left, *((-sign, term) for sign, term in right)):
        value = _constant(term, ladder)
        if value is None:
            traits[_same_name(term.text, traits)] += sign
        else:
            number -= sign * value.value
            constants.append(value)
    if len(right) == 1:
        _refuse_nearly_a_level(right[0][1], text, ladder)
    counted = tuple((name, count) for name, count in traits.items() if count)
    if not counted:
        raise LANGUAGE.refused(text, left[0][1].column, "no trait is left in this comparison")
    if counted[0][1] < 0:
        counted, relation, number = tuple((name, -count) for name, count in counted), _MIRRORED[relation], -number
    level = constants[0].name if len(constants) == 1 and constants[0].value == number else ""
    return TraitComparison(counted, relation, number, level)


def _constant(term: _Term, ladder: Ladder) -> Level | None:
    """The level or the number that a term stands for; a plain number is a level without a name."""
    if term.is_number:
        return Level("", int(term.text.replace("−", "-")))
    return ladder.find(" ".join(term.text.split()))


def _same_name(words: str, known: Counter[str]) -> str:
    """A trait by the name it went by before, for names are compared without case."""
    name = " ".join(words.split())
    return next((trait for trait in known if trait.casefold() == name.casefold()), name)


def _refuse_nearly_a_level(term: _Term, text: str, ladder: Ladder) -> None:
    if _constant(term, ladder) is not None:
        return
    names = [*(level.name for level in ladder.levels), *ladder.aliases]
    begins = (name for name in names if term.text.casefold().startswith(f"{name.casefold()} "))
    if (meant := next(begins, None) or typo_of(term.text, names)) is not None:
        hint = f'Did you mean {meant}? Where it is a trait, write "… - {term.text}" and compare with 0.'
        raise LANGUAGE.refused(text, term.column, f'"{term.text}" is not a level of the ladder', hint)


def in_words(condition: Condition) -> str:
    """A condition in plain words: "Consent or Power at Poor or lower"."""
    return ", and ".join(_clause_in_words(clause) for clause in condition.clauses)


def _clause_in_words(clause: Sequence[TraitComparison]) -> str:
    limits = [_IN_WORDS[part.relation].format(part.level or signed(part.number)) for part in clause]
    if len(set(limits)) == 1:
        return f"{' or '.join(_sum_in_words(part) for part in clause)} {limits[0]}"
    return ", or ".join(f"{_sum_in_words(part)} {limit}" for part, limit in zip(clause, limits, strict=True))


def signed(number: int) -> str:
    """A value of a trait as a number: "+2", "0", "-3"."""
    return f"{number:+d}" if number else "0"


def _sum_in_words(part: TraitComparison) -> str:
    words: list[str] = []
    for name, count in part.traits:
        words += [_SIGNED_WORD[count > 0]] if words else []
        words.append(name if abs(count) == 1 else f"{abs(count)} {name}")
    return " ".join(words)
