"""Regular expressions over documents: those that people write, and those that find a printed value in prose.

In: an expression, or a notation with the names of a ladder and the odd prints that system.toml reads. Out: a pattern
in RE2's notation, compiled, or a NotationError. RE2 takes time linear in the text, so that no expression can hang;
look-around, back-references and conditions are not understood, and memory is bounded. The pattern of a notation is as
wide as the notation, so that no figure is cut off, and is matched against text with one kind of dash, quote and blank.

Words begin and end in any script. RE2 knows the boundaries of ASCII's words alone, and a pattern with a class of all
letters takes forty times as long to make. So a pattern is bounded by ASCII's words, what it finds is looked at again,
and ``NO_LETTER`` is for what is left.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from unicodedata import category

import re2

from refgen.errors import NotationError
from refgen.notation.dice_notation import MODIFIER
from refgen.notation.levels import Ladder
from refgen.notation.printed_cell import FIGURES, NotationName
from refgen.notation.printed_numbers import USUAL, NotationStyle
from refgen.source import plain

_WITHOUT_BLANKS = "\u0e00-\u109f\u1780-\u17ff\u2e80-\u312f\u31a0-\ua4cf\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
"""The scripts that part no words by blanks: Thai, Lao, Tibetan, Burmese, Khmer, Chinese, Japanese."""

_IN_A_RUN = re.compile(f"[{_WITHOUT_BLANKS}]")

NO_LETTER = rf"[^\pL\pM\p{{Nd}}_]|[{_WITHOUT_BLANKS}]"
"""What may stand beside a word."""


def is_letter(character: str) -> bool:
    """Whether a character makes one word with another that stands beside it."""
    if character.isascii():
        return character.isalnum() or character == "_"
    return category(character) in ("Ll", "Lu", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd") and not _IN_A_RUN.match(
        character
    )


def is_inside_word(text: str, place: int) -> bool:
    """Whether one word stands on both sides of a place."""
    return 0 < place < len(text) and is_letter(text[place - 1]) and is_letter(text[place])


def bounded(pattern: str, first: str, last: str) -> str:
    """A pattern that is not inside a word of ASCII, where ``first`` and ``last`` are the characters at its ends."""
    return f"{_edge(first)}{pattern}{_edge(last)}"


def _edge(character: str) -> str:
    return r"\b" if character.isascii() and character.isalnum() else ""


MAX_LENGTH = 2_000
MAX_DEPTH = 50
MAX_MEMORY = 4 * 1024 * 1024
"""Bytes an expression may take when compiled; a repeat of a repeat takes more."""

_REASONS = {
    "invalid perl operator": "look-around and conditions are not understood",
    "repetition": "it repeats too often",
    "too large": "it is too large",
    "invalid escape sequence": "an escape is not understood; the end of the text is \\z, and back-references cannot be",
    "missing )": "a bracket is not closed",
    "unexpected )": "a bracket is closed that was not opened",
    "missing ]": "a class is not closed",
}


def _options() -> re2.Options:
    options = re2.Options()
    options.log_errors = False
    options.max_mem = MAX_MEMORY
    return options


_OPTIONS = _options()


@lru_cache(maxsize=4_096)
def compiled(pattern: str) -> Any:
    """A regular expression in RE2's notation, compiled. Raises NotationError for one that is wrong or too large."""
    if len(pattern) > MAX_LENGTH or _depth(pattern) > MAX_DEPTH:
        raise NotationError(
            f"not a pattern: it is longer than {MAX_LENGTH} characters, or nested deeper than {MAX_DEPTH}"
        )
    return compiled_sentence(pattern)


@lru_cache(maxsize=512)
def compiled_sentence(pattern: str) -> Any:
    """Likewise, for what is made of a sentence: its length follows from the names of a ladder.

    A game that is read again, after an edit, has mostly the same ones; each takes some 40 KB.
    """
    try:
        return re2.compile(pattern, _OPTIONS)
    except re2.error as error:
        raise NotationError(f"not a pattern: {_reason(error)}") from error


def without_groups(pattern: str) -> str:
    """The pattern with its named groups as plain ones, to be used inside another."""
    return "".join(_unnamed(pattern))


def _unnamed(pattern: str) -> Iterator[str]:
    at = 0
    while at < len(pattern):
        if pattern.startswith("(?P<", at) and (end := pattern.find(">", at)) > 0:
            yield "(?:"
            at = end + 1
        else:
            width = 2 if pattern[at] == "\\" else 1
            yield pattern[at : at + width]
            at += width


def _depth(pattern: str) -> int:
    deepest = depth = 0
    escaped = False
    for character in pattern:
        if not escaped:
            depth += (character in "([") - (character in ")]")
            deepest = max(deepest, depth)
        escaped = character == "\\" and not escaped
    return deepest


def _reason(error: re2.error) -> str:
    said = error.args[0] if error.args else ""
    text = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
    return next((reason for part, reason in _REASONS.items() if part in text), text)


BLANKS = "[ \u00a0]+"

_DASHES = "‐‑‒–—―−"
_FOLDED = str.maketrans(
    dict.fromkeys(_DASHES, "-")
    | dict.fromkeys("‘’‚‛′`´", "'")
    | dict.fromkeys("“”„‟″«»", '"')
    | dict.fromkeys("\t\r\n\f\v", " ")
    | dict.fromkeys("\u2007\u202f", "\u00a0")
)

_LETTERS = r"A-Za-zÀ-ÖØ-öø-\x{1FFF}\x{2C00}-\x{2DFF}\x{2E80}-\x{2FDF}\x{3041}-\x{D7FF}"
"""Those of all scripts, with some signs among them: the exact class takes a hundred times as long to compile."""

_DIGITS = r"(?:\d+(?:[,\x{a0}]\d\d\d)*(?:\.\d+)?|\.\d+)"
_VULGAR = "[¼-¾⅐-⅞]"
_WORDS = r"\b(?i:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b"
_MULTIPLE = r"(?: ?(?:k|thousand|mil|million|bil|billion)\b)?"
_FIGURE = rf"(?:(?:[<>]=?|[≤≥~]) ?)?[-+]?(?:{_DIGITS}(?: ?[/⁄] ?\d+| \d+[/⁄]\d+| ?{_VULGAR}|{_MULTIPLE})|{_VULGAR})"
_NUMBER = f"{_FIGURE}|{_WORDS}"
_WHOLE = r"[-+]?\d+"
_INTERVAL = (
    rf"(?:{_WHOLE}(?:, ?{_WHOLE})+(?:,? (?:and|or) {_WHOLE})?|{_WHOLE} (?:to|and|or) {_WHOLE}"
    rf"|{_WHOLE},? (?:and|or) (?:more|higher|greater|above|over|up|less|lower|fewer|below|under|down)\b"
    rf"|{_WHOLE} ?\.\. ?(?:{_WHOLE})?|\.\.{_WHOLE}|{_WHOLE}-{_WHOLE}|\d+[-+]\B|(?:[<>]=?|[≤≥]) ?{_WHOLE}|{_WHOLE})"
)
_SIGNED = r"(?:±|\+/-|[-+])\d+"
_MODIFIER = rf"(?:[{_LETTERS}]*(?:[-+]\d+ (?:to|\.\.) [-+]?\d+|{_SIGNED})|\d+)"
_DIE = rf"\d*[dD](?:\d+|[fF]\b|%){MODIFIER}?"
_DICE = rf"(?:{_DIE}(?: ?[x×] ?\d+)?(?: ?[-+] ?(?:{_DIE}|\d+\b))*(?: \(etc\)|(?: [{_LETTERS}]+)??)|\bnone\b)"
_UNIT = rf"(?:[{_LETTERS}°'\"′″]+[²³]?(?:[ /-][{_LETTERS}]+){{0,2}}?\.??)"
_QUANTITY = rf"(?:{_FIGURE} ?{_UNIT}|(?:\b[A-Z]{{2,4}} |[$£€¥] ?){_FIGURE})"
_LEVEL_NUMBER = r"(?: ?\([-+]?\d+\)| [-+]\d+| \(?\d+(?:st|nd|rd|th)\b\)?)?"
_LEVEL_WORD = r"[^\s\d(),:;.*+-][^\s\d(),:;]*"
_ANY_LEVEL = rf"{_LEVEL_WORD}(?: {_LEVEL_WORD})*?{_LEVEL_NUMBER}"
_ANY = ".+?"

_FORMS: dict[NotationName, str] = {
    "text": _ANY,
    "number": _NUMBER,
    "percent": rf"{_DIGITS} ?%",
    "weighted": rf"{_FIGURE} ?\({_DIGITS} ?%\)",
    "score": rf"{_FIGURE} ?\([-+]?\d+\)",
    "quantity": _QUANTITY,
    "interval": _INTERVAL,
    "modifier": _MODIFIER,
    "dice": _DICE,
    "track-change": _ANY,
    "condition": r"[^()<>=]+?(?:[<>]=?|=)[^()]+?",
}


@dataclass(frozen=True, slots=True)
class ValuePattern:
    """A pattern for what may stand for a name. ``open``: it may be any words, so that what follows must end it."""

    pattern: str
    open: bool = False


ANYTHING = ValuePattern(_ANY, open=True)
"""Any words, as few as will do."""

A_WORD = ValuePattern("[^ \u00a0]*[^ \u00a0.,;:!?()]", open=True)
"""One word, or a figure in any notation, without the punctuation behind it."""


def folded(text: str, style: NotationStyle = USUAL) -> str:
    """The text, character for character, with one kind of dash, quote, blank and no-break blank, in the usual style."""
    return style.usual(text.translate(_FOLDED))


def form_of(
    notation: NotationName, readings: Mapping[str, str], ladder: Ladder | None = None, *, blank: bool = False
) -> ValuePattern:
    """What may stand for a value of a notation; ``blank``: so may what a table has for nothing.

    A level without its ladder (the table gives the ladder its levels) is a run of words.
    """
    pattern, is_open = _FORMS.get(notation, _ANY), notation in ("text", "track-change", "condition")
    if notation == "level":
        pattern, is_open = (_level(ladder), False) if ladder else (_ANY_LEVEL, True)
    odd = [_words(print_) for print_ in sorted(readings, key=len, reverse=True) if print_]
    nothing = [r"\x{a0}", *(["-{1,3}"] if notation in FIGURES else [])] if blank and not is_open else []
    return ValuePattern("|".join([*odd, pattern, *nothing]), is_open)


def _level(ladder: Ladder) -> str:
    names = {*(level.name for level in ladder.levels), *ladder.aliases}
    return f"(?i:{'|'.join(map(_words, _longest_first(names)))}){_LEVEL_NUMBER}"


def _longest_first(names: Iterable[str]) -> list[str]:
    return sorted(names, key=lambda name: (-len(name), name))


def _words(text: str) -> str:
    """A print as it is, but for kinds of blanks; not inside a longer word of ASCII (others ``touching`` sees)."""
    pattern = BLANKS.join(re.escape(word) for word in folded(plain(text)).split(" "))
    return bounded(pattern, text[:1], text[-1:])
