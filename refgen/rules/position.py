"""Rows and columns of a table by the names that people write for them.

In: a name and the names there are, or a number. Out: the number of the row or column, from 0.
"""

from __future__ import annotations

from collections.abc import Sequence

from refgen.errors import RulesError, UnknownNameError
from refgen.suggestion import did_you_mean, folded


def position(table: str, kind: str, name: str | int, *known: Sequence[str]) -> int:
    """The number of a row or column (``kind``) by its name in one of the lists ``known``, or by that number.

    The first list that has the name counts; a name as it is goes before one that is the same but for case and
    typography. Raises UnknownNameError for what is not there, with the nearest, RulesError for what is there twice.
    """
    if isinstance(name, int):
        return _checked(table, kind, name, len(known[0]))
    found = _positions(name, known)
    if len(found) == 1:
        return found[0]
    if found:
        hint = f"Take it by its number: {' or '.join(map(str, found))}."
        raise RulesError(f'table "{table}" has {len(found)} {kind}s "{name}"', hint=hint)
    names = {folded(other): other for names in reversed(known) for other in names}
    raise UnknownNameError(f'table "{table}" has no {kind} "{name}"', hint=did_you_mean(name, names.values()))


def _checked(table: str, kind: str, number: int, count: int) -> int:
    if 0 <= number < count:
        return number
    raise UnknownNameError(f'table "{table}" has no {kind} {number}', hint=f"Count from 0; it has {count} {kind}s.")


def _positions(name: str, known: Sequence[Sequence[str]]) -> Sequence[int]:
    for form in (str, folded):
        for names in known:
            if found := [number for number, other in enumerate(names) if form(other) == form(name)]:
                return found
    return ()
