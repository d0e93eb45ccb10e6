"""A track as a table: for each level the points that mark each kind of box, and its boxes in brackets.

In: an entry of ``[tracks.*]``. Out: a row for each level of the ladder that it goes by, or one for all.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from refgen.resolver.cells import ComputedSpec, column_id, computed, word_cell
from refgen.resolver.chains.track import Box, Track
from refgen.resolver.chains.tracks import AllTracks, Tracks, TracksSpec
from refgen.resolver.lookup import ladder_of, words_of
from refgen.rules.field_types import Identifier
from refgen.rules.model import Cell, Column, Ruleset, RuleTable


class TrackTableSpec(ComputedSpec):
    """The boxes of ``track``; ``head`` stands over its levels, and ``rule`` says in words how its boxes follow."""

    kind: Literal["track"]
    track: Identifier
    head: str = ""
    rule: str


def track_table(ruleset: Ruleset[TracksSpec], table_id: str, spec: TrackTableSpec) -> RuleTable:
    """The boxes of a track for every level, best first."""
    tracks = AllTracks(ruleset)[spec.track]
    rows = [(word_cell(name), *map(_cell, track.boxes)) for name, track in _levels(ruleset, tracks)]
    kinds = [Column(column_id(box.name), box.name, "interval") for box in tracks.base.boxes]
    columns = [Column("level", spec.head, "level"), *kinds]
    return computed(table_id, spec, columns, rows, words_of(ruleset, spec.rule))


def _levels(ruleset: Ruleset, tracks: Tracks) -> Iterator[tuple[str, Track]]:
    if tracks.spec.by is None:
        yield tracks.spec.title, tracks.base
        return
    for level in ladder_of(ruleset, tracks.spec.by.ladder).levels:
        yield level.name, tracks.of(level.name)


def _cell(box: Box) -> Cell:
    """The points of a kind of box; where it has several boxes, their number in brackets."""
    boxes = f"({box.count})" if box.count != 1 else ""
    if box.points is None:
        return Cell(boxes or "(1)")
    low, high = box.points.low, box.points.high
    points = f"{low}+" if high is None else str(low) if low == high else f"{low}-{high}"
    return Cell(f"{points} {boxes}".strip(), box.points)
