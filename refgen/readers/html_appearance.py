"""The appearance of a page in browsers: words that are struck, hidden, raised or lowered, and marks of footnotes.

In: the tree of a numbered page, its tags, and the style sheets in the page. Out: a PageAppearance: the elements that
are left out, each with the reason; the settings of words; the marks of footnotes with the elements that hold the notes.

Styles are read where they stand at an element (``style="display: none"``), and in style sheets of the page for a single
class, as Google Docs writes them (``.c3 { text-decoration: line-through }``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from lxml import etree

from refgen.readers.document import HIDDEN, INLINE_TAGS, STRUCK
from refgen.readers.html_navigation import NAVIGATION, navigation_of, words_in
from refgen.readers.markup import PLACE, NumberedMarkup
from refgen.readers.word_settings import Setting

SHOWN_ELSEWHERE = ""
"""The reason of an element whose words stand in the page a second time."""

_TAGS = {
    "head": "this stands in the head of the page",
    "title": "this names the page, or a picture",
    "template": "this is shown by scripts alone",
    "s": STRUCK,
    "strike": STRUCK,
    "del": STRUCK,
    "annotation": SHOWN_ELSEWHERE,
}
"""The elements that are no part of the text, and the reason for each."""

APART = {_TAGS[tag] for tag in ("head", "title", "template")}
"""The reasons of elements with words that stand apart from the text."""

_FOR_SCREEN_READERS = {"sr-only", "visually-hidden", "visuallyhidden", "screen-reader-text"}
_SETTINGS = {"sup": Setting.RAISED, "sub": Setting.LOWERED}
_SCRIPTS_OF_FORMULAS = {
    "msup": (None, Setting.RAISED),
    "msub": (None, Setting.LOWERED),
    "msubsup": (None, Setting.LOWERED, Setting.RAISED),
}
FORMULAS = {
    "annotation",
    "math",
    "mfrac",
    "mi",
    "mn",
    "mo",
    "mrow",
    "mspace",
    "mstyle",
    "mtext",
    "semantics",
    *_SCRIPTS_OF_FORMULAS,
}
"""The elements of MathML that stand within a line of text."""

_STYLE_SHEET = re.compile(r"<style\b[^>]*>(?P<rules>.*?)</style", re.DOTALL | re.IGNORECASE)
_CLASS_RULE = re.compile(r"(?:\A|(?<=[};,]))\s*\.(?P<name>[A-Za-z_][\w-]*)\s*\{(?P<style>[^{}]*)\}")
_DECLARATION = re.compile(r"(?P<name>[\w-]+)\s*:\s*(?P<value>[^;]*)")
_MARK = re.compile(r"\[?(?:\d{1,3}|[A-Za-z]|[*†‡§]{1,3}|[ivx]{1,5})\]?")
_TARGET = re.compile(r"fn|note|cite|ftn|foot", re.IGNORECASE)
_REMARK = re.compile(r"#cmnt(?:_ref)?\d*\Z")


@dataclass
class PageAppearance:
    """The elements of a page that are left out, the settings of words, and the marks of footnotes."""

    root: etree._Element
    markup: NumberedMarkup
    text: str
    left_out: dict[etree._Element, str] = field(default_factory=dict)
    settings: dict[etree._Element, Setting] = field(default_factory=dict)
    marks: dict[etree._Element, etree._Element] = field(default_factory=dict)
    """The element of each mark, and the block that holds the words of the note."""

    def __post_init__(self) -> None:
        self.left_out |= dict.fromkeys(navigation_of(self.root, self.markup), NAVIGATION)
        for element in self.root.iter():
            self._look_at(element)
        for link in self.root.iter("a"):
            self._follow(link)

    def attribute(self, element: etree._Element, name: str) -> str:
        """An attribute as it is written; "" for none."""
        place = element.get(PLACE)
        return self.markup.tags[int(place)].attributes.get(name, "") if place else ""

    def _look_at(self, element: etree._Element) -> None:
        reason = self._reason(element)
        if reason is not None:
            self.left_out.setdefault(element, reason)
        if setting := self._setting(element):
            self.settings[element] = setting
        for part, setting_of_part in zip(element, _SCRIPTS_OF_FORMULAS.get(str(element.tag), ()), strict=False):
            if setting_of_part:
                self.settings[part] = setting_of_part

    def _reason(self, element: etree._Element) -> str | None:
        """Why an element is no part of the text; None for one that is."""
        if element.tag in _TAGS:
            return _TAGS[element.tag]
        if element.tag == "option" and not self._is_chosen(element):
            return "this is not chosen"
        if element.tag in ("html", "body") or not element.get(PLACE):
            return None
        classes = set(self.attribute(element, "class").split())
        if "katex-html" in classes:
            return SHOWN_ELSEWHERE
        if self._is_hidden(element, classes):
            return HIDDEN
        return STRUCK if "line-through" in self._style(element, "text-decoration") else None

    def _is_hidden(self, element: etree._Element, classes: set[str]) -> bool:
        attributes = self.markup.tags[int(element.get(PLACE, ""))].attributes
        return (
            ("hidden" in attributes and attributes["hidden"] != "until-found")
            or bool(classes & _FOR_SCREEN_READERS)
            or self._style(element, "display") == "none"
            or self._style(element, "visibility") in ("hidden", "collapse")
            or self._style(element, "mso-hide") == "all"
        )

    def _is_chosen(self, option: etree._Element) -> bool:
        """Whether an option is the chosen one of its list: the first where none is said to be."""
        options = list(next(option.iterancestors("select", "datalist", "html")).iter("option"))
        chosen = [one for one in options if self._has(one, "selected")]
        return option in (chosen or options[:1])

    def _has(self, element: etree._Element, name: str) -> bool:
        place = element.get(PLACE)
        return bool(place) and name in self.markup.tags[int(place)].attributes

    def _setting(self, element: etree._Element) -> Setting | None:
        if element.tag in _SETTINGS:
            return _SETTINGS[element.tag]
        match self._style(element, "vertical-align") if element.tag in INLINE_TAGS else "":
            case "super":
                return Setting.RAISED
            case "sub":
                return Setting.LOWERED
        return None

    def _style(self, element: etree._Element, name: str) -> str:
        """The value of a property that is declared at an element, or for one of its classes."""
        styles = [self.attribute(element, "style")]
        if self._classes:
            styles += [self._classes.get(own, "") for own in self.attribute(element, "class").split()]
        for declared in _DECLARATION.finditer(";".join(filter(None, styles)).lower()):
            if declared["name"] == name or declared["name"] == f"{name}-line":
                return declared["value"].strip()
        return ""

    @cached_property
    def _classes(self) -> Mapping[str, str]:
        """The declarations for each class that stands alone in a rule of the style sheets of the page."""
        if "<style" not in self.text.lower():
            return {}
        sheets = "}".join(sheet["rules"] for sheet in _STYLE_SHEET.finditer(self.text))
        return {rule["name"]: rule["style"] for rule in _CLASS_RULE.finditer(sheets)}

    @cached_property
    def _targets(self) -> Mapping[str, etree._Element]:
        found: dict[str, etree._Element] = {}
        for element in self.root.iter():
            for name in ("id", "name"):
                if value := self.attribute(element, name):
                    found.setdefault(value, element)
        return found

    def _follow(self, link: etree._Element) -> None:
        """See whether a link is the mark of a footnote, or of a remark, whose words are then left out."""
        address = self.attribute(link, "href")
        if not address.startswith("#") or link in self.left_out:
            return
        mark = self._whole_mark(link)
        if _REMARK.match(address):
            self._leave_out_remark(mark, address)
            return
        note = self._targets.get(address[1:])
        if mark is not None and note is not None and self._is_note(link, mark, address):
            block = _block_around(note)
            if block is not mark and mark not in block.iter():
                self.marks[mark] = block

    def _leave_out_remark(self, mark: etree._Element | None, address: str) -> None:
        target = self._targets.get(address[1:])
        if address.startswith("#cmnt_ref"):
            return
        if mark is not None:
            self.left_out.setdefault(mark, SHOWN_ELSEWHERE)
        if target is not None:
            self.left_out.setdefault(_block_around(target), "this is a remark")

    def _whole_mark(self, link: etree._Element) -> etree._Element | None:
        """The largest element around a link that holds nothing but a mark; None where the link is no mark."""
        if not _MARK.fullmatch(self._words(link)):
            return None
        mark = link
        for around in link.iterancestors():
            if around.tag not in INLINE_TAGS or not _MARK.fullmatch(self._words(around)):
                break
            mark = around
        return mark

    def _words(self, element: etree._Element) -> str:
        return "".join(self.markup.words[number].text for number in words_in(element)).strip()

    def _is_note(self, link: etree._Element, mark: etree._Element, address: str) -> bool:
        """Whether a link to a place in the page is set or named as the mark of a note is."""
        is_raised = any(one in self.settings for one in (mark, *mark.iterancestors("sup")))
        said = " ".join(self.attribute(link, name) for name in ("role", "epub:type", "class"))
        return is_raised or bool(_TARGET.search(f"{said} {address}"))


def _block_around(element: etree._Element) -> etree._Element:
    """The block that an element is, or stands in."""
    around: Iterator[etree._Element] = (
        one for one in (element, *element.iterancestors()) if one.tag not in INLINE_TAGS
    )
    return next(around)
