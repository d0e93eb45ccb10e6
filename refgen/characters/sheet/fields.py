"""The fields and the rows of boxes of a sheet, as sheet.toml describes them.

In: an entry of sheet.toml, and the game whose ladders, tables and tracks it names. Out: a Field with its choices; rows
with as many boxes as any character may have, of which those that only some have are optional.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from refgen.blocks.words import column_index, words
from refgen.characters.sheet.model import Boxes, Domain, Field, FieldKind, Rule, SheetRow, slug
from refgen.characters.sheet.spec import FieldEntry, FieldSpec, PartSpec, TrackEntry, TrackRowsSpec
from refgen.errors import AidError
from refgen.game.game import Game
from refgen.notation.formula import parse_formula
from refgen.notation.rounding import Rounding
from refgen.notation.tree import names_in
from refgen.notation.values import Level
from refgen.resolver.chains.track import Track
from refgen.resolver.chains.tracks import AllTracks, Tracks
from refgen.resolver.formula.axis import constant
from refgen.resolver.lookup import ladder_of
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


POINTS = "points"
"""The id of the field that says which points mark a row of boxes."""

MOST_BOXES = 40


def track_rows(game: Game, base: str, entry: TrackEntry) -> Iterator[SheetRow]:
    """The rows of an entry: one for each kind of box of a track, or a single one."""
    spec = _in_full(entry)
    if spec.track is None:
        yield _counted(game, base, spec)
        return
    tracks = AllTracks(game.ruleset)[spec.track]
    if (tracks.spec.by is not None) != bool(spec.level):
        hint = "Say whose: level = …" if tracks.spec.by else "Leave `level` out."
        raise AidError(
            f'the track "{spec.track}" {"goes by a level" if tracks.spec.by else "is the same for all"}', hint=hint
        )
    for place, box in enumerate(tracks.base.boxes):
        most = max(track.boxes[place].count for track in all_tracks(game, tracks))
        if not 1 <= most <= MOST_BOXES:
            message = f'the track "{spec.track}" has {most} boxes "{box.name}" at most, not 1 to {MOST_BOXES}'
            raise AidError(message, hint="Correct how many boxes there are, or take the track off the sheet.")
        key, boxes = slug(box.name), Boxes(spec.track, spec.level, place + 1)
        fields = (*_points(tracks, f"{base}.{key}", box.name), *_boxes(f"{base}.{key}", box.name, box.count, most))
        yield SheetRow(box.name, fields, _note(box.values, spec), boxes)


def track_heads(game: Game, entry: TrackEntry) -> tuple[str, ...]:
    """What stands over the points of a track, and over its values."""
    spec = _in_full(entry)
    has_points = bool(AllTracks(game.ruleset)[spec.track or ""].spec.low)
    return "Points" if has_points else "", ", ".join(value.replace("-", " ").capitalize() for value in spec.values)


def _in_full(entry: TrackEntry) -> TrackRowsSpec:
    return TrackRowsSpec(track=entry) if isinstance(entry, str) else entry


def all_tracks(game: Game, tracks: Tracks) -> Sequence[Track]:
    """The track of every level, or the one for all."""
    if tracks.spec.by is None:
        return [tracks.base]
    return [tracks.of(level.name) for level in ladder_of(game.ruleset, tracks.spec.by.ladder).levels]


def _note(values: object, spec: TrackRowsSpec) -> str:
    found = values if isinstance(values, dict) else {}
    shown = [f"{found[name]:+d}".replace("-", "−") for name in spec.values if found.get(name)]
    return ", ".join(shown)


def _points(tracks: Tracks, name: str, label: str) -> Iterator[Field]:
    """A field for the points that mark the box, where the track has points."""
    if tracks.spec.low:
        rule = Rule("", show="text")
        yield Field(f"{name}.{POINTS}", f"{label}: {POINTS}", FieldKind.COMPUTED, id=POINTS, rule=rule)


def _boxes(name: str, label: str, usual: int, most: int) -> Iterator[Field]:
    for number in range(1, most + 1):
        yield Field(
            f"{name}.{number}", f"{label}, box {number}", FieldKind.BOX, id=str(number), optional=number > usual
        )


def _counted(game: Game, base: str, spec: TrackRowsSpec) -> SheetRow:
    """Boxes that a formula counts; the blank sheet has ``most`` of them where only the character knows how many."""
    name = f"{base}.{spec.id or slug(spec.label)}"
    unknown = [known for known in names_in(parse_formula(spec.boxes)) if known not in game.facts]
    if unknown and not spec.most:
        raise AidError(f'"{spec.boxes}" names "{unknown[0]}", which the blank sheet does not know', hint="Say `most`.")
    most = constant(game.ruleset, spec.most or spec.boxes)
    if not 1 <= most <= MOST_BOXES:
        raise AidError(f'"{spec.most or spec.boxes}" comes to {most} boxes, not to 1 to {MOST_BOXES}')
    label = words(game, spec.label)
    boxes = tuple(_boxes(name, label, 0 if unknown else most, most))
    return SheetRow(label, boxes, words(game, spec.note), Boxes(formula=spec.boxes))
