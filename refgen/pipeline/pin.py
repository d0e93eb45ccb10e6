"""Pin what nothing can compare in a game: write it to its decreed.toml, as it is now.

In: a game without errors, and its folder. Out: the file, written whole or not at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from refgen.checks.decreed import PINS_NAME, Pins, PinsSpec, load_pins
from refgen.export.toml_text import toml_entry, toml_string
from refgen.pipeline.game_file import refuse_bundled, write_whole
from refgen.rules.model import Ruleset

HEAD = """\
# The numbers that system.toml marks as decreed, and what stands beside names of rows, as they were last pinned.
# `refgen check {game} --pin` writes this file anew.
"""


def pin(ruleset: Ruleset, folder: Path) -> Path:
    """Write decreed.toml anew; of another edition of the document, what is not as in the game's own.

    Raises CheckError for a bundled game, whose folder is refgen's own, RulesError for a decreed.toml that is malformed.
    """
    refuse_bundled(ruleset.id, folder, "pins")
    path = folder / PINS_NAME
    write_whole(path, pins_text(ruleset, folder))
    return path


def pins_text(ruleset: Ruleset, folder: Path) -> str:
    """The whole decreed.toml of a game: the pins of the document that was read, and those of other editions."""
    loaded = load_pins(folder)
    pins = (loaded[0] if loaded else PinsSpec()).with_pins(ruleset)
    of_editions = (entry for name, some in pins.editions.items() for entry in _entries(some, f"editions.{name}."))
    return "\n".join((HEAD.format(game=ruleset.id), *_entries(pins), *of_editions))


def _entries(pins: Pins, before: str = "") -> Iterator[str]:
    if pins.facts:
        yield toml_entry(f"{before}facts", pins.facts)
    for table, rows in pins.tables.items():
        yield toml_entry(f"{before}tables.{table}", {toml_string(name): row for name, row in rows.items()})
