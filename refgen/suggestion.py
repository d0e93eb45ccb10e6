"""Suggestions for names that do not exist: the known names that were probably meant.

In: a name, and the names there are. Out: the one that is the same but for case and typography, or a hint with the
nearest. Case, kinds of dashes, quotes and blanks, and hyphens for blanks between words make no difference.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from itertools import islice

MAX_NEAREST = 3
MAX_LISTED = 20
_LIKENESS = 0.7
"""How like a name must be to be suggested (difflib's ratio, from 0 to 1), unless it has a word in common."""
_TYPO_LIKENESS = 0.8
"""How like it must be to be refused as a typo where any word may stand."""

_DASHES = re.compile("[‐‑‒–—―−]")
_APOSTROPHES = re.compile("[‘’‚‛′`´]")
_QUOTES = re.compile("[“”„‟″«»]")
_BLANKS = re.compile(r"[\s_]+")
_HYPHEN = re.compile(r"(?<=[^\W\d])-(?=\w)|(?<=\w)-(?=[^\W\d])")
"""A hyphen between words. Before a number it is a minus sign, or parts a range."""
_WORD = re.compile(r"\w{3,}")
_NOT_PLAIN = re.compile(r"[\s,]")


def did_you_mean(name: str, known: Iterable[str], otherwise: str = "") -> str:
    """A hint about an unknown name: the nearest names; without any, ``otherwise``, or a list of all names."""
    if close := nearest(name, known):
        return f"Did you mean {_listed(close, 'or')}?"
    return otherwise or _there_are(list(known))


def first_of(names: Sequence[str], most: int) -> str:
    """The first of some names, and how many more there are: "cards, screen and 3 more"."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f"{', '.join(names[:most])}{more}"


def nearest(name: str, known: Iterable[str]) -> Sequence[str]:
    """The names most like one that does not exist, the nearest first: a typo, another ending, a word in common."""
    words = _words(name)
    close = (other for other, likeness in _ranked(name, known) if likeness >= _LIKENESS or words & _words(other))
    return list(islice(close, MAX_NEAREST))


def typo_of(name: str, known: Iterable[str]) -> str | None:
    """The name that this one is so like that it must be a typo."""
    return next((other for other, likeness in _ranked(name, known) if likeness >= _TYPO_LIKENESS), None)


def find_key(name: str, known: Iterable[str]) -> str | None:
    """The known name that is meant: the name itself, else the only one that is the same but for case and typography."""
    names = list(known)
    if name in names:
        return name
    same = [other for other in names if folded(other) == folded(name)]
    return same[0] if len(same) == 1 else None


def folded(name: str) -> str:
    """A name as names are compared: "Rolled–Degree" and "rolled degree" are one, "+1" and "-1" are two."""
    text = _DASHES.sub("-", unicodedata.normalize("NFC", name).casefold())
    text = _QUOTES.sub('"', _APOSTROPHES.sub("'", text))
    return _BLANKS.sub(" ", _HYPHEN.sub(" ", text)).strip()


def _ranked(name: str, known: Iterable[str]) -> Sequence[tuple[str, float]]:
    """The known names, each with its likeness from 0 to 1, the most like first."""
    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2(folded(name))
    likeness: dict[str, float] = {}
    for other in known:
        matcher.set_seq1(folded(other))
        likeness[other] = matcher.ratio()
    return sorted(likeness.items(), key=lambda entry: -entry[1])


def _words(name: str) -> frozenset[str]:
    return frozenset(_WORD.findall(folded(name)))


def _there_are(names: Sequence[str]) -> str:
    if len(names) < 2:
        return f"There is only {_quoted(names[0])}." if names else "There are none."
    if len(names) <= MAX_LISTED:
        return f"There are {_listed(names, 'and')}."
    return f"There are {', '.join(map(_quoted, names[:MAX_LISTED]))} and {len(names) - MAX_LISTED} more."


def _listed(names: Sequence[str], last: str) -> str:
    *most, end = map(_quoted, names)
    return f"{', '.join(most)} {last} {end}" if most else end


def _quoted(name: str) -> str:
    return f'"{name}"' if not name or _NOT_PLAIN.search(name) else name
