"""Pages in a browser, opened so that whatever goes wrong there fails the test."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from playwright.sync_api import Browser, Page

from tests.waiting import PATIENCE


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


@contextmanager
def opened(chromium: Browser, path: Path | str, anchor: str = "", **settings: Any) -> Iterator[Page]:
    """A page of the site, from the disk or by its URL. No error in its console, and nothing asked of another host."""
    address = path if isinstance(path, str) else path.as_uri()
    host = "file://" if isinstance(path, Path) else "/".join(path.split("/")[:3])
    faults: list[str] = []
    with chromium.new_context(**settings) as context:
        context.set_default_timeout(PATIENCE * 1000)
        page = context.new_page()
        page.on("console", lambda message: faults.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: faults.append(f"error: {error}"))
        page.on(
            "request",
            lambda request: (
                faults.append(request.url) if "://" in request.url and not request.url.startswith(host) else None
            ),
        )
        page.goto(address + anchor)
        yield page
    assert not faults, faults
