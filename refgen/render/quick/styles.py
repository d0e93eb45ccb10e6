"""Computed styles that begin with what is no matter of computing.

In: what is declared of an element. Out: its style. WeasyPrint finds out one by one of some seventy properties that
nobody said anything of them: in each element that is styled unlike others, each page and each table.
"""

from __future__ import annotations

from typing import Any

from weasyprint.css import AnonymousStyle, ComputedStyle
from weasyprint.css.computed_values import PHYSICAL_FUNCTIONS
from weasyprint.css.properties import INHERITED, INITIAL_NOT_COMPUTED, INITIAL_VALUES

_SPECIAL = frozenset({"float", "position", "display", "page"})
"""What WeasyPrint has rules of its own for; and for what a text is underlined with."""


def _has_own_rules(name: str) -> bool:
    return name in _SPECIAL or name.startswith("text_decoration_")


_INITIAL = {
    name: value
    for name, value in INITIAL_VALUES.items()
    if name not in INHERITED and name not in INITIAL_NOT_COMPUTED and not _has_own_rules(name)
}
"""The values of properties that are not inherited, where nobody says anything else."""

_INHERITED = frozenset(name for name in INHERITED if name not in PHYSICAL_FUNCTIONS and not _has_own_rules(name))

_PHYSICAL: dict[str, set[str]] = {}
"""The properties that a logical one (``margin_inline_start``) may stand for, whatever the direction."""

for _name, _logical in PHYSICAL_FUNCTIONS.items():
    for _direction in ("ltr", "rtl"):
        _PHYSICAL.setdefault(_logical(block="ttb", inline=_direction), set()).add(_name)

_BORDERS = [(f"border_{side}_style", f"border_{side}_width") for side in ("top", "right", "bottom", "left")]
"""Where a side has no border, it is not wide, whatever is said of that."""


class QuickStyle(ComputedStyle):  # type: ignore[misc]
    """The style of an element. That of a pseudo-element begins empty: WeasyPrint lays some over others."""

    def __init__(self, parent_style: Any, cascaded: Any, pseudo_type: str | None, *others: Any) -> None:
        super().__init__(parent_style, cascaded, pseudo_type, *others)
        if pseudo_type is None:
            self._begin()

    def _begin(self) -> None:
        self.update(_INITIAL)
        for name in self.cascaded:
            self.pop(name, None)
            for physical in _PHYSICAL.get(name, ()):
                self.pop(physical, None)
        for kind, width in _BORDERS:
            if self.get(kind) == "none":
                self[width] = 0

    def __missing__(self, key: str) -> Any:
        if key in _INHERITED and key not in self.cascaded and self.parent_style is not None:
            value = self[key] = self.parent_style[key]
            return value
        return super().__missing__(key)


class QuickAnonymousStyle(AnonymousStyle):  # type: ignore[misc]
    """The style of a box that belongs to no element, such as a line."""

    def __init__(self, parent_style: Any) -> None:
        self.update(_INITIAL)
        super().__init__(parent_style)

    def copy(self) -> QuickAnonymousStyle:
        """One to be changed."""
        copy = QuickAnonymousStyle(self.parent_style)
        copy.update(self)
        return copy


REPLACED = ((ComputedStyle, QuickStyle), (AnonymousStyle, QuickAnonymousStyle))
