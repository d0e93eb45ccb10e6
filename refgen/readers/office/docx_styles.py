"""The styles and list numbers of a docx file: what a style, a list or a run says of its words.

In: the roots of ``word/styles.xml`` and ``word/numbering.xml``. Out: how words are set, the level of a heading, the
label of a list item. A property is looked for in the run, its character style, then the style of its paragraph, each
with the styles on which it is based.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from refgen.readers.office.archive import attribute, child, children, local, number
from refgen.readers.office.numbering import ListCounter, NumberedLevel
from refgen.readers.word_settings import Setting

_HIDDEN, _STRUCK = ("vanish", "webHidden"), ("strike", "dstrike")
_STYLES_OF_NUMBERS = {
    "decimal": "1",
    "decimalZero": "01",
    "lowerLetter": "a",
    "upperLetter": "A",
    "lowerRoman": "i",
    "upperRoman": "I",
    "bullet": "",
    "none": "",
}


@dataclass(frozen=True, slots=True)
class ListPlace:
    """The list that a paragraph belongs to, the level in the list (from 0), and the label as it is shown."""

    depth: int
    label: str


def is_on(switch: Any) -> bool:
    """Whether a switch such as ``<w:strike/>`` is there, and not off."""
    return switch is not None and attribute(switch, "val", "1").lower() not in ("0", "false", "off", "none")


@dataclass
class Styles:
    """The styles and lists of a file, and the numbers that its lists have reached."""

    styles: Any
    numbering: Any
    counters: dict[str, ListCounter] = field(default_factory=dict)
    started: set[tuple[str, int]] = field(default_factory=set)

    @cached_property
    def _by_id(self) -> Mapping[str, Any]:
        return {attribute(style, "styleId"): style for style in children(self.styles) if local(style) == "style"}

    @cached_property
    def _lists(self) -> Mapping[str, Any]:
        return {attribute(one, "numId"): one for one in children(self.numbering) if local(one) == "num"}

    @cached_property
    def _abstract_lists(self) -> Mapping[str, Any]:
        return {attribute(one, "abstractNumId"): one for one in children(self.numbering) if local(one) == "abstractNum"}

    def _chain(self, style: str) -> Iterator[Any]:
        """A style and the styles on which it is based."""
        known: set[str] = set()
        while style in self._by_id and style not in known:
            known.add(style)
            yield self._by_id[style]
            style = _value(self._by_id[style], "basedOn")

    def name(self, style: str) -> str:
        """The name of a style in small letters, which Word writes in English; the id where there is no such style."""
        return (_value(self._by_id[style], "name") if style in self._by_id else style).lower()

    def setting(self, run: Any, paragraph_style: str) -> Setting:
        """How the words of a run are set."""
        own = child(run, "rPr")
        styled = [*self._chain(_value(own, "rStyle")), *self._chain(paragraph_style)]
        around = [own, *(child(style, "rPr") for style in styled)]
        if any(is_on(_first(around, name)) for name in _HIDDEN):
            return Setting.HIDDEN
        if any(is_on(_first(around, name)) for name in _STRUCK):
            return Setting.STRUCK
        raised = _first(around, "vertAlign")
        match attribute(raised, "val") if raised is not None else "":
            case "superscript":
                return Setting.RAISED
            case "subscript":
                return Setting.LOWERED
        return Setting.PLAIN

    def heading_level(self, properties: Any) -> int:
        """The level of a heading, from 1; 0 for a paragraph that is none."""
        style = _value(properties, "pStyle")
        around = [properties, *(child(one, "pPr") for one in self._chain(style))]
        outline = _first(around, "outlineLvl")
        level = number(attribute(outline, "val"), 9) if outline is not None else 9
        if outline is None and (name := self.name(style)).startswith("heading"):
            level = number(name.removeprefix("heading"), 10) - 1
        return level + 1 if 0 <= level < 9 else 0

    def list_place(self, properties: Any) -> ListPlace | None:
        """The place of a paragraph in a list, whose count goes on; None for a paragraph in no list."""
        style = _value(properties, "pStyle")
        around = [properties, *(child(one, "pPr") for one in self._chain(style))]
        numbered = [child(one, "numPr") for one in around]
        own = _first(numbered, "numId")
        list_id = attribute(own, "val") if own is not None else "0"
        if list_id not in self._lists:
            return None
        abstract = self._abstract(_value(self._lists[list_id], "abstractNumId"))
        if abstract is None:
            return None
        said = _first(numbered, "ilvl")
        depth = number(attribute(said, "val"), 0) if said is not None else _depth_of_style(abstract, style)
        return ListPlace(depth, self._label(list_id, attribute(abstract, "abstractNumId"), depth))

    def _label(self, list_id: str, abstract_id: str, depth: int) -> str:
        """The label of the next item; a list that starts anew does so at its first item."""
        levels = self._levels(list_id, abstract_id)
        start = None
        if (list_id, depth) not in self.started:
            self.started.add((list_id, depth))
            start = self._restart(list_id, depth)
        return self.counters.setdefault(abstract_id, ListCounter()).label(levels, depth, start)

    def _restart(self, list_id: str, depth: int) -> int | None:
        for override in children(self._lists[list_id]):
            start = child(override, "startOverride")
            if start is not None and attribute(override, "ilvl") == str(depth):
                return number(attribute(start, "val"), 1)
        return None

    def _levels(self, list_id: str, abstract_id: str) -> Mapping[int, NumberedLevel]:
        written = [*children(self._abstract_lists[abstract_id])]
        written += [level for override in children(self._lists[list_id]) for level in children(override)]
        return {number(attribute(one, "ilvl"), 0): _numbered_level(one) for one in written if local(one) == "lvl"}

    def _abstract(self, abstract_id: str) -> Any:
        """The definition of a list; a definition that only names a style is that of the list of the style."""
        found = self._abstract_lists.get(abstract_id)
        linked = _value(found, "numStyleLink")
        for style in self._chain(linked):
            list_id = _value(child(style, "pPr", "numPr"), "numId")
            if list_id in self._lists:
                return self._abstract_lists.get(_value(self._lists[list_id], "abstractNumId"), found)
        return found


def _value(element: Any, name: str) -> str:
    """The value of a child; "" where there is none."""
    inner = child(element, name)
    return attribute(inner, "val") if inner is not None else ""


def _first(around: list[Any], name: str) -> Any:
    """The first child of a name in some elements, of which some may be missing."""
    return next((found for one in around if one is not None and (found := child(one, name)) is not None), None)


def _depth_of_style(abstract: Any, style: str) -> int:
    for level in children(abstract):
        if style and _value(level, "pStyle") == style:
            return number(attribute(level, "ilvl"), 0)
    return 0


def _numbered_level(level: Any) -> NumberedLevel:
    style = _STYLES_OF_NUMBERS.get(_value(level, "numFmt") or "decimal", "1")
    return NumberedLevel(style, _value(level, "lvlText"), number(_value(level, "start"), 0))
