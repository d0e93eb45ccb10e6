"""The choice of an executor, and the loop that has steps done by it.

In: the name of an executor; a function that can be imported by name, and arguments for it, one for each step; there may
be endlessly many. Out: the beginning and the end of each step as it happens (``run_steps``), or the results in the
order of the steps (``in_order``). A step that costs its process is tried once more.
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any, Generic, TypeVar
from urllib.parse import urlsplit

from refgen.errors import ExecutorError
from refgen.pipeline.executors import InProcess, StepExecutor, WorkerError
from refgen.pipeline.result import LOCAL

T = TypeVar("T")
W = TypeVar("W")

_DASK = "dask"
_HINT = "Use local, or dask://HOST:PORT for the scheduler of a cluster."

CHECK_SECONDS = 1.0
"""Seconds between two checks of an executor."""


# The choice of an executor


@contextmanager
def executor(
    name: str = LOCAL, jobs: int | None = None, warm_up: Callable[[], object] | None = None
) -> Iterator[StepExecutor]:
    """The executor of a name, for ``jobs`` steps at a time: one for each core, or each thread of a cluster.

    ``local`` are processes on this machine, each ready after its ``warm_up`` (by default for many layouts), or, with a
    single job, this process itself. Raises ExecutorError for a name that is unknown or a scheduler out of reach,
    PublishError where there is no room for temporary files.
    """
    if scheduler := scheduler_of(name):
        from refgen.pipeline.executors.cluster import Cluster

        with closing(Cluster(scheduler, jobs)) as cluster:
            yield cluster
        return
    from refgen.pipeline.executors.processes import ProcessPool
    from refgen.pipeline.operating_system import scratch

    jobs = jobs or os.cpu_count() or 1
    with scratch() as folder:
        here = InProcess() if jobs == 1 else ProcessPool(jobs, warm_up or _warm_up_layouts, folder)
        with closing(here):
            yield here


def _warm_up_layouts() -> None:
    from refgen.layout.engine import warm_up

    warm_up()


def scheduler_of(name: str) -> str:
    """The address of the scheduler in the name of an executor; "" for ``local``. Raises ExecutorError."""
    if name == LOCAL:
        return ""
    parts = urlsplit(name)
    if parts.scheme != _DASK:
        raise ExecutorError(f'there is no executor "{name}"', hint=_HINT)
    try:
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if not host or not port or name != f"{_DASK}://{parts.netloc}":
        raise ExecutorError(f'"{name}" is not the address of a scheduler', hint=_HINT)
    return f"tcp://{parts.netloc}"


# The loop


@dataclass(frozen=True, slots=True)
class StepBegun(Generic[W]):
    """A worker has begun the step of an argument: for the first time, or again ``because`` the first try failed."""

    argument: W
    because: str = ""


@dataclass(frozen=True, slots=True)
class StepEnded(Generic[W, T]):
    """The step of an argument has ended: the outcome is a result or an error; ``seconds`` is the time of the work."""

    argument: W
    outcome: T | Exception
    seconds: float


@dataclass(slots=True)
class _Attempt(Generic[W]):
    """A submitted step: its argument, when a worker has begun (0: no worker has), and whether it is the second try."""

    argument: W
    begun: float = 0.0
    again: bool = False


def run_steps(
    executor: StepExecutor,
    do: Callable[[W], T],
    arguments: Iterable[W],
    on_idle: Callable[[], bool] = lambda: False,
    stop: Future[None] | None = None,
) -> Iterator[StepBegun[W] | StepEnded[W, T]]:
    """Do a step for each argument, as many at a time as the executor can.

    Before this process waits for a step, ``on_idle`` is called until it returns False: nothing is left to do meanwhile.
    Raises RefgenError where the executor as a whole fails, and the exception of ``stop`` as soon as it has one.
    """
    left = iter(arguments)
    submitted: dict[Future[tuple[T, float]], _Attempt[W]] = {}
    while True:
        for argument in islice(left, max(executor.width + executor.ahead - len(submitted), 0)):
            attempt = _Attempt(argument)
            yield from _begin_next(executor, [*submitted.values(), attempt])
            submitted[executor.submit(_time_call, do, argument)] = attempt
        if not submitted:
            return
        while on_idle() and not any(future.done() for future in submitted):
            pass
        for future in _wait_for_some(executor, submitted, stop):
            attempt = submitted.pop(future)
            error = future.exception()
            if not attempt.begun:  # it ended before steps that had been submitted earlier
                yield _begin(attempt)
            if isinstance(error, WorkerError) and not attempt.again:
                yield StepBegun(attempt.argument, str(error))
                again = _Attempt(attempt.argument, time.monotonic(), again=True)
                submitted[executor.submit(_time_call, do, attempt.argument)] = again
            else:
                yield _step_ended(attempt, future)
            yield from _begin_next(executor, submitted.values())


def in_order(
    executor: StepExecutor, do: Callable[[W], T], arguments: Iterable[W], ahead: int | None = None
) -> Iterator[T]:
    """Do a step for each argument, and give the results in the order of the arguments.

    No more than ``ahead`` arguments (by default two for each step that is done at a time) are taken before the first
    result is given, so that neither arguments nor results fill the memory. Raises the errors of the steps.
    """
    most = 2 * executor.width if ahead is None else ahead
    waiting: deque[tuple[W, Future[T]]] = deque()
    for argument in arguments:
        waiting.append((argument, executor.submit(do, argument)))
        if len(waiting) > most:
            yield _result(executor, do, *waiting.popleft())
    while waiting:
        yield _result(executor, do, *waiting.popleft())


def _time_call(do: Callable[[W], T], argument: W) -> tuple[T, float]:
    start = time.perf_counter()
    return do(argument), time.perf_counter() - start


def _begin_next(executor: StepExecutor, submitted: Collection[_Attempt[W]]) -> Iterator[StepBegun[W]]:
    """Note which waiting steps a worker begins now: an executor takes steps in the order of their submission."""
    free = executor.width - sum(bool(attempt.begun) for attempt in submitted)
    return map(_begin, [attempt for attempt in submitted if not attempt.begun][: max(free, 0)])


def _begin(attempt: _Attempt[W]) -> StepBegun[W]:
    attempt.begun = time.monotonic()
    return StepBegun(attempt.argument)


def _step_ended(attempt: _Attempt[W], future: Future[tuple[T, float]]) -> StepEnded[W, T]:
    try:
        return StepEnded(attempt.argument, *future.result())
    except ExecutorError:  # it concerns all steps
        raise
    except Exception as error:
        return StepEnded(attempt.argument, error, time.monotonic() - attempt.begun)


def _result(executor: StepExecutor, do: Callable[[W], T], argument: W, future: Future[T]) -> T:
    _wait_for_some(executor, [future])
    if isinstance(future.exception(), WorkerError):
        future = executor.submit(do, argument)
        _wait_for_some(executor, [future])
    return future.result()


def _wait_for_some(
    executor: StepExecutor, futures: Collection[Future[T]], stop: Future[None] | None = None
) -> Sequence[Future[T]]:
    """Wait until at least one future is done, and check the executor meanwhile. Returns all that are done."""
    waited_for: list[Future[Any]] = [*futures, *([stop] if stop else [])]
    while not (done := wait(waited_for, timeout=CHECK_SECONDS, return_when=FIRST_COMPLETED).done):
        executor.check()
    if stop in done:
        stop.result()
    return [future for future in futures if future in done]
