"""The screen of a game without screen.toml: which tables stand on it, in which order, and that each panel fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from refgen.aids.kind import AidSources
from refgen.aids.panels.model import Panels
from refgen.aids.panels.planner import PanelPlanner
from refgen.aids.screen.choices import FORMATS
from refgen.aids.screen.kind import ScreenKind
from refgen.aids.screen.proposal import MOST_PANELS, proposed_screen
from refgen.aids.screen.spec import ScreenSpec
from refgen.blocks.text_blocks import GlossaryBlock
from refgen.game import GameModel, SystemInfo, load_game
from refgen.layout.page_format import PAGE_FORMATS, Paper
from refgen.words import ENGLISH
from tests.aids.stranger import lantern_road
from tests.conftest import SYSTEMS, game, others_in_soak
from tests.resolver.systems.small import FOLDER as SMALL


def panels(spec: ScreenSpec | None) -> Sequence[tuple[str, list[str]]]:
    """The title of each panel, and its tables, or the kinds of blocks without one."""
    assert spec is not None
    return [(panel.title, [block.table or "rolls" for block in panel.blocks]) for panel in spec.panels]


def screen(game: GameModel) -> Panels:
    assert game.folder is not None
    made = ScreenKind().make(AidSources(game.folder, game))
    assert made is not None
    return made


@pytest.mark.slow
def test_tables_to_look_up_come_first_and_tables_to_roll_on_last(tmp_path: Path) -> None:
    assert panels(proposed_screen(lantern_road(tmp_path))) == [
        ("Characters · Combat", ["attributes", "weapons", "range", "armour"]),
        ("Tables to roll on", ["names", "finds", "charms"]),
    ]


@pytest.mark.slow
def test_a_head_that_the_document_does_not_print_is_not_shown(tmp_path: Path) -> None:
    (armour,) = [
        shown.block for shown in screen(lantern_road(tmp_path)).panels[0].blocks if shown.block.title == "Armour"
    ]
    assert armour.contents().rows == [["Leather", "1"], ["Mail", "2"]]
    assert armour.contents().heads == ["", ""]


@pytest.mark.slow
def test_a_game_with_actions_begins_with_the_ways_to_act() -> None:
    fate = load_game(SMALL / "fate")
    spec = proposed_screen(fate)
    assert spec is not None
    assert spec.edge_scale == "skill"
    assert panels(spec)[0] == ("How to act", ["rolls", "roll-odds", "contests", "skills"])
    (rolls, odds, *_) = screen(fate).panels[0].blocks
    assert isinstance(rolls.block, GlossaryBlock)
    assert rolls.block.pairs == (("Roll", "4dF + trait + modifier: the difficulty or more."),)
    assert odds.block.tag == "computed"


@pytest.mark.slow
def test_a_table_of_prose_and_a_table_of_many_rows_are_left_out(tmp_path: Path) -> None:
    game = lantern_road(tmp_path)
    names, charms = game.printed["names"], game.printed["charms"]
    long = replace(names, rows=names.rows * 6)
    told = ((*row[:2], replace(row[2], text=row[2].text * 3, value=None)) for row in charms.rows)
    prose = replace(charms, rows=tuple(told))
    game.ruleset = replace(game.ruleset, tables={**game.printed, "names": long, "charms": prose})
    assert panels(proposed_screen(game))[-1] == ("Tables to roll on", ["finds"])


@pytest.mark.slow
def test_a_chapter_of_two_panels_has_them_numbered(tmp_path: Path) -> None:
    game = lantern_road(tmp_path)
    weapons, spec = game.printed["weapons"], game.ruleset.spec
    more = {f"weapons-{number}": replace(weapons, id=f"weapons-{number}") for number in range(12)}
    spec = spec.model_copy(update={"tables": dict.fromkeys(more, spec.tables["weapons"])})
    game.ruleset = replace(game.ruleset, spec=spec, tables=more)
    assert [(title, len(tables)) for title, tables in panels(proposed_screen(game))] == [
        ("Combat", 6),
        ("Combat (2)", 6),
    ]


def test_a_game_without_tables_and_facts_has_no_screen(tmp_path: Path) -> None:
    game = lantern_road(tmp_path)
    game.ruleset = replace(game.ruleset, tables={})
    assert proposed_screen(game) is None
    assert ScreenKind().make(AidSources(tmp_path, game)) is None


def test_all_formats_are_tried_but_those_that_differ_in_colour_alone() -> None:
    screens = [each for each in PAGE_FORMATS if each.paper is not Paper.HALF_LETTER]
    assert {(each.paper, each.orientation) for each in FORMATS} == {(each.paper, each.orientation) for each in screens}


@pytest.mark.slow
@pytest.mark.parametrize("name", others_in_soak(["interactive-history"], SYSTEMS))
def test_every_panel_fits_in_every_format(name: str) -> None:
    spec = proposed_screen(game(name))
    assert spec is not None
    assert 1 <= len(spec.panels) <= MOST_PANELS
    proposed = made_of(game(name))
    for page_format in PAGE_FORMATS:
        if page_format.paper is not Paper.HALF_LETTER:
            assert PanelPlanner(proposed, page_format, ENGLISH).faults == []


LOOKED_AT = [
    *product(("lantern-road", "atari-isev"), (Paper.A4, Paper.LETTER, Paper.A5), ("colour", "large-print")),
]
EVERY_TIME = [("lantern-road", Paper.A5, "large-print")]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "paper", "theme"), others_in_soak(EVERY_TIME, LOOKED_AT))
def test_a_proposed_screen_is_laid_out_and_read_back(tmp_path: Path, name: str, paper: Paper, theme: str) -> None:
    kind, stranger = ScreenKind(), lantern_road(tmp_path)
    proposed = screen(stranger) if name == "lantern-road" else made_of(game(name))
    (job,) = kind.jobs_of(SystemInfo.of(stranger), proposed, kind.options([paper], theme=theme))
    made = job.make()
    assert not [*made.errors, *made.mismatches]


def made_of(game: GameModel) -> Panels:
    """The screen that a game would have without its screen.toml."""
    return screen(GameModel(game.ruleset, Path("nowhere")))
