"""Which functions of WeasyPrint are replaced by ours while we lay out and write, and how.

In: nothing. Out: a context in which WeasyPrint 70 works with ours. With another WeasyPrint it works with its own: what
ours do rests on how this one is written, and every one must give the same as the one it stands for, to the byte.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

Replacement = tuple[Any, str, Any]
"""A module, a name in it, and what is to stand there."""

_PACKAGES = {"weasyprint", "pydyf", "cssselect2"}

KNOWN = "70.0"
"""The WeasyPrint whose functions ours stand for."""


@contextmanager
def quickly() -> Iterator[None]:
    """Ours in place of WeasyPrint's."""
    replaced = [(module, name, getattr(module, name)) for module, name, _ in _replacements()]
    try:
        for module, name, ours in _replacements():
            setattr(module, name, ours)
        yield
    finally:
        for module, name, theirs in replaced:
            setattr(module, name, theirs)


@cache
def _replacements() -> tuple[Replacement, ...]:
    import weasyprint

    if weasyprint.VERSION != KNOWN:
        return ()
    from refgen.render.quick import lengths, numbers, selectors, styles, text

    pairs = [pair for module in (lengths, numbers, selectors, styles, text) for pair in module.REPLACED]
    modules = [module for name, module in sys.modules.items() if name.partition(".")[0] in _PACKAGES]
    return tuple(
        (module, name, ours)
        for theirs, ours in pairs
        for module in modules
        for name in [theirs.__name__]
        if vars(module).get(name) is theirs
    )
