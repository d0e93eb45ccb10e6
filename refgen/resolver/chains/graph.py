"""Which numbers of a graph can come back to each other.

In: numbers, and where each leads. Out: the groups of those that lead to each other, in an order in which they follow.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence


def components(numbers: Collection[int], successors: Callable[[int], Iterable[int]]) -> Sequence[Sequence[int]]:
    """The groups of some numbers that can come back to each other; a group stands before those that lead to it."""
    among = set(numbers)
    following = {number: [other for other in successors(number) if other in among] for number in numbers}
    left = list(_left(numbers, following, set()))
    place = {number: position for position, number in enumerate(left)}
    if all(place[other] <= place[number] for number, others in following.items() for other in others):
        return [[number] for number in left]  # nothing comes back
    leading: defaultdict[int, list[int]] = defaultdict(list)
    for number, others in following.items():
        for other in others:
            leading[other].append(number)
    seen: set[int] = set()
    return [list(_left([start], leading, seen)) for start in reversed(left) if start not in seen][::-1]


def _left(starts: Iterable[int], following: Mapping[int, Iterable[int]], seen: set[int]) -> Iterator[int]:
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
