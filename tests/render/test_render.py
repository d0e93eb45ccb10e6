"""HTML and PDF: nothing of the content is taken for markup, nothing is fetched, what does not fit is reported."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from pathlib import Path

import pypdfium2
import pytest

from refgen.aids.block.model import TextBlock
from refgen.aids.card_deck import Card, CardDeck
from refgen.aids.system_info import SystemInfo
from refgen.errors import RenderError
from refgen.render.fetcher import ORIGIN, AssetFetcher
from refgen.render.pdf import layout, load_fonts, write
from tests.render.decks import faces_of, html_of

SYSTEM = SystemInfo("game", "Game <b>", "About", "#123456", "Source & more")


def deck(*texts: str) -> CardDeck:
    return CardDeck(tuple(Card(n, f"Card {n}", (TextBlock("", text, ""),)) for n, text in enumerate(texts, 1)))


def html(cards: CardDeck) -> str:
    return html_of(SYSTEM, faces_of(SYSTEM, cards))


def text_of(pdf: bytes) -> list[str]:
    document = pypdfium2.PdfDocument(pdf)
    pages = [page.get_textpage().get_text_range() for page in document]
    document.close()
    return pages


def test_content_is_never_markup_nor_template() -> None:
    page = html(deck("<script>alert(1)</script> {{ 7 * 7 }} {% raw %}"))
    assert "<script>" not in page
    assert "{{ 7 * 7 }} {% raw %}" in page
    assert "Game &lt;b&gt;" in page


@pytest.mark.parametrize(
    "url", ["https://example.invalid/x.css", "file:///etc/passwd", f"{ORIGIN}../secret", "data:,x"]
)
def test_nothing_but_assets_is_fetched(url: str) -> None:
    with pytest.raises(ValueError, match="refgen loads nothing but its own assets"):
        AssetFetcher().fetch(url)


def test_a_page_that_wants_more_is_an_error() -> None:
    with pytest.raises(RenderError, match="Failed to load image"):
        layout('<html lang="en"><img src="file:///etc/hostname" alt="">', "bad")


def test_a_machine_without_fonts_is_told_so(tmp_path: Path) -> None:
    (tmp_path / "fonts.conf").write_text(f"<fontconfig><cachedir>{tmp_path}</cachedir></fontconfig>")
    code = "from refgen.render.pdf import load_fonts\nload_fonts()"
    environment = {**os.environ, "FONTCONFIG_FILE": str(tmp_path / "fonts.conf")}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    said, hint = done.stderr.splitlines()[-2:]
    assert said.endswith("RenderError: no fonts are installed on this machine")
    assert hint == "On Debian: apt-get install fonts-dejavu-core"


LOAD = """
import sys, cffi
started, dlopen = [], cffi.FFI.dlopen
sys.addaudithook(lambda event, _: started.append(event) if event == "subprocess.Popen" else None)
def only(ffi, name, *flags):
    if "{hidden}" and "{hidden}" in name:
        raise OSError(name)
    return dlopen(ffi, name, *flags)
cffi.FFI.dlopen = only
from refgen.render.pdf import load_fonts
load_fonts()
print(len(started) > 0)
"""


@pytest.mark.slow
@pytest.mark.parametrize(("hidden", "searches"), [("", False), (".so", True)])
def test_libraries_are_searched_for_with_the_compiler_only_where_they_are_not_under_their_own_names(
    hidden: str, searches: bool
) -> None:
    command = [sys.executable, "-c", LOAD.format(hidden=hidden)]
    assert subprocess.run(command, check=True, capture_output=True, text=True).stdout == f"{searches}\n"


def test_fonts_go_without_a_complaint_of_pango(capfd: pytest.CaptureFixture[str]) -> None:
    """Whatever holds them; garbage is freed in any order."""
    fonts = load_fonts()
    fonts.itself = fonts
    del fonts
    gc.collect()
    assert capfd.readouterr().err == ""


def test_the_same_page_gives_the_same_bytes() -> None:
    page = html(deck("one", "two"))
    assert write(layout(page, "cards"), "cards") == write(layout(page, "cards"), "cards")
