"""Working dice out: all computed tables cold (goal: 150 ms), and dice beside icepool (goal: 1.2 x)."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from statistics import median

import icepool
from icepool import d

from refgen.notation.formula_parser import parse_dice
from refgen.notation.formula_tree import Formula
from refgen.resolver.dice import combine
from refgen.resolver.formula import dice_functions
from refgen.resolver.rolls import roll_formula

PROCESSES = 7
FUDGE = (-1, 0, 1)

COLD = """
import json, time
from refgen.files import bundled_folder
from refgen.game import SystemSpec
from refgen.gc_tuning import tune_gc
from refgen.resolver.computed import ComputedTables
from refgen.rules.load import load_ruleset
tune_gc()  # as every command does
folders = sorted(path.parent for path in bundled_folder("content").glob("*/system.toml"))
rulesets = [load_ruleset(folder, SystemSpec) for folder in folders]
milliseconds = {}
for folder, ruleset in zip(folders, rulesets):
    start = time.perf_counter()
    dict(ComputedTables(ruleset))
    milliseconds[folder.name] = (time.perf_counter() - start) * 1000
print(json.dumps(milliseconds))
"""


def _fudge() -> icepool.Die[int]:
    return icepool.Die(FUDGE)


PEERS: dict[str, Callable[[], icepool.Die[int]]] = {
    "4dF": lambda: 4 @ _fudge(),
    "3d6": lambda: 3 @ d(6),
    "1000d6": lambda: 100 @ (10 @ d(6)),  # 1000 @ d(6) is deeper than Python recurses
    "100d100": lambda: 100 @ d(100),
    "10d10 + 10d6": lambda: 10 @ d(10) + 10 @ d(6),
    "d100 - d100": lambda: d(100) - d(100),
    "explode(d6)": lambda: d(6).explode(depth=8),
    "highest(3, 10d10)": lambda: d(10).highest(10, 3),
    "count(50d10 >= 7)": lambda: 50 @ (d(10) >= 7),
    "max(d100, d100)": lambda: d(100).highest(2),
    "times(d20, d20)": lambda: d(20) * d(20),
}
"""Formulas, and how a user of icepool writes the same."""


def run(processes: int = PROCESSES, seconds: float = 1.0, formulas: Sequence[str] = tuple(PEERS)) -> Iterator[str]:
    """Time the tables in fresh processes, and each formula beside icepool, for some seconds or once."""
    yield from _tables(processes)
    yield from _formulas(seconds, formulas)


def _tables(processes: int) -> Iterator[str]:
    runs = [json.loads(subprocess.check_output([sys.executable, "-c", COLD])) for _ in range(processes)]
    for system in runs[0]:
        yield f"{system:<24} {median(one[system] for one in runs):6.1f} ms"
    together = [sum(one.values()) for one in runs]
    yield f"{'all computed tables':<24} {median(together):6.1f} ms, at best {min(together):.1f} ms"


def _formulas(seconds: float, formulas: Sequence[str]) -> Iterator[str]:
    """Both make the distribution anew and answer at-least for every outcome; nothing is remembered between times."""
    for text in formulas:
        formula, peer = parse_dice(text), PEERS[text]

        def ours(formula: Formula = formula) -> None:
            rolled = roll_formula(formula)
            for outcome in rolled.outcomes:
                rolled.at_least(outcome)

        def theirs(peer: Callable[[], icepool.Die[int]] = peer) -> None:
            die = peer()
            for outcome in die.outcomes():
                die.probability(">=", outcome)

        ours_seconds, theirs_seconds = _alternating(seconds, ours, theirs)
        ratio = ours_seconds / theirs_seconds
        yield f"{text:<20} {ours_seconds * 1e3:9.3f} ms, icepool {theirs_seconds * 1e3:9.3f} ms: {ratio:.2f} x"
    yield f"parsing 'highest(2, 4d6) + d10 - 3' {_parsing(seconds) * 1e3:.3f} ms; a remembered one costs nothing"


def _forget() -> None:
    for remembered in (*vars(combine).values(), *vars(dice_functions).values(), parse_dice):
        getattr(remembered, "cache_clear", int)()
    for faces in (6, 10, 20, 100):
        d(faces)._sum_cache.clear()


def _parsing(seconds: float) -> float:
    def parse() -> None:
        parse_dice("highest(2, 4d6) + d10 - 3")

    return _alternating(seconds, parse, _forget)[0]


def _alternating(seconds: float, *works: Callable[[], None]) -> list[float]:
    """The best time of each of some works, taken in turns, for about so many seconds or once."""
    best = [float("inf")] * len(works)
    end = time.perf_counter() + seconds
    while max(best) == float("inf") or time.perf_counter() < end:
        for index, work in enumerate(works):
            _forget()
            start = time.perf_counter()
            work()
            best[index] = min(best[index], time.perf_counter() - start)
    return best
