"""Pieces of work go to an executor, a few at a time, and their outcomes come back.

In: an executor, a function that can be imported by its name, and pieces of work for it, which may be endless. Out:
what happens to each piece as it comes (``happenings``), or the results in the order of the pieces (``in_order``). A
piece that costs its process is tried once more.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, replace
from itertools import islice
from typing import Generic, TypeVar

from refgen.errors import ExecutorError
from refgen.pipeline.executors.step_executor import StepExecutor, WorkerError

W = TypeVar("W")
D = TypeVar("D")

TRIES = 2
LOOKS = 1.0
"""How often, in seconds, an executor is asked whether all is well with it."""


@dataclass(frozen=True, slots=True)
class Begun:
    """A piece is being worked on, for the first time or again after a failure of its process, ``because``."""

    number: int
    because: str = ""


@dataclass(frozen=True, slots=True)
class Ended(Generic[D]):
    """What was made of a piece, or the error that ended it, and how many seconds the work took."""

    number: int
    outcome: D | Exception
    seconds: float


@dataclass(frozen=True, slots=True)
class _Timed(Generic[D]):
    outcome: D
    seconds: float


@dataclass(frozen=True, slots=True)
class _Try(Generic[W]):
    number: int
    piece: W
    since: float
    count: int = 1


def happenings(executor: StepExecutor, do: Callable[[W], D], pieces: Iterable[W]) -> Iterator[Begun | Ended[D]]:
    """Do all pieces, as many at a time as the executor can, and tell what happens to each, by its number from 0.

    Raises RefgenError when the executor fails as a whole.
    """
    todo = enumerate(pieces)
    running: dict[Future[_Timed[D]], _Try[W]] = {}
    while True:
        for number, piece in islice(todo, max(executor.width - len(running), 0)):
            yield Begun(number)
            running[executor.submit(_timed, do, piece)] = _Try(number, piece, time.monotonic())
        if not running:
            return
        for future in _some(executor, running):
            one = running.pop(future)
            outcome = _outcome(future)
            if isinstance(outcome, WorkerError) and one.count < TRIES:
                yield Begun(one.number, str(outcome))
                running[executor.submit(_timed, do, one.piece)] = replace(one, count=one.count + 1)
            elif isinstance(outcome, _Timed):
                yield Ended(one.number, outcome.outcome, outcome.seconds)
            else:
                yield Ended(one.number, outcome, time.monotonic() - one.since)


def in_order(
    executor: StepExecutor, do: Callable[[W], D], pieces: Iterable[W], ahead: int | None = None
) -> Iterator[D]:
    """Do all pieces, and give the results in their order.

    No more than ``ahead`` pieces (two for each that is done at a time) are taken before the result of the first is:
    neither they nor their results fill the memory. Raises what a piece raises.
    """
    most = 2 * executor.width if ahead is None else ahead
    waiting: deque[tuple[W, Future[D]]] = deque()
    for piece in pieces:
        waiting.append((piece, executor.submit(do, piece)))
        if len(waiting) > most:
            yield _result(executor, do, *waiting.popleft())
    while waiting:
        yield _result(executor, do, *waiting.popleft())


def _result(executor: StepExecutor, do: Callable[[W], D], piece: W, future: Future[D]) -> D:
    _some(executor, [future])
    try:
        return future.result()
    except WorkerError:
        again = executor.submit(do, piece)
        _some(executor, [again])
        return again.result()


def _some(executor: StepExecutor, futures: Iterable[Future[D]]) -> Iterable[Future[D]]:
    """Wait until some are done, and look after the executor meanwhile."""
    while not (done := wait(futures, timeout=LOOKS, return_when=FIRST_COMPLETED).done):
        executor.check()
    return done


def _outcome(future: Future[D]) -> D | Exception:
    try:
        return future.result()
    except ExecutorError:
        raise
    except Exception as error:
        return error


def _timed(do: Callable[[W], D], piece: W) -> _Timed[D]:
    start = time.perf_counter()
    outcome = do(piece)
    return _Timed(outcome, time.perf_counter() - start)
