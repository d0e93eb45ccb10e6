"""The parts of a game that are read one by one, of which some may fail.

In: for each part a name, and a function that makes the part or raises RefgenError. Out: the parts by name; a part that
failed raises its error when somebody asks for that part, and all errors stand in one list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from refgen.errors import RefgenError, is_among

_Part = TypeVar("_Part")


class Attempts(Mapping[str, _Part]):
    """The parts of a game that could be read, by name; asking for a part that could not raises its error.

    Iteration leaves out the parts that could not be read. ``errors`` gets every error once, in order: a table that
    fails with the error of its ladder adds none.
    """

    def __init__(self, errors: list[RefgenError]) -> None:
        self._errors = errors
        self._made: dict[str, _Part] = {}
        self._failed: dict[str, RefgenError] = {}

    def attempt(self, name: str, make: Callable[..., _Part], *arguments: object) -> None:
        """Make the part of a name by ``make(*arguments)``, unless that was tried before."""
        if name in self:
            return
        try:
            self._made[name] = make(*arguments)
        except RefgenError as error:
            self._failed[name] = error
            if not is_among(error, self._errors):
                self._errors.append(error)

    def __getitem__(self, name: str) -> _Part:
        if name in self._failed:
            raise self._failed[name].with_traceback(None)
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        return name in self._made or name in self._failed

    def __iter__(self) -> Iterator[str]:
        return iter(self._made)

    def __len__(self) -> int:
        return len(self._made)

    @property
    def settled(self) -> Mapping[str, _Part]:
        """The attempts; where nothing failed as a plain dictionary, which is quicker."""
        return self if self._failed else self._made
