"""The contract of executors, which do the steps of a build: in this process, in other processes, or on a cluster.

In: functions that can be imported by name, and their arguments; all of them travel by pickle. Out: a future for the
result of each call.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, Future
from typing import Any, TypeVar

T = TypeVar("T")

Call = tuple[Callable[..., Any], Sequence[Any], Mapping[str, Any]]
"""A function that can be imported by name, its positional arguments, and its named arguments."""


class WorkerError(RuntimeError):
    """A call cost its worker process, which died or took too much time or memory. A second try may go well."""


class StepExecutor(Executor):
    """An executor that does ``width`` calls at the same time; ``shares_files``: its workers see this machine's files.

    Up to ``ahead`` more calls may be submitted, so that a worker that is done need not wait for this process.
    """

    width: int = 1
    ahead: int = 2
    shares_files: bool = True

    def start(self) -> None:
        """Get ready in the background, so that the first calls need not wait."""

    def check(self) -> None:
        """Raise RefgenError where the executor as a whole has failed, so that no future will ever be done."""

    def close(self) -> None:
        """End all calls at once."""
        self.shutdown(cancel_futures=True)


class InProcess(StepExecutor):
    """Does each call in this process when it is submitted. No limits hold: no other process could end the call."""

    ahead = 0

    def submit(self, function: Callable[..., T], /, *arguments: Any, **named: Any) -> Future[T]:
        """Do a call."""
        future: Future[T] = Future()
        try:
            future.set_result(function(*arguments, **named))
        except Exception as error:  # raised again by ``Future.result``
            future.set_exception(error)
        return future
