"""Building everything, against calling weasyprint once for each of the same pages (goal: at most half; under 1 GB)."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import BIN
from benchmarks.measure import run as measure


def run() -> Iterator[str]:
    """Build all bundled systems cold, then lay out the same HTML files one weasyprint process at a time."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "build"
        command: list[str | Path] = [BIN / "refgen", "build", "--output", output]
        ours, watched = measure(command), measure(command, memory=True)
        pages = [path for path in sorted(output.glob("*/*.html")) if path.with_suffix(".pdf").exists()]
        theirs = sum(measure([BIN / "weasyprint", page, Path(folder) / "peer.pdf"]).seconds for page in pages)
        yield f"refgen build              {ours.seconds:.1f} s, {watched.megabytes:.0f} MB at most"
        yield f"weasyprint, {len(pages)} times      {theirs:.1f} s"
        yield f"ratio                     {ours.seconds / theirs:.2f}"
