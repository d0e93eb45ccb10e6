"""Run a build: do the graph of its steps, and publish their results.

In: a Project and a BuildRequest. Out: a BuildResult. A game or aid that fails does not
take the others down; its earlier output stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from functools import partial

from refgen.aids.kind import AidJob
from refgen.aids.kinds import KINDS, load_layouts
from refgen.errors import RefgenError, RenderError
from refgen.gc_tuning import disable_gc
from refgen.layout.templates import assets
from refgen.pipeline.digests import file_digest
from refgen.pipeline.executors import StepExecutor
from refgen.pipeline.executors.loop import StepBegun, executor, run_steps
from refgen.pipeline.games import AidResults, FinishedGame, GameSteps
from refgen.pipeline.graph import BuildGraph, JobResult, Step, StepKind, StoredPages, keep_result, run_job
from refgen.pipeline.output_files import (
    SHARED,
    SITE,
    STANDALONE,
    BuildFiles,
    ManifestEntry,
    OutputFiles,
    Spool,
    read_manifest,
    site_part,
    staying_entries,
)
from refgen.pipeline.project import ProjectFolders
from refgen.pipeline.publish import check_output, differences, publish, publishing
from refgen.pipeline.request import BuildRequest
from refgen.pipeline.result import BuildResult, Event, Progress, State, no_progress, step
from refgen.pipeline.site_pages import GameSites, gone_pages, make_site

FIRST_PAGE = "index"
"""The part that is of the whole site: its first page, and what searches it."""


def build(project: ProjectFolders, request: BuildRequest, progress: Progress = no_progress) -> BuildResult:
    """Build. Raises RefgenError only for what concerns all: the output folder, an unknown game."""
    check_output(request.output, compares=request.compares)
    with closing(Spool()) as spool:
        run = _Run(project, request, progress, spool)
        return run.done()


def plan(project: ProjectFolders, request: BuildRequest) -> BuildResult:
    """Find out which steps a build would take from its store (``kept``), and which it would do (``made``)."""
    with closing(Spool()) as spool:
        run = _Run(project, request, no_progress, spool)
        graph = BuildGraph(step for step in run.steps() if step.kind < StepKind.PAGES)
        for _ in graph.jobs():
            pass
        return run.result


@dataclass(slots=True)
class _Run:
    """A run of a build, with everything that its steps share."""

    project: ProjectFolders
    request: BuildRequest
    progress: Progress
    spool: Spool
    result: BuildResult = field(default_factory=BuildResult)
    games: GameSteps = field(init=False)
    sites: GameSites = field(init=False)

    def __post_init__(self) -> None:
        request = self.request
        self.sites = GameSites(self.project.games, request.published, request.store, self.spool)
        earlier = _earlier(request)
        self.games = GameSteps(self.project, request, self.spool, self.sites, earlier, self.progress, self.result)

    def steps(self) -> Iterator[Step]:
        """The steps of all games and screens."""
        for name in self.request.games:
            yield from self.games.of_game(name)
        yield from self.games.of_screens()

    def done(self) -> BuildResult:
        """Do all steps, and publish."""
        request = self.request
        if request.made:
            request.show(self._new_assets())
        graph = BuildGraph(self.steps(), request.check_stop)
        with executor(request.executor, request.jobs, None if request.lays_out else disable_gc) as pool:
            if request.lays_out and not all(map(self.games.is_known, request.games)):
                load_layouts(request.products)  # once for all processes
                pool.start()  # they warm up while the rules are read
            self._do_jobs(graph, pool)
        values = graph.finish()
        if request.store:
            request.store.trim()
            self.result.fault = request.store.fault
        with publishing(request.output) as output:
            _Publication(self, replace(request, output=output), values).publish()
        self.result.errors = list(
            {str(error): error for error in self.result.errors}.values()
        )  # one may fail many jobs
        return self.result

    def _new_assets(self) -> Mapping[str, bytes]:
        """The style sheets and fonts that the output does not have yet."""
        known = {made.path for made in self.games.earlier.get("assets", ())}
        return {
            path: data for path, data in assets().items() if path not in known or not _is_in(self.request, path, data)
        }

    def _do_jobs(self, graph: BuildGraph, pool: StepExecutor) -> None:
        """Do all jobs, each by whatever process is free."""
        begun: dict[int, AidJob] = {}
        store = self.request.store if pool.shares_files else None
        make = partial(run_job, kept=StoredPages(store)) if store else run_job
        done = 0
        for each in run_steps(pool, make, _numbered(graph.jobs(), begun), graph.on_idle, self.request.stop):
            job = begun[each.number]
            if isinstance(each, StepBegun):
                self.progress(Event("again" if each.because else "begun", job.title, job.kind, reason=each.because))
                continue
            del begun[each.number]
            result = each.outcome if isinstance(each.outcome, JobResult) else _failed(job, each.outcome)
            done += 1
            self._take(graph, result)
            reason = str(result.errors[0]) if result.errors else ""
            state: State = "failed" if result.errors else "done"
            self.progress(Event(state, job.title, job.kind, each.seconds, done, graph.total, reason))

    def _take(self, graph: BuildGraph, result: JobResult) -> None:
        """Keep what came of a job, and show it."""
        self.request.show(result.files)
        if self.request.store:
            keep_result(self.request.store, result, self.result.shown[result.title])
        if result.errors:
            self.result.failing.add(result.game)
            self.result.failed.append(f"{result.title} in part" if result.files else result.title)
        graph.take(result.spooled(self.spool))


def _numbered(jobs: Iterator[AidJob], begun: dict[int, AidJob]) -> Iterator[AidJob]:
    for number, job in enumerate(jobs):
        begun[number] = job
        yield job


def _failed(job: AidJob, error: Exception) -> JobResult:
    """The result of a job that fails for lack of room, or with its worker; a fault in refgen is raised as it is."""
    if not isinstance(error, (OSError, MemoryError, RuntimeError)):
        raise error
    failure = RenderError(f"{job.title}: the worker failed: {error}", hint="Try again with --jobs 1.")
    return JobResult(job.title, job.system.id, {}, errors=[failure])


def _earlier(request: BuildRequest) -> Mapping[str, Sequence[ManifestEntry]]:
    """The files of an earlier build, by the first folder of their paths; none where the manifest cannot be read."""
    found: dict[str, list[ManifestEntry]] = {}
    with suppress(RefgenError, OSError):
        for made in read_manifest(request.output):
            if (request.output / made.path).is_file():
                found.setdefault(made.path.partition("/")[0], []).append(replace(made, inputs={}))
    return found


def _is_in(request: BuildRequest, path: str, data: bytes) -> bool:
    return (request.output / path).read_bytes() == data


@dataclass(slots=True)
class _Publication:
    """Puts the files of a run into the output, together with the site, which lists them."""

    run: _Run
    request: BuildRequest
    values: Mapping[str, object]
    found: BuildFiles = field(default_factory=BuildFiles.shared)

    @property
    def games(self) -> Mapping[str, FinishedGame]:
        """The games that did not fail, by name."""
        return {value.data.summary.id: value for value in self.values.values() if isinstance(value, FinishedGame)}

    def publish(self) -> None:
        """Publish all, or find out how the output differs."""
        request, result, found = self.request, self.run.result, self.found
        self._collect()
        stays = self._stays()
        if SITE in request.products or any(made.part == FIRST_PAGE for made in stays):
            self._add_site(stays)
        stays, inputs = self._stays(), self._inputs()
        if request.compares:
            result.differences = differences(request.output, found.files, found.parts, inputs, stays)
        else:
            with step(self.run.progress, str(request.output), "publish"):
                publish(request.output, found.files, found.parts, stays, inputs)
        result.files = sorted(found.files)

    def _collect(self) -> None:
        """Collect the files of all games and screens, and what went wrong with them."""
        for name, game in self.games.items():
            self.found.add_game(name, game.data.files, game.results)
        screens = [self.values[f"screen {name}"] for name in self.request.screens]
        results = [result for each in screens if isinstance(each, AidResults) for result in each.results]
        self.found.add_results(results, f"{STANDALONE}/")
        for one in (*(result for game in self.games.values() for result in game.results), *results):
            self.run.result.errors += one.errors
            self.run.result.mismatches += one.mismatches

    def _add_site(self, stays: Sequence[ManifestEntry]) -> None:
        request, result, found = self.request, self.run.result, self.found
        made_anew = {FIRST_PAGE, *map(site_part, self.games)}
        paths = frozenset(made.path for made in stays if made.part not in made_anew)
        with step(self.run.progress, "site", "site"):
            there = OutputFiles(found.files, paths, request.output)
            letters = self.run.project.written.dice_letters
            site = make_site([game.data for game in self.games.values()], there, self.run.sites, letters)
        for path in site.files:
            found.parts[path] = FIRST_PAGE if path in site.first else site_part(path.partition("/")[0])
        found.files.add(site.files)
        result.mismatches += site.mismatches
        result.notes += site.notes
        result.errors += site.errors
        if request.published.base_url:
            result.notes += gone_pages([made.path for made in stays if made.part in made_anew], site.files)

    def _inputs(self) -> dict[str, dict[str, str]]:
        """The digests of the files that each part of a build is made of."""
        inputs, request, games = self.run.games.inputs, self.request, self.games
        found = {}
        of_games: dict[frozenset[str], dict[str, str]] = {}  # many parts are made of the same
        for part in set(self.found.parts.values()):
            owner, _, name = part.partition("/")
            if owner == STANDALONE:
                screen = name.partition("/")[0]
                described_by = {request.screens[screen].name: file_digest(request.screens[screen])}
                found[part] = described_by | inputs.of_all(self.run.result.taken_from[screen])
            elif owner in games:
                others = [other for aid in games[owner].aids if _is_of(part, aid.kind) for other in aid.others]
                of = frozenset([owner, *others])
                if of not in of_games:
                    of_games[of] = inputs.of_all(of)
                found[part] = of_games[of]
        return found

    def _stays(self) -> list[ManifestEntry]:
        """The files of an earlier build that stay: all that are not made anew, and whose content is still there."""
        made_anew, goes = frozenset(self.found.parts.values()), self._goes()
        return staying_entries(self.request.output, lambda part: part in made_anew or goes(part))

    def _goes(self) -> Callable[[str], bool]:
        """Parts go with their game, and with the file that described them; those of an aid that fails stay."""
        folders, games = self.run.project.folders, self.games

        def goes(part: str) -> bool:
            owner = part.partition("/")[0]
            if owner in (SHARED, FIRST_PAGE, STANDALONE):
                return False
            if owner not in folders:
                return True
            if owner not in games:
                return False
            gone = [name for name, kind in KINDS.items() if not kind.is_described(folders[owner])]
            return any(_is_of(part, kind) for kind in gone if kind in self.request.products)

        return goes


def _is_of(part: str, kind: str) -> bool:
    """Whether a part of a build is of an aid of this kind."""
    return f"{part.partition('/')[2]}-".startswith(f"{KINDS[kind].names.stem}-")
