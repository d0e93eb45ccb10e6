"""Regular expressions over documents: those that people write, and those that find a printed value in prose.

In: an expression; or a notation, with the names of a ladder and the prints that ``read`` knows. Out: an expression in
RE2's notation, compiled, or a NotationError. RE2 takes time linear in the text, so that no expression can hang, and its
memory is bounded; look-around, back-references and conditions are not understood. The expression of a notation is as
wide as the notation, so that no figure is cut off, and is matched against text with one kind of dash, quote and blank.

Words begin and end in any script. RE2 knows the word boundaries of ASCII alone, and an expression with a class of all
letters takes forty times as long to compile. So an expression is bounded by the words of ASCII, the text around its
matches is looked at afterwards, and an expression with ``NO_LETTER`` is compiled only for a match inside a word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from unicodedata import category

import re2

from refgen.errors import NotationError
from refgen.languages import ENGLISH, Language, alternatives, range_joint, whole_words
from refgen.limits import limit_hint, limits
from refgen.marks import DASHES, LOWERED, RAISED, VULGAR, WAVES, WIDE
from refgen.notation.dice_notation import MODIFIER
from refgen.notation.levels import Ladder
from refgen.notation.printed_cell import CURRENCY, CURRENCY_SIGN, FIGURES, NotationName
from refgen.notation.printed_numbers import USUAL, NotationStyle
from refgen.source import plain_text

_REASONS = {
    "invalid perl operator": "look-around and conditions are not understood",
    "repetition": "it repeats too often",
    "too large": "it is too large",
    "invalid escape sequence": "an escape is not understood; the end of the text is \\z, and back-references cannot be",
    "missing )": "a bracket is not closed",
    "unexpected )": "a bracket is closed that was not opened",
    "missing ]": "a class is not closed",
}


def _options() -> Any:
    options = re2.Options()
    options.log_errors = False
    options.max_mem = limits().pattern_bytes
    return options


@lru_cache(maxsize=4_096)
def compile_pattern(pattern: str) -> Any:
    """A person's expression, compiled. Raises NotationError for an expression that is wrong or too large."""
    if len(pattern) > (most := limits().pattern_letters):
        raise NotationError(f"not a pattern: longer than {most} characters", hint=limit_hint("pattern_letters"))
    if _depth(pattern) > (most := limits().pattern_depth):
        raise NotationError(f"not a pattern: nested deeper than {most}", hint=limit_hint("pattern_depth"))
    return compiled_sentence(pattern)


@lru_cache(maxsize=512)
def compiled_sentence(pattern: str) -> Any:
    """The expression of a sentence, compiled; its length, which follows from the names of a ladder, has no bound.

    A game that is read again after an edit has mostly the same sentences; each takes some 40 KB.
    """
    try:
        return re2.compile(pattern, _options())
    except re2.error as error:
        cause = error.args[0] if error.args else ""
        text = cause.decode("utf-8", "replace") if isinstance(cause, bytes) else str(cause)
        reason = next((reason for part, reason in _REASONS.items() if part in text), text)
        hint = limit_hint("pattern_bytes") if "too large" in text else ""
        raise NotationError(f"not a pattern: {reason}", hint=hint) from error


def _depth(pattern: str) -> int:
    """How many brackets stand inside one another, at most."""
    deepest = depth = 0
    for character in re.sub(r"\\.", "", pattern, flags=re.DOTALL):
        depth += (character in "([") - (character in ")]")
        deepest = max(deepest, depth)
    return deepest


def without_groups(pattern: str) -> str:
    """An expression with its named groups as plain groups, to be used inside another expression."""
    return re.sub(
        r"\\.|\(\?P<[^>]*>", lambda found: found[0] if found[0][0] == "\\" else "(?:", pattern, flags=re.DOTALL
    )


BLANKS = "[ \u00a0]+"
"""The expression for what stands between two words."""

_WITHOUT_BLANKS = "\u0e00-\u109f\u1780-\u17ff\u2e80-\u312f\u31a0-\ua4cf\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
"""The scripts without blanks between words: Thai, Lao, Tibetan, Burmese, Khmer, Chinese, Japanese."""

_LETTER_WITHOUT_BLANKS = re.compile(f"[{_WITHOUT_BLANKS}]")

NO_LETTER = rf"[^\pL\pM\p{{Nd}}_]|[{_WITHOUT_BLANKS}]"
"""The expression for a character that may stand beside a word."""


def is_letter(character: str) -> bool:
    """Whether a character and a neighbouring letter are parts of the same word."""
    if character.isascii():
        return character.isalnum() or character == "_"
    return (category(character)[0] in "LM" or category(character) == "Nd") and not _LETTER_WITHOUT_BLANKS.match(
        character
    )


def is_inside_word(text: str, place: int) -> bool:
    """Whether one word stands on both sides of a place."""
    return 0 < place < len(text) and is_letter(text[place - 1]) and is_letter(text[place])


def bound_pattern(pattern: str, first: str, last: str) -> str:
    """An expression that matches no part of an ASCII word; ``first`` and ``last`` are the characters at its ends."""
    return f"{_edge(first)}{pattern}{_edge(last)}"


def _edge(character: str) -> str:
    return r"\b" if character.isascii() and character.isalnum() else ""


_FOLDED = str.maketrans(
    {chr(wide): chr(narrow) for wide, narrow in WIDE.items()}
    | dict.fromkeys(DASHES, "-")
    | dict.fromkeys(WAVES, "~")
    | {"～": "~"}
    | dict.fromkeys("‘’‚‛′`´", "'")
    | dict.fromkeys("“”„‟″«»", '"')
    | dict.fromkeys("\t\r\n\f\v", " ")
    | dict.fromkeys("\u2007\u2009\u202f", "\u00a0")
)


def fold_text(text: str, style: NotationStyle = USUAL) -> str:
    """The text, character for character, with one kind of dash, quote, blank and no-break blank, in the usual style."""
    return style.usual(text.translate(_FOLDED))


_LETTERS = r"A-Za-zÀ-ÖØ-öø-\x{1FFF}\x{2C00}-\x{2DFF}\x{2E80}-\x{2FDF}\x{3041}-\x{D7FF}"
"""The letters of all scripts, with some signs among them: the exact class takes a hundred times as long to compile."""

_DIGITS = rf"(?:\d+(?:[,'\x{{a0}}]\d\d\d)*(?:\.\d+)?|10[⁺⁻]?[{RAISED}]+|\.\d+)"
_VULGAR = f"(?:[{VULGAR}]|[{RAISED}]+[⁄/][{LOWERED}]+)"
_WHOLE = r"[-+]?\d+"
_SIGNED = r"(?:±|\+/-|[-+])\d+"
_DIE = rf"\d*[dD](?:\d+|[fF]\b|%){MODIFIER}?"
_UNIT = rf"(?:[{_LETTERS}°'\"′″]+[²³]?(?:[ /-][{_LETTERS}]+){{0,2}}?\.??|{CURRENCY_SIGN})"
_LEVEL_NUMBER = r"(?: ?\([-+]?\d+\)| [-+]\d+| \(?\d+(?:st|nd|rd|th)\b\)?)?"
_LEVEL_WORD = r"[^\s\d(),:;.*+-][^\s\d(),:;]*"
_ANY_LEVEL = rf"{_LEVEL_WORD}(?: {_LEVEL_WORD})*?{_LEVEL_NUMBER}"
_ANY = ".+?"


@lru_cache(maxsize=64)
def _expressions(language: Language) -> Mapping[NotationName, str]:
    """The expressions of the printed values of each notation; levels are those of their ladder."""
    multiple = f"(?: ?(?:{whole_words(language.multiples, inside=True)}))?" if language.multiples else ""
    figure = rf"(?:(?:[<>]=?|[≤≥~]) ?)?[-+]?(?:{_DIGITS}(?: ?[/⁄] ?\d+| \d+[/⁄]\d+| ?{_VULGAR}|{multiple})|{_VULGAR})"
    joined = f"(?i:{range_joint(language)})"
    dice = rf"{_DIE}(?: ?[x×] ?\d+)?(?: ?[-+] ?(?:{_DIE}|\d+\b))*(?: \(etc\)| ?/ ?[{_LETTERS}]+|(?: [{_LETTERS}]+)??)"
    return {
        "text": _ANY,
        "number": _or_words(figure, language.numbers),
        "percent": rf"{_DIGITS} ?%",
        "weighted": rf"{figure} ?\({_DIGITS} ?%\)",
        "score": rf"{figure} ?\([-+]?\d+\)",
        "quantity": (
            rf"(?:{figure}[ -]?{_UNIT}|[-+]?(?:\b[A-Z]{{2,4}} |{CURRENCY} ?){figure}|[x×] ?{figure}|{figure} ?[x×])"
        ),
        "interval": _interval(language, joined),
        "modifier": rf"(?:[{_LETTERS}]*(?:[-+]\d+{joined}[-+]?\d+|{_SIGNED})|\d+)",
        "dice": f"(?:{_or_words(dice, language.nothing_rolled)})",
        "track-change": _ANY,
        "condition": r"[^()<>=]+?(?:[<>]=?|=)[^()]+?",
    }


def _interval(language: Language, joined: str) -> str:
    words = language.ranges
    forms = [*words.between, *words.either, *words.at_least, *words.at_most]
    in_words = f"|(?i:{alternatives(forms, _WHOLE)})" if forms else ""
    return (
        rf"(?:{_WHOLE}(?:, ?{_WHOLE})+(?:{joined}{_WHOLE})?{in_words}|{_WHOLE} ?\.\. ?(?:{_WHOLE})?|\.\.{_WHOLE}"
        rf"|{_WHOLE}[-~…]{_WHOLE}|\d+[-+]\B|(?:[<>]=?|[≤≥]) ?{_WHOLE}|{_WHOLE})"
    )


def _or_words(figure: str, words: Collection[str]) -> str:
    return f"{figure}|(?i:{whole_words(words)})" if words else figure


@dataclass(frozen=True, slots=True)
class ValuePattern:
    """An expression for the values of a name. ``open``: any words match, so that words behind the name must end it."""

    pattern: str
    open: bool = False


ValuePatterns = Callable[[str], ValuePattern]
"""Gives the pattern of the values of each name."""

A_WORD = ValuePattern("[^ \u00a0]*[^ \u00a0.,;:!?()]", open=True)
"""One word, or a figure in any notation, without the punctuation behind it."""


def any_words(_: str) -> ValuePattern:
    """Any words, as few as will do: one pattern for every name."""
    return ValuePattern(_ANY, open=True)


def value_pattern(
    notation: NotationName,
    readings: Mapping[str, str],
    ladder: Ladder | None = None,
    *,
    blank: bool = False,
    language: Language = ENGLISH,
) -> ValuePattern:
    """The pattern of the values of a notation, and of the prints that ``readings`` knows.

    ``blank``: of a blank cell too. A level without its ladder (in the table of that ladder) is a run of words.
    """
    expression, is_open = _expressions(language).get(notation, _ANY), notation in ("text", "track-change", "condition")
    if notation == "level":
        expression, is_open = (_level(ladder), False) if ladder else (_ANY_LEVEL, True)
    known = [_words(print_) for print_ in sorted(readings, key=len, reverse=True) if print_]
    nothing = [r"\x{a0}", *(["-{1,3}"] if notation in FIGURES else [])] if blank and not is_open else []
    return ValuePattern("|".join([*known, expression, *nothing]), is_open)


def _level(ladder: Ladder) -> str:
    names = {*(level.name for level in ladder.levels), *ladder.aliases}
    longest_first = sorted(names, key=lambda name: (-len(name), name))
    return f"(?i:{'|'.join(map(_words, longest_first))}){_LEVEL_NUMBER}"


def _words(text: str) -> str:
    """An expression for a printed text with any blanks between its words, and not inside a longer word of ASCII."""
    pattern = BLANKS.join(re.escape(word) for word in fold_text(plain_text(text)).split(" "))
    return bound_pattern(pattern, text[:1], text[-1:])
