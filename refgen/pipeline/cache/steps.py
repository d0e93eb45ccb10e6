"""What came of a job, kept for the next build that has the same job.

In: an AidJob, and what was made of it. Out: the key of the job, which is a hash of all that the job rests on; and the
JobResult again. The result of a job with an error is not kept: the error is told anew each time.
"""

from __future__ import annotations

from dataclasses import dataclass

from refgen.aids.kind import AidJob
from refgen.pipeline.cache.digests import digest, fingerprint
from refgen.pipeline.cache.environment import environment_digests
from refgen.pipeline.cache.store import Store, packed, unpacked
from refgen.pipeline.job import JobResult
from refgen.render.readback.mismatch import Mismatch


def job_digest(job: AidJob) -> str:
    """The digest of what a job shows, and in which formats."""
    return fingerprint(job)


def step_key(what: str) -> str:
    """The key of a step, by what its outcome rests on besides what every page does."""
    return digest([what, *environment_digests().values()])


@dataclass(frozen=True, slots=True)
class StoredPages:
    """The pages of all aids, each kept by its HTML. It travels between processes."""

    store: Store

    def get(self, html: str) -> bytes | None:
        """What is kept of a page."""
        return self.store.get(step_key(html))

    def put(self, html: str, data: bytes) -> None:
        """Keep something of a page."""
        self.store.put(step_key(html), data)


def recall(store: Store, title: str, game: str, what: str) -> JobResult | None:
    """What an earlier build made of a job of a game that shows this; None when it is not there."""
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
