"""Blows and fights of Atari Isev: worked examples of the documents, and every outcome of the dice counted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path
from shutil import copytree
from time import process_time

import pytest

from refgen.errors import ResolverError
from refgen.files import bundled_folder
from refgen.game import SystemSpec
from refgen.notation.figures import round_number
from refgen.notation.formula_parser import parse_formula
from refgen.resolver.chains.chain import chain_functions
from refgen.resolver.chains.track import Marks, Track
from refgen.resolver.chains.tracks import AllTracks
from refgen.resolver.computed import ComputedTables
from refgen.resolver.formula.axis import constant
from refgen.resolver.formula.compiler import Compiler
from refgen.resolver.formula.names import BoundSpec, Names, bindings
from refgen.resolver.formula.scope import Scope, named_number
from refgen.rules.load import load_ruleset
from refgen.rules.model import RuleTable
from tests.conftest import Loaded, computed, exact, game, ours, texts
from tests.resolver.systems.blows import (
    FAIR,
    FOUR_DF,
    GOOD,
    GREAT,
    MEDIOCRE,
    POOR,
    SUPERB,
    TERRIBLE,
    Attack,
    every_outcome,
)

F = Fraction

SCRATCHED, HURT, VERY_HURT, INCAPACITATED, NEAR_DEATH = range(1, 6)

LEVELS = {"Legendary": 4, "Superb": 3, "Great": 2, "Good": 1, "Fair": 0, "Mediocre": -1, "Poor": -2, "Terrible": -3}

STARTS = {  # the points at which each status begins, as the wound charts of the documents have it
    **dict.fromkeys(["Legendary", "Great", "Good", "Fair", "Mediocre"], (1, 3, 5, 7, 9)),
    "Superb": (1, 4, 7, 9, 11),
    "Poor": (1, 2, 4, 6, 8),
    "Terrible": (1, 2, 3, 5, 7),
}


def blow(loaded: Loaded, formula: str, attack: Attack, rolls: Mapping[str, str] | None = None) -> dict[int, int]:
    """What a formula of a blow comes to, with its weights; ``rolls`` stand in place of throws."""
    ruleset = loaded("atari-isev")
    if attack.avoidances > 1:
        rolls = {"avoid-roll": ", ".join(["{dice}"] * attack.avoidances).join(["max(", ")"])}
    spec = BoundSpec.model_validate({"use": "blow", "throws": rolls or {}})
    given = {
        "attack": attack.trait,
        "avoid": attack.avoid or 0,
        "avoids": int(attack.avoid is not None),
        "basic": attack.basic,
        "difference": attack.scale,
    }
    bound = bindings(ruleset, spec, given)
    names = Names(ruleset, dict.fromkeys(given, False), bound.let, {}, bound.thrown)
    joint = Compiler(names, chain_functions(ruleset).all).throws
    scope = Scope({name: named_number(number) for name, number in given.items()})
    outcomes = joint.distribution(parse_formula(formula))(scope)
    return {int(value): weight for (value,), weight in zip(outcomes.values, outcomes.weights, strict=True)}


def certain(loaded: Loaded, formula: str, attack: Attack, luck: int = 0) -> int:
    """The same when attack and avoidance roll 0, so that skills are results, and luck rolls so much."""
    rolls = {"attack-roll": "0", "avoid-roll": "0", "luck": f"0 - {-luck}" if luck < 0 else str(luck)}
    (found,) = blow(loaded, formula, attack, rolls)
    return found


def wounds(loaded: Loaded, health: str) -> Track:
    return AllTracks(loaded("atari-isev"))["wounds"].of(health)


def after(track: Track, *places: int) -> Marks:
    """The marks after some wounds."""
    marks = track.unmarked
    for place in places:
        marks = track.marked(marks, place)
    return marks


def test_example_a_dagger_in_a_strong_hand(loaded: Loaded) -> None:
    """Damage +1 and Strength Good make +2; Great against Fair adds 2: 4; luck +1: 5; clothing takes 1: 4, Hurt."""
    facts = loaded("atari-isev")
    basic = constant(facts, "{dagger-in-good-hand}")
    assert constant(facts, "{dagger-damage}") + GOOD == basic == 2
    assert certain(loaded, "{through}", Attack(GREAT, FAIR, basic)) == 4
    assert certain(loaded, "{through}", Attack(GREAT, FAIR, basic), luck=1) == 5
    armoured = Attack(GREAT, FAIR, basic - constant(facts, "{heavy-clothing}"))
    assert certain(loaded, "{through}", armoured, luck=1) == 4
    assert certain(loaded, "{wound}", armoured, luck=1) == HURT


@pytest.mark.parametrize(
    ("attack", "avoid", "hits"),
    [
        (GOOD, POOR, True),  # the tavern fight: above the dodge, and better than Poor
        (GOOD, GOOD, False),  # the duel: a parry that matches is enough
        (POOR, TERRIBLE, True),  # Poor will do
        (TERRIBLE, TERRIBLE - 1, False),  # less will not
    ],
)
def test_a_hit_needs_the_minimum_and_more_than_the_avoidance(
    loaded: Loaded, attack: int, avoid: int, hits: bool
) -> None:
    assert certain(loaded, "{hit}", Attack(attack, avoid)) == hits


def test_example_a_duerager_against_an_infant_sylthaen(loaded: Loaded) -> None:
    """Scale 1 against -1: two points more, and Fair to hit; the other way two points fewer, and even Terrible hits."""
    facts = loaded("atari-isev")
    larger = constant(facts, "{duerager-scale}") - constant(facts, "{infant-sylthaen-scale}")
    hits = [certain(loaded, "{hit}", Attack(attack, None, scale=larger)) for attack in (MEDIOCRE, FAIR)]
    assert hits == [0, 1]
    assert certain(loaded, "{hit}", Attack(TERRIBLE, None, scale=-larger)) == 1
    through = [certain(loaded, "{through}", Attack(GREAT, FAIR, 3, scale)) for scale in (0, larger, -larger)]
    assert through == [5, 7, 3]


def test_without_an_avoidance_the_degree_counts_from_poor(loaded: Loaded) -> None:
    assert [certain(loaded, "{through}", Attack(attack, None, 1)) for attack in (GREAT, POOR)] == [5, 1]


def test_a_graze_is_held_to_four_points_and_to_hurt(loaded: Loaded) -> None:
    graze, blow_of_ten = Attack(GOOD, FAIR, 4), Attack(GREAT, FAIR, 4)
    assert [certain(loaded, "{graze}", attack) for attack in (graze, blow_of_ten)] == [1, 0]
    assert [certain(loaded, "{through}", graze, luck=luck) for luck in (4, -4)] == [4, 1]
    assert certain(loaded, "{through}", blow_of_ten, luck=4) == 10
    assert certain(loaded, "{wound}", graze, luck=4) == HURT
    fours = [wounds(loaded, health).place(4) for health in ("Superb", "Fair", "Poor", "Terrible")]
    assert fours == [HURT, HURT, VERY_HURT, VERY_HURT]


def test_example_initiative_of_minus_two_thirds_is_minus_one(loaded: Loaded) -> None:
    ruleset = loaded("atari-isev")
    divisor = constant(ruleset, "{initiative-divisor}")
    assert divisor == len(ruleset.tables["initiative-attributes"].rows)
    assert round_number(F(GOOD + FAIR + TERRIBLE, divisor)) == -1


def test_example_a_great_willpower_hides_two_levels_of_very_hurt(loaded: Loaded) -> None:
    track, facts = wounds(loaded, "Fair"), loaded("atari-isev")
    felt = VERY_HURT - GREAT * constant(facts, "{willpower-statuses}")
    assert track.boxes[felt - 1].name == "Scratched"
    assert [track.boxes[place - 1].values["penalty"] for place in (VERY_HURT, felt)] == [-2, 0]


def test_example_a_second_hurt_is_very_hurt(loaded: Loaded) -> None:
    """4 points are Hurt, all actions at -1; 3 points more are Hurt too, but the box is full: Very Hurt, at -2."""
    fair = wounds(loaded, "Fair")
    assert [fair.place(points) for points in (4, 3)] == [HURT, HURT]
    once, twice = after(fair, HURT), after(fair, HURT, HURT)
    assert (once, fair.value(once, "penalty")) == ((0, 1, 0, 0, 0, 0), -1)
    assert (twice, fair.value(twice, "penalty")) == ((0, 1, 1, 0, 0, 0), -2)


def test_mere_scratches_end_at_very_hurt(loaded: Loaded) -> None:
    fair = wounds(loaded, "Fair")
    assert after(fair, *[SCRATCHED] * 3) == (3, 0, 0, 0, 0, 0)
    assert after(fair, *[SCRATCHED] * 5) == (3, 1, 1, 0, 0, 0)
    assert after(fair, *[SCRATCHED] * 9) == (3, 1, 1, 0, 0, 0)
    assert after(fair, *[SCRATCHED] * 9, HURT) == (3, 1, 1, 1, 0, 0)


# Every outcome, one by one

ATTACKS = [
    *(Attack(attack, avoid, 2) for attack in (TERRIBLE, MEDIOCRE, FAIR, GREAT) for avoid in (None, POOR, FAIR, SUPERB)),
    *(Attack(FAIR, FAIR, basic, scale) for basic in (-3, 0, 4) for scale in (-3, 2)),
    Attack(GOOD, FAIR, 1, avoidances=2),
    Attack(FAIR, GOOD, 3, 1, avoidances=2),
]


def shares(weights: Mapping[int, int]) -> dict[int, Fraction]:
    return {value: F(weight, sum(weights.values())) for value, weight in weights.items() if weight}


@pytest.mark.parametrize("attack", ATTACKS, ids=str)
def test_the_points_are_those_of_every_outcome(attack: Attack) -> None:
    expected: dict[int, int] = {}
    for (points, _), weight in every_outcome(attack).items():
        expected[points] = expected.get(points, 0) + weight
    assert shares(blow(ours, "{through}", attack)) == shares(expected)


@pytest.mark.parametrize("attack", ATTACKS, ids=str)
def test_the_chance_to_hit_is_that_of_every_outcome(attack: Attack) -> None:
    """With a basic damage so high that no luck can undo it, every hit gets through."""
    sure = every_outcome(attack._replace(basic=50))
    missed = F(sure[0, False], sum(sure.values()))
    assert shares(blow(ours, "{hit}", attack)).get(0, F(0)) == missed


def tables() -> Mapping[str, RuleTable]:
    return computed("atari-isev")


def chances(table: RuleTable, row: int, first: int = 1) -> list[Fraction]:
    """The exact chances of a row, from the column ``first`` on."""
    return [cell.exact for cell in table.rows[row][first:] if cell.exact is not None]


def statuses(attack: Attack, health: str) -> list[Fraction]:
    """The chance of no wound and of each status, one by one; a graze is no worse than Hurt, the second status."""
    weights = every_outcome(attack)
    found = [0] * 6
    for (points, graze), weight in weights.items():
        reached = sum(points >= start for start in STARTS[health])
        found[min(reached, 2) if graze else reached] += weight
    return [F(weight, sum(weights.values())) for weight in found]


def test_points_of_one_blow_are_those_of_every_outcome() -> None:
    exactly, or_more = tables()["blow-points"], tables()["blow-points-or-more"]
    for column, basic in enumerate(range(-3, 5), 1):
        weights = every_outcome(Attack(0, 0, basic))
        total = sum(weights.values())
        by_points = {points: weights[points, False] + weights[points, True] for points, _ in weights}
        assert [row[column].exact for row in exactly.rows] == [F(by_points.get(n, 0), total) for n in range(17)]
        assert [row[column].exact for row in or_more.rows] == [
            F(sum(weight for points, weight in by_points.items() if points >= n), total) for n in range(1, 17)
        ]


@pytest.mark.parametrize("health", LEVELS)
def test_wounds_by_health_are_those_of_every_outcome(health: str) -> None:
    table = tables()["blow-wounds"]
    assert chances(table, list(LEVELS).index(health)) == statuses(Attack(0, 0, 2), health)


@pytest.mark.parametrize("skill", LEVELS)
def test_wounds_by_skill_are_those_of_every_outcome(skill: str) -> None:
    row, attack = list(LEVELS).index(skill), LEVELS[skill]
    assert chances(tables()["blow-wounds-by-skill"], row) == statuses(Attack(attack, 0, 2), "Fair")
    assert chances(tables()["blow-wounds-unavoided"], row) == statuses(Attack(attack, None, 2), "Fair")
    assert chances(tables()["blow-wounds-by-damage"], row) == statuses(Attack(0, 0, attack), "Fair")
    both = Attack(attack, 0, 2, avoidances=2)
    assert chances(tables()["blow-wounds-dodge-and-parry"], row) == statuses(both, "Fair")


def test_scale_shifts_what_a_hit_needs_and_what_it_does() -> None:
    table = tables()["scale-odds"]
    assert texts(table, "difference", "needs", "damage", "hits") == [
        ["+3", "Good", "+3", "28%"],
        ["+2", "Fair", "+2", "37%"],
        ["+1", "Mediocre", "+1", "41%"],
        ["0", "Poor", "0", "42%"],
        ["-1", "Terrible", "-1", "42%"],
        ["-2", "Terrible", "-2", "42%"],
        ["-3", "Terrible", "-3", "42%"],
    ]
    for row, scale in enumerate(range(3, -4, -1)):
        assert chances(table, row, 4) == statuses(Attack(0, 0, 2, scale), "Fair")


def test_only_a_scratch_halves_the_levels_and_keeps_a_scratch() -> None:
    table = tables()["only-a-scratch"]
    assert texts(table, "status", "levels", "becomes") == [
        ["No wound", "0", "No wound"],
        ["Scratched", "1", "Scratched"],
        ["Hurt", "2", "Scratched"],
        ["Very Hurt", "3", "Hurt"],
        ["Incapacitated", "4", "Hurt"],
        ["Near Death", "5", "Very Hurt"],
    ]
    none, scratched, hurt, very_hurt, incapacitated, near_death = statuses(Attack(0, 0, 2), "Fair")
    spared = [none, scratched + hurt, very_hurt + incapacitated, near_death, 0, 0]
    assert [cell.exact for cell in table.column("with")] == spared


def test_the_first_attack_of_a_fight_is_one_blow() -> None:
    for health in LEVELS:
        chance = statuses(Attack(0, 0, 2), health)
        assert exact(tables()["fight-by-health"][health, "within-1"]) == chance[4] + chance[5]


def test_attacks_until_incapacitated() -> None:
    assert texts(tables()["fight-by-health"], "health", "mean", "within-3", "within-6") == [
        ["Legendary", "7.2", "21%", "49%"],
        ["Superb", "9.5", "6%", "27%"],
        ["Great", "6.1", "26%", "61%"],
        ["Good", "5.5", "29%", "70%"],
        ["Fair", "5.5", "29%", "70%"],
        ["Mediocre", "5.5", "29%", "70%"],
        ["Poor", "4.5", "41%", "81%"],
        ["Terrible", "4.0", "50%", "85%"],
    ]


def test_tables_of_fights_agree_where_they_meet() -> None:
    same = ["mean", *(f"within-{number}" for number in range(1, 7))]
    for column in same:
        by_health = exact(tables()["fight-by-health"]["Fair", column])
        assert exact(tables()["fight-by-skill"]["Fair", column]) == by_health
        assert exact(tables()["fight-by-damage"]["+2", column]) == by_health


def test_each_fudge_point_makes_a_fight_longer() -> None:
    table = tables()["fight-by-health"]
    assert texts(table, "health", "mean", "mean-1", "mean-2")[2:5] == [
        ["Great", "6.1", "8.3", "10.2"],
        ["Good", "5.5", "7.5", "9.2"],
        ["Fair", "5.5", "7.5", "9.1"],
    ]
    for row in table.rows:
        none, one, two = (cell.exact or 0 for cell in row[1:4])
        assert none < one < two


# The slow way: Fractions, and the boxes filled by going up one by one

Boxes = tuple[int, ...]
Odds = dict[int, list[Fraction]]

HALVED = {1: 1, 2: 1, 3: 2, 4: 2, 5: 3}
PENALTIES = (0, 0, -1, -2, 0, 0)


def filled_slowly(boxes: Boxes, state: Boxes, status: int) -> Boxes:
    for box in range(status - 1, len(boxes)):
        if status == SCRATCHED and box >= VERY_HURT:
            break
        if state[box] < boxes[box]:
            return tuple(count + (place == box) for place, count in enumerate(state))
    return state


def moves(boxes: Boxes, odds: Odds, state: Boxes) -> list[tuple[Fraction, int, Boxes]]:
    """The chance of each wound in a state, its status, and the boxes after it."""
    worst = max((place for place, count in enumerate(state, 1) if count), default=0)
    chances = odds[PENALTIES[worst]]
    return [(chances[status], status, filled_slowly(boxes, state, status)) for status in range(1, 6)]


def expected_slowly(boxes: Boxes, odds: Odds, points: int) -> list[Fraction]:
    """The expected number of blows until Incapacitated with 0, 1, … points."""

    @cache
    def expected(state: Boxes, left: int) -> Fraction:
        if any(state[INCAPACITATED - 1 :]):
            return F(0)
        leaving = [(chance, status, to) for chance, status, to in moves(boxes, odds, state) if to != state]
        total = F(1)
        for chance, status, to in leaving:
            lasting = expected(to, left)
            if left:
                lasting = max(lasting, expected(filled_slowly(boxes, state, HALVED[status]), left - 1))
            total += chance * lasting
        return total / sum(chance for chance, _, _ in leaving)

    return [expected((0,) * len(boxes), left) for left in range(points + 1)]


def within_slowly(boxes: Boxes, odds: Odds, rounds: int) -> list[Fraction]:
    """The chances of the end within 1, 2, … blows."""

    @cache
    def within(state: Boxes, blows: int) -> Fraction:
        if any(state[INCAPACITATED - 1 :]) or not blows:
            return F(any(state[INCAPACITATED - 1 :]))
        found = moves(boxes, odds, state)
        stays = 1 - sum(chance for chance, _, _ in found)
        return stays * within(state, blows - 1) + sum(chance * within(to, blows - 1) for chance, _, to in found)

    return [within((0,) * len(boxes), blows) for blows in range(1, rounds + 1)]


@pytest.mark.parametrize("health", LEVELS)
def test_a_fight_is_what_the_slow_way_finds(health: str) -> None:
    boxes = tuple(box.count for box in wounds(ours, health).boxes)
    odds = {penalty: statuses(Attack(FAIR, FAIR + penalty, 2), health) for penalty in (0, -1, -2)}
    table = tables()["fight-by-health"]
    means = [exact(table[health, column]) for column in ("mean", "mean-1", "mean-2")]
    assert means == expected_slowly(boxes, odds, 2)
    assert [exact(table[health, f"within-{blows}"]) for blows in range(1, 7)] == within_slowly(boxes, odds, 6)


def duel_slowly(boxes: Boxes, own: int, foe: int) -> list[tuple[Fraction, Fraction]]:
    """The chance to win a duel, and its mean blows, with the first blow and without; one hits, then the other."""

    @cache
    def odds(attack: int, avoid: int) -> list[Fraction]:
        return statuses(Attack(attack, avoid, 2), "Fair")

    def hurt(state: Boxes) -> int:
        return PENALTIES[max((place for place, count in enumerate(state, 1) if count), default=0)]

    @cache
    def worth(mine: Boxes, theirs: Boxes) -> list[tuple[Fraction, Fraction]]:
        if any((*mine[INCAPACITATED - 1 :], *theirs[INCAPACITATED - 1 :])):
            return [(F(any(theirs[INCAPACITATED - 1 :])), F(0))] * 2
        fit, foe_fit = own + hurt(mine), foe + hurt(theirs)
        blows = [(odds(fit, foe_fit), theirs), (odds(foe_fit, fit), mine)]
        stays, wins, lasts = [F(1), F(1)], [F(0), F(0)], [F(1), F(1)]
        for turn, (chances, struck) in enumerate(blows):
            for status, chance in enumerate(chances[1:], 1):
                after = filled_slowly(boxes, struck, status)
                if after != struck:
                    later = worth(mine, after) if turn == 0 else worth(after, theirs)
                    stays[turn] -= chance
                    wins[turn] += chance * later[1 - turn][0]
                    lasts[turn] += chance * later[1 - turn][1]
        closed = 1 - stays[0] * stays[1]
        return [
            (
                (wins[turn] + stays[turn] * wins[1 - turn]) / closed,
                (lasts[turn] + stays[turn] * lasts[1 - turn]) / closed,
            )
            for turn in (0, 1)
        ]

    return worth((0,) * len(boxes), (0,) * len(boxes))


def over_slowly(boxes: Boxes, own: int, foe: int, first: int, most: int) -> list[Fraction]:
    """The chance that a duel is over with each blow up to ``most``: ``first`` is 1 where the foe begins."""

    @cache
    def odds(attack: int, avoid: int) -> list[Fraction]:
        return statuses(Attack(attack, avoid, 2), "Fair")

    def hurt(state: Boxes) -> int:
        return PENALTIES[max((place for place, count in enumerate(state, 1) if count), default=0)]

    over, fighting = [F(0)], {((0,) * len(boxes), (0,) * len(boxes)): F(1)}
    for blow in range(most):
        later: defaultdict[tuple[Boxes, Boxes], Fraction] = defaultdict(Fraction)
        turn = (first + blow) % 2
        for (mine, theirs), chance in fighting.items():
            fit, foe_fit = own + hurt(mine), foe + hurt(theirs)
            struck = theirs if turn == 0 else mine
            for status, share in enumerate(odds(fit, foe_fit) if turn == 0 else odds(foe_fit, fit)):
                after = filled_slowly(boxes, struck, status) if status else struck
                later[(mine, after) if turn == 0 else (after, theirs)] += chance * share
        ended = {state for state in later if any(any(side[INCAPACITATED - 1 :]) for side in state)}
        over.append(over[-1] + sum((later[state] for state in ended), F(0)))
        fighting = {state: chance for state, chance in later.items() if state not in ended}
    return over


@pytest.mark.slow
@pytest.mark.parametrize(("skill", "foe"), [("Fair", "Fair"), ("Good", "Mediocre"), ("Mediocre", "Superb")])
def test_a_duel_is_what_the_slow_way_finds(skill: str, foe: str) -> None:
    duel = game("atari-isev").explorers["duel"]
    boxes = tuple(box.count for box in wounds(ours, "Fair").boxes)
    own, other, (you, them) = (axis.entries for axis in duel.grid.axes)
    fighters = [next(entry for entry in of if entry.shown.text == name) for of, name in ((own, skill), (other, foe))]
    found = [[cell.exact for cell in duel.answer([*fighters, first]) or ()] for first in (you, them)]
    levels = LEVELS[skill], LEVELS[foe]
    over = [over_slowly(boxes, *levels, first, 12)[::2] for first in (0, 1)]
    assert [row[:3] for row in found] == [[win, 1 - win, blows] for win, blows in duel_slowly(boxes, *levels)]
    assert [row[3:] for row in found] == [[*(b - a for a, b in pairwise(row)), 1 - row[-1]] for row in over]


def chance_to_hit(attack: int, avoid: int | None) -> Fraction:
    """One by one: at least Poor (-2), and above the avoidance."""
    hits = 0
    for attack_roll, attack_weight in FOUR_DF.items():
        for avoid_roll, weight in FOUR_DF.items():
            result = attack + attack_roll
            if result >= -2 and (avoid is None or result > avoid + avoid_roll):
                hits += attack_weight * weight
    return F(hits, 81 * 81)


@pytest.mark.parametrize(("skill", "attack"), LEVELS.items())
def test_a_sweep_goes_on_while_it_hits(skill: str, attack: int) -> None:
    """At -1, -2, -3, -4: the printed first two steps, and on by the same."""
    chance = F(1)
    for number in range(1, 5):
        chance *= chance_to_hit(attack - number, 0)
        assert exact(tables()["multi-strike-odds"][skill, f"opponents-{number}"]) == chance


@pytest.mark.parametrize(("skill", "attack"), LEVELS.items())
@pytest.mark.parametrize(
    ("table", "second_avoid"), [("multiple-attack-odds", None), ("multiple-attack-odds-both-avoided", 0)]
)
def test_two_attacks_the_second_with_the_off_hand(
    skill: str, attack: int, table: str, second_avoid: int | None
) -> None:
    first, second = chance_to_hit(attack, 0), chance_to_hit(attack - 1, second_avoid)
    row = list(LEVELS).index(skill)
    expected = [(1 - first) * (1 - second), first + second - 2 * first * second, first * second]
    assert chances(tables()[table], row) == expected


OWN = [
    "blow-points",
    "blow-wounds",
    "blow-wounds-by-skill",
    "blow-wounds-unavoided",
    "scale-odds",
    "fight-by-skill",
    "only-a-scratch",
    "multi-strike-odds",
    "multiple-attack-odds",
]


@pytest.mark.parametrize("table_id", OWN)
def test_every_figure_says_what_it_rests_on(table_id: str) -> None:
    facts, table = ours("atari-isev").facts, tables()[table_id]
    needed = {facts[name].span for name in ("dice", "minimum-hit")}
    figures = [cell for row in table.rows for cell in row if cell.exact is not None]
    assert figures
    assert all(needed <= set(cell.sources) for cell in figures)


def test_the_tracks_have_the_boxes_of_the_printed_charts(loaded: Loaded) -> None:
    counts = {health: [box.count for box in wounds(loaded, health).boxes] for health in LEVELS}
    assert counts["Legendary"] == [5, 3, 2, 1, 1]
    assert counts["Terrible"] == [1, 1, 1, 1, 1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "Hurt[4-6],V.Hurt[7-8]",
            "Hurt[0-4],V.Hurt[7-8]",
            "Wounds, Superb: Hurt at 0-4 begins before the lighter ones",
        ),
        ("Hurt[4-6],V.Hurt[7-8]", "Hurt[4-60000],V.Hurt[60001-60002]", "go beyond 10,000"),
        ("4 Scratched boxes", "4000 Scratched boxes", "4,000 boxes of Scratched are not between 0 and 1,000"),
        ("4 Scratched boxes", "900 Scratched boxes", "this chain has more than 2,000 states"),
        ("Good + 2 Hurt Boxes", "Superb + 2 Hurt Boxes", "the tracks of .* build on each other"),
        ("Good + 2 Hurt Boxes", "Good + 2 Torn Boxes", '"Torn" is no kind of box'),
    ],
)
def test_a_damaged_chart_is_refused_in_a_moment(tmp_path: Path, old: str, new: str, message: str) -> None:
    copytree(bundled_folder("content") / "atari-isev", tmp_path / "atari-isev")
    path = tmp_path / "atari-isev" / "mechanics.txt"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    tables = ComputedTables(load_ruleset(path.parent, SystemSpec))
    start = process_time()
    with pytest.raises(ResolverError, match=message) as caught:
        tables["fight-by-health"]
    assert process_time() - start < 20
    assert caught.value.span is not None
