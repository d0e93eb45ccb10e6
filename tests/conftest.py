"""What the tests share: the five games, loaded from our documents, and one build of them all."""

from __future__ import annotations

import gc
import os
import re
import shutil
import signal
import tempfile
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from shlex import quote
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Protocol

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers

import refgen
from refgen.files import bundled_folder
from tests import sharing
from tests.sharing import Shared
from tests.waiting import PATIENCE

if TYPE_CHECKING:  # the process that hands tests to workers reads this file too, and needs no game
    from playwright.sync_api import Browser, Playwright

    from refgen.api.game import Game as PublicGame
    from refgen.api.project import Project
    from refgen.game import GameModel, GameRules
    from refgen.rules.model import Cell, RuleTable

# The same examples every time, so that a change fails or passes for what it is; slow machines are no failure.
# HYPOTHESIS_PROFILE=explore looks for new ones, and for more: `make soak` does.
settings.register_profile("steady", derandomize=True, deadline=None, max_examples=50)
settings.register_profile("explore", deadline=None, max_examples=500)
PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "steady")
settings.load_profile(PROFILE)
if PROFILE == "steady":
    # Else Hypothesis reads the constants of all our modules, for two seconds in each process, and tries other examples
    # after any change of any module. It has no setting for that.
    vars(providers)["is_local_module_file"] = lambda _path: False

# Commands that tests start take signals. Tests under nohup, or in the background of a shell, are born with signals
# ignored, and processes inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

MEMORY, ROOM = Path("/dev/shm"), 4 * 2**30


def is_roomy(folder: Path) -> bool:
    """Whether a folder has room for all that tests write, and programs there can be started."""
    if not os.access(folder, os.W_OK | os.X_OK):
        return False
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize >= ROOM and not found.f_flag & os.ST_NOEXEC


# A build syncs every file, and a disk takes milliseconds for each: temporary files, also of commands, are in memory.
if "TMPDIR" not in os.environ and is_roomy(MEMORY):
    os.environ["TMPDIR"] = os.environ["PYTEST_DEBUG_TEMPROOT"] = str(MEMORY)

os.environ["REFGEN_CACHE"] = "none"  # tests ask what is made, not what was; those of the cache have their own

ROOT = Path(__file__).parent
LONGEST = (
    "originals/test_build.py",  # its builds keep both cores busy while others wait for theirs
    "pipeline/test_cache.py",
    "serve/test_serving.py",
    "pipeline/executors/test_cluster.py",
    "browser/test_site.py",
    "aids/sheet/test_template.py",
    "test_cli.py",
    "pipeline/test_resilience.py",
    "pipeline/test_without_posix.py",
    "test_distribution.py",
    "pipeline/test_looks.py",
    "pipeline/test_fill.py",
    "pipeline/test_faults.py",
    "pipeline/test_memory.py",
    "pipeline/test_changing_content.py",
    "proposals/test_chances.py",
    "test_files.py",
    "browser/test_access.py",
    "fuzz/test_fuzz.py",
    "pipeline/test_estimates.py",
    "browser/test_values.py",
    "pipeline/test_without_pango.py",
    "pipeline/test_templates.py",
    "pipeline/test_build.py",
    "aids/screen/test_kind.py",
    "pipeline/test_stopping.py",
    "commands/test_odds.py",
    "pipeline/test_tutorial.py",
    "browser/test_form.py",
    "pipeline/test_browser.py",
    "browser/test_search.py",
    "browser/test_print.py",
    "browser/test_explore.py",
    "browser/test_files.py",
    "browser/test_dice.py",
    "aids/session/test_session.py",
    "blocks/test_measure.py",
    "pipeline/test_pdfs.py",
    "pipeline/test_new_game.py",
    "readers/test_nothing_lost.py",
    "checks/test_mutation.py",
    "serve/test_builder.py",
    "aids/sheet/test_interactive.py",
    "browser/test_odds.py",
    "aids/booklet/test_booklet.py",
    "browser/test_pdf.py",
    "pipeline/test_screens.py",
    "originals/test_checks.py",
    "browser/test_calculation.py",
    "pipeline/executors/test_processes.py",
    "pipeline/test_wheel.py",
    "aids/sheet/test_planner.py",
    "browser/test_evaluate.py",
    "checks/test_results.py",
    "pipeline/test_howto.py",
    "api/test_schemas.py",
    "aids/sheet/test_form_fields.py",
    "aids/screen/test_proposal.py",
    "commands/test_init.py",
    "checks/test_mutation_harness.py",
    "content/test_examples.py",
    "layout/readback/test_drawn.py",
    "pipeline/test_output.py",
    "export/test_markdown_pages.py",
    "layout/engine/test_pdf.py",
    "proposals/test_rules_files.py",
    "originals/test_coverage.py",
    "commands/test_start.py",
    "layout/drawn/test_bundled.py",
    "resolver/dice/test_evaluate.py",
    "pipeline/test_readback.py",
    "proposals/test_tables.py",
    "pipeline/test_proposed_aids.py",
    "layout/readback/test_compare.py",
    "site/test_valid_html.py",
    "layout/test_join.py",
    "proposals/test_printed_odds.py",
    "words/test_no_english_left.py",
    "proposals/test_merge.py",
    "readers/test_odd_documents.py",
    "proposals/test_random_tables.py",
    "layout/test_metrics.py",
    "test_limits.py",
    "checks/test_coverage.py",
    "api/test_game.py",
    "api/test_surface.py",
    "serve/test_in_browser.py",
    "look/test_load.py",
    "pipeline/test_docs.py",
)
"""The files of tests that take over two seconds, longest first; what needs the build of all waits for it."""

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
UNUSED = "WebUIOmniboxPopup,WebUIOmniboxAimPopup"
"""Two pages of suggestions under the address line, which nobody sees: with each new page Chromium makes them ready,
which takes it twice as long as our own page."""
BROWSER = """#!/usr/bin/env bash
exec {path} "${{@/#--disable-features=/--disable-features={unused},}}"
"""
"""Adds to what Playwright turns off: Chromium heeds the last such list alone."""
SELDOM = (1_500_000, 20, 100)
"""As ``gc.set_threshold`` has them: so many objects take a few hundred megabytes."""
MUCH = 100_000
"""Objects that a test leaves: some twenty megabytes."""
SYSTEMS = ("atari-isev", "fudge-1995", "harmonies", "interactive-history", "polyhedral-fudge")
RICHEST = ("atari-isev", "interactive-history")
"""The games whose sheets have parts of every kind, and whose tables are the largest."""
LETTER = "harmonies"
"""The game that is built on US Letter every time, as the richest are on A4; site and data are built of all."""
BOOKLETS = (LETTER, "atari-isev")
"""The games whose booklets are built every time."""


def others_in_soak(every_time: Collection[object], everything: Iterable[object]) -> list[object]:
    """Parameters of a test: some are tried every time, and the others in ``make soak``."""
    values = [(each, each if isinstance(each, tuple) else (each,)) for each in everything]
    return [pytest.param(*value, marks=[] if each in every_time else pytest.mark.soak) for each, value in values]


ON_PAPER = others_in_soak(
    [*((system, "a4") for system in RICHEST), (LETTER, "letter")],
    [(system, paper) for paper in ("a4", "letter") for system in SYSTEMS],
)
"""Each game on each paper, as the shared build has it: two games on A4, one on US Letter, all in ``make soak``."""
RICHEST_AND_SOAK = others_in_soak(RICHEST, SYSTEMS)
"""All games: the richest are tried every time, and the others in ``make soak``."""


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One worker a core; for the slow tests two more, which compute while others wait for processes and browsers."""
    waits = "not slow" not in config.option.markexpr
    return len(os.sched_getaffinity(0)) + 2 * waits


def wants_soak(config: pytest.Config) -> bool:
    """Whether the soak tests are asked for: ``-m soak``, but not ``-m "originals and not soak"``."""
    return re.search(r"(?<!\bnot )\bsoak\b", config.option.markexpr) is not None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Without the soak tests, unless they are asked for; what takes longest first, so that short ones are at the end.

    A file stays whole: its tests share what they lay out, start and open.
    """
    if not wants_soak(config):
        soak = [item for item in items if item.get_closest_marker("soak")]
        config.hook.pytest_deselected(items=soak)
        items[:] = [item for item in items if item not in soak]
    rank = {ROOT / name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: rank.get(item.path, len(rank)))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is collected stays until the end: to look for garbage among it takes a seventh of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


def pytest_runtest_setup() -> None:
    """Garbage is looked for only among what a test itself makes: seldom while it runs, and once it left much.

    What is still there then stays until the end, and is not looked through again.
    """
    gc.set_threshold(*SELDOM)
    young, searches, _ = gc.get_count()
    if searches or young > MUCH:
        gc.collect(1)
    gc.freeze()


@cache
def game(system: str) -> GameModel:
    """A bundled game, from its own document."""
    from refgen.game import load_game

    return load_game(bundled_folder("content") / system)


@cache
def ours(system: str) -> GameRules:
    """The rules of a bundled game, from its own document."""
    return game(system).ruleset


@cache
def public_game(system: str) -> PublicGame:
    """The same game, as commands and Python have it; what follows from its rules is worked out once for both."""
    from refgen.api.game import Game as PublicGame

    folder = bundled_folder("content") / system
    found = PublicGame(ours(system), folder, refgen.project(folder.parent).build)
    found.computed = game(system).computed
    return found


def computed(system: str) -> Mapping[str, RuleTable]:
    """The computed tables of a bundled game."""
    return game(system).computed


def texts(table: RuleTable, *columns: str) -> list[list[str]]:
    """The cells of some columns of a table, row by row."""
    indexes = [index for column in columns if (index := table.index(column)) is not None]
    assert len(indexes) == len(columns)
    return [[row[index].text for index in indexes] for row in table.rows]


def exact(cell: Cell) -> Fraction:
    """The exact number of a cell that has one."""
    assert cell.exact is not None
    return cell.exact


@pytest.fixture
def commands_share_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands that run in this process take a bundled game, read from its own document, from those that ran before.

    For tests of what commands say; how games are loaded and worked out, each time again, others ask.
    """
    from refgen.api.project import Project

    load = Project._load

    def load_once(project: Project, name: str) -> PublicGame:
        folder = project.folders[name]
        if folder != bundled_folder("content") / name or name in project._folders.documents:
            return load(project, name)
        return public_game(name)

    monkeypatch.setattr(Project, "_load", load_once)


Loaded = Callable[[str], "GameRules"]
"""Gives the rules of a game by its id."""


@pytest.fixture(scope="session")
def loaded() -> Loaded:
    """The rules of the bundled games, from our documents. Tests that ask for it run again on the originals."""
    return ours


@pytest.fixture(scope="session", autouse=True)
def _temporary_files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """All are removed at the end: WeasyPrint's fonts too, which go with layouts, but not with those left as garbage."""
    base = tmp_path_factory.getbasetemp()
    with TemporaryDirectory(dir=base, ignore_cleanup_errors=True) as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(tempfile, "tempdir", folder)
        yield


@pytest.fixture(scope="session", autouse=True)
def shared(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Shared:
    """Folders that are made once for all workers, beside those of each."""
    own = tmp_path_factory.getbasetemp()
    sharing.share_in(own if worker_id == "master" else own.parent)
    return sharing.shared


class Builds(Protocol):
    """Builds into a folder, from some documents in place of ours: everything, or what settings of builds leave."""

    def __call__(self, output: Path, documents: list[str], **settings: Any) -> refgen.BuildResult: ...


@pytest.fixture(scope="session")
def build_all(shared: Shared) -> Builds:
    """Builds everything that is bundled, with as many processes as there are cores, from other documents if need be.

    Such builds share a cache: of pages that are the same to the letter, one is laid out.
    """
    cache = shared("cache", Path.mkdir)

    def build(output: Path, documents: list[str], **settings: Any) -> refgen.BuildResult:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("REFGEN_CACHE", str(cache))
            return refgen.project(None, documents, bundled=True).build(refgen.BuildSettings(output=output, **settings))

    return build


@pytest.fixture(scope="session")
def built(shared: Shared, build_all: Builds, pytestconfig: pytest.Config) -> Path:
    """The output folder of a build of everything, all of which was read back without a mismatch.

    There are aids of two games on A4 and of one on US Letter, and two booklets for A4; in ``make soak`` there are all.
    """
    from refgen.aids.kinds import KINDS
    from refgen.pipeline.request import PRODUCTS

    def build(output: Path) -> None:
        in_part: list[dict[str, Any]] = [
            {"games": [LETTER], "papers": ["letter"], "only": [*KINDS]},
            {"games": BOOKLETS, "papers": ["a4"], "only": ["booklet"]},
            {"games": RICHEST, "papers": ["a4"], "only": [kind for kind in KINDS if kind != "booklet"]},
            {"only": [product for product in PRODUCTS if product not in KINDS]},
        ]
        for each in [{}] if wants_soak(pytestconfig) else in_part:
            result = build_all(output, [], **each)
            assert (result.errors, result.mismatches) == ([], [])

    return shared("build", build)


@pytest.fixture(scope="session")
def site(built: Path) -> Path:
    """The docs site of that build."""
    return built


@pytest.fixture(scope="session")
def executable(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What starts the browser of this machine, without what only its own window needs."""
    path = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if path is None:
        pytest.skip(f"no browser is installed: one of {', '.join(BROWSERS)}")
    script = tmp_path_factory.mktemp("browser") / "chromium"
    script.write_text(BROWSER.format(path=quote(path), unused=UNUSED), encoding="utf-8")
    script.chmod(0o755)
    return str(script)


@pytest.fixture(scope="session")
def browsers() -> Iterator[Playwright]:
    """What starts browsers, once a process: a second one beside it would be refused."""
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE * 1000)
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def chromium(executable: str, browsers: Playwright) -> Iterator[Browser]:
    """One browser for all tests of a process."""
    browser = browsers.chromium.launch(executable_path=executable, args=["--no-sandbox"], timeout=PATIENCE * 1000)
    yield browser
    browser.close()
