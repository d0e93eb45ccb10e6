"""The line about rounding, with its ◊, stands below the pages that show a computed figure, and below no other page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from lxml import html

from refgen.aids.booklet.model import make_booklet
from refgen.aids.booklet.planner import BookletPlanner
from refgen.aids.kind import AidSources
from refgen.aids.kinds import KINDS
from refgen.aids.panels.model import Panel, PanelBlock
from refgen.blocks.text_blocks import TextBlock
from refgen.game import GameModel, SystemInfo
from refgen.words import COMPUTED
from tests.aids.stranger import lantern_road

FALLS = """
[derived.falls]
title = "Falls"
rule = "A spear shows five or more."
rows = [{ id = "weapon", of = "weapons.weapon" }]
columns = [{ id = "falls", title = "Falls", formula = "chance(1d8 >= 5)", show = "percent" }]
"""

OF_TWO = {
    "screen": """
        [[panels]]
        title = "As printed"
        blocks = [{ table = "weapons" }]
        [[panels]]
        title = "As computed"
        blocks = [{ table = "falls" }]
    """,
    "sheet": """
        title = "Rider"
        [[pages]]
        parts = [{ title = "As printed", fields = ["Name"] }, { title = "W", block = { table = "weapons" } }]
        [[pages]]
        parts = [{ title = "As computed", fields = ["Road"] }, { title = "F", block = { table = "falls" } }]
    """,
    "card": """
        [[cards]]
        title = "As printed"
        blocks = [{ table = "weapons" }]
        [[cards]]
        title = "As computed"
        blocks = [{ table = "falls" }]
    """,
}
"""By kind, a file with a part that shows a computed table and a part that shows none."""


def road(folder: Path, kind: str = "", more: str = FALLS) -> GameModel:
    game = lantern_road(folder, more)
    if kind:
        (folder / game.id / KINDS[kind].spec_name).write_text(OF_TWO[kind], encoding="utf-8")
    return game


def pages(folder: Path, game: GameModel, kind: str) -> Iterator[tuple[str, str]]:
    """The text of each page of an aid above its foot, and the foot; the page for browsers, if there is one, is last."""
    made = KINDS[kind]
    aid = made.make(AidSources(folder / game.id, game, {game.id: game}))
    for job in made.jobs(game, aid, made.options(["a4"])):
        for text in job.draft(printed=True).files.values():
            whole = html.fromstring(text.decode())
            for page in whole.xpath("//*[footer]"):
                foot = page.find("footer").text_content()
                yield page.text_content().replace(foot, ""), foot


def marks(folder: Path, game: GameModel, kind: str) -> Sequence[tuple[bool, bool]]:
    """Of each page of an aid: whether a computed figure stands on the page, and whether the foot is about rounding."""
    return [(COMPUTED in text, COMPUTED in foot) for text, foot in pages(folder, game, kind)]


def test_the_foot_of_a_panel_is_that_of_the_blocks_above_it() -> None:
    printed, computed = (PanelBlock(TextBlock("", ("Words.",), tag=tag)) for tag in ("", "computed"))
    panel = Panel("Odds", (printed, computed), source="A book.", rounding="◊ Rounded.")
    assert [panel.foot(blocks) for blocks in ([printed], [printed, computed])] == ["A book.", "A book. ◊ Rounded."]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("screen", [(False, False), (True, True)]),
        ("sheet", [(False, False), (True, True), (True, True)]),
        ("card", [(False, False), (True, True)]),
    ],
)
def test_each_page_of_an_aid_has_a_foot_of_its_own(
    tmp_path: Path, kind: str, expected: Sequence[tuple[bool, bool]]
) -> None:
    assert marks(tmp_path, road(tmp_path, kind), kind) == expected


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["screen", "sheet", "card", "session"])
def test_without_computed_figures_no_foot_is_about_rounding(tmp_path: Path, kind: str) -> None:
    assert set(marks(tmp_path, road(tmp_path, more=""), kind)) == {(False, False)}


@pytest.mark.slow
@pytest.mark.parametrize("more", ["", FALLS], ids=["printed", "computed"])
def test_a_booklet_explains_the_mark_on_its_cover_if_a_table_has_it(tmp_path: Path, more: str) -> None:
    game = road(tmp_path, more=more)
    cover, *_ = BookletPlanner(SystemInfo.of(game), make_booklet(game)).pages()
    assert (COMPUTED in str(cover)) == bool(more)
