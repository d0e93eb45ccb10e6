"""A character as it was read: a name, and what is written in the fields of its sheet.

In: what a file says. Out: a Character, whose values are by the keys of their fields ("attributes.health",
"skills.2.level"): words, exact numbers, True for a ticked box, and for a row of a track how many boxes are ticked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from refgen.characters.sheet.names import slug
from refgen.span import Span

Written = str | int | Fraction | bool
"""What is written in a field."""


@dataclass(frozen=True, slots=True)
class Character:
    """A character: ``values`` by the keys of their fields; ``place`` is where it stands in its file."""

    name: str
    values: Mapping[str, Written]
    place: Span | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        return f"<Character {self.name}: {len(self.values)} values>"

    @property
    def file_name(self) -> str:
        """The name as one that every file system takes, without suffix."""
        return slug(self.name) or "character"
