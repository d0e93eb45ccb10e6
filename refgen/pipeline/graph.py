"""The graph of a build: its steps, the jobs that steps leave to any process, and the order in which all are done.

In: steps. Out: jobs, and the values of the steps. This process does one step at a time: a step makes a value from the
values of the steps that it needs, or first leaves jobs to any process. ``graphlib`` knows which steps are ready; the
kind of a step says which of the ready steps comes first. The result of a job is kept for the next build under the
digest of what the job shows; the result of a job with an error or a note is not kept, so that both are reported each
time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace
from enum import IntEnum
from graphlib import TopologicalSorter
from heapq import heappop, heappush
from typing import Any

from refgen.aids.kind import AidJob, MadeFiles
from refgen.blocks.letters import SettableWords
from refgen.errors import RefgenError, RenderError
from refgen.layout.layout_cache import KeptPages
from refgen.layout.pieces import Mismatch
from refgen.look.harfbuzz import NoPangoError
from refgen.look.look import in_look, look_in_use
from refgen.pipeline.digests import step_key
from refgen.pipeline.output_files import Spool
from refgen.pipeline.store import Store, pack_entry, unpack_entry

MOST_READ_AHEAD = 4
"""The most games that are read while their jobs are not all done: hundreds of games do not fit into memory."""


# Jobs


@dataclass(frozen=True, slots=True)
class JobResult:
    """The result of a job, by the title of the job: the bytes of files and of previews by their paths.

    ``game`` is the game, or the screen of no single game, that the aid belongs to. ``errors`` say which parts could not
    be made, ``mismatches`` where the files differ from the aid, ``notes`` that they are less than they could be.
    """

    title: str
    game: str
    files: Mapping[str, bytes]
    previews: Mapping[str, bytes] = field(default_factory=dict)
    errors: Sequence[RefgenError] = ()
    mismatches: Sequence[Mismatch] = ()
    notes: Sequence[str] = ()

    def spooled(self, spool: Spool) -> JobResult:
        """The result with its files moved to a spool."""
        return replace(self, files=spool.take(self.files), previews=spool.take(self.previews))


def run_job(job: AidJob, kept: KeptPages | None = None) -> JobResult:
    """Make the files of a job, reusing ``kept`` pages. A RefgenError becomes an error of the result."""
    words = SettableWords()
    try:
        with in_look(job.look):
            made, notes = _make_files(replace(job, system=words.system(job.system)), kept)
    except RefgenError as error:
        return JobResult(job.title, job.system.id, {}, errors=[*words.faults, error])
    errors = [*words.faults, *made.errors]
    return JobResult(job.title, job.system.id, made.files, made.previews, errors, made.mismatches, notes)


def _make_files(job: AidJob, kept: KeptPages | None) -> tuple[MadeFiles, Sequence[str]]:
    """The files of a job, and a note where they are no PDFs, because this machine has no Pango. Raises RefgenError."""
    try:
        return job.make(kept), ()
    except NoPangoError as error:
        return job.draft(printed=True), [f"{error}; print the pages, planned by estimate, from a browser. {error.hint}"]


@dataclass(frozen=True, slots=True)
class StoredPages:
    """The layouts of the pages of all aids in a store, by look and HTML of each page. It travels between processes."""

    store: Store

    def get(self, html: str) -> bytes | None:
        """The layout of a page; None where the store has none."""
        return self.store.get(_page_key(html))

    def put(self, html: str, data: bytes) -> None:
        """Keep the layout of a page."""
        self.store.put(_page_key(html), data)


def _page_key(html: str) -> str:
    return step_key(look_in_use().digest + html)


def recall_result(store: Store, title: str, game: str, job_digest: str) -> JobResult | None:
    """The result of a job that showed the same in an earlier build; None where the store has none."""
    entry = store.get(step_key(job_digest))
    if entry is None:
        return None
    mismatches, (files, previews) = unpack_entry(entry)
    return JobResult(title, game, files, previews, mismatches=[Mismatch(*texts) for texts in mismatches])


def keep_result(store: Store, result: JobResult, job_digest: str) -> None:
    """Keep the result of a job, unless it has errors or notes."""
    if not (result.errors or result.notes):
        mismatches = [*map(astuple, result.mismatches)]
        store.put(step_key(job_digest), pack_entry(mismatches, result.files, result.previews))


# Steps


def not_enough_memory(step: str) -> RenderError:
    """The error of a step or a job for which there is not enough memory."""
    return RenderError(f"{step}: not enough memory", hint="Build fewer games at a time, with --jobs 1.")


class StepKind(IntEnum):
    """The kinds of steps, in the order in which ready steps are done."""

    FIRST = 0
    """A page that somebody looks at."""

    AID = 1
    READ = 2
    PAGES = 3
    """The pages of a game's site, which are the last step of the game."""


@dataclass(frozen=True, slots=True)
class StepJobs:
    """The jobs that a step leaves; ``finish`` makes the value of the step from their results, in the same order."""

    jobs: Sequence[AidJob]
    finish: Callable[[Sequence[JobResult]], Any]


@dataclass(frozen=True, slots=True)
class Step:
    """A step. ``make`` is called with the values of the steps it ``needs``, and returns a value or StepJobs."""

    name: str
    kind: StepKind
    make: Callable[..., Any]
    needs: Sequence[str] = ()


@dataclass(slots=True)
class _WaitingStep:
    """A step whose jobs are being done, and the results so far by the titles of the jobs."""

    name: str
    left: StepJobs
    results: dict[str, JobResult] = field(default_factory=dict)


class BuildGraph:
    """The steps of a build. ``values`` has the values of the steps that are done, ``total`` counts the jobs so far."""

    def __init__(
        self,
        steps: Iterable[Step],
        check: Callable[[], object] = lambda: None,
        fail: Callable[[str, RefgenError], object] = lambda _step, _error: None,
    ) -> None:
        """``check`` is called before each step; an exception that it raises ends the build.

        ``fail`` is called with the name of a step for which there is not enough memory: the value of the step is None,
        as of any step that fails.
        """
        self.values: dict[str, Any] = {}
        self.total = 0
        self._steps = {step.name: step for step in steps}
        self._check = check
        self._fail = fail
        self._sorter = TopologicalSorter({step.name: step.needs for step in self._steps.values()})
        self._sorter.prepare()
        self._ready: list[Step] = []
        self._waiting: dict[str, _WaitingStep] = {}
        self._jobs: list[tuple[int, int, AidJob]] = []
        self._unfinished_games = 0
        self._find_ready()

    def jobs(self) -> Iterator[AidJob]:
        """All jobs, the longest first of the jobs at hand; where none is at hand, steps are done."""
        while self._jobs or any(step.kind < StepKind.PAGES for step in self._ready):
            if not self._jobs:
                self._do_next_step()
            if self._jobs:
                yield heappop(self._jobs)[-1]

    def on_idle(self) -> bool:
        """Do a step while other processes do jobs, and return True; False where no ready step fits into memory."""
        return self._do_next_step(may_read=self._unfinished_games < MOST_READ_AHEAD)

    def take(self, result: JobResult) -> None:
        """Take the result of a job."""
        waiting = self._waiting.pop(result.title)
        waiting.results[result.title] = result
        if len(waiting.results) == len(waiting.left.jobs):
            self._end(waiting.name, waiting.left.finish([waiting.results[job.title] for job in waiting.left.jobs]))

    def finish(self) -> Mapping[str, Any]:
        """Do all steps that are left, once all jobs are done, and return the values of all steps by name."""
        while self._do_next_step():
            pass
        return self.values

    def _do_next_step(self, *, may_read: bool = True) -> bool:
        """Do the first ready step, in the order of the kinds, and return True; False where no step is ready.

        No game is read while the pages of many games wait: each game is freed when its pages are made.
        """
        many_wait = sum(step.kind is StepKind.PAGES for step in self._ready) >= MOST_READ_AHEAD
        ready = (step for step in self._ready if may_read or step.kind is not StepKind.READ)
        step = min(ready, key=lambda step: (many_wait and step.kind is StepKind.READ, step.kind), default=None)
        if step is None:
            return False
        self._check()
        self._ready.remove(step)
        self._unfinished_games += step.kind is StepKind.READ
        made = self._make_step(step)
        if isinstance(made, StepJobs) and made.jobs:
            self._leave(step, made)
        else:
            self._end(step.name, made.finish(()) if isinstance(made, StepJobs) else made)
        return True

    def _make_step(self, step: Step) -> Any:
        try:
            return step.make(*(self.values[name] for name in step.needs))
        except MemoryError:
            self._fail(step.name, not_enough_memory(step.name))
            return None

    def _leave(self, step: Step, left: StepJobs) -> None:
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
