"""The words of elements of a page, each with its place, as browsers show them.

In: a numbered page and its PageAppearance. Out: passages: the words of an element without its markup; the words of a
cell with the marks of its footnotes at the end (``[^3]``); the words of a footnote without its own mark.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from lxml import etree

from refgen.readers.document import INLINE_TAGS
from refgen.readers.html_appearance import FORMULAS, PageAppearance
from refgen.readers.markup import PLACE, WORD, NumberedMarkup, Tag
from refgen.readers.word_run import WordRun
from refgen.readers.word_settings import Setting
from refgen.source import Passage

_CHOICES = {"select", "optgroup", "option"}
_OWN_MARK = re.compile(r"\s*(?:\[?(?:\d{1,3}|[A-Za-z]|[*†‡§]{1,3})\]?[.:)]?(?=\s)|[\^↑]|\[[^\]]{1,3}\])\s*")
_BACK = re.compile(r"\s*(?:[↩↑⏎^]\ufe0e?|\[[↩↑]\])\s*\Z")


def is_inline(element: etree._Element) -> bool:
    """Whether an element stands within a line of text."""
    return element.tag in INLINE_TAGS or element.tag in FORMULAS or element.tag in _CHOICES


@dataclass
class PageWords:
    """The words of the elements of a page."""

    text: Passage
    markup: NumberedMarkup
    appearance: PageAppearance
    numbers: dict[etree._Element, int] = field(default_factory=dict)
    """The number of each footnote that a cell has, by the block of its words."""

    def tag(self, element: etree._Element) -> Tag:
        """The start tag of an element as it is written."""
        return self.markup.tags[int(element.get(PLACE, ""))]

    def prose(self, element: etree._Element) -> Passage:
        """The words of an element without its markup; lines and blocks in it are parted by a blank."""
        return self._read(element, frozenset()).passage()

    def cell(self, element: etree._Element, inner: Sequence[etree._Element]) -> tuple[Passage, dict[str, Passage]]:
        """The words of a cell without ``inner`` tables, with the marks of its footnotes behind; and the footnotes."""
        marks = [mark for mark in self.appearance.marks if mark in element.iter()] if self.appearance.marks else []
        run = self._read(element, frozenset((*marks, *inner)))
        notes: dict[str, Passage] = {}
        words = run.passage()
        for mark in marks:
            block = self.appearance.marks[mark]
            name = f"[^{self.numbers.setdefault(block, len(self.numbers) + 1)}]"
            notes[name] = self.footnote(block)
            words = Passage.joined([words, words[len(words) :].replaced(name)])
        return words, notes

    def footnote(self, block: etree._Element) -> Passage:
        """The words of a footnote, without its mark in front and the link back to its place."""
        words = self.prose(block)
        while match := _OWN_MARK.match(words.text):
            words = words[match.end() :]
        while match := _BACK.search(words.text):
            words = words[: match.start()]
        return words

    def _read(self, element: etree._Element, skipped: frozenset[etree._Element]) -> WordRun:
        content = self.tag(element).content
        run = WordRun([(Setting.PLAIN, self.text[content:content])])
        walk = etree.iterwalk(element, events=("start", "end"))
        for event, part in walk:
            if not is_inline(part):
                run.add_blank()
            if event == "start" and (part in skipped or part in self.appearance.left_out) and part is not element:
                walk.skip_subtree()
                run.settings.append(run.settings[-1])
            elif event == "start":
                self.open(part, run)
            else:
                run.settings.pop()
                if part is not element:
                    self.add_behind(part, run)
        return run

    def open(self, part: etree._Element, run: WordRun) -> None:
        """Begin an element: its setting stands until its end."""
        run.settings.append(self.appearance.settings.get(part, run.settings[-1]))
        self.add(part.text, run)

    def add_behind(self, part: etree._Element, run: WordRun) -> None:
        """Add the words behind an element; behind the first part of a fraction of MathML, a slash."""
        around = part.getparent()
        if around is not None and around.tag == "mfrac" and part is around[0] and run.pieces:
            last = run.pieces[-1][1]
            run.add(last[len(last) :].replaced("/"))
        self.add(part.tail, run)

    def add(self, numbers: str | None, run: WordRun) -> None:
        """Add the words and blanks that the text of an element stands for."""
        for match in WORD.finditer(numbers or ""):
            if match["blank"]:
                run.add_blank()
            else:
                run.add(self.markup.words[int(match["number"])])
