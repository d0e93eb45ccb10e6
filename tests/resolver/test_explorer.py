"""Explorers: what may be chosen, the answers, and what is refused before anything is worked out."""

from __future__ import annotations

from fractions import Fraction

import pytest

from refgen.errors import RefgenError, RulesError
from refgen.game import GameModel, GameRules, SystemSpec
from refgen.readers.read import open_document
from refgen.resolver.rolls import roll
from refgen.rules.load import rules_in
from refgen.rules.spec_files import SpecFiles
from refgen.source import SourceFile
from tests.conftest import game
from tests.resolver.systems.small import FOLDER

RACE = """
[chains.race]
title = "Race"
throws = { roll = "{die}" }
let = { first = "0" }
state = { turn = "{first}" }
next = { turn = "1 - {turn}" }
tracks = { own = { of = "hits" }, foe = { of = "hits" } }
marks = { own = "if({turn}, 0, {roll} / {roll} * 7)", foe = "if({turn}, ({roll} >= 11) * 7, 0)" }
end = "{own.free} == 0 or {foe.free} == 0"
"""


def rules(system: str, more: str) -> GameRules:
    """A small system with something more in its system.toml."""
    path = FOLDER / system / "system.toml"
    files = SpecFiles(SourceFile(str(path), path.read_text(encoding="utf-8") + more))
    spec = files.load(SystemSpec)
    return rules_in(open_document(FOLDER / system / spec.document.file), system, spec, files)


def grids(more: str) -> GameModel:
    return GameModel(rules("grids", more))


WEATHER = """
[explorers.weather]
title = "Weather"
rule = "Rolled."
rows = [
  { id = "realm", of = "realms.realm" },
  { id = "where", title = "Where", options = { "On the plain" = "0", "In the hills" = "low({winter})" } },
]
start = { where = "In the hills" }
columns = [{ id = "cold", title = "Cold", unit = "today", formula = "chance({weather} - {where} <= 5)" }]
across = { id = "n", title = "Roll", values = "{weather}" }
cells = [
  { id = "one", title = "Exactly", formula = "chance({weather} == {n})" },
  { id = "up", title = "At least", formula = "chance({weather} >= {n})" },
]
"""


def test_an_answer_for_each_combination() -> None:
    weather = grids(WEATHER).explorers["weather"]
    assert [[entry.shown.text for entry in axis.entries] for axis in weather.grid.axes] == [
        ["Vast", "Large", "Small"],
        ["On the plain", "In the hills"],
    ]
    assert [entry.shown.text for entry in weather.start] == ["Large", "In the hills"]
    dice = roll("3d6")
    cold, *across = weather.answer(weather.start) or ()
    assert cold.exact == 1 - dice.at_least(8)
    assert [cell.exact for cell in across[::2]] == [dice.exactly(total) for total in range(3, 19)]
    assert [cell.exact for cell in across[1::2]] == [dice.at_least(total) for total in range(3, 19)]
    assert ([column.unit for column in weather.columns], weather.across_title) == (["today"], "Roll")
    assert (list(weather.across), list(weather.cells)) == ([str(n) for n in range(3, 19)], ["Exactly", "At least"])


def test_an_option_rests_on_what_its_number_rests_on() -> None:
    weather = grids(WEATHER).explorers["weather"]
    plain, hills = weather.grid.axes[1].entries
    assert (plain.shown.sources, [span.line for span in hills.shown.sources]) == ((), [22])


def test_a_computed_table_as_an_explorer() -> None:
    forces = game("interactive-history").tables["military-forces"]
    army = game("interactive-history").explorers["army"]
    for row in forces.rows:
        chosen = [
            next(entry for entry in axis.entries if entry.shown.text == cell.text)
            for axis, cell in zip(army.grid.axes, row, strict=False)
        ]
        assert army.answer(chosen) == list(row[3:])


def test_an_explorer_of_a_table_answers_what_the_table_leaves_out() -> None:
    points = game("polyhedral-fudge").explorers["fudge-points"]
    rows = {tuple(cell.text for cell in row[:2]) for row in game("polyhedral-fudge").tables["fudge-point-odds"].rows}
    traits, two = points.grid.axes[0].entries, points.grid.axes[1].entries[2]
    good = next(trait for trait in traits if trait.shown.text == "Good")
    assert ("Good", "2") not in rows
    _least, *chances = points.answer([good, two]) or ()
    assert [cell.exact for cell in chances] == [1] * len(points.across)


def test_a_combination_that_an_explorer_leaves_out_has_no_answer() -> None:
    weather = grids(WEATHER.replace("start =", 'where = "{where} == 0"\nstart =')).explorers["weather"]
    realm, (plain, hills) = weather.grid.axes[0].entries[0], weather.grid.axes[1].entries
    assert weather.answer([realm, plain]) is not None
    assert weather.answer([realm, hills]) is None


def test_two_fighters_have_a_track_each_of_the_same_boxes() -> None:
    """Who begins has a sure blow; the other side one in two: the race by hand."""
    race = rules("hit-points", RACE)
    asked = GameModel(
        rules(
            "hit-points",
            RACE
            + """
[explorers.race]
title = "Race"
rule = "Blow for blow."
rows = [{ id = "first", title = "First", options = { "You" = "1", "The foe" = "0" } }]
columns = [
  { id = "win", title = "You win", formula = "finally(race, {foe.free} == 0)" },
  { id = "blows", title = "Blows", formula = "steps(race)", show = "number" },
]
""",
        )
    ).explorers["race"]
    assert race.facts["goblin"].text == "7"
    assert race.facts["die"].text == "d20"
    answers = [asked.answer([entry]) or () for entry in asked.grid.axes[0].entries]
    assert [[cell.exact for cell in answer] for answer in answers] == [[Fraction(1, 2), Fraction(3, 2)], [0, 1]]


COLUMN = 'columns = [{ id = "x", title = "X", formula = "chance({weather} > {n})" }]'


@pytest.mark.parametrize(
    ("title", "entry", "message"),
    [
        (
            "too many figures, before one is worked out",
            'rows = [{ id = "n", low = "1", high = "200" }, { id = "m", low = "1", high = "200" }]\n' + COLUMN,
            "the grid has 120,000 cells; refgen fills at most 20,000",
        ),
        ("a name that is not there", 'rows = [{ id = "m", numbers = [1] }]\n' + COLUMN, '"n", which is not there'),
        (
            "the same words twice",
            'rows = [{ id = "n", numbers = [1, 1] }]\n' + COLUMN,
            'the axis "n" shows "1" twice',
        ),
        (
            "a start that is no axis",
            'rows = [{ id = "n", numbers = [1] }]\nstart = { m = "1" }\n' + COLUMN,
            '`start` names "m", which is no axis',
        ),
        (
            "a start that is not there",
            'rows = [{ id = "n", numbers = [1] }]\nstart = { n = "2" }\n' + COLUMN,
            'the axis "n" has no "2" to start with',
        ),
    ],
)
def test_what_is_refused_at_its_place(title: str, entry: str, message: str) -> None:
    asked = grids(f'\n[explorers.x]\ntitle = "X"\nrule = "R."\n{entry}\n')
    with pytest.raises(RefgenError, match=message) as caught:
        asked.explorers["x"]
    span, text = caught.value.span, asked.ruleset.files.system.text
    assert span is not None
    assert text[span.start : span.end] == "[explorers.x]"
    assert [str(error) for error in asked.check().errors] == [str(caught.value)]


def test_too_many_chains_are_refused_before_one_is_followed() -> None:
    entry = """
[explorers.x]
title = "X"
rule = "R."
rows = [{ id = "a", low = "1", high = "50" }, { id = "points", low = "1", high = "50" }]
columns = [{ id = "x", title = "X", formula = "steps(until-down)", show = "number" }]
"""
    asked = GameModel(rules("hit-points", entry))
    with pytest.raises(RefgenError, match="asks its chains for 2,500 combinations; refgen follows at most 1,000"):
        asked.explorers["x"]


def test_a_table_that_is_no_grid() -> None:
    asked = grids('\n[explorers.x]\ntable = "odds"\n\n[derived.odds]\nkind = "odds"\ntitle = "O"\ndice = "{weather}"\n')
    with pytest.raises(RefgenError, match='"odds" is no grid') as caught:
        asked.explorers["x"]
    assert "--expand" in caught.value.hint


def test_a_table_and_formulas_do_not_go_together() -> None:
    with pytest.raises(RulesError, match="explorers"):
        grids('\n[explorers.x]\ntable = "odds"\nrule = "R."\n')
