"""Names as people write them: parts of a game by name, and suggestions for names that do not exist.

In: the names there are, how each part is made, and a name that somebody wrote. Out: the part, from a Catalog of tables,
facts, ladders or actions, which finds a part by id or title; else a hint with the nearest names. Case, kinds of dashes,
quotes and blanks, and hyphens for blanks between words make no difference. A LazyMapping makes each part when it is
first asked for.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from copy import copy
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import islice
from typing import TypeVar

from refgen.errors import RefgenError, UnknownNameError
from refgen.look_alikes import as_seen, difference
from refgen.marks import DASHES

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

MOST_SHOWN = 12
"""So many names are shown in a line."""

MAX_NEAREST = 3
MAX_LISTED = 20
_LIKENESS = 0.7
"""How like a name must be to be suggested (difflib's ratio, from 0 to 1), unless it has a word in common."""
_TYPO_LIKENESS = 0.8
"""How like it must be to be refused as a typo where any word may stand."""

_DASHES = re.compile(f"[{DASHES}]")
_APOSTROPHES = re.compile("[‘’‚‛′`´]")
_QUOTES = re.compile("[“”„‟″«»]")
_BLANKS = re.compile(r"[\s_]+")
_HYPHEN = re.compile(r"(?<=[^\W\d])-(?=\w)|(?<=\w)-(?=[^\W\d])")
"""A hyphen between words. Before a number it is a minus sign, or parts a range."""
_WORD = re.compile(r"\w{3,}")
_NOT_PLAIN = re.compile(r"[\s,]")


class Catalog(Mapping[str, T_co]):
    """Things by id. A title will do as well; case and typographic variants do not matter.

    Raises UnknownNameError, which is a KeyError too, for a name that is none of them, with the nearest ones.
    """

    def __init__(
        self,
        kind: str,
        things: Mapping[str, T_co],
        titles: Mapping[str, str] | None = None,
        hint_of: Callable[[str], str] = lambda _: "",
    ) -> None:
        """``kind`` is the word for a thing in messages, such as "table"; ``titles`` are by id.

        ``hint_of`` gives a hint about a name that is none, in place of the nearest names; "" where there is no better.
        """
        self._kind = kind
        self._hint_of = hint_of
        self._things = things
        self._titles = titles or {}

    def __getitem__(self, name: str) -> T_co:
        return self._things[self.id_of(name)]

    def id_of(self, name: str) -> str:
        """The id of what somebody calls ``name``."""
        if name in self._things:
            return name
        key = find_key(name, self._things)
        if key is None and (title := find_key(name, self._titles.values())) is not None:
            key = next(key for key, known in self._titles.items() if known == title)
        if key is None:
            hint = self._hint_of(name) or did_you_mean(name, self._things)
            raise UnknownNameError(f'there is no {self._kind} "{name}"', hint=hint)
        return key

    def mapped(self, change: Callable[[T_co], T]) -> Catalog[T]:
        """A catalog with the same names, whose things are ``change`` of the things here, made when first asked for."""
        return Catalog(self._kind, LazyMapping(self._things, lambda name: change(self._things[name])), self._titles)

    def __iter__(self) -> Iterator[str]:
        return iter(self._things)

    def __len__(self) -> int:
        return len(self._things)

    def __repr__(self) -> str:
        shown = [*islice(self, MOST_SHOWN), *(["…"] if len(self) > MOST_SHOWN else [])]
        return f"<{len(self)} {self._kind}s{': ' if shown else ''}{', '.join(shown)}>"


class LazyMapping(Mapping[str, T_co]):
    """A mapping whose names are known, and whose values are made at the first look-up.

    ``names`` may know more names than it lists: for the name of an unreadable table, ``make`` raises the error of the
    table. Each value is made once, and what cannot be made is tried once: each look-up raises its error. With ``most``,
    only so many values are remembered; a value that was forgotten is made again.
    """

    def __init__(self, names: Collection[str], make: Callable[[str], T_co], most: int | None = None) -> None:
        self._names = names
        self._make = make
        self._most = most
        self._made: dict[str, T_co] = {}
        self._errors: dict[str, RefgenError] = {}

    def __getitem__(self, name: str) -> T_co:
        if name not in self._made:
            self._made[name] = self._try_to_make(name)
        if self._most is not None:
            self._made[name] = self._made.pop(name)  # the last that was asked for stands last
            if len(self._made) > self._most:
                del self._made[next(iter(self._made))]
        return self._made[name]

    def _try_to_make(self, name: str) -> T_co:
        if name in self._errors:
            raise copy(self._errors[name])
        if name not in self._names:
            raise KeyError(name)
        try:
            return self._make(name)
        except RefgenError as error:
            self._errors[name] = copy(error)  # without what its traceback holds
            raise

    def forget(self, name: str) -> None:
        """Let go of a thing that is done with, where not all are remembered."""
        if self._most is not None and self._most < len(self._names):
            self._made.pop(name, None)

    def drop(self, name: str) -> None:
        """Drop a thing whose source has changed; the next access makes the thing again."""
        self._made.pop(name, None)
        self._errors.pop(name, None)

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


class JoinedMapping(Mapping[str, T_co]):
    """Two mappings with different names as one mapping; values are looked up only when they are asked for."""

    def __init__(self, first: Mapping[str, T_co], second: Mapping[str, T_co]) -> None:
        self._first = first
        self._second = second

    def __getitem__(self, name: str) -> T_co:
        return self._first[name] if name in self._first else self._second[name]

    def __contains__(self, name: object) -> bool:
        return name in self._first or name in self._second

    def __iter__(self) -> Iterator[str]:
        yield from self._first
        yield from self._second

    def __len__(self) -> int:
        return len(self._first) + len(self._second)


def did_you_mean(name: str, known: Iterable[str], otherwise: str = "") -> str:
    """A hint about an unknown name: the nearest names; without any, ``otherwise``, or a list of all names.

    Of a nearest name that looks alike, the hint says which characters differ.
    """
    if close := nearest_names(name, known):
        odd = difference(name, close[0])
        return f"Did you mean {_name_list(close, 'or')}?" + (f" Only one of the two has {odd}." if odd else "")
    return otherwise or _there_are(list(known))


def first_of(names: Sequence[str], most: int) -> str:
    """The first of some names, and how many more there are: "cards, screen and 3 more"."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f"{', '.join(names[:most])}{more}"


def counted(number: int, noun: str) -> str:
    """A number of things: "1 file", "2 files"."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def nearest_names(name: str, known: Iterable[str]) -> Sequence[str]:
    """The names most like one that does not exist, the nearest first: a typo, another ending, a word in common."""
    words = _words(name)
    names = list(known)
    related = {other for other in names if words & _words(other)}
    return [other for other, _ in _rank_names(name, names, _LIKENESS, related)][:MAX_NEAREST]


def typo_of(name: str, known: Iterable[str]) -> str | None:
    """The name that this one is so like that it must be a typo."""
    return next((other for other, _ in _rank_names(name, known, _TYPO_LIKENESS)), None)


def find_key(name: str, known: Iterable[str]) -> str | None:
    """The known name that is meant: the name itself, else the only one that is the same but for case and typography."""
    names = list(known)
    if name in names:
        return name
    same = [other for other in names if fold_name(other) == fold_name(name)]
    return same[0] if len(same) == 1 else None


@lru_cache(maxsize=1_000)  # all known names, for each name that is searched
def fold_name(name: str) -> str:
    """A name as names are compared: "Rolled–Degree" and "rolled degree" are one, "+1" and "-1" are two."""
    text = _DASHES.sub("-", unicodedata.normalize("NFC", name).casefold())
    text = _QUOTES.sub('"', _APOSTROPHES.sub("'", text))
    return _BLANKS.sub(" ", _HYPHEN.sub(" ", text)).strip()


def fold_look(name: str) -> str:
    """A name as names that look alike are compared: those in other letters, or with characters that nobody sees."""
    return fold_name(as_seen(name))


def _rank_names(
    name: str, known: Iterable[str], least: float, related: Container[str] = ()
) -> Sequence[tuple[str, float]]:
    """The related names and those of the least likeness from 0 to 1, the most like first."""
    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2(fold_look(name))
    likeness: dict[str, float] = {}
    for other in known:
        matcher.set_seq1(fold_look(other))
        bounds = (matcher.real_quick_ratio, matcher.quick_ratio)  # the likeness is no more, and takes longer
        if other in related or all(bound() >= least for bound in bounds):
            likeness[other] = matcher.ratio()
    close = ((other, ratio) for other, ratio in likeness.items() if other in related or ratio >= least)
    return sorted(close, key=lambda entry: -entry[1])


def _words(name: str) -> frozenset[str]:
    return frozenset(_WORD.findall(fold_name(name)))


def _there_are(names: Sequence[str]) -> str:
    if len(names) < 2:
        return f"There is only {_quote_name(names[0])}." if names else "There are none."
    if len(names) <= MAX_LISTED:
        return f"There are {_name_list(names, 'and')}."
    return f"There are {', '.join(map(_quote_name, names[:MAX_LISTED]))} and {len(names) - MAX_LISTED} more."


def _name_list(names: Sequence[str], last: str) -> str:
    *most, end = map(_quote_name, names)
    return f"{', '.join(most)} {last} {end}" if most else end


def _quote_name(name: str) -> str:
    return f'"{name}"' if not name or _NOT_PLAIN.search(name) else name
