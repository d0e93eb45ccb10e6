"""One whole build of the bundled systems, shared by the tests that look at its output."""

from __future__ import annotations

from pathlib import Path

import pytest

import refgen


def build_all(output: Path, documents: list[str]) -> refgen.BuildResult:
    """Build everything that is bundled, with as many processes as there are cores."""
    return refgen.project(None, documents).build(output)


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The output folder of a build of everything, all of which was read back without a mismatch."""
    output = tmp_path_factory.mktemp("whole") / "build"
    result = build_all(output, [])
    assert result.errors == []
    assert result.mismatches == []
    return output
