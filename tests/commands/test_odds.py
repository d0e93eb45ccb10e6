"""``refgen odds``: every expression is answered or refused in time, and an ambiguous expression is told as read."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import refgen
from refgen.cli import main
from tests.checks.small import parted

ASKED = """
import json, resource, sys, time
import refgen
from refgen.export.odds import odds_lines

def ask(dice, at_least):
    dice, _, against = dice.partition(" vs ")
    "\\n".join(odds_lines(dice, against or None, at_least))
    if at_least is None and not against:
        roll = refgen.roll(dice)
        roll.pmf(), roll.mean, roll.deviation, roll.at_most(3), str(roll)

ask("4dF", None)  # loads what is loaded at first use
with open("/proc/self/statm") as pages:
    taken = int(pages.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (taken + 256 * 2**20,) * 2)
for dice, at_least in json.load(sys.stdin):
    start = time.process_time()
    try:
        ask(dice, at_least)
        answer = "answered"
    except refgen.RefgenError as error:
        answer = str(error)
    except BaseException as error:
        answer = repr(error)
    print(json.dumps([dice[:40], answer, time.process_time() - start]))
"""

ANSWERED = [
    ("1000d6", None),
    ("repeat(10, d6!)", 80),
    ("highest(50, 100d6)", None),
    ("count(500d24 >= 5)", None),
    ("500d2 - 500d2", None),
    ("(d6*1000000)! - (d6*1000000)!", None),
    ("d6!", 10**9),
    ("3d6 vs 100d100", None),
    ("-" * 390 + "d6", None),
    ("(" * 199 + "6" + ")" * 199, None),
]
SLOWLY_ANSWERED = [
    ("repeat(20, d6!)", 150),
    ("count(2000d24 >= 5)", None),
    ("1000d2 - 1000d2", None),
    ("2000d6", None),
    ("100d100", None),
    ("d50000", None),
    ("repeat(50, d3!)", None),
    ("open(1000dF)", None),
    ("if(d6 > 3, 100d100, 100d99)", None),
    ("repeat(5, repeat(20, repeat(20, d6)))", None),
]
REFUSED = [
    ("repeat(20,explode(d2))*repeat(20,explode(d2))", None),
    ("+".join(f"d{sides}!" for sides in range(6, 86)), None),
    ("(6-6)!", None),
    ("d20 - explode(6-6)", None),
    ("d6*" + "9" * 310, None),
    ("d6^1000", None),
    ("combinations(10000, 5000) * d6", None),
    ("(" * 399, None),
    ("1>(" * 99 + "6" + ")" * 99, None),
    ("d6" + "!" * 390, None),
    ("abs(" * 79 + "d6" + ")" * 79, None),
    ("open(1000dF)", 100_000),
    ("open(2000dF)", None),
    ("explode(count(2000d6 >= 5))", 50_000),
    ("2000d24", None),
    ("half_away(2000d24)", None),
    ("reroll(2000d24, 2000, 2001)", None),
    ("explode(d50000)", None),
    ("2000d2 - 2000d2", None),
    ("1200d3 vs 1200d3", None),
    ("highest(50, 60d30)", None),
    ("highest(3, 1000d30)", None),
    ("highest(2000, 2000dF)", None),
    ("100d20 * 100d20", None),
    ("d100 / d100 * d20", None),
]
SLOWLY_REFUSED = [
    ("repeat(20,explode(d2))*d2", 1000),
    ("repeat(100, d6!)", None),
    ("repeat(99, d9!) - repeat(90, d9!)", None),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("to_answer", "to_refuse"),
    [(ANSWERED, REFUSED), pytest.param(SLOWLY_ANSWERED, SLOWLY_REFUSED, marks=pytest.mark.soak)],
    ids=["soon", "slowly"],
)
def test_every_roll_is_answered_or_refused_in_256_megabytes_and_none_hangs(
    to_answer: Sequence[object], to_refuse: Sequence[object]
) -> None:
    child = subprocess.run(
        [sys.executable, "-c", ASKED],
        input=json.dumps([*to_answer, *to_refuse]),
        capture_output=True,
        text=True,
        timeout=200,
        check=True,
    )
    told = [json.loads(line) for line in child.stdout.splitlines()]
    answered, refused = told[: len(to_answer)], told[len(to_answer) :]
    assert [one for one in answered if one[1] != "answered"] == []
    assert [one for one in refused if one[1] == "answered" or one[1].endswith("')") or "Error(" in one[1]] == []
    assert [(dice, answer, seconds) for dice, answer, seconds in told if seconds > 60] == []  # a hang, on any machine


@pytest.mark.slow
@pytest.mark.parametrize(
    ("dice", "message", "change"),
    [
        ("2001d2", "this roll has 2,001 dice; refgen works out at most 2,000", "dice=2001"),
        ("d50001", "this roll has 50,001 different outcomes; refgen works out at most 50,000", "outcomes=50001"),
        (
            "d6!+" * 60 + "d6!",
            "this roll has at least 6,400,000 steps of work; refgen works out at most 6,000,000",
            "dice-work=8000000",
        ),
    ],
)
def test_a_refusal_names_its_limit_and_the_option_raises_it(dice: str, message: str, change: str) -> None:
    refused = CliRunner().invoke(main, ["odds", dice, "--at-least", "30"])
    limit = change.partition("=")[0]
    assert refused.exit_code == 2
    assert refused.stderr.startswith(f"{message}\n  hint: Roll fewer or smaller dice. The limit {limit} is ")
    assert CliRunner().invoke(main, ["odds", dice, "--at-least", "30", "--limit", change]).exit_code == 0


def odds(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["odds", *arguments])


@pytest.mark.parametrize(
    ("dice", "digits", "faces"),
    [("d66", 2, 6), ("D66", 2, 6), ("d44", 2, 4), ("d88", 2, 8), ("d666", 3, 6), ("d4444", 4, 4)],
)
def test_dice_read_as_digits(dice: str, digits: int, faces: int) -> None:
    falls = product(range(1, faces + 1), repeat=digits)
    outcomes = [int("".join(map(str, fall))) for fall in falls]
    assert refgen.roll(dice).pmf() == dict.fromkeys(sorted(outcomes), Fraction(1, faces**digits))
    found = json.loads(odds(dice, "--format", "json").stdout)
    assert [each["outcome"] for each in found["pmf"]] == sorted(outcomes)


@pytest.mark.parametrize(("dice", "sides"), [("1d66", 66), ("d33", 33), ("d22", 22), ("d100", 100), ("d64", 64)])
def test_other_dice_have_as_many_sides_as_they_say(dice: str, sides: int) -> None:
    assert refgen.roll(dice).pmf() == dict.fromkeys(range(1, sides + 1), Fraction(1, sides))


@pytest.mark.parametrize(
    ("arguments", "notes"),
    [
        (["d66"], ["d66 is 2 dice of 6 sides read as digits, 11 to 66; 1d66 is one die with 66 sides"]),
        (["2d66"], ["2d66 rolls dice with 66 sides; d66 is 2 dice of 6 sides read as digits, 11 to 66"]),
        (["6d6>=6"], ["6d6 >= 6 asks for the sum of the dice; count(6d6 >= 6) counts the dice of which that is true"]),
        (
            ["d6", "--against", "d666"],
            ["d666 is 3 dice of 6 sides read as digits, 111 to 666; 1d666 is one die with 666 sides"],
        ),
        (
            ["not 3dF in ..0", "--at-least", "1"],
            ["3dF in ..0 asks for the sum of the dice; count(3dF in ..0) counts the dice of which that is true"],
        ),
        (
            ["6 x 4d6kh3"],
            ["6*4d6kh3 is 6 times one roll; 6 rolls are repeat(6, 4d6kh3) added up, and 4d6kh3 each"],
        ),
        (
            ["6×4D6 drop lowest", "--at-least", "90"],
            ["6*4d6kh3 is 6 times one roll; 6 rolls are repeat(6, 4d6kh3) added up, and 4d6kh3 each"],
        ),
        (
            ["3 * (2d6 + 1) vs 20"],
            ["3*(2d6 + 1) is 3 times one roll; 3 rolls are repeat(3, (2d6 + 1)) added up, and (2d6 + 1) each"],
        ),
        (
            ["2 x max(d6, d8) + d4"],
            ["2*max(d6, d8) is 2 times one roll; 2 rolls are repeat(2, max(d6, d8)) added up, and max(d6, d8) each"],
        ),
        (["d6 x 10 + 2d4x100"], []),
        (["1000 x d6"], []),
        (["d6^2 * 3 * 2"], []),
        (
            ["2d6 with advantage + 1"],
            ["2d6 with advantage keeps the highest of the 2 dice; the better of two rolls of 2d6 is max(2d6, 2d6)"],
        ),
        (
            ["dis 3d20"],
            ["3d20 dis keeps the lowest of the 3 dice; the worse of two rolls of 3d20 is min(3d20, 3d20)"],
        ),
        (["d20 advantage"], []),
        (["count(6d6 >= 6)"], []),
        (["d20 >= 11"], []),
        (["3d6"], []),
        (["d100"], []),
    ],
)
def test_notes_stand_beside_the_answer(arguments: list[str], notes: list[str]) -> None:
    found = odds(*arguments)
    assert (found.exit_code, found.stderr.splitlines()) == (0, [f"note: {note}" for note in notes])


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["-1d6", "--at-least", "-3"], "-1d6: -3 or more  50.00%  (1/2)"),
        (["--at-least", "-3", "-1d6"], "-1d6: -3 or more  50.00%  (1/2)"),
        (["-d6+10", "--at-least=5"], "-d6+10: 5 or more  83.33%  (5/6)"),
        (["-max(d6, d8)", "--at-least", "-1"], "-max(d6, d8): -1 or more  2.08%  (1/48)"),
        (["-(2D6)", "--at-least", "-2"], "-(2d6): -2 or more  2.78%  (1/36)"),
        (["-d%", "--at-least", "-1"], "-d%: -1 or more  1.00%  (1/100)"),
        (["-4dF", "--at-least", "4"], "-4dF: 4 or more  1.23%  (1/81)"),
        (["- 2d6", "--at-least", "-2"], "- 2d6: -2 or more  2.78%  (1/36)"),
        (["--", "-1d6 vs -1"], "-1d6: -1 or more  16.67%  (1/6)"),
        (["--at-least", "0", "d6", "--against", "-d6"], "d6 against -d6: 0 or more  100.00%  (1)"),
    ],
)
def test_a_minus_before_dice_begins_no_option(arguments: list[str], line: str) -> None:
    assert odds(*arguments).stdout.splitlines() == [line]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--at-leest", "3", "d6"], "No such option '--at-leest'. (Did you mean one of: '--at-least', '--at-most'?)"),
        (["-1d6", "--formt", "json"], "No such option '--formt'. Did you mean"),
        (["-x", "d6"], "No such option '-x'."),
        (["d6", "--at-least", "-d6"], "Invalid value for '--at-least': '-d6' is not a valid int"),
        (["d6", "--at-least"], "Option '--at-least' requires an argument."),
    ],
)
def test_options_are_still_options(arguments: list[str], message: str) -> None:
    assert message in odds(*arguments).stderr


def test_an_error_shows_dice_as_they_were_typed() -> None:
    assert 'cannot read the dice "-2d6 oops" at column 6' in odds("-2d6 oops").stderr


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["2d6", "--at-most", "8"], "2d6: 8 or less  72.22%  (13/18)"),
        (["2d6", "--at-most", "1"], "2d6: 1 or less  0.00%  (0)"),
        (["d6!", "--at-most", "100"], "d6!: 100 or less  >99.99%  ({exploded})"),
        (["open(4dF)", "--at-most=-4"], "open(4dF): -4 or less  1.23%  (1/81)"),
        (["d20", "--against", "d20", "--at-most", "-1"], "d20 against d20: -1 or less  47.50%  (19/40)"),
        (["-2d6", "--at-most", "-12"], "-2d6: -12 or less  2.78%  (1/36)"),
    ],
)
def test_the_chance_of_a_number_or_less(arguments: list[str], line: str) -> None:
    exploded = 1 - Fraction(1, 6**16) * Fraction(2, 6)  # sixteen sixes are 96; 5 or 6 more is beyond 100
    assert odds(*arguments).stdout == f"{line.format(exploded=exploded)}\n"


@pytest.mark.parametrize("dice", ["2d6", "3d6!", "open(4dF)", "d20 vs d12", "4d6 drop lowest - 7"])
def test_at_most_a_number_is_all_but_at_least_the_next(dice: str) -> None:
    found = json.loads(odds(dice, "--format", "json").stdout)
    least = {each["n"]: Fraction(each["exact"]) for each in found["at_least"]}
    most = {each["n"]: Fraction(each["exact"]) for each in found["at_most"]}
    assert list(most) == [each["outcome"] for each in found["pmf"]]
    assert {
        n: chance + least.get(n + 1, most[n] - most[n] + 1 - chance) for n, chance in most.items()
    } == dict.fromkeys(most, 1)


def test_the_json_of_a_number_has_its_three_chances_and_the_reading() -> None:
    found = json.loads(odds("2 x d6", "--at-most", "8", "--format", "json").stdout)
    assert found == {
        "schema": "refgen/odds/3",
        "dice": "2*d6",
        "against": None,
        "notes": ["2*d6 is 2 times one roll; 2 rolls are repeat(2, d6) added up, and d6 each"],
        "pmf": [{"outcome": 8, "exact": "1/6", "percent": pytest.approx(100 / 6)}],
        "at_least": [{"n": 8, "exact": "1/2", "percent": 50.0}],
        "at_most": [{"n": 8, "exact": "2/3", "percent": pytest.approx(200 / 3)}],
        "mean": "7",
        "sd": pytest.approx((35 / 3) ** 0.5),
        "mean_exact": True,
        "residue": "0",
        "exact_from": None,
        "exact_to": None,
    }


def test_rolls_side_by_side() -> None:
    assert odds("d4", "d2-1", "2d2").stdout.splitlines() == [
        "d4: mean 2.50, standard deviation 1.12",
        "d2-1: mean 0.50, standard deviation 0.50",
        "2d2: mean 3.00, standard deviation 0.71",
        "                          d4                  d2-1                   2d2",
        "  roll     exactly  at least     exactly  at least     exactly  at least",
        "     0           –   100.00%      50.00%   100.00%           –   100.00%",
        "     1      25.00%   100.00%      50.00%    50.00%           –   100.00%",
        "     2      25.00%    75.00%           –         –      25.00%   100.00%",
        "     3      25.00%    50.00%           –         –      50.00%    75.00%",
        "     4      25.00%    25.00%           –         –      25.00%    25.00%",
    ]


def test_an_open_ended_roll_is_followed_as_far_as_the_rolls_beside_it() -> None:
    lines = odds("d6!", "d%").stdout.splitlines()
    assert lines[-1].split() == ["100", "<0.01%", "<0.01%", "1.00%", "1.00%"]
    (line,) = (line for line in lines if line.startswith("    61 "))
    assert line.split()[1:3] == ["<0.01%", "<0.01%"]
    assert odds("d6!", "--at-least", "61").stdout == f"d6!: 61 or more  <0.01%  ({Fraction(1, 6**10)})\n"


def test_a_line_for_each_roll_that_is_to_reach_or_keep_to_a_number() -> None:
    assert odds("3d6", "2d10", "--at-most", "8").stdout.splitlines() == [
        "3d6: 8 or less  25.93%  (7/27)",
        "2d10: 8 or less  28.00%  (7/25)",
    ]
    assert odds("2d6 vs 8; 3d6 vs 11").stdout.splitlines() == [
        "2d6: 8 or more  41.67%  (5/12)",
        "3d6: 11 or more  50.00%  (1/2)",
    ]
    assert odds("d6", "d8", "--against", "2d4", "--at-least", "1").stdout.splitlines() == [
        "d6 against 2d4: 1 or more  20.83%  (5/24)",
        "d8 against 2d4: 1 or more  37.50%  (3/8)",
    ]


def test_the_json_of_rolls_side_by_side_is_that_of_each() -> None:
    found = json.loads(odds("3d6", "6 x d4", "fudge-1995:four-d6", "--format", "json", "--bundled").stdout)
    assert (list(found), found["schema"]) == (["schema", "rolls"], "refgen/compared-odds/2")
    alone = [json.loads(odds(dice, "--format", "json", "--bundled").stdout) for dice in ("3d6", "6 x d4")]
    assert [{"schema": "refgen/odds/3", **each} for each in found["rolls"][:2]] == alone
    assert found["rolls"][2]["dice"] == "fudge-1995:four-d6"


@pytest.mark.parametrize(
    "parts",
    [
        ["4d6", "drop", "lowest"],
        ["d20", "vs", "2d10"],
        ["2d6", "+", "1"],
        ["2d6", "-1"],
        ["2d6", "+1"],
        ["2d6", "−d4"],
        ["6", "x", "4d6kh3"],
        ["d20", "with", "advantage"],
        ["adv", "d20"],
    ],
)
def test_one_roll_without_quotes_is_not_taken_for_several(parts: list[str]) -> None:
    found = odds(*parts)
    assert (found.exit_code, found.stdout) == (2, "")
    assert f'Put quotes around a roll with blanks: refgen odds "{" ".join(parts).replace("−", "-")}".' in found.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["d6"] * 7, "Give at most 6 rolls: 7 are given."),
        (["d6; d8", "d10"] * 3, "Give at most 6 rolls: 9 are given."),
        (["2d6", "--at-least", "5", "--at-most", "9"], "Give --at-least or --at-most; of both ask for a range"),
        (
            ["2d6 vs 8", "--at-most", "9"],
            "Give either DICE vs what it must reach, or --against, --at-least or --at-most.",
        ),
        (["d6", "oops"], 'cannot read the dice "oops"'),
        (["--system", "fudge-1995", "--trait", "Good", "--at-most", "3"], "goes without --at-least and --at-most"),
    ],
)
def test_rolls_that_are_not_asked_like_that(arguments: list[str], message: str) -> None:
    found = odds(*arguments)
    assert (found.exit_code, found.stdout) == (2, "")
    assert message in found.stderr


def test_a_pool_that_is_compared_is_added_up() -> None:
    assert odds("6d6>=6", "--at-least", "1").stdout == "6d6>=6: 1 or more  100.00%  (1)\n"
    assert odds("count(6d6>=6)", "--at-least", "1").stdout == "count(6d6>=6): 1 or more  66.51%  (31031/46656)\n"


@pytest.mark.parametrize(
    ("dice", "chances"),
    [
        ("count(repeat(6, 3d6) >= 15)", ["100.00%", "44.18%", "10.00%"]),
        ("count(repeat(24, 2d6) == 12)", ["100.00%", "49.14%"]),
        ("count(repeat(5, 2d6) == 2)", ["100.00%", "13.14%"]),
        ("count(repeat(3, 2d6) >= 5)", ["100.00%", "99.54%", "92.59%", "57.87%", "0.00%"]),
    ],
)
def test_rolls_that_are_repeated_are_counted(dice: str, chances: list[str]) -> None:
    answers = [odds(dice, "--at-least", str(number)).stdout for number in range(len(chances))]
    assert [answer.split("or more  ")[1].split()[0] for answer in answers] == chances


def test_nothing_is_kept_of_dice_read_as_digits() -> None:
    found = odds("d66kh1")
    assert (found.exit_code, found.stderr) == (
        2,
        'cannot read the dice "d66kh1" at column 1: the dice of "d66" are read as digits\n'
        "  hint: Write 1d66 for a die with 66 sides.\n",
    )
    assert odds("1d66kh1").exit_code == 0


HEAD = """\
title = "Trade"
about = "Goods and checks."
document = "rules.md"
accent = "#123456"
source = "made for the tests"
"""


def project(folder: Path, document: str, rules: str) -> Path:
    game = folder / "content" / "trade"
    game.mkdir(parents=True)
    (folder / "refgen.toml").touch()
    (game / "rules.md").write_text(document, encoding="utf-8")
    said, proofs = parted(HEAD + rules)
    (game / "system.toml").write_text(said, encoding="utf-8")
    (game / "proof.toml").write_text(proofs, encoding="utf-8")
    return folder


def run(command: str, folder: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, [command, *arguments, "--project", str(folder)])


GOODS = "# Goods\n\nRoll D66.\n\nRoll | Goods\n-----|------\n{rows}\n"
GOODS_RULES = """
[tables.goods]
title = "Goods"
header = ["Roll", "Goods"]
columns = [{ id = "roll", type = "interval" }, { id = "goods" }]

[facts]
dice = { title = "Dice", text = "Roll {dice}.", type = "dice" }

[checks]
goods = { kind = "partition", table = "goods", column = "roll", dice = "{dice}" }
"""
ROWS = ["11-16", "21-26", "31-33", "34-36", "41", "42-46", "51-56", "61-66"]


@pytest.mark.parametrize(
    ("title", "changed", "printed", "expected"),
    [
        ("all outcomes once", {}, [], []),
        ("one outcome twice", {"21-26": "16-26"}, ["11-16", "16-26"], ["11 to 15", "21 to 26"]),
        ("a row of six lost", {"21-26": ""}, ["11-16", "31-33"], ["11 to 26", "21 to 33"]),
        ("one outcome lost", {"41": ""}, ["34-36", "42-46"], ["34 to 41", "41 to 46"]),
        ("a range without any outcome", {"41": "37-40\n41"}, ["37-40"], ["another range"]),
        ("beyond the dice", {"61-66": "61-67"}, ["61-67"], ["61 to 66"]),
    ],
)
def test_a_d66_table_is_covered_by_its_36_outcomes(
    tmp_path: Path, title: str, changed: dict[str, str], printed: list[str], expected: list[str]
) -> None:
    rows = [part for row in ROWS for part in changed.get(row, row).split("\n") if part]
    document = GOODS.format(rows="\n".join(f"{row} | goods" for row in rows))
    report = json.loads(run("check", project(tmp_path, document, GOODS_RULES), "--format", "json").stdout)
    found = [place for each in report["findings"] for place in (each, *each["rivals"])]
    assert ([each["printed"] for each in found], [each["computed"] for each in found]) == (printed, expected), title


TASKS = """# Tasks

Roll 2d6 for 8 or more, with a skill of 0 to 3.

Difficulty     | DM
---------------|---
Easy           | +4
Average        | 0
Difficult      | -2
"""
TASKS_RULES = """
[tables.tasks]
title = "Tasks"
header = ["Difficulty", "DM"]
columns = [{{ id = "difficulty" }}, {{ id = "dm", type = "modifier" }}]

[facts]
dice = {{ title = "Dice", text = "Roll {{dice}} for {{target}} or more", type = "dice" }}
target = {{ title = "Target" }}

[ladders.task]
table = "tasks"
level = "difficulty"
value = "dm"

[actions.check]
title = "Check"
roll = "{{dice}} + {{trait}} + {{modifier}} - {{target}}"
trait = {{ id = "trait", numbers = [3, 2, 1, 0] }}
{difficulty}
"""


@pytest.mark.parametrize("axis", ['ladder = "task"', 'of = "tasks.dm"'])
def test_a_ladder_of_modifiers_is_no_difficulty(tmp_path: Path, axis: str) -> None:
    written = f'difficulty = {{ id = "difficulty", {axis} }}'
    folder = project(tmp_path, TASKS, TASKS_RULES.format(difficulty=written))
    asked = ["--system", "trade", "--trait", "2", "--difficulty", "Difficult"]
    refused = run("odds", folder, *asked)
    assert refused.exit_code == 2
    message, hint = refused.stderr.splitlines()
    assert message.endswith('rules.md:7:18: "+4" is a difficulty, and is printed like a modifier')
    assert 'roll = "… + {difficulty}", at_least = "…"' in hint


@pytest.mark.parametrize("axis", ['ladder = "task"', 'of = "tasks.difficulty"', 'of = "tasks.dm"'])
def test_a_difficulty_that_the_roll_names_is_added_to_it(tmp_path: Path, axis: str) -> None:
    named = "{difficulty.dm}" if axis == 'of = "tasks.difficulty"' else "{difficulty}"
    rules = TASKS_RULES.replace("{{modifier}} - {{target}}", named.replace("{", "{{").replace("}", "}}"))
    written = f'difficulty = {{ id = "difficulty", {axis} }}\nat_least = "{{target}}"'
    folder = project(tmp_path, TASKS, rules.format(difficulty=written))
    asked = ["--system", "trade", "--trait", "2"]
    difficulty = "-2" if axis == 'of = "tasks.dm"' else "Difficult"
    assert run("odds", folder, *asked, "--difficulty", difficulty).stdout.splitlines()[1] == "  Check  41.67% (5/12)"
    assert "mean 9.00" in run("odds", folder, *asked).stdout.splitlines()[1]


def test_a_roll_of_at_most_says_so(tmp_path: Path) -> None:
    rules = TASKS_RULES.replace("{{dice}} + {{trait}} + {{modifier}} - {{target}}", "{{dice}}")
    folder = project(tmp_path, TASKS, rules.format(difficulty='at_most = "{trait} + {target} + {modifier}"'))
    lines = run("odds", folder, "--system", "trade", "--trait", "1", "--modifier", "-1").stdout.splitlines()
    assert lines[1:3] == [
        "  Check  72.22% (13/18)",
        "Check: 2d6, at most trait + 8 -1, mean 7.00, standard deviation 2.42",
    ]
    assert [lines[3].split(), lines[4].split()[:3]] == [["roll", "exactly", "at", "most"], ["2", "2.78%", "2.78%"]]


def test_a_level_of_modifiers_is_given_as_a_modifier(tmp_path: Path) -> None:
    folder = project(tmp_path, TASKS, TASKS_RULES.format(difficulty=""))
    asked = ["--system", "trade", "--trait", "2", "--modifier", "-2"]
    assert run("odds", folder, *asked).stdout.splitlines()[1] == "  Check  41.67% (5/12)"


def test_signed_numbers_that_a_roll_must_reach_are_a_difficulty_when_it_says_so(tmp_path: Path) -> None:
    written = 'difficulty = { id = "difficulty", ladder = "task", signed = true }'
    folder = project(tmp_path, TASKS, TASKS_RULES.format(difficulty=written))
    asked = ["--system", "trade", "--trait", "2", "--difficulty", "Difficult"]
    assert run("odds", folder, *asked).stdout.splitlines()[1] == "  Check  91.67% (11/12)"


CHANCE = """
[tables.tasks]
title = "Tasks"
header = ["Difficulty", "DM"]
columns = [{{ id = "difficulty" }}, {{ id = "dm", type = "modifier" }}]

[facts]
dice = {{ title = "Dice", text = "Roll {{dice}} for", type = "dice" }}

[rolls.both]
title = "Two rolls"
roll = "{{dice}} + {{dice}}"

[derived.tries]
kind = "grid"
title = "Tries"
rule = "Rolled."
{names}
rows = [{{ id = "n", numbers = [1, 2] }}]
columns = [{{ id = "once", title = "Once", formula = "{formula}" }}]
"""


@pytest.mark.parametrize(
    ("formula", "names", "found"),
    [
        ("chance({dice} >= {n} and {dice} <= 5)", "", ["dice"]),
        ("mean(if({dice} > 6, {dice} + {n}, 0))", "", ["dice"]),
        ("chance({both} > 6 or even({both}))", "", ["both"]),
        ("chance({sum} > 6 and {sum} < 9)", 'let = { sum = "{dice} + {n}" }', ["sum"]),
        ("chance({dice} > {n} and {dice} < 3) + chance({both} > 6 and {dice} < 3)", "", ["dice"]),
        ("chance({throw} > 6 and {throw} < 9)", 'throws = { throw = "{dice}" }', []),
        ("chance({one} > 6 and {two} < 9)", 'throws = { one = "{dice}", two = "{dice}" }', []),
        ("chance({sum} > 6 and {sum} < 9)", 'throws = { t = "{dice}" }\nlet = { sum = "{t} + {n}" }', []),
        ("chance({dice} - {dice} >= {n})", "", []),
        ("chance({dice} >= {dice})", "", []),
        ("chance({dice} >= 9) - chance({dice} >= 10)", "", []),
        ("chance(if({n} > 1, {dice} >= 9, {dice} <= 5))", "", []),
        ("chance({dice} >= {n} and {both} >= {n})", "", []),
    ],
)
def test_a_roll_that_stands_in_two_questions_is_a_warning(
    tmp_path: Path, formula: str, names: str, found: list[str]
) -> None:
    folder = project(tmp_path, TASKS, CHANCE.format(formula=formula, names=names))
    report = run("check", folder)
    shown = [line.partition(" stands in two questions")[0] for line in report.stdout.splitlines()[:-1]]
    line = folder.joinpath("content/trade/system.toml").read_text(encoding="utf-8").count("\n")
    where = f"trade/system.toml:{line}:54: warning: derived.tries.columns.once.formula"
    assert shown == [f"{where}: {{{name}}}" for name in found]
    assert report.exit_code == (1 if found else 0)
    assert report.stdout.count("throws = { throw = ") == len(found)


@pytest.mark.parametrize(
    ("formula", "names", "chances"),
    [
        ("chance(count(repeat({n}, {dice}) == 12) >= 1)", "", ["3%", "5%"]),
        ("chance(count({rolls} >= 10) >= 1)", 'let = { rolls = "repeat({n}, {dice})" }', ["17%", "31%"]),
        ("chance(count({rolls} >= 10) >= 1)", 'throws = { rolls = "repeat({n}, {dice})" }', ["17%", "31%"]),
        ("chance(count(repeat({n}, {both}) in 23..) >= 1)", "", ["<1%", "1%"]),
        ("chance(count({n}d6 >= 5) >= 1)", "", ["33%", "56%"]),
    ],
)
def test_a_table_counts_the_rolls_that_are_repeated(
    tmp_path: Path, formula: str, names: str, chances: list[str]
) -> None:
    folder = project(tmp_path, TASKS, CHANCE.format(formula=formula, names=names))
    rows = run("tables", folder, "trade/tries", "--format", "csv").stdout.splitlines()[1:]
    assert [row.partition(",")[2] for row in rows] == chances
    assert run("check", folder).exit_code == 0


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        ("mean(count({dice} + 1 >= 5))", "count() takes dice or repeat(), a comparison and a number"),
        ("mean(highest(1, repeat({n}, {dice})))", "highest() keeps single dice of one kind"),
    ],
)
def test_single_dice_of_one_number_are_an_error_of_the_table(tmp_path: Path, formula: str, message: str) -> None:
    folder = project(tmp_path, TASKS, CHANCE.format(formula=formula, names=""))
    for report in (run("check", folder), run("tables", folder, "trade/tries")):
        assert report.exit_code == 2
        assert "trade/system.toml:19:1: " + message in report.stderr


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        (["d6!", "--at-least", "3000"], "d6!: 3000 or more  <0.01%  (at most 9.1e-313)"),
        (["d6!", "--at-most", "3000"], "d6!: 3000 or less  >99.99%  (all but at most 9.1e-313)"),
        (["even(d6!)", "--at-least", "1"], "even(d6!): 1 or more  40.00%  (1343693/3359232, off by at most 9.9e-08)"),
        (["floor(d6!/10)", "--at-least", "6"], "floor(d6!/10): 6 or more  <0.01%  (1/60466176)"),
        (["floor(d6!/10)", "--at-most", "5"], "floor(d6!/10): 5 or less  >99.99%  (60466175/60466176)"),
        (
            ["d6!", "--against", "d20!", "--at-least", "1"],
            "d6! against d20!: 1 or more  15.95%  (77141187039/483729407999)",
        ),
    ],
)
def test_a_chance_is_exact_or_says_how_far_off_it_may_be(arguments: list[str], answer: str) -> None:
    assert odds(*arguments).stdout == f"{answer}\n"


@pytest.mark.parametrize(
    ("dice", "first", "last"),
    [
        ("3d8!>2", "3d8!>2: mean 108.00, standard deviation 65.45", "of the rolls go on."),
        ("d8!>3", "d8!>3: mean 18.00, standard deviation 19.29", "of the rolls go on."),
        ("2d20kh1", "2d20kh1: mean 13.83, standard deviation 4.71", "  ████████████████████████████████████████"),
        ("even(d6!)", "even(d6!): mean ≈ 0.40, standard deviation ≈ 0.49", "than that; ≈ leaves them out."),
        ("floor(3d6!/2)", "floor(3d6!/2): mean ≈ 6.05, standard deviation ≈ 2.84", "go on; ≈ leaves them out."),
    ],
)
def test_a_mean_is_that_of_the_roll_followed_for_ever_or_says_that_it_is_not(dice: str, first: str, last: str) -> None:
    lines = odds(dice).stdout.splitlines()
    assert (lines[0], lines[-1][-len(last) :]) == (first, last)


def test_the_json_says_between_which_outcomes_all_is_exact() -> None:
    exploding, even = (json.loads(odds(dice, "--format", "json").stdout) for dice in ("3d6!", "even(d6!)"))
    assert (exploding["mean"], exploding["mean_exact"]) == ("63/5", True)
    assert (exploding["exact_from"], exploding["exact_to"]) == (None, 55)
    assert (even["mean_exact"], even["exact_from"] > even["exact_to"], even["residue"]) == (False, True, "1/10077696")


def test_no_line_shows_a_chance_that_a_roll_leaves_open() -> None:
    shown = [int(line.split()[0]) for line in odds("3d8!>2").stdout.splitlines()[2:-2]]
    assert max(shown) <= 355
    assert odds("d6", "even(d6!)").stdout.splitlines()[-1].startswith("even(d6!): followed until only")


def test_a_roll_says_what_it_leaves_out() -> None:
    even, pool = refgen.roll("even(d6!)"), refgen.roll("3d8!>2")
    assert (even.is_exact(1), even.mean_is_exact) == (False, False)
    assert (pool.is_exact(300), pool.mean_is_exact, pool.mean, round(pool.deviation**2)) == (
        True,
        True,
        Fraction(108),
        4284,
    )
    assert repr(even) == "<Roll even(d6!): mean ≈ 0.40, standard deviation ≈ 0.49>"
    assert repr(refgen.roll("2d20kh1")) == "<Roll 2d20kh1: mean 13.83, standard deviation 4.71>"
    assert refgen.roll("d6!").against(refgen.roll("d20!")).residue == 0
    assert 0 < refgen.roll("2d6!").against(refgen.roll("2d6!")).residue < Fraction(1, 10**6)
