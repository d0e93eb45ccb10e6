"""One whole build of the bundled systems, shared by the tests that look at its output."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from refgen.pipeline.prepare import Kind
from refgen.pipeline.project import find_project
from refgen.pipeline.run import BuildOptions, BuildResult, build
from refgen.render.page_format import USUAL_PAPERS


def build_all(output: Path, documents: list[str]) -> BuildResult:
    """Build everything that is bundled, with as many processes as there are cores."""
    project = find_project(None, documents)
    options = BuildOptions(list(project.systems), frozenset(Kind), USUAL_PAPERS, output, os.cpu_count() or 1)
    return build(project, options, lambda _name, _done, _total: None)


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The output folder of a build of everything, all of which was read back without a mismatch."""
    output = tmp_path_factory.mktemp("whole") / "build"
    result = build_all(output, [])
    assert result.errors == []
    assert result.mismatches == []
    return output
