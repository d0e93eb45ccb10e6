"""The rules of a melee as a ruleset states them: its blows, its wound charts, and the two sides of a table.

In: a Ruleset and an entry of ``[blows.*]``. Out: a Melee, which says how often a blow leads where.
Every number comes from a fact or a cell; ``sources`` says where they all stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Literal

from refgen.errors import ResolverError
from refgen.notation.level import Ladder
from refgen.notation.values import Level
from refgen.resolver.cells import ComputedSpec, number_cell, word_cell
from refgen.resolver.combat.blows import Attack, Blows, Graze, Points, Quality, Weights, weights_of
from refgen.resolver.combat.wound_chart import Charts, WoundChartSpec, charts_of
from refgen.resolver.combat.wound_track import Fight, WoundTrack, WoundWeights, fight
from refgen.resolver.lookup import column_of, ladder_of, number_of, number_of_fact, roll_of, sources_of_dice, table_of
from refgen.rules.model import Cell, Ruleset
from refgen.rules.schema import Identifier, RulesSpec
from refgen.rules.toml import Strict
from refgen.span import Span

_FACT = re.compile(r"\{([a-z0-9-]+)\}")


class BlowSpec(Strict):
    """How an attack hits, what it does, and where its wounds are marked; several computed tables share it by its id.

    ``dice`` and ``luck`` are rolls. ``chart`` is the computed wound chart; the column ``penalty`` of the table
    ``wounds`` has the change to all actions by ``status``. The others are facts: the lowest result that hits, what a
    target without an avoidance counts as, the degree, most points and worst status of a graze, and the status that
    mere wounds of the lightest kind never pass.
    """

    ladder: Identifier
    dice: str
    luck: str
    minimum: Identifier
    uncontested: Identifier
    graze_degree: Identifier
    graze_points: Identifier
    graze_status: Identifier
    chart: Identifier
    wounds: Identifier
    status: Identifier
    penalty: Identifier
    scratch_limit: Identifier


Side = Literal["attack", "avoid", "basic", "health"]
"""What may go down the rows of a table of blows: a level of the ladder for each row."""


class BlowTable(ComputedSpec):
    """Both sides of a blow. Each is the name of a level, or a fact in braces; "" for the one that the rows vary.

    Without ``avoid`` the target makes no avoidance; ``avoidances`` is a fact with the number of rolls of which the best
    counts. ``basic`` is the basic damage less armour.
    """

    blow: Identifier
    attack: str = ""
    avoid: str = ""
    avoidances: Identifier | None = None
    basic: str = ""
    health: str = ""


class BlowsSpec(RulesSpec):
    """A system.toml with rules of blows; a wound chart is one of its computed tables."""

    blows: dict[Identifier, BlowSpec] = {}
    derived: dict[Identifier, ComputedSpec] = {}


@dataclass(frozen=True, slots=True)
class Sides:
    """Both sides of a blow: the attack, and the Health (a level of the wound charts) of whoever is struck."""

    attack: Attack
    health: str


@dataclass(frozen=True)
class Melee:
    """The rules of blows and wounds of a ruleset. What rows of a table share is worked out once and kept."""

    ruleset: Ruleset[BlowsSpec]
    spec: BlowSpec
    ladder: Ladder
    blows: Blows
    charts: Charts
    _qualities: dict[Attack, Weights[Quality | None]] = field(default_factory=dict, repr=False, compare=False)
    _hits: dict[Attack, Fraction] = field(default_factory=dict, repr=False, compare=False)
    _tracks: dict[str, WoundTrack] = field(default_factory=dict, repr=False, compare=False)

    @property
    def statuses(self) -> tuple[Level, ...]:
        """The wound statuses, from the lightest to the gravest."""
        return self.charts.statuses.levels

    def status(self, name: str) -> int:
        """The place of a status among them. Raises ResolverError for a name that is none."""
        names = [status.name for status in self.statuses]
        if name not in names:
            raise ResolverError(f'"{name}" is no wound status', hint=f"There are {', '.join(names)}.")
        return names.index(name)

    def track(self, health: str) -> WoundTrack:
        """The boxes of somebody of that Health."""
        if health not in self._tracks:
            self._tracks[health] = self._track(health)
        return self._tracks[health]

    def _track(self, health: str) -> WoundTrack:
        if not health:
            raise ResolverError("the Health of whoever is struck is missing", hint='Name a level: health = "Fair".')
        graze_limit, scratch_limit = (
            self.status(_level_of_fact(self.ruleset, name))
            for name in (self.spec.graze_status, self.spec.scratch_limit)
        )
        return WoundTrack(self.charts.of(health), self.penalties, graze_limit, scratch_limit)

    @cached_property
    def penalties(self) -> tuple[int, ...]:
        """The change to all actions of each status; 0 where none is printed."""
        table = table_of(self.ruleset, self.spec.wounds)
        cells = zip(column_of(table, self.spec.status), column_of(table, self.spec.penalty), strict=True)
        printed = {
            status.value.name: int(number_of(penalty)) if penalty.value is not None else 0
            for status, penalty in cells
            if isinstance(status.value, Level)
        }
        return tuple(printed.get(status.name, 0) for status in self.statuses)

    def points(self, attack: Attack) -> Weights[Points]:
        """How many points of damage get through."""
        aimed = attack._replace(basic=0)
        if aimed not in self._qualities:
            self._qualities[aimed] = self.blows.quality(aimed)
        return self.blows.points(self._qualities[aimed], attack.basic + attack.scale)

    def hits(self, attack: Attack) -> Fraction:
        """The chance that the attack hits, whatever damage it does."""
        aimed = attack._replace(basic=0)
        if aimed not in self._hits:
            self._hits[aimed] = self.blows.hits(aimed)
        return self._hits[aimed]

    def wounds(self, sides: Sides) -> WoundWeights:
        """How often a blow on somebody unhurt leads to each status."""
        return self.track(sides.health).statuses(self.points(sides.attack))

    def goal(self, name: str) -> int:
        """The place of the status that ends a fight.

        Raises ResolverError when somebody may still defend themselves below it, but no penalty is printed for it.
        """
        place = self.status(name)
        worst = max((index for index, penalty in enumerate(self.penalties) if penalty), default=0)
        if place > worst + 1:
            below = self.statuses[worst + 1].name
            raise ResolverError(
                f"no penalty is printed for {below}", hint=f"Let the fight end there: goal = {below!r}."
            )
        return place

    def fight(self, sides: Sides, goal: int, mitigated: tuple[int | None, ...] | None = None) -> Fight:
        """The fight until ``goal``; wounds lower the avoidance. ``mitigated`` is what a point makes of each status."""
        track = self.track(sides.health)

        def odds(penalty: int) -> WoundWeights:
            attack = sides.attack
            avoid = attack.avoid + penalty if attack.avoid is not None else None
            return track.statuses(self.points(attack._replace(avoid=avoid)))

        return fight(track, goal, odds, mitigated)

    def rows(self, table: BlowTable, side: Side) -> Iterator[tuple[Cell, Sides]]:
        """A row for each level of the side that varies, best first: its label, and both sides."""
        levels = self.charts.levels if side == "health" else self.ladder
        for level in levels.levels:
            label = number_cell(level.value) if side == "basic" else word_cell(level.name)
            yield label, self.sides(table, **{side: level.name})

    def sides(self, table: BlowTable, **varied: str) -> Sides:
        """Both sides as a table states them, but for what is varied; its Health may be left out where no wound is."""
        attack, avoid, basic, health = (
            varied.get(side, str(getattr(table, side))) for side in ("attack", "avoid", "basic", "health")
        )
        met = Attack(
            self.number(attack),
            self.number(avoid) if avoid else None,
            self.number(basic) if basic else 0,
            avoidances=number_of_fact(self.ruleset, table.avoidances) if table.avoidances else 1,
        )
        return Sides(met, self.level(self.number(health)) if health else "")

    def number(self, text: str) -> int:
        """The number of a level, or of a fact in braces. Raises ResolverError for what is neither."""
        if match := _FACT.fullmatch(text):
            return number_of_fact(self.ruleset, match[1])
        if level := self.ladder.find(text):
            return level.value
        names = ", ".join(level.name for level in self.ladder.levels)
        raise ResolverError(f'"{text}" is neither a level nor a fact in braces', hint=f"The levels are {names}.")

    def level(self, number: int) -> str:
        """The level with that number, or the nearest where the ladder ends."""
        near = min(max(number, self.ladder.lowest), self.ladder.highest)
        level = self.ladder.named(near)
        if level is None:
            raise ResolverError(f"the ladder has no level with the number {near}")
        return level.name

    def fixed(self, table: BlowTable, side: str = "") -> str:
        """In words what a table holds fixed: "Attack Fair, avoidance Fair, basic damage +2, Health Fair"."""
        avoid = self.level(self.number(table.avoid)) if table.avoid else "none"
        if table.avoidances and table.avoid:
            avoid += f" (the best of {number_of_fact(self.ruleset, table.avoidances)})"
        known = {
            "attack": table.attack and self.level(self.number(table.attack)),
            "avoid": avoid,
            "basic": table.basic and number_cell(self.number(table.basic)).text,
            "health": table.health and self.level(self.number(table.health)),
        }
        titles = {"attack": "attack", "avoid": "avoidance", "basic": "basic damage", "health": "Health"}
        text = ", ".join(f"{titles[name]} {words}" for name, words in known.items() if words and name != side)
        return text[:1].upper() + text[1:]

    def sources(self, table: BlowTable, *facts: str) -> tuple[Span, ...]:
        """Where everything stands that a table of blows is worked out from."""
        spec = self.spec
        chart = _chart_spec(self.ruleset, spec.chart)
        named = [spec.minimum, spec.uncontested, spec.graze_degree, spec.graze_points, spec.graze_status]
        named += [
            spec.scratch_limit,
            chart.default,
            chart.first_boxes,
            chart.other_boxes,
            chart.first_damage,
            chart.width,
        ]
        named += [
            match for side in (table.attack, table.avoid, table.basic, table.health) for match in _FACT.findall(side)
        ]
        named += [*facts, *([table.avoidances] if table.avoidances else [])]
        spans = [self.ruleset.facts[name].span for name in named if name in self.ruleset.facts]
        tables = (table_of(self.ruleset, name).span for name in (spec.wounds, chart.table))
        dice = sources_of_dice(self.ruleset, spec.dice, spec.luck)
        return tuple(dict.fromkeys((*dice, *spans, *(span for span in tables if span is not None))))


def melee_of(ruleset: Ruleset[BlowsSpec], blow: str) -> Melee:
    """The rules that ``[blows.<blow>]`` names. Raises ResolverError for a name that is not there."""
    known = ruleset.spec.blows
    if blow not in known:
        raise ResolverError(f'there are no rules "[blows.{blow}]"', hint=f"There are {', '.join(known) or 'none'}.")
    spec = known[blow]
    graze = Graze(number_of_fact(ruleset, spec.graze_degree), number_of_fact(ruleset, spec.graze_points))
    blows = Blows(
        weights_of(roll_of(ruleset, spec.dice)),
        weights_of(roll_of(ruleset, spec.luck)),
        number_of_fact(ruleset, spec.minimum),
        number_of_fact(ruleset, spec.uncontested),
        graze,
    )
    charts = charts_of(ruleset, _chart_spec(ruleset, spec.chart))
    return Melee(ruleset, spec, ladder_of(ruleset, spec.ladder), blows, charts)


def _chart_spec(ruleset: Ruleset[BlowsSpec], table_id: str) -> WoundChartSpec:
    spec = ruleset.spec.derived.get(table_id)
    if not isinstance(spec, WoundChartSpec):
        raise ResolverError(f'"{table_id}" is no computed wound chart')
    return spec


def _level_of_fact(ruleset: Ruleset, fact_id: str) -> str:
    fact = ruleset.facts.get(fact_id)
    if fact is None or not isinstance(fact.value, Level):
        raise ResolverError(f'"{fact_id}" is not a fact that names a level')
    return fact.value.name
