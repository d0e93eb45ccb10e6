"""The jobs of a build are done, or taken from what earlier builds made.

In: jobs, an executor, and a store. Out: a Done for each, in their order. A job that fails takes no other down.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from refgen.errors import RenderError
from refgen.pipeline.cache.steps import StoredPages, keep, recall, shown
from refgen.pipeline.cache.store import Store
from refgen.pipeline.executors.flow import Begun, happenings
from refgen.pipeline.executors.step_executor import StepExecutor
from refgen.pipeline.job import FILE_NAMES, Done, Job
from refgen.pipeline.progress import Event, Progress, State
from refgen.pipeline.read_game import GameReader
from refgen.pipeline.result import BuildResult


def finish(
    reader: GameReader, steps: StepExecutor, jobs: Sequence[Job], progress: Progress, result: BuildResult
) -> list[Done]:
    """The results of all jobs, in the order of the jobs: those that are kept, then each of the others as it comes."""
    store, spool = reader.store, reader.spool
    if store:
        result.shown |= {job.title: shown(job) for job in jobs if job.title not in result.shown}
    recalled = (recall(store, job, result.shown[job.title]) for job in jobs) if store else ()
    done = {known.title: known.spooled(spool) for known in recalled if known}
    tell_kept(done, progress)
    missing = [job for job in jobs if job.title not in done]
    result.kept, result.made = [*done], [job.title for job in missing]
    for one in _made(missing, store, steps, progress):
        done[one.title] = one.spooled(spool)
        if store:
            keep(store, one, result.shown[one.title])
    if store:
        store.trim()
        result.fault = store.fault
    return [done[job.title] for job in jobs]


def tell_kept(titles: Iterable[str], progress: Progress) -> None:
    """Tell which jobs are taken from what an earlier build made."""
    for title in titles:
        file = title.partition("/")[2]
        kind = next(kind for kind, name in FILE_NAMES.items() if file.startswith(name))
        progress(Event("kept", title, kind))


def _made(jobs: Sequence[Job], store: Store | None, steps: StepExecutor, progress: Progress) -> Iterator[Done]:
    """What is made of each job, as it comes."""
    if not jobs:
        return
    from refgen.pipeline.work import do  # all that lays aids out

    make = partial(do, kept=StoredPages(store)) if store and steps.shares_files else do
    count = 0
    for each in happenings(steps, make, jobs):
        job = jobs[each.number]
        if isinstance(each, Begun):
            progress(Event("again" if each.because else "begun", job.title, job.kind, reason=each.because))
            continue
        one = each.outcome if isinstance(each.outcome, Done) else _failed(job, each.outcome)
        count += 1
        reason = str(one.errors[0]) if one.errors else ""
        state: State = "failed" if one.errors else "done"
        yield one
        progress(Event(state, job.title, job.kind, each.seconds, count, len(jobs), reason))


def _failed(job: Job, error: Exception) -> Done:
    """What a job leaves that fails for lack of room, or with its worker; a fault in refgen is raised as it is."""
    if not isinstance(error, (OSError, MemoryError, RuntimeError)):
        raise error
    failure = RenderError(f"{job.title}: the worker failed: {error}", hint="Try again with --jobs 1.")
    return Done(job.title, job.system.id, {}, errors=[failure])
