"""Words that are broken on paper are read back whole; running text alone breaks words, and not in all languages."""

from __future__ import annotations

from functools import cache

import pytest

from refgen.aids.panels.job import panels_html
from refgen.aids.panels.model import USUAL_FORMAT
from refgen.blocks.table_block import TableBlock
from refgen.blocks.table_cells import ShownCell, ShownColumn
from refgen.blocks.text_blocks import GlossaryBlock, ListBlock, QuoteBlock, StepsBlock, TextBlock
from refgen.layout.readback.compare import AidOutput
from refgen.layout.readback.pdf_pages import read_pdf
from tests.layout.made_pages import SYSTEM, in_pdf, laid_out, page, screen_of

pytestmark = pytest.mark.slow

RULE = "Misslingt eine Geschicklichkeitsprobe, verschlechtert sich die Ausgangslage der Schmugglermannschaft."
ADDRESS = "Fragen an https://schmugglermannschaft.de."
STEPS = StepsBlock("Verteidigung", ("Zuerst kommt im Hand-zu-Hand-Kampf die Verteidigungsmöglichkeit.",))
TERMS = GlossaryBlock("", (("Nachtruhe", "sechs zusammenhängende Stunden Schlaf"),))
LIST = ListBlock("Zwei Einfuhrgenehmigungen", ("Zwei Einfuhrgenehmigungen und Bestechungsversuche.",))
TABLE = TableBlock("", (ShownColumn("Auswirkung", "", "start"),), ((ShownCell(RULE, "start"),),))
SCREEN = screen_of(
    page(0, "Hafen", (STEPS, TERMS), (LIST,), (QuoteBlock("", (RULE,)),), (TextBlock("", (RULE, ADDRESS)),), (TABLE,))
)
"""A panel of narrow columns, with long words in running text, in titles, in a table and beside an address."""


@cache
def panel_in(language: str) -> AidOutput:
    page = panels_html(SYSTEM, "gm-screen", SCREEN, USUAL_FORMAT)
    return laid_out(page.replace('<html lang="en"', f'<html lang="{language}"', 1))


def broken(language: str) -> list[str]:
    """The lines that end in a hyphen, without blanks."""
    made = panel_in(language)
    assert in_pdf(SCREEN, made) == []
    return [run.text for page in read_pdf(made.pdf, "x") for run in page.runs if run.is_broken]


def test_running_text_breaks_long_words_and_is_read_whole() -> None:
    assert broken("de") == [
        "ZuerstkommtimHand-zu-",
        "Hand-KampfdieVerteidigungs-",
        "sechszusammenhän-",
        *["MisslingteineGeschicklichkeits-", "AusgangslagederSchmuggler-"] * 2,
    ]


@pytest.mark.parametrize("language", ["en", "fi", "hu"])
def test_other_words_are_broken_at_their_own_hyphens_alone(language: str) -> None:
    """English breaks no words, there are no patterns for Finnish, and Hungarian would lose letters."""
    assert broken(language) == ["ZuerstkommtimHand-zu-"]


def test_no_block_is_higher_than_with_whole_words() -> None:
    """Pages are planned by heights with whole words."""
    (german,), (english,) = ([*page.values()] for made in map(panel_in, ("de", "en")) for page in made.measured)
    heights = [*zip(german.blocks, english.blocks, strict=True)]
    assert all(low <= high for low, high in heights)
    assert any(low < high for low, high in heights)
