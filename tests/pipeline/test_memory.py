"""A step or a job without memory is named, and costs its own files alone: they stay as they were."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from refgen.aids.kind import AidJob
from refgen.pipeline import build_run
from refgen.pipeline.graph import BuildGraph, JobResult, Step, run_job
from tests.pipeline.small_builds import build, tree

STEPS = ("fate", "fate/cards", "fate/gm-screen", "fate/site", "grids", "grids/site")
JOBS = ("fate/cards (a4)", "fate/gm-screen (a4)")


@pytest.fixture
def edited(folder: Path) -> Path:
    """A project that was built, and whose games have other titles since."""
    build("-q", "--only", "screen,card,data")
    for name in ("fate", "grids"):
        system = folder / "content" / name / "system.toml"
        system.write_text(system.read_text(encoding="utf-8").replace('title = "', 'title = "New ', 1), encoding="utf-8")
    return folder


def no_memory(*_: object) -> Any:
    raise MemoryError


def starve_step(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Let one step of builds of this process have no memory."""
    begin = BuildGraph.__init__

    def begun(graph: BuildGraph, steps: Iterable[Step], *rest: Callable[..., object]) -> None:
        def starved() -> Iterator[Step]:
            yield from (replace(step, make=no_memory) if step.name == name else step for step in steps)

        begin(graph, starved(), *rest)

    monkeypatch.setattr(BuildGraph, "__init__", begun)


def starve_job(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    def do(job: AidJob, **kept: Any) -> JobResult:
        return no_memory() if job.title == name else run_job(job, **kept)

    monkeypatch.setattr(build_run, "run_job", do)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("starve", "name"), [*((starve_step, name) for name in STEPS), *((starve_job, name) for name in JOBS)]
)
def test_a_step_without_memory_is_named_and_all_else_is_made(
    edited: Path, starve: Callable[[pytest.MonkeyPatch, str], None], name: str
) -> None:
    options = ("-q", "--only", "screen,card,data")
    old = tree(edited / "build")
    with pytest.MonkeyPatch.context() as patch:
        starve(patch, name)
        told = build(*options, code=2).output
    assert told.splitlines()[0] == f"{name}: not enough memory"
    now = tree(edited / "build")
    build(*options)
    new = tree(edited / "build")
    lost = name.removesuffix("site").removesuffix(" (a4)")
    for path in new.keys() - {"manifest.json"}:
        assert now[path] == (old if path.startswith(lost) else new)[path], path
    assert [path for path in new if path.startswith(lost) and old[path] != new[path]]
