"""What becomes of a job of a build, in whatever process it is done.

In: an AidJob. Out: a JobResult, which travels between processes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from refgen.aids.kind import AidJob
from refgen.errors import RefgenError
from refgen.pipeline.spool import Spool
from refgen.render.layout_cache import KeptPages
from refgen.render.readback.mismatch import Mismatch


@dataclass(frozen=True, slots=True)
class JobResult:
    """What became of a job, by the job's title, of a game (or of a screen that belongs to none).

    The bytes of its files by path, of its previews likewise, the errors of what failed, and what is not as the aid
    says.
    """

    title: str
    game: str
    files: Mapping[str, bytes]
    previews: Mapping[str, bytes] = field(default_factory=dict)
    errors: Sequence[RefgenError] = ()
    mismatches: Sequence[Mismatch] = ()

    def spooled(self, spool: Spool) -> JobResult:
        """The same, with its files in a spool."""
        return replace(self, files=spool.take(self.files), previews=spool.take(self.previews))


def run_job(job: AidJob, kept: KeptPages | None = None) -> JobResult:
    """Make the files of a job, of which some pages may be ``kept``.

    A RefgenError ends up in the result, so that it takes no other job down.
    """
    try:
        made = job.make(kept)
    except RefgenError as error:
        return JobResult(job.title, job.system.id, {}, errors=[error])
    return JobResult(job.title, job.system.id, made.files, made.previews, made.errors, made.mismatches)
