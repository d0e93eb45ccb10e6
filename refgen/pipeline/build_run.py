"""The run of a build: its graph of steps is done, and the results are published.

In: the folders of a project, and a BuildRequest. Out: a BuildResult. A game or an aid that fails takes no other down,
and its files of an earlier build stay in the output.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from functools import partial

from refgen.aids.kind import AidJob
from refgen.aids.kinds import KINDS, load_layouts
from refgen.errors import RefgenError, RenderError, join_errors, reason_of
from refgen.gc_tuning import disable_gc
from refgen.layout.templates import assets, look_files
from refgen.look.find import find_look
from refgen.pipeline.digests import file_digest
from refgen.pipeline.executors import StepExecutor
from refgen.pipeline.executors.loop import StepBegun, executor, run_steps
from refgen.pipeline.games import SCREEN_STEP, GameSteps
from refgen.pipeline.graph import (
    BuildGraph,
    JobResult,
    Step,
    StepKind,
    StoredPages,
    keep_result,
    not_enough_memory,
    run_job,
)
from refgen.pipeline.make_aids import AidResults, FinishedGame
from refgen.pipeline.output_files import (
    SHARED,
    SITE,
    STANDALONE,
    BuildFiles,
    ManifestEntry,
    OutputFiles,
    Spool,
    look_part,
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
"""The part of a build that is the first page of the site and its search."""


def build(project: ProjectFolders, request: BuildRequest, progress: Progress = no_progress) -> BuildResult:
    """Build. Raises RefgenError only for errors that concern all: of the output folder, or an unknown game."""
    check_output(request.output, compares=request.compares)
    with closing(Spool()) as spool:
        return _BuildRun(project, request, progress, spool).build()


def plan(project: ProjectFolders, request: BuildRequest) -> BuildResult:
    """Find out which jobs a build would take from its store (``kept``), and which it would do (``made``)."""
    with closing(Spool()) as spool:
        run = _BuildRun(project, request, no_progress, spool)
        graph = BuildGraph(step for step in run.steps() if step.kind < StepKind.PAGES)
        for _ in graph.jobs():
            pass
        return run.result


@dataclass(slots=True)
class _BuildRun:
    """The run of a build, with all values that its steps share."""

    project: ProjectFolders
    request: BuildRequest
    progress: Progress
    spool: Spool
    result: BuildResult = field(default_factory=BuildResult)
    games: GameSteps = field(init=False)
    sites: GameSites = field(init=False)

    def __post_init__(self) -> None:
        request = self.request
        look, output = find_look(self.project.root, None), self.project.output
        self.sites = GameSites(self.project.games, request.published, request.store, self.spool, output, look)
        earlier = _earlier_files(request)
        self.games = GameSteps(self.project, request, self.spool, self.sites, earlier, self.progress, self.result)

    def steps(self) -> Iterator[Step]:
        """The steps of all games and screens."""
        for name in self.request.games:
            yield from self.games.of_game(name)
        yield from self.games.of_screens()

    def build(self) -> BuildResult:
        """Do all steps, and publish."""
        request = self.request
        if request.made:
            request.show(self._new_assets())
            for name in request.games:
                with suppress(RefgenError):  # reported when the game is read
                    request.show(look_files(self.project.look_of(name)))
        graph = BuildGraph(self.steps(), request.check_stop, self.games.fail_step)
        with executor(request.executor, request.jobs, None if request.lays_out else disable_gc) as pool:
            if request.lays_out and not all(map(self.games.is_known, request.games)):
                load_layouts(request.products)  # before workers are forked
                pool.start()  # workers warm up while the rules are read
            self._do_jobs(graph, pool)
        values = graph.finish()
        missing = self.games.missing
        if missing and len(missing) == len(request.games) and not request.screens:
            raise join_errors(missing)  # no game has an aid of the only kind that is made
        if request.store:
            request.store.trim()
            self.result.fault = request.store.fault
        with publishing(request.output) as output:
            _Publication(self, replace(request, output=output), values).publish()
        self.result.errors = [*{str(error): error for error in self.result.errors}.values()]  # one may fail many jobs
        return self.result

    def _new_assets(self) -> Mapping[str, bytes]:
        """The style sheets and fonts that the output does not have yet."""
        known, output = {entry.path for entry in self.games.earlier.get("assets", ())}, self.request.output
        return {
            path: data for path, data in assets().items() if path not in known or (output / path).read_bytes() != data
        }

    def _do_jobs(self, graph: BuildGraph, pool: StepExecutor) -> None:
        """Do all jobs, each by the next worker that is free."""
        store = self.request.store if pool.shares_files else None
        make = partial(run_job, kept=StoredPages(store)) if store else run_job
        done = 0
        for each in run_steps(pool, make, graph.jobs(), graph.on_idle, self.request.stop):
            job = each.argument
            if isinstance(each, StepBegun):
                self.progress(Event("again" if each.because else "begun", job.title, job.kind, reason=each.because))
                continue
            result = each.outcome if isinstance(each.outcome, JobResult) else _failed_result(job, each.outcome)
            done += 1
            self._take_result(graph, result)
            reason = str(result.errors[0]) if result.errors else ""
            state: State = "failed" if result.errors else "done"
            self.progress(Event(state, job.title, job.kind, each.seconds, done, graph.total, reason))

    def _take_result(self, graph: BuildGraph, result: JobResult) -> None:
        """Show the files of a job, keep them for the next build, and hand them to the graph."""
        self.request.show(result.files)
        if self.request.store:
            keep_result(self.request.store, result, self.result.shown[result.title])
        if result.errors:
            self.result.failing.add(result.game)
            self.result.failed.append(f"{result.title} in part" if result.files else result.title)
        graph.take(result.spooled(self.spool))


def _failed_result(job: AidJob, error: Exception) -> JobResult:
    """The result of a job that fails for lack of memory or disk space, or with its worker; other errors are raised."""
    match error:
        case MemoryError():
            failure = not_enough_memory(job.title)
        case OSError():
            message = f"{job.title} cannot be made: {reason_of(error)}"
            failure = RenderError(message, hint="Make room, or set TMPDIR to another folder.")
        case RuntimeError():
            failure = RenderError(f"{job.title}: the worker failed: {error}", hint="Try again with --jobs 1.")
        case _:
            raise error
    return JobResult(job.title, job.system.id, {}, errors=[failure])


def _earlier_files(request: BuildRequest) -> Mapping[str, Sequence[ManifestEntry]]:
    """The files of an earlier build, by the first folder of their paths; none where the manifest cannot be read."""
    found: dict[str, list[ManifestEntry]] = {}
    with suppress(RefgenError, OSError):
        for entry in read_manifest(request.output):
            if (request.output / entry.path).is_file():
                found.setdefault(entry.path.partition("/")[0], []).append(replace(entry, inputs={}))
    return found


@dataclass(slots=True)
class _Publication:
    """The publication of the files of a run; ``values`` are the values of the graph, by the names of its steps."""

    run: _BuildRun
    request: BuildRequest
    values: Mapping[str, object]
    made: BuildFiles = field(init=False)
    games: Mapping[str, FinishedGame] = field(init=False)

    def __post_init__(self) -> None:
        self.made = BuildFiles.shared(self.run.project.root)
        finished = (value for value in self.values.values() if isinstance(value, FinishedGame))
        self.games = {game.data.summary.id: game for game in finished}

    def publish(self) -> None:
        """Publish all files, or find out how the output differs."""
        request, result, made = self.request, self.run.result, self.made
        self._collect_files()
        stays = self._staying_entries()
        if SITE in request.products or any(entry.part == FIRST_PAGE for entry in stays):
            self._add_site(stays)
        stays, inputs = self._staying_entries(), self._inputs()
        if request.compares:
            result.differences = differences(request.output, made.files, made.parts, inputs, stays)
        else:
            with step(self.run.progress, str(request.output), "publish"):
                publish(request.output, made.files, made.parts, stays, inputs)
        result.files = sorted(made.files)

    def _collect_files(self) -> None:
        """Collect the files, errors and mismatches of all games and screens."""
        for name, game in self.games.items():
            self.made.add_game(name, game.data.files, game.results)
        taken = (self.run.result.taken_from.get(name, ()) for name in self.request.screens)
        for name in dict.fromkeys([*self.games, *(game for games in taken for game in sorted(games))]):
            self.made.add_look(name, self.run.project.look_of(name))
        screens = [self.values[f"{SCREEN_STEP}{name}"] for name in self.request.screens]
        results = [result for screen in screens if isinstance(screen, AidResults) for result in screen.results]
        self.made.add_results(results, f"{STANDALONE}/")
        for result in (*(result for game in self.games.values() for result in game.results), *results):
            self.run.result.errors += result.errors
            self.run.result.mismatches += result.mismatches
            self.run.result.notes += [note for note in result.notes if note not in self.run.result.notes]

    def _add_site(self, stays: Sequence[ManifestEntry]) -> None:
        request, result, made = self.request, self.run.result, self.made
        made_anew = {FIRST_PAGE, *map(site_part, self.games)}
        paths = frozenset(entry.path for entry in stays if entry.part not in made_anew)
        there = OutputFiles(made.files, paths, request.output)
        letters = self.run.project.written.style.letters
        try:
            with step(self.run.progress, "site", "site"):
                site = make_site([game.data for game in self.games.values()], there, self.run.sites, letters)
        except RenderError as error:  # the old pages stay
            result.errors.append(error)
            return
        except MemoryError:
            result.errors.append(not_enough_memory("site"))
            return
        for path in site.files:
            made.parts[path] = FIRST_PAGE if path in site.first else site_part(path.partition("/")[0])
        made.files.add(site.files)
        result.mismatches += site.mismatches
        result.notes += site.notes
        result.errors += site.errors
        if request.published.base_url:
            result.notes += gone_pages([entry.path for entry in stays if entry.part in made_anew], site.files)

    def _inputs(self) -> dict[str, dict[str, str]]:
        """The digests of the files that each part of the build is made of."""
        inputs, request, games = self.run.games.inputs, self.request, self.games
        found = {}
        for part in set(self.made.parts.values()):
            owner, _, name = part.partition("/")
            if owner == STANDALONE:
                screen = name.partition("/")[0]
                described_by = {request.screens[screen].name: file_digest(request.screens[screen])}
                found[part] = described_by | inputs.of_all(self.run.result.taken_from[screen])
            elif owner in games:
                others = [other for aid in games[owner].aids if _is_of_kind(part, aid.kind) for other in aid.others]
                found[part] = inputs.of_all({owner, *others})
        return found

    def _staying_entries(self) -> list[ManifestEntry]:
        """The files of an earlier build that stay: their parts are not made again, and their content is not gone."""
        made_anew = frozenset(self.made.parts.values())
        return staying_entries(self.request.output, lambda part: part in made_anew or self._is_gone(part))

    def _is_gone(self, part: str) -> bool:
        """Whether the game of a part is gone, or the game has no such aid any more. Parts of a failed game stay."""
        folders, owner = self.run.project.folders, part.partition("/")[0]
        if owner in (SHARED, FIRST_PAGE, STANDALONE):
            return False
        if owner not in folders:
            return True
        if owner not in self.games:
            return False
        if part == look_part(owner):
            return True
        gone = (aid.kind for aid in self.games[owner].aids if not aid.results)
        return any(_is_of_kind(part, kind) for kind in gone)


def _is_of_kind(part: str, kind: str) -> bool:
    """Whether a part of a build is of an aid of this kind."""
    return f"{part.partition('/')[2]}-".startswith(f"{KINDS[kind].names.stem}-")
