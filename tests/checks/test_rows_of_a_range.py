"""A table that says which numbers have a row: one that is lost is a finding, and shortens no table that follows."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from refgen.checks.finding import CheckReport
from refgen.checks.run import check
from refgen.errors import RulesError
from refgen.game import SystemSpec
from refgen.resolver.computed import ComputedTables
from refgen.rules.load import load_ruleset
from refgen.rules.model import RuleTable
from tests.checks.mutation.front_door import documents

DOCUMENT = """\
Depth | Odds
------|-----
-1    | 40%
0     | 50%
+1    | 60%
"""

SPEC = """\
title = "Diving"
about = "A lake."
document = "rules.md"
accent = "#123456"
source = "made for the tests"

[tables.odds]
title = "Odds"
row_numbers = { low = -1, high = 1, because = "no sentence says how deep" }
header = ["Depth", "Odds"]
columns = [{ id = "depth", type = "number" }, { id = "odds", type = "percent" }]

[derived.misses]
kind = "grid"
title = "Misses"
rule = "The rest."
rows = [{ id = "depth", of = "odds.depth" }]
where = "{depth} - 1 >= {odds.lowest} or {depth.odds} < 1 / 2"
columns = [{ id = "miss", title = "Miss", formula = "1 - {depth.odds}" }]

[derived.deeper]
kind = "grid"
title = "One deeper"
rule = "The odds of the depth below."
rows = [{ id = "depth", low = "{odds.lowest} + 1", high = "{odds.highest}" }]
columns = [{ id = "odds", title = "Odds", formula = "at({odds.depth}, {depth} - 1, {odds.odds}, 0)" }]
"""


CHECK = """
[checks.odds]
kind = "formula"
table = "odds"
column = "odds"
formula = "1 / 2 + {row.depth} / 10"
rule = "a tenth for each step"
"""


def made(folder: Path, document: str, proof: str = "", spec: str = SPEC) -> tuple[CheckReport, Mapping[str, RuleTable]]:
    (folder / "rules.md").write_text(document, encoding="utf-8")
    (folder / "system.toml").write_text(spec, encoding="utf-8")
    (folder / "proof.toml").write_text(proof, encoding="utf-8")
    ruleset = load_ruleset(folder, SystemSpec, partial=True)
    computed = ComputedTables(ruleset)
    return check(ruleset, computed), computed


def shown(table: RuleTable) -> list[tuple[str, ...]]:
    return [tuple(cell.text for cell in row) for row in table.rows]


@pytest.mark.parametrize(
    ("title", "old", "found", "misses", "deeper"),
    [
        (
            "none lost",
            "",
            [],
            [("-1", "60%"), ("0", "50%"), ("+1", "40%")],
            [("0", "40%"), ("1", "50%")],
        ),
        (
            "the first",
            "-1    | 40%\n",
            [("rows/odds", "2 rows", "one for -1")],
            [("-1", "?"), ("0", "50%"), ("+1", "40%")],
            [("0", "?"), ("1", "50%")],
        ),
        (
            "the last",
            "+1    | 60%\n",
            [("rows/odds", "2 rows", "one for 1")],
            [("-1", "60%"), ("0", "50%"), ("1", "?")],
            [("0", "40%"), ("1", "50%")],
        ),
    ],
)
def test_a_lost_row_is_a_finding_and_stays_in_what_follows(
    tmp_path: Path,
    title: str,
    old: str,
    found: list[tuple[str, str, str]],
    misses: list[tuple[str, str]],
    deeper: list[tuple[str, str]],
) -> None:
    report, computed = made(tmp_path, DOCUMENT.replace(old, ""), CHECK)
    assert [(one.id, one.printed, one.computed) for one in report.open] == found, title
    assert report.errors == ()
    assert (shown(computed["misses"]), shown(computed["deeper"])) == (misses, deeper)


@pytest.mark.parametrize(
    ("title", "old", "new", "found"),
    [
        ("a row in the place of another", "+1  ", "+2  ", [("rows/odds/depth/+2", "+2", "1")]),
        ("a row beyond", "+1    | 60%\n", "+1    | 60%\n+2    | 70%\n", [("rows/odds/depth/+2", "+2", "no such row")]),
    ],
)
def test_a_row_of_another_number_is_reported_at_its_place(
    tmp_path: Path, title: str, old: str, new: str, found: list[tuple[str, str, str]]
) -> None:
    report, _ = made(tmp_path, DOCUMENT.replace(old, new))
    assert [(one.id, one.printed, one.computed) for one in report.open] == found, title


@pytest.mark.parametrize(
    ("left_out", "message"),
    [
        ("low = -1, ", "row_numbers.low"),
        ("high = 1, ", "row_numbers.high"),
        (', because = "no sentence says how deep"', "row_numbers.because"),
    ],
)
def test_a_range_has_both_ends_and_a_reason(tmp_path: Path, left_out: str, message: str) -> None:
    with pytest.raises(RulesError, match=f'the key "tables.odds.{message}" is missing'):
        made(tmp_path, DOCUMENT, spec=SPEC.replace(left_out, ""))


def test_a_range_goes_upwards(tmp_path: Path) -> None:
    with pytest.raises(RulesError, match="from a `low` number to a `high` one"):
        made(tmp_path, DOCUMENT, spec=SPEC.replace("high = 1", "high = -2"))


ENDS = [
    ("the first", ["<entry>-20</entry>", "<entry>0.5%</entry>"], "-20", ["-11", "-19"]),
    ("the last", ["<entry>+19</entry>", "<entry>99.4%</entry>"], "19", ["+13"]),
]


@pytest.mark.slow
@pytest.mark.parametrize(("title", "entries", "number", "rests"), ENDS)
def test_the_tables_of_harmonies_are_as_long_without_the_first_or_last_odds(
    title: str, entries: list[str], number: str, rests: list[str]
) -> None:
    harmonies = documents()["harmonies.ours"]
    text = harmonies.text
    for entry in entries:
        text = text.replace(entry, "<entry/>", 1)
    whole, cut = harmonies.check(), harmonies.check(text)
    assert whole.game is not None
    assert cut.game is not None
    assert cut.report is not None
    assert [(one.id, one.computed) for one in cut.report.open] == [("rows/odds/difficulty", number)], title
    for name in whole.game.computed:
        before, after = whole.game.computed[name], cut.game.computed[name]
        heads = [[row[0].value for row in table.rows] for table in (before, after)]
        assert heads[0] == heads[1], name
    lost = [row[0].text for row in cut.game.computed["margin-odds"].rows if "?" in [cell.text for cell in row]]
    assert set(lost) <= set(rests)
    assert lost
