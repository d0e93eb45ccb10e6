"""What the pages of the site have in common when they are read back.

In: elements of a page. Out: their texts, numbers and addresses; and what is out of order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

from refgen.render.readback.align import normalized
from refgen.render.readback.places import Fault
from refgen.site import address
from refgen.site.page import Head


def cells(elements: Any) -> list[str]:
    """The text of each cell that has one."""
    return [text for cell in elements if (text := normalized(cell.text_content() if len(cell) else cell.text or ""))]


def numbers(line: Any) -> list[str]:
    """The numbers in a line, as text."""
    return re.findall(r"\d+", line.text_content())


def href(head: Head, path: str) -> str:
    """What leads from a page to a path."""
    return address.link(head.path, path)


def in_order(what: str, wanted: Sequence[object], found: Sequence[object]) -> Iterator[Fault]:
    """What stands in the place of something else, or is missing, or is too many."""
    for number, (expected, there) in enumerate(zip_longest(wanted, found), start=1):
        if expected != there:
            yield f"{what} {number}", f"{_in_words(there)} in place of {_in_words(expected)}"


def _in_words(found: object) -> str:
    if found is None:
        return "none"
    return ", ".join(map(str, found)) if isinstance(found, tuple) else str(found)
