"""Tables that formulas fill: rows, columns, what is kept, how numbers are shown, and what is refused."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from pydantic import ValidationError

from refgen.errors import ResolverError
from refgen.resolver.tables.grid import grid
from refgen.resolver.tables.grid_spec import GridSpec
from refgen.rules.model import RuleTable
from tests.resolver.systems.small import printed, small

F = Fraction
ONE = {"id": "n", "title": "N", "numbers": [1]}
REALMS = {"id": "realm", "of": "realms.realm"}
MOODS = {"id": "mood", "ladder": "mood"}


def filled(**parts: Any) -> RuleTable:
    """A grid over the small system "grids"; one row, and no columns, unless the parts say so."""
    spec = {"kind": "grid", "title": "T", "rule": "R.", "rows": [ONE], **parts}
    return grid(small("grids"), "t", GridSpec.model_validate(spec))


def cells(table: RuleTable) -> list[list[str]]:
    return [[cell.text for cell in row] for row in table.rows]


def shown(formula: str, **parts: Any) -> str:
    column = {"id": "x", "title": "X", "formula": formula, **parts}
    return cells(filled(columns=[column]))[0][1]


@pytest.mark.parametrize(
    ("title", "axis", "formula", "expected"),
    [
        (
            "the rows of a table",
            REALMS,
            "{realm.folk}",
            [["Vast", ">500,000,000"], ["Large", "3,000,000"], ["Small", "1,500"]],
        ),
        ("some of the rows", {**REALMS, "first": "Large", "last": "Large"}, "{realm.folk}", [["Large", "3,000,000"]]),
        ("a ladder, best first", MOODS, "{mood}", [["Good", "1"], ["Fair", "0"], ["Poor", "-1"]]),
        ("a ladder, worst first", {**MOODS, "reverse": True}, "{mood}", [["Poor", "-1"], ["Fair", "0"], ["Good", "1"]]),
        ("a ladder from a level on", {**MOODS, "first": "Fair"}, "{mood}", [["Fair", "0"], ["Poor", "-1"]]),
        (
            "a ladder, worst first, to a level",
            {**MOODS, "reverse": True, "last": "Fair"},
            "{mood}",
            [["Poor", "-1"], ["Fair", "0"]],
        ),
        ("numbers", {"id": "n", "numbers": [3, 1, -2]}, "{n}^2", [["3", "9"], ["1", "1"], ["-2", "4"]]),
        (
            "numbers with signs",
            {"id": "n", "numbers": [1, 0, -1], "signed": True},
            "{n}",
            [["+1", "1"], ["0", "0"], ["-1", "-1"]],
        ),
        (
            "from one to another",
            {"id": "n", "low": "low({winter})", "high": "high({winter})"},
            "{n}",
            [["2", "2"], ["3", "3"], ["4", "4"]],
        ),
        (
            "from one down to another",
            {"id": "n", "low": "{months} - 1", "high": "{months}", "reverse": True},
            "{n}",
            [["12", "12"], ["11", "11"]],
        ),
        (
            "facts in words",
            {"id": "f", "facts": {"months": "A year", "wolves": ""}},
            "{f}",
            [["A year", "12"], ["Wolves", "<40"]],
        ),
        ("a fact with dice", {"id": "f", "facts": {"weather": "Sky"}}, "mean({f})", [["Sky", "11"]]),
    ],
)
def test_rows(title: str, axis: dict[str, Any], formula: str, expected: list[list[str]]) -> None:
    table = filled(rows=[axis], columns=[{"id": "x", "title": "X", "formula": formula, "show": "number"}])
    assert cells(table) == expected, title


@pytest.mark.parametrize(
    ("title", "formula", "parts", "expected"),
    [
        ("a chance", "1 / 3", {}, "33%"),
        ("a chance with places", "1 / 3", {"places": 2}, "33.33%"),
        ("hardly a chance", "1 / 3000", {}, "<1%"),
        ("no chance", "0", {}, "–"),
        ("a certain chance", "1", {}, "100%"),
        ("a number", "5 / 2", {"show": "number"}, "3"),
        ("a negative number", "-5 / 2", {"show": "number"}, "-2"),
        ("a number with places", "12345 / 8", {"show": "number", "places": 2}, "1,543.13"),
        ("a large negative number", "-1234567", {"show": "number"}, "-1,234,567"),
        ("a signed number", "3 / 2", {"show": "signed", "places": 1}, "+1.5"),
        ("a signed negative number", "-3", {"show": "signed"}, "-3"),
        ("nothing has no sign", "0", {"show": "signed"}, "0"),
        ("one to so many", "3000", {"show": "times"}, "1:3,000"),
        ("a level", "-1", {"show": "level", "ladder": "mood"}, "Poor"),
        ("nearly a level", "1 / 3", {"show": "level", "ladder": "mood"}, "Fair"),
        ("beyond the best level", "3", {"show": "level", "ladder": "mood"}, "Good +2"),
        ("below the worst level", "-2", {"show": "level", "ladder": "mood"}, "Poor -1"),
        ("less than a bound", "{wolves}", {"show": "number"}, "<40"),
        ("what follows from a bound", "{wolves} / 8", {"show": "number"}, "<5"),
    ],
)
def test_how_numbers_are_shown(title: str, formula: str, parts: dict[str, Any], expected: str) -> None:
    assert shown(formula, **parts) == expected, title


@pytest.mark.parametrize(
    ("rounding", "expected"),
    [("half-up", "3"), ("half-even", "2"), ("half-away", "3"), ("floor", "2"), ("ceiling", "3")],
)
def test_figures_are_rounded_once_by_a_named_rule(rounding: str, expected: str) -> None:
    table = filled(columns=[{"id": "x", "title": "X", "formula": "5 / 2", "show": "number"}], rounding=rounding)
    assert cells(table) == [["1", expected]]
    assert (table.rows[0][1].exact, table.rounding) == (F(5, 2), rounding)


def test_what_is_not_rounded_names_no_rounding() -> None:
    table = filled(columns=[{"id": "x", "title": "X", "formula": "5 / 2", "show": "number", "places": 1}])
    assert (cells(table), table.rounding) == ([["1", "2.5"]], "")


def test_rows_are_all_combinations_and_those_that_are_kept() -> None:
    rows = [MOODS, {"id": "n", "title": "N", "numbers": [1, 2]}]
    column = {"id": "x", "title": "X", "formula": "{mood} * {n}", "show": "signed"}
    every = [["Good", "1", "+1"], ["Good", "2", "+2"], ["Fair", "1", "0"], ["Fair", "2", "0"], ["Poor", "1", "-1"]]
    every.append(["Poor", "2", "-2"])
    assert cells(filled(rows=rows, columns=[column])) == every
    assert cells(filled(rows=rows, columns=[column], where="{mood} * {n}")) == [row for row in every if row[2] != "0"]
    assert cells(filled(rows=rows, columns=[column], where="{n} > {mood} + 1")) == [
        ["Fair", "2", "0"], ["Poor", "1", "-1"], ["Poor", "2", "-2"]
    ]  # fmt: skip


def test_columns_across_have_an_id_a_title_and_the_number_of_their_level() -> None:
    numbers = {"id": "change", "numbers": [-1, 0, 1], "signed": True}
    table = filled(across=numbers, cell="{n} + {change}", show="signed")
    assert [(column.id, column.title) for column in table.columns] == [
        ("n", "N"),
        ("change-minus-1", "-1"),
        ("change-0", "0"),
        ("change-1", "+1"),
    ]
    assert cells(table) == [["1", "0", "+1", "+2"]]
    levels = filled(across=MOODS, cell="{mood} - 1", show="level", ladder="mood")
    heads = [(column.title, column.unit) for column in levels.columns[1:]]
    assert heads == [("Good", "+1"), ("Fair", "0"), ("Poor", "-1")]
    assert cells(levels) == [["1", "Fair", "Poor", "Poor -1"]]


def test_columns_and_columns_across_stand_side_by_side() -> None:
    column = {"id": "x", "title": "X", "formula": "{n} * 7", "show": "number", "unit": "days"}
    table = filled(columns=[column], across={"id": "m", "numbers": [2, 3]}, cell="{m}^{n}", show="number")
    assert [column.title for column in table.columns] == ["N", "X", "2", "3"]
    assert table.columns[1].unit == "days"
    assert cells(table) == [["1", "7", "2", "3"]]


def test_a_formula_with_a_name_is_used_by_those_after_it() -> None:
    let = {"half": "{n} / 2", "quarter": "{half} / 2"}
    numbers = {"id": "n", "title": "N", "numbers": [2, 6]}
    column = {"id": "x", "title": "X", "formula": "{quarter} + {half}", "show": "number", "places": 1}
    assert cells(filled(rows=[numbers], let=let, columns=[column])) == [["2", "1.5"], ["6", "4.5"]]


def test_a_formula_with_a_name_may_change_within_a_row() -> None:
    table = filled(let={"sum": "{n} + {m}"}, across={"id": "m", "numbers": [1, 2]}, cell="{sum} * {sum}", show="number")
    assert cells(table) == [["1", "4", "9"]]


def test_every_mention_of_named_dice_is_a_new_roll() -> None:
    columns = [
        {"id": "own", "title": "Own", "formula": "chance({roll} == {roll})"},
        {"id": "two", "title": "Two", "formula": "chance({roll} + {roll} == 12)"},
        {"id": "once", "title": "Once", "formula": "chance(repeat(2, {roll}) == 12)"},
    ]
    row = filled(let={"roll": "d6"}, columns=columns).rows[0]
    assert [cell.exact for cell in row[1:]] == [F(1, 6), F(1, 36), F(1, 36)]


def test_the_sources_of_a_cell_are_the_facts_and_cells_it_used_and_no_others() -> None:
    columns = [
        {"id": "a", "title": "A", "formula": "{realm.folk} * {months}", "show": "number"},
        {"id": "b", "title": "B", "formula": "chance({realm.guard} >= {share})"},
        {"id": "c", "title": "C", "formula": "if({months} > 1, {share}, {wolves})", "show": "number"},
        {"id": "d", "title": "D", "formula": "7", "show": "number"},
    ]
    table = filled(rows=[{**REALMS, "last": "Large"}], let={"share": "{realm.mood} + 3"}, columns=columns)
    assert [[sorted(printed("grids", cell.sources)) for cell in row] for row in table.rows] == [
        [["Vast"], ["12", ">500 mil"], ["2d6+1", "Good"], ["12", "Good"], []],
        [["Large"], ["12", "3 mil"], ["Fair", "d8"], ["12", "Fair"], []],
    ]


def test_a_cell_across_rests_on_the_cell_over_it() -> None:
    table = filled(
        rows=[REALMS], across={"id": "luck", "of": "luck.roll"}, cell="{luck.luck} * {realm.mood}", show="number"
    )
    assert sorted(printed("grids", table.rows[0][2].sources)) == ["10", "Good"]


def test_words_have_their_facts_filled_in() -> None:
    table = filled(rule="{weather} each of {months} months.", columns=[{"id": "x", "title": "X", "formula": "1"}])
    assert table.rule == "3d6 each of 12 months."


X = {"id": "x", "title": "X", "formula": "{n}"}


@pytest.mark.parametrize(
    ("title", "parts", "message"),
    [
        ("an unknown name", {"columns": [{**X, "formula": "{m}"}]}, '"m", which is not there'),
        (
            "a name of the columns across in another column",
            {"columns": [{**X, "formula": "{mood}"}], "across": MOODS, "cell": "{mood}"},
            '"mood", which is not there',
        ),
        (
            "a name of the columns across in the choice of rows",
            {"across": MOODS, "cell": "{mood}", "where": "{mood}"},
            '"mood", which is not there',
        ),
        ("two axes with one name", {"rows": [MOODS], "across": MOODS, "cell": "1"}, 'two axes are called "mood"'),
        ("a name of another table", {"rows": [MOODS], "columns": [{**X, "formula": "{mood.value}"}]}, '"mood.value"'),
        ("an unknown name in the words", {"columns": [X], "rule": "Of {n}."}, 'the words name "n"'),
        (
            "a later name",
            {"columns": [X], "let": {"a": "{b}", "b": "1"}},
            '`let` names "a" by "b", which comes after it',
        ),
        ("its own name", {"columns": [X], "let": {"a": "{a}"}}, '`let` names "a" by "a", which comes after it'),
        ("an unknown ladder", {"columns": [{**X, "show": "level", "ladder": "mode"}]}, 'there is no ladder "mode"'),
        ("no ladder", {"columns": [{**X, "show": "level"}]}, "there is no ladder"),
        ("an unknown level", {"rows": [{**MOODS, "first": "Great"}], "columns": [X]}, 'there is no "Great" there'),
        (
            "an unknown table",
            {"rows": [{"id": "n", "of": "realmz.realm"}], "columns": [X]},
            'there is no table "realmz"',
        ),
        ("a table without a column", {"rows": [{"id": "n", "of": "realms"}], "columns": [X]}, '"realms" is no column'),
        (
            "an unknown fact",
            {"rows": [{"id": "n", "facts": {"days": ""}}], "columns": [X]},
            '"days", which is not there',
        ),
        ("no numbers", {"rows": [{"id": "n", "low": "5", "high": "4"}], "columns": [X]}, "no numbers from 5 to 4"),
        ("very many rows", {"rows": [{"id": "n", "low": "1", "high": "10^9"}], "columns": [X]}, "or too many"),
        (
            "very many cells",
            {"rows": [{"id": name, "low": "1", "high": "999"} for name in "nm"], "columns": [X]},
            "the grid has 2,994,003 cells; refgen fills at most 200,000",
        ),
        (
            "a chance of words",
            {"rows": [REALMS], "columns": [{**X, "formula": "{realm}"}]},
            '"Vast" at .* is no number',
        ),
        (
            "thousands of digits",
            {"columns": [{**X, "formula": "10^5000", "show": "number"}]},
            "not worked out|thousands",
        ),
    ],
)
def test_what_cannot_be_filled(title: str, parts: dict[str, Any], message: str) -> None:
    with pytest.raises(ResolverError, match=message):
        filled(**parts)


@pytest.mark.parametrize(
    ("title", "let"),
    [
        (
            "twice as many each time",
            {"a0": "{n}", **{f"a{n}": f"{{a{n - 1}}} + {{a{n - 1}}}" for n in range(1, 40)}},
        ),
        (
            "dice, twice as many each time",
            {"a0": "d6", **{f"a{n}": f"{{a{n - 1}}} + {{a{n - 1}}}" for n in range(1, 40)}},
        ),
        ("one in the other", {"a0": "{n}", **{f"a{n}": f"abs({{a{n - 1}}})" for n in range(1, 400)}}),
    ],
)
def test_named_formulas_that_grow_for_ever_are_refused(title: str, let: dict[str, str]) -> None:
    with pytest.raises(ResolverError, match=r"`let` makes .* too large"):
        filled(let=let, columns=[{**X, "formula": f"{{{list(let)[-1]}}}"}])


@pytest.mark.parametrize(
    ("title", "parts", "message"),
    [
        ("nothing to fill", {}, "a grid needs `columns`, or `across` and `cell`"),
        ("across without a cell", {"across": MOODS}, "`across` and `cell` belong together"),
        ("a cell without across", {"cell": "1"}, "`across` and `cell` belong together"),
        ("two columns of one id", {"columns": [X, X]}, 'two columns have the id "x"'),
        ("no rows", {"rows": [], "columns": [X]}, "at least 1 item"),
        ("five rows", {"rows": [ONE] * 5, "columns": [X]}, "at most 4 items"),
        ("an axis of nothing", {"rows": [{"id": "n"}], "columns": [X]}, "an axis is one of"),
        ("an axis of two kinds", {"rows": [{**ONE, "ladder": "mood"}], "columns": [X]}, "an axis is one of"),
        ("an axis without an end", {"rows": [{"id": "n", "low": "1"}], "columns": [X]}, "an axis is one of"),
        ("a formula that cannot be read", {"columns": [{**X, "formula": "1 +"}]}, "column 4: it ends too early"),
        ("an unknown way to show", {"columns": [{**X, "show": "roman"}]}, "Input should be"),
    ],
)
def test_what_no_grid_may_say(title: str, parts: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        filled(**parts)


# Named rolls


def test_a_roll_with_a_name_is_rolled_anew_at_each_mention() -> None:
    assert shown("chance({one-die} > {one-die})", places=2) == "41.67%"
    assert shown("chance({best} >= 6)", places=2) == "30.56%"


def test_rolls_go_across_by_their_names_and_titles() -> None:
    table = filled(
        rows=[{"id": "goal", "numbers": [6, 12]}],
        columns=[],
        across={"id": "dice", "rolls": ["one-die", "best", "always"]},
        cell="chance({dice} >= {goal})",
        places=2,
    )
    assert [(column.id, column.title) for column in table.columns[1:]] == [
        ("dice-one-die", "1d6"),
        ("dice-best", "best of two"),
        ("dice-always", "a year"),
    ]
    assert cells(table) == [["6", "16.67%", "30.56%", "100.00%"], ["12", "–", "–", "100.00%"]]
    assert printed("grids", table.rows[0][3].sources) == ["12"]


CONTEST = {"you": "d6 + {n}", "foe": "d6", "draw": "Even"}


def test_a_contest_is_how_often_each_side_comes_to_more() -> None:
    table = filled(contest=CONTEST, columns=[{"id": "n2", "title": "N", "formula": "{n}", "show": "number"}])
    assert [(column.id, column.title) for column in table.columns[1:4]] == [
        ("win", "Win"),
        ("draw", "Even"),
        ("lose", "Lose"),
    ]
    assert [cell.exact for cell in table.rows[0][1:4]] == [F(21, 36), F(5, 36), F(10, 36)]
    assert [cell.text for cell in table.rows[0][4:]] == ["1"]


def test_a_contest_stands_for_each_value_across_that_has_no_cell() -> None:
    across = {"id": "k", "numbers": [0, 5], "short_ids": True}
    table = filled(contest={**CONTEST, "foe": "d6 + {k}"}, across=across)
    assert [column.id for column in table.columns[1:]] == [
        "0-win", "0-draw", "0-lose", "5-win", "5-draw", "5-lose",
    ]  # fmt: skip
    assert [cell.exact for cell in table.rows[0][1:]] == [F(n, 36) for n in (21, 5, 10, 1, 2, 33)]
    one_by_one = filled(contest=CONTEST, across=across, cell="{k}", show="number")
    assert [column.id for column in one_by_one.columns[1:]] == ["win", "draw", "lose", "0", "5"]


def test_rolls_go_down_and_some_columns_stand_for_each_across() -> None:
    table = filled(
        rows=[{"id": "dice", "title": "Dice", "rolls": ["one-die", "best"]}],
        columns=[],
        across={"id": "foe", "rolls": ["one-die", "best"], "short_ids": True},
        cells=[
            {"id": "win", "title": "Win", "formula": "chance({dice} > {foe})"},
            {"id": "draw", "title": "Draw", "formula": "chance({dice} == {foe})"},
        ],
    )
    assert [(column.id, column.title, column.unit) for column in table.columns[1:]] == [
        ("one-die-win", "Win", "1d6"),
        ("one-die-draw", "Draw", "1d6"),
        ("best-win", "Win", "best of two"),
        ("best-draw", "Draw", "best of two"),
    ]
    assert cells(table) == [["1d6", "42%", "17%", "25%", "17%"], ["best of two", "58%", "17%", "39%", "22%"]]


def test_one_throw_of_a_roll_is_the_same_in_all_of_a_formula() -> None:
    columns = [
        {"id": "even", "title": "", "formula": "chance(even({thrown}) and {thrown} > 3)", "places": 1},
        {"id": "more", "title": "", "formula": "chance({thrown} > {thrown})"},
    ]
    assert cells(filled(columns=columns, throws={"thrown": "{best}"})) == [["1", "50.0%", "–"]]


def test_an_unknown_roll_is_refused() -> None:
    with pytest.raises(ResolverError, match='there is no roll "worst"'):
        filled(rows=[{"id": "dice", "rolls": ["worst"]}], columns=[{"id": "x", "title": "", "formula": "1"}])


@pytest.mark.parametrize(("said", "title"), [({}, "Once or twice"), ({"title": "Tried"}, "Tried"), ({"title": ""}, "")])
def test_a_column_without_a_title_is_called_by_its_id(said: dict[str, str], title: str) -> None:
    made = filled(columns=[{"id": "once-or-twice", "formula": "1", **said}])
    assert made.columns[-1].title == title
