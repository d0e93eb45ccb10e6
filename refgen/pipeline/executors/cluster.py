"""An executor whose workers are those of a cluster of dask.distributed.

In: the address of a scheduler. Out: a Cluster. Calls and their results travel as bytes: the machines need no folder in
common, but the same refgen, packages, libraries and fonts, or their pages would differ.
"""

from __future__ import annotations

import asyncio
import atexit
import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from functools import cache, partial
from typing import Any, TypeVar
from urllib.parse import urlsplit
from uuid import uuid4

from refgen.errors import ExecutorError
from refgen.layout.engine import warm_up
from refgen.limits import changed_limits, limit_changes
from refgen.pipeline.digests import environment_digests
from refgen.pipeline.executors import Call, StepExecutor, WorkerError
from refgen.pipeline.executors.processes import ProcessPool
from refgen.pipeline.operating_system import scratch

T = TypeVar("T")

CONNECT_SECONDS = 4.0
WORKERS_SECONDS = 10.0
"""Seconds for which a scheduler may have no workers, which may be starting, or come back."""

IDLE_SECONDS = 20.0
"""Seconds for which a process without a call stays beside a worker of the cluster, for the next build."""


class Cluster(StepExecutor):
    """An executor that does as many calls at a time as the workers have threads, at ``most`` so many.

    Raises ExecutorError where the scheduler is out of reach.
    """

    shares_files = False

    def __init__(self, address: str, most: int | None = None) -> None:
        self.address = address
        self._most = most
        self._client: Any = _connect(address)
        self._executor = self._client.get_executor(pure=False)
        self._empty_since: float | None = None
        self._silence = ExitStack()
        self._silence.enter_context(_silent_dask())
        try:
            self._client.wait_for_workers(1, timeout=CONNECT_SECONDS)
            self.check()
        except BaseException as error:
            self.close()
            if isinstance(error, TimeoutError):
                raise self._without_workers() from None
            raise

    def submit(self, function: Callable[..., T], /, *arguments: Any, **named: Any) -> Future[T]:
        """Have a call done by the first worker that is free."""
        future: Future[T] = Future()
        key = f"refgen-{uuid4().hex}"
        call = function, arguments, named
        try:
            there = self._executor.submit(on_worker, key, environment_digests(), limit_changes(), call, key=key)
        except Exception as error:  # the client raises a dozen kinds of errors where it has lost its scheduler
            raise self._lost_error() from error
        there.add_done_callback(partial(self._pass_on, future))
        return future

    def check(self) -> None:
        """Raise ExecutorError when the scheduler is gone, or has had no workers for a while."""
        if self._client.status != "running":
            raise self._lost_error()
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
            raise self._lost_error() from error
        return found

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the cluster. Calls that still run end, unless the caller waits."""
        self._executor.shutdown(wait=wait and not cancel_futures)
        self._client.close(timeout=1)
        self._silence.close()

    def _pass_on(self, future: Future[Any], there: Future[Any]) -> None:
        """Pass the outcome of a call on to a future; errors of dask become errors of refgen."""
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

    def _lost_error(self) -> ExecutorError:
        hint = "Nothing is lost: what was made is kept for the next build. Try again, or with --executor local."
        return ExecutorError(f"lost the scheduler at {self.address}", hint=hint)

    def _without_workers(self) -> ExecutorError:
        hint = f"Start some: dask worker {self.address}. What was made is kept for the next build."
        return ExecutorError(f"the scheduler at {self.address} has no workers", hint=hint)


def _connect(address: str) -> Any:
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
            found = aside.submit(asyncio.run, _who_is_there(address)).result()
    except Exception as error:  # another kind of server may answer anything
        raise ExecutorError(f"cannot reach a scheduler at {address}", hint=hint) from error
    if found != "Scheduler":
        raise ExecutorError(f"at {address} is a {found.lower()}, not a scheduler", hint=hint)
    return connect(address, timeout=CONNECT_SECONDS, set_as_default=False)


async def _who_is_there(address: str) -> str:
    """The kind of dask server at an address. A refused connection fails at once; a client would go on trying."""
    from distributed.core import rpc

    parts = urlsplit(address)
    ask: Any = rpc
    async with asyncio.timeout(CONNECT_SECONDS):
        _, writer = await asyncio.open_connection(parts.hostname, parts.port)
        writer.close()
        async with ask(address, timeout=CONNECT_SECONDS) as there:
            return str((await there.identity())["type"])


@contextmanager
def _silent_dask() -> Iterator[None]:
    """Silence dask's log, which is not meant for users of refgen, until the block ends."""
    names = [name for name in logging.root.manager.loggerDict if name.startswith("distributed")]
    handlers = {name: logging.getLogger(name).handlers for name in names}
    for name in names:
        logging.getLogger(name).handlers = [logging.NullHandler()]
    try:
        yield
    finally:
        for name in names:
            logging.getLogger(name).handlers = handlers[name]


def on_worker(key: str, environment: Mapping[str, str], limit_changes: str, call: Call) -> Any:
    """Do a call on a worker of the cluster, as the task ``key``, under changed limits ("cards=5000").

    A process beside the worker does the call: WeasyPrint does not run in several threads, and a call that hangs must
    not block the worker. Raises ExecutorError unless the ``environment`` is that of the machine that builds.
    """
    from distributed import get_worker

    worker = get_worker()
    if others := [name for name, digest in environment_digests().items() if digest != environment.get(name)]:
        hint = "Install the same there as here; else its pages may differ."
        raise ExecutorError(f"the worker at {worker.address} is not like this machine: {', '.join(others)}", hint=hint)

    def unwanted() -> bool:
        task = worker.state.tasks.get(key)
        return task is None or task.state != "executing"

    with _one_pool:
        pool = _processes()
    return pool.do((_call_with_limits, (limit_changes, call), {}), unwanted)


def _call_with_limits(changes: str, call: Call) -> Any:
    """Do a call under the limits of the machine that builds."""
    function, arguments, named = call
    with changed_limits(changes.split()):
        return function(*arguments, **named)


_one_pool = threading.Lock()


@cache
def _processes() -> ProcessPool:
    """The processes beside a worker of the cluster: each thread of the worker that has a call uses one process."""
    stack = ExitStack()
    atexit.register(stack.close)
    pool = ProcessPool(1, warm_up, stack.enter_context(scratch()), forked=False, idle_seconds=IDLE_SECONDS)
    return stack.enter_context(closing(pool))
