"""The attributes and the skills of characters, as a document lists them.

In: a GameDraft. Out: TraitLists: the names of attributes and of skills, the short forms of the names, and the place of
each; or None where no list is sure. The names stand in a sentence ("three attributes: Strength (STR), …"), in a list or
in paragraphs under words that say so, in a column of a table, or in headings.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby, takewhile

from refgen.languages.title_words import title_words
from refgen.proposals.draft import GameDraft
from refgen.readers.document import Document, Inline, Section
from refgen.source import Passage, plain_text
from refgen.span import Span

FEWEST = 3
MOST_ATTRIBUTES, MOST_SKILLS = 12, 100
FEWEST_SKILLS = 4

_NAME = r"[^\W\d_][\w'’/-]*(?: [^\W\d_][\w'’/-]*){0,3}"
_SHORT = r"[^\W\d_]{2,4}"
_WITH_SHORT = re.compile(rf"(?P<name>{_NAME}) ?\((?P<short>{_SHORT}) ?\)")
_CAPITALIZED = re.compile(rf"(?P<name>(?:[^\W\d_a-zà-ÿа-яё][\w'’-]+ ?)+)\((?P<short>{_SHORT})\)\Z")
_ENUMERATED = re.compile(r"(?![a-zà-ÿа-яё])[^\W\d_][\w'’/-]*(?: [^\W\d_][\w'’/-]*){0,2}")
_PLAIN_NAME = re.compile(r"[^\W\d_][^\d_:;.,!?]*(?: ?\([^()\d]*\))?")
_LEAD = re.compile(rf"(?P<name>{_NAME})(?: ?\((?P<short>{_SHORT}) ?\))?(?= ?: )")
_SUBJECT = re.compile(r"(?P<name>(?![a-zà-ÿа-яё])[^\W\d_]\w+)(?P<short>) (?P<verb>[^\W\d_]+) ")
_BRACKETS = re.compile(r" ?\([^()]*\)")


@dataclass(frozen=True, slots=True)
class Trait:
    """An attribute or a skill: its name, the short form of the name ("" for none), and the place of its name."""

    name: str
    short: str
    place: Span


@dataclass(frozen=True, slots=True)
class TraitList:
    """A list of attributes or of skills, and the words that say where the document lists them."""

    traits: Sequence[Trait]
    evidence: str

    def shares_names(self, other: TraitList | None) -> bool:
        """Whether a name stands in another list as well."""
        names = {trait.name.casefold() for trait in self.traits}
        return other is not None and any(trait.name.casefold() in names for trait in other.traits)


@dataclass(frozen=True, slots=True)
class TraitLists:
    """The attributes and the skills of a game, as far as the document lists them for sure."""

    attributes: TraitList | None
    skills: TraitList | None


@dataclass(frozen=True, slots=True)
class _Kind:
    """Attributes or skills: how words for this kind begin (``stems``), and words for the other kind (``others``).

    ``heads`` are how the words begin that say so over a column. A list has ``fewest`` to ``most`` names.
    """

    title: str
    stems: tuple[str, ...]
    heads: tuple[str, ...]
    others: tuple[str, ...]
    fewest: int
    most: int
    most_words: int

    def is_named_in(self, text: str) -> bool:
        """Whether a text has a word for this kind, and none for the other."""
        words = re.findall(r"\w+", text.casefold())
        return any(word.startswith(self.stems) for word in words) and not any(
            word.startswith(self.others) for word in words
        )

    def is_title(self, text: str) -> bool:
        """Whether a title is about this kind: of three words at most, the first or the last is a word for the kind."""
        words = re.findall(r"[^\W\d_]+", text.casefold())
        return 0 < len(words) <= FEWEST and (words[0].startswith(self.stems) or words[-1].startswith(self.stems))

    def list_of(self, traits: Sequence[Trait], evidence: str) -> TraitList | None:
        """The list of some traits; None if they are too few or too many, or a name stands there twice."""
        names = {trait.name.casefold() for trait in traits}
        is_sure = self.fewest <= len(traits) <= self.most and len(names) == len(traits)
        shown = ", ".join(trait.name for trait in traits[:3])
        return TraitList(traits, f"{len(traits)} {self.title}, {shown} …, {evidence}") if is_sure else None


def find_traits(draft: GameDraft) -> TraitLists:
    """The attributes and the skills of a game."""
    words = title_words(draft.language)
    for_attributes, for_skills = tuple(words.attributes), tuple(words.skills)
    either = (*for_attributes, *words.abilities)
    attributes = _Kind("attributes", either, for_attributes, for_skills, FEWEST, MOST_ATTRIBUTES, 2)
    skills = _Kind("skills", for_skills, for_skills, either, FEWEST_SKILLS, MOST_SKILLS, 4)
    document, joins = draft.document, words.joins
    found = chain(
        _with_short_forms(document, attributes, joins),
        _enumerated_traits(document, attributes, joins),
        _leading_words(document, attributes),
        _columns(document, attributes),
    )
    first = next(filter(None, found), None)
    found = chain(
        _columns(document, skills),
        _leading_words(document, skills),
        _headings(document, skills),
        _enumerated_traits(document, skills, joins),
    )
    return TraitLists(first, next((traits for traits in found if traits and not traits.shares_names(first)), None))


@dataclass(frozen=True, slots=True)
class _Piece:
    """Words of a sentence between two marks, and the mark behind them."""

    text: Passage
    mark: str


def _pieces(paragraph: Passage, joins: Collection[str]) -> Sequence[_Piece]:
    """The things that a text names one after another, parted by commas, further marks, and words such as "and"."""
    text = paragraph.collapsed()
    before_last = "|".join(map(re.escape, sorted(joins)))
    mark = re.compile(rf",? (?:{before_last}) |(?<![,:;.!?–—])[,:;.!?–—]+(?: |\Z)")
    return [_Piece(*piece) for piece in zip(text.split(mark), [*mark.findall(text.text), ""], strict=True)]


def _with_short_forms(document: Document, kind: _Kind, joins: Collection[str]) -> Iterator[TraitList | None]:
    """Several names with short forms, one after another: "Strength (STR), Dexterity (DEX) and Willpower (WIL)".

    Words of the kind stand before the names, or the short forms stand elsewhere as well.
    """
    for paragraph in _paragraphs(document):
        if "(" not in paragraph.text:
            continue
        pieces = _pieces(paragraph, joins)
        for run in _runs(pieces):
            traits = [_trait_of(pieces, at, is_first=at == run[0]) for at in run]
            found = [trait for trait in traits if trait is not None]
            before = " ".join(piece.text.text for piece in pieces[: run[0] + 1])
            if len(found) >= FEWEST and (kind.is_named_in(before) or _are_used(document, found, paragraph)):
                later = (_trait_at_end(piece.text) for piece in pieces[run[-1] + 1 :])
                found += [trait for trait in later if trait is not None]
                yield kind.list_of(found, f"in the text at {found[0].place}")


def _runs(pieces: Sequence[_Piece]) -> Iterator[Sequence[int]]:
    """The positions of pieces that are a name with a short form each, one after another.

    Before the first name, further words may stand in the same piece, unless a colon or a full stop ends the piece.
    """
    named = [_WITH_SHORT.fullmatch(piece.text.text) is not None for piece in pieces]
    for has_name, group in groupby(range(len(pieces)), key=lambda at: named[at]):
        run = list(group)
        if has_name and run[0] and pieces[run[0] - 1].mark.strip() not in (":", ".", ";"):
            run.insert(0, run[0] - 1)
        if has_name:
            yield run


def _trait_of(pieces: Sequence[_Piece], at: int, *, is_first: bool) -> Trait | None:
    """The name in a piece; of the first piece of several, the capitalized words, if other words may stand before."""
    text = pieces[at].text
    is_whole = not is_first or (at > 0 and pieces[at - 1].mark.strip() == ":")
    match = _WITH_SHORT.fullmatch(text.text)
    return _trait(text, match) if match and is_whole else _trait_at_end(text)


def _paragraphs(document: Document) -> Iterator[Passage]:
    return (paragraph for section in document.sections for paragraph in section.paragraphs)


def _trait_at_end(text: Passage) -> Trait | None:
    """The capitalized name with a short form at the end of some words: "these are Strength (STR)"."""
    match = _CAPITALIZED.search(text.text)
    return None if match is None else _trait(text, match)


def _trait(text: Passage, match: re.Match[str]) -> Trait:
    name = text.group(match, "name").strip()
    return Trait(plain_text(name.text), match["short"] or "", name.span)


def _are_used(document: Document, traits: Sequence[Trait], paragraph: Passage) -> bool:
    """Whether most short forms stand in further paragraphs."""
    others = [other.text for other in _paragraphs(document) if other is not paragraph]
    used = sum(any(re.search(rf"\b{trait.short}\b", other) for other in others) for trait in traits)
    return 2 * used > len(traits)


def _enumerated_traits(document: Document, kind: _Kind, joins: Collection[str]) -> Iterator[TraitList | None]:
    """Several names behind a colon: "three attributes: Brawn, Wits and Heart."."""
    for paragraph in _paragraphs(document):
        pieces = _pieces(paragraph, joins) if kind.is_named_in(paragraph.text) and ":" in paragraph.text else ()
        for at, piece in enumerate(pieces):
            if piece.mark.strip() != ":" or not kind.is_named_in(piece.text.text):
                continue
            end = next((end for end in range(at + 1, len(pieces)) if pieces[end].mark.strip() in (".", ";", "")), at)
            names = [other.text for other in pieces[at + 1 : end + 1]]
            if all(_ENUMERATED.fullmatch(name.text) for name in names):
                traits = [Trait(plain_text(name.text), "", name.span) for name in names]
                yield kind.list_of(traits, f"in the text at {piece.text.span}")


def _leading_words(document: Document, kind: _Kind) -> Iterator[TraitList | None]:
    """The words that items of a list, or paragraphs, begin with: "**Nerve**: keeping calm".

    Words of the kind stand in the title, or in the paragraph before the list.
    """
    strong = {mark.span.start: mark.span for mark in document.marks if mark.kind is Inline.STRONG}
    for section in document.sections:
        is_title = kind.is_title(section.title)
        for block in section.lists:
            before = [paragraph for paragraph in section.paragraphs if paragraph.span.end <= block.items[0].span.start]
            if is_title or (before and kind.is_named_in(before[-1].text)):
                yield _of_leads(document, kind, block.items, strong)
        if is_title:
            runs = groupby(section.paragraphs, key=lambda text: _lead(document, text, strong) is not None)
            yield from (_of_leads(document, kind, list(run), strong) for has_lead, run in runs if has_lead)


def _of_leads(
    document: Document, kind: _Kind, texts: Sequence[Passage], strong: Mapping[int, Span]
) -> TraitList | None:
    traits = [_lead(document, text, strong) for text in texts]
    found: Sequence[Trait] = [trait for trait in traits if trait is not None]
    if len(found) < len(traits):
        found = _subjects(texts)
    return kind.list_of(found, f"in the list at {texts[0].span}")


def _subjects(texts: Sequence[Passage]) -> Sequence[Trait]:
    """The first words of texts that go on with the same word: "Might means …", "Wit means …"; () for other texts."""
    matches = [_SUBJECT.match(text.text) for text in texts]
    if len({match["verb"] if match else "" for match in matches}) > 1:
        return ()
    return [_trait(text, match) for text, match in zip(texts, matches, strict=True) if match]


def _lead(document: Document, text: Passage, strong: Mapping[int, Span]) -> Trait | None:
    """The strong words that a text begins with, or the words before its colon, if they may be a name."""
    match = _LEAD.match(text.text)
    if match is not None:
        return _trait(text, match)
    span = next((strong[at] for at in range(text.span.start - len("**"), text.span.start + 1) if at in strong), None)
    words = plain_text(document.printed(span)).strip("*_: ") if span is not None else ""
    match = re.fullmatch(rf"(?P<name>{_NAME})(?: ?\((?P<short>{_SHORT}) ?\))?", words)
    if match is None or span is None or not text.text.startswith(match["name"]):
        return None
    return Trait(match["name"], match["short"] or "", span)


def _columns(document: Document, kind: _Kind) -> Iterator[TraitList | None]:
    """The cells under heads that say the kind: under the first head, or where more than half of the heads say so."""
    for section in document.sections:
        for grid in section.grids:
            heads = [plain_text(head).casefold() for head in grid.header]
            ends = [at for at, head in enumerate(heads) if head and head.split(" ")[-1].startswith(kind.heads)]
            same = [at for at in ends if heads[at] == heads[0] and " " not in heads[0]]
            chosen = ends if 2 * len(ends) > len(heads) else same
            cells = [row[at] for at in chosen for row in grid.body if at < len(row) and row[at].text]
            if cells and all(_is_name(cell.text, kind) for cell in cells):
                traits = [Trait(_without_kind(cell.text, kind), "", cell.span) for cell in cells]
                if len(chosen) > 1:  # a skill may stand under two attributes
                    names = [trait.name for trait in traits]
                    traits = [trait for number, trait in enumerate(traits) if trait.name not in names[:number]]
                yield kind.list_of(traits, f"in the table at {grid.span}")


def _is_name(text: str, kind: _Kind) -> bool:
    return _PLAIN_NAME.fullmatch(text) is not None and len(_BRACKETS.sub("", text).split()) <= kind.most_words


def _without_kind(text: str, kind: _Kind) -> str:
    """A name without brackets that only say the kind: "Sciences (Cascade Skill)"."""
    return _BRACKETS.sub(lambda match: "" if kind.is_named_in(match[0]) else match[0], text)


def _headings(document: Document, kind: _Kind) -> Iterator[TraitList | None]:
    """The headings one level under a heading that says the kind."""
    for at, section in enumerate(document.sections):
        if not kind.is_title(section.title):
            continue
        titles = [
            Trait(_without_kind(plain_text(other.title), kind), "", other.text.span)
            for other in _sections_under(document, at)
            if other.level == section.level + 1
        ]
        if all(_is_name(trait.name, kind) and not kind.is_named_in(trait.name) for trait in titles):
            yield kind.list_of(titles, f'in the headings under "{plain_text(section.title)}" at {section.text.span}')


def _sections_under(document: Document, at: int) -> Iterator[Section]:
    """The sections under the heading of the section at a position."""
    level = document.sections[at].level
    return takewhile(lambda other: other.level > level, document.sections[at + 1 :])
