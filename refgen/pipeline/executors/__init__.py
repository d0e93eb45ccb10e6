"""The contract of executors, which do the steps of a build: in this process, in others, or on a cluster.

In: a function that can be imported by its name, and its arguments. Out: a future of what the function returns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, Future
from typing import Any, TypeVar

T = TypeVar("T")

Step = tuple[Callable[..., Any], Sequence[Any], Mapping[str, Any]]
"""A function that can be imported by its name, and what it takes by place and by name: all travel by pickle."""


class WorkerError(RuntimeError):
    """A step cost the process that did it, which died or took too much. The next try may go well."""


class StepExecutor(Executor):
    """An executor that does ``width`` steps at the same time; whether they find the files of this machine.

    ``ahead`` more may wait in line, so that nobody who works waits for us.
    """

    width: int = 1
    ahead: int = 2
    shares_files: bool = True

    def start(self) -> None:
        """Get ready in the background, so that the first steps need not wait."""

    def check(self) -> None:
        """Raise RefgenError when what was submitted may never be done."""

    def close(self) -> None:
        """End at once, whatever is running: nobody waits for it any more."""
        self.shutdown(cancel_futures=True)


class InProcess(StepExecutor):
    """Does each step in this process when it is submitted. Here nothing can be ended for taking too much."""

    ahead = 0

    def submit(self, function: Callable[..., T], /, *arguments: Any, **named: Any) -> Future[T]:
        """Do a step."""
        future: Future[T] = Future()
        try:
            future.set_result(function(*arguments, **named))
        except Exception as error:  # whoever asks for the result decides what it means
            future.set_exception(error)
        return future
