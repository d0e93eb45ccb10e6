"""Many dice of one kind, added up.

In: a die and a count. Out: the die of their sum, the same one that adding them one by one gives.
"""

from __future__ import annotations

import icepool

_FEW = 8


def repeated(die: icepool.Die[int], count: int) -> icepool.Die[int]:
    """The sum of ``count`` rolls of ``die``.

    A few dice are added by icepool. More are raised as a polynomial by J. C. P. Miller's recurrence (Knuth, The
    Art of Computer Programming 2, section 4.7), which needs outcomes x faces steps instead of outcomes squared:
    for p(x)^n with p(0) ≠ 0,  c(k) = Σ ((n+1)·i − k)·a(i)·c(k−i) / (k·a(0)),  i = 1 … degree of p.
    """
    if count <= _FEW:
        return count @ die
    low, high = die.min_outcome(), die.max_outcome()
    faces = [die.quantity(outcome) for outcome in range(low, high + 1)]
    steps = [(i, weight) for i, weight in enumerate(faces) if i and weight]
    powers = [faces[0] ** count]
    for k in range(1, (high - low) * count + 1):
        total = sum(((count + 1) * i - k) * weight * powers[k - i] for i, weight in steps if i <= k)
        powers.append(total // (k * faces[0]))
    return icepool.Die({low * count + k: quantity for k, quantity in enumerate(powers) if quantity})
