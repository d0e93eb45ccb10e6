"""What is shown at once is what a build makes, as far as can be known without a layout."""

from __future__ import annotations

from pathlib import Path

import pytest

from refgen.api.building import Asked
from refgen.pipeline.job import draft
from refgen.pipeline.site import site_drafts
from refgen.render.assets import assets
from refgen.serve.drafts import Drafts
from refgen.serve.faults import Faults
from refgen.serve.live import Live, Part
from refgen.serve.pages import Pages
from tests.conftest import SYSTEMS, game
from tests.resolver.systems.small import project

pytestmark = pytest.mark.slow

AIDS = ("gm-screen-*", "sheet", "cards", "session-*")


@pytest.fixture(scope="module")
def drafts() -> dict[str, str]:
    live = Live(Asked())
    parts = [live.part(system) for system in SYSTEMS]
    assert [error for part in parts for error in part.errors] == []
    return {path: page.decode() for part in parts for job in part.jobs for path, page in draft(job).files.items()}


def test_every_page_of_an_aid_is_drafted(built: Path, drafts: dict[str, str]) -> None:
    pages = {path.relative_to(built).as_posix() for name in AIDS for path in built.glob(f"*/{name}.html")}
    assert len(pages) == 6 * len(SYSTEMS)
    assert drafts.keys() == pages


def test_a_page_is_shown_with_its_styles_before_the_first_build(tmp_path: Path) -> None:
    asked = Asked(str(tmp_path), output=str(tmp_path / "build"))
    pages = Pages(tmp_path / "build")
    project(tmp_path, "fate")
    Drafts(Live(asked), Faults(), pages)
    assert {path: pages.read(path.split("/")) for path in assets()} == assets()


@pytest.mark.parametrize("path", ["fate/gm-screen-a4.html", "fate/rules.html"])
def test_what_is_looked_at_is_shown_before_the_rest_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    folder = project(tmp_path, "fate") / "content" / "fate"
    (folder / "screen.toml").write_text('[[panels]]\ntitle = "Ladder"\nblocks = [{ table = "skills" }]\n')
    live, pages = Live(Asked(str(tmp_path), output=str(tmp_path / "build"))), Pages(tmp_path / "build")
    drafts = Drafts(live, Faults(), pages)
    drafts.begin("fate")
    before = pages.read(path.split("/"))
    document = folder / "rules.md"
    document.write_text(document.read_text(encoding="utf-8").replace("+5", "+6"), encoding="utf-8")
    pages.note_open(1, path)
    shown = []
    read = live.part

    def part(name: str) -> Part:
        shown.append(pages.read(path.split("/")))
        return read(name)

    monkeypatch.setattr(live, "part", part)
    assert live.look(None).games == {"fate"}
    drafts.renew(["fate"], then=lambda: None)
    assert shown == [pages.read(path.split("/"))] != [before]


def test_aids_are_drafted_as_they_are_built(built: Path, drafts: dict[str, str]) -> None:
    """No estimate of ours is too low: where one was, a layout would make another page of it."""
    assert [path for path, page in drafts.items() if page != (built / path).read_text(encoding="utf-8")] == []


def test_pages_of_the_site_are_drafted_as_they_are_built(built: Path) -> None:
    there = [path.relative_to(built).as_posix() for path in built.rglob("*.*")]
    for system in SYSTEMS:
        for path, make in site_drafts(game(system), {}, there, built):
            assert make() == (built / path).read_bytes(), path
