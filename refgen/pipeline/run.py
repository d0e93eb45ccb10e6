"""Run a build.

In: a Project and BuildOptions. Out: a BuildResult: what was made and what failed. A system or aid that fails does
not take the others down; its earlier output stays.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from refgen.aids.gm_screen import GmScreen, screen_of_file
from refgen.aids.system_info import SystemInfo
from refgen.checks.finding import CheckReport
from refgen.errors import RefgenError, RenderError, each_error
from refgen.export.check import check_data
from refgen.export.model import json_text
from refgen.export.tables import tables_data
from refgen.game.game import Game
from refgen.pipeline.prepare import Kind, Prepared, prepare
from refgen.pipeline.progress import Progress
from refgen.pipeline.project import Project
from refgen.pipeline.publish import Made, check_output, kept, publish
from refgen.pipeline.site import make_site
from refgen.pipeline.work import Done, Job, do
from refgen.render.assets import assets
from refgen.render.page_format import PageFormat
from refgen.render.pdf import warm_up
from refgen.render.readback.mismatch import Mismatch
from refgen.render.readback.site import read_back_site

SHARED = "shared"
"""The part of a build that belongs to no game: style sheets, fonts, the first page of the site."""

STANDALONE = "standalone"
"""What the parts of screens begin with that belong to no game."""


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """What to build of which games of the project, in which formats, where to, and in how many processes.

    ``formats`` are those of each kind of aid; ``players``: with the players' side of screens, or without. ``screens``
    are files of screens that belong to no game, by name.
    """

    games: Sequence[str]
    kinds: frozenset[Kind]
    formats: Mapping[Kind, Sequence[PageFormat]]
    output: Path
    jobs: int
    players: bool = True
    screens: Mapping[str, Path] = field(default_factory=dict)


@dataclass
class BuildResult:
    """What a build made, as paths relative to the output, what went wrong, and what is not as the model says.

    ``notes`` say which characters' sheets were not made the usual way.
    """

    files: list[str] = field(default_factory=list)
    errors: list[RefgenError] = field(default_factory=list)
    reports: list[CheckReport] = field(default_factory=list)
    mismatches: list[Mismatch] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def first(self) -> str:
        """The file to open first, or "" for the folder."""
        shown = [name for name in self.files if name.endswith((".html", ".pdf"))]
        return "index.html" if "index.html" in shown else next(iter(shown), "")


def build(project: Project, options: BuildOptions, progress: Progress) -> BuildResult:
    """Build. Raises RefgenError only for what concerns all: the output folder, an unknown game."""
    check_output(options.output)
    result = BuildResult()
    with _workers(options.jobs) as run:
        prepared = _prepare_all(project, options, result)
        jobs = [job for system in prepared.values() for job in _jobs(system, options)]
        jobs += _standalone_screens(project, options, result)
        jobs.sort(key=lambda job: -job.weight)  # the longest first, so that no worker ends up alone with one
        finished = _finish(run, jobs, progress)
    result.errors += [error for done in finished for error in done.errors]
    result.mismatches += [mismatch for done in finished for mismatch in done.mismatches]
    files, parts = _collect(prepared, finished, options.kinds)
    if Kind.SITE in options.kinds:
        stays = [made.path for made in _stays(project, options, parts)]
        available = [*files, *stays]
        site = make_site(prepared, files, stays, options.output)
        files |= site.files
        parts |= {path: _site_part(path) for path in site.files}
        result.mismatches += read_back_site(site.pages, site.summaries, site.files, [*available, *site.files])
    publish(options.output, files, parts, _stays(project, options, parts))
    result.errors = list({str(error): error for error in result.errors}.values())  # one cause may fail many jobs
    result.files = sorted(files)
    return result


def _stays(project: Project, options: BuildOptions, parts: Mapping[str, str]) -> list[Made]:
    """What stays of an earlier build: all that is not made anew, except what belongs to systems that are gone."""
    made_anew = frozenset(parts.values())

    def goes(part: str) -> bool:
        owner = part.partition("/")[0]
        return part in made_anew or (owner not in (SHARED, STANDALONE) and owner not in project.folders)

    return kept(options.output, goes)


def _site_part(path: str) -> str:
    system, slash, _ = path.partition("/")
    return f"{system}/{Kind.SITE}" if slash else SHARED


def _prepare_all(project: Project, options: BuildOptions, result: BuildResult) -> dict[str, Prepared]:
    prepared = {}
    for name in options.games:
        try:
            prepared[name] = prepare(project.games[name], project.folders[name], options.kinds, project.games)
        except RefgenError as error:
            result.errors += each_error(error)
        else:
            result.errors += prepared[name].errors
            result.reports.append(prepared[name].game.check())
    return prepared


def _jobs(prepared: Prepared, options: BuildOptions) -> Iterator[Job]:
    system = SystemInfo.of(prepared.game)
    for kind, aid in prepared.aids.items():
        if isinstance(aid, GmScreen):
            yield from _screen_jobs(system, aid, options)
        else:
            yield Job(system, kind, aid, options.formats[kind])


def _screen_jobs(system: SystemInfo, screen: GmScreen, options: BuildOptions) -> Iterator[Job]:
    """A job for each format, so that a single screen keeps two workers busy."""
    sides = screen if options.players else screen.without_players()
    for page_format in options.formats[Kind.SCREEN]:
        yield Job(system, Kind.SCREEN, sides, [page_format])


def _standalone_screens(project: Project, options: BuildOptions, result: BuildResult) -> Iterator[Job]:
    """The screens that belong to no game; one that fails takes no other down."""
    for name, path in options.screens.items():
        try:
            screen, main = screen_of_file(path, project.games)
            system = SystemInfo.of(main)
        except RefgenError as error:
            result.errors.append(error)
        else:
            result.errors += screen.faults
            system = replace(system, id=name, title=screen.title or system.title)
            yield from _screen_jobs(system, screen, options)


Runner = Callable[[Sequence[Job]], Iterator[Done]]
"""Does jobs, and hands out each result as soon as it is there."""


@contextmanager
def _workers(count: int) -> Iterator[Runner]:
    """Worker processes, each with a warm WeasyPrint; a single one is this process itself."""
    if count == 1:
        yield lambda jobs: map(do, jobs)
        return
    # A forked worker shares the memory of what is loaded already; elsewhere than on Linux forking is not safe.
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    with ProcessPoolExecutor(count, context, initializer=warm_up) as pool:
        for _ in range(count):
            pool.submit(os.getpid)  # start all of them now, so that they warm up while the rules are read
        yield partial(_in_pool, pool)


def _do_and_clear(job: Job) -> Done:
    """Do a job and forget its layouts: they are large, and WeasyPrint removes their fonts from the disk with them."""
    done = do(job)
    gc.collect()
    return done


def _in_pool(pool: ProcessPoolExecutor, jobs: Sequence[Job]) -> Iterator[Done]:
    pending = {pool.submit(_do_and_clear, job): job for job in jobs}
    for future in as_completed(pending):
        yield _result(future, pending[future])


def _result(future: Future[Done], job: Job) -> Done:
    try:
        return future.result()
    except (OSError, MemoryError, RuntimeError) as error:
        failure = RenderError(f"{job.title}: the worker failed: {error}", hint="Try again with --jobs 1.")
        return Done(job, {}, errors=[failure])


def _finish(run: Runner, jobs: Sequence[Job], progress: Progress) -> list[Done]:
    """The results of all jobs, in the order of the jobs, each reported as it comes."""
    done: dict[str, Done] = {}
    for number, result in enumerate(run(jobs), start=1):
        done[result.job.title] = result
        progress(result.job.title, number, len(jobs))
    return [done[job.title] for job in jobs]


def _collect(
    prepared: Mapping[str, Prepared], finished: Sequence[Done], kinds: frozenset[Kind]
) -> tuple[dict[str, bytes], dict[str, str]]:
    """All files but the site's, and the part that each belongs to: the old file of an aid that failed must stay."""
    files: dict[str, bytes] = {}
    parts: dict[str, str] = {}
    for done in finished:
        owner = "" if done.job.system.id in prepared else f"{STANDALONE}/"
        parts |= {path: owner + path.rpartition(".")[0] for path in done.files}
        files |= done.files
        shown = {path: f"{owner}{path.rpartition('-')[0]}-previews" for path in done.previews}
        if not {*shown.values()} & {*parts.values()}:  # else another format's show the same
            parts |= shown
            files |= done.previews
    if Kind.DATA in kinds:
        for system, ready in prepared.items():
            data = _data_files(ready.game)
            files |= data
            parts |= dict.fromkeys(data, f"{system}/{Kind.DATA}")
    shared = dict(assets())
    return files | shared, parts | dict.fromkeys(shared, SHARED)


def _data_files(game: Game) -> dict[str, bytes]:
    return {
        f"{game.id}/tables.json": json_text(tables_data(game)).encode(),
        f"{game.id}/check.json": json_text(check_data([game.check()])).encode(),
    }
