"""A small project that is built once for all tests of builds: each has its own copy of it, and of its cache."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree

import pytest

from tests.pipeline.small_builds import build, count_jobs, make_project
from tests.sharing import Shared


@pytest.fixture(scope="session")
def warm_cache(shared: Shared) -> Path:
    """A cache that has all that the small project makes."""

    def make(folder: Path) -> None:
        folder.mkdir()
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("REFGEN_CACHE", str(folder / "cache"))
            patch.chdir(make_project(folder))
            build("-q")

    return shared("project", make) / "cache"


@pytest.fixture
def cold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with an empty cache, where commands are run."""
    monkeypatch.setenv("REFGEN_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return make_project(tmp_path)


@pytest.fixture
def folder(cold: Path, warm_cache: Path) -> Path:
    """A project that was built already, in another folder."""
    copytree(warm_cache, cold / "cache")
    return cold


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is made by builds of this process, as it is."""
    return count_jobs(monkeypatch)


@pytest.fixture(scope="session")
def all_caches(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def shared_cache(all_caches: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What several tests make of the same is made once: for tests of what is made and said, not of how often."""
    monkeypatch.setenv("REFGEN_CACHE", str(all_caches))
