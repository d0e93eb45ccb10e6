"""In a browser: a page loads itself again when it has changed, and shows what is wrong until it is mended."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import sync_playwright

from refgen.errors import RenderError
from refgen.serve.pages import Pages
from refgen.serve.server import Server
from refgen.span import Span

pytestmark = pytest.mark.slow

HEAD = "<!DOCTYPE html><html lang=en><head><title>page</title></head><body>"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    path = shutil.which("chromium")
    if path is None:
        pytest.skip("chromium is not installed")
    with sync_playwright() as playwright, playwright.chromium.launch(executable_path=path, args=["--no-sandbox"]) as it:
        yield it


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    (tmp_path / "index.html").write_text(f"{HEAD}<p style='height: 3000px'>old</p>", encoding="utf-8")
    found = Server(Pages(tmp_path), 0)
    with found.running():
        yield found


@pytest.fixture
def page(browser: Any, server: Server) -> Iterator[Any]:
    with browser.new_page() as opened:
        opened.goto(server.url)
        yield opened


def shows(page: Any, text: str) -> None:
    page.wait_for_function(f"document.body.innerText.includes('{text}')")


def errors_of(page: Any) -> str:
    return str(page.locator("refgen-errors section").inner_text())


def test_a_page_that_has_changed_loads_itself_again_and_stays_where_it_was(page: Any, server: Server) -> None:
    page.evaluate("scrollTo(0, 700)")
    server.pages.draft({"index.html": f"{HEAD}<p style='height: 3000px'>new</p>".encode()})
    shows(page, "new")
    page.wait_for_function("scrollY === 700")


def test_another_page_that_changes_leaves_it_alone(page: Any, server: Server) -> None:
    page.evaluate("window.same = true")
    server.pages.draft({"other.html": HEAD.encode()})
    server.pages.tell([RenderError("something")])
    page.wait_for_selector("refgen-errors", state="attached")
    assert page.evaluate("window.same")


def test_a_page_that_is_not_there_yet_comes_when_it_is(page: Any, server: Server) -> None:
    page.goto(f"{server.url}cards.html")
    shows(page, "Nothing here yet")
    server.pages.draft({"cards.html": f"{HEAD}cards".encode()})
    shows(page, "cards")


def test_what_is_wrong_stands_over_the_page_as_text_until_it_is_mended(page: Any, server: Server) -> None:
    place = Span("fate/rules.md", 10, 12, 3, 1, 3, 3)
    server.pages.tell([RenderError("<img src=x onerror='window.bad = true'>", span=place, hint="Write <b>less</b>.")])
    page.wait_for_selector("refgen-errors", state="attached")
    assert errors_of(page).splitlines()[-3:] == [
        "fate/rules.md:3:1",
        "<img src=x onerror='window.bad = true'>",
        "Write <b>less</b>.",
    ]
    assert page.evaluate("window.bad") is None
    server.pages.draft({"index.html": f"{HEAD}newer".encode()})
    shows(page, "newer")
    page.wait_for_selector("refgen-errors", state="attached")  # as long as it is wrong
    server.pages.tell([])
    page.wait_for_selector("refgen-errors", state="detached")


def test_what_is_wrong_is_not_printed(page: Any, server: Server) -> None:
    server.pages.tell([RenderError("wrong")])
    page.wait_for_selector("refgen-errors", state="attached")
    page.emulate_media(media="print")
    assert not page.locator("refgen-errors section").is_visible()


def test_ten_pages_may_be_open_at_once(browser: Any, server: Server) -> None:
    """A browser has six lines to a server: some must be free, however many pages listen."""
    with browser.new_context() as context:
        pages = [context.new_page() for _ in range(10)]
        for each in pages:
            each.goto(server.url, timeout=10_000)
        server.pages.draft({"index.html": f"{HEAD}new".encode()})
        for each in pages:
            shows(each, "new")
