"""Dice at random: what people write, what nobody would, and what is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

POOLS = [
    "d6",
    "d8",
    "2d6",
    "3d6",
    "4dF",
    "d%",
    "d20",
    "d4",
    "5d10",
    "dF",
    "2d4",
    "4d6kh3",
    "2d20kl1",
    "d1",
    "d12",
    "d66",
    "D444",
    "1d88",
    "4d6k3",
    "4d6dl1",
    "4d6dh",
    "4d6 drop lowest",
    "3d8 Keep the highest 2",
    "2d20 advantage",
    "d20 with disadvantage",
    "3d6!",
    "d6!>5",
    "2d10!>8",
    "3d6r1",
    "2d6r<2",
    "d%r>90",
    "3d6ro1",
    "6d6cs>=5",
    "4dFcs=1",
    "4D6KH3",
    "３ｄ６＋２",
    "2d6−1",
    "2d6–d4",
    "٣d٦",
    "6D6CS≥5",
    "2d6\u200b+\u00a01",
    "d20 adv",
    "Disadvantage on d20",
    "d20+2 with advantage",
    "3d8 + 2 drop lowest",
]
BOUNDED = ["4dF", "2dF", "d6-d6", "d10-d10"]
COMPARED = [">=", "<=", ">", "<", "==", "!="]

FORMS = (
    "{a} + {b}",
    "{a} - {b}",
    "({a}) * {few}",
    "({a}) x {few}",
    "{pool}x10",
    "{a} vs {n}",
    "{a} ≥ {n}",
    "{few} × ({a})",
    "{few} x {pool}",
    "floor(({a}) ÷ {few})",
    "{a} + {b} with advantage",
    "({a}) dis",
    "Adv {pool} + {few}",
    "{a} drop lowest",
    "{few} - {pool} advantage",
    "Max({a}, {b})",
    "explode({pool}, {n})",
    "without({a}, {n}, {few})",
    "floor(({a}) / {few})",
    "ceiling(({a}) / {few})",
    "nearest(({a}) / {few})",
    "abs({a})",
    "sign({a})",
    "half_away({a})",
    "even({a})",
    "max({a}, {b})",
    "min({a}, {b})",
    "lesser({a}, {b})",
    "times({a}, {b})",
    "clamp({a}, {n}, {b})",
    "explode({pool} + {few})",
    "{pool}!",
    "open({bounded})",
    "snake({a})",
    "snake({a}, {n})",
    "highest({few}, 4d6)",
    "lowest({few}, 3d8)",
    "reroll({a}, {n}, {few})",
    "repeat({few}, {a})",
    "count(6d10 {compared} {n})",
    "count(4dF in {n}..)",
    "count({pool} {compared} {n})",
    "count(repeat({few}, {a}) {compared} {n})",
    "count(repeat({few}, {a}) in {few}..{n})",
    "count(repeat(3, repeat({few}, {pool})) {compared} {n} / 2)",
    "count(if({n} > 2, {pool}, repeat({few}, {a})) in ..{n})",
    "highest({few}, repeat({few}, {pool}))",
    "lowest({few}, repeat({few}, repeat({few}, d6)))",
    "highest({few}, if({few}, {pool}, 3d8))",
    "repeat({few}, count(repeat({few}, {pool}) {compared} {n}) >= 1)",
    'map({a}, "..2: -1, 3-7: {n}, 8: 0, 9..: 4")',
    "({a}) {compared} {b}",
    "if({a} > {n}, {b}, {n})",
    "({a}) mod {few}",
    "({a}) in 2..9",
    "({a})^2",
    "({a}) and d2 > 1 or not {b}",
)
"""What dice are made of: ``a`` and ``b`` are dice."""

WRONG = (
    *("3001d6", "d60000", "50d100000", "100d6kh50", "1000001", "times(d300, d300)", "repeat(101, d6)", "30d6!!"),
    *(
        "d6 +",
        "{dice}",
        "4d",
        "0d6",
        "frob(d6)",
        "d6 < 3 < 2",
        "count(d6)",
        "max(d6)",
        "((d6)",
        "10d6 in 3",
        "d6 in {a}",
    ),
    *("", "mean(d6)", "times(d6, d6, 2)", "d6 d6", "map(d6, table)", "chances(odds)", 'map(d6, "1-3: x")', "d6 ? 2"),
    *('map(d6, "1-3: 1")', 'map(d6!, "1-3: 1, 4-6: 2")', 'map(d6, "3-1: 1")', "highest(5, 3d6)", "highest(d2, 3d6)"),
    *(
        "count(3d6 + 2 >= 5)",
        "count(2*3d6 >= 9)",
        "count(3d6 >= d6)",
        "count(d6 in d4..)",
        "count(5 <= 6d6)",
        "count(4d6! >= 6)",
    ),
    *(
        "highest(2, 4d6!)",
        "lowest(1, 3d6 + 2)",
        "highest(1, repeat(6, 3d6))",
        "highest(2, d6, d8, d10)",
        "highest(1, 0)",
    ),
    *(
        "count(0 >= 0)",
        "count(4 >= 3)",
        "highest(2, 3d6r1)",
        "count(repeat(0, 3d6) >= 9)",
        "count(repeat(d4, d6) >= 3)",
    ),
    *("count(repeat(100, 500d20) >= 5000)", "count(repeat(100, d6) >= 20000)", "highest(1, repeat(0, 3d6))"),
    *("explode(d1)", "reroll(d6, d6)", "d6/0", "d6 / 4", "open(d6)", "snake(open(4dF))", "(" * 60 + "d6"),
    *(
        "repeat(100, d6!)",
        "2000d24",
        "open(2000dF)",
        "(6-6)!",
        "d66kh1",
        "d20 - explode(6-6)",
        "d6*99999999",
        "(" * 399,
    ),
    *("4d6r1kh3", "d6!>1", "d6!>=5", "d6!<2", "d6!!", "d66!", "d6r7", "d6r<6", "2d6dl2", "d%r>1", "d500r<300", "d6 x"),
    *("d20 vs d6", "d20 vs", "explode(d6, d6)", "explode(d6!, 3)", "without(d6, d6)", "d6cs", "4d6 drop lowest 4"),
    *("101d6!", "d1000!>2", "d6!=5", "3x6", "2d6 keep highest 3d6", "without(d1, 1)"),
    *(
        "5 advantage",
        "adv d6 + d8",
        "d6) + d20 adv",
        "adv (d6",
        "d20 adv adv",
        "d6 ¿ 2",
        "２ｄ６ ＋",
        "max(d6, d8) dis",
        "𝟑d6 + x",
    ),
    *("explode(d6!)", "snake(d6, d6)", "repeat(d6, d6)", "2000d2 - 2000d2", f"{'d6 + ' * 100}d6"),
)
"""What is no dice, or is not worked out."""


def expressions(random: Random, count: int) -> Iterator[str]:
    """So many different texts, some of them wrong."""
    yield from WRONG
    seen = {*WRONG}
    while len(seen) < count:
        text = expression(random, random.randint(0, 3))
        if text not in seen:
            seen.add(text)
            yield text


def expression(random: Random, depth: int) -> str:
    if not depth:
        return random.choice(POOLS) if random.random() < 0.8 else str(random.randint(0, 12))
    return random.choice(FORMS).format(
        a=expression(random, depth - 1),
        b=expression(random, random.randint(0, depth - 1)),
        n=random.randint(-3, 15),
        few=random.randint(0, 4),
        pool=random.choice(POOLS),
        bounded=random.choice(BOUNDED),
        compared=random.choice(COMPARED),
    )
