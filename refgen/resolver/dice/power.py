"""Many dice of one kind, added up.

In: the Roll of one die, and a count. Out: the Roll of their sum, the same one that adding them one by one gives.
"""

from __future__ import annotations

from collections.abc import Sequence

from refgen.resolver.dice.convolution import raised
from refgen.resolver.dice.roll import Roll

_FEW = 40


def repeated(die: Roll, count: int) -> Roll:
    """The sum of ``count`` rolls of a die that has a lowest and a highest outcome."""
    faces = die.without_gaps
    powers = raised(faces, count) if count <= _FEW else _raised_far(faces, count)
    return Roll.of(dict(enumerate(powers, die.outcomes[0] * count)))


def _raised_far(faces: Sequence[int], count: int) -> Sequence[int]:
    """A polynomial to a high power, by J. C. P. Miller's recurrence.

    It needs outcomes x faces steps instead of outcomes squared (Knuth, The Art of Computer Programming 2, section
    4.7): for p(x)^n with p(0) ≠ 0,  c(k) = Σ ((n+1)·i − k)·a(i)·c(k−i) / (k·a(0)),  i = 1 … degree of p.
    """
    steps = [(i, weight) for i, weight in enumerate(faces) if i and weight]
    powers = [faces[0] ** count]
    for k in range(1, (len(faces) - 1) * count + 1):
        total = sum(((count + 1) * i - k) * weight * powers[k - i] for i, weight in steps if i <= k)
        powers.append(total // (k * faces[0]))
    return powers
