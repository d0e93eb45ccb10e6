"""The graph of a build: which steps there are, what each needs, and which can be done next.

In: steps. Out: jobs for any process, and the values of the steps. This process does one step at a time: a step makes a
value of the values that it needs, or leaves jobs to be done by any process first. ``graphlib`` knows which steps are
ready; the kind of a step says which of these comes first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from graphlib import TopologicalSorter
from heapq import heappop, heappush
from typing import Any

from refgen.aids.kind import AidJob
from refgen.errors import RefgenError
from refgen.layout.layout_cache import KeptPages
from refgen.layout.readback.expected import Mismatch
from refgen.pipeline.digests import fingerprint, step_key
from refgen.pipeline.output_files import Spool
from refgen.pipeline.store import Store, packed, unpacked

MOST_READ_AHEAD = 4
"""How many games are read whose jobs are not all done: of a project of hundreds not all fit into memory."""


class StepKind(IntEnum):
    """The kinds of steps, in the order in which they are done where several are ready."""

    FIRST = 0
    """A page that somebody looks at."""

    AID = 1
    READ = 2
    PAGES = 3
    """The pages of a game's site: with this step the game is done."""

    LAST = 4


@dataclass(frozen=True, slots=True)
class Jobs:
    """Jobs that a step leaves to any process; ``finish`` makes the value of the step of their results, in order."""

    jobs: Sequence[AidJob]
    finish: Callable[[Sequence[JobResult]], Any]


@dataclass(frozen=True, slots=True)
class Step:
    """A step by its name. ``make`` is called with the values of the steps it ``needs``; it returns a value or Jobs."""

    name: str
    kind: StepKind
    make: Callable[..., Any]
    needs: Sequence[str] = ()


@dataclass(slots=True)
class _WaitingStep:
    """A step whose jobs are being done, and their results by the titles of the jobs, as they come."""

    name: str
    left: Jobs
    results: dict[str, JobResult] = field(default_factory=dict)


class BuildGraph:
    """Steps that are done in turn. ``values`` are those of all that are done, ``total`` counts the jobs so far."""

    def __init__(self, steps: Iterable[Step], check: Callable[[], object] = lambda: None) -> None:
        """``check`` is called before each step; it may raise what is to end the build."""
        self.values: dict[str, Any] = {}
        self.total = 0
        self._steps = {step.name: step for step in steps}
        self._check = check
        self._sorter = TopologicalSorter({step.name: step.needs for step in self._steps.values()})
        self._sorter.prepare()
        self._ready: list[Step] = []
        self._waiting: dict[str, _WaitingStep] = {}
        self._jobs: list[tuple[int, int, AidJob]] = []
        self._unfinished_games = 0
        self._find_ready()

    def jobs(self) -> Iterator[AidJob]:
        """All jobs, of those at hand the longest first; steps are done until there is one."""
        while self._jobs or self._do_for_jobs():
            if self._jobs:
                yield heappop(self._jobs)[-1]

    def on_idle(self) -> bool:
        """Do a step while other processes do jobs, unless that takes too much memory. Returns whether one was done."""
        may_read = self._unfinished_games < MOST_READ_AHEAD
        return self._do(
            lambda step: step.kind < StepKind.READ or (step.kind is StepKind.READ and may_read)
        ) or self._do(lambda step: step.kind is StepKind.PAGES)

    def take(self, result: JobResult) -> None:
        """Take what came of a job."""
        waiting = self._waiting.pop(result.title)
        waiting.results[result.title] = result
        if len(waiting.results) == len(waiting.left.jobs):
            self._end(waiting.name, waiting.left.finish([waiting.results[job.title] for job in waiting.left.jobs]))

    def finish(self) -> Mapping[str, Any]:
        """Do all steps that are left, whose jobs are all done, and return the values of all steps."""
        while self._do(lambda _: True):
            pass
        return self.values

    def _do_for_jobs(self) -> bool:
        """Do a step that may lead to jobs. Where many games have nothing left but their pages, these come first."""
        pages = sum(step.kind is StepKind.PAGES for step in self._ready)
        if pages >= MOST_READ_AHEAD and any(step.kind is StepKind.READ for step in self._ready):
            return self._do(lambda step: step.kind in (StepKind.FIRST, StepKind.AID, StepKind.PAGES))
        return self._do(lambda step: step.kind < StepKind.PAGES)

    def _do(self, is_wanted: Callable[[Step], bool]) -> bool:
        """Do the first of the ready steps that are wanted. Returns whether there was one."""
        step = min(filter(is_wanted, self._ready), key=lambda step: step.kind, default=None)
        if step is None:
            return False
        self._check()
        self._ready.remove(step)
        self._unfinished_games += step.kind is StepKind.READ
        made = step.make(*(self.values[name] for name in step.needs))
        if isinstance(made, Jobs) and made.jobs:
            self._leave(step, made)
        else:
            self._end(step.name, made.finish(()) if isinstance(made, Jobs) else made)
        return True

    def _leave(self, step: Step, left: Jobs) -> None:
        waiting = _WaitingStep(step.name, left)
        for job in left.jobs:
            self._waiting[job.title] = waiting
            heappush(self._jobs, (-job.weight, self.total, job))
            self.total += 1

    def _end(self, name: str, value: Any) -> None:
        self.values[name] = value
        self._sorter.done(name)
        self._find_ready()

    def _find_ready(self) -> None:
        new = [self._steps[name] for name in self._sorter.get_ready()]
        self._unfinished_games -= sum(step.kind is StepKind.PAGES for step in new)
        self._ready += new


@dataclass(frozen=True, slots=True)
class JobResult:
    """The result of a job, by the job's title, of a game (or of a screen of no single game).

    The bytes of its files by path, of its previews likewise, the errors of what failed, and what is not as the aid
    says.
    """

    title: str
    game: str
    files: Mapping[str, bytes]
    previews: Mapping[str, bytes] = field(default_factory=dict)
    errors: Sequence[RefgenError] = ()
    mismatches: Sequence[Mismatch] = ()

    def spooled(self, spool: Spool) -> JobResult:
        """The result with its files moved to a spool."""
        return replace(self, files=spool.take(self.files), previews=spool.take(self.previews))


def run_job(job: AidJob, kept: KeptPages | None = None) -> JobResult:
    """Make the files of a job, of which some pages may be ``kept``.

    A RefgenError ends up in the result, so that it takes no other job down.
    """
    try:
        made = job.make(kept)
    except RefgenError as error:
        return JobResult(job.title, job.system.id, {}, errors=[error])
    return JobResult(job.title, job.system.id, made.files, made.previews, made.errors, made.mismatches)


def job_digest(job: AidJob) -> str:
    """The digest of what a job shows, and in which formats."""
    return fingerprint(job)


@dataclass(frozen=True, slots=True)
class StoredPages:
    """The pages of all aids, each kept by its HTML. It travels between processes."""

    store: Store

    def get(self, html: str) -> bytes | None:
        """The kept layout of a page."""
        return self.store.get(step_key(html))

    def put(self, html: str, data: bytes) -> None:
        """Keep something of a page."""
        self.store.put(step_key(html), data)


def recall(store: Store, title: str, game: str, what: str) -> JobResult | None:
    """The result of an earlier build's job that showed the same content; None where the store has none."""
    entry = store.get(step_key(what))
    if entry is None:
        return None
    mismatches, (files, previews) = unpacked(entry)
    return JobResult(title, game, files, previews, mismatches=[Mismatch(*texts) for texts in mismatches])


def keep(store: Store, result: JobResult, what: str) -> None:
    """Keep what was made of a job that shows this."""
    if not result.errors:
        mismatches = [(found.file, found.where, found.what) for found in result.mismatches]
        store.put(step_key(what), packed(mismatches, result.files, result.previews))
