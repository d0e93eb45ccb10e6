"""Run a build.

In: a Project and BuildOptions. Out: a BuildResult: what was made and what failed. A system or aid that fails does
not take the others down; its earlier output stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from refgen.aids.gm_screen import GmScreen, screen_of_file
from refgen.aids.system_info import SystemInfo
from refgen.errors import RefgenError, RenderError, each_error
from refgen.export.check import check_data
from refgen.export.model import json_text
from refgen.export.tables import tables_data
from refgen.game.game import Game
from refgen.pipeline.cache.inputs import file_digest, folder_inputs
from refgen.pipeline.cache.steps import StoredPages, keep, recall, shown, step_key
from refgen.pipeline.cache.store import Store
from refgen.pipeline.executors.choose import LOCAL, executor
from refgen.pipeline.executors.flow import Ended, happenings
from refgen.pipeline.executors.step_executor import StepExecutor
from refgen.pipeline.prepare import MAKERS, Kind, Prepared, prepare
from refgen.pipeline.progress import Progress
from refgen.pipeline.project import Project
from refgen.pipeline.publish import Made, check_output, differences, kept, publish, publishing
from refgen.pipeline.result import BuildResult
from refgen.pipeline.site import make_site
from refgen.pipeline.work import FILE_NAMES, Done, Job, do
from refgen.render.assets import assets
from refgen.render.card.imposition import DeckFormat
from refgen.render.page_format import PageFormat
from refgen.render.readback.site.read_back import read_back_site

SHARED = "shared"
"""The part of a build that belongs to no game: style sheets and fonts."""

FIRST_PAGE = "index"
"""The part that is the first page of the site."""

STANDALONE = "standalone"
"""What the parts of screens begin with that belong to no game."""


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """What to build of which games of the project, in which formats, where to, and how many steps at a time.

    ``formats`` are those of each kind of aid; ``players``: with the players' side of screens, or without. ``screens``
    are files of screens that belong to no game, by name, ``deck`` how decks of cards are made. ``store`` has what
    earlier builds made; ``expects_little`` says that most of it is there. One that ``compares`` publishes nothing, and
    tells how the output differs.
    """

    games: Sequence[str]
    kinds: frozenset[Kind]
    formats: Mapping[Kind, Sequence[PageFormat]]
    output: Path
    jobs: int
    executor: str = LOCAL
    players: bool = True
    screens: Mapping[str, Path] = field(default_factory=dict)
    deck: DeckFormat = field(default_factory=DeckFormat)
    store: Store | None = None
    expects_little: bool = False
    compares: bool = False


def build(project: Project, options: BuildOptions, progress: Progress) -> BuildResult:
    """Build. Raises RefgenError only for what concerns all: the output folder, an unknown game."""
    if not options.compares:
        check_output(options.output)
    result = BuildResult()
    with executor(options.executor, options.jobs) as steps:
        if not options.expects_little:
            steps.start()  # processes warm up while the rules are read
        prepared = _prepare_all(project, options, result)
        jobs = [job for system in prepared.values() for job in _jobs(system, options)]
        jobs += _standalone_screens(project, options, result)
        jobs.sort(key=lambda job: -job.weight)  # the longest first, so that no worker ends up alone with one
        finished = _finish(options.store, steps, jobs, progress, result)
    result.errors += [error for done in finished for error in done.errors]
    result.mismatches += [mismatch for done in finished for mismatch in done.mismatches]
    with publishing(options.output) as output:
        _publish(project, replace(options, output=output), prepared, finished, result)
    result.errors = list({str(error): error for error in result.errors}.values())  # one cause may fail many jobs
    return result


def _publish(
    project: Project,
    options: BuildOptions,
    prepared: Mapping[str, Prepared],
    finished: Sequence[Done],
    result: BuildResult,
) -> None:
    """Put what was made into the output, and the site, which lists the files, with it."""
    files, parts = _collect(prepared, finished, options.kinds)
    goes = _goes(project, options, prepared)
    stays = _stays(options, parts, goes)
    if Kind.SITE in options.kinds or any(made.part == FIRST_PAGE for made in stays):
        paths = [made.path for made in stays]
        available = [*files, *paths]
        site = make_site(prepared, files, paths, options.output)
        files |= site.files
        parts |= {path: _site_part(path) for path in site.files}
        result.mismatches += read_back_site(site.pages, site.files, [*available, *site.files])
    stays = _stays(options, parts, goes)
    inputs = _inputs(project, options, parts)
    if options.compares:
        result.differences = differences(options.output, files, parts, inputs, stays)
    else:
        publish(options.output, files, parts, stays, inputs)
    result.files = sorted(files)


def _inputs(project: Project, options: BuildOptions, parts: Mapping[str, str]) -> Mapping[str, Mapping[str, str]]:
    """The digests of the files that each part of a build is made of."""
    own = {name: folder_inputs(name, project.folders[name]) for name in options.games}
    for name in own.keys() & project.documents.keys():
        own[name][f"{name}/--document"] = file_digest(project.documents[name])
    found = {}
    for part in set(parts.values()):
        owner, _, name = part.partition("/")
        if owner == STANDALONE:
            path = options.screens[name.partition("/")[0]]
            found[part] = {path.name: file_digest(path)}
        else:
            found[part] = own.get(owner, {})
    return found


def plan(project: Project, options: BuildOptions) -> BuildResult:
    """Find out what a build would take from its store (``kept``) and what it would have to make (``made``)."""
    result = BuildResult()
    prepared = _prepare_all(project, options, result)
    jobs = [job for system in prepared.values() for job in _jobs(system, options)]
    for job in [*jobs, *_standalone_screens(project, options, result)]:
        result.shown[job.title] = shown(job)
        known = options.store is not None and step_key(result.shown[job.title]) in options.store
        (result.kept if known else result.made).append(job.title)
    return result


Goes = Callable[[str], bool]
"""Whether a part of an earlier build goes, though this build does not make it anew."""


def _stays(options: BuildOptions, parts: Mapping[str, str], goes: Goes) -> list[Made]:
    """What stays of an earlier build: all that is not made anew, and whose content is still there."""
    made_anew = frozenset(parts.values())
    return kept(options.output, lambda part: part in made_anew or goes(part))


def _goes(project: Project, options: BuildOptions, prepared: Mapping[str, Prepared]) -> Goes:
    """Parts go with their game, and with the file that described them; those of an aid that fails stay."""

    def goes(part: str) -> bool:
        owner, _, name = part.partition("/")
        if owner in (SHARED, FIRST_PAGE, STANDALONE):
            return False
        if owner not in project.folders:
            return True
        if owner not in prepared:
            return False
        gone = [kind for kind, maker in MAKERS.items() if not (project.folders[owner] / maker.file).exists()]
        return any(name.startswith(f"{FILE_NAMES[kind]}-") for kind in gone if kind in options.kinds)

    return goes


def _site_part(path: str) -> str:
    system, slash, _ = path.partition("/")
    return f"{system}/{Kind.SITE}" if slash else FIRST_PAGE


def _prepare_all(project: Project, options: BuildOptions, result: BuildResult) -> dict[str, Prepared]:
    prepared = {}
    for name in options.games:
        try:
            prepared[name] = prepare(project.games[name], project.folders[name], options.kinds, project.games)
        except RefgenError as error:
            result.errors += each_error(error)
        else:
            result.errors += prepared[name].errors
            result.findings[name] = len(prepared[name].game.check().open)
    return prepared


def _jobs(prepared: Prepared, options: BuildOptions) -> Iterator[Job]:
    system = SystemInfo.of(prepared.game)
    for kind, aid in prepared.aids.items():
        if isinstance(aid, GmScreen):
            yield from _screen_jobs(system, aid, options)
        else:
            yield Job(system, kind, aid, options.formats[kind], options.deck)


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


def _failed(job: Job, error: Exception) -> Done:
    """What a job leaves that fails for lack of room, or with its worker; a fault in refgen is raised as it is."""
    if not isinstance(error, (OSError, MemoryError, RuntimeError)):
        raise error
    failure = RenderError(f"{job.title}: the worker failed: {error}", hint="Try again with --jobs 1.")
    return Done(job, {}, errors=[failure])


def _finish(
    store: Store | None, steps: StepExecutor, jobs: Sequence[Job], progress: Progress, result: BuildResult
) -> list[Done]:
    """The results of all jobs, in the order of the jobs: those that are kept, then each of the others as it comes."""
    if store:
        result.shown = {job.title: shown(job) for job in jobs}
    done = {
        job.title: known for job in jobs if (known := recall(store, job, result.shown[job.title]) if store else None)
    }
    missing = [job for job in jobs if job.title not in done]
    result.kept, result.made = [*done], [job.title for job in missing]
    make = partial(do, kept=StoredPages(store)) if store else do
    ended = (each for each in happenings(steps, make, missing) if isinstance(each, Ended))
    for number, each in enumerate(ended, start=1):
        job = missing[each.number]
        one = each.outcome if isinstance(each.outcome, Done) else _failed(job, each.outcome)
        done[job.title] = one
        progress(job.title, number, len(missing))
        if store:
            keep(store, one, result.shown[job.title])
    if store:
        store.trim()
        result.fault = store.fault
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
