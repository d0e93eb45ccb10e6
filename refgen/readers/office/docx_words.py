"""The words of a paragraph in a docx file: runs, fields, footnotes, formulas, signs and pictures.

In: the element of a paragraph, and the TextReader that knows the file around it. Out: DocxWords: runs of words with
their settings, footnotes, boxes of text, and what is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from refgen.readers.markup import stands_apart
from refgen.readers.office.archive import attribute, child, children, local, number
from refgen.readers.office.docx_styles import Styles, is_on
from refgen.readers.office.flow import Block, LeftOut, TextBox, TextNote, WordRuns
from refgen.readers.word_settings import Setting, lower_words, raise_words
from refgen.source import plain_text

NOTES = {"footnoteReference": "word/footnotes.xml", "endnoteReference": "word/endnotes.xml"}
"""The elements that stand for a footnote, and the part of the file that has its words."""

AROUND = {
    *("hyperlink", "smartTag", "customXml", "sdt", "sdtContent", "dir", "bdo", "ins", "moveTo", "fldSimple"),
    *("ruby", "rubyBase", "oMathPara", "txbxContent"),
}
"""The elements that stand around others and say nothing of them."""

TAKEN_OUT = {"del", "moveFrom", "delText"}
"""The elements with words that were deleted, or moved away, while changes were tracked."""

_PICTURES = {"drawing", "pict", "object"}
_WORDED = ("descr", "title", "alt", "string")
"""The attributes of pictures, shapes and WordArt that hold words."""

_SIGNS = {**dict.fromkeys(("br", "cr", "tab", "ptab"), " "), "noBreakHyphen": "\u2011"}
_HEXADECIMAL = re.compile(r"[0-9A-Fa-f]{1,8}")
_SYMBOLS = dict(
    zip(
        (0x22, 0x24, 0x2A, 0x2D, 0xA3, 0xA5, 0xAE, 0xB0, 0xB1, 0xB2, 0xB3, 0xB4, 0xB7, 0xB8, 0xB9, 0xBA, 0xC6, 0xD6),
        "∀∃∗−≤∞→°±″≥×•÷≠≡∅√",
        strict=True,
    )
)
"""Signs of the font Symbol, whose letters have numbers of their own."""


class TextReader(Protocol):
    """A reader of the blocks of a file; ``seen`` are the elements with words that are read, or left out with a note."""

    styles: Styles
    seen: set[Any]

    def blocks(self, container: Any) -> Iterator[Block]:
        """The blocks in an element."""

    def all_words(self, element: Any) -> str:
        """The words of an element that is left out whole."""

    def alternative(self, element: Any) -> Any:
        """The one of some alternatives that is read."""

    def footnote(self, reference: Any) -> TextNote:
        """The footnote that an element stands for."""


class DocxWords(WordRuns):
    """The words of a paragraph as they are read; ``fields`` are the fields that are open."""

    def __init__(self, reader: TextReader, style: str) -> None:
        super().__init__()
        self.reader, self.style = reader, style
        self.fields: list[_Field] = []

    def read(self, element: Any) -> None:
        """Add the words of the elements in an element."""
        for inner in children(element):
            match local(inner):
                case "r":
                    self._run(inner)
                case "oMath":
                    self.add(_formula(inner, self.reader.seen), Setting.PLAIN)
                case "AlternateContent":
                    self.read(self.reader.alternative(inner))
                case "rt":
                    self.apart.append(LeftOut(self.reader.all_words(inner), "this is set small beside a word"))
                case name if name in TAKEN_OUT:
                    self.add(self.reader.all_words(inner), Setting.STRUCK)
                case name if name in AROUND:
                    self._note_attributes(inner, ("tooltip",))
                    self.read(inner)

    def _run(self, run: Any) -> None:
        setting = self.reader.styles.setting(run, self.style)
        custom_mark = False
        for inner in children(run):
            name = local(inner)
            if name == "t":
                self.reader.seen.add(inner)
                self.add("" if custom_mark else inner.text or "", setting)
            elif name in NOTES:
                custom_mark = _says_yes(inner, "customMarkFollows")
                self._footnote(inner)
            else:
                self._part_of_run(name, inner, setting)

    def _part_of_run(self, name: str, inner: Any, setting: Setting) -> None:
        if name in _SIGNS:
            self.add(_SIGNS[name], setting)
        elif name == "sym":
            self._symbol(inner, setting)
        elif name == "fldChar":
            self._field(inner, setting)
        elif name == "ruby":
            self.read(inner)
        elif name in TAKEN_OUT:
            self.add(self.reader.all_words(inner), Setting.STRUCK)
        elif name in _PICTURES or name == "AlternateContent":
            self._pictures(inner if name in _PICTURES else self.reader.alternative(inner))

    def add(self, words: str, setting: Setting) -> None:
        """Add words, unless they belong to the instruction of a field."""
        if all(own.has_result for own in self.fields):
            super().add(words, setting)

    def _footnote(self, reference: Any) -> None:
        note = self.reader.footnote(reference)
        if note.words:
            self.footnotes.append(note)
            self.add(note.mark, Setting.PLAIN)

    def _field(self, mark: Any, setting: Setting) -> None:
        """Begin a field, or its result, or end it; a form field without result shows its choice."""
        kind = attribute(mark, "fldCharType")
        if kind == "begin":
            self.fields.append(_Field(_form_choice(child(mark, "ffData"))))
        elif kind == "separate" and self.fields:
            self.fields[-1].has_result = True
        elif kind == "end" and self.fields:
            ended = self.fields.pop()
            self.add("" if ended.has_result else ended.choice, setting)

    def _symbol(self, symbol: Any, setting: Setting) -> None:
        """A sign of a font whose letters have numbers of their own."""
        font, written = attribute(symbol, "font"), attribute(symbol, "char")
        code = int(written, 16) & 0xFF if _HEXADECIMAL.fullmatch(written) else 0
        if font == "Symbol" and code in _SYMBOLS:
            self.add(_SYMBOLS[code], setting)
        else:
            self.apart.append(LeftOut(f"{font} {written}", "this sign of a font of signs is left out"))

    def _pictures(self, around: Any) -> None:
        """The boxes of text in a drawing, and the words that stand for pictures."""
        for element in around.iter("*"):
            if local(element) == "txbxContent" and not any(
                local(one) == "txbxContent" for one in _elements_between(element, around)
            ):
                self.boxes.append(TextBox(tuple(self.reader.blocks(element))))
            self._note_attributes(element, _WORDED)

    def _note_attributes(self, element: Any, names: Sequence[str]) -> None:
        """Note the words of attributes, which stand for a picture or are shown on demand."""
        for name in names:
            if words := plain_text(attribute(element, name)):
                self.apart.append(LeftOut(words, stands_apart(name), stand_apart=True))


@dataclass
class _Field:
    """A field that is open: what a form field shows, and whether the result of the field has begun."""

    choice: str
    has_result: bool = False


def _form_choice(data: Any) -> str:
    """The words that an old form field shows: the chosen entry of a list, a box that is ticked or not."""
    listed, box = child(data, "ddList"), child(data, "checkBox")
    if listed is not None:
        entries = [attribute(one, "val") for one in children(listed) if local(one) == "listEntry"]
        chosen = max(count_of(listed, "result"), count_of(listed, "default") if child(listed, "result") is None else 0)
        return entries[chosen] if chosen < len(entries) else ""
    if box is not None:
        ticked = child(box, "checked")
        return "☒" if is_on(ticked if ticked is not None else child(box, "default")) else "☐"
    return ""


def _formula(formula: Any, seen: set[Any]) -> str:
    """A formula in a line: a fraction with a slash, powers raised."""
    words = []
    for element in children(formula):
        match local(element):
            case "t":
                seen.add(element)
                words.append(element.text or "")
            case "f":
                words.append(f"{_formula(child(element, 'num'), seen)}/{_formula(child(element, 'den'), seen)}")
            case "sup":
                words.append(raise_words(_formula(element, seen)))
            case "sub":
                words.append(lower_words(_formula(element, seen)))
            case _:
                words.append(_formula(element, seen))
    return "".join(words)


def _says_yes(element: Any, name: str) -> bool:
    """Whether an attribute of an element says yes."""
    return attribute(element, name, "0").lower() in ("1", "true", "on")


def _elements_between(element: Any, around: Any) -> Iterator[Any]:
    """The elements around an element, inside another."""
    for one in element.iterancestors():
        if one is around:
            return
        yield one


def count_of(properties: Any, name: str) -> int:
    """The number that a child says; 0 for none."""
    found = child(properties, name)
    return max(0, number(attribute(found, "val"), 0)) if found is not None else 0
