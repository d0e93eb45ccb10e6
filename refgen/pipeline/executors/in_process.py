"""Steps that are done in this process, each when it is submitted.

In: a step. Out: a Future that is done. Here nothing can be ended for taking too much.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import ParamSpec, TypeVar

from refgen.pipeline.executors.step_executor import StepExecutor

P = ParamSpec("P")
T = TypeVar("T")


class InProcess(StepExecutor):
    """Does one step after the other, while its caller waits."""

    ahead = 0

    def submit(self, function: Callable[P, T], /, *arguments: P.args, **named: P.kwargs) -> Future[T]:
        """Do a step."""
        future: Future[T] = Future()
        try:
            future.set_result(function(*arguments, **named))
        except Exception as error:  # whoever asks for the result decides what it means
            future.set_exception(error)
        return future
