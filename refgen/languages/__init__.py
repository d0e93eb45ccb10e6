"""How a language writes numbers, ranges and dice, and its words as expressions and signs: "5 or more" is "5+".

In: the tag of a language: "de", "pt-BR"; a text. Out: a Language, from the file of that language in this folder;
expressions for its words, in a notation that both Python and RE2 know; the text with signs in place of its words; the
tag of the language that a text is in, by its commonest words.

English words hold in cells and sentences of every language with a file, unless the word means another number there
("mil"); in running text only the words of the language itself are numbers.

A file has these keys, all of which may be missing:

    decimal          how one and a half is written: "1.5" or "1,5"
    dice_letters     letters for dice besides d
    nothing_rolled   the words of a cell of dice where nothing is rolled
    changing_words   words behind a number that change the number, and are no unit and no label of dice
    common_words     the commonest words of running text, by which a text shows its language
    marks            three common words that no neighbouring language has
    unsure           number words that are mostly an article or a noun in running text
    comparing        words that show that a word of ``unsure`` before them is a number: "one level higher"

    [numbers]        by number, its words in all common genders and cases
    [factors]        by number, words like "half" and "twice"
    [multiples]      by number, the words behind a figure that multiply the figure, spelled as they are printed
    [titles]         words by which titles and heads show what they are about: see title_words.py
    [ranges]         at_least, at_most, between and either: words around {n}, or around {low} and {high}; (a|b) are
                     alternatives. ``either`` joins the last number of a list: "5 or 6", "1, 3 and 5"; two numbers and
                     a word that ``between`` has too are a range: "-4 and 4"
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from refgen.marks import DASHES

if TYPE_CHECKING:
    from babel import Locale

Numbers = Literal["", "1.5", "1,5"]
"""How one and a half is written; "" if nobody says."""

_FOLDER = Path(__file__).parent
KNOWN = tuple(sorted(path.stem for path in _FOLDER.glob("*.toml")))
"""The tags of the languages that have a file."""


@dataclass(frozen=True, slots=True)
class RangeWords:
    """The words of ranges, as templates: "{n} or more", "up to {n}", "{low} to {high}", "{low} or {high}"."""

    at_least: tuple[str, ...] = ()
    at_most: tuple[str, ...] = ()
    between: tuple[str, ...] = ()
    either: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False, repr=False)
class Language:
    """A language; a language without a file has no words.

    ``numbers`` and ``multiples`` give the number of a word, ``in_text`` are the words that are numbers wherever they
    stand in running text. Words of ``numbers``, ``nothing_rolled`` and ``changing_words`` are in lower case.
    """

    tag: str
    decimal: Numbers = ""
    dice_letters: tuple[str, ...] = ()
    numbers: Mapping[str, Fraction] = field(default_factory=dict)
    multiples: Mapping[str, int] = field(default_factory=dict)
    ranges: RangeWords = RangeWords()
    nothing_rolled: frozenset[str] = frozenset()
    changing_words: frozenset[str] = frozenset()
    in_text: tuple[str, ...] = ()
    unsure: tuple[str, ...] = ()
    comparing: frozenset[str] = frozenset()

    def __repr__(self) -> str:
        return f"<Language {self.tag}>"

    def within(self, text: str) -> Language:
        """The language with only the words that a text has: fewer words are looked for in the text more quickly."""
        there = text.lower()
        kinds = (getattr(self.ranges, kind) for kind in _KINDS)
        forms = (tuple(form for form in kind if _may_stand(form, there)) for kind in kinds)
        return replace(
            self,
            numbers={word: number for word, number in self.numbers.items() if word in there},
            ranges=RangeWords(*forms),
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """In another process, the language of the same tag: each tag has one Language, which caches go by."""
        return language_of, (self.tag,)


def _may_stand(form: str, text: str) -> bool:
    """Whether a text may hold a range: it has each word of the form, and the words of one of each alternatives."""
    pieces = [group or word for group, word in re.findall(r"\(([^()]*)\)|([^\s(){}]+)(?=\s|\Z)", form)]
    return all(any(all(word in text for word in way.split()) for way in piece.split("|")) for piece in pieces)


def base(tag: str) -> str:
    """The language of a tag without its region: "pt" for "pt-BR"."""
    return tag.replace("_", "-").partition("-")[0].lower()


@lru_cache(maxsize=64)
def language_of(tag: str) -> Language:
    """The language of a tag; a tag without a file gives a language without words.

    Raises ValueError for a tag that is none.
    """
    name = base(tag)
    decimal = decimal_mark(tag)
    if name not in KNOWN:
        return Language(tag, decimal)
    own, english = data(name), data("en")
    both = (english, own)  # a word of the language itself comes last, and counts
    ranges = [
        tuple(form for words in (own, english) for form in words.get("ranges", {}).get(kind, ())) for kind in _KINDS
    ]
    numbers = _by_word(own, "numbers") | _by_word(own, "factors")
    unsure = _words(own, "unsure")
    return Language(
        tag,
        decimal,
        tuple(own.get("dice_letters", ())),
        _by_word(english, "numbers") | _by_word(english, "factors") | numbers,
        {word: int(number) for words in both for word, number in _by_word(words, "multiples").items()},
        RangeWords(*(tuple(dict.fromkeys(forms)) for forms in ranges)),
        frozenset(word for words in both for word in words.get("nothing_rolled", ())),
        frozenset(word for words in both for word in _words(words, "changing_words")),
        tuple(word for word in numbers if word not in unsure),
        unsure,
        frozenset(_words(own, "comparing")),
    )


_KINDS = ("at_least", "at_most", "between", "either")


@lru_cache(maxsize=64)
def data(name: str) -> Mapping[str, Any]:
    """The contents of the file of a language."""
    return tomllib.loads((_FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


def _words(of: Mapping[str, Any], key: str) -> tuple[str, ...]:
    return tuple(of.get(key, "").split())


def _by_word(of: Mapping[str, Any], key: str) -> dict[str, Fraction]:
    """The numbers of a table of a file, by word."""
    return {word: Fraction(number) for number, words in of.get(key, {}).items() for word in words.split()}


def decimal_mark(tag: str) -> Numbers:
    """How one and a half is written in the language of a tag; "" for a language with neither a comma nor a point."""
    if not tag:
        return ""
    if tag in KNOWN:
        written: Numbers = data(tag)["decimal"]
        return written
    mark = locale(tag).number_symbols.get("latn", {}).get("decimal")
    return "1,5" if mark == "," else "1.5" if mark == "." else ""


def locale(tag: str) -> Locale:
    """The data of Babel on a language or a region. Raises ValueError for a tag that is none."""
    from babel import Locale, UnknownLocaleError  # takes a tenth of a second, and few documents name a region

    try:
        return Locale.parse(tag, sep="-")
    except (UnknownLocaleError, ValueError) as error:
        raise ValueError(f'"{tag}" is no language; write a tag such as "de" or "pt-BR"') from error


ENGLISH = language_of("en")
"""The language of a document of which nobody says anything."""

_LETTER = re.compile(r"[^\W\d_]")
_END = r"[-+]?\d+"
_NUMBER = re.compile(_END)


def in_signs(text: str, language: Language) -> str:
    """A range of whole numbers with signs for its words, ".." between and "&" for "or"; words of another kind stay."""
    if not _LETTER.search(text):
        return text
    for pattern, sign in _ranges(language):
        if pattern.fullmatch(text):
            return sign.join(_NUMBER.findall(text)) + ("" if sign == ".." else sign)
    text = _between_numbers(_joint(language.ranges.either)).sub("&", text)
    return _between_numbers(_joint(language.ranges.between, _DOTS)).sub("..", text)


def join_range_words(text: str, language: Language) -> str:
    """A text with ".." for the words that stand alone between the two numbers of a range: "-1 to -3" is "-1..-3"."""
    return _between_numbers(range_joint(language)).sub("..", text) if _LETTER.search(text) else text


@lru_cache(maxsize=64)
def _ranges(language: Language) -> Sequence[tuple[re.Pattern[str], str]]:
    words = language.ranges
    kinds = ((words.at_least, "+"), (words.at_most, "-"), (words.between, ".."))
    return [(re.compile(alternatives(forms, _END), re.IGNORECASE), sign) for forms, sign in kinds if forms]


@lru_cache(maxsize=64)
def _between_numbers(joint: str) -> re.Pattern[str]:
    return re.compile(rf"(?<=\d){joint}(?=[-+{DASHES}]? ?\d)", re.IGNORECASE)


_DOTS = r" ?\.\. ?"


def range_joint(language: Language) -> str:
    """An expression without groups for what stands between the two numbers of a range."""
    return _joint((*language.ranges.between, *language.ranges.either), _DOTS)


def _joint(forms: Iterable[str], *signs: str) -> str:
    """An expression for the words between the two numbers of some forms, and for signs there."""
    alone = (form for form in forms if form.startswith("{low}"))
    words = (form.removeprefix("{low} ").removesuffix(" {high}").replace("(", "(?:") for form in alone)
    return "(?:" + ("|".join([*(f",? +{word} +" for word in words), *signs]) or "(?!)") + ")"


def alternatives(forms: Iterable[str], number: str) -> str:
    """An expression without groups for any of some forms of ranges, with ``number`` for each of their numbers."""
    return "|".join(_expression(form, number) for form in forms)


def _expression(form: str, number: str) -> str:
    words = form.replace("(", "(?:").replace("'", "['’]").replace("} ", "},? ").replace(" ", " +")
    before, behind = form.partition("{")[0], form.rpartition("}")[2]
    inside = re.sub(r"\{\w+\}", lambda _: number, words)
    return f"{_edge(before)}{inside}{_edge(behind)}"


def _edge(words: str) -> str:
    """The boundary of words of ASCII; RE2 knows no other."""
    return r"\b" if words and words.isascii() else ""


def whole_words(words: Collection[str], *, inside: bool = False) -> str:
    """An expression without groups for any of some words, which are not inside a longer word of ASCII.

    ``inside``: a digit may stand right before the word.
    """
    before, parts = "" if inside else r"\b", []
    if plain := [word for word in words if word[0].isascii() and word[-1].isascii()]:
        parts.append(rf"{before}(?:{any_of(plain)})\b")
    if others := set(words).difference(plain):
        parts.append(any_of(others))
    return "|".join(parts)


def any_of(words: Collection[str]) -> str:
    """An expression without groups for any of some words; longer words come first."""
    return "|".join(re.escape(word) for word in sorted(words, key=lambda word: (-len(word), word)))


LEAST_WORDS = 30
"""Fewer words than this show no language."""

LEAST_SHARE = 0.1
"""The share of common words that shows a language: prose has 30% (in Finnish 15%), documents full of tables less."""

LEAD = 1.5
"""How many times the share of each other language a language must have."""

LEAST_MARKS = 2
"""How many of the words that no neighbouring language has must be there."""

_WORD = re.compile(r"[^\W\d_]+")


def guess_language(text: str) -> str:
    """The tag of the language of a text; "" where the text does not show it for sure."""
    counts = Counter(_WORD.findall(text.casefold()))
    total = counts.total()
    if total < LEAST_WORDS:
        return ""
    shares = {tag: sum(counts[word] for word in words) / total for tag, words in _words_of("common_words").items()}
    second, best = sorted(shares, key=lambda tag: shares[tag])[-2:]
    is_sure = shares[best] >= max(LEAST_SHARE, LEAD * shares[second])
    return best if is_sure and len(_words_of("marks")[best] & counts.keys()) >= LEAST_MARKS else ""


@lru_cache(maxsize=2)
def _words_of(key: str) -> Mapping[str, frozenset[str]]:
    """The words of a key, by language, of each language whose file has the key."""
    words = {tag: frozenset(data(tag).get(key, "").split()) for tag in KNOWN}
    return {tag: found for tag, found in words.items() if found}
