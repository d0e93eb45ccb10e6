"""What all executors of steps have in common.

In: a function that can be imported by its name, and what it takes, both of which travel by pickle. Out: a Future of
what it returns or raises; a WorkerError when the process that did it died, or was ended for taking too much.
"""

from __future__ import annotations

import sys
from concurrent.futures import Executor
from dataclasses import dataclass

FORKS = sys.platform == "linux"
"""Whether processes of this machine are forks, which have what the first one has worked out."""


class WorkerError(RuntimeError):
    """A step cost the process that did it. The next try may go well."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The most that one step may take: ``seconds``, and bytes of ``memory`` that its process holds.

    Both are a multiple of what the largest known takes: a booklet of 41 pages 3 s, a table of 10,000 rows 30 s and
    0.8 GB.
    """

    seconds: float = 300.0
    memory: int = 3 * 2**30


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
