"""What every table must be without a check that asks for it: rows lost, doubled and moved are found at their place."""

from __future__ import annotations

from pathlib import Path

import pytest

from refgen.checks.finding import FindingKind
from refgen.checks.run import check
from refgen.checks.table_structure import keys_of, repeated_words
from refgen.errors import RulesError
from refgen.game import SystemSpec
from refgen.resolver.computed import ComputedTables
from refgen.rules.load import load_ruleset
from tests.conftest import SYSTEMS, ours

DOCUMENT = """\
## Tolls

Coin    | Worth
--------|------
Crown   | +3
Mark    | +2
Shield  | +1
Penny   | 0
Farthing | -1

Load  | Toll   | Mood
------|--------|-------
1-4   | Penny  | glad
5-8   | Shield | civil
9-12  | Mark   | short
13-16 | Crown  | short
17+   | Crown  | gone

Light | Middling | Heavy | Crushing
------|----------|-------|---------
1-2   | 3-4      | 5-6   | 7+
1-3   | 4-5      | 6-8   | 9+
"""

SPEC = """\
title = "Tolls"
about = "A bridge."
document = "rules.md"
accent = "#123456"
source = "made for the tests"

[ladders.coin]
table = "coins"
level = "coin"
value = "worth"

[tables.coins]
title = "Coins"
header = ["Coin", "Worth"]
columns = [{ id = "coin", type = "level", ladder = "coin" }, { id = "worth", type = "number" }]

[tables.loads]
title = "Loads"
header = ["Load", "Toll", "Mood"]
columns = [{ id = "load", type = "interval" }, { id = "toll", type = "level", ladder = "coin" }, { id = "mood" }]

[tables.loads-borne]
title = "Loads borne"
header = ["Light", "Middling", "Heavy", "Crushing"]
columns = [
  { id = "light", type = "interval" },
  { id = "middling", type = "interval" },
  { id = "heavy", type = "interval" },
  { id = "crushing", type = "interval" },
]
"""


OPEN = 'loads = { open = "as many as the bridge bears" }'
COUNTS = f"[row_counts]\ncoins = 5\n{OPEN}\n"


def found(
    folder: Path, document: str = DOCUMENT, spec: str = SPEC, counts: str = COUNTS
) -> list[tuple[str, str, str, str]]:
    """The findings: id, the line it is told of, what is printed, what was expected."""
    (folder / "rules.md").write_text(document, encoding="utf-8")
    (folder / "system.toml").write_text(spec, encoding="utf-8")
    (folder / "proof.toml").write_text(counts, encoding="utf-8")
    ruleset = load_ruleset(folder, SystemSpec)
    report = check(ruleset, ComputedTables(ruleset))
    assert {finding.kind for finding in report.findings} <= {FindingKind.STRUCTURE}
    assert all(finding.is_open for finding in report.findings)
    lines = document.splitlines()
    return [(one.id, lines[one.span.line - 1][:5].strip(), one.printed, one.computed) for one in report.findings]


def without(row: str) -> str:
    assert DOCUMENT.count(f"{row}\n") == 1
    return DOCUMENT.replace(f"{row}\n", "")


def twice(row: str) -> str:
    return DOCUMENT.replace(f"{row}\n", f"{row}\n{row}\n")


def swapped(row: str, other: str) -> str:
    return DOCUMENT.replace(f"{row}\n{other}\n", f"{other}\n{row}\n")


def changed(old: str, new: str) -> str:
    assert DOCUMENT.count(old) == 1
    return DOCUMENT.replace(old, new)


FEWER = ("rows/coins", "Coin", "4 rows", "5 rows")
MORE = ("rows/coins", "Coin", "6 rows", "5 rows")


def test_a_whole_table_has_no_finding(tmp_path: Path) -> None:
    assert found(tmp_path) == []


@pytest.mark.parametrize("row", ["Crown   | +3", "Farthing | -1"])
def test_a_first_or_last_row_is_missing(tmp_path: Path, row: str) -> None:
    spec = SPEC.replace('id = "toll", type = "level", ladder = "coin"', 'id = "toll"')
    assert found(tmp_path, without(row), spec) == [FEWER]


def test_a_row_is_missing_between_others(tmp_path: Path) -> None:
    document = without("Shield  | +1").replace("Shield", "Mark")
    assert found(tmp_path, document) == [
        FEWER,
        ("order/coins/worth/penny", "Penny", "0", "1"),
    ]


@pytest.mark.parametrize("row", ["Crown   | +3", "Shield  | +1", "Farthing | -1"])
def test_a_row_stands_there_twice(tmp_path: Path, row: str) -> None:
    """The table is read all the same: one level, with its number."""
    name, line = row.split()[0], row[:5].strip()
    key = (f"key/coins/coin/{name.lower()}-2", line, name, f"{name} once")
    assert found(tmp_path, twice(row)) == [MORE, key]


TOLLS = """
[derived.tolls]
kind = "grid"
title = "Tolls"
rule = "By load."
rows = [{ id = "load", of = "loads.load" }]
columns = [{ id = "crowns", title = "Crowns", formula = "1" }]
"""


@pytest.mark.parametrize(("old", "line"), [("1-4   |", 0), ("9-12  |", 2)])
def test_a_key_that_stands_there_twice_is_reported_where_it_breaks_the_order(
    tmp_path: Path, old: str, line: int
) -> None:
    (tmp_path / "rules.md").write_text(changed(old, "5-8   |"), encoding="utf-8")
    (tmp_path / "system.toml").write_text(SPEC + TOLLS, encoding="utf-8")
    ruleset = load_ruleset(tmp_path, SystemSpec)
    (finding,) = check(ruleset, ComputedTables(ruleset)).findings
    assert (finding.id.rpartition("/")[0], finding.span) == ("key/loads/load", ruleset.tables["loads"][line, 0].span)


def test_two_rows_have_changed_places(tmp_path: Path) -> None:
    document = swapped("Mark    | +2", "Shield  | +1")
    assert found(tmp_path, document) == [
        ("order/coins/worth/shield", "Shiel", "+1", "+2"),
        ("order/coins/worth/mark", "Mark", "+2", "+1"),
    ]


def test_two_levels_with_one_number_are_refused(tmp_path: Path) -> None:
    with pytest.raises(RulesError, match="Crown and Mark have the same number"):
        found(tmp_path, changed("Mark    | +2", "Mark    | +3"))


@pytest.mark.parametrize(
    ("old", "new", "row", "expected"),
    [
        ("5-8   |", "5-7   |", "9-12", "8 to 12"),
        ("5-8   |", "5-9   |", "9-12", "10 to 12"),
        ("5-8   |", "4-9   |", "4-9", "5 to 8"),
        ("13-16 |", "14-16 |", "14-16", "13 to 16"),
        ("17+   |", "18+   |", "18+", "17 or more"),
        ("1-4   |", "1-3   |", "1-3", "1 to 4"),
    ],
)
def test_ranges_go_on_where_the_one_before_ends(tmp_path: Path, old: str, new: str, row: str, expected: str) -> None:
    assert found(tmp_path, changed(old, new)) == [(f"order/loads/load/{row}", row[:5], row, expected)]


def test_a_range_is_missing(tmp_path: Path) -> None:
    assert found(tmp_path, without("9-12  | Mark   | short")) == [
        ("order/loads/load/13-16", "13-16", "13-16", "9 to 16")
    ]


def test_ranges_of_a_row_go_on_from_column_to_column(tmp_path: Path) -> None:
    assert found(tmp_path, changed("4-5      | 6-8", "4-6      | 6-8")) == [
        ("order/loads-borne/heavy/1-3", "1-3", "6-8", "7 to 8")
    ]


def test_a_row_that_is_no_key_stands_there_twice(tmp_path: Path) -> None:
    document = twice("1-3   | 4-5      | 6-8   | 9+")
    assert found(tmp_path, document) == [("row/loads-borne/light/1-3-2", "1-3", "1-3", "1-3 once")]


def test_rows_without_a_first_cell_go_on_with_the_row_above_and_may_be_alike(tmp_path: Path) -> None:
    continued = changed("1-3   | 4-5      | 6-8   | 9+", "| | 4-5 | 6-8 | 9+\n| | 4-5 | 6-8 | 9+")
    assert found(tmp_path, continued) == []


@pytest.mark.parametrize(
    ("words", "twice"),
    [
        ("Rider: 1 Rider: 1", "Rider: 1"),
        ("A rider on a horse: 1 on a horse: 1 at most", "on a horse: 1"),
        ("a b c a b d a b c a b c", "a b c"),
        ("it is as it is", ""),
        ("again and again and once more", ""),
        ("", ""),
    ],
)
def test_words_that_follow_themselves(words: str, twice: str) -> None:
    assert " ".join(repeated_words(words.split())) == twice


def test_a_row_that_stands_there_twice_as_one(tmp_path: Path) -> None:
    spec = (
        SPEC
        + """
[tables.guards]
title = "Guards"
layout = "list"
row = "{who}: {share} of the toll"
columns = [{ id = "who" }, { id = "share" }]
"""
    )
    one, two = "* The guard: a tenth of the toll\n", "* The captain: a fifth of the toll\n"
    assert found(tmp_path, DOCUMENT + "\n" + one + two, spec) == []
    once = "The captain: a fifth of the toll"
    twice = two.replace("* ", f"* {once} ")
    assert found(tmp_path, DOCUMENT + "\n" + one + twice, spec) == [
        ("row/guards/who/the-captain", "* The", f"{once} {once}", once)
    ]


def test_cells_with_the_ranges_of_a_track(tmp_path: Path) -> None:
    rows = ["Stout | Graze[1-3], Cut[4-6] etc.", "Frail | Graze[1-9], Cut[4-6] etc.", "Meek | Graze[2], Cut[3]"]
    document = "\n".join(["Health | Boxes", "---|---", *rows])
    spec = SPEC[: SPEC.index("[ladders")] + (
        '[tables.chart]\ntitle = "Chart"\nheader = ["Health", "Boxes"]\n'
        'columns = [{ id = "health" }, { id = "boxes", type = "track-change" }]\n'
    )
    assert found(tmp_path, document.replace("1-9", "1-3"), spec, counts="") == [
        ("order/chart/boxes/meek", "Meek", "Graze[2], Cut[3]", "ranges from 1")
    ]
    assert found(tmp_path, document.replace("[2], Cut[3]", "[1], Cut[2]"), spec, counts="") == [
        ("order/chart/boxes/frail", "Frail", "Graze[1-9], Cut[4-6] etc.", "ranges without a gap")
    ]


def test_a_row_for_each_level_of_a_ladder(tmp_path: Path) -> None:
    assert found(tmp_path, counts=COUNTS.replace(OPEN, 'loads = { ladder = "coin" }')) == [
        ("rows/loads", "Load", "5 rows", "one for Farthing")
    ]


def test_a_row_for_each_row_of_another_table(tmp_path: Path) -> None:
    (missing, *others) = found(tmp_path, counts=COUNTS + 'loads-borne = { of = "loads.load" }\n')
    assert missing == ("rows/loads-borne", "Light", "2 rows", "one for 1-4, 5-8, 9-12, 13-16, 17+")
    assert others == [
        ("rows/loads-borne/light/1-2", "1-2", "1-2", "no such row"),
        ("rows/loads-borne/light/1-3", "1-3", "1-3", "no such row"),
    ]


def test_rows_of_a_column_that_is_not_there(tmp_path: Path) -> None:
    counts = COUNTS + 'loads-borne = { of = "loads.lod" }\n'
    assert [finding for finding in found(tmp_path, counts=counts) if "loads" not in finding[0]] == []
    ruleset = load_ruleset(tmp_path, SystemSpec)
    (error,) = check(ruleset, ComputedTables(ruleset)).errors
    assert 'table "loads" has no column "lod"' in error.message
    assert error.span is not None
    assert counts.splitlines()[error.span.line - 1] == 'loads-borne = { of = "loads.lod" }'


@pytest.mark.parametrize("rows", ["0", '{ open = "why", ladder = "coin" }', "{}"])
def test_rows_that_say_nothing_are_refused(tmp_path: Path, rows: str) -> None:
    with pytest.raises(RulesError):
        found(tmp_path, counts=COUNTS.replace(OPEN, f"loads = {rows}"))


PRICES = "Ware | Price\n---|---\nrope | 1\nlamp | 2\noil | 3\nbread | 3\ntent | 9\n"


@pytest.mark.parametrize(
    ("order", "odd"),
    [
        ("", []),  # neither a key nor the first column
        ("none", []),
        ("steps", [("bread", "4")]),
        ("rising", [("bread", "more than 3")]),
        (
            "falling",
            [("lamp", "less than 1"), ("oil", "less than 2"), ("bread", "less than 3"), ("tent", "less than 3")],
        ),
    ],
)
def test_an_order_that_is_said(tmp_path: Path, order: str, odd: list[tuple[str, str]]) -> None:
    spec = SPEC[: SPEC.index("[ladders")] + (
        '[tables.wares]\ntitle = "Wares"\nheader = ["Ware", "Price"]\n'
        f'columns = [{{ id = "ware" }}, {{ id = "price", type = "number", order = "{order}" }}]\n'
    )
    assert [(one[0].rpartition("/")[2], one[3]) for one in found(tmp_path, PRICES, spec, counts="")] == odd


@pytest.mark.parametrize("system", SYSTEMS)
def test_of_every_table_of_the_five_games_somebody_says_how_many_rows_it_has(system: str) -> None:
    spec = ours(system).spec
    assert [name for name, table in spec.tables.items() if not (name in spec.row_counts or table.numbers)] == []


def test_what_is_looked_up_by_is_a_key() -> None:
    keys = keys_of(ours("interactive-history").spec)
    assert {
        ("levels", "skill"),  # a ladder
        ("levels", "value"),  # its numbers, and the key of a comparison
        ("armies", "size"),  # an axis, and looked up by at()
        ("aria-values", "wide-scale"),  # looked up by at()
        ("military-types", "type"),  # what a fact quotes
        ("success-values", "success"),  # bands of an action
    } <= keys
    assert ("armies", "population") not in keys


def test_what_a_look_up_goes_by_is_a_key(tmp_path: Path) -> None:
    found(tmp_path, spec=SPEC + TOLLS.replace('formula = "1"', 'formula = "{loads-borne.heavy at 2}"'))
    assert ("loads-borne", "light") in keys_of(load_ruleset(tmp_path, SystemSpec).spec)
