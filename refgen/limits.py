"""The limits of reading and computing: a table of numbers, so that no file takes too much memory or time.

In: the options ``--limit NAME=NUMBER`` of a command. Out: the number that each limit has in this process and in the
processes that it starts. Whoever runs refgen may change a limit; a document or a game's files never can.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from functools import lru_cache

from refgen.errors import RefgenError
from refgen.suggestion import did_you_mean

ENVIRONMENT = "REFGEN_LIMITS"
"""The environment variable that hands changed limits on to the processes that this process starts."""

_CHANGE = re.compile(r"(?P<name>[a-z-]+)=(?P<number>[0-9][0-9_]{0,17})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Limits:
    """Each limit by its name, with the number it has unless ``--limit`` says otherwise."""

    file_bytes: int = 32 * 2**20
    """Bytes of one file that is read: a rule document, a TOML file, a file of characters."""

    pipe_seconds: int = 60
    """Seconds in which a pipe that is named in place of a file comes to its end."""

    document_letters: int = 10_000_000
    """Letters of the rule documents of a game, all files together, without pictures."""

    table_columns: int = 1_000
    """Columns of one printed table."""

    table_cells: int = 1_000_000
    """Cells of one printed table, each as often as it stretches over rows and columns."""

    nesting: int = 20
    """Quotes and lists of a Markdown document that may stand in one another."""

    title_letters: int = 200
    """Letters of a title or a label in a TOML file: more have no room above what they name."""

    cell_letters: int = 1_000_000
    """Letters of one cell in a CSV file of characters: more is a quote that was never closed."""

    cards: int = 3_000
    """Cards of one deck, each as often as the deck has it."""

    pandoc_seconds: int = 30
    """Seconds that pandoc takes for one document: some malformed ones send it round in circles for ever."""

    pandoc_megabytes: int = 1024
    """Megabytes of memory that pandoc takes for one document."""

    font_bytes: int = 4 * 2**20
    """Bytes of a font in look.toml."""

    picture_bytes: int = 4 * 2**20
    """Bytes of a picture in look.toml."""

    picture_pixels: int = 20_000_000
    """Pixels of a picture in look.toml."""

    dice: int = 2_000
    """Dice of one pool."""

    outcomes: int = 50_000
    """Different outcomes of a roll, open-ended ones as far as they are followed; with long chances fewer."""

    dice_work: int = 6_000_000
    """Steps of about a fifth of a microsecond to work a roll out."""


def limits() -> Limits:
    """The limits of this process."""
    return _changed(limit_changes())


def limit_changes() -> str:
    """The changed limits of this process, as text: "cards=5000 file-bytes=1000"."""
    return os.environ.get(ENVIRONMENT, "")


def limit_hint(name: str) -> str:
    """The hint for somebody who ran into the limit called ``name`` (a field of Limits)."""
    return f"The limit {_shown(name)} is {getattr(limits(), name):,}; --limit {_shown(name)}=NUMBER changes it."


@contextmanager
def changed_limits(changes: Iterable[str]) -> Iterator[None]:
    """Let limits have other numbers for a while; each change is a text "NAME=NUMBER".

    Raises RefgenError for a name that no limit has, and for what is not a positive whole number.
    """
    before = os.environ.get(ENVIRONMENT)
    changed = " ".join([*(before or "").split(), *changes])
    _changed(changed)
    os.environ[ENVIRONMENT] = changed
    try:
        yield
    finally:
        if before is None:
            del os.environ[ENVIRONMENT]
        else:
            os.environ[ENVIRONMENT] = before


@lru_cache(maxsize=8)
def _changed(changes: str) -> Limits:
    numbers: dict[str, int] = {}
    for change in changes.split():
        numbers |= _read(change)
    return replace(Limits(), **numbers)


def _read(change: str) -> Mapping[str, int]:
    match = _CHANGE.fullmatch(change)
    if match is None or not int(match["number"]):
        raise RefgenError(f'"{change}" changes no limit', hint='Write "NAME=NUMBER", as in "cards=5000".')
    known = [_shown(field.name) for field in fields(Limits)]
    if match["name"] not in known:
        raise RefgenError(f'there is no limit "{match["name"]}"', hint=did_you_mean(match["name"], known))
    return {match["name"].replace("-", "_"): int(match["number"])}


def _shown(name: str) -> str:
    return name.replace("_", "-")
