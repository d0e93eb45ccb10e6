"""Sheets with fields in Chromium's own viewer: what is written in them shows, and what is typed is kept."""

from __future__ import annotations

import io
import threading
import time
from base64 import b64decode
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pypdf
import pytest
from PIL import Image
from playwright.sync_api import Browser, Frame, Page, Playwright

from refgen.aids.sheet.fields import FieldBox
from refgen.characters.sheet import FieldKind
from tests.aids.sheet.sheets import form, loaded, ready, template
from tests.waiting import PATIENCE, comes_to, wait_until

SYSTEM = "fudge-1995"

OLD_HEADLESS = ["--headless", "--headless=old", "--disable-extensions", "--hide-scrollbars"]
"""What Playwright adds by itself; its viewer of PDFs is an extension."""

SAVED = """async () => {
  const saved = await document.querySelector("pdf-viewer").pluginController_.save("EDITED");
  const pieces = Array.from({length: Math.ceil(saved.dataToSave.byteLength / 32768)}, (_, number) =>
    String.fromCharCode(...new Uint8Array(saved.dataToSave.slice(32768 * number, 32768 * (number + 1)))));
  return btoa(pieces.join(""));
}"""
"""As a text: Playwright takes a list of bytes apart one by one."""


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="module")
def viewer(browsers: Playwright, executable: str) -> Iterator[Browser]:
    """The new headless mode has the whole browser."""
    arguments = ["--no-sandbox", "--headless=new"]
    browser = browsers.chromium.launch(
        executable_path=executable, args=arguments, ignore_default_args=OLD_HEADLESS, timeout=PATIENCE * 1000
    )
    with browser.new_page() as page:
        if not page.evaluate("navigator.pdfViewerEnabled"):
            pytest.skip("this browser has no viewer of PDFs")
    yield browser
    browser.close()


@pytest.fixture
def opened(viewer: Browser, tmp_path: Path) -> Iterator[Any]:
    """What opens a PDF: its page, and its frame, in which a point is so many dots."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(tmp_path)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    page = viewer.new_page(viewport={"width": 1000, "height": 1200})
    page.set_default_timeout(PATIENCE * 1000)

    def open_(data: bytes, system: str = SYSTEM) -> Shown:
        (tmp_path / "sheet.pdf").write_bytes(data)
        page.goto(f"http://127.0.0.1:{server.server_port}/sheet.pdf#toolbar=0&navpanes=0&zoom=100")
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            frame = next((one for one in page.frames if one.url.startswith("chrome-extension")), None)
            if frame and frame.evaluate("document.querySelector('pdf-viewer')?.loadState_ === 'success'"):
                return Shown(page, frame, system)
            page.wait_for_timeout(50)
        pytest.skip("this browser has no viewer of PDFs when it is driven")

    yield open_
    page.close()
    server.shutdown()
    server.server_close()


class Shown:
    """A PDF in the viewer."""

    def __init__(self, page: Page, frame: Frame, system: str) -> None:
        self.page, self.frame, self.system = page, frame, system
        rectangle = (
            "(({x, y, width}) => [x, y, width])(document.querySelector('pdf-viewer').viewport_.getPageScreenRect(0))"
        )
        self.left, self.top, width = frame.evaluate(rectangle)
        self.point = width / template(system).print_base.pages[0].width

    def box(self, box: FieldBox) -> tuple[float, float, float, float]:
        """The inside of a field in dots: left, top, right, bottom."""
        height = template(self.system).print_base.pages[0].height
        left, right = box.left + 1.5, box.left + box.width - 1.5
        top, bottom = height - box.bottom - box.height + 1.5, height - box.bottom - 1.5
        across = [self.left + place * self.point for place in (left, right)]
        down = [self.top + place * self.point for place in (top, bottom)]
        return across[0], down[0], across[1], down[1]

    def click(self, name: str) -> None:
        left, top, right, bottom = self.box(boxes(self.system)[name])
        self.page.mouse.click((left + right) / 2, (top + bottom) / 2)
        wait_until(lambda: self.frame.evaluate("document.querySelector('pdf-viewer').formFieldFocus_ !== 'none'"))

    def inked(self) -> dict[str, bool]:
        """Whether there are dots much darker than its ground, for each field that is seen."""
        picture = Image.open(io.BytesIO(self.page.screenshot())).convert("L")
        found = {}
        for name, box in boxes().items():
            left, top, right, bottom = self.box(box)
            if box.page == 0 and bottom < picture.height:
                shades = picture.crop((round(left), round(top), round(right), round(bottom))).tobytes()
                found[name] = max(shades) - min(shades) > 60
        return found

    def saved(self) -> dict[str, str]:
        """The values of the fields in what the viewer saves."""
        data = io.BytesIO(b64decode(self.frame.evaluate(SAVED)))
        fields = pypdf.PdfReader(data).get_fields() or {}
        return {name: str(field["/V"]) for name, field in fields.items() if field.get("/V") not in (None, "", "/Off")}


def boxes(system: str = SYSTEM) -> dict[str, FieldBox]:
    return {box.name: box for box in template(system).boxes}


def test_every_value_shows(opened: Any) -> None:
    """In each field with a value are dots much darker than its ground, in no other."""
    placing = ready(SYSTEM)[0]
    shown = opened(form(SYSTEM, placing))
    written = {each.box.name for each in placing.written}
    comes_to(shown.inked, {name: name in written for name in shown.inked()})


def test_what_is_typed_is_kept(opened: Any) -> None:
    """Text of three scripts, a level chosen with the keys, and an area."""
    shown = opened(template(SYSTEM).form.base.data)
    typed = {"who.name": "Orlin", "who.concept": "Żółw Ωж", "skills.1.skill": "Climbing (walls)", "notes": "One, two."}
    for name, text in typed.items():
        shown.click(name)
        shown.page.keyboard.insert_text(text)
    shown.click("skills.1.level")
    for key in ("ArrowDown", "ArrowDown", "Enter", "Tab"):
        shown.page.keyboard.press(key)
    levels = boxes()["skills.1.level"].field.choices
    comes_to(shown.saved, {**typed, "skills.1.level": levels[1]})


@pytest.mark.parametrize("system", [pytest.param("atari-isev", marks=pytest.mark.soak), "interactive-history"])
def test_computed_fields_follow_what_is_typed(opened: Any, system: str) -> None:
    """All of them, as refgen works them out, once anything is typed; they were blank before."""
    name, placing = loaded(system).form.sheet.name_key, ready(system)[0]
    wanted = {each.box.name: each.text for each in placing.written if each.box.field.kind is FieldKind.COMPUTED}
    assert wanted
    placing.written = [each for each in placing.written if each.box.name not in wanted]
    shown = opened(form(system, placing, calculates=True), system)
    shown.click(name)
    shown.page.keyboard.press("End")
    shown.page.keyboard.insert_text("!")
    shown.page.keyboard.press("Tab")
    computed = {box.name for box in template(system).boxes if box.field.kind is FieldKind.COMPUTED}
    comes_to(lambda: {key: text for key, text in shown.saved().items() if key in computed}, wanted)
    assert shown.saved()[name] == f"{placing.filled.character.name}!"
