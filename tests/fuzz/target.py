"""A target of fuzzing: what is fuzzed, of which seeds, by which changes.

In: a scratch folder. Out: a function that reads an input as refgen would, and a command that reads the same input. Both
raise RefgenError for an input that is refused; whatever else is raised is a fault of refgen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tests.fuzz.mutations import TEXT, Change

Run = Callable[[bytes], object]
"""Reads an input."""


@dataclass(frozen=True, slots=True)
class Target:
    """What is fuzzed. ``prepare`` makes, in a scratch folder, the function that reads an input as refgen would.

    ``command`` has the arguments of a command that reads the input, which lies in the scratch folder by then. ``fresh``
    makes half of the inputs, by a grammar. ``foreign`` are more seeds, which are not there on every machine. ``large``
    are seeds that take long to read: a few inputs are made of them, and others have parts of them.
    """

    seeds: Callable[[], Sequence[bytes]]
    prepare: Callable[[Path], Run]
    changes: Sequence[Change] = TEXT
    command: Callable[[Path, bytes], Sequence[str] | None] | None = None
    fresh: Callable[[Random], str] | None = None
    foreign: Callable[[], Sequence[bytes]] = tuple
    large: Callable[[], Sequence[bytes]] = tuple
