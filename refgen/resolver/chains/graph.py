"""Which numbers of a graph can come back to each other, and in which order the others follow.

In: numbers, and where each leads. Out: groups of those that lead to each other, level by level.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

Following = Mapping[int, Iterable[int]]


def levels(numbers: Collection[int], successors: Callable[[int], Iterable[int]]) -> Sequence[Sequence[Sequence[int]]]:
    """The groups of some numbers that can come back to each other.

    From the first level on, each level has the groups that lead to no level but those before it.
    """
    among = frozenset(numbers)
    following = {number: among.intersection(successors(number)) - {number} for number in numbers}
    left = list(_left(numbers, following, set()))
    depths: dict[int, int] = {}
    found: list[list[Sequence[int]]] = []
    for group in _groups(left, following):
        depth = (
            max([depths[other] for number in group for other in following[number] if other in depths], default=-1) + 1
        )
        depths.update(dict.fromkeys(group, depth))
        if depth == len(found):
            found.append([])
        found[depth].append(group)
    return found


def _groups(left: Sequence[int], following: Following) -> Iterable[Sequence[int]]:
    """The groups, each before those that lead to it; ``left`` is the order in which a walk into the depth leaves them."""
    seen: set[int] = set()
    for number in left:
        if not seen.issuperset(following[number]):
            break
        seen.add(number)
    else:
        return [(number,) for number in left]  # nothing comes back
    leading: defaultdict[int, list[int]] = defaultdict(list)
    for number, others in following.items():
        for other in others:
            leading[other].append(number)
    seen = set()
    return [list(_left([start], leading, seen)) for start in reversed(left) if start not in seen][::-1]


def _left(starts: Iterable[int], following: Following, seen: set[int]) -> Iterator[int]:
    """What can be reached and was not seen, in the order in which a walk into the depth leaves it."""
    for start in starts:
        path = [(start, iter(following.get(start, ())))] if start not in seen else []
        seen.add(start)
        while path:
            number, others = path[-1]
            new = next((other for other in others if other not in seen), None)
            if new is None:
                path.pop()
                yield number
            else:
                seen.add(new)
                path.append((new, iter(following.get(new, ()))))
