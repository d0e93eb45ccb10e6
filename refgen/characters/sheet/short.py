"""The short form of a sheet, names alone, in full.

In: a SheetSpec. Out: the parts of each of its pages, each with its place in the file, and whether the page goes on
where it is full.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from refgen.blocks.kinds import BlockSpec
from refgen.characters.sheet.spec import FieldEntry, FieldSpec, ListEntry, PartSpec, SheetSpec, TrackEntry
from refgen.game.game import Game

Path = tuple[str | int, ...]

WHO = ("Name", "Player")
"""What is asked of everybody."""

LINES = 6
"""Lines of a list of the short form, at least, and of an area."""


@dataclass(frozen=True, slots=True)
class PlacedPage:
    """A page in full: its parts, each with its path in sheet.toml."""

    parts: Sequence[tuple[PartSpec, Path]]
    flows: bool


def pages_of(spec: SheetSpec, game: Game) -> list[PlacedPage]:
    """The pages of a sheet. Raises an error for a track or table that is not there."""
    if spec.pages:
        return [
            PlacedPage([(part, ("pages", page, "parts", place)) for place, part in enumerate(one.parts)], flows=False)
            for page, one in enumerate(spec.pages)
        ]
    if spec.parts:
        return [PlacedPage([(part, ("parts", place)) for place, part in enumerate(spec.parts)], flows=True)]
    return [PlacedPage(list(_short(spec, game)), flows=True)]


def _short(spec: SheetSpec, game: Game) -> Iterator[tuple[PartSpec, Path]]:
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
