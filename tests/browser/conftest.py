"""What tests in a browser share: somebody who reads, and the forms of all games in one folder."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Request, expect

from refgen.aids.sheet.interactive import form_html, make_form
from refgen.characters.form import Form
from refgen.characters.make_sheet import make_sheet
from refgen.characters.program import program_of
from refgen.files import bundled_folder
from refgen.game import SystemInfo
from refgen.layout.templates import assets
from tests.browser.pages import FORGET, PHONE
from tests.conftest import SYSTEMS, game
from tests.sharing import Shared
from tests.waiting import PATIENCE

expect.set_options(timeout=PATIENCE * 1000)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All tests that start a browser are slow."""
    for item in items:
        if "executable" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.slow)


@cache
def form(system: str) -> Form:
    """The form of a bundled game's sheet."""
    return Form(game(system), make_sheet(bundled_folder("content") / system, game(system)))


@pytest.fixture(scope="session")
def forms(shared: Shared) -> Path:
    """A folder as a build leaves it, with the form of each game."""

    def make(folder: Path) -> None:
        files = {
            f"{system}/sheet.html": form_html(
                SystemInfo.of(game(system)), make_form(form(system).sheet, program_of(form(system)))
            ).encode()
            for system in SYSTEMS
        }
        for name, data in {**assets(), **files}.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)

    return shared("forms", make)


class Reader:
    """Somebody with a browser and a phone of their own. What goes wrong in any page is in ``faults``."""

    def __init__(self, chromium: Browser, folder: Path) -> None:
        self.folder, self.faults = folder, list[str]()
        self.context = chromium.new_context(viewport=PHONE, accept_downloads=True)
        self.context.set_default_timeout(PATIENCE * 1000)
        self.context.on("request", self._check_request)
        self.context.on("console", lambda said: self.faults.append(said.text) if said.type == "error" else None)
        self.context.on("weberror", lambda error: self.faults.append(str(error.error)))
        self._first: Page | None = None

    def _check_request(self, request: Request) -> None:
        if not request.url.startswith((self.folder.as_uri(), "blob:", "data:", "http://sheets.test/")):
            self.faults.append(f"asks for {request.url}")

    def sheet(self, system: str) -> Page:
        """Open the sheet of a game."""
        page, self._first = self._first or self.context.new_page(), None
        page.goto((self.folder / system / "sheet.html").as_uri())
        return page

    def forget(self) -> None:
        """Keep nothing but a page for the next sheet: a new one would take thrice the time."""
        self._first, *others = self.context.pages
        for page in others:
            page.close()
        self._first.evaluate(FORGET)


_readers: list[Reader] = []


@pytest.fixture
def reader(chromium: Browser, forms: Path) -> Iterator[Reader]:
    """Somebody who never was here before."""
    made = _readers.pop() if _readers else Reader(chromium, forms)
    yield made
    assert made.faults == []
    made.forget()
    _readers.append(made)  # one for whom something went wrong does not come again


@pytest.fixture
def stranger(chromium: Browser, forms: Path) -> Iterator[Reader]:
    """Somebody with whose browser something is the matter."""
    made = Reader(chromium, forms)
    yield made
    made.context.close()
    assert made.faults == []


def typed(page: Page) -> dict[str, str]:
    """What stands in every field that was filled in or worked out, by its key."""
    found: dict[str, str] = page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll("#sheet :is(input, select, textarea, output)")]
        .map(field => [field.id, field.type === "checkbox" ? (field.checked ? "×" : "") : field.value])
        .filter(([, value]) => value))"""
    )
    return found
