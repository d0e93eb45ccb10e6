"""What is found out once: a mapping that works a value out when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class Once(dict[Key, Value]):
    """Values by their keys; ``find`` gives one that is not there yet."""

    def __init__(self, find: Callable[[Key], Value]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, key: Key) -> Value:
        found = self[key] = self._find(key)
        return found
