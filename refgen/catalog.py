"""Parts of a game by name: catalogs that find a part as people write its name, and mappings that make parts late.

In: the names of parts, and how each part is made. Out: a Catalog of tables, facts, ladders or actions, which finds a
part by id or title; a LazyMapping, which makes each part when it is first asked for; two mappings as one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import islice
from typing import TypeVar

from refgen.errors import UnknownNameError
from refgen.suggestion import did_you_mean, find_key

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

MOST_SHOWN = 12
"""So many names are shown in a line."""


class Catalog(Mapping[str, T_co]):
    """Things by id. A title will do as well; case and typographic variants do not matter.

    Raises UnknownNameError, which is a KeyError too, for a name that is none of them, with the nearest ones.
    """

    def __init__(self, kind: str, things: Mapping[str, T_co], titles: Mapping[str, str] | None = None) -> None:
        """``kind`` is the word for a thing in messages, such as "table"; ``titles`` are by id."""
        self._kind = kind
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
            raise UnknownNameError(f'there is no {self._kind} "{name}"', hint=did_you_mean(name, self._things))
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
    table. Each value is made once. With ``most``, only so many values are remembered; a value that was forgotten is
    made again.
    """

    def __init__(self, names: Collection[str], make: Callable[[str], T_co], most: int | None = None) -> None:
        self._names = names
        self._make = make
        self._most = most
        self._made: dict[str, T_co] = {}

    def __getitem__(self, name: str) -> T_co:
        if name not in self._made:
            if name not in self._names:
                raise KeyError(name)
            self._made[name] = self._make(name)
        if self._most is not None:
            self._made[name] = self._made.pop(name)  # the last that was asked for stands last
            if len(self._made) > self._most:
                del self._made[next(iter(self._made))]
        return self._made[name]

    def forget(self, name: str) -> None:
        """Let go of a thing that is done with, where not all are remembered."""
        if self._most is not None and self._most < len(self._names):
            self._made.pop(name, None)

    def drop(self, name: str) -> None:
        """Drop a thing whose source has changed; the next access makes the thing again."""
        self._made.pop(name, None)

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
