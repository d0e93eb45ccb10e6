"""The executor that is asked for.

In: its name, and how many steps at a time. Out: an executor, which ends with all that it started.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager

from refgen.errors import ExecutorError
from refgen.pipeline.executors.in_process import InProcess
from refgen.pipeline.executors.processes import Processes
from refgen.pipeline.executors.step_executor import StepExecutor
from refgen.pipeline.scratch import scratch
from refgen.render.pdf import warm_up

LOCAL = "local"


@contextmanager
def executor(name: str, jobs: int) -> Iterator[StepExecutor]:
    """``local`` are processes on this machine; with a single job this process itself.

    Raises ExecutorError for another name, and PublishError where there is no room for temporary files.
    """
    if name != LOCAL:
        raise ExecutorError(f'there is no executor "{name}"', hint=f"Use {LOCAL}.")
    with scratch() as folder, closing(InProcess() if jobs == 1 else Processes(jobs, warm_up, folder)) as found:
        yield found
