"""Jobs of a build: how a job is done, in any process, and how its result is kept for the next build.

In: an AidJob. Out: a JobResult, which travels between processes, and the same from a store, under the digest of what
the job shows. The result of a job with an error is not kept: the error is told anew each time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from refgen.aids.kind import AidJob
from refgen.errors import RefgenError
from refgen.layout.layout_cache import KeptPages
from refgen.layout.readback.expected import Mismatch
from refgen.pipeline.cache.digests import fingerprint
from refgen.pipeline.cache.environment import step_key
from refgen.pipeline.cache.store import Store, packed, unpacked
from refgen.pipeline.spool import Spool


@dataclass(frozen=True, slots=True)
class JobResult:
    """The result of a job, by the job's title, of a game (or of a screen of no single game).

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
        """The result with its files moved to a spool."""
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


def job_digest(job: AidJob) -> str:
    """The digest of what a job shows, and in which formats."""
    return fingerprint(job)


@dataclass(frozen=True, slots=True)
class StoredPages:
    """The pages of all aids, each kept by its HTML. It travels between processes."""

    store: Store

    def get(self, html: str) -> bytes | None:
        """The kept layout of a page."""
        return self.store.get(step_key(html))

    def put(self, html: str, data: bytes) -> None:
        """Keep something of a page."""
        self.store.put(step_key(html), data)


def recall(store: Store, title: str, game: str, what: str) -> JobResult | None:
    """The result of an earlier build's job that showed the same content; None where the store has none."""
    entry = store.get(step_key(what))
    if entry is None:
        return None
    mismatches, (files, previews) = unpacked(entry)
    return JobResult(title, game, files, previews, mismatches=[Mismatch(*texts) for texts in mismatches])


def keep(store: Store, result: JobResult, what: str) -> None:
    """Keep what was made of a job that shows this."""
    if not result.errors:
        mismatches = [(found.file, found.where, found.what) for found in result.mismatches]
        store.put(step_key(what), packed(mismatches, result.files, result.previews))
