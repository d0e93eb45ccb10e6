"""The tracks of a ruleset, and tables of tracks: an entry becomes a Track, or one for each level of a ladder.

In: an entry of ``[tracks.*]`` with formulas for the boxes, and perhaps a table of changes that build on each other.
Out: Tracks. A change sets boxes ("4 Scratched boxes"), adds boxes ("extra Hurt box") or sets the points of a kind;
after "etc." the kinds that follow are as wide as ``width`` says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from refgen.catalog import did_you_mean
from refgen.errors import ResolverError
from refgen.notation.formula_parser import parse_formula
from refgen.notation.formula_tree import Call
from refgen.notation.values import Interval, Level, TrackChange
from refgen.resolver.chains.track import Box, Overflow, Track, check_track
from refgen.resolver.formula.axis import AxisSpec, constant, read_axis, whole_number
from refgen.resolver.formula.compiler import Compiler
from refgen.resolver.formula.names import Names
from refgen.resolver.formula.scope import Evaluator, Scope
from refgen.resolver.lookup import (
    ComputedSpec,
    column_id,
    column_of,
    computed_table,
    find_named,
    ladder_of,
    table_of,
    words_of,
)
from refgen.rules.field_types import FormulaText, Identifier
from refgen.rules.model import Cell, Column, Ruleset, RuleTable
from refgen.rules.schema import RulesSpec
from refgen.rules.toml import Strict
from refgen.span import Span


class TrackChangesSpec(Strict):
    """A track for each level of a ladder: a row of ``table`` names a ``level`` and its ``change`` to another track.

    ``base`` is the fact that names the level whose track is as the formulas have it; a change starts from the track of
    that level unless the change names another level.
    """

    ladder: Identifier
    table: Identifier
    level: Identifier
    change: Identifier
    base: Identifier


class TrackSpec(Strict):
    """Boxes of several kinds: ``boxes`` is an axis of the kinds, the lightest first, which the other formulas go by.

    ``count`` is how many boxes a kind has. The points that mark it go from ``low`` to ``high``; without ``high`` to
    where the next kind begins, and without ``low`` each point fills a box. ``reach`` is the number of the kind that
    overflow goes to at most. ``values`` is what the worst kind that is marked counts for. ``by`` is for whom the boxes
    change, and ``width`` how many points a kind takes after the "etc." of a change.
    """

    title: str
    boxes: AxisSpec
    count: FormulaText = "1"
    low: FormulaText = ""
    high: FormulaText = ""
    reach: FormulaText = ""
    overflow: Overflow = "next"
    values: dict[Identifier, FormulaText] = {}
    width: FormulaText = ""
    by: TrackChangesSpec | None = None


class TracksSpec(RulesSpec):
    """A system.toml with tracks."""

    tracks: dict[Identifier, TrackSpec] = {}


@dataclass(frozen=True)
class Tracks:
    """The tracks of an entry: the track that the formulas describe, and the changed track of each level.

    ``sources_by_id`` are the places in the document on which the tracks made so far rest.
    """

    ruleset: Ruleset[TracksSpec]
    spec: TrackSpec
    sources_by_id: dict[int, Span] = field(default_factory=dict, repr=False, compare=False)
    _known: dict[str, Track] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def base(self) -> Track:
        """The track as the formulas have it. Raises ResolverError for points that overlap or reach far."""
        spec = self.spec
        axis = read_axis(self.ruleset, spec.boxes)
        formulas, entries = Compiler(Names(self.ruleset, axis.names)), axis.entries
        scopes = [Scope(entry.named, sources_by_id=self.sources_by_id) for entry in entries]

        def numbers(text: str) -> Sequence[int]:
            evaluate = formulas.number(parse_formula(text))
            return [whole_number(evaluate(scope), text) for scope in scopes]

        points = self._points(numbers) if spec.low else [None] * len(entries)
        kinds = numbers(f"{{{spec.boxes.id}}}") if spec.reach else []
        reaches = [self._place(kinds, number) for number in numbers(spec.reach)] if spec.reach else None
        values = {name: numbers(text) for name, text in spec.values.items()}
        counts = numbers(spec.count)
        boxes = [
            Box(
                entry.shown.text,
                counts[number],
                points[number],
                reaches[number] if reaches else len(entries),
                {name: found[number] for name, found in values.items()},
            )
            for number, entry in enumerate(entries)
        ]
        return check_track(Track(boxes, spec.overflow), spec.title)

    def _points(self, numbers: Callable[[str], Sequence[int]]) -> Sequence[Interval | None]:
        lows = numbers(self.spec.low)
        highs = numbers(self.spec.high) if self.spec.high else [*(low - 1 for low in lows[1:]), None]
        return [
            Interval(low, high) if high is None or low <= high else None for low, high in zip(lows, highs, strict=True)
        ]

    def _place(self, kinds: Sequence[int], number: int) -> int:
        if number not in kinds:
            raise ResolverError(f"{self.spec.title}: no kind of box has the number {number}, to which another reaches")
        return kinds.index(number) + 1

    def of(self, level: str, above: tuple[str, ...] = ()) -> Track:
        """The track of a level. Raises ResolverError for changes that build on each other in a circle."""
        if level not in self._known:
            self._known[level] = self._track_of(level, above)
        return self._known[level]

    def _track_of(self, level: str, above: tuple[str, ...]) -> Track:
        if level == self._base_level:
            return self.base
        if level in above:
            raise ResolverError(f"the tracks of {' and '.join(above)} build on each other")
        if level not in self._changes:
            raise ResolverError(f'no change is printed for "{level}"')
        change = self._changes[level]
        base = self._level(change.base) if change.base else self._base_level
        changed = self._change_track(self.of(base, (*above, level)), change)
        return check_track(changed, f"{self.spec.title}, {level}")

    def numbered(self, number: int) -> Track:
        """The track of the level with that number. Raises ResolverError where the ladder has none."""
        level = ladder_of(self.ruleset, self.by.ladder).named(number)
        if level is None:
            raise ResolverError(f"{self.spec.title}: there is no level with the number {number}")
        return self.of(level.name)

    @property
    def by(self) -> TrackChangesSpec:
        """For whom the track changes. Raises ResolverError for one that is the same for all."""
        if self.spec.by is None:
            raise ResolverError(
                f"{self.spec.title} is the same for all", hint='Give it `by`, or take "" for its level.'
            )
        return self.spec.by

    @cached_property
    def _base_level(self) -> str:
        fact = self.ruleset.facts.get(self.by.base)
        if fact is None or not isinstance(fact.value, Level):
            raise ResolverError(f'"{self.by.base}" is not a fact that names a level')
        return fact.value.name

    @cached_property
    def _changes(self) -> dict[str, TrackChange]:
        table = table_of(self.ruleset, self.by.table)
        if table.span is not None:
            self.sources_by_id[id(table.span)] = table.span
        pairs = zip(column_of(table, self.by.level), column_of(table, self.by.change), strict=True)
        return {
            level.value.name: change.value
            for level, change in pairs
            if isinstance(level.value, Level) and isinstance(change.value, TrackChange)
        }

    def _level(self, name: str) -> str:
        found = ladder_of(self.ruleset, self.by.ladder).find(name)
        if found is None:
            raise ResolverError(f'a track builds on "{name}", which is no level')
        return found.name

    def _change_track(self, track: Track, change: TrackChange) -> Track:
        counts = [box.count for box in track.boxes]
        points = [box.points for box in track.boxes]
        for name, count in change.boxes:
            counts[self._index(track, name)] = count
        for name in change.extra:
            counts[self._index(track, name)] += 1
        last = -1
        for name, interval in change.ranges:
            last = self._index(track, name)
            points[last] = interval
        if change.continues and last >= 0:
            start = ((points[last] or Interval(0, 0)).high or 0) + 1
            points[last + 1 :] = _steps(start, self._width, len(points) - last - 1)
        changed = zip(track.boxes, counts, points, strict=True)
        return Track([replace(box, count=count, points=interval) for box, count, interval in changed], track.overflow)

    @cached_property
    def _width(self) -> int:
        if not self.spec.width:
            raise ResolverError(
                f'{self.spec.title}: a change goes on with "etc."', hint="Say how wide kinds are: width."
            )
        return constant(self.ruleset, self.spec.width)

    def _index(self, track: Track, name: str) -> int:
        """The index of a kind of box, by its printed name or by a name that a ladder knows for that level."""
        names = [box.name for box in track.boxes]
        for ladder in self.ruleset.ladders.values():
            found = ladder.find(name)
            if found is not None and found.name in names:
                return names.index(found.name)
        if name not in names:
            raise ResolverError(f'"{name}" is no kind of box', hint=did_you_mean(name, names))
        return names.index(name)


def _steps(start: int, width: int, count: int) -> list[Interval]:
    """``count`` ranges of points of equal width; the last has no upper end."""
    starts = range(start, start + width * count, width)
    ranges = [Interval(low, low + width - 1) for low in starts]
    return [*ranges[:-1], Interval(starts[-1], None)] if ranges else []


TrackOf = Callable[[Scope], Track]


@dataclass(frozen=True)
class AllTracks:
    """The tracks of a ruleset by id, each made when it is first asked for."""

    ruleset: Ruleset[TracksSpec]
    _known: dict[str, Tracks] = field(default_factory=dict, repr=False, compare=False)

    def __getitem__(self, track_id: str) -> Tracks:
        """Raises ResolverError for an id that is not there."""
        if track_id not in self._known:
            self._known[track_id] = Tracks(self.ruleset, find_named(self.ruleset.spec.tracks, track_id, "track"))
        return self._known[track_id]

    def of(self, track_id: str, whose: Evaluator | None) -> TrackOf:
        """How to find the track of the level that ``whose`` comes to; None for one that is the same for all."""
        tracks = self[track_id]
        if whose is None and tracks.spec.by is not None:
            raise ResolverError(f'the track "{track_id}" goes by a level', hint=f"Say whose: box({track_id}, …, …).")

        def find(scope: Scope) -> Track:
            track = tracks.base if whose is None else tracks.numbered(whole_number(whose(scope), track_id))
            scope.sources_by_id.update(tracks.sources_by_id)
            return track

        return find

    def box(self, compiler: Compiler, call: Call) -> Evaluator:
        """The function "box": of a track, points and perhaps a level, the place of the box they mark, 0 for none."""
        points, *level = map(compiler.number, call.arguments)
        find = self.of(call.table, level[0] if level else None)
        return lambda scope: find(scope).place(points(scope))


class TrackTableSpec(ComputedSpec):
    """The boxes of ``track``; ``head`` stands over its levels, and ``rule`` says in words how its boxes follow."""

    kind: Literal["track"]
    track: Identifier
    head: str = ""
    rule: str


def track_table(ruleset: Ruleset[TracksSpec], table_id: str, spec: TrackTableSpec) -> RuleTable:
    """The boxes of a track for every level, best first."""
    tracks = AllTracks(ruleset)[spec.track]
    rows = [(Cell(name), *map(_cell, track.boxes)) for name, track in _levels(ruleset, tracks)]
    kinds = [Column(column_id(box.name), box.name, "interval") for box in tracks.base.boxes]
    columns = [Column("level", spec.head, "level"), *kinds]
    return computed_table(table_id, spec, columns, rows, words_of(ruleset, spec.rule))


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
