"""Which rules of a style sheet are for an element.

In: rules, and an element. Out: those whose selectors match it. cssselect2 looks up anew for each element which rules
its name, id and classes leave; most elements have these in common with many others.
"""

from __future__ import annotations

from operator import itemgetter
from typing import Any

from weasyprint import cssselect2

_IN_ORDER = itemgetter(1, 2)
"""By specificity, then as they stand in the sheet."""


class QuickMatcher(cssselect2.Matcher):  # type: ignore[misc]
    """The rules of a style sheet."""

    def __init__(self) -> None:
        super().__init__()
        self._candidates: dict[tuple[Any, ...], list[tuple[Any, ...]]] = {}

    def add_selector(self, selector: Any, payload: Any) -> None:
        """Add a rule."""
        super().add_selector(selector, payload)
        self._candidates.clear()

    def match(self, element: Any) -> list[tuple[Any, ...]]:
        """The specificity, place, pseudo-element and declarations of each rule for an element, in order."""
        attributes = element.etree_element.attrib
        key = (
            element.etree_element.tag,
            attributes.get("class") if self.class_selectors else None,
            attributes.get("id") if self.id_selectors else None,
            "lang" in attributes,
        )
        candidates = self._candidates.get(key)
        if candidates is None:
            candidates = self._candidates[key] = self._candidates_of(element)
        return [candidate[1:] for candidate in candidates if candidate[0](element)]

    def _candidates_of(self, element: Any) -> list[tuple[Any, ...]]:
        """The test of each rule that the name and attributes of an element leave, and what ``match`` says of it."""
        found = [
            *self.id_selectors.get(element.id, ()),
            *(entry for name in element.classes for entry in self.class_selectors.get(name, ())),
            *self.lower_local_name_selectors.get(element.local_name.lower(), ()),
            *self.namespace_selectors.get(element.namespace_url, ()),
            *(self.lang_attr_selectors if "lang" in element.etree_element.attrib else ()),
            *self.other_selectors,
        ]
        return sorted(found, key=_IN_ORDER)


REPLACED = ((cssselect2.Matcher, QuickMatcher),)
