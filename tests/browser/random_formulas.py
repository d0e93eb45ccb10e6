"""Formulas of a sheet at random: arithmetic over a few names, some of which are only bounds, and dice that it asks."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

NAMES = ("might", "grace", "load", "luck")

ATOMS = (
    *(f"{{{name}}}" for name in NAMES),
    *("0", "1", "2", "3", "7", "10", "100"),
)

FORMS = (
    "({a} + {b})",
    "({a} - {b})",
    "({a} - {b} + {c})",
    "{a} * {b}",
    "({a}) / ({b})",
    "-({a})",
    "({a})^2",
    "({a})^-1",
    "({a}) mod ({b})",
    "floor({a})",
    "ceiling({a} / 3)",
    "nearest({a} / 2)",
    "abs({a})",
    "sign({a})",
    "even({a})",
    "max({a}, {b})",
    "max({a}, {b}, {c})",
    "min({a}, {b})",
    "clamp({a}, {b}, {c})",
    "combinations({n}, {few})",
    "power({n}, {few} / 2)",
    "powers({n}, {few})",
    "preferred({a}, 1, 2, 5)",
    "if({a} {compared} {b}, {c}, {a})",
    "(({a}) {compared} ({b}))",
    "(({a}) in {few}..{n})",
    "(({a}) in ..{n})",
    "(({a}) > 2 and not ({b}) < 1)",
    "(({a}) == 1 or ({b}) != 2)",
    "default({{luck}}, {a})",
    "mean(2d6 + {few})",
    "chance(3d6 >= {n})",
    "chance(4dF + {{might}} >= {few})",
)

COMPARED = (">=", "<=", ">", "<", "==", "!=")


def formulas(random: Random, count: int) -> Iterator[str]:
    """So many different formulas."""
    seen: set[str] = set()
    while len(seen) < count:
        text = formula(random, random.randint(1, 3))
        if text not in seen and len(text) <= 400:
            seen.add(text)
            yield text


def formula(random: Random, depth: int) -> str:
    if not depth:
        return random.choice(ATOMS)
    parts = {name: formula(random, random.randint(0, depth - 1)) for name in "abc"}
    numbers = {"n": random.randint(1, 15), "few": random.randint(0, 4), "compared": random.choice(COMPARED)}
    return random.choice(FORMS).format(**parts, **numbers)
