"""What a name stands for, as plain data.

In: a Named. Out: an object with the keys that it needs: ``n`` is its number, ``b`` says that this is only a bound,
``i`` are the ends of a printed range and ``m`` those of a modifier (None for an open one), ``v`` says that there is a
value which is none of these, ``t`` is how it is printed. Numbers are texts: "3", "-1/2".
"""

from __future__ import annotations

from typing import Any

from refgen.blocks.typeset import typeset
from refgen.notation.values import Interval, Modifier
from refgen.resolver.formula.scope import Named

Data = dict[str, Any]


def named_data(named: Named, *, printed: bool = False) -> Data:
    """What a name stands for; with its text where that is asked for."""
    value = named.cell.value
    data: Data = {}
    if named.number is not None:
        data["n"] = str(named.number)
    if named.bound:
        data["b"] = named.bound
    if isinstance(value, Interval | Modifier):
        key = "i" if isinstance(value, Interval) else "m"
        data[key] = [None if end is None else str(end) for end in (value.low, value.high)]
    elif value is not None and named.number is None:
        data["v"] = True
    if printed:
        data["t"] = typeset(named.cell.shown, value)
    return data
