"""What a field brings to formulas once something is written in it.

In: a leaf of a sheet's shape, and what is written there. Out: what the names of formulas stand for: the field's own,
and those behind it ("force" and "force.size" of a row of a table).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from refgen.characters.character import Written
from refgen.characters.shape import Leaf
from refgen.characters.sheet.fields import column_words
from refgen.characters.sheet.names import slug
from refgen.game.game import Game
from refgen.notation.values import Number, fraction
from refgen.resolver.dice.arithmetic import Rational
from refgen.resolver.formula.axis import AxisSpec, level_cells, read_axis
from refgen.resolver.formula.scope import Named
from refgen.rules.model import Cell

Values = Mapping[str, Named]
"""What the names of formulas stand for."""

_ROW = "row"


@dataclass(frozen=True)
class Reader:
    """The values of a leaf: ``endings`` are what its names end in, each with whether it stands for dice.

    ``by_word`` are the values of each choice; what is a field of another ``part`` has the value of that.
    """

    leaf: Leaf
    endings: Mapping[str, bool]
    by_word: Mapping[str, Values]
    part: str = ""

    @classmethod
    def of(cls, game: Game, leaf: Leaf) -> Reader:
        """The reader of a leaf. Raises an error for a ladder or column that is not there."""
        domain = leaf.field.domain
        if domain is None:
            return cls(leaf, {"": False}, {})
        if domain.ladder:
            cells = level_cells(game.ruleset, domain.ladder)
            return cls(leaf, {"": False}, {level.name: {"": Named.of(cell)} for level, cell in cells})
        if domain.part:
            return cls(leaf, {"": False}, {}, domain.part)
        axis = read_axis(game.ruleset, AxisSpec(id=_ROW, of=domain.of))
        by_word = {
            word: {name.removeprefix(_ROW): named for name, named in entry.named.items()}
            for word, entry in zip(column_words(game, domain.of), axis.entries, strict=True)
        }
        return cls(leaf, {name.removeprefix(_ROW): dice for name, dice in axis.names.items()}, by_word)

    def names(self, name: str) -> Iterator[tuple[str, bool]]:
        """Every name under which formulas know the value of a field of that name, and whether it stands for dice."""
        return ((name + ending, dice) for ending, dice in self.endings.items())

    def values(self, written: Written, values: Values) -> Values:
        """What the names stand for by their endings when this is written; other fields have ``values``."""
        if self.part:
            found = values.get(f"{self.part}.{slug(str(written))}")
            return {"": found} if found is not None else {}
        if isinstance(written, str):
            return self.by_word.get(written) or {"": Named(Cell(written), None)}
        return {"": number(int(written) if isinstance(written, bool) else written)}


def number(value: Rational, bound: str = "") -> Named:
    """What a name stands for that is a mere number, or only a bound."""
    exact = fraction(value) if isinstance(value, int) else value
    return Named(Cell(f"{bound}{value}", Number(exact, bound)), value, bound)
