"""The games of a build, one after the other: few of them are in memory at a time.

In: the games, and what becomes of their jobs. Out: the jobs, game by game; and of each game what it gives, once all its
jobs are done. While jobs are done elsewhere, the next games are read here, and the pages of the site are made of those
that are complete.
"""

from __future__ import annotations

import gc
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from refgen.aids.kind import AidJob
from refgen.errors import RefgenError, each_error
from refgen.pipeline.cache.steps import keep, recall, shown
from refgen.pipeline.job import Done
from refgen.pipeline.jobs import tell_kept
from refgen.pipeline.operating_system import give_back
from refgen.pipeline.progress import Progress, step
from refgen.pipeline.read_game import GameParts, GameReader
from refgen.pipeline.result import BuildResult

NO_GAME = ""
"""What the jobs of screens that belong to no game stand under."""

AHEAD = 4
"""How many games are read whose jobs are not all done."""

GONE = 2
"""How many games are let go of before their memory is given back: the largest take 50 MB each."""


@dataclass(slots=True)
class GamesInTurn:
    """Games by ``names``, of which one that fails takes no other down, and then the ``others``, jobs of no game.

    ``parts`` has what each game gives, without its jobs; what came of these is in ``done``, by their titles.
    ``complete`` is called with each game whose jobs are all done, while jobs of other games are being done.
    """

    reader: GameReader
    names: Sequence[str]
    others: Callable[[], Iterable[AidJob]]
    complete: Callable[[GameParts, Sequence[Done]], object] | None
    progress: Progress
    result: BuildResult
    total: int = 0
    parts: dict[str, GameParts] = field(default_factory=dict)
    done: dict[str, dict[str, Done | None]] = field(default_factory=dict)
    _unread: deque[str] = field(default_factory=deque)
    _ready: deque[AidJob] = field(default_factory=deque)
    _open: list[str] = field(default_factory=list)
    _complete: deque[str] = field(default_factory=deque)
    _gone: int = 0

    def __post_init__(self) -> None:
        self._unread.extend(self.names)

    def jobs(self) -> Iterator[AidJob]:
        """What is to be made and is not kept, the longest jobs of each game first, so that few workers wait for one."""
        while self._unread or self._ready:
            if self._ready:
                yield self._ready.popleft()
            elif not self._finished_some(AHEAD):
                self._read()
        self._take(NO_GAME, self.others(), {})
        while self._ready:
            yield self._ready.popleft()

    def on_idle(self) -> bool:
        """Read the next game, or finish one; False when there is nothing to do."""
        if self._unread and len(self._open) < AHEAD:
            self._read()
            return True
        return self._finished_some(1)

    def _finished_some(self, least: int) -> bool:
        """Finish a game where so many are complete at ``least``. Returns False where there are not."""
        if len(self._complete) < least:
            return False
        name = self._complete.popleft()
        if self.complete:
            self.complete(self.parts[name], self.done_of(name))
        self._let_go(name)
        return True

    def _let_go(self, name: str) -> None:
        """Let go of a game that is done with. Games refer to themselves; Python looks for such too seldom by itself."""
        if self.reader.project.forget(name):
            self._gone += 1
            if not self._gone % GONE:
                _collect()

    def take(self, one: Done) -> None:
        """Take what came of a job."""
        found = self.done[one.game if one.game in self.parts else NO_GAME]
        found[one.title] = one.spooled(self.reader.spool)
        if one.errors:
            self.result.failed.append(f"{one.title} in part" if one.files else one.title)
        if self.reader.store:
            keep(self.reader.store, one, self.result.shown[one.title])
        if one.game in self._open and None not in found.values():
            self._open.remove(one.game)
            self._complete.append(one.game)

    def finish(self) -> None:
        """Finish all that are complete, where not all games are remembered: what comes then is of the whole build."""
        while self._gone and self._finished_some(1):
            pass
        if self._gone:
            _collect()

    def done_of(self, name: str) -> list[Done]:
        """What came of the jobs of a game, or of those of no game ("")."""
        return [one for one in self.done.get(name, {}).values() if one]

    def all_done(self) -> Iterator[Done]:
        """What came of all jobs."""
        return (one for name in self.done for one in self.done_of(name))

    def _read(self) -> None:
        name = self._unread.popleft()
        game = read_game(self.reader, name, self.progress, self.result)
        if game is not None:
            self.parts[name] = replace(game, jobs=())
            self._take(name, game.jobs, {one.title: one for one in game.done})

    def _take(self, name: str, jobs: Iterable[AidJob], known: Mapping[str, Done]) -> None:
        """Put the jobs of a game in line, but those of which is known what came of them."""
        store, spool = self.reader.store, self.reader.spool
        found: dict[str, Done | None] = {**known}
        missing = []
        for job in jobs:
            kept = None
            if store:
                if job.title not in self.result.shown:
                    self.result.shown[job.title] = shown(job)
                kept = recall(store, job, self.result.shown[job.title])
            found[job.title] = kept.spooled(spool) if kept else None
            if kept:
                self.result.kept.append(job.title)
                tell_kept([job.title], self.progress)
            else:
                self.result.made.append(job.title)
                missing.append(job)
        self.done[name] = found
        self.total += len(missing)
        self._ready.extend(sorted(missing, key=lambda job: -job.weight))
        if name != NO_GAME:
            (self._open if missing else self._complete).append(name)


def _collect() -> None:
    gc.collect()
    give_back()


def read_game(reader: GameReader, name: str, progress: Progress, result: BuildResult) -> GameParts | None:
    """What a game gives; None for one that fails, which the result tells."""
    try:
        with step(progress, name, "read"):
            game = reader.parts(name)
    except RefgenError as error:
        result.errors += each_error(error)
        result.failed.append(name)
        return None
    result.errors += game.errors
    result.failed += game.failed
    result.findings[name] = game.findings
    result.shown |= game.shows
    result.kept += [one.title for one in game.done]
    tell_kept((one.title for one in game.done), progress)
    return game
