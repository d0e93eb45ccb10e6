"""The page of a game's characters: every value of every sheet, and nothing that is not on it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from refgen.game import AidsSpec, GameModel
from refgen.layout.readback.html_pages import read_html
from refgen.site.characters import CharacterPart, CharactersPage, character_files, make_characters
from refgen.site.game_pages import make_pages
from refgen.site.html import page_html
from refgen.site.page import AidLinks, Download, Head
from refgen.site.read_back import page_faults
from refgen.words import ENGLISH
from tests.conftest import SYSTEMS, game, public_game
from tests.resolver.systems.small import small

EACH = [system if system == "atari-isev" else pytest.param(system, marks=pytest.mark.slow) for system in SYSTEMS]
HEAD = Head("game/characters.html", "Characters", "Characters of a game.", ENGLISH)


def page(system: str) -> CharactersPage:
    return make_characters(HEAD, game(system), [])


def part(system: str, character: str, title: str) -> CharacterPart:
    (found,) = (one for one in page(system).characters if one.name == character)
    return next(each for each in found.parts if each.title == title)


@pytest.mark.parametrize("system", EACH)
def test_every_written_and_computed_value_of_every_character_is_there(system: str) -> None:
    public = public_game(system)
    found = page(system).characters
    assert [one.anchor for one in found] == list(public.characters)
    for shown, character in zip(found, public.characters.values(), strict=True):
        said = " ".join(text for each in shown.parts for line in each.lines for text in line)
        fields = [own for own in public.sheet(character).fields() if own.value and own.kind != "box"]
        assert fields
        assert [own.name for own in fields if with_hyphens(own.value) not in with_hyphens(said)] == []


def with_hyphens(text: str) -> str:
    """A text whatever its dashes are: the page sets minus signs and ranges."""
    return text.translate(dict.fromkeys(map(ord, "–−"), "-"))


def test_wounds_are_those_of_the_character() -> None:
    assert part("atari-isev", "Hanno Rill", "Wounds") == CharacterPart(
        "Wounds",
        ("", "Points", "Ticked"),
        (
            ("Scratched", "1–2", "0 of 4"),
            ("Hurt", "3–4", "0 of 2"),
            ("Very Hurt", "5–6", "0 of 1"),
            ("Incapacitated", "7–8", "0 of 1"),
            ("Near Death", "9+", "0 of 1"),
        ),
    )


def test_files_are_those_of_the_game() -> None:
    files = character_files(page("harmonies"), game("harmonies"))
    folder = game("harmonies").folder
    assert folder is not None
    assert files == {
        f"harmonies/characters/{path.name}": path.read_bytes() for path in sorted((folder / "characters").iterdir())
    }


def test_the_blank_sheet_is_offered_as_it_was_made() -> None:
    sheet = Download("A4", "harmonies/sheet-a4.pdf", "PDF")
    aids = [AidLinks("Cards", "", (Download("A4", "harmonies/cards-a4.pdf", "PDF"),)), AidLinks("Sheet", "", (sheet,))]
    assert make_characters(HEAD, game("harmonies"), aids).blank == (sheet,)


def test_what_is_not_on_the_page_is_named() -> None:
    made = page("harmonies")
    html = read_html(page_html(made))
    assert list(page_faults(made, html)) == []
    first, *others = made.characters
    assert list(page_faults(replace(made, characters=(replace(first, name="Somebody"), *others)), html)) != []


def test_a_game_that_leaves_its_sheet_out_has_no_such_page() -> None:
    rules = small("hit-points")
    without = replace(rules, spec=rules.spec.model_copy(update={"aids": AidsSpec(sheet=False)}))
    with_page, others = ({page.head.title for page in make_pages(GameModel(each), [])} for each in (rules, without))
    assert with_page - others == {"Characters"}
