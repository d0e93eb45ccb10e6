"""Everything that is built from our documents is built from the originals."""

from __future__ import annotations

from pathlib import Path

import pytest

from refgen.pipeline.request import PRODUCTS
from tests.conftest import SYSTEMS, Builds
from tests.originals.conftest import original

WITHOUT_BOOKLETS = [product for product in PRODUCTS if product != "booklet"]
ONE = "harmonies"


@pytest.mark.slow
def test_the_same_build_runs_on_the_five_originals(built: Path, build_all: Builds, tmp_path: Path) -> None:
    """On A4, and one booklet: the tables are those of our documents, which are laid out on every paper."""
    output = tmp_path / "originals"
    documents = [f"{system}={original(system)}" for system in SYSTEMS]
    for only, games in (WITHOUT_BOOKLETS, ()), (["booklet"], [ONE]):
        result = build_all(output, documents, papers=["a4"], only=only, games=games)
        assert result.errors == []
        assert result.mismatches == []
    other_booklets = tuple(f"{system}/booklet-" for system in SYSTEMS if system != ONE)
    assert names(output) == {
        name for name in names(built) if "letter" not in name and not name.startswith(other_booklets)
    }


def names(folder: Path) -> set[str]:
    """The files of a build without the files of the search index, which are named after the words in them."""
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    return {name for name in found if ".pf_" not in name}
