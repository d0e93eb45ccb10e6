"""Characters at random: what the fields of a sheet take, most of it there, some of it strange."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random

from refgen.characters.character import Character, Leaf, ListShape, RecordShape, Shape, WrittenValue
from refgen.characters.form import Form
from refgen.characters.sheet import NUMBER, FieldKind

NUMBERS = (0, 1, 2, -1, 3, -4, 7, 12, 40, -45, 1_000, 10**12, Fraction(1, 2), Fraction(-7, 3), Fraction(5, 2))


def characters(form: Form, seed: int, count: int) -> Iterator[Character]:
    """So many characters of a sheet: some with nearly everything, some with nearly nothing."""
    random = Random(seed)
    for number in range(count):
        filled = random.choice((0.3, 0.8, 0.97))
        values = {key: value for key, leaf in _leaves(form.shape, random) if random.random() < filled
                  for value in [_written(leaf, random)] if value is not None}  # fmt: skip
        yield Character(f"Number {number}", {**values, form.sheet.name_key: f"Number {number}"})


def _leaves(shape: Shape, random: Random, number: int = 0) -> Iterator[tuple[str, Leaf]]:
    """The leaves of a sheet by their keys, with some lines of each list."""
    match shape:
        case Leaf():
            yield shape.key.replace(NUMBER, str(number)), shape
        case RecordShape():
            for entry in shape.entries.values():
                yield from _leaves(entry, random, number)
        case ListShape():
            for line in range(1, random.randint(1, shape.most or 4) + 1):
                yield from _leaves(shape.entry, random, line)


def _written(leaf: Leaf, random: Random) -> WrittenValue | None:
    if leaf.boxes:
        return random.randint(0, leaf.boxes) or None
    match leaf.field.kind:
        case FieldKind.CHOICE:
            return random.choice(leaf.field.choices)
        case FieldKind.BOX:
            return True
        case FieldKind.NUMBER:
            return random.choice(NUMBERS if random.random() < 0.4 else NUMBERS[:7])
    return random.choice(("Ista", "Öl & Salz", "two\nlines", '"\\#]'))
