"""Pages in a browser, opened so that whatever goes wrong there fails the test."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

from tests.waiting import PATIENCE


@contextmanager
def opened(chromium: Browser, path: Path, anchor: str = "", **settings: Any) -> Iterator[Page]:
    """A page of the site, from the disk. No error in its console, and nothing asked of another host."""
    faults: list[str] = []
    with chromium.new_context(**settings) as context:
        context.set_default_timeout(PATIENCE * 1000)
        page = context.new_page()
        page.on("console", lambda message: faults.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: faults.append(f"error: {error}"))
        page.on(
            "request",
            lambda request: (
                faults.append(request.url) if "://" in request.url and not request.url.startswith("file://") else None
            ),
        )
        page.goto(path.as_uri() + anchor)
        yield page
    assert not faults, faults
