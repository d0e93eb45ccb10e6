"""Fields as sheet.toml describes them.

In: an entry of sheet.toml, and the game whose ladders and tables it names. Out: a Field with its choices.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from refgen.blocks.names import column_index
from refgen.blocks.words import words
from refgen.characters.sheet.model import Domain, Field, FieldKind, Rule
from refgen.characters.sheet.names import slug
from refgen.characters.sheet.spec import FieldEntry, FieldSpec, PartSpec
from refgen.errors import AidError
from refgen.game.game import Game
from refgen.notation.rounding import Rounding
from refgen.notation.values import Level
from refgen.suggestion import did_you_mean


@dataclass(frozen=True, slots=True)
class Fields:
    """Makes the fields of a sheet: of a game, whose other parts are known by their ids, with a usual rounding.

    ``let`` are the formulas with a name that those of a part may mention.
    """

    game: Game
    parts: Mapping[str, PartSpec]
    rounding: Rounding
    let: tuple[tuple[str, str], ...] = ()

    def field(self, entry: FieldEntry, base: str, label: str = "", ladder: str | None = None) -> Field:
        """The field of an entry: its name is that of what it belongs to (``base``) and its own.

        ``label`` is what the tooltip says before its own label; ``ladder`` is that of mere names.
        """
        spec = self.spec(entry, ladder)
        spec_id = field_id(spec)
        named = self.plain(spec, f"{base}.{spec_id}" if base else spec_id)
        return replace(named, label=f"{label}: {named.label}") if label else named

    def plain(self, spec: FieldSpec, name: str) -> Field:
        """The field with a name of its own."""
        choices = self.choices(spec)
        return Field(
            name,
            words(self.game, spec.label),
            _kind(spec, choices),
            tuple(choices),
            spec.lines,
            field_id(spec),
            _domain(spec),
            self._rule(spec),
            spec.signed,
            spec.width,
        )

    @staticmethod
    def spec(entry: FieldEntry, ladder: str | None) -> FieldSpec:
        """An entry in full."""
        return FieldSpec(label=entry, ladder=ladder) if isinstance(entry, str) else entry

    def choices(self, spec: FieldSpec) -> Sequence[str]:
        """The words to choose from. Raises an error for a ladder, column or part that is not there."""
        if spec.value:
            if spec.ladder:
                self.game.ladders[spec.ladder]
            return ()
        if spec.ladder:
            return [level.name for level in self.game.ladders[spec.ladder].levels]
        if spec.of:
            return column_words(self.game, spec.of)
        if spec.part:
            return [field.label for field in self.fields_of(spec.part)]
        return [words(self.game, choice) for choice in spec.choices]

    def fields_of(self, part_id: str) -> Sequence[FieldSpec]:
        """The fields of another part. Raises AidError where there is no such part with fields or rows."""
        part = self.parts.get(part_id)
        if part is None:
            raise AidError(f'there is no part "{part_id}"', hint=did_you_mean(part_id, self.parts))
        if part.fields and not part.repeat:
            return [self.spec(entry, part.ladder) for entry in part.fields]
        if part.rows and len(part.inputs) < 2:
            return [FieldSpec(label=word) for word in column_words(self.game, part.rows)]
        raise AidError(f'the part "{part_id}" has no fields of its own', hint="Name one with `fields` or `rows`.")

    def _rule(self, spec: FieldSpec) -> Rule | None:
        if not spec.value:
            return None
        rounding = spec.rounding or self.rounding
        return Rule(
            spec.value, spec.show, spec.ladder or "", spec.places, rounding, words(self.game, spec.unit), self.let
        )


def field_id(spec: FieldSpec) -> str:
    """What a field is called in formulas and files of characters."""
    return spec.id or slug(spec.label)


def column_words(game: Game, path: str) -> Sequence[str]:
    """The words in a column of a table, "table.column"; a level is called by its name."""
    table_id, _, column = path.partition(".")
    table = game.tables[table_id]
    index = column_index(table, column)
    return [
        cell.value.name if isinstance(cell.value, Level) else cell.shown for cell in (row[index] for row in table.rows)
    ]


def _kind(spec: FieldSpec, choices: Sequence[str]) -> FieldKind:
    if spec.value:
        return FieldKind.COMPUTED
    if choices:
        return FieldKind.CHOICE
    if spec.type == "check":
        return FieldKind.BOX
    if spec.type == "notes" or spec.lines > 1:
        return FieldKind.AREA
    return FieldKind.NUMBER if spec.type == "number" else FieldKind.TEXT


def _domain(spec: FieldSpec) -> Domain | None:
    if spec.value or not (spec.ladder or spec.of or spec.part):
        return None
    return Domain(spec.ladder or "", spec.of, spec.part or "")
