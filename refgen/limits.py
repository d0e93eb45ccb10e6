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

from refgen.catalog import did_you_mean
from refgen.errors import RefgenError

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

    document_lines: int = 200_000
    """Lines of the rule documents of a game, all files together."""

    document_marks: int = 1_000_000
    """Signs of markup, such as asterisks and angle brackets, of the rule documents of a game, all files together."""

    entity_letters: int = 100_000
    """Letters that the entities of the DocBook documents of a game stand for, each time that a document names one."""

    table_columns: int = 1_000
    """Columns of one printed table."""

    table_cells: int = 200_000
    """Cells of the tables of a document, each as often as it stretches over rows and columns."""

    nesting: int = 20
    """Quotes and lists of a Markdown document that may stand in one another."""

    bracket_letters: int = 1_000_000_000
    """Letters of a Markdown document that are searched for the ends of square brackets, each time that one has none."""

    xml_depth: int = 100
    """Elements of a DocBook document that may stand in one another, and entities that may name one another."""

    value_letters: int = 400
    """Letters of a cell that is read as a number, a range, dice or any other value but text."""

    toml_letters: int = 500_000
    """Letters of one TOML file of a game, such as system.toml."""

    toml_depth: int = 50
    """Tables and lists of a TOML file that may stand in one another."""

    title_letters: int = 200
    """Letters of a title or a label in a TOML file: more have no room above what they name."""

    pattern_letters: int = 2_000
    """Letters of a pattern, or of a sentence with names, in a TOML file."""

    pattern_depth: int = 50
    """Brackets of a pattern that may stand in one another."""

    pattern_bytes: int = 4 * 2**20
    """Bytes that a pattern takes; a repeat of a repeat takes more."""

    sentence_names: int = 100
    """Values that a sentence names."""

    formula_letters: int = 400
    """Letters of a formula or a condition."""

    formula_depth: int = 50
    """Functions and named formulas of a formula that may stand in one another."""

    formula_mentions: int = 100
    """Mentions of named formulas in a formula, at any depth."""

    cell_letters: int = 1_000_000
    """Letters of one cell in a CSV file of characters: more is a quote that was never closed."""

    cards: int = 3_000
    """Cards of one deck, each as often as the deck has it."""

    pandoc_seconds: int = 30
    """Seconds that pandoc takes for one document: some malformed ones send it round in circles for ever."""

    pandoc_megabytes: int = 1024
    """Megabytes of memory that pandoc takes for one document."""

    template_letters: int = 100_000
    """Letters of a template of a project."""

    font_bytes: int = 24 * 2**20
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

    throw_outcomes: int = 100_000
    """Outcomes that throws with names have together."""

    throw_work: int = 1_200_000
    """Outcomes of throws with names that are followed for one table."""

    axis_entries: int = 1_000
    """Numbers along one side of a computed table."""

    grid_cells: int = 200_000
    """Cells of one computed table."""

    explorer_figures: int = 20_000
    """Figures of one explorer: a page with more of them would not open at once."""

    explorer_chains: int = 1_000
    """Combinations of an explorer that asks a chain, each of which is a chain of its own."""

    chain_states: int = 2_000
    """States of one chain."""

    chain_moves: int = 200_000
    """Moves of one chain, of all its states together."""

    chain_cycle: int = 120
    """States of a chain that can come back to each other: solving them costs the third power of their number."""

    chain_steps: int = 1_000
    """Steps over which a chain is followed."""

    chain_work: int = 2_000_000
    """Steps over which a chain is followed, times its moves."""

    track_boxes: int = 1_000
    """Boxes of one kind on a track."""

    track_points: int = 10_000
    """Points that mark a box of a track."""

    step_seconds: int = 300
    """Seconds of one step of a build, such as the pages of one aid."""

    step_megabytes: int = 3 * 2**10
    """Megabytes of memory of the process of a step."""

    index_seconds: int = 300
    """Seconds in which the index of the site's search is made."""

    request_seconds: int = 10
    """Seconds in which a request to ``refgen serve`` arrives, or a part of its answer is taken."""

    connections: int = 64
    """Connections to ``refgen serve`` that are open at once, without those that wait for changes."""

    change_streams: int = 4
    """Pages that hear from ``refgen serve`` of changes at once: a browser opens six connections, some for pages."""


def limits() -> Limits:
    """The limits of this process."""
    return _changed_limits(limit_changes())


def limit_changes() -> str:
    """The changed limits of this process, as text: "cards=5000 file-bytes=1000"."""
    return os.environ.get(ENVIRONMENT, "")


def limit_hint(name: str) -> str:
    """The hint for somebody who ran into the limit called ``name`` (a field of Limits)."""
    return (
        f"The limit {_limit_text(name)} is {getattr(limits(), name):,}; --limit {_limit_text(name)}=NUMBER changes it."
    )


@contextmanager
def changed_limits(changes: Iterable[str]) -> Iterator[None]:
    """Let limits have other numbers for a while; each change is a text "NAME=NUMBER".

    Raises RefgenError for a name that no limit has, and for what is not a positive whole number.
    """
    before = os.environ.get(ENVIRONMENT)
    changed = " ".join([*(before or "").split(), *changes])
    _changed_limits(changed)
    os.environ[ENVIRONMENT] = changed
    try:
        yield
    finally:
        if before is None:
            del os.environ[ENVIRONMENT]
        else:
            os.environ[ENVIRONMENT] = before


@lru_cache(maxsize=8)
def _changed_limits(changes: str) -> Limits:
    numbers: dict[str, int] = {}
    for change in changes.split():
        numbers |= _read(change)
    return replace(Limits(), **numbers)


def _read(change: str) -> Mapping[str, int]:
    match = _CHANGE.fullmatch(change)
    if match is None or not int(match["number"]):
        raise RefgenError(f'"{change}" changes no limit', hint='Write "NAME=NUMBER", as in "cards=5000".')
    known = [_limit_text(field.name) for field in fields(Limits)]
    if match["name"] not in known:
        raise RefgenError(f'there is no limit "{match["name"]}"', hint=did_you_mean(match["name"], known))
    return {match["name"].replace("-", "_"): int(match["number"])}


def _limit_text(name: str) -> str:
    return name.replace("_", "-")
