"""Drawings on many pages: worked out once, and the same PDF to the byte."""

from __future__ import annotations

from unittest.mock import patch

import pytest
import weasyprint
from weasyprint.svg import SVG

from refgen.render.drawings import Drawings
from refgen.render.fetcher import BASE_URL, AssetFetcher

STAR, WAVES = "../assets/icons/star.svg", "../assets/patterns/waves.svg"
WORDS = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><text y='9'>4</text></svg>"


def page(*boxes: str) -> weasyprint.HTML:
    body = "".join(f'<div style="width: 4em; height: 4em; background: {box}"></div>' for box in boxes)
    url_fetcher = None if WORDS in body else AssetFetcher()
    return weasyprint.HTML(string=f"<html lang=en><title>A</title>{body}", base_url=BASE_URL, url_fetcher=url_fetcher)


@pytest.mark.parametrize(
    "boxes",
    [
        (
            f"url({STAR}) no-repeat center / 5mm",
            f"red url({STAR}) no-repeat 0 0 / 5mm",
            f"url({STAR}) no-repeat 0 0 / 9mm",
        ),
        (f"url({WAVES}) 0 0 / 8mm 8mm", f"url({WAVES}) 1mm 1mm / 8mm 8mm", f"url({STAR}) 0 0 / 8mm 8mm"),
        (f'url("{WORDS}") no-repeat', f'url("{WORDS}") no-repeat'),
    ],
    ids=["icons", "patterns", "with text"],
)
def test_the_pdf_is_the_same(boxes: tuple[str, ...]) -> None:
    drawings = Drawings()
    slow = page(*boxes).write_pdf(pdf_variant="pdf/ua-1")
    assert page(*boxes).write_pdf(pdf_variant="pdf/ua-1", cache=drawings) == slow
    assert page(*boxes).write_pdf(pdf_variant="pdf/ua-1", cache=drawings) == slow, "of another document"


def test_a_drawing_is_worked_out_once_for_each_size() -> None:
    small, large = f"url({STAR}) no-repeat 0 0 / 5mm", f"url({STAR}) no-repeat 0 0 / 9mm"
    drawings = Drawings()
    page(small).render(cache=drawings)
    with patch.object(SVG, "draw", autospec=True, side_effect=SVG.draw) as drawn:
        page(small, large, small, small).write_pdf(cache=drawings)
    assert drawn.call_count == 2


def test_what_cannot_be_loaded_is_asked_for_each_time() -> None:
    drawings = Drawings()
    page("url(../assets/icons/none.svg)").write_pdf(cache=drawings)
    assert not drawings
