"""Numbers stated in prose, found in a document by the sentences that state them.

In: the sentences for the facts of a game, and a Document. Out: where each fact is printed: one sentence must name the
fact, and its value must be the same wherever the sentence stands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from refgen.catalog import did_you_mean
from refgen.errors import RulesError
from refgen.notation.printed_numbers import USUAL, NotationStyle
from refgen.readers.document import Document, Section
from refgen.rules.field_types import FactPlace
from refgen.rules.pattern import A_WORD, ValuePatterns, compile_pattern, fold_text
from refgen.rules.sentence import Sentence, names_of
from refgen.rules.table_finder import find_sections
from refgen.source import Passage
from refgen.span import Span

SHOWN = 90
"""Characters of the nearest text in a hint."""
BEFORE = 16
"""Characters, at most, of the nearest text in a hint before the first word that the sentence has too."""

_WORD = re.compile(r"\w{3,}")


@dataclass(frozen=True)
class Statement:
    """The sentence or pattern of the entry of a fact, and the section to look in.

    ``locate`` gives the place of the entry in its TOML file; it is called for errors alone.
    """

    fact: str
    place: FactPlace
    section: str | None
    locate: Callable[[], Span]

    @cached_property
    def states(self) -> tuple[str, ...]:
        """The facts that the sentence names; a pattern states the fact of its entry."""
        return tuple(dict.fromkeys(names_of(self.place.text))) if self.place.text else (self.fact,)

    @property
    def span(self) -> Span:
        """The place of the entry in its TOML file."""
        return self.locate()


def check_named(
    facts: Sequence[str], tables: Collection[str], statements: Sequence[Statement], place_of: Callable[[str], Span]
) -> None:
    """Raises RulesError for a fact that no sentence names, or two do, and for a name that no fact or table has."""
    stated: dict[str, Statement] = {}
    for statement in statements:
        _check_place(statement, tables)
        for name in statement.states:
            if name not in facts:
                raise RulesError(f'there is no fact "{name}"', span=statement.span, hint="Add it, with its title.")
            if (other := stated.setdefault(name, statement)) is not statement:
                message = f'the fact "{name}" is named by two sentences'
                raise RulesError(message, span=statement.span, hint=f"The other stands at {other.span}.")
    for fact in facts:
        if fact not in stated:
            hint = f'Give it a text, such as text = "roll {{{fact}}}", or name it in that of another fact.'
            raise RulesError(f'no sentence names the fact "{fact}"', span=place_of(fact), hint=hint)


def _check_place(statement: Statement, tables: Collection[str]) -> None:
    table = statement.place.table
    if statement.place.text and statement.place.pattern:
        raise RulesError(
            f'"{statement.fact}" has a text and a pattern', span=statement.span, hint="Remove one of them."
        )
    if table and table not in tables:
        raise RulesError(f'there is no table "{table}"', span=statement.span, hint=did_you_mean(table, tables))


def check_restated(statement: Statement, facts: Sequence[str]) -> None:
    """Raises RulesError for a sentence of [restated] without names, or with a name that is not a fact's."""
    for name in statement.states:
        if name not in facts:
            raise RulesError(f'there is no fact "{name}" to say again', span=statement.span, hint="Add it first.")
    if not statement.states:
        hint = "Write {fact} where the number stands."
        raise RulesError(f'"{statement.place.text}" names no fact', span=statement.span, hint=hint)


@dataclass
class FactFinder:
    """Finds statements in one document; ``value_patterns`` are those of facts, ``rows`` are the texts of tables."""

    document: Document
    value_patterns: ValuePatterns
    rows: Callable[[str], Sequence[Passage]] = lambda _: ()
    style: NotationStyle = USUAL
    _folded: dict[tuple[str | None, str | None], list[tuple[Passage, str]]] = field(default_factory=dict)

    def find(self, statement: Statement) -> Mapping[str, Passage]:
        """Where each fact of a statement is printed first. Raises RulesError for a fact without a value, or with two.

        A word in the place of a value that is not in the notation of the fact is found too: an error at that word.
        """
        found: dict[str, dict[str, Passage]] = {}
        for name, passage in self._first_matches(statement):
            found.setdefault(name, {}).setdefault(passage.text, passage)
        for name in statement.states:
            if name not in found:
                raise self._missing_error(name, statement)
            if len(found[name]) > 1:
                raise _ambiguous(name, list(found[name].values()), statement.span)
        return {name: next(iter(found[name].values())) for name in statement.states}

    def restated(self, statement: Statement) -> Sequence[tuple[str, Passage]]:
        """Every value, by fact, wherever a sentence of [restated] stands. Raises RulesError when it stands nowhere."""
        found = self._first_matches(statement)
        if not found:
            raise self._missing_error(statement.states[0], statement)
        return found

    def states(self, statement: Statement) -> bool:
        """Whether the document has the statement."""
        try:
            return next(self._find_matches(statement, self.value_patterns), None) is not None
        except RulesError:
            return False

    def _first_matches(self, statement: Statement) -> Sequence[tuple[str, Passage]]:
        """The matches with the narrowest patterns that match at all.

        First every fact has the pattern of its notation, then one fact at a time may be any word, then all may: with
        any word for all at once, a typo in one value would cut the "-4 to +4" beside it to "-4".
        """

        def any_word_for(fact: str) -> ValuePatterns:
            return lambda name: A_WORD if name == fact else self.value_patterns(name)

        for patterns in (self.value_patterns, *map(any_word_for, statement.states), lambda _: A_WORD):
            if found := list(self._find_matches(statement, patterns)):
                return found
        return ()

    def _find_matches(self, statement: Statement, value_patterns: ValuePatterns) -> Iterator[tuple[str, Passage]]:
        texts = self._texts(statement)
        if statement.place.text:
            sentence = Sentence(statement.place.text, value_patterns, style=self.style)
            for passage, text in texts:
                for values in sentence.search(passage, text):
                    yield from values
        else:
            pattern = compile_pattern(statement.place.pattern)
            for passage, _ in texts:
                for match in pattern.finditer(passage.text):
                    yield statement.fact, passage.group(match, 1 if pattern.groups else 0)

    def _texts(self, statement: Statement) -> list[tuple[Passage, str]]:
        """The prose of the section of a statement, or the rows of its table, each with its folded text."""
        table = statement.place.table
        section = None if table else statement.section
        if (table, section) not in self._folded:
            if table:
                texts = self.rows(table)
            else:
                known = self.document.titled(section) if section else self.document.sections
                sections = known or find_sections(self.document, section, statement.span)
                texts = [text for section in sections for text in _prose(section)]
            self._folded[table, section] = [(text, fold_text(text.text, self.style)) for text in texts]
        return self._folded[table, section]

    def _missing_error(self, name: str, statement: Statement) -> RulesError:
        """The error for a fact that is not in the document, with the text that shares most words with its sentence."""
        words = [word.casefold() for word in _WORD.findall(re.sub(r"\{.*?\}", " ", statement.place.text or ""))]
        passages = [passage for passage, _ in self._texts(statement)]
        near = max(passages, key=lambda passage: _shared_words(words, passage.text), default=None)
        hint = "Mend its sentence."
        if near is not None and any(_shared_words(words, near.text)):
            starts = (match.start() for match in _WORD.finditer(near.text) if match[0].casefold() in words)
            at = max(starts, key=lambda at: _shared_words(words, near.text[at : at + SHOWN - BEFORE]))
            before = near.text[max(0, at - BEFORE) : at]
            at -= len(before.partition(" ")[2] if at > BEFORE else before)
            part = near[at : at + SHOWN]
            hint = f'Mend its sentence; the nearest is "{part.text}" at {part.span}.'
        return RulesError(f'the fact "{name}" is not in the document', span=statement.span, hint=hint)


def _shared_words(words: Sequence[str], text: str) -> tuple[int, ...]:
    """How many words of a sentence a text has; and to order texts with as many, which: the first words count most."""
    of_text = {word.casefold() for word in _WORD.findall(text)}
    return len(of_text.intersection(words)), *(word in of_text for word in words)


def _prose(section: Section) -> Iterator[Passage]:
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
