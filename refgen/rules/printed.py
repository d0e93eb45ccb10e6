"""How a value may be printed in prose: what may stand where a sentence has a name.

In: a notation, the names of a ladder, the odd prints that system.toml reads. Out: a pattern in RE2's notation that is
as wide as the notation, so that no figure is cut off. It is matched against text with one kind of dash, quote, blank.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from refgen.notation.level import Ladder
from refgen.notation.read import FIGURES, NotationName
from refgen.notation.style import USUAL, Style
from refgen.rules.boundary import bounded
from refgen.source import plain

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
_DIE = r"\d*[dD](?:\d+|[fF]\b|%)(?:k[hl]\d+)?!?"
_DICE = rf"(?:{_DIE}(?: ?[-+] ?(?:{_DIE}|\d+\b))*(?: \(etc\)|(?: [{_LETTERS}]+)??)|\bnone\b)"
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
class Form:
    """A pattern for what may stand for a name. ``open``: it may be any words, so that what follows must end it."""

    pattern: str
    open: bool = False


ANYTHING = Form(_ANY, open=True)
"""Any words, as few as will do."""

A_WORD = Form("[^ \u00a0]*[^ \u00a0.,;:!?()]", open=True)
"""One word, or a figure in any notation, without the punctuation behind it."""


def folded(text: str, style: Style = USUAL) -> str:
    """The text, character for character, with one kind of dash, quote, blank and no-break blank, in the usual style."""
    return style.usual(text.translate(_FOLDED))


def form_of(
    notation: NotationName, readings: Mapping[str, str], ladder: Ladder | None = None, *, blank: bool = False
) -> Form:
    """What may stand for a value of a notation; ``blank``: so may what a table has for nothing.

    A level without its ladder (the table gives the ladder its levels) is a run of words.
    """
    pattern, is_open = _FORMS.get(notation, _ANY), notation in ("text", "track-change", "condition")
    if notation == "level":
        pattern, is_open = (_level(ladder), False) if ladder else (_ANY_LEVEL, True)
    odd = [_words(print_) for print_ in sorted(readings, key=len, reverse=True) if print_]
    nothing = [r"\x{a0}", *(["-{1,3}"] if notation in FIGURES else [])] if blank and not is_open else []
    return Form("|".join([*odd, pattern, *nothing]), is_open)


def _level(ladder: Ladder) -> str:
    names = {*(level.name for level in ladder.levels), *ladder.aliases}
    return f"(?i:{'|'.join(map(_words, _longest_first(names)))}){_LEVEL_NUMBER}"


def _longest_first(names: Iterable[str]) -> list[str]:
    return sorted(names, key=lambda name: (-len(name), name))


def _words(text: str) -> str:
    """A print as it is, but for kinds of blanks; not inside a longer word of ASCII (others ``touching`` sees)."""
    pattern = BLANKS.join(re.escape(word) for word in folded(plain(text)).split(" "))
    return bounded(pattern, text[:1], text[-1:])
