"""Products of polynomials, exact: the weights of a sum of independent rolls.

In: weights of outcomes that rise one by one, none below 0. Out: the sums of their products, for each outcome.
A polynomial is written as one large integer with a slot of bytes for each weight (Kronecker substitution), because
Python multiplies two large integers much faster than many small ones.
"""

from __future__ import annotations

from collections.abc import Sequence


def convolved(left: Sequence[int], right: Sequence[int]) -> list[int]:
    """Σ left[i] · right[n - i] for each n from 0 on; neither may be empty."""
    whole, other = sum(left), sum(right)
    slot = _slot(max(whole * other, whole, other))
    return _unpacked(_packed(left, slot) * _packed(right, slot), slot, len(left) + len(right) - 1)


def raised(weights: Sequence[int], exponent: int) -> list[int]:
    """The convolution of ``exponent`` equal factors, at least one."""
    slot = _slot(sum(weights) ** exponent)
    return _unpacked(_packed(weights, slot) ** exponent, slot, (len(weights) - 1) * exponent + 1)


def _slot(largest: int) -> int:
    """How many bytes hold any weight of a product and its factors: none is larger than the largest of their sums."""
    return largest.bit_length() // 8 + 1


def _packed(weights: Sequence[int], slot: int) -> int:
    return int.from_bytes(b"".join([weight.to_bytes(slot, "little") for weight in weights]), "little")


def _unpacked(packed: int, slot: int, length: int) -> list[int]:
    slots = packed.to_bytes(slot * length, "little")
    return [int.from_bytes(slots[start : start + slot], "little") for start in range(0, len(slots), slot)]
