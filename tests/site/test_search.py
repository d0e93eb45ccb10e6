"""What is searched: the words of each page, by the places that they can be led to."""

from __future__ import annotations

import json
from functools import cache

import pytest

from refgen.site.game_pages import SitePage, make_pages
from refgen.site.html import page_html
from refgen.site.page import AidLinks, Download
from refgen.site.search import IndexedPage, IndexedPart, indexed_pages, pages_script
from tests.conftest import game

AIDS = [AidLinks("GM screen", "One panel a page.", (Download("A4", "harmonies/gm-screen-a4.pdf", "PDF"),))]


@cache
def made() -> list[SitePage]:
    return list(make_pages(game("harmonies"), AIDS))


@cache
def pages() -> dict[str, IndexedPage]:
    return {page["path"]: page for page in indexed_pages(made())}


def part(path: str, anchor: str) -> IndexedPart:
    (found,) = (part for part in pages()[path]["parts"] if part["anchor"] == anchor)
    return found


@pytest.mark.slow
def test_every_page_of_a_game_can_be_found() -> None:
    assert [page.head.path for page in made()] == list(pages())
    assert all(page["title"] and page["game"] == "Harmonies" and page["kind"] for page in pages().values())


@pytest.mark.parametrize(
    ("title", "path", "anchor", "name", "words"),
    [
        ("a section of the rules", "harmonies/rules.html", "action-difficulty", "Action Difficulty", "−20"),
        ("a table", "harmonies/tables/odds.html", "", "", "Action Difficulty Difficulty Odds −20 0.5%"),
        ("a play aid", "harmonies/index.html", "aid-gm-screen", "GM screen", "One panel a page. A4"),
        ("a number in the text", "harmonies/glossary.html", "fact-typical-odds", "A typical character", "50%"),
        ("a page that only lists", "harmonies/tables.html", "", "", "Tables of Harmonies."),
    ],
)
def test_what_is_found(title: str, path: str, anchor: str, name: str, words: str) -> None:
    found = part(path, anchor)
    assert found["title"].startswith(name), title
    assert words in found["text"], title


def test_each_place_is_one_of_its_page() -> None:
    for page in made():
        html = page_html(page)
        anchors = [part["anchor"] for part in pages()[page.head.path]["parts"] if part["anchor"]]
        assert [anchor for anchor in anchors if f'id="{anchor}"' not in html] == [], page.head.path


def test_the_words_of_all_pages_as_a_script() -> None:
    script = pages_script(list(pages().values())).decode()
    start, stop = "window.refgenPages = ", ";\n"
    assert json.loads(script.removeprefix(start).removesuffix(stop)) == list(pages().values())
