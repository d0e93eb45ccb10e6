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

from benchmarks.measure import BIN
from benchmarks.measure import run as measure
from refgen.aids.panels.job import fit_panels
from refgen.aids.panels.model import USUAL_FORMAT, Panels
from refgen.game import SystemInfo
from refgen.layout.engine import LayoutSession, lay_out, warm_up, write
from refgen.layout.templates import assets
from refgen.pipeline.make_aids import make_aids
from refgen.pipeline.project import find_project

TIMES = 5


def run() -> Iterator[str]:
    """Each bundled screen on A4, both ways in turns in one process; then one screen with one process and with two."""
    warm_up()
    project = find_project(None, bundled=True)
    ratios = []
    for name, folder in project.folders.items():
        aids, _ = make_aids(project.games[name], folder, {"screen"}, project.games)
        screen = aids["screen"]
        assert isinstance(screen, Panels)
        line, alone = _compared(SystemInfo.of(project.games[name]), screen)
        ratios += alone
        yield line
    yield f"a panel, median of {len(ratios)}: {median(ratios):.2f} x; the worst {max(ratios):.2f} x"
    yield from _processes(next(iter(project.folders)))


def _compared(system: SystemInfo, screen: Panels) -> tuple[str, list[float]]:
    """A line on a whole screen, and the ratio of each of its panels when it is made alone."""
    layouts = _layouts(system, screen)
    ratio, ours, theirs = _ratio(system, screen)
    alone = [_ratio(system, Panels(screen.title, (panel,)))[0] for panel in screen.panels]
    times = f"{len(screen.panels)} panels {ours * 1e3:5.0f} ms, WeasyPrint alone {theirs * 1e3:5.0f} ms: {ratio:.2f} x"
    return f"{system.id:<20} {times}, {layouts} layouts; panels alone at most {max(alone):.2f} x", alone


def _ratio(system: SystemInfo, screen: Panels) -> tuple[float, float, float]:
    def ours() -> str:
        fitted = fit_panels(
            system,
            "GM screen",
            screen,
            USUAL_FORMAT,
            "screen",
        )
        return fitted.html

    html = ours()
    pairs = [
        (_seconds(ours), _seconds(lambda: write(lay_out(html, "screen", assets()), "screen"))) for _ in range(TIMES)
    ]
    mine, theirs = median(mine for mine, _ in pairs), median(theirs for _, theirs in pairs)
    return mine / theirs, mine, theirs


def _layouts(system: SystemInfo, screen: Panels) -> int:
    """How often WeasyPrint was asked for a layout."""
    with patch.object(LayoutSession, "lay_out", autospec=True, side_effect=LayoutSession.lay_out) as counted:
        fit_panels(
            system,
            "GM screen",
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


def _processes(system: str) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        for jobs in ("1", "2"):
            command = [str(BIN / "refgen"), "screen", system, "--jobs", jobs, "-q", "-o", str(Path(folder) / jobs)]
            yield f"refgen screen {system} --jobs {jobs}: {median(measure(command).seconds for _ in range(3)):.1f} s"
