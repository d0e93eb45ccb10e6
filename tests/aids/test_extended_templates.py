"""Each block of each template of ours can be replaced, and is given what the guide says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from refgen.aids.booklet.job import booklet_html
from refgen.aids.booklet.model import make_booklet
from refgen.aids.booklet.planner import BookletPlanner
from refgen.aids.panels.gallery import gallery_blocks, gallery_html
from refgen.aids.panels.job import panels_html
from refgen.aids.panels.model import USUAL_FORMAT
from refgen.aids.sheet.interactive import form_html, make_form
from refgen.aids.sheet.planner import SheetPlanner, sheet_html
from refgen.blocks.kinds import KINDS_BY_NAME
from refgen.game import SystemInfo
from refgen.layout.extending import BLOCKS, GIVEN
from refgen.layout.page_format import PageFormat
from refgen.look.look import USUAL
from refgen.site.html import page_html
from refgen.site.page import GlossaryPage, Head, Link
from tests.aids.cards.decks import faces_of
from tests.aids.cards.decks import html_of as deck_html
from tests.aids.sheet.sheets import sheet
from tests.conftest import SYSTEMS, game
from tests.layout.test_extending import PANEL, files
from tests.layout.test_templates import deck

GAME = "fudge-1995"
MADE: dict[str, Callable[[SystemInfo], str]] = {
    "screen": lambda system: panels_html(system, "gm-screen", [PANEL], USUAL_FORMAT),
    "block": lambda system: panels_html(system, "gm-screen", [PANEL], USUAL_FORMAT),
    "sheet": lambda system: sheet_html(
        system, SheetPlanner(sheet(GAME), PageFormat(), system.words).pages(), PageFormat()
    ),
    "form": lambda system: form_html(system, make_form(sheet(GAME), {})),
    "cards": lambda system: deck_html(system, faces_of(system, deck("one"))),
    "booklet": lambda system: booklet_html(system, BookletPlanner(system, make_booklet(game(GAME))).pages()),
    "site": lambda system: site_page(system),
}


def site_page(system: SystemInfo) -> str:
    head = Head(
        f"{GAME}/glossary.html", "Glossary", "All", system.words, system, navigation=(Link("Overview", "index.html"),)
    )
    return page_html(GlossaryPage(head, (), (), ()))


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] if name == "booklet" else []) for name in BLOCKS]
)
def test_each_block_is_given_what_the_guide_says(name: str) -> None:
    texts = {}
    for block, own in BLOCKS[name].items():
        given = [*own, *(GIVEN if name != "site" else ["files"])]
        shown = "".join(f"{{{{ {value} if {value} is not none }}}}" for value in given)
        texts[block] = f"{{% block {block} %}}<i>{block}: {shown}</i>{{% endblock %}}"
    templates = files(**{f"{name}_html": "".join(texts.values())})
    system = replace(SystemInfo.of(game(GAME)), look=replace(USUAL, templates=templates))
    made = MADE[name](system)
    assert all(f"<i>{block}: " in made for block in texts)


@pytest.mark.slow
@pytest.mark.parametrize("system", SYSTEMS)
def test_the_gallery_has_a_block_of_each_kind(system: str) -> None:
    shown = [*gallery_blocks(game(system))]
    assert {block.kind for block in shown} == {*KINDS_BY_NAME}
    page = gallery_html(game(system))
    assert all(f">{block.title}<" in page for block in shown)
