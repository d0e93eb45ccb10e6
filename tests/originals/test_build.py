"""Everything that is built from our documents is built from the originals."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import SYSTEMS, Builds
from tests.originals.conftest import original


@pytest.mark.slow
def test_the_same_build_runs_on_the_five_originals(built: Path, build_all: Builds, tmp_path: Path) -> None:
    """On A4 alone: the tables are those of our documents, which are laid out on every paper."""
    output = tmp_path / "originals"
    result = build_all(output, [f"{system}={original(system)}" for system in SYSTEMS], ["a4"])
    assert result.errors == []
    assert result.mismatches == []
    assert names(output) == {name for name in names(built) if "letter" not in name}


def names(folder: Path) -> set[str]:
    """The files of a build without the files of the search index, which are named after the words in them."""
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    return {name for name in found if ".pf_" not in name}
