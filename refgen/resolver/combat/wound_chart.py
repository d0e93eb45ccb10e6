"""Wound charts: how many boxes each wound status has, and which damage leads to it, for every level of a trait.

In: a table of changes that build on each other, and the facts of the default chart. Out: the chart of each level.
A change sets boxes ("4 Scratched boxes"), adds boxes ("extra Hurt box") or sets ranges of damage; after "etc." the
statuses that follow are as wide as the default's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from refgen.errors import ResolverError
from refgen.notation.level import Ladder
from refgen.notation.values import Interval, Level, TrackChange
from refgen.resolver.cells import ComputedSpec
from refgen.resolver.lookup import column_of, ladder_of, number_of_fact, table_of
from refgen.rules.model import Ruleset
from refgen.rules.schema import Identifier


class WoundChartSpec(ComputedSpec):
    """The full wound chart of every level, from a table of changes and the facts of the default chart."""

    kind: Literal["wound-chart"]
    head: str
    table: Identifier
    level: Identifier
    change: Identifier
    levels: Identifier
    statuses: Identifier
    default: Identifier
    first_boxes: Identifier
    other_boxes: Identifier
    first_damage: Identifier
    width: Identifier


@dataclass(frozen=True, slots=True)
class Status:
    """A wound status on a chart: its boxes, and the damage that leads to it."""

    boxes: int
    damage: Interval


Chart = tuple[Status, ...]
"""The statuses from lightest to gravest."""


@dataclass(frozen=True, slots=True)
class Charts:
    """The default chart, the changes by level, and the names of the statuses from lightest to gravest."""

    default_level: str
    default: Chart
    changes: Mapping[str, TrackChange]
    levels: Ladder
    statuses: Ladder
    width: int

    def of(self, level: str, above: tuple[str, ...] = ()) -> Chart:
        """The chart of a level. Raises ResolverError for changes that build on each other in a circle."""
        if level == self.default_level:
            return self.default
        if level in above:
            raise ResolverError(f"the charts of {' and '.join(above)} build on each other")
        if level not in self.changes:
            raise ResolverError(f'no wound chart is printed for "{level}"')
        change = self.changes[level]
        base = self._level(change.base) if change.base else self.default_level
        return self._changed(self.of(base, (*above, level)), change)

    def _level(self, name: str) -> str:
        found = self.levels.find(name)
        if found is None:
            raise ResolverError(f'a chart builds on "{name}", which is no level')
        return found.name

    def _changed(self, chart: Chart, change: TrackChange) -> Chart:
        boxes = [status.boxes for status in chart]
        for name, count in change.boxes:
            boxes[self._index(name)] = count
        for name in change.extra:
            boxes[self._index(name)] += 1
        damage = self._damage(chart, change)
        return tuple(Status(count, interval) for count, interval in zip(boxes, damage, strict=True))

    def _damage(self, chart: Chart, change: TrackChange) -> list[Interval]:
        damage = [status.damage for status in chart]
        last = -1
        for name, interval in change.ranges:
            last = self._index(name)
            damage[last] = interval
        if change.continues and last >= 0:
            start = (damage[last].high or 0) + 1
            damage[last + 1 :] = _steps(start, self.width, len(damage) - last - 1)
        return damage

    def _index(self, name: str) -> int:
        names = [status.name for status in lightest_first(self.statuses)]
        found = self.statuses.find(name)
        if found is None:
            raise ResolverError(f'"{name}" is no wound status', hint=f"There are {', '.join(names)}.")
        return names.index(found.name)


def lightest_first(statuses: Ladder) -> Sequence[Level]:
    """The wound statuses of a ladder, the lightest first."""
    return statuses.levels


def _steps(start: int, width: int, count: int) -> list[Interval]:
    """``count`` ranges of damage of equal width; the last has no upper end."""
    starts = range(start, start + width * count, width)
    ranges = [Interval(low, low + width - 1) for low in starts]
    return [*ranges[:-1], Interval(starts[-1], None)] if ranges else []


def charts_of(ruleset: Ruleset, spec: WoundChartSpec) -> Charts:
    """The charts that an entry of system.toml describes. Raises ResolverError for a fact or level that is missing."""
    levels, statuses = ladder_of(ruleset, spec.levels), ladder_of(ruleset, spec.statuses)
    default = ruleset.facts.get(spec.default)
    if default is None or not isinstance(default.value, Level):
        raise ResolverError(f'"{spec.default}" is not a fact that names a level')
    width = number_of_fact(ruleset, spec.width)
    boxes = [number_of_fact(ruleset, spec.first_boxes)]
    boxes += [number_of_fact(ruleset, spec.other_boxes)] * (len(statuses.levels) - 1)
    damage = _steps(_first_damage(ruleset, spec), width, len(boxes))
    chart = tuple(Status(count, interval) for count, interval in zip(boxes, damage, strict=True))
    return Charts(default.value.name, chart, _changes(ruleset, spec), levels, statuses, width)


def _first_damage(ruleset: Ruleset, spec: WoundChartSpec) -> int:
    fact = ruleset.facts.get(spec.first_damage)
    if fact is None or not isinstance(fact.value, Interval) or fact.value.low is None:
        raise ResolverError(f'"{spec.first_damage}" is not a fact that states a range of damage')
    return fact.value.low


def _changes(ruleset: Ruleset, spec: WoundChartSpec) -> dict[str, TrackChange]:
    table = table_of(ruleset, spec.table)
    pairs = zip(column_of(table, spec.level), column_of(table, spec.change), strict=True)
    return {
        level.value.name: change.value
        for level, change in pairs
        if isinstance(level.value, Level) and isinstance(change.value, TrackChange)
    }
