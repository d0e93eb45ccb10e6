"""Everything that is built from our documents is built from the originals."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import SYSTEMS, Builds
from tests.originals.conftest import original


@pytest.mark.slow
def test_the_same_build_runs_on_the_five_originals(built: Path, build_all: Builds, tmp_path: Path) -> None:
    """Pages that come out as those of our own documents are taken from that build, which laid them out."""
    output = tmp_path / "originals"
    result = build_all(output, [f"{system}={original(system)}" for system in SYSTEMS])
    assert result.errors == []
    assert result.mismatches == []
    assert names(output) == names(built)


def names(folder: Path) -> set[Path]:
    """The files of a build; those of the search are named after the words in them."""
    found = {path.relative_to(folder) for path in folder.rglob("*") if path.is_file()}
    return {path for path in found if not path.suffix.startswith(".pf_")}
