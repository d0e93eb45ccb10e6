"""The list of all kinds of play aids: a new kind is a folder of modules, a folder of templates, and a line here.

In: nothing. Out: the kinds by their names, in the order in which a game's aids are made and listed.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from refgen.aids.booklet.kind import BookletKind
from refgen.aids.cards.kind import CardsKind
from refgen.aids.kind import AidKind
from refgen.aids.screen.kind import ScreenKind
from refgen.aids.session.kind import SessionKind
from refgen.aids.sheet.kind import SheetKind

_KINDS: tuple[AidKind[Any, Any], ...] = (ScreenKind(), SheetKind(), CardsKind(), BookletKind(), SessionKind())

KINDS: Mapping[str, AidKind[Any, Any]] = {kind.name: kind for kind in _KINDS}

STANDALONE_KIND = ScreenKind()
"""The kind whose aids may stand alone, described by a file of the project without a game."""


def load_layouts(names: Collection[str]) -> None:
    """Load the layout modules of the kinds with these names."""
    for name in KINDS.keys() & names:
        KINDS[name].load_layout()
