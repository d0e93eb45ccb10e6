"""Steps that are done by the workers of a cluster, through the scheduler of dask.distributed.

In: the address of a scheduler. Out: an executor. Steps and their results travel as bytes: the workers need no file
system in common with this machine, but the same refgen, packages, libraries and fonts, or their pages would differ.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any, ParamSpec, TypeVar
from urllib.parse import urlsplit
from uuid import uuid4

from refgen.errors import ExecutorError
from refgen.limits import limit_changes
from refgen.pipeline.cache.surroundings import surroundings
from refgen.pipeline.executors.on_worker import on_worker
from refgen.pipeline.executors.step_executor import StepExecutor, WorkerError

P = ParamSpec("P")
T = TypeVar("T")

CONNECT_SECONDS = 4.0
WORKERS_SECONDS = 10.0
"""How long a scheduler may have no workers: they may be on their way, or come back."""


class Cluster(StepExecutor):
    """As many steps at a time as the workers have threads, or ``most``.

    Raises ExecutorError when it is out of reach.
    """

    shares_files = False

    def __init__(self, address: str, most: int | None = None) -> None:
        self.address = address
        self._most = most
        self._client: Any = _connected(address)
        self._silent = _Silent()
        self._executor = self._client.get_executor(pure=False)
        self._empty_since: float | None = None
        try:
            self._client.wait_for_workers(1, timeout=CONNECT_SECONDS)
            self.check()
        except BaseException as error:
            self.close()
            if isinstance(error, TimeoutError):
                raise self._without_workers() from None
            raise

    def submit(self, function: Callable[P, T], /, *arguments: P.args, **named: P.kwargs) -> Future[T]:
        """Have a step done by the first worker that is free."""
        future: Future[T] = Future()
        key = f"refgen-{uuid4().hex}"
        try:
            asked_under = surroundings(), limit_changes()
            there = self._executor.submit(on_worker, key, *asked_under, function, arguments, named, key=key)
        except Exception as error:  # the client has a dozen ways to say that it lost its scheduler
            raise self._lost() from error
        there.add_done_callback(partial(self._pass_on, future))
        return future

    def check(self) -> None:
        """Raise ExecutorError when the scheduler is gone, or has had no workers for a while."""
        if self._client.status != "running":
            raise self._lost()
        threads = sum(self._threads().values())
        self.width = max(1, min(threads, self._most or threads))
        if threads:
            self._empty_since = None
        elif self._empty_since is None:
            self._empty_since = time.monotonic()
        elif time.monotonic() - self._empty_since > WORKERS_SECONDS:
            raise self._without_workers()

    def _threads(self) -> dict[str, int]:
        """How many threads each worker has."""
        try:
            found: dict[str, int] = self._client.sync(self._client.scheduler.ncores, callback_timeout=CONNECT_SECONDS)
        except (OSError, TimeoutError) as error:
            raise self._lost() from error
        return found

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the cluster. What still runs there ends, unless it is waited for."""
        self._executor.shutdown(wait=wait and not cancel_futures)
        self._client.close(timeout=1)
        self._silent.end()

    def _pass_on(self, future: Future[Any], there: Future[Any]) -> None:
        """The outcome of a step, with what went wrong in our words."""
        from distributed import KilledWorker

        if there.cancelled():
            future.set_exception(WorkerError("the scheduler gave it up"))
            return
        error = there.exception()
        if error is None:
            future.set_result(there.result())
        elif isinstance(error, KilledWorker):
            future.set_exception(WorkerError("it ended the workers that had it"))
        elif isinstance(error, ModuleNotFoundError):
            hint = "Install the same refgen, and what it stands on, on every worker."
            future.set_exception(ExecutorError(f"a worker at {self.address} has no refgen: {error}", hint=hint))
        else:
            future.set_exception(error)

    def _lost(self) -> ExecutorError:
        hint = "Nothing is lost: what was made is kept for the next build. Try again, or with --executor local."
        return ExecutorError(f"lost the scheduler at {self.address}", hint=hint)

    def _without_workers(self) -> ExecutorError:
        hint = f"Start some: dask worker {self.address}. What was made is kept for the next build."
        return ExecutorError(f"the scheduler at {self.address} has no workers", hint=hint)


def _connected(address: str) -> Any:
    try:
        from distributed import Client
    except ImportError as error:
        raise ExecutorError(
            f"a cluster needs dask.distributed: {error}", hint='Install it: pip install "refgen[cluster]".'
        ) from error
    connect: Any = Client
    hint = "Start one (dask scheduler); its first lines say its address."
    try:
        with ThreadPoolExecutor(1) as aside:  # a notebook has a loop of its own in this thread
            found = aside.submit(lambda: asyncio.run(_asked_in_time(address))).result()
    except Exception as error:  # whatever an answer of something else leads to
        raise ExecutorError(f"cannot reach a scheduler at {address}", hint=hint) from error
    if found != "Scheduler":
        raise ExecutorError(f"at {address} is a {found.lower()}, not a scheduler", hint=hint)
    return connect(address, timeout=CONNECT_SECONDS, set_as_default=False)


async def _asked_in_time(address: str) -> str:
    return await asyncio.wait_for(_who_is_there(address), CONNECT_SECONDS)


async def _who_is_there(address: str) -> str:
    """What an address is that of. Refused at once, where a client would try for long."""
    from distributed.core import rpc

    parts = urlsplit(address)
    _, writer = await asyncio.open_connection(parts.hostname, parts.port)
    writer.close()
    ask: Any = rpc
    async with ask(address, timeout=CONNECT_SECONDS) as there:
        return str((await there.identity())["type"])


class _Silent:
    """What dask logs is not for our users: it goes nowhere for a while."""

    def __init__(self) -> None:
        names = [name for name in logging.root.manager.loggerDict if name.startswith("distributed")]
        self._loggers = [logging.getLogger(name) for name in names]
        self._before = [logger.handlers[:] for logger in self._loggers]
        for logger in self._loggers:
            logger.handlers = [logging.NullHandler()]

    def end(self) -> None:
        """Log as before."""
        for logger, handlers in zip(self._loggers, self._before, strict=True):
            logger.handlers = handlers
