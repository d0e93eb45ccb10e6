"""Pieces of work go to an executor, a few at a time, and their outcomes come back.

In: an executor, a function that can be imported by its name, and pieces of work for it, which may be endless. Out:
what happens to each piece as it comes (``happenings``), or the results in the order of the pieces (``in_order``). A
piece that costs its process is tried once more.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
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


@dataclass(slots=True)
class _Try(Generic[W]):
    """A piece with the executor: since when it is worked on (0: it waits in line), and how often it was tried."""

    number: int
    piece: W
    since: float = 0.0
    count: int = 1

    def begin(self) -> Begun:
        """It is worked on from now."""
        self.since = time.monotonic()
        return Begun(self.number)


def happenings(
    executor: StepExecutor,
    do: Callable[[W], D],
    pieces: Iterable[W],
    meanwhile: Callable[[bool], bool] = lambda busy: False,  # noqa: ARG005  # it says what is given
) -> Iterator[Begun | Ended[D]]:
    """Do all pieces, as many at a time as the executor can, and tell what happens to each, by its number from 0.

    Before anybody waits for a piece, ``meanwhile`` is called, until it has nothing left to do (then it returns False);
    it is told whether as many pieces are worked on as can be.
    Raises RefgenError when the executor fails as a whole.
    """
    todo = enumerate(pieces)
    with_it: dict[Future[_Timed[D]], _Try[W]] = {}
    while True:
        for number, piece in islice(todo, max(executor.width + executor.ahead - len(with_it), 0)):
            one = _Try(number, piece)
            yield from _begun(executor, [*with_it.values(), one])
            with_it[executor.submit(_timed, do, piece)] = one
        if not with_it:
            return
        while meanwhile(len(with_it) >= executor.width) and not any(future.done() for future in with_it):
            pass
        for future in _some(executor, with_it):
            one = with_it.pop(future)
            outcome = _outcome(future)
            if not one.since:  # it was done before those that came before it
                yield one.begin()
            if isinstance(outcome, WorkerError) and one.count < TRIES:
                yield Begun(one.number, str(outcome))
                again = _Try(one.number, one.piece, time.monotonic(), one.count + 1)
                with_it[executor.submit(_timed, do, one.piece)] = again
            else:
                yield _ended(one, outcome)
            yield from _begun(executor, with_it.values())


def _ended(one: _Try[W], outcome: _Timed[D] | Exception) -> Ended[D]:
    if isinstance(outcome, _Timed):
        return Ended(one.number, outcome.outcome, outcome.seconds)
    return Ended(one.number, outcome, time.monotonic() - one.since)


def _begun(executor: StepExecutor, with_it: Collection[_Try[W]]) -> Iterator[Begun]:
    """The pieces that are worked on from now: an executor takes those that wait in line in their order."""
    free = executor.width - sum(bool(one.since) for one in with_it)
    waiting = [one for one in with_it if not one.since]
    return (one.begin() for one in waiting[: max(free, 0)])


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


def _some(executor: StepExecutor, futures: Collection[Future[D]]) -> Sequence[Future[D]]:
    """Wait until some are done, and look after the executor meanwhile. They come in the order of all."""
    while not (done := wait(futures, timeout=LOOKS, return_when=FIRST_COMPLETED).done):
        executor.check()
    return [future for future in futures if future in done]


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
