"""The styles and lists of an OpenDocument text: how words are set, and how the items of a list are numbered.

In: the roots of ``content.xml`` and ``styles.xml``. Out: the setting of a span or a paragraph, the names of the styles
on which a style is based, the levels of a list. A style of ``content.xml`` goes before one of ``styles.xml``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from refgen.readers.office.archive import attribute, child, children, local, number
from refgen.readers.office.numbering import NumberedLevel
from refgen.readers.word_settings import Setting

_POSITION = re.compile(r"(?P<word>super|sub)|(?P<percent>-?\d+)%")


@dataclass
class OdtStyles:
    """The styles and lists of a file by their names."""

    roots: tuple[Any, ...]

    @cached_property
    def _by_name(self) -> Mapping[tuple[str, str], Any]:
        found: dict[tuple[str, str], Any] = {}
        for root in self.roots:
            for style in root.iter("{*}style") if root is not None else ():
                found.setdefault((attribute(style, "family"), attribute(style, "name")), style)
        return found

    @cached_property
    def _lists(self) -> Mapping[str, Mapping[int, NumberedLevel]]:
        found: dict[str, Mapping[int, NumberedLevel]] = {}
        for root in self.roots:
            for style in root.iter("{*}list-style") if root is not None else ():
                found.setdefault(attribute(style, "name"), _levels(style))
        return found

    def chain(self, family: str, name: str) -> Iterator[Any]:
        """A style and the styles on which it is based."""
        known: set[str] = set()
        while (style := self._by_name.get((family, name))) is not None and name not in known:
            known.add(name)
            yield style
            name = attribute(style, "parent-style-name")

    def names(self, name: str) -> set[str]:
        """The names of the style of a paragraph, and of the styles on which it is based, in small letters."""
        based = {attribute(style, "name") for style in self.chain("paragraph", name)}
        return {own.replace("_20_", " ").lower() for own in {name, *based}}

    def setting(self, family: str, name: str, around: Setting) -> Setting:
        """How the words of a span or paragraph are set, by its style; else as the words ``around`` are."""
        properties = [child(style, "text-properties") for style in self.chain(family, name)]
        for own in (one for one in properties if one is not None):
            if attribute(own, "display") == "none":
                return Setting.HIDDEN
            if attribute(own, "text-line-through-style", attribute(own, "text-line-through-type")) not in ("", "none"):
                return Setting.STRUCK
            if position := _POSITION.match(attribute(own, "text-position")):
                return _raised(position)
        return around

    def levels(self, name: str) -> Mapping[int, NumberedLevel]:
        """How the levels of a list are numbered, by level from 0."""
        return self._lists.get(name, {})

    def list_of(self, paragraph_style: str) -> str:
        """The list style that the style of a paragraph names; "" for none."""
        named = (attribute(style, "list-style-name") for style in self.chain("paragraph", paragraph_style))
        return next(filter(None, named), "")


def _raised(position: re.Match[str]) -> Setting:
    percent = int(position["percent"] or 0)
    if position["word"] == "super" or percent > 0:
        return Setting.RAISED
    return Setting.LOWERED if position["word"] == "sub" or percent < 0 else Setting.PLAIN


def _levels(style: Any) -> Mapping[int, NumberedLevel]:
    return {number(attribute(level, "level"), 1) - 1: _level(level) for level in children(style)}


def _level(level: Any) -> NumberedLevel:
    """A level, which shows its number and perhaps those of the levels above, between a prefix and a suffix."""
    style = attribute(level, "num-format") if local(level).endswith("number") else ""
    depth, shown = number(attribute(level, "level"), 1), max(1, number(attribute(level, "display-levels"), 1))
    numbers = ".".join(f"%{own}" for own in range(max(1, depth - shown + 1), depth + 1))
    pattern = f"{attribute(level, 'num-prefix')}{numbers}{attribute(level, 'num-suffix')}"
    return NumberedLevel(style[:1], pattern, number(attribute(level, "start-value"), 1))
