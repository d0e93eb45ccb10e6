"""Pages in a browser, opened so that whatever goes wrong there fails the test."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, Literal

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Page, Request, ViewportSize

from tests.waiting import PATIENCE

PHONE: ViewportSize = {"width": 390, "height": 844}
ColorScheme = Literal["light", "dark"]
WINDOW: ViewportSize = {"width": 1280, "height": 720}
AXE = """([within, options]) => axe.run(within, {preload: false, resultTypes: ["violations"], ...options}).then(
  ({violations}) => violations.map(({id, nodes}) => `${id}: ${nodes.slice(0, 3).map(({html}) => html).join(" ")}`))"""
"""What it would load from the disk is refused; and it is not asked to describe all that is well."""

COLOURS = {"runOnly": ["color-contrast"]}
"""In the dark only colours are others."""

FORGET = """() => {
  localStorage.clear();
  sessionStorage.clear();
}"""


class _Quiet(SimpleHTTPRequestHandler):
    """Files of a folder, as any host serves them."""

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def served(folder: Path) -> Iterator[tuple[str, ThreadingHTTPServer]]:
    """The address of a folder on this machine, and what serves it."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", server
        finally:
            server.shutdown()


class Tab:
    """A page that goes from one address to the next, for a new one takes thrice the time."""

    def __init__(self, chromium: Browser, **settings: Any) -> None:
        self.faults: list[str] = []
        self.host = ""
        context = chromium.new_context(**settings)
        context.set_default_timeout(PATIENCE * 1000)
        self.page = context.new_page()
        self.page.on("console", lambda message: self.faults.append(f"console: {message.text}"))
        self.page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        self.page.on("request", self._check_request)

    def _check_request(self, request: Request) -> None:
        if "://" in request.url and not request.url.startswith(self.host):
            self.faults.append(request.url)

    def go(self, address: str, host: str) -> None:
        """Open an address; from now on nothing is asked of another host."""
        if self.page.url.partition("#")[0] == address.partition("#")[0]:
            self.page.goto("about:blank")  # else the page would stay, and only its anchor be another
        self.host = host
        self.page.once("framenavigated", lambda _: self.faults.clear())  # of the page before
        self.page.goto(address)

    def forget(self) -> None:
        """What the page keeps, and where its mouse is."""
        self.page.evaluate(FORGET)
        self.page.mouse.move(0, 0)


_tabs: dict[tuple[Any, ...], Tab] = {}


@contextmanager
def opened(
    chromium: Browser,
    path: Path | str,
    anchor: str = "",
    viewport: ViewportSize = WINDOW,
    color_scheme: ColorScheme = "light",
    **settings: Any,
) -> Iterator[Page]:
    """A page of the site, from the disk or by its URL. No error in its console, and nothing asked of another host."""
    address = path if isinstance(path, str) else path.as_uri()
    host = "file://" if isinstance(path, Path) else "/".join(path.split("/")[:3])
    key = (chromium, *settings.items())
    tab = _tabs.pop(key, None) or Tab(chromium, **settings)
    tab.page.set_viewport_size(viewport)
    tab.page.emulate_media(color_scheme=color_scheme, media="null")
    tab.go(address + anchor, host)
    yield tab.page
    tab.forget()
    assert not tab.faults, tab.faults
    _tabs[key] = tab  # one in which something failed is not used again


def worked_out(page: Page, function: str, asked: object) -> Any:
    """What a function of the page makes of data: both go as text, for Playwright takes twelve times as long."""
    found = page.evaluate(f"asked => JSON.stringify(({function})(JSON.parse(asked)))", json.dumps(asked))
    return json.loads(found)


def violations(page: Page, options: Mapping[str, object] | None = None, within: str = "html") -> list[str]:
    """The violations that axe finds on a page as it is now, or in a part of the page."""
    if page.evaluate("typeof axe === 'undefined'"):
        page.evaluate(AXE_SCRIPT)
    found: list[str] = page.evaluate(AXE, [within, options or {}])
    return found
