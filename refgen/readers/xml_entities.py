"""The entities that an XML document declares, and what each stands for.

In: the passage of an XML document. Out: its Entities. Nothing is fetched: an entity of another file, or one that only a
parameter entity declares, stands for nothing known.

Entities name entities, so that a few lines can stand for more words than a machine has memory. So an entity is expanded
where the document names it and nowhere else, and all letters that the document names are counted before anything is
expanded, by us or by a parser: those of attributes too, which expat expands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import unescape
from html.entities import html5

from refgen.errors import ReadError
from refgen.limits import limit_hint, limits
from refgen.source import Passage
from refgen.span import Span

_SKIPPED = r"<!--.*?(?:-->|\Z)|<\?.*?(?:\?>|\Z)"
_ENTITY = r"&(?P<entity>[^;&<\s]+);"

MARKUP = re.compile(
    rf"{_SKIPPED}|<!\[CDATA\[(?P<verbatim>.*?)(?:\]\]>|\Z)"
    rf"|<[^<>\"']*(?:\"[^<\"]*\"[^<>\"']*|'[^<']*'[^<>\"']*)*>|{_ENTITY}",
    re.DOTALL,
)
"""What is no word in the text of an element: comments, tags and entities; and words as they are, in CDATA."""

_PROLOG = re.compile(
    rf"{_SKIPPED}|(?P<root><[^!?])"
    r"|<!ENTITY\s+(?P<parameter>%\s+)?(?P<name>[^\s%\"'>]+)\s+(?:(?P<quote>[\"'])(?P<words>.*?)(?P=quote))?"
    r"|\"(?P<usual>[^\"]*)\"|'(?P<other_usual>[^']*)'",
    re.DOTALL,
)
"""The parts of what stands before the root element: other quoted texts are names of files, and usual attributes."""

_NAMED = re.compile(rf"{_SKIPPED}|<!\[CDATA\[.*?(?:\]\]>|\Z)|{_ENTITY}", re.DOTALL)
_CHARACTER = re.compile(r"&#\w+;")


@dataclass(frozen=True, slots=True)
class _Measure:
    """The letters of an entity with all that it is made of, how deep its parts name each other, and an unknown part."""

    letters: int = 0
    depth: int = 0
    unknown: str = ""


class Entities:
    """The entities of a document by name. ``root`` is the offset where its root element begins.

    ``letters`` are those that all names of entities in the document stand for. Raises ReadError for too many of them,
    and for entities that stand for themselves or name each other too deep.
    """

    def __init__(self, document: Passage) -> None:
        self.root = len(document)
        self._document = document
        self._declared: dict[str, re.Match[str]] = {}
        self._measured: dict[str, _Measure] = {}
        self._texts: dict[str, str] = {}
        self.letters = self._count_letters(self._declare())

    def text(self, name: str) -> str | None:
        """The text of an entity, or the character of a number or HTML name; None for an unknown entity."""
        if name not in self._declared:
            return _character(name)
        if self._declared[name]["words"] is None:
            return None
        if name not in self._texts:
            self._texts[name] = self._expanded(name)
        return self._texts[name]

    def unknown(self, name: str) -> str:
        """The first name of an entity, or of what it is made of, that stands for nothing known; "" for none."""
        return self._measure(name, ()).unknown

    def _declare(self) -> list[tuple[int, int]]:
        """Take down the declarations, of which the first of a name holds. Returns the places of usual attributes."""
        usual = []
        for part in _PROLOG.finditer(self._document.text):
            if part["root"]:
                self.root = part.start()
                break
            if part["name"] and not part["parameter"]:
                self._declared.setdefault(part["name"], part)
            usual += [part.span(kind) for kind in ("usual", "other_usual") if part[kind]]
        return usual

    def _count_letters(self, usual: Sequence[tuple[int, int]]) -> int:
        """The letters of all entities that are named in the document, each as often as it is named."""
        if not self._declared:
            return 0
        letters = 0
        for start, end in (*usual, (self.root, len(self._document))):
            for named in _NAMED.finditer(self._document.text, start, end):
                letters += self._measure(named["entity"], ()).letters if named["entity"] else 0
                if letters > limits().entity_letters:
                    message = f"up to here entities stand for {letters:,} letters"
                    raise ReadError(message, span=self._document.group(named).span, hint=limit_hint("entity_letters"))
        return letters

    def _measure(self, name: str, around: tuple[str, ...]) -> _Measure:
        """The measure of an entity, which stands in the entities ``around`` it."""
        if name not in self._declared or self._declared[name]["words"] is None:
            return _Measure(unknown=name if self.text(name) is None else "")
        if name not in self._measured:
            if name in around:
                hint = "Take its name out of the words that it stands for."
                raise ReadError("this entity stands for itself", span=self._place(name), hint=hint)
            self._refuse_depth(name, len(around) + 1)
            words = self._words(name)
            parts = [self._measure(part, (*around, name)) for part in _names_in(words)]
            depth = 1 + max((part.depth for part in parts), default=0)
            self._refuse_depth(name, depth)
            unknown = next((part.unknown for part in parts if part.unknown), "")
            self._measured[name] = _Measure(len(words) + sum(part.letters for part in parts), depth, unknown)
        return self._measured[name]

    def _refuse_depth(self, name: str, depth: int) -> None:
        if depth > limits().xml_depth:
            message = "the entities that this entity is made of name each other too deep"
            raise ReadError(message, span=self._place(name), hint=limit_hint("xml_depth"))

    def _place(self, name: str) -> Span:
        return self._document.group(self._declared[name], "name").span

    def _words(self, name: str) -> str:
        """The words of a declaration; characters by number are themselves there, so that one may begin a name."""
        return _CHARACTER.sub(lambda character: unescape(character[0]), self._declared[name]["words"])

    def _expanded(self, name: str) -> str:
        """The words of an entity without markup, with the words of every entity that they name."""
        return MARKUP.sub(
            lambda part: self._part_text(part["entity"]) if part["entity"] else part["verbatim"] or "",
            self._words(name),
        )

    def _part_text(self, name: str) -> str:
        """The text of an entity in another. It is not kept: each entity may hold all words of the one before."""
        known = self._declared.get(name)
        return self._expanded(name) if known and known["words"] is not None else self.text(name) or ""


def _names_in(words: str) -> Iterator[str]:
    return (part["entity"] for part in _NAMED.finditer(words) if part["entity"])


def _character(name: str) -> str | None:
    return unescape(f"&{name};") if name.startswith("#") else html5.get(f"{name};")
