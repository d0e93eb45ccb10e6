"""Arranging and laying out GM screens, against WeasyPrint alone with their final HTML (goal: at most 1.5 x a panel)."""

from __future__ import annotations

import gc
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any
from unittest.mock import patch

import refgen
from benchmarks.measure import BIN
from benchmarks.measure import run as measure
from refgen.aids.panels.job import fit_panels
from refgen.aids.panels.model import USUAL_FORMAT, Panels
from refgen.game import SystemInfo
from refgen.layout.engine import LayoutSession, lay_out, warm_up, write
from refgen.layout.templates import assets
from refgen.pipeline.make_aids import make_aids

TIMES = 5


def run(project: refgen.Project | None = None, times: int = TIMES) -> Iterator[str]:
    """Each bundled screen on A4, both ways in turns in one process; then one screen with one process and with two."""
    warm_up()
    project = project or refgen.project(bundled=True)
    ratios = []
    for name, game in project.games.items():
        aids, _ = make_aids(game, project.folders[name], {"screen"}, project.games)
        screen = aids["screen"]
        assert isinstance(screen, Panels)
        line, alone = _compared(SystemInfo.of(game), screen, times)
        ratios += alone
        yield line
    yield f"a panel, median of {len(ratios)}: {median(ratios):.2f} x; the worst {max(ratios):.2f} x"
    yield from _processes(project, times)


def _compared(system: SystemInfo, screen: Panels, times: int) -> tuple[str, list[float]]:
    """A line on a whole screen, and the ratio of each of its panels when it is made alone."""
    layouts = _layouts(system, screen)
    ratio, ours, theirs = _ratio(system, screen, times)
    alone = [_ratio(system, Panels(screen.title, (panel,)), times)[0] for panel in screen.panels]
    taken = f"{len(screen.panels)} panels {ours * 1e3:5.0f} ms, WeasyPrint alone {theirs * 1e3:5.0f} ms: {ratio:.2f} x"
    return f"{system.id:<20} {taken}, {layouts} layouts; panels alone at most {max(alone):.2f} x", alone


def _ratio(system: SystemInfo, screen: Panels, times: int) -> tuple[float, float, float]:
    def ours() -> str:
        fitted = fit_panels(
            system,
            "gm-screen",
            screen,
            USUAL_FORMAT,
            "screen",
        )
        return fitted.html

    html = ours()
    pairs = [
        (_seconds(ours), _seconds(lambda: write(lay_out(html, "screen", assets()), "screen"))) for _ in range(times)
    ]
    mine, theirs = median(mine for mine, _ in pairs), median(theirs for _, theirs in pairs)
    return mine / theirs, mine, theirs


def _layouts(system: SystemInfo, screen: Panels) -> int:
    """How often WeasyPrint was asked for a layout."""
    with patch.object(LayoutSession, "lay_out", autospec=True, side_effect=LayoutSession.lay_out) as counted:
        fit_panels(
            system,
            "gm-screen",
            screen,
            USUAL_FORMAT,
            "screen",
        )
    return counted.call_count


def _seconds(work: Callable[[], Any]) -> float:
    gc.collect()  # or what one layout leaves behind is cleared away at the cost of the next
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _processes(project: refgen.Project, times: int) -> Iterator[str]:
    name, game = next(iter(project.folders.items()))
    with tempfile.TemporaryDirectory() as folder:
        for jobs in ("1", "2"):
            options = ("--project", game.parent, "--jobs", jobs, "-q", "-o", Path(folder) / jobs)
            command: list[str | Path] = [BIN / "refgen", "screen", name, *options]
            yield f"refgen screen {name} --jobs {jobs}: {median(measure(command).seconds for _ in range(times)):.1f} s"
