"""Starting: commands that need no layout must not pay for it (goal: under 0.5 s)."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from benchmarks.measure import BIN, median_seconds

TIMES = 7


def run(times: int = TIMES) -> Iterator[str]:
    """Time the quick commands, beside a bare Python and beside importing WeasyPrint."""
    bare = median_seconds([sys.executable, "-c", "pass"], times)
    layout = median_seconds([sys.executable, "-c", "import weasyprint"], times)
    yield f"python -c pass            {bare:.2f} s"
    yield f"import weasyprint         {layout:.2f} s"
    for arguments in (["--help"], ["odds", "4dF"]):
        seconds = median_seconds([BIN / "refgen", *arguments], times)
        yield f"refgen {' '.join(arguments):<18} {seconds:.2f} s   {seconds / layout:.2f} x importing weasyprint"
