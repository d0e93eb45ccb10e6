"""The steps of games: a game is read and checked, its aids are made and become jobs, and its site pages are made last.

In: the folders of a project, and a BuildRequest. Out: steps for the graph of a build, whose values are GameData,
AidResults and FinishedGames. A step is taken from the store where an earlier build did it under the same key, which is
a digest of all that the step rests on. A game or an aid with an error is made again each time, so that the error is
reported each time.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from refgen.aids.kind import AidJob
from refgen.aids.kinds import KINDS, STANDALONE_KIND
from refgen.errors import AidError, RefgenError, RenderError, each_error, join_errors
from refgen.export.check import check_data
from refgen.export.model import json_text
from refgen.export.tables import tables_data
from refgen.game import GameModel, SystemInfo
from refgen.layout.templates import template_errors
from refgen.look.look import in_look
from refgen.pipeline.digests import digest, fingerprint, step_key
from refgen.pipeline.graph import JobResult, Step, StepJobs, StepKind, recall_result
from refgen.pipeline.make_aids import AidResults, FinishedGame, GameData, NotedGames, make_aid
from refgen.pipeline.operating_system import trim_memory
from refgen.pipeline.output_files import DATA, SITE, BuildFiles, ManifestEntry, OutputFiles, Spool, site_part
from refgen.pipeline.project import ProjectFolders
from refgen.pipeline.request import BuildRequest, GameInputs
from refgen.pipeline.result import BuildResult, Event, Progress, step
from refgen.pipeline.site_pages import GameSites
from refgen.pipeline.store import pack_entry, unpack_entry
from refgen.site.page import GameSummary

GALLERY = "gallery.html"
"""The page of a game, shown while somebody works on it, that has all kinds of blocks."""

SCREEN_STEP = "screen "
"""How the names of the steps of screens begin that belong to no game."""

GAMES_OF_GARBAGE = 8
"""So many finished games, of some 15 MB each, are worth a search for garbage, which takes a tenth of a second."""


@dataclass(slots=True)
class GameSteps:
    """Makes the steps of games. ``earlier`` are the files that an earlier build made of each game, by its name.

    ``missing`` says which games have no aid of the only kind that is made.
    """

    project: ProjectFolders
    request: BuildRequest
    spool: Spool
    sites: GameSites
    earlier: Mapping[str, Sequence[ManifestEntry]]
    progress: Progress
    result: BuildResult
    inputs: GameInputs = field(init=False)
    missing: list[AidError] = field(default_factory=list)
    _finished: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self.inputs = GameInputs(self.project)

    def of_game(self, name: str) -> Iterator[Step]:
        """The steps of a game. Steps for pages that somebody looks at do not wait until the game is checked."""
        first = {path for path in self.request.first if path.startswith(f"{name}/") or "/" not in path}
        yield Step(name, StepKind.READ, partial(self._read, name))
        aids = []
        for kind in self._kinds:
            aids.append(f"{name}/{KINDS[kind].names.stem}")
            yield self._step(aids[-1], any(path.startswith(aids[-1]) for path in first), name, self._aid, kind)
        if self.request.made and SITE in self.request.products:
            yield self._step(f"{name}/first pages", bool(first), name, self._first_pages, first)
        if self.request.made:
            yield self._step(f"{name}/gallery", f"{name}/{GALLERY}" in first, name, self._gallery, f"{name}/{GALLERY}")
        yield Step(f"{name}/site", StepKind.PAGES, partial(self._finish, name), [name, *aids])

    def of_screens(self) -> Iterator[Step]:
        """The steps of the screens that belong to no game."""
        for name in self.request.screens:
            kind = StepKind.FIRST if any(path.startswith(f"{name}/") for path in self.request.first) else StepKind.AID
            yield Step(f"{SCREEN_STEP}{name}", kind, partial(self._screen, name))

    def is_known(self, name: str) -> bool:
        """Whether an earlier build has done all steps of a game but its pages."""
        store = self.request.store
        keys = [self._game_key(name), *(self._aid_key(name, kind) for kind in self._kinds)]
        return store is not None and all(key in store for key in keys)

    def _step(self, title: str, is_first: bool, game: str, make: Callable[..., Any], what: Any) -> Step:
        """A step of a game: among the first steps of the build, or after the game was read."""
        kind, needs = (StepKind.FIRST, []) if is_first else (StepKind.AID, [game])
        return Step(title, kind, partial(make, game, what), needs)

    @property
    def _kinds(self) -> Sequence[str]:
        """The kinds of aids that are made of each game."""
        return [kind for kind in KINDS if kind in self.request.products]

    def _read(self, name: str) -> GameData | None:
        """Read and check a game; None where that fails, so that the output of an earlier build stays."""
        try:
            with step(self.progress, name, "read"):
                found = self._recalled_game(name) or self._read_game(name)
        except RefgenError as error:
            self._fail(name, name, each_error(error))
            return None
        self.result.findings[name], self.result.questions[name] = found.findings, found.questions
        self._note_errors(name, template_errors(self.project.look_of(name)))
        return replace(found, files=self.spool.take(found.files))

    def _read_game(self, name: str) -> GameData:
        game, store = self.project.games[name], self.request.store
        report, _ = game.check(), game.look
        if report.errors:
            raise join_errors(report.errors)
        files = _data_files(game) if DATA in self.request.products else {}
        rules = self.inputs.rules(name) if self.inputs.are_unchanged([name]) else ""
        found = GameData(GameSummary.of(game), len(report.open), len(report.questions), files, rules)
        if store and rules:
            store.put(self._game_key(name), pack_entry([asdict(found.summary), found.findings, found.questions], files))
        return found

    def _recalled_game(self, name: str) -> GameData | None:
        store = self.request.store
        entry = store.get(self._game_key(name)) if store else None
        if entry is None:
            return None
        (summary, findings, questions), (files,) = unpack_entry(entry)
        return GameData(GameSummary(**summary), findings, questions, files, self.inputs.rules(name))

    def _game_key(self, name: str) -> str:
        return step_key(digest(["game 3", self.inputs.rules(name), str(DATA in self.request.products)]))

    # An aid is made

    def _aid(self, name: str, kind: str, *read: GameData | None) -> StepJobs | None:
        """Make an aid of a game, and leave its jobs but those that an earlier build did; None for one that fails."""
        if None in read:
            return None
        if (known := self._recalled_aid(name, kind)) is not None:
            return known
        games, given = self.project.games, self.request.inputs.get(kind, ())
        try:
            folder, paths = self.project.folders[name], [file.path for file in given]
            made = make_aid(KINDS[kind], folder, games[name], games, [*map(Path, paths)])
        except RefgenError as error:
            self._fail(name, f"{name}/{KINDS[kind].names.stem}", [error])
            return None
        if made.aid is None:
            self._note_missing(name, kind)
        self._note_errors(name, made.errors)
        options = self._options(games[name], kind)
        jobs = [] if made.aid is None else [*KINDS[kind].jobs(games[name], made.aid, options)]
        left = self._remaining_jobs(jobs, AidResults(kind, others=made.others))
        is_sound = not made.errors and all(file.is_unchanged for file in given)
        if self.request.store and is_sound and self.inputs.are_unchanged([name, *made.others]):
            shown = {job.title: self.result.shown[job.title] for job in jobs}
            others = {other: self.inputs.digest(other) for other in sorted(made.others)}
            self.request.store.put(self._aid_key(name, kind), pack_entry([shown, others]))
        return left

    def _options(self, game: GameModel, kind: str) -> Any:
        """How the aids of a kind are made of a game."""
        return self.request.options[game.ruleset.spec.output.paper][kind]

    def _recalled_aid(self, name: str, kind: str) -> StepJobs | None:
        """An aid whose jobs were all done by an earlier build; None for any other aid."""
        store = self.request.store
        entry = store.get(self._aid_key(name, kind)) if store else None
        if store is None or entry is None:
            return None
        (shown, others), _ = unpack_entry(entry)
        if any(other not in self.project.folders or self.inputs.digest(other) != was for other, was in others.items()):
            return None
        results = [recall_result(store, title, name, job_digest) for title, job_digest in shown.items()]
        if not all(results):
            return None
        self.result.shown |= shown
        if not shown:
            self._note_missing(name, kind)
        return self._remaining_jobs((), AidResults(kind, [result for result in results if result], frozenset(others)))

    def _aid_key(self, name: str, kind: str) -> str:
        rests_on = [self.inputs.rules(name), self.inputs.digest(name)]
        options = fingerprint([options[kind] for options in self.request.options.values()])
        inputs = fingerprint(self.request.inputs.get(kind, ()))
        return step_key(digest(["aid 1", kind, *rests_on, options, inputs]))

    def _screen(self, name: str) -> StepJobs | None:
        """Make a screen that belongs to no game, and leave its jobs; None for a screen that fails."""
        games = NotedGames(self.project.games)
        try:
            screen, main = STANDALONE_KIND.of_file(self.request.screens[name], games)
            system = SystemInfo.of(main)
        except RefgenError as error:
            self._fail(name, name, [error])
            return None
        self._note_errors(name, STANDALONE_KIND.faults(screen))
        self.result.taken_from[name] = frozenset(games.asked)
        system = replace(system, id=name, title=screen.title or system.title)
        jobs = [*STANDALONE_KIND.jobs_of(system, screen, self._options(main, STANDALONE_KIND.name))]
        return self._remaining_jobs(jobs, AidResults(STANDALONE_KIND.name, others=frozenset(games.asked)))

    def _remaining_jobs(self, jobs: Sequence[AidJob], aid: AidResults) -> StepJobs:
        """The jobs that no earlier build did, with the results of all other jobs. Estimated pages are shown now."""
        store, known = self.request.store, {result.title: result for result in aid.results}
        missing = []
        for job in jobs:
            job_digest = fingerprint(job) if store else ""
            self.result.shown[job.title] = job_digest
            if store and (kept := recall_result(store, job.title, job.system.id, job_digest)):
                known[job.title] = kept
            else:
                self.result.made.append(job.title)
                missing.append(job)
        for title, result in known.items():
            self.result.kept.append(title)
            self.progress(Event("kept", title, aid.kind))
            self.request.show({path: result.files[path] for path in result.files.keys() & {*self.request.first}})
        known = {title: result.spooled(self.spool) for title, result in known.items()}
        self._show_estimates(missing)

        def finish(results: Sequence[JobResult]) -> AidResults:
            made = known | {result.title: result for result in results}
            titles = [job.title for job in jobs] or [*made]
            return replace(aid, results=[made[title] for title in titles])

        return StepJobs(missing, finish)

    def _show_estimates(self, jobs: Sequence[AidJob]) -> None:
        """Show open pages, and all pages of a new game, by estimated heights. The layout will tell the errors."""
        first = frozenset(self.request.first)
        for job in jobs if self.request.made else ():
            if job.html_paths & first or job.system.id not in self.earlier:
                self.request.check_stop()
                with suppress(RefgenError), in_look(job.look):
                    self.request.show(job.draft().files)

    # Pages of the site

    def _first_pages(self, name: str, first: set[str], *_read: GameData | None) -> None:
        """Show the pages of a game's site that somebody looks at; all pages of a game that has none yet."""
        paths = first if any(made.part == site_part(name) for made in self.earlier.get(name, ())) else None
        if paths is None or paths:
            there = frozenset(made.path for files in self.earlier.values() for made in files)
            with suppress(RefgenError):  # reported when the game is read
                for pages in self.sites.first_pages(name, OutputFiles({}, there, self.request.output), paths):
                    self.request.check_stop()
                    self.request.show(pages)

    def _gallery(self, name: str, path: str, *_read: GameData | None) -> None:
        """Show a page with all kinds of blocks in the look of a game."""
        from refgen.aids.panels.gallery import gallery_html  # loads the layout of panels

        store = self.request.store
        key = step_key(digest(["gallery 1", self.inputs.rules(name), self.inputs.digest(name)]))
        entry = store.get(key) if store else None
        with suppress(RefgenError):  # reported when the game is read
            files = unpack_entry(entry)[1][0] if entry else {path: gallery_html(self.project.games[name]).encode()}
            self.request.show(files)
            if store and not entry and self.inputs.are_unchanged([name]):
                store.put(key, pack_entry([], files))

    def _finish(self, name: str, data: GameData | None, *aids: AidResults | None) -> FinishedGame | None:
        """Make the pages of a game, with links to all its files, and let go of the game."""
        if data is None:
            return None
        game = FinishedGame(data, [aid for aid in aids if aid is not None])
        self.result.taken_from[name] = frozenset[str]().union(*(aid.others for aid in game.aids))
        if SITE in self.request.products:
            made = BuildFiles.shared(self.project.root)
            made.add_game(name, data.files, game.results)
            made.add_look(name, self.project.look_of(name))
            made_anew = {site_part(name), *made.parts.values()}
            stays = frozenset(each.path for each in self.earlier.get(name, ()) if each.part not in made_anew)
            # reported with the whole site
            with suppress(RenderError, MemoryError), step(self.progress, f"{name}/site", "site"):
                self.sites.make(name, data.rules, OutputFiles(made.files, stays, self.request.output))
        self._forget(name)
        return game

    def _forget(self, name: str) -> None:
        """Let go of a game. The objects of a game refer to each other: only a search for garbage frees them."""
        self.project.forget(name)
        self._finished += 1
        if self._finished % GAMES_OF_GARBAGE == 0:
            gc.collect()
            trim_memory()

    def fail_step(self, title: str, error: RefgenError) -> None:
        """Note that a step of a game or of a screen fails, and why."""
        self._fail(title.partition("/")[0].removeprefix(SCREEN_STEP), title, [error])

    def _fail(self, name: str, title: str, errors: Sequence[RefgenError]) -> None:
        """Note that something of a game or a screen is not made, and why."""
        self.result.failed.append(title)
        self._note_errors(name, errors)

    def _note_missing(self, name: str, kind: str) -> None:
        """Note that a game has no aid of a kind, and why, if the build is to make this kind alone."""
        if self.request.products != {kind}:
            return
        aid, game = KINDS[kind], self.project.games[name]
        why, hint = aid.why_missing(game), f"Say in {aid.spec_name} what is to be shown." if aid.spec_name else ""
        if aid.is_left_out(game):
            why, hint = "its system.toml leaves that out", "Change [aids] there."
        self.missing.append(AidError(f"{name} has no {aid.key}{f': {why}' if why else ''}", hint=hint))

    def _note_errors(self, name: str, errors: Sequence[RefgenError]) -> None:
        self.result.errors += errors
        if errors:
            self.result.failing.add(name)


def _data_files(game: GameModel) -> dict[str, bytes]:
    return {
        f"{game.id}/tables.json": json_text(tables_data(game)).encode(),
        f"{game.id}/check.json": json_text(check_data([replace(game.check(), extent=game.extent)])).encode(),
    }
