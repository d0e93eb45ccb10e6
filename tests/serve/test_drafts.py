"""What is shown at once is what a build makes, as far as can be known without a layout."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from refgen.api.building import Asked
from refgen.pipeline.draft import Drafter
from refgen.serve.live import Live
from tests.conftest import SYSTEMS

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def drafts() -> dict[str, str]:
    live, drafter = Live(Asked()), Drafter()
    parts = [live.part(system) for system in SYSTEMS]
    assert [error for part in parts for error in part.errors] == []
    return {
        path: page.decode() for part in parts for job in part.jobs for path, page in drafter.draft(job).files.items()
    }


def test_every_page_of_an_aid_is_drafted(built: Path, drafts: dict[str, str]) -> None:
    pages = {path.relative_to(built).as_posix() for path in built.glob("*/*.html")}
    assert drafts.keys() == {path for path in pages if not path.endswith("/index.html")}


def test_screens_and_sheets_are_drafted_as_they_are_built(built: Path, drafts: dict[str, str]) -> None:
    others = {
        path
        for path, page in drafts.items()
        if page != (built / path).read_text(encoding="utf-8") and "cards" not in path
    }
    assert others == set()


@pytest.mark.parametrize("system", SYSTEMS)
def test_cards_are_drafted_in_about_the_type_that_they_are_built_in(
    built: Path, drafts: dict[str, str], system: str
) -> None:
    path = f"{system}/cards.html"
    drafted, made = drafts[path], (built / path).read_text(encoding="utf-8")
    assert texts(drafted) == texts(made)
    off = sorted(abs(one - other) for one, other in zip(sizes_of(drafted), sizes_of(made), strict=True))
    assert off[-1] <= 3.5
    assert off[len(off) * 2 // 3] <= 0.5


def texts(page: str) -> list[str]:
    """The words of a page."""
    return re.sub(r"<[^>]*>", " ", page.partition("<body>")[2]).split()


def sizes_of(page: str) -> list[float]:
    """The type size of each card."""
    return [float(size) for size in re.findall(r'style="--size: ([\d.]+)pt', page)]
