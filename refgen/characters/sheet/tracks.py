"""The rows of boxes of a sheet.

In: an entry of ``tracks`` in sheet.toml, and a game. Out: rows with as many boxes as any character may have; those
that only some have are optional.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from refgen.blocks.words import words
from refgen.characters.sheet.model import Boxes, Field, FieldKind, Rule, SheetRow
from refgen.characters.sheet.names import slug
from refgen.characters.sheet.spec import TrackEntry, TrackSpec
from refgen.errors import AidError
from refgen.game.game import Game
from refgen.notation.formula import parse_formula
from refgen.notation.tree import names_in
from refgen.resolver.chains.track import Track
from refgen.resolver.chains.tracks import AllTracks, Tracks
from refgen.resolver.formula.axis import constant
from refgen.resolver.lookup import ladder_of

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


def _in_full(entry: TrackEntry) -> TrackSpec:
    return TrackSpec(track=entry) if isinstance(entry, str) else entry


def all_tracks(game: Game, tracks: Tracks) -> Sequence[Track]:
    """The track of every level, or the one for all."""
    if tracks.spec.by is None:
        return [tracks.base]
    return [tracks.of(level.name) for level in ladder_of(game.ruleset, tracks.spec.by.ladder).levels]


def _note(values: object, spec: TrackSpec) -> str:
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


def _counted(game: Game, base: str, spec: TrackSpec) -> SheetRow:
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
