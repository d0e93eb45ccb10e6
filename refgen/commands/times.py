"""Where the time of a build went.

In: what happens to its steps. Out: seconds by kind of step, and the slowest steps, in words.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from refgen.pipeline.result import Event

SLOWEST = 10


class Times:
    """The steps that came to an end, and when it all began."""

    def __init__(self) -> None:
        self._start = time.perf_counter()
        self._ended: list[Event] = []
        self._kept: list[Event] = []

    def add(self, event: Event) -> None:
        """Take note of what happened."""
        if event.state in ("done", "failed"):
            self._ended.append(event)
        elif event.state == "kept":
            self._kept.append(event)

    @property
    def passed(self) -> float:
        """The seconds since it began."""
        return time.perf_counter() - self._start

    def by_kind(self) -> Mapping[str, float]:
        """The seconds of work by kind of step, most first."""
        found: dict[str, float] = {}
        for event in self._ended:
            found[event.kind] = found.get(event.kind, 0.0) + event.seconds
        return dict(sorted(found.items(), key=lambda item: -item[1]))

    def profile(self) -> Iterator[str]:
        """A table of the kinds, and the slowest steps."""
        total = sum(self.by_kind().values())
        yield f"{'kind':<10}{'made':>6}{'kept':>6}{'seconds':>10}{'share':>8}"
        for kind, seconds in self.by_kind().items():
            made, kept = (sum(event.kind == kind for event in events) for events in (self._ended, self._kept))
            yield f"{kind:<10}{made:>6}{kept:>6}{seconds:>10.2f}{seconds / total if total else 0:>8.0%}"
        yield f"{total:.2f} s of work in {self.passed:.2f} s"
        yield "the slowest steps:"
        for event in sorted(self._ended, key=lambda event: -event.seconds)[:SLOWEST]:
            yield f"{event.seconds:>8.2f} s  {event.kind} {event.step}"
