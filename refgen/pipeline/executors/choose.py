"""The executor that is asked for.

In: its name, and how many steps at a time. Out: an executor, which ends with all that it started.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from urllib.parse import urlsplit

from refgen.errors import ExecutorError
from refgen.pipeline.executors.loop import InProcess, StepExecutor

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
    from refgen.pipeline.own_folder import scratch

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
