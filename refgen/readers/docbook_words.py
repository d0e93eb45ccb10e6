"""The words of DocBook elements as they are shown, each with its place.

In: a stretch of XML, its entities, and the elements of its document. Out: passages without tags and comments. Raised
and lowered words keep their sense; footnotes stand apart; words that are struck, deleted or hidden, remarks and terms
of the index are left out. A cell ends with the marks of its footnotes (``[^3]``).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from refgen.readers.document import LEFT_OUT, STRUCK, Note
from refgen.readers.word_run import WordRun
from refgen.readers.word_settings import Setting, setting_of_classes
from refgen.readers.xml_entities import MARKUP, Entities
from refgen.source import Passage, plain_text

PARAGRAPHS = {"para", "simpara", "term", "title"}
_BLOCKS = {*PARAGRAPHS, "entry", "member", "seg", "segtitle", "td", "th"}
_BLOCK_TAG = re.compile(rf"</?(?:{'|'.join(sorted(_BLOCKS))})\b")
"""A tag that ends a word: a paragraph in a cell, an item or a note may follow the words before it without a blank."""

_TAG = re.compile(r"<(?P<end>/)?\w.*?(?P<empty>/)?>\Z", re.DOTALL)
_REASONS = {
    "indexterm": "this is a term of the index",
    "remark": "this is a remark",
    "comment": "this is a remark",
}
"""The elements that are no part of the text, and the reason for each."""

_SETTINGS = {"superscript": Setting.RAISED, "subscript": Setting.LOWERED}
_SCRIPTS = {
    "msup": (Setting.RAISED,),
    "msub": (Setting.LOWERED,),
    "msubsup": (Setting.LOWERED, Setting.RAISED),
}
"""The elements of MathML whose parts behind the first are raised or lowered."""

_LONG = 11
"""So many figures are no number of columns, rows or items."""

_FOOTNOTES = {"footnote", "footnoteref"}
_MARKED_TAG = "|".join(sorted({*_REASONS, *_SETTINGS, *_FOOTNOTES, *_SCRIPTS}))
_MAY_BE_SET = re.compile(rf"<(?:\w+:)?(?:{_MARKED_TAG})\b|\b(?:role|revisionflag)\s*=")


def id_of(element: Element) -> str:
    """The id of an element, "" for none."""
    return element.get("id", "") or element.get("xml:id", "")


def read_figures(written: str, default: int) -> int:
    """The whole number that an attribute says."""
    return int(written) if written.isascii() and written.isdigit() and len(written) < _LONG else default


def reason_to_leave_out(element: Element) -> str:
    """Why an element is no part of the text; "" for one that is."""
    if element.tag in _REASONS:
        return _REASONS[element.tag]
    setting = setting_of_classes(element.get("role", "").split())
    return STRUCK if element.get("revisionflag") == "deleted" else setting.value


def settings_of(places: Mapping[Element, Passage]) -> dict[int, Setting]:
    """The settings of elements, each by the offset at which the content of the element begins."""
    found = {element: _SETTINGS[element.tag] for element in places if element.tag in _SETTINGS}
    for element in places:
        found |= dict(zip(element[1:], _SCRIPTS.get(element.tag.rpartition(":")[2], ()), strict=False))
    found |= {element: Setting.HIDDEN for element in places if reason_to_leave_out(element)}
    return {places[element].origins[0]: setting for element, setting in found.items()}


def may_be_set(text: str) -> bool:
    """Whether a stretch of XML may have words that are raised, lowered or left out."""
    return _MAY_BE_SET.search(text) is not None


def has_words(text: Passage, entities: Entities) -> bool:
    """Whether a stretch of XML has words."""
    return bool(text.text.strip()) and any(piece.text.strip() for piece, _ in _pieces(text, entities))


def read_words(text: Passage, entities: Entities, settings: Mapping[int, Setting]) -> Passage:
    """The words of a stretch of XML, in the settings of its elements."""
    if not ("<" in text.text or "&" in text.text):
        return text
    if not settings:
        return Passage.joined([text[:0], *(piece for piece, _ in _pieces(text, entities) if piece)])
    run = WordRun([(Setting.PLAIN, text[:0])])
    for piece, markup in _pieces(text, entities):
        run.add(piece)
        if markup and (tag := _TAG.match(markup[0])):
            _follow_tag(tag, settings.get(text.origins[markup.end()]), run)
    return run.words()


def _pieces(text: Passage, entities: Entities) -> Iterator[tuple[Passage, re.Match[str] | None]]:
    """The stretches of words, also of entities, each with the markup behind; a blank where a tag ends a word."""
    position = 0
    for markup in MARKUP.finditer(text.text):
        yield text[position : markup.start()], None
        words = text.group(markup)
        if markup["entity"]:
            words = words.replaced(entities.text(markup["entity"]) or "")
        elif markup["verbatim"] is not None:
            words = text.group(markup, "verbatim")
        else:
            words = words.replaced(" ") if _BLOCK_TAG.match(markup[0]) else words[:0]
        yield words, markup
        position = markup.end()
    yield text[position:], None


def _follow_tag(tag: re.Match[str], setting: Setting | None, run: WordRun) -> None:
    """Begin or end an element: its setting stands until its end, that of hidden words for all elements inside."""
    if tag["end"]:
        run.settings.pop()
    elif not tag["empty"]:
        around = run.settings[-1]
        run.settings.append(around if setting is None or around is Setting.HIDDEN else setting)


@dataclass
class DocBookWords:
    """The words of the elements of a document; ``places`` has the content of each element as a passage.

    ``known`` are the elements whose words are read or left out on purpose, ``left_out`` the latter, with the reason.
    ``apart`` are the elements that are read apart from the words around them: footnotes, and tables in cells.
    """

    places: Mapping[Element, Passage]
    entities: Entities
    known: set[Element] = field(default_factory=set)
    left_out: dict[Element, str] = field(default_factory=dict)
    apart: set[Element] = field(default_factory=set)
    _settings: dict[int, Setting] = field(default_factory=dict)
    _footnotes: dict[Element, int] = field(default_factory=dict)
    """The number of each footnote."""

    def __post_init__(self) -> None:
        if may_be_set(next(iter(self.places.values())).text):
            self._settings = settings_of(self.places)
            notes = (element for element in self.places if element.tag == "footnote")
            self._footnotes = {note: number for number, note in enumerate(notes, 1)}
            self._settings |= {self.places[note].origins[0]: Setting.HIDDEN for note in self._footnotes}
            self.left_out |= {one: reason for one in self.places if (reason := reason_to_leave_out(one))}
            self.known |= set(self.left_out)
            self.apart |= set(self._footnotes) - self.known

    def shown(self, element: Element, *tags: str) -> list[Element]:
        """The elements in an element that are part of the text; with ``tags``, those of these kinds."""
        return [child for child in element if child not in self.left_out and (not tags or child.tag in tags)]

    def prose(self, element: Element, inner: Collection[Element] = ()) -> Passage:
        """The words of an element without its footnotes, and without the elements ``inner``."""
        self.known.add(element)
        place = self.places[element]
        settings = self._settings if self._settings and may_be_set(place.text) else {}
        if inner:
            self.apart.update(inner)
            settings = settings | {self.places[one].origins[0]: Setting.HIDDEN for one in inner}
        return read_words(place, self.entities, settings).collapsed()

    def title(self, element: Element | None) -> str:
        """The words of a title, "" for none."""
        return "" if element is None else plain_text(self.prose(element).text)

    def cell(self, element: Element, inner: Collection[Element]) -> tuple[Passage, dict[str, Passage]]:
        """The words of a cell without ``inner`` tables, with the marks of its footnotes behind; and the footnotes."""
        words, notes = self.prose(element, inner), self.footnotes(element)
        if not notes:
            return words, notes
        marks = [words[len(words) :].replaced(mark) for mark in notes]
        return Passage.joined([words, *marks]), notes

    def footnotes(self, element: Element) -> dict[str, Passage]:
        """The words of the footnotes in an element by their marks."""
        if not self._footnotes:
            return {}
        found = map(self._footnote, element.iter())
        return {f"[^{self._footnotes[note]}]": self.prose(note) for note in found if note is not None}

    def _footnote(self, mark: Element) -> Element | None:
        """The footnote that an element is, or refers to; None for any other element."""
        if mark.tag == "footnoteref":
            return next((note for note in self._footnotes if id_of(note) == mark.get("linkend")), None)
        return mark if mark in self._footnotes else None

    def notes(self) -> Iterator[Note]:
        """A note on the words of each element that is left out."""
        inside: set[Element] = set()
        for element in self.left_out:  # in the order of the document: an element before the elements in it
            if element in inside:
                continue
            inside.update(element.iter())
            words = read_words(self.places[element], self.entities, {}).collapsed()
            if words:
                yield Note(self.left_out[element], words.span, LEFT_OUT)
