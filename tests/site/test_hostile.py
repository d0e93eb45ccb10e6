"""Documents that would run scripts, lead elsewhere or be templates: on every page they are words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lxml import html

from refgen.game import load_game
from refgen.site.game_pages import make_pages
from refgen.site.html import page_html, search_html
from refgen.site.page import GameSummary, make_home
from refgen.site.search import indexed_pages
from tests.layout.html_faults import faults_of
from tests.site.hostile import DOCUMENTS, LINKS, TEMPLATE, hostile_game

SCHEMES = tuple(link.partition(":")[0] for link in LINKS)


@pytest.fixture(params=DOCUMENTS)
def pages(request: pytest.FixtureRequest, tmp_path: Path) -> list[Any]:
    game = load_game(hostile_game(tmp_path, request.param))
    return [*make_pages(game, []), make_home([(GameSummary.of(game), [])])]


@pytest.mark.slow
def test_nothing_of_a_document_is_run_loaded_or_sent(pages: list[Any]) -> None:
    for page in pages:
        made = page_html(page)
        root = html.document_fromstring(made)
        where = page.head.path
        scripts = [script for script in root.iter("script") if script.get("type") != "application/json"]
        assert all("assets/js/" in (script.get("src") or "") for script in scripts), where
        assert root.xpath("//@*[starts-with(name(), 'on')]") == [], where
        assert not {element.tag for element in root.iter("iframe", "form", "input", "base", "object", "img")}, where
        assert not [link for link in root.xpath("//@href") if link.strip().lower().startswith(SCHEMES)], where
        assert faults_of(made) == [], where


def test_every_page_of_the_site_runs_no_other_script(pages: list[Any]) -> None:
    for page in pages:
        (policy,) = html.document_fromstring(page_html(page)).xpath(
            "//meta[@http-equiv='Content-Security-Policy']/@content"
        )
        rules = dict(rule.strip().partition(" ")[::2] for rule in policy.split(";"))
        assert (rules["default-src"], rules["script-src"]) == ("'none'", "'self' 'wasm-unsafe-eval'")
        assert (rules["base-uri"], rules["form-action"]) == ("'none'", "'none'")


def test_templates_in_a_document_are_words(pages: list[Any]) -> None:
    texts = [html.document_fromstring(page_html(page)).text_content() for page in pages]
    assert not any("42" in text for text in texts)
    assert all(TEMPLATE in text for text in texts)


def test_what_is_indexed_is_words(pages: list[Any]) -> None:
    for page in indexed_pages(pages):
        root = html.document_fromstring(search_html(page))
        assert not {element.tag for element in root.iter("script", "img", "iframe", "form")}
        assert not any("42" in part["text"] for part in page["parts"])
