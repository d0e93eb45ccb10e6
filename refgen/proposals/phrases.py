"""Phrases by which rules tell of dice, targets and traits, in one language.

In: phrases/<tag>.toml, a file for each language, which its first lines explain. Out: Phrases, which find their clues in
a text. Each clue is evidence of something, which stands beside its name in ``Clue``.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Literal, TypeVar, get_args

from refgen.languages import any_of, base, data
from refgen.rules.toml import Strict

Clue = Literal[
    "reach",  # a total succeeds that is at least {target}
    "reach-over",  # a total succeeds that is more than {over}
    "reach-difficulty",  # a total succeeds that is at least the difficulty
    "reach-open",  # the same, but the words leave open whether an equal result succeeds
    "margin",  # a total is beyond the number to reach by {margin}
    "under",  # a roll succeeds that is at most a trait
    "under-open",  # the same, but the words leave open whether an equal result succeeds
    "count",  # each die succeeds that shows {success}
    "count-difficulty",  # each die succeeds that shows at least the difficulty
    "count-under",  # each die succeeds that is at most a number
    "sum",  # the dice of a pool are added
    "trait-dice",  # a trait is a number of dice
    "high-band",  # the highest results of a roll in three bands: "10+"
    "middle-band",  # the middle results: "7-9"
    "low-band",  # the lowest results: "6-"
    "band-table",  # results in three bands stand in a table
    "highest-die",  # the highest die of a pool counts
    "top-face",  # the meaning of the highest face of such a die
    "middle-faces",  # the meaning of the faces below
    "step-die",  # each trait is a die
    "step-again",  # the die of a trait is rolled again and added on its highest face
    "further-die",  # a die is rolled beside that of the trait
    "usual-dice",  # {dice} of the whole game
    "base-roll",  # {dice} to which a trait is added
    "attributes",  # {dice} by which traits are made
    "range",  # traits go from {low} to {high}
    "range-behind",  # the traits go from {low} to {high} whose name stands in the sentence before
    "several-traits",  # more than one trait is added to a roll
    "trait-level",  # traits have levels
    "level-head",  # the head of a column of levels
    "on-ladder",  # a number to reach stands on the ladder of the game
    "always",  # a {face} of the die succeeds, whatever the trait
    "never",  # a {face} of the die fails, whatever the trait
    "certain-results",  # some results succeed or fail whatever the trait, in whatever words
    "no-certain-faces",  # no face succeeds or fails whatever the trait
    "of-attacks",  # a rule of attacks alone
    "partial",  # some rolls succeed in part
    "explode",  # dice are rolled again and added
    "wild-again",  # the wild die of a pool is rolled again and added
    "cancel",  # dice take successes away
    "double",  # dice count as two successes
    "advantage",  # dice are rolled twice
    "keep",  # of the dice that make a trait only a few count
    "choose",  # of the dice of a roll only a few count
    "each-die",  # each die counts alone
    # Single words that tell what a sentence is about:
    "roll",
    "trait",
    "test",
    "success",
    "hit",
    "failure",
    "pool",
    "difficulty",
    "difficulty-table",
    "total",
    "modifier",
    "attack",
    "or-more",
    "special",
    "example",
]
"""The clues that phrases give."""

CLUES: Sequence[Clue] = get_args(Clue)

_FOLDER = Path(__file__).parent / "phrases"
KNOWN = tuple(sorted(path.stem for path in _FOLDER.glob("*.toml")))
"""The tags of the languages that have phrases."""

Meaning = TypeVar("Meaning", str, int)

_TELLING: Sequence[Clue] = ("roll", "trait", "success")
"""The clues whose words show the language of rules that are too short to show it otherwise."""

OTHERWISE = "en"
"""The language of documents that do not tell theirs, and of those whose language has no phrases."""

_GAP = r"(?:[^.!?\n]|\.(?=\w)){0,110}?"
"""Some characters of one sentence."""

_TOKEN = re.compile(
    r"\{(?P<value>[a-z]+)\}|<(?P<list>[a-z]+)>|(?P<gap> ?… ?)|(?P<mark>[\[\]()|])|(?P<blank> +)|(?P<rest>\*)"
    r"|(?P<word>[^\[\](){}<>|…* ]+)"
)
_MARKS = {"[": "(?:", "]": ")?", "(": "(?:", ")": ")", "|": "|"}
_BLANK = r"[ \xa0\n]+"
_FIGURES = r"\d{1,6}"
"""The digits of a number; rules have none with more."""
_LONGEST_REST = 20
"""The most numbers behind the first number of a list; without a bound, the search of a long list takes its square."""


_DICE = re.compile(r"(\d*)d(\d+|F)")


def faces(dice: str) -> tuple[int, int | None]:
    """How many dice in refgen's notation, and their highest face; None for dice without one number of faces."""
    match = _DICE.fullmatch(dice)
    if match is None:
        return 1, None
    return int(match[1] or 1), 1 if match[2] == "F" else int(match[2])


class PhraseFile(Strict):
    """A file of phrases; its letters of dice and number words are those that the file of the language does not have."""

    dice_letters: list[str] = []
    numbers: dict[str, int] = {}
    dice: dict[str, str] = {}
    words: dict[str, list[str]]
    clues: dict[Clue, list[str]]


@dataclass(frozen=True, slots=True)
class PhraseWords:
    """The words of a language by which phrases are read: numbers and dice by their words, and lists of words."""

    numbers: Mapping[str, int]
    dice: Mapping[str, str]
    letters: Sequence[str]
    lists: Mapping[str, Sequence[str]]

    @classmethod
    def of(cls, tag: str, file: PhraseFile, dice: Mapping[str, str]) -> PhraseWords:
        """The words of a file of phrases and of its language, and further words for ``dice``."""
        known = data(tag)
        unsure = known.get("unsure", "").split()
        numbers = {word: int(number) for number, words in known["numbers"].items() for word in words.split()}
        sure = {word: number for word, number in numbers.items() if word not in unsure}
        return cls(
            _folded_keys(sure | file.numbers),
            _folded_keys(file.dice | dict(dice)),
            ("d", *known.get("dice_letters", ()), *file.dice_letters),
            file.words,
        )

    def joints(self, *names: str, signs: str = "") -> str:
        """An expression for the signs, and the words of some lists ("to", "or"), that join numbers."""
        return "|".join(map(re.escape, [*signs, *(word for name in names for word in self.lists.get(name, ()))]))


@dataclass(frozen=True, slots=True)
class ClueMatch:
    """A place in a text where a phrase of a clue stands, with the places of its values by name."""

    clue: Clue
    start: int
    end: int
    values: Mapping[str, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class PhraseExpression:
    """The regular expression of a phrase, and words without which a text has no such phrase, in folded case.

    Of each set in ``needed`` at least one word stands in every match. To look for words takes a tenth of the time.
    """

    pattern: str
    needed: Sequence[frozenset[str]]

    def may_stand_in(self, text: str) -> bool:
        """Whether a text in folded case has the needed words."""
        return all(any(word in text for word in words) for words in self.needed)


@dataclass(frozen=True)
class Phrases:
    """The phrases of one language, ready to find."""

    language: str
    words: PhraseWords
    expressions: Mapping[Clue, Sequence[PhraseExpression]]
    """Of each clue. What is asked for is compiled: it takes most of the time to read a language."""

    def find(self, clue: Clue, text: str) -> Iterator[ClueMatch]:
        """Every place where a phrase of a clue stands in a folded text; of matches that start alike, the longest."""
        found: dict[tuple[int, ...], ClueMatch] = {}
        for pattern in self._patterns(clue, text):
            for match in pattern.finditer(text):
                values = {name: match.span(name) for name in pattern.groupindex if match.start(name) >= 0}
                key = next(iter(values.values()), match.span())
                if key not in found or found[key].end < match.end():
                    found[key] = ClueMatch(clue, *match.span(), values)
        yield from sorted(found.values(), key=lambda match: (match.start, match.end))

    def with_dice(self, dice: Mapping[str, str]) -> Phrases:
        """The phrases with further words for dice."""
        return _read(self.language, tuple(sorted(dice.items())))

    def has(self, clue: Clue, text: str) -> bool:
        """Whether a phrase of a clue stands in a folded text."""
        return any(pattern.search(text) for pattern in self._patterns(clue, text))

    def _patterns(self, clue: Clue, text: str) -> Iterator[re.Pattern[str]]:
        """The patterns of a clue that may stand in a text."""
        folded = text.casefold()
        for expression in self.expressions.get(clue, ()):
            if expression.may_stand_in(folded):
                yield _compile_pattern(expression.pattern)

    def is_last_of_list(self, text: str) -> bool:
        """Whether a folded text ends in a list of numbers that a value behind the text would end: "5s and"."""
        pattern = _compile_pattern(rf"(?:\d|{_any_of(self.words.numbers)})s?(?:, ?|,? (?:{self.words.joints('or')}) )$")
        return pattern.search(text) is not None

    def is_list(self, text: str) -> bool:
        """Whether a folded text of numbers names them one by one, as "1, 3 or 6" does, and "3-6" does not."""
        return re.search(rf",|\W(?:{self.words.joints('or')})\W", text, re.IGNORECASE) is not None

    def dice(self, text: str) -> Iterator[tuple[int, int]]:
        """The places of dice in a folded text."""
        return (match.span() for match in self._dice.finditer(text))

    @cached_property
    def _dice(self) -> re.Pattern[str]:
        return _compile_pattern(_value_pattern("dice", self.words))

    def dice_meant(self, printed: str) -> str:
        """Printed dice in refgen's notation: "2d6" of "2W6" and of "two six-sided dice"."""
        word = " ".join(printed.casefold().split())
        if (known := self.words.dice.get(word)) is not None:
            return known
        first, _, rest = word.partition(" ")
        if rest and _is_number(first, self.words.numbers):
            count, die = self.numbers_meant(first)[0], self.dice_meant(rest)
            return die if count == 1 or not die.startswith("d") else f"{count}{die}"
        letters = "|".join(map(re.escape, self.words.letters))
        plain = re.sub(rf"(?i)(?:{letters})(?=[\d%f])", "d", word).replace("df", "dF")
        return plain[1:] if plain.startswith("1d") else plain.replace("d%", "d100")

    def numbers_meant(self, printed: str) -> Sequence[int]:
        """The numbers in a printed text, such as 7 and 9 of "7-9" or 6 of "six"."""
        words = self.words.numbers
        if (known := words.get(" ".join(printed.casefold().split()))) is not None:
            return [known]
        signed = re.sub(r"(?<=\d) ?- ?(?=\d)", " ", printed.casefold())
        found = re.findall(r"[+-]?\d+|\w+", signed)
        return [words[word] if word in words else int(word) for word in found if _is_number(word, words)]


def _is_number(word: str, words: Mapping[str, int]) -> bool:
    return word in words or re.fullmatch(rf"[+-]?{_FIGURES}", word) is not None


def _folded_keys(words: Mapping[str, Meaning]) -> Mapping[str, Meaning]:
    return {" ".join(word.casefold().split()): meant for word, meant in words.items()}


def phrases_of(tag: str) -> Phrases:
    """The phrases of a language by its tag ("pt-BR"); those of English where the language has none."""
    return _read(base(tag) if base(tag) in KNOWN else OTHERWISE)


def phrases_for(tag: str, text: str) -> Phrases:
    """The phrases of a language; without a tag, those of the language whose words for rolls a text has most."""
    if tag:
        return phrases_of(tag)
    known = [phrases_of(OTHERWISE), *(phrases_of(other) for other in KNOWN if other != OTHERWISE)]
    return max(known, key=lambda phrases: sum(1 for clue in _TELLING for _ in phrases.find(clue, text)))


@cache
def _read(language: str, dice: tuple[tuple[str, str], ...] = ()) -> Phrases:
    file = PhraseFile.model_validate(tomllib.loads((_FOLDER / f"{language}.toml").read_text(encoding="utf-8")))
    words = PhraseWords.of(language, file, dict(dice))
    expressions = {clue: [_expression(phrase, words) for phrase in file.clues.get(clue, ())] for clue in CLUES}
    return Phrases(language, words, expressions)


@cache
def _compile_pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _expression(phrase: str, words: PhraseWords) -> PhraseExpression:
    """The expression of a phrase, which begins and ends with whole words."""
    pattern = rf"(?<![\w+-]){_inner_pattern(phrase, words)}(?!\w)"
    return PhraseExpression(pattern, sorted(_needed_words(_TOKEN.finditer(phrase), words), key=len))


_Needed = list[frozenset[str]]


def _needed_words(tokens: Iterator[re.Match[str]], words: PhraseWords) -> _Needed:
    """Sets of words of a phrase, up to the end of a group: each match has a word of each set."""
    alternatives: list[_Needed] = [[]]
    for token in tokens:
        if token["mark"] in ("]", ")"):
            break
        if token["mark"] == "[":
            _needed_words(tokens, words)  # may be missing
        elif token["mark"] == "(":
            alternatives[-1] += _needed_words(tokens, words)
        elif token["mark"] == "|":
            alternatives.append([])
        elif token["list"]:
            listed = words.lists[token["list"]]
            alternatives[-1] += _any_needed([_needed_words(_TOKEN.finditer(phrase), words) for phrase in listed])
        elif token["word"]:
            alternatives[-1].append(frozenset([token["word"].casefold()]))
    return _any_needed(alternatives)


def _any_needed(alternatives: Sequence[_Needed]) -> _Needed:
    """The sets of one of several phrases: of more than one phrase, the longest words of each together."""
    if len(alternatives) == 1:
        return alternatives[0]
    if not all(alternatives):
        return []  # one of the phrases needs no word
    return [frozenset().union(*(max(needed, key=lambda of: min(map(len, of))) for needed in alternatives))]


def _inner_pattern(phrase: str, words: PhraseWords) -> str:
    pieces = []
    for token in _TOKEN.finditer(phrase):
        if token["value"]:
            pieces.append(_value_pattern(token["value"], words))
        elif token["list"]:
            pieces.append(f"(?:{'|'.join(_inner_pattern(word, words) for word in words.lists[token['list']])})")
        elif token["gap"]:
            pieces.append(rf"(?:(?!\w)|(?<!\w)){_GAP}(?<!\w)")
        elif token["mark"]:
            pieces.append(_MARKS[token["mark"]])
        elif token["blank"]:
            pieces.append(_BLANK)
        else:
            pieces.append(r"\w*" if token["rest"] else re.escape(token["word"]))
    return "".join(pieces)


def _value_pattern(name: str, words: PhraseWords) -> str:
    """The regular expression of a value by its name: dice, an interval, or a number in figures or words."""
    number = rf"(?:[+-]?{_FIGURES}|{_any_of(words.numbers)})"
    if name == "dice":
        letters = "|".join(map(re.escape, words.letters))
        printed = rf"\d*(?:{letters})(?:\d+|%|F\b)"
        in_words = f"|{_any_of(words.dice)}" if words.dice else ""
        count = rf"(?:(?<![\w.,+-])(?:\d|{_any_of(words.numbers)}){_BLANK})?"
        return rf"(?P<dice>{count}(?<![\w.,])(?:{printed}{in_words})(?![\d%]|[.,]\d))"
    to, joined = words.joints("to", signs="-"), words.joints("or")
    if name == "middle":
        word = rf"(?:{_FIGURES}|{_any_of(words.numbers)})"
        several = (
            rf"{word} ?(?:{to}) ?{word}|{word}(?:, ?{word}){{1,{_LONGEST_REST}}},? (?:{joined}) {word}"
            rf"|{_FIGURES} (?:{joined}) {_FIGURES}"
        )
        return rf"(?P<middle>(?<![\w.,+/-])(?:{several})(?!\w|[%/]|-\d))"
    if name == "faces":
        return rf"(?P<middle>(?<![\w.,+/-])\d ?(?:{words.joints('to', 'or', signs='-/')}) ?\d(?!\w|[/.-]\d))"
    if name in ("success", "face"):
        more = rf"s?(?:, ?{_FIGURES}s?){{0,{_LONGEST_REST}}},? (?:{joined}) {number}"
        number = rf"(?:{_FIGURES} ?(?:{to}) ?{_FIGURES}|{number}(?:{more})?)"
    behind = "" if name == "low" else r"|-\d"
    return rf"(?P<{name}>(?<![\w.,])(?:{number})(?!\w?\d|%|[.,]\d{behind}))"


def _any_of(known: Mapping[str, object]) -> str:
    return any_of(known).replace("\\ ", _BLANK)
