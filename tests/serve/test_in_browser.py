"""In a browser: a page loads itself again when it has changed, and shows what is wrong until it is mended."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from refgen.errors import RenderError
from refgen.serve.served_pages import ServedPages
from refgen.serve.server import Server
from refgen.span import Span
from tests.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.slow

HEAD = "<!DOCTYPE html><html lang=en><head><title>page</title></head><body>"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    (tmp_path / "index.html").write_text(f"{HEAD}<p style='height: 3000px'>old</p>", encoding="utf-8")
    found = Server(ServedPages(tmp_path), 0)
    with found.running():
        yield found


@pytest.fixture
def page(chromium: Browser, server: Server) -> Iterator[Page]:
    with chromium.new_page() as opened:
        opened.set_default_timeout(PATIENCE * 1000)
        opened.goto(server.url)
        yield opened


def shows(page: Page, text: str) -> None:
    expect(page.locator("body")).to_contain_text(text)


def test_a_page_that_has_changed_loads_itself_again_and_stays_where_it_was(page: Page, server: Server) -> None:
    page.evaluate("scrollTo(0, 700)")
    server.pages.draft({"index.html": f"{HEAD}<p style='height: 3000px'>new</p>".encode()})
    shows(page, "new")
    wait_until(lambda: page.evaluate("scrollY === 700"))


LONG = "<p style='height: 3000px'>"


def framed(head: str, nav: str, main: str) -> dict[str, bytes]:
    page = f"<!DOCTYPE html><html lang=en><head>{head}</head><body><nav>{nav}</nav><main>{main}</main></body></html>"
    return {"index.html": page.encode()}


@pytest.fixture
def framed_page(page: Page, server: Server) -> Page:
    """A page with a main part, which remembers whether it was loaded again."""
    server.pages.draft(framed("<title>page</title>", "around", f"{LONG}<i id=here>old</i>{LONG}"))
    expect(page.locator("#here")).to_have_text("old")
    page.evaluate("location.hash = 'here'")
    page.evaluate("scrollTo(0, 700); window.same = true")
    return page


def test_of_a_page_whose_body_alone_has_changed_only_that_is_put_in_its_place(
    framed_page: Page, server: Server
) -> None:
    for word, nav in (("new", "around"), ("old", "around"), ("newer", "elsewhere")):
        server.pages.draft(framed("<title>page</title>", nav, f"{LONG}<i id=here>{word}</i>{LONG}"))
        expect(framed_page.locator("#here:target")).to_have_text(word)
    expect(framed_page.locator("nav")).to_have_text("elsewhere")
    wait_until(lambda: framed_page.evaluate("scrollY === 700"))
    assert framed_page.evaluate("window.same")


@pytest.mark.parametrize(
    "head", ["<title>other</title>", '<title>page</title><script type="module"></script>'], ids=["title", "module"]
)
def test_a_page_of_which_more_has_changed_is_loaded_again(framed_page: Page, server: Server, head: str) -> None:
    server.pages.draft(framed(head, "around", "new"))
    shows(framed_page, "new")
    assert framed_page.evaluate("window.same") is None


def test_another_page_that_changes_leaves_it_alone(page: Page, server: Server) -> None:
    page.evaluate("window.same = true")
    server.pages.draft({"other.html": HEAD.encode()})
    server.pages.tell([RenderError("something")])
    page.wait_for_selector("refgen-errors", state="attached")
    assert page.evaluate("window.same")


def test_a_page_that_is_not_there_yet_comes_when_it_is(page: Page, server: Server) -> None:
    page.goto(f"{server.url}cards.html")
    shows(page, "Nothing here yet")
    server.pages.draft({"cards.html": f"{HEAD}cards".encode()})
    shows(page, "cards")


def test_what_is_wrong_stands_over_the_page_as_text_until_it_is_mended(page: Page, server: Server) -> None:
    place = Span("fate/rules.md", 10, 12, 3, 1, 3, 3)
    server.pages.tell([RenderError("<img src=x onerror='window.bad = true'>", span=place, hint="Write <b>less</b>.")])
    page.wait_for_selector("refgen-errors", state="attached")
    expect(page.locator("refgen-errors section > div > div")).to_have_text(
        ["fate/rules.md:3:1", "<img src=x onerror='window.bad = true'>", "Write <b>less</b>."]
    )
    assert page.evaluate("window.bad") is None
    server.pages.draft({"index.html": f"{HEAD}newer".encode()})
    shows(page, "newer")
    page.wait_for_selector("refgen-errors", state="attached")  # as long as it is wrong
    server.pages.tell([])
    page.wait_for_selector("refgen-errors", state="detached")


def test_what_is_wrong_is_not_printed(page: Page, server: Server) -> None:
    server.pages.tell([RenderError("wrong")])
    page.wait_for_selector("refgen-errors", state="attached")
    page.emulate_media(media="print")
    expect(page.locator("refgen-errors section")).to_be_hidden()


def test_ten_pages_may_be_open_at_once(chromium: Browser, server: Server) -> None:
    """A browser has six lines to a server: some must be free, however many pages listen."""
    with chromium.new_context() as context:
        context.set_default_timeout(PATIENCE * 1000)
        pages = [context.new_page() for _ in range(10)]
        for each in pages:
            each.goto(server.url)
        server.pages.draft({"index.html": f"{HEAD}new".encode()})
        for each in pages:
            shows(each, "new")
