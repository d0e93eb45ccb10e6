"""Words of system.toml that nobody wants to see on a page: what a proposed file asks to replace, names in braces.

In: a ruleset. Out: a finding for each. The words of play aids fill names in braces; those of system.toml stand as they
are written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from refgen.checks.finding import Finding, FindingKind, Severity
from refgen.rules.model import Ruleset
from refgen.rules.schema import RulesSpec
from refgen.rules.toml import Path, locate

ABOUT = "One sentence about the game."
"""What a proposed system.toml says of its game."""

_OF_GAME = ("title", "about", "source")
_OF_ENTRIES = ("title", "note", "unit")
_NAME = re.compile(r"\{[a-z0-9]+(?:[.-][a-z0-9]+)*\}")


def check_placeholders(ruleset: Ruleset) -> Iterator[Finding]:
    """The words that are shown as they stand, and should not be, in the order of the schema."""
    for path, text in _shown(ruleset.spec):
        name = _NAME.search(text)
        if name or text == ABOUT:
            yield Finding(
                id=f"placeholders/{'.'.join(map(str, path))}",
                kind=FindingKind.PLACEHOLDER,
                system=ruleset.id,
                printed=name[0] if name else text,
                computed="",
                rule="these words have no names in braces: pages show them as they stand"
                if name
                else "write what the game is: pages show this as it stands",
                severity=Severity.WARNING,
                span=locate(ruleset.spec_source, path),
            )


def _shown(spec: RulesSpec) -> Iterator[tuple[Path, str]]:
    """The words of a game and of its entries (tables, facts, rolls, …) that pages show, each with its path."""
    for key in _OF_GAME:
        yield (key,), getattr(spec, key)
    for section in type(spec).model_fields:
        entries = getattr(spec, section)
        for name, entry in entries.items() if isinstance(entries, Mapping) else ():
            yield from (((section, name, key), getattr(entry, key, "")) for key in _OF_ENTRIES)
