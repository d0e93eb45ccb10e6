"""Which numbers of a graph can come back to each other, and in which order the others follow.

In: numbers, and where each leads. Out: groups of those that lead to each other, level by level.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

Following = Mapping[int, Collection[int]]


def levels(numbers: Collection[int], successors: Callable[[int], Iterable[int]]) -> Iterator[Sequence[Sequence[int]]]:
    """The groups of some numbers that can come back to each other.

    From the first level on, each level has the groups that lead to no level but those before it.
    """
    among = frozenset(numbers)
    left = {number: among.intersection(successors(number)) - {number} for number in numbers}
    done: set[int] = set()
    while level := [number for number, following in left.items() if following <= done]:
        done.update(level)
        for number in level:
            del left[number]
        yield [(number,) for number in level]
    yield from _in_levels({number: following - done for number, following in left.items()})


def _in_levels(following: Following) -> Sequence[Sequence[Sequence[int]]]:
    """The groups that can come back to each other, level by level."""
    level_of: dict[int, int] = {}
    found: list[list[Sequence[int]]] = []
    for group in _components(following):
        level = max([level_of.get(after, -1) for number in group for after in following[number]]) + 1
        level_of.update(dict.fromkeys(group, level))
        if level == len(found):
            found.append([])
        found[level].append(group)
    return found


def _components(following: Following) -> Sequence[Sequence[int]]:
    """The groups, each before those that lead to it."""
    leading: defaultdict[int, list[int]] = defaultdict(list)
    for number, others in following.items():
        for other in others:
            leading[other].append(number)
    left, seen = list(_left(following, following, set())), set[int]()
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
