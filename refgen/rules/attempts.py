"""Things by name, each made on its own: one that fails takes no other down.

In: names, and what makes the thing of each. Out: a mapping; asking it for what failed raises the error of that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from refgen.errors import RefgenError, is_among

T = TypeVar("T")


class Attempts(Mapping[str, T]):
    """What could be made, by name. What could not is known by its name too, but is left out of iteration.

    ``errors`` gets every error once, in the order in which they come: what fails with the error of another thing, such
    as a table with that of its ladder, adds none.
    """

    def __init__(self, errors: list[RefgenError]) -> None:
        self._errors = errors
        self._made: dict[str, T] = {}
        self._failed: dict[str, RefgenError] = {}

    def attempt(self, name: str, make: Callable[[], T]) -> None:
        """Make the thing of a name, unless that was tried before."""
        if name in self:
            return
        try:
            self._made[name] = make()
        except RefgenError as error:
            self._failed[name] = error
            if not is_among(error, self._errors):
                self._errors.append(error)

    def __getitem__(self, name: str) -> T:
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
    def settled(self) -> Mapping[str, T]:
        """The attempts; as a plain mapping, which is quicker, where nothing failed."""
        return self if self._failed else self._made
