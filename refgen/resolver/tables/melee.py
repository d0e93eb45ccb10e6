"""Tables of a melee: what a blow does, how long a fight lasts, and what comes of several attacks in a round.

In: a Ruleset and an entry of system.toml. Out: a computed Table, its note with the readings it rests on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Literal

from pydantic import Field

from refgen.errors import ResolverError
from refgen.notation.rounding import Rounding, decimal, rounded
from refgen.notation.values import Number, as_number
from refgen.resolver.cells import chance_cell, column_id, computed, number_cell, word_cell
from refgen.resolver.combat.blows import Falls, hits_in_a_row, hits_in_all, ways_of
from refgen.resolver.combat.melee import BlowsSpec, BlowTable, Melee, Side, Sides, melee_of
from refgen.resolver.combat.wound_track import WoundFalls
from refgen.resolver.lookup import number_of_fact
from refgen.rules.model import Cell, Column, Ruleset, Table
from refgen.rules.schema import Identifier
from refgen.rules.toml import Strict
from refgen.span import Span

MAX_ATTACKS = 12
"""More in one round are a slip of the pen."""

_ROW_TITLES = {"attack": "Attack", "avoid": "Avoidance", "basic": "Basic damage", "health": "Health"}


class BlowPointsSpec(BlowTable):
    """Points of damage that get through (rows) for each basic damage less armour (columns).

    Each row has the chance of exactly so many; with ``or_more`` of so many or more.
    """

    kind: Literal["blow-points"]
    or_more: bool = False


def blow_points(ruleset: Ruleset[BlowsSpec], table_id: str, spec: BlowPointsSpec) -> Table:
    """Points that get through (rows) for each basic damage less armour (columns), lowest first."""
    melee = melee_of(ruleset, spec.blow)
    basics = melee.ladder.levels[::-1]
    falls = [_by_points(melee, melee.sides(spec, basic=level.name)) for level in basics]
    columns = [
        Column("points", "Points", "number"),
        *(Column(_basic_id(level.value), number_cell(level.value).text, "percent") for level in basics),
    ]
    rests_on = melee.rests_on(spec)
    rows = []
    for points in range(1 if spec.or_more else 0, max(max(own) for own in falls) + 1):
        chances = (_at_least(own, points) if spec.or_more else _chance(own, points) for own in falls)
        rows.append((_points_cell(points), *(chance_cell(chance, spec, rests_on) for chance in chances)))
    many = "at least so many points" if spec.or_more else "exactly so many points"
    return computed(table_id, spec, columns, rows, f"{melee.told(spec)}: chance that {many} get through.")


def _basic_id(number: int) -> str:
    return f"basic{number:+d}"


def _points_cell(points: int) -> Cell:
    return number_cell(points, signed=False)


def _by_points(melee: Melee, sides: Sides) -> Falls[int]:
    """How often so many points get through, grazes and others together."""
    found: dict[int, int] = {}
    for (points, _), ways in melee.points(sides.stroke).items():
        found[points] = found.get(points, 0) + ways
    return found


def _chance(falls: Falls[int], outcome: int) -> Fraction:
    return Fraction(falls.get(outcome, 0), ways_of(falls))


def _at_least(falls: Falls[int], outcome: int) -> Fraction:
    return Fraction(sum(ways for own, ways in falls.items() if own >= outcome), ways_of(falls))


class BlowWoundsSpec(BlowTable):
    """The chance that one blow on somebody unhurt leads to each wound status, row by row."""

    kind: Literal["blow-wounds"]
    rows: Side


def blow_wounds(ruleset: Ruleset[BlowsSpec], table_id: str, spec: BlowWoundsSpec) -> Table:
    """The chance of each wound status, for each level of one side."""
    melee = melee_of(ruleset, spec.blow)
    rests_on = melee.rests_on(spec)
    rows = [
        (label, *_status_cells(melee, melee.wounds(sides), spec, rests_on))
        for label, sides in melee.rows(spec, spec.rows)
    ]
    columns = [_row_column(spec.rows), *_status_columns(melee)]
    return computed(table_id, spec, columns, rows, f"{melee.told(spec, spec.rows)}: one blow on somebody unhurt.")


def _row_column(side: Side) -> Column:
    return Column(side, _ROW_TITLES[side], "number" if side == "basic" else "level")


def _status_columns(melee: Melee) -> list[Column]:
    names = ["No wound", *(status.name for status in melee.statuses)]
    return [Column(column_id(name), name, "percent") for name in names]


def _status_cells(
    melee: Melee, wounds: WoundFalls, spec: BlowWoundsSpec | ScalesSpec, rests_on: tuple[Span, ...]
) -> list[Cell]:
    total = ways_of(wounds)
    outcomes = (None, *range(len(melee.statuses)))
    return [chance_cell(Fraction(wounds.get(outcome, 0), total), spec, rests_on) for outcome in outcomes]


class ScalesSpec(BlowTable):
    """What each difference in Scale does to a blow; ``scales`` are facts, their differences are the rows."""

    kind: Literal["scales"]
    scales: list[Identifier] = Field(min_length=2)


def scales(ruleset: Ruleset[BlowsSpec], table_id: str, spec: ScalesSpec) -> Table:
    """For each difference in Scale, the attacker's less the target's: what a hit needs, and what a blow does."""
    melee = melee_of(ruleset, spec.blow)
    known = [number_of_fact(ruleset, name) for name in spec.scales]
    farthest = max(known) - min(known)
    rests_on = melee.rests_on(spec, *spec.scales)
    sides = melee.sides(spec)
    rows: list[tuple[Cell, ...]] = []
    for difference in range(farthest, -farthest - 1, -1):
        own = replace(sides, stroke=sides.stroke._replace(scale=difference))
        rows.append(
            (
                number_cell(difference),
                word_cell(melee.level(melee.blows.minimum + difference)),
                number_cell(difference),
                chance_cell(melee.hits(own.stroke), spec, rests_on),
                *_status_cells(melee, melee.wounds(own), spec, rests_on),
            )
        )
    columns = [
        Column("difference", "Larger by", "number"),
        Column("needs", "A hit needs", "level"),
        Column("damage", "Damage", "modifier"),
        Column("hits", "Hits", "percent"),
        *_status_columns(melee),
    ]
    return computed(table_id, spec, columns, rows, f"{melee.told(spec)}: attacker's Scale less the target's.")


class Sparing(Strict):
    """What a point does that weakens a blow: ``share`` is the fact with the part of its wound levels that remains.

    Levels count from the lightest status as 1; ``rounding`` settles parts of a level. ``points`` is the fact with the
    most points there are to spend.
    """

    points: Identifier
    share: Identifier
    rounding: Rounding


class FightSpec(BlowTable):
    """How many blows bring somebody to the status ``goal``: the expected number, and the chance for each number.

    ``rounds`` is how many are shown; ``mean_places`` the decimals of the expected number. With ``sparing`` it is also
    told for each number of points that may weaken a blow each.
    """

    kind: Literal["fight"]
    rows: Side
    goal: str
    rounds: int = Field(ge=1, le=12)
    mean_places: int = Field(1, ge=0, le=6)
    sparing: Sparing | None = None


def fight_length(ruleset: Ruleset[BlowsSpec], table_id: str, spec: FightSpec) -> Table:
    """The expected number of blows until a status, and the chance that it is reached within 1, 2, … of them."""
    melee = melee_of(ruleset, spec.blow)
    sparing = spec.sparing
    goal, points = melee.goal(spec.goal), number_of_fact(ruleset, sparing.points) if sparing else 0
    rests_on = melee.rests_on(spec, *([sparing.points, sparing.share] if sparing else []))
    weaker = _weaker(melee, sparing) if sparing else None
    rows: list[tuple[Cell, ...]] = []
    for label, sides in melee.rows(spec, spec.rows):
        fought = melee.fight(sides, goal, weaker)
        means = _mean_cells(fought.expected(points), points + 1, spec, rests_on)
        rows.append((label, *means, *(chance_cell(chance, spec, rests_on) for chance in fought.within(spec.rounds))))
    columns = [
        _row_column(spec.rows),
        Column("mean", "Attacks on average", "number"),
        *(Column(f"mean-{number}", _with_points(number), "number") for number in range(1, points + 1)),
        *(Column(f"within-{number}", f"Within {number}", "percent") for number in range(1, spec.rounds + 1)),
    ]
    rule = f"{melee.told(spec, spec.rows)}: attacks until {spec.goal} or worse, one after the other on the same target."
    return computed(table_id, spec, columns, rows, rule)


def _with_points(number: int) -> str:
    return f"With {number} point{'s' if number > 1 else ''}"


def _mean_cells(
    means: Sequence[Fraction] | None, count: int, spec: FightSpec, rests_on: tuple[Span, ...]
) -> list[Cell]:
    """Expected numbers; dashes where the fight may never end."""
    if means is None:
        return [Cell("–", rests_on=rests_on)] * count
    texts = (decimal(mean, spec.mean_places, spec.rounding) for mean in means)
    return [Cell(text, Number(mean), exact=mean, rests_on=rests_on) for text, mean in zip(texts, means, strict=True)]


def _weaker(melee: Melee, sparing: Sparing) -> tuple[int | None, ...]:
    """What a point makes of each status: the share of its levels, counted from the lightest as 1; None for no wound."""
    fact = melee.ruleset.facts.get(sparing.share)
    share = as_number(fact.value) if fact else None
    if share is None or not 0 <= share <= 1:
        raise ResolverError(f'"{sparing.share}" is not a fact with a share between 0 and 1')
    left = (int(rounded(place * share, rule=sparing.rounding)) for place in range(1, len(melee.statuses) + 1))
    return tuple(place - 1 if place else None for place in left)


class SparedWoundsSpec(BlowTable):
    """What each wound status becomes when a point weakens the blow, and how likely each is without and with it."""

    kind: Literal["spared-wounds"]
    sparing: Sparing


def spared_wounds(ruleset: Ruleset[BlowsSpec], table_id: str, spec: SparedWoundsSpec) -> Table:
    """Each wound status, what a point makes of it, and the chance of it without the point and with it."""
    melee = melee_of(ruleset, spec.blow)
    rests_on = melee.rests_on(spec, spec.sparing.share)
    weaker = _weaker(melee, spec.sparing)
    plain = melee.wounds(melee.sides(spec))
    spared: dict[int | None, int] = {}
    for status, ways in plain.items():
        less = None if status is None else weaker[status]
        spared[less] = spared.get(less, 0) + ways
    names: dict[int | None, str] = {None: "No wound"}
    names.update(enumerate(status.name for status in melee.statuses))
    total = ways_of(plain)
    rows: list[tuple[Cell, ...]] = [
        (
            word_cell(name),
            number_cell(0 if status is None else status + 1, signed=False),
            word_cell(names[None if status is None else weaker[status]]),
            *(chance_cell(Fraction(falls.get(status, 0), total), spec, rests_on) for falls in (plain, spared)),
        )
        for status, name in names.items()
    ]
    columns = [
        Column("status", "Wound", "level"),
        Column("levels", "Levels", "number"),
        Column("becomes", "With a point", "level"),
        Column("without", "Chance without", "percent"),
        Column("with", "Chance with", "percent"),
    ]
    return computed(table_id, spec, columns, rows, f"{melee.told(spec)}: one blow on somebody unhurt.")


class SweepSpec(BlowTable):
    """One sweep at several opponents: the chance to hit the first, the first two, …; the first miss ends it.

    ``first`` and ``second`` are facts with the changes to the first two attacks; the next go on by the same step.
    """

    kind: Literal["sweep"]
    rows: Literal["attack", "avoid"]
    first: Identifier
    second: Identifier
    opponents: int = Field(ge=2, le=12)


def sweep(ruleset: Ruleset[BlowsSpec], table_id: str, spec: SweepSpec) -> Table:
    """The chance that a sweep hits the first opponent, the first two, and so on."""
    melee = melee_of(ruleset, spec.blow)
    first, second = number_of_fact(ruleset, spec.first), number_of_fact(ruleset, spec.second)
    changes = [first + (second - first) * number for number in range(spec.opponents)]
    rests_on = melee.rests_on(spec, spec.first, spec.second)
    rows: list[tuple[Cell, ...]] = [
        (label, *(chance_cell(chance, spec, rests_on) for chance in hits_in_a_row(_hits(melee, sides, changes))))
        for label, sides in melee.rows(spec, spec.rows)
    ]
    columns = [
        _row_column(spec.rows),
        *(
            Column(f"opponents-{number}", f"{number} or more", "percent", unit=number_cell(change).text)
            for number, change in enumerate(changes, 1)
        ),
    ]
    return computed(
        table_id, spec, columns, rows, f"{melee.told(spec, spec.rows)}: chance to hit so many in one sweep."
    )


def _hits(melee: Melee, sides: Sides, changes: Sequence[int], avoided: int | None = None) -> list[Fraction]:
    """The chance of each attack to hit, the attack being changed; only the first ``avoided`` are avoided."""
    strokes = (sides.stroke._replace(attack=sides.stroke.attack + change) for change in changes)
    return [
        melee.hits(stroke if avoided is None or number < avoided else stroke._replace(avoid=None))
        for number, stroke in enumerate(strokes)
    ]


class FlurrySpec(BlowTable):
    """Several attacks on one target in a round: the chance of each number of hits.

    ``attacks`` and ``later`` are facts: how many attacks, and the change to all but the first. ``avoided`` is the fact
    with the number of attacks, counted from the first, that the target can avoid.
    """

    kind: Literal["flurry"]
    rows: Literal["attack", "avoid"]
    attacks: Identifier
    later: Identifier
    avoided: Identifier


def flurry(ruleset: Ruleset[BlowsSpec], table_id: str, spec: FlurrySpec) -> Table:
    """The chance of no hit, of one, of two … with several attacks on one target."""
    melee = melee_of(ruleset, spec.blow)
    attacks, avoided = number_of_fact(ruleset, spec.attacks), number_of_fact(ruleset, spec.avoided)
    if not 1 <= attacks <= MAX_ATTACKS:
        raise ResolverError(f"{attacks} attacks in a round are not between 1 and {MAX_ATTACKS}")
    changes = [0, *[number_of_fact(ruleset, spec.later)] * (attacks - 1)]
    rests_on = melee.rests_on(spec, spec.attacks, spec.later, spec.avoided)
    rows: list[tuple[Cell, ...]] = [
        (label, *(chance_cell(chance, spec, rests_on) for chance in hits_in_all(_hits(melee, sides, changes, avoided))))
        for label, sides in melee.rows(spec, spec.rows)
    ]
    columns = [
        _row_column(spec.rows),
        *(Column(f"hits-{number}", _hits_title(number), "percent") for number in range(attacks + 1)),
    ]
    rule = f"{melee.told(spec, spec.rows)}: chance of so many hits with {attacks} attacks, {avoided} of them avoided."
    return computed(table_id, spec, columns, rows, rule)


def _hits_title(number: int) -> str:
    return "No hit" if number == 0 else f"{number} hit{'s' if number > 1 else ''}"
