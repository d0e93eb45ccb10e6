"""How words are set, and raised and lowered words as plain text: exponents, indices, ordinals and footnote marks.

In: the words of a ``<sup>`` or ``<sub>``, of ``^2^`` or ``~2~``, of a run that a word processor sets raised or lowered.
Out: words that mean the same without the setting. Unicode has raised figures, signs and single letters, so 10 with a
raised 2 is ``10²`` and never 102. Ordinals and abbreviations (1st, Mme) keep their letters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from unicodedata import normalize

from refgen.readers.document import HIDDEN, STRUCK


class Setting(Enum):
    """How words are set: plain, raised, lowered, or so that nobody reads them."""

    PLAIN = ""
    RAISED = "raised"
    LOWERED = "lowered"
    STRUCK = STRUCK
    HIDDEN = HIDDEN


_RAISED = str.maketrans(
    "0123456789+-−–=()abcdefghijklmnoprstuvwxyz",
    "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ",
)
_LOWERED = str.maketrans("0123456789+-−–=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ")
_FIGURES = re.compile(r"[\d+\-−–=() ,;]*[\d+\-−–=()][\d+\-−–=() ,;]*", re.ASCII)
_SHORT = re.compile(r"[a-z]|(?=.*\d)[\da-z+\-−–()]+", re.ASCII)


def raise_words(words: str) -> str:
    """Words as they are written when they are raised: figures and single letters as raised characters.

    Longer words stay as they are (1st); words with figures that have no raised form stand after a ``^``.
    """
    return _set_words(words, _RAISED, "^")


def lower_words(words: str) -> str:
    """Words as they are written when they are lowered; figures that have no lowered form stand after ``_``."""
    return _set_words(words, _LOWERED, "_")


def plain_character(character: str) -> str:
    """The plain form of a raised or lowered character: 2 for ²; a plain character stays."""
    return normalize("NFKC", character).replace("−", "-")


_STRUCK_CLASSES = {"del", "deleted", "line-through", "strike", "strikeout", "strikethrough", "struck"}
_HIDDEN_CLASSES = {"hidden", "sr-only", "visually-hidden", "visuallyhidden", "screen-reader-text"}
_STRUCK_TAG = re.compile(
    r"<(?:s|strike|del)\b|<[^<>]*\btext-decoration(?:-line)?\s*:[^;\"'<>]*line-through", re.IGNORECASE
)
_CLASSES = re.compile(r"\bclass\s*=\s*(?:\"(?P<double>[^\"<>]*)\"|'(?P<single>[^'<>]*)')", re.IGNORECASE)
_HIDDEN_TAG = re.compile(
    r"<[^<>]*(?:\shidden(?=[\s/>=])|\bdisplay\s*:\s*none|\bvisibility\s*:\s*(?:hidden|collapse))\b", re.IGNORECASE
)


def setting_of_classes(classes: Iterable[str]) -> Setting:
    """The setting that names of classes or roles say."""
    named = set(classes)
    if named & _STRUCK_CLASSES:
        return Setting.STRUCK
    return Setting.HIDDEN if named & _HIDDEN_CLASSES else Setting.PLAIN


def setting_of_tag(tag: str) -> Setting:
    """The setting that a start tag of HTML says, by its name, its style, its classes or ``hidden``."""
    if _STRUCK_TAG.match(tag):
        return Setting.STRUCK
    if _HIDDEN_TAG.match(tag):
        return Setting.HIDDEN
    classes = _CLASSES.search(tag)
    return setting_of_classes((classes["double"] or classes["single"] or "").split()) if classes else Setting.PLAIN


def _set_words(words: str, characters: dict[int, int], sign: str) -> str:
    bare = words.strip()
    changed = bare.translate(characters)
    if _FIGURES.fullmatch(bare) or (_SHORT.fullmatch(bare) and not re.search(r"[a-z\d]", changed, re.ASCII)):
        return words.replace(bare, changed) if bare else words
    return words.replace(bare, f"{sign}{bare}") if bare[:1].isdigit() else words


PLAIN_TEXT: Mapping[Setting, Callable[[str], str]] = {
    Setting.PLAIN: str,
    Setting.RAISED: raise_words,
    Setting.LOWERED: lower_words,
}
"""The settings of words that are read, and what makes plain text of them."""
