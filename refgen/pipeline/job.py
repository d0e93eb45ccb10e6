"""What becomes of a job of a build, in whatever process it is made.

In: an AidJob. Out: a Done, which travels between processes.
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
class Done:
    """What became of a job, by its title, of a game (or of a screen that belongs to none).

    The bytes of its files by path, of its previews likewise, the errors of what failed, and what is not as the aid
    says.
    """

    title: str
    game: str
    files: Mapping[str, bytes]
    previews: Mapping[str, bytes] = field(default_factory=dict)
    errors: Sequence[RefgenError] = ()
    mismatches: Sequence[Mismatch] = ()

    def spooled(self, spool: Spool) -> Done:
        """The same, with its files in a spool."""
        return replace(self, files=spool.take(self.files), previews=spool.take(self.previews))


def do(job: AidJob, kept: KeptPages | None = None) -> Done:
    """Make the files of a job, of which some pages may be ``kept``.

    A RefgenError ends up in the result, so that it takes no other job down.
    """
    try:
        made = job.make(kept)
    except RefgenError as error:
        return Done(job.title, job.system.id, {}, errors=[error])
    return Done(job.title, job.system.id, made.files, made.previews, made.errors, made.mismatches)


def draft(job: AidJob) -> Done:
    """The HTML pages of a job before any layout, and the errors that can be told without one."""
    try:
        made = job.draft()
    except RefgenError as error:
        return Done(job.title, job.system.id, {}, errors=[error])
    return Done(job.title, job.system.id, made.files, errors=made.errors)
