"""The blank sheet of a game.

In: sheet.toml, in full or in its short form (names alone), and a Game. Out: a CharacterSheet. Raises AidError with the
place of the part that is wrong.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from refgen.blocks.kinds import BlockSpec, make_block
from refgen.blocks.pieces import typeset
from refgen.blocks.spec_file import load_aid_spec, placed
from refgen.blocks.words import words
from refgen.characters.sheet.fields import Fields, column_words, track_heads, track_rows
from refgen.characters.sheet.model import (
    NUMBER,
    CharacterSheet,
    Field,
    FieldKind,
    SheetPage,
    SheetPart,
    SheetRow,
    TurnOrder,
    slug,
)
from refgen.characters.sheet.spec import FieldEntry, FieldSpec, ListEntry, PartSpec, SheetSpec, TrackEntry
from refgen.errors import AidError
from refgen.game.game import Game
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


def pages_of(spec: SheetSpec, game: Game) -> list[PagePlan]:
    """The pages of a sheet. Raises an error for a track or table that is not there."""
    if spec.pages:
        return [
            PagePlan([(part, ("pages", page, "parts", place)) for place, part in enumerate(one.parts)], flows=False)
            for page, one in enumerate(spec.pages)
        ]
    if spec.parts:
        return [PagePlan([(part, ("parts", place)) for place, part in enumerate(spec.parts)], flows=True)]
    return [PagePlan(list(_short(spec, game)), flows=True)]


def _short(spec: SheetSpec, game: Game) -> Iterator[tuple[PartSpec, TomlPath]]:
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


def _title(entry: TrackEntry, game: Game) -> str:
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


def make_sheet(folder: Path, game: Game) -> CharacterSheet:
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
    return CharacterSheet(words(game, spec.title), tuple(pages), order=order, calculates=spec.calculate)


def _order(game: Game, spec: SheetSpec, known: Collection[str]) -> TurnOrder | None:
    """Who acts first. Raises AidError for a field that is not there."""
    if spec.order is None:
        return None
    if spec.order.by not in known:
        hint = did_you_mean(spec.order.by, known)
        raise AidError(f'there is no field "{spec.order.by}"', hint=hint)
    return TurnOrder(spec.order.by, words(game, spec.order.dice))


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

    game: Game
    fields: Fields

    def parts(self, spec: PartSpec) -> Iterator[SheetPart]:
        """The part of an entry; several, numbered, of one that repeats."""
        with_let = replace(self, fields=replace(self.fields, let=tuple(spec.let.items())))
        if not spec.repeat:
            yield with_let._part(spec, part_id(spec), words(self.game, spec.title))
            return
        for number in range(1, spec.repeat + 1):
            yield with_let._part(spec, f"{part_id(spec)}.{number}", f"{words(self.game, spec.title)} {number}")

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
            words(self.game, spec.note),
            spec.wide,
            spec.columns,
        )
        return part.with_lines(part.least) if pattern else part

    def _heads(self, spec: PartSpec) -> tuple[str, ...]:
        """What stands over the fields of a line; the points and values of a track."""
        if spec.tracks:
            shown = [entry for entry in spec.tracks if isinstance(entry, str) or entry.track]
            return track_heads(self.game, shown[0]) if shown else ()
        return tuple(words(self.game, self.fields.spec(entry, spec.ladder).label) for entry in spec.inputs)

    def _rows(self, spec: PartSpec, base: str, title: str) -> Iterator[SheetRow]:
        if spec.fields:
            before = title if spec.repeat else ""
            for entry in spec.fields:
                field = self.fields.field(entry, base, before, spec.ladder)
                yield SheetRow(words(self.game, self.fields.spec(entry, None).label), (field,))
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
