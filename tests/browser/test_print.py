"""The HTML of aids as Chromium prints it, beside our PDFs: what machines without Pango have."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any
from unicodedata import normalize

import pypdfium2
import pytest
from playwright.sync_api import Browser

from refgen.aids.kinds import KINDS
from refgen.files import bundled_folder
from refgen.layout.templates import assets
from refgen.pipeline.make_aids import make_aids
from refgen.pipeline.request import usual_options
from tests.conftest import LETTER, SYSTEMS, game, others_in_soak

AIDS = {
    "gm-screen-a4": "screen",
    "cards": "card",
    "booklet-a5": "booklet",
    "session-a4": "session",
    "sheet-a4": "sheet",
}
EVERY_TIME = zip(("atari-isev", LETTER, LETTER, "interactive-history", "interactive-history"), AIDS, strict=True)
CASES = others_in_soak([*EVERY_TIME], product(SYSTEMS, AIDS))

OVERFULL = """() => [...document.querySelectorAll("[data-fit]")].flatMap((box) => {
  const {bottom, right} = box.getBoundingClientRect();
  return [...box.querySelectorAll("*")].filter((each) => !each.closest("svg *")).flatMap((each) => {
    const found = each.getBoundingClientRect();
    const out = Math.max(found.bottom - bottom, found.right - right);
    return found.width && found.height && out > 0.5 ? [`${box.dataset.fit}: ${each.textContent.slice(0, 40)}`] : [];
  });
})"""
"""What reaches out of its box."""


def files_for_browsers(system: str, kind: str) -> Iterator[tuple[str, bytes]]:
    """The pages of an aid of a game, as a machine without Pango makes them."""
    aids, errors = make_aids(game(system), bundled_folder("content") / system, [kind], {system: game(system)})
    assert errors == []
    for job in KINDS[kind].jobs(game(system), aids[kind], usual_options(["a4"])[kind]):
        made = job.draft(printed=True)
        assert [*made.errors, *made.mismatches] == []
        yield from made.files.items()


def letters(page: Any) -> Counter[str]:
    return Counter("".join(normalize("NFKC", page.get_textpage().get_text_range()).split()))


@pytest.mark.parametrize(("system", "aid"), CASES)
def test_a_browser_prints_the_pages_that_we_print(
    system: str, aid: str, chromium: Browser, built: Path, tmp_path: Path
) -> None:
    for path, data in {**assets(), **dict(files_for_browsers(system, AIDS[aid]))}.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(data)
    with chromium.new_page() as page:
        page.emulate_media(media="print")
        page.goto((tmp_path / system / f"{aid}.html").as_uri())
        page.evaluate("document.fonts.ready")
        assert page.evaluate(OVERFULL) == []
        printed = pypdfium2.PdfDocument(io.BytesIO(page.pdf(prefer_css_page_size=True, print_background=True)))
    ours = pypdfium2.PdfDocument(built / system / f"{aid}.pdf")
    assert len(printed) == len(ours)
    for number, (theirs, own) in enumerate(zip(printed, ours, strict=True), start=1):
        assert [round(length / 5) for length in theirs.get_size()] == [round(length / 5) for length in own.get_size()]
        assert letters(theirs) == letters(own), number
