"""One whole build of the bundled systems, shared by the tests that look at its output."""

from __future__ import annotations

from fcntl import LOCK_EX, flock
from pathlib import Path

import pytest

import refgen


def build_all(output: Path, documents: list[str]) -> refgen.BuildResult:
    """Build everything that is bundled, with as many processes as there are cores."""
    return refgen.project(None, documents).build(output)


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """The output folder of a build of everything, all of which was read back without a mismatch.

    It is made once: whichever worker comes second waits for it.
    """
    own = tmp_path_factory.getbasetemp()
    shared = own if worker_id == "master" else own.parent
    output, unfinished = shared / "build", shared / "unfinished"
    with (shared / "build.lock").open("w") as lock:
        flock(lock, LOCK_EX)
        if not output.exists():
            result = build_all(unfinished, [])
            assert result.errors == []
            assert result.mismatches == []
            unfinished.rename(output)
    return output
