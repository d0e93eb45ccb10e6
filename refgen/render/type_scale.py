"""The type sizes that an aid may have: type is set as large as fits, within limits.

In: sizes. Out: a TypeScale, which knows the next smaller one.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TypeScale:
    """The type sizes an aid may have, in points, from largest to smallest, and the ``usual`` one among them."""

    sizes: tuple[float, ...]
    usual: float

    def smaller(self, size: float) -> float | None:
        """The next smaller size, or None at the end of the scale."""
        return next((other for other in self.sizes if other < size), None)

    def at_most(self, size: float) -> float:
        """The largest size that is not larger than ``size``."""
        return next((other for other in self.sizes if other <= size), self.sizes[-1])
