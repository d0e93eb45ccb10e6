"""The site in a browser when the network goes: what was seen once stays, with all that it did."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.pages import served
from tests.browser.test_search import START, asked
from tests.waiting import PATIENCE, wait_until

ARE_KEPT = "names => Promise.all(names.map(name => caches.match(name))).then(found => found.every(Boolean))"


@pytest.fixture(scope="module")
def offline(chromium: Browser, site: Path) -> Iterator[tuple[Page, str]]:
    """A page in a browser that saw one page of the site while there was a network, and the address of the site."""
    with chromium.new_context() as context:
        context.set_default_timeout(PATIENCE * 1000)
        page = context.new_page()
        with served(site) as (address, _):
            page.goto(f"{address}/index.html")
            page.evaluate("navigator.serviceWorker.ready.then(() => {})")
            files = [site / "harmonies/odds.html", site / START, *(site / "assets/search").rglob("*.*")]
            names = [f"{address}/{file.relative_to(site).as_posix()}" for file in files]
            wait_until(lambda: page.evaluate(ARE_KEPT, names))
        yield page, address


def test_pages_stay(offline: tuple[Page, str]) -> None:
    page, address = offline
    page.goto(f"{address}/harmonies/odds.html")
    expect(page.locator(".chances")).not_to_be_empty()


def test_search_stays(offline: tuple[Page, str]) -> None:
    page, address = offline
    page.goto(f"{address}/{START}")
    assert asked(page, "odds of success").first.get_attribute("href")
