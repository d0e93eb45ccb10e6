"""Run a build.

In: a Project and BuildOptions. Out: a BuildResult: what was made and what failed. A system or aid that fails does
not take the others down; its earlier output stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

from refgen.aids.gm_screen import screen_of_file
from refgen.aids.system_info import SystemInfo
from refgen.errors import RefgenError, each_error
from refgen.pipeline.cache.inputs import file_digest
from refgen.pipeline.cache.steps import shown, step_key
from refgen.pipeline.cache.store import Store
from refgen.pipeline.executors.choose import LOCAL, executor
from refgen.pipeline.job import FILE_NAMES, Done, Job
from refgen.pipeline.jobs import finish, tell_kept
from refgen.pipeline.prepare import MAKERS, Kind, Noted
from refgen.pipeline.progress import Progress, no_progress, step
from refgen.pipeline.project import Project
from refgen.pipeline.publish import Made, check_output, differences, kept, publish, publishing
from refgen.pipeline.read_game import GameParts, GameReader, Wanted, screen_jobs
from refgen.pipeline.redirects import gone_pages
from refgen.pipeline.result import BuildResult
from refgen.pipeline.site import make_site
from refgen.pipeline.spool import Gathered, Spool
from refgen.render.assets import assets
from refgen.site.published import Published

SHARED = "shared"
"""The part of a build that belongs to no game: style sheets and fonts."""

FIRST_PAGE = "index"
"""The part that is of the whole site: its first page, and what searches it."""

STANDALONE = "standalone"
"""What the parts of screens begin with that belong to no game."""


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """What to build of which games of the project, where to, and how many steps at a time.

    ``screens`` are files of screens that belong to no game, by name. ``store`` has what earlier builds made;
    ``expects_little`` says that most of it is there. ``published`` is where the site will be. One that ``compares``
    publishes nothing, and tells how the output differs.
    """

    games: Sequence[str]
    wanted: Wanted
    output: Path
    jobs: int | None = None
    executor: str = LOCAL
    screens: Mapping[str, Path] = field(default_factory=dict)
    published: Published = field(default_factory=Published)
    store: Store | None = None
    expects_little: bool = False
    compares: bool = False


def build(project: Project, options: BuildOptions, progress: Progress) -> BuildResult:
    """Build. Raises RefgenError only for what concerns all: the output folder, an unknown game."""
    if not options.compares:
        check_output(options.output)
    result = BuildResult()
    with closing(Spool()) as spool:
        reader = GameReader(project, options.wanted, options.store, spool)
        games, finished = _make(reader, options, progress, result)
        result.errors += [error for done in finished for error in done.errors]
        result.mismatches += [mismatch for done in finished for mismatch in done.mismatches]
        with publishing(options.output) as output:
            _publish(reader, replace(options, output=output), games, finished, result, progress)
    result.errors = list({str(error): error for error in result.errors}.values())  # one cause may fail many jobs
    return result


def _make(
    reader: GameReader, options: BuildOptions, progress: Progress, result: BuildResult
) -> tuple[dict[str, GameParts], list[Done]]:
    """Read all games, and do all jobs of theirs."""
    with executor(options.executor, options.jobs) as steps:
        if not options.expects_little and not options.wanted.kinds <= {Kind.SITE, Kind.DATA}:
            steps.start()  # processes warm up while the rules are read
        games = _read_games(reader, options, result, progress)
        jobs = [job for parts in games.values() for job in parts.jobs]
        jobs += standalone_screens(reader, options, result)
        jobs.sort(key=lambda job: -job.weight)  # the longest first, so that no worker ends up alone with one
        known = [done for parts in games.values() for done in parts.done]
        result.shown = {title: what for parts in games.values() for title, what in parts.shows.items()}
        finished = [*known, *finish(reader, steps, jobs, progress, result)]
    result.kept += [done.title for done in known]
    return {name: replace(parts, jobs=()) for name, parts in games.items()}, finished


def _publish(
    reader: GameReader,
    options: BuildOptions,
    games: Mapping[str, GameParts],
    finished: Sequence[Done],
    result: BuildResult,
    progress: Progress,
) -> None:
    """Put what was made into the output, and the site, which lists the files, with it."""
    files, parts = _collect(games, finished)
    goes = _goes(reader.project, options, games)
    stays = _stays(options, parts, goes)
    if Kind.SITE in options.wanted.kinds or any(made.part == FIRST_PAGE for made in stays):
        made_anew = {FIRST_PAGE, *map(_site_part, games)}
        paths = [made.path for made in stays if made.part not in made_anew]
        with step(progress, "site", "site"):
            site = make_site(games, files, paths, options.output, options.published, options.store, reader.spool)
        files.add(site.files)
        parts |= {path: FIRST_PAGE if path in site.first else _site_part(path.partition("/")[0]) for path in site.files}
        result.mismatches += site.mismatches
        result.notes += site.notes
        result.errors += site.errors
        if options.published.base_url:
            result.notes += gone_pages([made.path for made in stays if made.part in made_anew], site.files)
    stays = _stays(options, parts, goes)
    inputs = _inputs(reader, options, games, parts)
    if options.compares:
        result.differences = differences(options.output, files, parts, inputs, stays)
    else:
        with step(progress, str(options.output), "publish"):
            publish(options.output, files, parts, stays, inputs)
    result.files = sorted(files)


def _inputs(
    reader: GameReader, options: BuildOptions, games: Mapping[str, GameParts], parts: Mapping[str, str]
) -> dict[str, dict[str, str]]:
    """The digests of the files that each part of a build is made of."""
    found = {}
    for part in set(parts.values()):
        owner, _, name = part.partition("/")
        if owner == STANDALONE:
            screen = name.partition("/")[0]
            own = {options.screens[screen].name: file_digest(options.screens[screen])}
            found[part] = own | reader.inputs_of(reader.taken_from[screen])
        elif owner in games:
            others = [one for kind, ids in games[owner].others.items() if _is_of(part, kind) for one in ids]
            found[part] = reader.inputs_of([owner, *others])
    return found


def _is_of(part: str, kind: Kind) -> bool:
    """Whether a part of a build is of an aid of this kind."""
    return f"{part.partition('/')[2]}-".startswith(f"{FILE_NAMES[kind]}-")


def plan(project: Project, options: BuildOptions) -> BuildResult:
    """Find out what a build would take from its store (``kept``) and what it would have to make (``made``)."""
    result = BuildResult()
    reader = GameReader(project, options.wanted, options.store, Spool())
    games = _read_games(reader, options, result, no_progress)
    result.kept += [done.title for parts in games.values() for done in parts.done]
    result.shown |= {title: what for parts in games.values() for title, what in parts.shows.items()}
    jobs = [job for parts in games.values() for job in parts.jobs]
    for job in [*jobs, *standalone_screens(reader, options, result)]:
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
        gone = [kind for kind, maker in MAKERS.items() if not (project.folders[owner] / maker.file).exists()]
        return any(_is_of(part, kind) for kind in gone if kind in options.wanted.kinds)

    return goes


def _site_part(game: str) -> str:
    return f"{game}/{Kind.SITE}"


def _read_games(
    reader: GameReader, options: BuildOptions, result: BuildResult, progress: Progress
) -> dict[str, GameParts]:
    """What each game gives; one that fails takes no other down."""
    games = {}
    for name in options.games:
        try:
            with step(progress, name, "read"):
                games[name] = reader.parts(name)
        except RefgenError as error:
            result.errors += each_error(error)
        else:
            result.errors += games[name].errors
            result.findings[name] = games[name].findings
            tell_kept((done.title for done in games[name].done), progress)
    return games


def standalone_screens(reader: GameReader, options: BuildOptions, result: BuildResult) -> Iterator[Job]:
    """The screens that belong to no game; one that fails takes no other down."""
    for name, path in options.screens.items():
        games = Noted(reader.project.games)
        try:
            screen, main = screen_of_file(path, games)
            system = SystemInfo.of(main)
        except RefgenError as error:
            result.errors.append(error)
        else:
            result.errors += screen.faults
            reader.taken_from[name] = frozenset(games.asked)
            system = replace(system, id=name, title=screen.title or system.title)
            yield from screen_jobs(system, screen, options.wanted)


def _collect(games: Mapping[str, GameParts], finished: Sequence[Done]) -> tuple[Gathered, dict[str, str]]:
    """All files but the site's, and the part that each belongs to: the old file of an aid that failed must stay."""
    files, parts = Gathered(), dict[str, str]()
    for done in finished:
        owner = "" if done.game in games else f"{STANDALONE}/"
        parts |= {path: owner + path.rpartition(".")[0] for path in done.files}
        files.add(done.files)
        shown = {path: f"{owner}{path.rpartition('-')[0]}-previews" for path in done.previews}
        if not {*shown.values()} & {*parts.values()}:  # else another format's show the same
            parts |= shown
            files.add(done.previews)
    for game, ready in games.items():
        files.add(ready.data)
        parts |= dict.fromkeys(ready.data, f"{game}/{Kind.DATA}")
    files.add(assets())
    return files, parts | dict.fromkeys(assets(), SHARED)
