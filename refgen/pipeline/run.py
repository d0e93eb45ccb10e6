"""Run a build.

In: a Project and BuildOptions. Out: a BuildResult: what was made and what failed. A system or aid that fails does
not take the others down; its earlier output stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from refgen.aids.kind import AidJob
from refgen.aids.kinds import KINDS, STANDALONE_KIND, load_layouts
from refgen.errors import RefgenError
from refgen.game.system_info import SystemInfo
from refgen.gc_tuning import collect_when_told
from refgen.pipeline.apart import Apart, Task
from refgen.pipeline.cache.digests import file_digest
from refgen.pipeline.cache.steps import shown, step_key
from refgen.pipeline.cache.store import Store
from refgen.pipeline.collected import SHARED, STANDALONE, Collected, beside, site_part
from refgen.pipeline.executors.choose import LOCAL, executor
from refgen.pipeline.games import NO_GAME, GamesInTurn, read_game
from refgen.pipeline.job import Done
from refgen.pipeline.jobs import done_jobs
from refgen.pipeline.manifest import Made, kept, read_manifest
from refgen.pipeline.prepare import DATA, SITE, Noted
from refgen.pipeline.progress import Progress, no_progress, step
from refgen.pipeline.project import Project
from refgen.pipeline.publish import check_output, differences, publish, publishing
from refgen.pipeline.read_game import GameParts, GameReader, Wanted
from refgen.pipeline.redirects import gone_pages
from refgen.pipeline.result import BuildResult
from refgen.pipeline.site import GameSites, make_site
from refgen.pipeline.spool import Spool
from refgen.site.html import load_templates
from refgen.site.published import Published

FIRST_PAGE = "index"
"""The part that is of the whole site: its first page, and what searches it."""


Files = Mapping[str, bytes]
"""Files by their paths in the output."""


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """What to build of which games of the project, where to, and how many steps at a time.

    ``screens`` are files of screens that belong to no game, by name. ``store`` has what earlier builds made,
    ``published`` is where the site will be. A build that ``compares`` publishes nothing, and tells how the output
    differs. ``made`` is called with the files of each aid that is not kept, long before all is published.
    """

    games: Sequence[str]
    wanted: Wanted
    output: Path
    jobs: int | None = None
    executor: str = LOCAL
    screens: Mapping[str, Path] = field(default_factory=dict)
    published: Published = field(default_factory=Published)
    store: Store | None = None
    compares: bool = False
    made: Callable[[Files], object] | None = None


def build(project: Project, options: BuildOptions, progress: Progress) -> BuildResult:
    """Build. Raises RefgenError only for what concerns all: the output folder, an unknown game."""
    check_output(options.output, compares=options.compares)
    result = BuildResult()
    with closing(Spool()) as spool:
        reader = GameReader(project, options.wanted, options.store, spool)
        sites = GameSites(project.games, options.published, options.store, spool)
        games = _made(reader, options, sites, progress, result)
        with publishing(options.output) as output:
            _publish(games, replace(options, output=output), sites, result, progress)
    result.errors = list({str(error): error for error in result.errors}.values())  # one cause may fail many jobs
    return result


def _made(
    reader: GameReader, options: BuildOptions, sites: GameSites, progress: Progress, result: BuildResult
) -> GamesInTurn:
    """All games, read, with all jobs of theirs done."""
    earlier = _earlier(options)

    def complete(game: GameParts, done: Sequence[Done]) -> None:
        """Make the pages of a game as they will be."""
        name = game.summary.id
        collected, stays = beside(game, done, earlier.get(name, ()))
        with step(progress, f"{name}/site", "site"):
            sites.make(game, collected.files, stays, options.output)

    others = partial(standalone_screens, reader, options, result)
    with_site = SITE in options.wanted.kinds
    games = GamesInTurn(reader, options.games, others, complete if with_site else None, progress, result)
    lays_out = not options.wanted.kinds <= {SITE, DATA}
    with executor(options.executor, options.jobs, None if lays_out else collect_when_told) as steps:
        if lays_out and not all(map(reader.knows, options.games)):
            load_layouts(options.wanted.kinds)  # once for all processes
            steps.start()  # they warm up while the rules are read
        elif with_site and steps.shares_files:
            apart = Apart(steps, list(_tasks(reader, options, earlier)))
            if steps.width > 1 and len(apart.tasks) > 1:
                reader.elsewhere, sites.elsewhere = apart.parts, apart.site
                load_templates()
                steps.start()
        for done in done_jobs(games, steps, options.store, progress):
            if options.made:
                options.made(done.files)
            games.take(done)
    games.finish()
    if options.store:
        options.store.trim()
        result.fault = options.store.fault
    return games


def _tasks(reader: GameReader, options: BuildOptions, earlier: Mapping[str, Sequence[Made]]) -> Iterator[Task]:
    """The games that are not known from an earlier build, as tasks for other processes."""
    project = reader.project
    given = [path for paths in options.wanted.paths.values() for path in paths]
    for name in options.games:
        files = filter(None, [project.documents.get(name), *given])
        if not reader.knows(name) and not any(path.is_fifo() for path in files):  # only this process reads its pipes
            yield Task(
                name,
                project.folders,
                project.documents,
                options.wanted,
                options.published,
                options.output,
                earlier.get(name, ()),
                project.written,
            )


def _publish(
    games: GamesInTurn, options: BuildOptions, sites: GameSites, result: BuildResult, progress: Progress
) -> None:
    """Put what was made into the output, and the site, which lists the files, with it."""
    found = Collected.shared()
    for name, game in games.parts.items():
        found.add_all(Collected.of_game(game, games.done_of(name)))
    found.add_all(Collected.of_screens(games.done_of(NO_GAME)))
    for done in games.all_done():
        result.errors += done.errors
        result.mismatches += done.mismatches
    goes = _goes(games.reader.project, options, games.parts)
    stays = _stays(options, found.parts, goes)
    if SITE in options.wanted.kinds or any(made.part == FIRST_PAGE for made in stays):
        made_anew = {FIRST_PAGE, *map(site_part, games.parts)}
        paths = [made.path for made in stays if made.part not in made_anew]
        with step(progress, "site", "site"):
            site = make_site(games.parts, found.files, paths, options.output, sites)
        for path in site.files:
            found.parts[path] = FIRST_PAGE if path in site.first else site_part(path.partition("/")[0])
        found.files.add(site.files)
        result.mismatches += site.mismatches
        result.notes += site.notes
        result.errors += site.errors
        if options.published.base_url:
            result.notes += gone_pages([made.path for made in stays if made.part in made_anew], site.files)
    stays = _stays(options, found.parts, goes)
    inputs = _inputs(games.reader, options, games.parts, found.parts)
    if options.compares:
        result.differences = differences(options.output, found.files, found.parts, inputs, stays)
    else:
        with step(progress, str(options.output), "publish"):
            publish(options.output, found.files, found.parts, stays, inputs)
    result.files = sorted(found.files)


def _earlier(options: BuildOptions) -> Mapping[str, Sequence[Made]]:
    """What an earlier build made of each game; nothing where that is not to be known yet."""
    found: dict[str, list[Made]] = {}
    with suppress(RefgenError, OSError):
        for made in read_manifest(options.output):
            if (options.output / made.path).is_file():
                found.setdefault(made.path.partition("/")[0], []).append(replace(made, inputs={}))
    return found


def _inputs(
    reader: GameReader, options: BuildOptions, games: Mapping[str, GameParts], parts: Mapping[str, str]
) -> dict[str, dict[str, str]]:
    """The digests of the files that each part of a build is made of."""
    found = {}
    of_games: dict[frozenset[str], dict[str, str]] = {}  # many parts are made of the same
    for part in set(parts.values()):
        owner, _, name = part.partition("/")
        if owner == STANDALONE:
            screen = name.partition("/")[0]
            described_by = {options.screens[screen].name: file_digest(options.screens[screen])}
            found[part] = described_by | reader.inputs_of(reader.taken_from[screen])
        elif owner in games:
            others = [one for kind, ids in games[owner].others.items() if _is_of(part, kind) for one in ids]
            of = frozenset([owner, *others])
            if of not in of_games:
                of_games[of] = reader.inputs_of(of)
            found[part] = of_games[of]
    return found


def _is_of(part: str, kind: str) -> bool:
    """Whether a part of a build is of an aid of this kind."""
    return f"{part.partition('/')[2]}-".startswith(f"{KINDS[kind].names.stem}-")


def plan(project: Project, options: BuildOptions) -> BuildResult:
    """Find out what a build would take from its store (``kept``) and what it would have to make (``made``)."""
    result = BuildResult()
    reader = GameReader(project, options.wanted, options.store, Spool())
    for name in options.games:
        game = read_game(reader, name, no_progress, result)
        _plan(game.jobs if game else (), options.store, result)
    _plan(standalone_screens(reader, options, result), options.store, result)
    return result


def _plan(jobs: Iterable[AidJob], store: Store | None, result: BuildResult) -> None:
    for job in jobs:
        result.shown[job.title] = shown(job)
        known = store is not None and step_key(result.shown[job.title]) in store
        (result.kept if known else result.made).append(job.title)


Goes = Callable[[str], bool]
"""Whether a part of an earlier build goes, though this build does not make it anew."""


def _stays(options: BuildOptions, parts: Mapping[str, str], goes: Goes) -> list[Made]:
    """What stays of an earlier build: all that is not made anew, and whose content is still there."""
    made_anew = frozenset(parts.values())
    return kept(options.output, lambda part: part in made_anew or goes(part))


def _goes(project: Project, options: BuildOptions, games: Mapping[str, GameParts]) -> Goes:
    """Parts go with their game, and with the file that described them; those of an aid that fails stay."""

    def goes(part: str) -> bool:
        owner = part.partition("/")[0]
        if owner in (SHARED, FIRST_PAGE, STANDALONE):
            return False
        if owner not in project.folders:
            return True
        if owner not in games:
            return False
        gone = [name for name, kind in KINDS.items() if not kind.is_described(project.folders[owner])]
        return any(_is_of(part, kind) for kind in gone if kind in options.wanted.kinds)

    return goes


def standalone_screens(reader: GameReader, options: BuildOptions, result: BuildResult) -> Iterator[AidJob]:
    """The screens that belong to no game; one that fails takes no other down."""
    for name, path in options.screens.items():
        games = Noted(reader.project.games)
        try:
            screen, main = STANDALONE_KIND.of_file(path, games)
            system = SystemInfo.of(main)
        except RefgenError as error:
            result.errors.append(error)
            result.failed.append(name)
        else:
            result.errors += STANDALONE_KIND.faults(screen)
            reader.taken_from[name] = frozenset(games.asked)
            system = replace(system, id=name, title=screen.title or system.title)
            yield from STANDALONE_KIND.jobs_of(system, screen, options.wanted.options[STANDALONE_KIND.name])
