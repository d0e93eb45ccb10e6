"""The blank sheet of a game.

In: sheet.toml, or a proposal for a game without one, and the ladders, tables and tracks that it names. Out: a
CharacterSheet: its fields with the words to choose from, rows with as many boxes as any character may have (boxes that
only some characters have are optional). Raises AidError with the place of the wrong part.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from refgen.blocks.kinds import load_aid_spec, make_block, place_faults, unwritten_file
from refgen.blocks.typesetting import column_index, fill_placeholders, typeset
from refgen.catalog import did_you_mean
from refgen.characters.sheet import (
    NUMBER,
    Boxes,
    CharacterSheet,
    Domain,
    Field,
    FieldKind,
    Rule,
    SheetPage,
    SheetPart,
    SheetRow,
    TurnOrder,
    slug,
)
from refgen.characters.sheet_spec import (
    FieldEntry,
    FieldSpec,
    PartSpec,
    SheetSpec,
    TrackEntry,
    TrackRowsSpec,
    planned_pages,
)
from refgen.errors import AidError
from refgen.game import GameModel
from refgen.notation.figures import Rounding
from refgen.notation.formula_parser import parse_formula
from refgen.notation.formula_tree import names_in
from refgen.notation.values import Level
from refgen.resolver.chains.track import Track
from refgen.resolver.chains.tracks import AllTracks, Tracks
from refgen.resolver.formula.axis import constant
from refgen.resolver.lookup import ladder_of
from refgen.resolver.rolls import roll
from refgen.rules.places import locate
from refgen.words import Words

SPEC_NAME = "sheet.toml"


def has_sheet(game: GameModel) -> bool:
    """Whether a game has a sheet: unless its system.toml leaves the sheet out."""
    return game.ruleset.spec.aids.sheet


def make_sheet(folder: Path, game: GameModel) -> CharacterSheet:
    """Make the blank sheet of the system in ``folder``. Raises AidError for a game that leaves its sheet out."""
    if not has_sheet(game):
        raise AidError(f"{game.title} has no sheet", hint="Its system.toml leaves the sheet out: see [aids] there.")
    if (folder / SPEC_NAME).exists():
        spec, source = load_aid_spec(folder, SPEC_NAME, SheetSpec, game.ruleset.style.letters)
    else:
        from refgen.characters.sheet_proposal import proposed_sheet  # games with a sheet.toml need no proposal

        spec, source = proposed_sheet(game), unwritten_file(folder, SPEC_NAME)
    with place_faults(source):
        planned = planned_pages(spec, game)
    maker = _PartMaker(game, {part.key: part for page in planned for part, _ in page.parts}, spec.rounding)
    pages = []
    known: set[str] = set()
    for page in planned:
        parts: list[SheetPart] = []
        for part, path in page.parts:
            with place_faults(source, *path):
                place = locate(source, path)
                made = [replace(one, place=place) for one in maker.parts(part)]
                _check_names(made, known)
                parts += made
        pages.append(SheetPage(tuple(parts), page.flows))
    with place_faults(source, "order"):
        order = _turn_order(game, spec, known)
    return CharacterSheet(fill_placeholders(game, spec.title), tuple(pages), order=order, calculates=spec.calculate)


def _turn_order(game: GameModel, spec: SheetSpec, known: Collection[str]) -> TurnOrder | None:
    """The rule for who acts first. Raises AidError for an unknown field, ResolverError for text that is no dice."""
    if spec.order is None:
        return None
    if spec.order.by not in known:
        hint = did_you_mean(spec.order.by, known)
        raise AidError(f'there is no field "{spec.order.by}"', hint=hint)
    dice = fill_placeholders(game, spec.order.dice)
    if dice:
        roll(dice)
    return TurnOrder(spec.order.by, dice)


def _check_names(parts: Sequence[SheetPart], known: set[str]) -> None:
    """Raises AidError for two parts, or two fields, of one name."""
    for part in parts:
        names = [field.name for row in part.rows for field in row.fields]
        names += [part.id] if part.id not in names and part.layout != "block" else []
        for name in names:
            if name in known:
                raise AidError(f'two fields have the name "{name}"', hint="Give one of them an `id` of its own.")
            known.add(name)


@dataclass(frozen=True, slots=True)
class _PartMaker:
    """Makes the parts of a sheet; ``specs`` are the specs of all parts by their keys.

    ``rounding`` is the default of computed fields; ``let`` are the named formulas of the part.
    """

    game: GameModel
    specs: Mapping[str, PartSpec]
    rounding: Rounding
    let: tuple[tuple[str, str], ...] = ()

    def parts(self, spec: PartSpec) -> Iterator[SheetPart]:
        """The part of an entry; several, numbered, of a part that repeats."""
        maker, title = replace(self, let=tuple(spec.let.items())), fill_placeholders(self.game, spec.title)
        if not spec.repeat:
            yield maker._part(spec, spec.key, title)
            return
        for number in range(1, spec.repeat + 1):
            yield maker._part(spec, f"{spec.key}.{number}", f"{title} {number}")

    def _part(self, spec: PartSpec, base: str, title: str) -> SheetPart:
        pattern = SheetRow("", self._inputs(spec, f"{base}.{NUMBER}", f"{title} {NUMBER}")) if spec.lines else None
        part = SheetPart(
            base,
            title,
            spec.layout,
            tuple(self._rows(spec, base, title)),
            self._heads(spec),
            pattern,
            spec.lines or spec.area,
            bool(spec.lines or spec.area) and not spec.exactly,
            spec.numbered,
            spec.rows,
            make_block(self.game, spec.block, titled=False) if spec.block else None,
            fill_placeholders(self.game, spec.note),
            spec.wide,
            spec.columns,
        )
        return part.with_lines(part.least) if pattern else part

    def _heads(self, spec: PartSpec) -> tuple[str, ...]:
        """The heads over the fields of a line, or over the points and values of a track."""
        if spec.tracks:
            shown = [entry for entry in spec.tracks if isinstance(entry, str) or entry.track]
            return _track_heads(self.game, shown[0]) if shown else ()
        return tuple(fill_placeholders(self.game, _field_spec(entry, spec.ladder).label) for entry in spec.inputs)

    def _rows(self, spec: PartSpec, base: str, title: str) -> Iterator[SheetRow]:
        if spec.fields:
            before = title if spec.repeat else ""
            for entry in spec.fields:
                field = self._field(entry, base, before, spec.ladder)
                yield SheetRow(fill_placeholders(self.game, _field_spec(entry, None).label), (field,))
        elif spec.rows:
            for number, word in enumerate(column_words(self.game, spec.rows)):
                yield SheetRow(typeset(word), self._inputs(spec, f"{base}.{slug(word)}", word), entry=number)
        elif spec.area:
            yield SheetRow("", (Field(base, title, FieldKind.AREA, lines=spec.area),))
        for track in spec.tracks:
            yield from _track_rows(self.game, base, track)

    def _inputs(self, spec: PartSpec, base: str, label: str) -> tuple[Field, ...]:
        """The fields of a line; one without a head where no inputs are named."""
        if not spec.inputs:
            return (self._named_field(FieldSpec(label=label, ladder=spec.ladder), base),)
        return tuple(self._field(entry, base, label, spec.ladder) for entry in spec.inputs)

    def _field(self, entry: FieldEntry, base: str, label: str, ladder: str | None) -> Field:
        """The field of an entry, named by its part or row (``base``) and its own key.

        ``label`` comes before its own label in tooltips; ``ladder`` is that of entries which are mere names.
        """
        spec = _field_spec(entry, ladder)
        named = self._named_field(spec, f"{base}.{spec.key}" if base else spec.key)
        return replace(named, label=f"{label}: {named.label}") if label else named

    def _named_field(self, spec: FieldSpec, name: str) -> Field:
        choices = self._choices(spec)
        return Field(
            name,
            fill_placeholders(self.game, spec.label),
            _field_kind(spec, choices),
            tuple(choices),
            spec.lines,
            spec.key,
            _field_domain(spec),
            self._rule(spec),
            spec.signed,
            spec.width,
        )

    def _choices(self, spec: FieldSpec) -> Sequence[str]:
        """The words to choose from. Raises an error for an unknown ladder, column or part."""
        if spec.value:
            if spec.ladder:
                self.game.ladders[spec.ladder]
            return ()
        if spec.ladder:
            return [level.name for level in self.game.ladders[spec.ladder].levels]
        if spec.of:
            return column_words(self.game, spec.of)
        if spec.part:
            return [field.label for field in self._fields_of(spec.part)]
        return [fill_placeholders(self.game, choice) for choice in spec.choices]

    def _fields_of(self, part_id: str) -> Sequence[FieldSpec]:
        """The fields of another part. Raises AidError if no part with that key has fields or rows."""
        part = self.specs.get(part_id)
        if part is None:
            raise AidError(f'there is no part "{part_id}"', hint=did_you_mean(part_id, self.specs))
        if part.fields and not part.repeat:
            return [_field_spec(entry, part.ladder) for entry in part.fields]
        if part.rows and len(part.inputs) < 2:
            return [FieldSpec(label=word) for word in column_words(self.game, part.rows)]
        raise AidError(f'the part "{part_id}" has no fields of its own', hint="Name one with `fields` or `rows`.")

    def _rule(self, spec: FieldSpec) -> Rule | None:
        if not spec.value:
            return None
        rounding, unit = spec.rounding or self.rounding, fill_placeholders(self.game, spec.unit)
        return Rule(spec.value, spec.show, spec.ladder or "", spec.places, rounding, unit, self.let)


def _field_spec(entry: FieldEntry, ladder: str | None) -> FieldSpec:
    return FieldSpec(label=entry, ladder=ladder) if isinstance(entry, str) else entry


def column_words(game: GameModel, path: str) -> Sequence[str]:
    """The texts in the column of a table at the path "table.column"; for a level, its name."""
    table_id, _, column = path.partition(".")
    table = game.tables[table_id]
    index = column_index(table, column)
    return [
        cell.value.name if isinstance(cell.value, Level) else cell.shown for cell in (row[index] for row in table.rows)
    ]


def _field_kind(spec: FieldSpec, choices: Sequence[str]) -> FieldKind:
    if spec.value:
        return FieldKind.COMPUTED
    if choices:
        return FieldKind.CHOICE
    if spec.type == "check":
        return FieldKind.BOX
    if spec.type == "notes" or spec.lines > 1:
        return FieldKind.AREA
    return FieldKind.NUMBER if spec.type == "number" else FieldKind.TEXT


def _field_domain(spec: FieldSpec) -> Domain | None:
    if spec.value or not (spec.ladder or spec.of or spec.part):
        return None
    return Domain(spec.ladder or "", spec.of, spec.part or "")


POINTS = "points"
"""The id of the field with the points that mark a row of boxes."""

MOST_BOXES = 40


def _track_rows(game: GameModel, base: str, entry: TrackEntry) -> Iterator[SheetRow]:
    """The rows of boxes of an entry: a row for each kind of box of a track, or a single row that a formula counts."""
    spec = _track_spec(entry)
    if spec.track is None:
        yield _counted_row(game, base, spec)
        return
    tracks = AllTracks(game.ruleset)[spec.track]
    if (tracks.spec.by is not None) != bool(spec.level):
        hint = "Say whose: level = …" if tracks.spec.by else "Leave `level` out."
        raise AidError(
            f'the track "{spec.track}" {"goes by a level" if tracks.spec.by else "is the same for all"}', hint=hint
        )
    for place, box in enumerate(tracks.base.boxes):
        most = max(track.boxes[place].count for track in _all_tracks(game, tracks))
        if not 1 <= most <= MOST_BOXES:
            message = f'the track "{spec.track}" has {most} boxes "{box.name}" at most, not 1 to {MOST_BOXES}'
            raise AidError(message, hint="Correct how many boxes there are, or take the track off the sheet.")
        name = f"{base}.{slug(box.name)}"
        boxes = _box_fields(name, box.name, box.count, most, game.words)
        fields = (*_points_fields(tracks, name, box.name, game.words), *boxes)
        yield SheetRow(box.name, fields, _track_note(box.values, spec), Boxes(spec.track, spec.level, place + 1))


def _track_heads(game: GameModel, entry: TrackEntry) -> tuple[str, ...]:
    """The heads over the points and over the values of a track."""
    spec = _track_spec(entry)
    has_points = bool(AllTracks(game.ruleset)[spec.track or ""].spec.low)
    return game.words("points").capitalize() if has_points else "", ", ".join(
        value.replace("-", " ").capitalize() for value in spec.values
    )


def _track_spec(entry: TrackEntry) -> TrackRowsSpec:
    return TrackRowsSpec(track=entry) if isinstance(entry, str) else entry


def _all_tracks(game: GameModel, tracks: Tracks) -> Sequence[Track]:
    """The track of every level; a single track if it is the same for all."""
    if tracks.spec.by is None:
        return [tracks.base]
    return [tracks.of(level.name) for level in ladder_of(game.ruleset, tracks.spec.by.ladder).levels]


def _track_note(values: object, spec: TrackRowsSpec) -> str:
    found = values if isinstance(values, dict) else {}
    shown = [f"{found[name]:+d}".replace("-", "−") for name in spec.values if found.get(name)]
    return ", ".join(shown)


def _points_fields(tracks: Tracks, name: str, label: str, words: Words) -> Iterator[Field]:
    """A field for the points that mark the box, where the track has points."""
    if tracks.spec.low:
        rule = Rule("", show="text")
        yield Field(f"{name}.{POINTS}", f"{label}: {words('points')}", FieldKind.COMPUTED, id=POINTS, rule=rule)


def _box_fields(name: str, label: str, usual: int, most: int, words: Words) -> Iterator[Field]:
    for number in range(1, most + 1):
        title = words("box-of", label=label, number=number)
        yield Field(f"{name}.{number}", title, FieldKind.BOX, id=str(number), optional=number > usual)


def _counted_row(game: GameModel, base: str, spec: TrackRowsSpec) -> SheetRow:
    """A row of boxes that a formula counts; the blank sheet has ``most`` if the character decides."""
    name = f"{base}.{spec.id or slug(spec.label)}"
    unknown = [known for known in names_in(parse_formula(spec.boxes)) if known not in game.facts]
    if unknown and not spec.most:
        raise AidError(f'"{spec.boxes}" names "{unknown[0]}", which the blank sheet does not know', hint="Say `most`.")
    most = constant(game.ruleset, spec.most or spec.boxes)
    if not 1 <= most <= MOST_BOXES:
        raise AidError(f'"{spec.most or spec.boxes}" comes to {most} boxes, not to 1 to {MOST_BOXES}')
    label = fill_placeholders(game, spec.label)
    boxes = tuple(_box_fields(name, label, 0 if unknown else most, most, game.words))
    return SheetRow(label, boxes, fill_placeholders(game, spec.note), Boxes(formula=spec.boxes))
