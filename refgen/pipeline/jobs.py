"""The jobs of a build are done, each by whoever is free.

In: jobs, an executor, and a store. Out: a Done for each, as it comes. A job that fails takes no other down.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain
from typing import Protocol

from refgen.aids.kind import AidJob
from refgen.aids.kinds import KINDS
from refgen.errors import RenderError
from refgen.pipeline.cache.steps import StoredPages
from refgen.pipeline.cache.store import Store
from refgen.pipeline.executors.loop import StepBegun, StepExecutor, run_steps
from refgen.pipeline.job import Done, do
from refgen.pipeline.progress import Event, Progress, State


class Jobs(Protocol):
    """Jobs that are to be done, of which more may turn up while the first are."""

    @property
    def total(self) -> int:
        """How many there are, as far as is known."""

    def jobs(self) -> Iterator[AidJob]:
        """One after the other."""

    def on_idle(self) -> bool:
        """Do something else while jobs are done by other processes; False when there is nothing to do."""


def done_jobs(jobs: Jobs, steps: StepExecutor, store: Store | None, progress: Progress) -> Iterator[Done]:
    """What is made of each job, as it comes."""
    begun: dict[int, AidJob] = {}
    noted = _noted(jobs.jobs(), begun)
    first = next(noted, None)
    if first is None:
        return
    make = partial(do, kept=StoredPages(store)) if store and steps.shares_files else do
    count = 0
    for each in run_steps(steps, make, chain([first], noted), jobs.on_idle):
        job = begun[each.number]
        if isinstance(each, StepBegun):
            progress(Event("again" if each.because else "begun", job.title, job.kind, reason=each.because))
            continue
        del begun[each.number]
        one = each.outcome if isinstance(each.outcome, Done) else _failed(job, each.outcome)
        count += 1
        reason = str(one.errors[0]) if one.errors else ""
        state: State = "failed" if one.errors else "done"
        yield one
        progress(Event(state, job.title, job.kind, each.seconds, count, jobs.total, reason))


def _noted(jobs: Iterator[AidJob], begun: dict[int, AidJob]) -> Iterator[AidJob]:
    for number, job in enumerate(jobs):
        begun[number] = job
        yield job


def tell_kept(titles: Iterable[str], progress: Progress) -> None:
    """Tell which jobs are taken from what an earlier build made."""
    for title in titles:
        file = title.partition("/")[2]
        kind = next(kind.name for kind in KINDS.values() if file.startswith(kind.names.stem))
        progress(Event("kept", title, kind))


def _failed(job: AidJob, error: Exception) -> Done:
    """What a job leaves that fails for lack of room, or with its worker; a fault in refgen is raised as it is."""
    if not isinstance(error, (OSError, MemoryError, RuntimeError)):
        raise error
    failure = RenderError(f"{job.title}: the worker failed: {error}", hint="Try again with --jobs 1.")
    return Done(job.title, job.system.id, {}, errors=[failure])
