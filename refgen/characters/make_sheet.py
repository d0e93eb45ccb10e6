"""The blank sheet of a game.

In: sheet.toml, in full or in its short form (names alone), and a Game. Out: a CharacterSheet. Raises AidError with the
place of the part that is wrong.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from refgen.blocks.kinds import BlockSpec, load_aid_spec, make_block, placed
from refgen.blocks.typesetting import column_index, fill_placeholders, typeset
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
    ListEntry,
    PartSpec,
    SheetSpec,
    TrackEntry,
    TrackRowsSpec,
)
from refgen.errors import AidError
from refgen.game.game import GameModel
from refgen.notation.figures import Rounding
from refgen.notation.formula_parser import parse_formula
from refgen.notation.formula_tree import names_in
from refgen.notation.values import Level
from refgen.resolver.chains.track import Track
from refgen.resolver.chains.tracks import AllTracks, Tracks
from refgen.resolver.formula.axis import constant
from refgen.resolver.lookup import ladder_of
from refgen.rules.toml import locate
from refgen.suggestion import did_you_mean

TomlPath = tuple[str | int, ...]

WHO = ("Name", "Player")
"""What is asked of everybody."""

LINES = 6
"""Lines of a list of the short form, at least, and of an area."""


@dataclass(frozen=True, slots=True)
class PagePlan:
    """A page in full: its parts, each with its path in sheet.toml."""

    parts: Sequence[tuple[PartSpec, TomlPath]]
    flows: bool


def pages_of(spec: SheetSpec, game: GameModel) -> list[PagePlan]:
    """The pages of a sheet. Raises an error for a track or table that is not there."""
    if spec.pages:
        return [
            PagePlan([(part, ("pages", page, "parts", place)) for place, part in enumerate(one.parts)], flows=False)
            for page, one in enumerate(spec.pages)
        ]
    if spec.parts:
        return [PagePlan([(part, ("parts", place)) for place, part in enumerate(spec.parts)], flows=True)]
    return [PagePlan(list(_short(spec, game)), flows=True)]


def _short(spec: SheetSpec, game: GameModel) -> Iterator[tuple[PartSpec, TomlPath]]:
    yield PartSpec(title="Who", wide=True, fields=spec.who or [*WHO]), ("who",)
    if spec.traits:
        yield PartSpec(title="Traits", fields=spec.traits, ladder=spec.ladder), ("traits",)
    for entry in spec.tracks:
        yield PartSpec(title=_title(entry, game), tracks=[entry]), ("tracks",)
    for listed in spec.lists:
        yield _list(listed), ("lists",)
    for title in spec.notes:
        yield PartSpec(title=title, area=LINES), ("notes",)
    for table in spec.tables:
        yield PartSpec(title=game.tables[table].title, block=BlockSpec(table=table)), ("tables",)


def _title(entry: TrackEntry, game: GameModel) -> str:
    """What a track is called: as in system.toml, or as its boxes."""
    track = entry if isinstance(entry, str) else entry.track
    known = game.ruleset.spec.tracks
    if track in known:
        return known[track].title
    return str(track) if isinstance(entry, str) else entry.label


def _list(entry: ListEntry) -> PartSpec:
    if isinstance(entry, str):
        return PartSpec(title=entry, lines=LINES)
    if entry.ladder is None:
        return PartSpec(title=entry.title, lines=LINES)
    level: list[FieldEntry] = [FieldSpec(label="Name"), FieldSpec(label="Level", ladder=entry.ladder)]
    return PartSpec(title=entry.title, lines=LINES, inputs=level)


SPEC_NAME = "sheet.toml"


def make_sheet(folder: Path, game: GameModel) -> CharacterSheet:
    """Make the blank sheet of the system in ``folder``."""
    spec, source = load_aid_spec(folder, SPEC_NAME, SheetSpec, game.ruleset.style.dice_letters)
    with placed(source):
        planned = pages_of(spec, game)
    specs = {part_id(part): part for page in planned for part, _ in page.parts}
    maker = _PartMaker(game, Fields(game, specs, spec.rounding))
    pages = []
    known: set[str] = set()
    for page in planned:
        parts: list[SheetPart] = []
        for part, path in page.parts:
            with placed(source, *path):
                place = locate(source, path)
                made = [replace(one, place=place) for one in maker.parts(part)]
                _check_names(made, known)
                parts += made
        pages.append(SheetPage(tuple(parts), page.flows))
    with placed(source, "order"):
        order = _order(game, spec, known)
    return CharacterSheet(fill_placeholders(game, spec.title), tuple(pages), order=order, calculates=spec.calculate)


def _order(game: GameModel, spec: SheetSpec, known: Collection[str]) -> TurnOrder | None:
    """Who acts first. Raises AidError for a field that is not there."""
    if spec.order is None:
        return None
    if spec.order.by not in known:
        hint = did_you_mean(spec.order.by, known)
        raise AidError(f'there is no field "{spec.order.by}"', hint=hint)
    return TurnOrder(spec.order.by, fill_placeholders(game, spec.order.dice))


def part_id(spec: PartSpec) -> str:
    """What a part is called in files of characters."""
    return spec.id or slug(spec.title)


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
    """Makes the parts of a sheet."""

    game: GameModel
    fields: Fields

    def parts(self, spec: PartSpec) -> Iterator[SheetPart]:
        """The part of an entry; several, numbered, of one that repeats."""
        with_let = replace(self, fields=replace(self.fields, let=tuple(spec.let.items())))
        if not spec.repeat:
            yield with_let._part(spec, part_id(spec), fill_placeholders(self.game, spec.title))
            return
        for number in range(1, spec.repeat + 1):
            yield with_let._part(
                spec, f"{part_id(spec)}.{number}", f"{fill_placeholders(self.game, spec.title)} {number}"
            )

    def _part(self, spec: PartSpec, base: str, title: str) -> SheetPart:
        layout = next(kind for kind in ("fields", "rows", "lines", "tracks", "area", "block") if getattr(spec, kind))
        pattern = self._pattern(spec, base, title)
        part = SheetPart(
            base,
            title,
            layout,
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
        """What stands over the fields of a line; the points and values of a track."""
        if spec.tracks:
            shown = [entry for entry in spec.tracks if isinstance(entry, str) or entry.track]
            return track_heads(self.game, shown[0]) if shown else ()
        return tuple(fill_placeholders(self.game, self.fields.spec(entry, spec.ladder).label) for entry in spec.inputs)

    def _rows(self, spec: PartSpec, base: str, title: str) -> Iterator[SheetRow]:
        if spec.fields:
            before = title if spec.repeat else ""
            for entry in spec.fields:
                field = self.fields.field(entry, base, before, spec.ladder)
                yield SheetRow(fill_placeholders(self.game, self.fields.spec(entry, None).label), (field,))
        elif spec.rows:
            for number, word in enumerate(column_words(self.game, spec.rows)):
                yield SheetRow(typeset(word), self._inputs(spec, f"{base}.{slug(word)}", word), entry=number)
        elif spec.area:
            yield SheetRow("", (Field(base, title, FieldKind.AREA, lines=spec.area),))
        for track in spec.tracks:
            yield from track_rows(self.game, base, track)

    def _pattern(self, spec: PartSpec, base: str, title: str) -> SheetRow | None:
        if not spec.lines:
            return None
        return SheetRow("", self._inputs(spec, f"{base}.{NUMBER}", f"{title} {NUMBER}"))

    def _inputs(self, spec: PartSpec, base: str, label: str) -> tuple[Field, ...]:
        """The fields of a line; one without a head where no inputs are named."""
        if not spec.inputs:
            return (self.fields.plain(FieldSpec(label=label, ladder=spec.ladder), base),)
        return tuple(self.fields.field(entry, base, label, spec.ladder) for entry in spec.inputs)


@dataclass(frozen=True, slots=True)
class Fields:
    """Makes the fields of a sheet: of a game, whose other parts are known by their ids, with a usual rounding.

    ``let`` are the formulas with a name that those of a part may mention.
    """

    game: GameModel
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
            fill_placeholders(self.game, spec.label),
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
        return [fill_placeholders(self.game, choice) for choice in spec.choices]

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
            spec.value,
            spec.show,
            spec.ladder or "",
            spec.places,
            rounding,
            fill_placeholders(self.game, spec.unit),
            self.let,
        )


def field_id(spec: FieldSpec) -> str:
    """What a field is called in formulas and files of characters."""
    return spec.id or slug(spec.label)


def column_words(game: GameModel, path: str) -> Sequence[str]:
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


def track_rows(game: GameModel, base: str, entry: TrackEntry) -> Iterator[SheetRow]:
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


def track_heads(game: GameModel, entry: TrackEntry) -> tuple[str, ...]:
    """What stands over the points of a track, and over its values."""
    spec = _in_full(entry)
    has_points = bool(AllTracks(game.ruleset)[spec.track or ""].spec.low)
    return "Points" if has_points else "", ", ".join(value.replace("-", " ").capitalize() for value in spec.values)


def _in_full(entry: TrackEntry) -> TrackRowsSpec:
    return TrackRowsSpec(track=entry) if isinstance(entry, str) else entry


def all_tracks(game: GameModel, tracks: Tracks) -> Sequence[Track]:
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


def _counted(game: GameModel, base: str, spec: TrackRowsSpec) -> SheetRow:
    """Boxes that a formula counts; the blank sheet has ``most`` of them where only the character knows how many."""
    name = f"{base}.{spec.id or slug(spec.label)}"
    unknown = [known for known in names_in(parse_formula(spec.boxes)) if known not in game.facts]
    if unknown and not spec.most:
        raise AidError(f'"{spec.boxes}" names "{unknown[0]}", which the blank sheet does not know', hint="Say `most`.")
    most = constant(game.ruleset, spec.most or spec.boxes)
    if not 1 <= most <= MOST_BOXES:
        raise AidError(f'"{spec.most or spec.boxes}" comes to {most} boxes, not to 1 to {MOST_BOXES}')
    label = fill_placeholders(game, spec.label)
    boxes = tuple(_boxes(name, label, 0 if unknown else most, most))
    return SheetRow(label, boxes, fill_placeholders(game, spec.note), Boxes(formula=spec.boxes))
