"""A small system for the checks: two tables and some facts, in words of our own, and checks to be tried on them."""

from __future__ import annotations

import re
from pathlib import Path

from refgen.checks.finding import CheckReport
from refgen.checks.run import check
from refgen.game import SystemSpec
from refgen.resolver.computed import ComputedTables
from refgen.rules.load import load_ruleset
from refgen.rules.schema import IN_PROOF

DOCUMENT = """\
## Crossing

Roll 2d6 to cross the river, which gives 2 to 12. Reach 7 or more in 58% of rolls.
Two boats carry 3 travellers each, so they hold 6. The old ferry has 1d6+1d6 planks.

Margin | Odds
-------|-----
-1     | 25%
0      | 50%
+1     | 75%

Depth  | Rolls | Step
-------|-------|-----
Shoal  | 2-5   | 1
Stream | 6-8   | 2
Chasm  | 9-12  | 3
"""

SPEC = """\
title = "Crossing"
about = "A river."
document = "rules.md"
accent = "#123456"
source = "made for the tests"

[tables.odds]
title = "Odds"
header = ["Margin", "Odds"]
columns = [{ id = "margin", type = "number" }, { id = "odds", type = "percent" }]

[tables.depths]
title = "Depths"
header = ["Depth", "Rolls", "Step"]
columns = [{ id = "depth" }, { id = "rolls", type = "interval" }, { id = "step", type = "number" }]

[facts]
dice = { title = "Dice", text = "Roll {dice} to cross", type = "dice" }
planks = { title = "Planks", text = "has {planks} planks", type = "dice" }
range = { title = "Range", text = "gives {range}.", type = "interval" }
goal = { title = "Goal", text = "Reach {goal} or more in {chance} of rolls" }
chance = { title = "Chance", type = "percent" }
boats = { title = "Boats", text = "{boats} boats", section = "Crossing" }
seats = { title = "Seats", text = "carry {seats} travellers" }
hold = { title = "Travellers", text = "they hold {hold}." }
"""

CHECKS = """
[checks.chance]
kind = "formula"
fact = "chance"
formula = "chance({dice} >= {goal})"
rule = "the chance of {goal} or more on {dice}"

[checks.hold]
kind = "formula"
fact = "hold"
formula = "{boats} * {seats}"
rule = "{boats} boats for {seats} each"

[checks.range]
kind = "range"
fact = "range"
dice = "{dice}"

[checks.planks]
kind = "same-distribution"
fact = "planks"
dice = "{dice}"

[checks.cover]
kind = "partition"
table = "depths"
column = "rolls"
dice = "{dice}"

[checks.steps]
kind = "steps"
table = "depths"
column = "step"

[checks.mirror]
kind = "mirror"
table = "odds"
key = "margin"
column = "odds"

[checks.rising]
kind = "monotone"
table = "odds"
column = "odds"
direction = "rising"
"""


def parted(text: str) -> tuple[str, str]:
    """What of some entries stands in system.toml, and what in proof.toml."""
    entries = re.split(r"(?m)^(?=\[)", text)
    proofs = [entry for entry in entries if entry.startswith(tuple(f"[{section}" for section in IN_PROOF))]
    return "".join(entry for entry in entries if entry not in proofs), "".join(proofs)


def write(folder: Path, *changes: tuple[str, str], checks: str = CHECKS, errata: str = "") -> Path:
    """The folder of the system, with pieces of its document changed, more entries in its two files, and its errata."""
    document = DOCUMENT
    for old, new in changes:
        assert document.count(old) == 1
        document = document.replace(old, new)
    system = folder / "crossing"
    system.mkdir(parents=True)
    (system / "rules.md").write_text(document, encoding="utf-8")
    rules, proofs = parted(checks)
    (system / "system.toml").write_text(SPEC + rules, encoding="utf-8")
    (system / "proof.toml").write_text(proofs, encoding="utf-8")
    if errata:
        (system / "errata.toml").write_text(errata, encoding="utf-8")
    return system


def checked(folder: Path, *changes: tuple[str, str], checks: str = CHECKS, errata: str = "") -> CheckReport:
    """What the checks of the system find, in what can be read of it."""
    system = write(folder, *changes, checks=checks, errata=errata)
    ruleset = load_ruleset(system, SystemSpec, partial=True)
    return check(ruleset, ComputedTables(ruleset), system)
