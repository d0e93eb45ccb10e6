"""What is shown before a layout: pages as they are estimated, those that somebody looks at before all else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path

import pytest

import refgen
from refgen.aids.kind import AidJob
from refgen.aids.kinds import KINDS
from refgen.files import bundled_folder
from refgen.layout.templates import assets
from refgen.pipeline.make_aids import make_aids
from refgen.pipeline.output_files import OutputFiles, Spool
from refgen.pipeline.request import usual_options
from refgen.pipeline.site_pages import GameSites
from refgen.site.address import SiteAddress
from tests.conftest import RICHEST, RICHEST_AND_SOAK, SYSTEMS, game
from tests.pipeline.small_builds import edit, make_project

pytestmark = pytest.mark.slow

AIDS = ("gm-screen-a4", "sheet", "cards", "session-a4")


def jobs(system: str) -> Iterator[AidJob]:
    """All jobs of a game, for A4."""
    aids, errors = make_aids(
        game(system), bundled_folder("content") / system, KINDS, {name: game(name) for name in SYSTEMS}
    )
    assert errors == []
    options = usual_options(["a4"])
    return (job for name, aid in aids.items() for job in KINDS[name].jobs(game(system), aid, options[name]))


def test_aids_are_estimated_as_they_are_laid_out(built: Path) -> None:
    """No estimate of ours is too low: where one was, a layout would make another page of it."""
    printed = [path.parent.name for path in built.glob("*/gm-screen-a4.html")]
    assert {*RICHEST} <= {*printed}
    pages = {f"{system}/{name}.html" for system in printed for name in AIDS}
    found = {path: page for system in printed for job in jobs(system) for path, page in job.draft().files.items()}
    assert found == {path: (built / path).read_bytes() for path in pages}


@pytest.mark.parametrize("system", RICHEST_AND_SOAK)
def test_first_pages_of_the_site_are_as_they_are_built(built: Path, system: str) -> None:
    there = OutputFiles({}, frozenset(path.relative_to(built).as_posix() for path in built.rglob("*.*")), built)
    sites = GameSites({name: game(name) for name in SYSTEMS}, SiteAddress(), None, Spool())
    for files in sites.first_pages(system, there, None):
        assert files == {path: (built / path).read_bytes() for path in files}


class Shown(list[Mapping[str, bytes]]):
    """The files that a build has shown, in turn."""

    def paths(self) -> list[str]:
        return [path for files in self for path in files]


def build(folder: Path, shown: Shown, *first: str, stop: Future[None] | None = None) -> refgen.BuildResult:
    project = refgen.project(folder)
    settings = refgen.BuildSettings(output=folder / "build", games=["fate"], papers=["a4"], jobs=1)
    return project.run(replace(project.request(settings), made=shown.append, first=first, stop=stop))


def test_of_a_game_that_was_never_built_styles_and_all_pages_come_before_all_is_published(tmp_path: Path) -> None:
    folder, shown = make_project(tmp_path), Shown()
    result = build(folder, shown)
    assert shown[0] == assets()
    pages = {path for path in result.files if path.endswith((".html", ".pdf")) and path.startswith("fate/")}
    assert pages <= {*shown.paths()}
    assert "index.html" in shown.paths()
    first_layout = next(index for index, path in enumerate(shown.paths()) if path.endswith(".pdf"))
    assert shown.paths().index("fate/gm-screen-a4.html") < first_layout


@pytest.mark.parametrize("path", ["fate/gm-screen-a4.html", "fate/rules.html", "fate/tables/skills.html"])
def test_after_an_edit_a_page_that_is_looked_at_comes_first(folder: Path, path: str) -> None:
    shown = Shown()
    build(folder, Shown())
    before = (folder / "build" / path).read_bytes()
    edit(folder, "Superb", "Splendid")
    build(folder, shown, path)
    assert [*shown[0]] == [path]
    assert shown[0][path] == (folder / "build" / path).read_bytes() != before
    not_laid_out = [files for files in shown if not any(name.endswith(".pdf") for name in files)]
    early = {name for files in not_laid_out for name in files} - {"fate/gallery.html"}  # the last step, of no output
    assert early == {path}  # nobody waits for the estimates of others


def test_a_page_that_is_known_from_before_comes_first_too(folder: Path) -> None:
    shown, path = Shown(), "fate/gm-screen-a4.html"
    build(folder, Shown())
    before = (folder / "build" / path).read_bytes()
    edit(folder, "Superb", "Splendid")
    build(folder, Shown())
    edit(folder, "Splendid", "Superb")
    build(folder, shown, path)
    assert shown[:1] == [{path: before}]


class GivenUpError(Exception):
    pass


def test_a_build_that_is_told_to_stop_leaves_the_output_and_goes_on_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFGEN_CACHE", str(tmp_path / "cache"))
    folder, stop, shown = make_project(tmp_path), Future[None](), Shown()

    class StopAtPdf(Shown):
        def append(self, files: Mapping[str, bytes]) -> None:
            if any(path.endswith(".pdf") for path in files) and not stop.done():
                stop.set_exception(GivenUpError())

    with pytest.raises(GivenUpError):
        build(folder, StopAtPdf(), stop=stop)
    assert not (folder / "build").exists()
    result = build(folder, shown)
    assert (len(result.kept), len(result.made)) == (1, 1)
