"""What is wrong with a project now.

In: the errors of its parts, by whoever finds them. Out: all of them, each once, and whether they have changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from refgen.errors import RefgenError


@dataclass
class Faults:
    """Errors by part: ``read`` are those that reading tells, ``laid_out`` those that only a build does.

    ``project`` is that of the whole; ``said`` are those that were told last.
    """

    project: RefgenError | None = None
    read: dict[str, Sequence[RefgenError]] = field(default_factory=dict)
    laid_out: dict[str, Sequence[RefgenError]] = field(default_factory=dict)
    said: Sequence[RefgenError] = ()

    def built(self, names: Iterable[str], errors: Sequence[RefgenError]) -> None:
        """A build of some parts has told its errors. Those that reading tells too go with the reading."""
        known = {_words(error) for found in self.read.values() for error in found}
        new = [error for error in errors if _words(error) not in known]
        self.laid_out[""] = new
        for name in names:
            self.laid_out[name] = [error for error in new if f"{name}/" in _words(error)]
            self.laid_out[""] = [error for error in self.laid_out[""] if error not in self.laid_out[name]]

    def only(self, names: Sequence[str]) -> None:
        """There are no other parts any more."""
        for found in (self.read, self.laid_out):
            for name in found.keys() - {*names, ""}:
                del found[name]

    def has_news(self) -> bool:
        """Whether ``said`` has changed; it is what is wrong now."""
        parts = [error for found in (self.read, self.laid_out) for errors in found.values() for error in errors]
        now = {_words(error): error for error in ([self.project] if self.project else parts)}
        before, self.said = [*map(_words, self.said)], [*now.values()]
        return before != [*now]


def _words(error: RefgenError) -> str:
    return str(error)
