"""What the read-back has to report."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Something on a page that is not as the model says.

    ``file`` is a path in the output, ``where`` the place on the page in words ("" for the whole file), ``what`` the
    mismatch itself.
    """

    file: str
    where: str
    what: str

    def __str__(self) -> str:
        """``file: where: what``."""
        return ": ".join(part for part in (self.file, self.where, self.what) if part)
