"""The loop of a build: steps go to an executor, a few at a time, and their outcomes come back.

In: an executor, a function that can be imported by its name, and pieces of work for it, which may be endless; all of
them travel by pickle. Out: what happens to each piece as it comes (``run_steps``), or the results in the order of the
pieces (``in_order``). A piece that costs its process is tried once more.
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

T = TypeVar("T")
W = TypeVar("W")

LOOKS = 1.0
"""How often, in seconds, an executor is asked whether all is well with it."""


@dataclass(frozen=True, slots=True)
class StepBegun:
    """A piece is being worked on, for the first time or again after a failure of its process, ``because``."""

    number: int
    because: str = ""


@dataclass(frozen=True, slots=True)
class StepEnded(Generic[T]):
    """The outcome of a piece, or the error that ended its work, and the seconds that the work took."""

    number: int
    outcome: T | Exception
    seconds: float


@dataclass(slots=True)
class _Attempt(Generic[W]):
    """A piece with the executor: since when it is worked on (0: it waits in line), and whether for the second time."""

    number: int
    piece: W
    since: float = 0.0
    again: bool = False


def run_steps(
    executor: StepExecutor,
    do: Callable[[W], T],
    pieces: Iterable[W],
    on_idle: Callable[[], bool] = lambda: False,
    stop: Future[None] | None = None,
) -> Iterator[StepBegun | StepEnded[T]]:
    """Do all pieces, as many at a time as the executor can, and tell what happens to each, by its number from 0.

    Before anybody waits for a piece, ``on_idle`` is called, until it has nothing left to do: then it returns False.
    Raises RefgenError when the executor fails as a whole, and the exception of ``stop`` as soon as it has one.
    """
    todo = enumerate(pieces)
    submitted: dict[Future[tuple[T, float]], _Attempt[W]] = {}
    while True:
        for number, piece in islice(todo, max(executor.width + executor.ahead - len(submitted), 0)):
            one = _Attempt(number, piece)
            yield from _begun(executor, [*submitted.values(), one])
            submitted[executor.submit(_timed, do, piece)] = one
        if not submitted:
            return
        while on_idle() and not any(future.done() for future in submitted):
            pass
        for future in _some(executor, submitted, stop):
            one = submitted.pop(future)
            error = future.exception()
            if not one.since:  # it was done before those that came before it
                yield _begin(one)
            if isinstance(error, WorkerError) and not one.again:
                yield StepBegun(one.number, str(error))
                again = _Attempt(one.number, one.piece, time.monotonic(), again=True)
                submitted[executor.submit(_timed, do, one.piece)] = again
            else:
                yield _ended(one, future)
            yield from _begun(executor, submitted.values())


def _timed(do: Callable[[W], T], piece: W) -> tuple[T, float]:
    start = time.perf_counter()
    return do(piece), time.perf_counter() - start


def _begun(executor: StepExecutor, submitted: Collection[_Attempt[W]]) -> Iterator[StepBegun]:
    """The pieces that are worked on from now: an executor takes those that wait in line in their order."""
    free = executor.width - sum(bool(one.since) for one in submitted)
    return map(_begin, [one for one in submitted if not one.since][: max(free, 0)])


def _begin(one: _Attempt[W]) -> StepBegun:
    one.since = time.monotonic()
    return StepBegun(one.number)


def _ended(one: _Attempt[W], future: Future[tuple[T, float]]) -> StepEnded[T]:
    try:
        return StepEnded(one.number, *future.result())
    except ExecutorError:  # of all pieces
        raise
    except Exception as error:
        return StepEnded(one.number, error, time.monotonic() - one.since)


def in_order(
    executor: StepExecutor, do: Callable[[W], T], pieces: Iterable[W], ahead: int | None = None
) -> Iterator[T]:
    """Do all pieces, and give the results in their order.

    No more than ``ahead`` pieces (two for each that is done at a time) are taken before the result of the first is:
    neither they nor their results fill the memory. Raises what a piece raises.
    """
    most = 2 * executor.width if ahead is None else ahead
    waiting: deque[tuple[W, Future[T]]] = deque()
    for piece in pieces:
        waiting.append((piece, executor.submit(do, piece)))
        if len(waiting) > most:
            yield _result(executor, do, *waiting.popleft())
    while waiting:
        yield _result(executor, do, *waiting.popleft())


def _result(executor: StepExecutor, do: Callable[[W], T], piece: W, future: Future[T]) -> T:
    _some(executor, [future])
    if isinstance(future.exception(), WorkerError):
        future = executor.submit(do, piece)
        _some(executor, [future])
    return future.result()


def _some(
    executor: StepExecutor, futures: Collection[Future[T]], stop: Future[None] | None = None
) -> Sequence[Future[T]]:
    """Wait until some are done, and look after the executor meanwhile. They come in the order of all."""
    waited_for: list[Future[Any]] = [*futures, *([stop] if stop else [])]
    while not (done := wait(waited_for, timeout=LOOKS, return_when=FIRST_COMPLETED).done):
        executor.check()
    if stop in done:
        stop.result()
    return [future for future in futures if future in done]


LOCAL = "local"
_DASK = "dask"
_HINT = "Use local, or dask://HOST:PORT for the scheduler of a cluster."


@contextmanager
def executor(
    name: str = LOCAL, jobs: int | None = None, warm_up: Callable[[], object] | None = None
) -> Iterator[StepExecutor]:
    """The executor of a name, for ``jobs`` steps at a time: one for each core, or each thread of a cluster.

    ``local`` are processes on this machine, each ready after its ``warm_up`` (by default for many layouts), or, with a
    single job, this process itself. Raises ExecutorError for what is unknown or out of reach, PublishError where there
    is no room for temporary files.
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
        here = InProcess() if jobs == 1 else ProcessPool(jobs, warm_up or _for_layouts, folder)
        with closing(here):
            yield here


def _for_layouts() -> None:
    from refgen.layout.engine import warm_up

    warm_up()


def scheduler_of(name: str) -> str:
    """The address of the scheduler that an executor's name has; "" for ``local``. Raises ExecutorError."""
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
