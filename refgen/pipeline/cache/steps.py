"""What became of a job, kept for the next build that has the same one.

In: a Job, and what was made of it. Out: the key that it is kept under, which is a hash of all that it rests on; its
files as bytes, and the Done again. A job with an error is not kept: it is told anew each time.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from refgen.pipeline.cache.fingerprint import fingerprint
from refgen.pipeline.cache.store import Store
from refgen.pipeline.cache.surroundings import digest, surroundings
from refgen.pipeline.work import Done, Job
from refgen.render.readback.mismatch import Mismatch


def shown(job: Job) -> str:
    """The digest of what a job shows, and in which formats."""
    return fingerprint(job)


def step_key(what: str) -> str:
    """The key of a job, by what it shows."""
    return digest([what, *surroundings().values()])


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


def recall(store: Store, job: Job, what: str) -> Done | None:
    """What an earlier build made of a job that shows this; None when it is not there."""
    data = store.get(step_key(what))
    return None if data is None else _done(job, data)


def keep(store: Store, done: Done, what: str) -> None:
    """Keep what was made of a job that shows this."""
    if not done.errors:
        store.put(step_key(what), _data(done))


def _data(done: Done) -> bytes:
    groups = [{path: len(data) for path, data in files.items()} for files in (done.files, done.previews)]
    mismatches = [(found.file, found.where, found.what) for found in done.mismatches]
    head = json.dumps([*groups, mismatches], ensure_ascii=False).encode()
    return b"\n".join([head, b"".join([*done.files.values(), *done.previews.values()])])


def _done(job: Job, data: bytes) -> Done:
    head, _, body = data.partition(b"\n")
    files, previews, mismatches = json.loads(head)
    parts = _cut(body, [*files.values(), *previews.values()])
    made = {path: next(parts) for path in files}
    pictures = {path: next(parts) for path in previews}
    return Done(job, made, pictures, mismatches=[Mismatch(*texts) for texts in mismatches])


def _cut(body: bytes, sizes: Sequence[int]) -> Iterator[bytes]:
    for end, size in zip(accumulate(sizes), sizes, strict=True):
        yield body[end - size : end]
