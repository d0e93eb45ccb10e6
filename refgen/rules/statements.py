"""Numbers stated in prose, found by the sentences that state them; and ladders, made from the columns of a table.

In: the facts of a system.toml and a Document. Out: where each fact is printed: each must be named by one sentence, and
have one value wherever that sentence stands. In: the cells of levels, with their column, and those of their numbers.
Out: the Ladder.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from refgen.errors import RulesError
from refgen.notation.printed_numbers import USUAL, NotationStyle
from refgen.readers.document import Document, Section
from refgen.rules.fact_spec import FactPlace
from refgen.rules.pattern import A_WORD, ValuePattern, compiled, folded
from refgen.rules.sentence import Sentence, names_of, parse_sentence
from refgen.rules.table_finder import find_sections
from refgen.source import Passage
from refgen.span import Span

_WORD = re.compile(r"\w{3,}")
SHOWN = 90
"""Characters of the nearest text in a hint."""
BEFORE = 16
"""So many of them, at most, stand before the first word that is the sentence's."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence or pattern, the fact under which it is written, those it states, and the section it stands in.

    ``at`` says where a fact is written; only errors ask.
    """

    fact: str
    place: FactPlace
    states: tuple[str, ...]
    section: str | None
    at: Callable[[str], Span]

    @classmethod
    def of(cls, fact: str, place: FactPlace, section: str | None, at: Callable[[str], Span]) -> Statement:
        """The statement of an entry with a sentence or a pattern."""
        names = tuple(dict.fromkeys(names_of(parse_sentence(place.text)))) if place.text else (fact,)
        return cls(fact, place, names, section, at)

    @property
    def span(self) -> Span:
        """Where it is written."""
        return self.at(self.fact)


def check_named(facts: Sequence[str], statements: Sequence[Statement], at: Callable[[str], Span]) -> None:
    """Raises RulesError for a fact that no sentence names, or two, and for a name that is no fact's."""
    stated: dict[str, Statement] = {}
    for statement in statements:
        if statement.place.text and statement.place.pattern:
            raise RulesError(f'"{statement.fact}" has a text and a pattern', span=statement.span, hint="One will do.")
        for name in statement.states:
            if name not in facts:
                raise RulesError(f'there is no fact "{name}"', span=statement.span, hint="Add it, with its title.")
            if (other := stated.setdefault(name, statement)) is not statement:
                message = f'the fact "{name}" is named by two sentences'
                raise RulesError(message, span=statement.span, hint=f"The other stands at {other.span}.")
    for fact in facts:
        if fact not in stated:
            hint = f'Give it a text, such as text = "roll {{{fact}}}", or name it in that of another fact.'
            raise RulesError(f'no sentence names the fact "{fact}"', span=at(fact), hint=hint)


def check_said(statement: Statement, facts: Sequence[str]) -> None:
    """Raises RulesError for a sentence that says facts again and names none, or one that is not said."""
    for name in statement.states:
        if name not in facts:
            raise RulesError(f'there is no fact "{name}" to say again', span=statement.span, hint="Add it first.")
    if not statement.states:
        hint = "Write {fact} where the number stands."
        raise RulesError(f'"{statement.place.text}" names no fact', span=statement.span, hint=hint)


@dataclass
class FactFinder:
    """Finds statements in one document; ``form`` says what may stand for a fact, ``rows`` the rows of a table."""

    document: Document
    form: Callable[[str], ValuePattern]
    rows: Callable[[str], Sequence[Passage]] = lambda _: ()
    style: NotationStyle = USUAL
    _prose: dict[str | None, list[tuple[Passage, str]]] = field(default_factory=dict)
    _rows: dict[str, list[tuple[Passage, str]]] = field(default_factory=dict)

    def find(self, statement: Statement) -> Mapping[str, Passage]:
        """Where each fact of a statement is printed first. Raises RulesError when it is not, or is in several ways.

        What stands where a value should, and is none in its notation, is found too: it is an error at its place.
        """
        found = next((found for form in self._forms(statement) if (found := self._found(statement, form))), {})
        for name in statement.states:
            if name not in found:
                raise self._missing(name, statement)
            if len(found[name]) > 1:
                raise _ambiguous(name, list(found[name].values()), statement.span)
        return {name: next(iter(found[name].values())) for name in statement.states}

    def restated(self, statement: Statement) -> Sequence[tuple[str, Passage]]:
        """Every value in every place of a sentence that says facts again. Raises RulesError when there is none."""
        found = next((found for form in self._forms(statement) if (found := list(self._matches(statement, form)))), [])
        if not found:
            raise self._missing(statement.states[0], statement)
        return found

    def _forms(self, statement: Statement) -> Iterator[Callable[[str], ValuePattern]]:
        """What may stand for the facts of a sentence; then any word for one of them, and then for all.

        With any word for all, "-4 to +4" would be cut to "-4" because of a typo in the value before it.
        """

        def but(odd: str) -> Callable[[str], ValuePattern]:
            return lambda name: A_WORD if name == odd else self.form(name)

        yield self.form
        yield from map(but, statement.states)
        yield lambda _: A_WORD

    def states(self, statement: Statement) -> bool:
        """Whether the document has the sentence."""
        try:
            return next(self._matches(statement, self.form), None) is not None
        except RulesError:
            return False

    def _found(self, statement: Statement, form: Callable[[str], ValuePattern]) -> dict[str, dict[str, Passage]]:
        found: dict[str, dict[str, Passage]] = {}
        for name, passage in self._matches(statement, form):
            found.setdefault(name, {}).setdefault(passage.text, passage)
        return found

    def _matches(self, statement: Statement, form: Callable[[str], ValuePattern]) -> Iterator[tuple[str, Passage]]:
        passages = self._passages(statement)
        if statement.place.text:
            sentence = Sentence(statement.place.text, form, style=self.style)
            for passage, text in passages:
                for values in sentence.search(passage, text):
                    yield from ((value.name, value.passage) for value in values)
        else:
            pattern = compiled(statement.place.pattern)
            for passage, _ in passages:
                for match in pattern.finditer(passage.text):
                    yield statement.fact, passage.group(match, 1 if pattern.groups else 0)

    def _passages(self, statement: Statement) -> list[tuple[Passage, str]]:
        """The prose of the section in which a statement stands, or the rows of its table, each with its folded text."""
        if table := statement.place.table:
            if table not in self._rows:
                self._rows[table] = [(row, folded(row.text, self.style)) for row in self.rows(table)]
            return self._rows[table]
        title = statement.section
        if title not in self._prose:
            known = self.document.titled(title) if title else self.document.sections
            sections = known or find_sections(self.document, title, statement.span)
            self._prose[title] = [
                (text, folded(text.text, self.style)) for section in sections for text in prose(section)
            ]
        return self._prose[title]

    def _missing(self, name: str, statement: Statement) -> RulesError:
        words = [word.casefold() for word in _WORD.findall(re.sub(r"\{.*?\}", " ", statement.place.text or ""))]
        passages = [passage for passage, _ in self._passages(statement)]
        near = max(passages, key=lambda passage: _alike(words, passage.text), default=None)
        hint = "Mend its sentence."
        if near is not None and any(_alike(words, near.text)):
            starts = (match.start() for match in _WORD.finditer(near.text) if match[0].casefold() in words)
            at = max(starts, key=lambda at: _alike(words, near.text[at : at + SHOWN - BEFORE]))
            before = near.text[max(0, at - BEFORE) : at]
            at -= len(before.partition(" ")[2] if at > BEFORE else before)
            part = near[at : at + SHOWN]
            hint = f'Mend its sentence; the nearest is "{part.text}" at {part.span}.'
        return RulesError(f'the fact "{name}" is not in the document', span=statement.span, hint=hint)


def _alike(words: Sequence[str], text: str) -> tuple[int, ...]:
    """How many words of a sentence a text has, then, of several that have as many, which: the first ones count most."""
    held = {word.casefold() for word in _WORD.findall(text)}
    return len(held.intersection(words)), *(word in held for word in words)


def prose(section: Section) -> Iterator[Passage]:
    """The paragraphs and the items of lists in which sentences are looked for."""
    yield from section.paragraphs
    for block in section.lists:
        yield from block.items


def _ambiguous(fact: str, found: list[Passage], span: Span) -> RulesError:
    places = "; ".join(f'"{passage.text}" at {passage.span}' for passage in found)
    return RulesError(
        f'the fact "{fact}" is stated in {len(found)} ways: {places}',
        span=span,
        hint="Name its section, or make the sentence longer.",
    )
