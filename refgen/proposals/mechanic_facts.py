"""Facts for the printed values of a mechanic, each with a sentence that finds the value in its document.

In: a GameDraft and PrintedValues. Out: the id of a fact for each value, and the Entries of the facts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from refgen.errors import NotationError
from refgen.export.model import toml_string
from refgen.notation.printed_cell import NotationName, read_value
from refgen.notation.printed_numbers import NotationStyle
from refgen.notation.values import DiceText, Interval, Number
from refgen.proposals.draft import Entry, GameDraft
from refgen.proposals.prose import PrintedValue, SentenceMaker
from refgen.rules.field_types import FactPlace
from refgen.rules.schema import DocumentSettings
from refgen.source import plain


@dataclass(frozen=True, slots=True)
class MechanicFact:
    """A fact: the id, title and notation, the printed value, and the sentence that finds the value; None for none."""

    id: str
    title: str
    notation: NotationName
    value: PrintedValue
    place: FactPlace | None

    def entry(self, *, certain: bool) -> Entry:
        """The entry of the fact in system.toml."""
        lines = [f"title = {toml_string(self.title)}"]
        evidence = [f"{self.title}: {self.value.words}"]
        if self.place is None:
            evidence.append("No sentence finds this value alone: write its text.")
        else:
            lines += [f"section = {toml_string(self.place.section)}"] if self.place.section else []
            lines.append(f"text = {toml_string(self.place.text or '')}")
            if self.place.read:
                pairs = ", ".join(f"{toml_string(a)} = {toml_string(b)}" for a, b in self.place.read.items())
                lines.append(f"read = {{ {pairs} }}")
        lines += [f'type = "{self.notation}"'] if self.notation != "number" else []
        return Entry(f"[facts.{self.id}]", lines, evidence, certain and self.place is not None)


@dataclass
class FactWriter:
    """Makes the facts of one game."""

    draft: GameDraft
    facts: list[MechanicFact] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._style = _style_of(self.draft.language)
        self._sentences = SentenceMaker(self.draft.document, self._style)

    @property
    def found(self) -> bool:
        """Whether every fact so far has a sentence that finds its value."""
        return all(fact.place is not None for fact in self.facts)

    def fact(self, title: str, values: Sequence[PrintedValue], notation: NotationName = "number") -> str:
        """The id of a new fact for a value that is printed at one or more places: the first that a sentence finds."""
        fact_id = self.draft.new_id(title, "value")
        places = ((value, self._place(fact_id, value, notation)) for value in values)
        value, place = next(((value, place) for value, place in places if place), (values[0], None))
        self.facts.append(MechanicFact(fact_id, title, notation, value, place))
        return fact_id

    def entries(self, *, certain: bool) -> Iterable[Entry]:
        """The entries of all facts."""
        return (fact.entry(certain=certain) for fact in self.facts)

    def _place(self, fact_id: str, value: PrintedValue, notation: NotationName) -> FactPlace | None:
        return self._sentences.place(fact_id, value, notation, self._reading(value, notation))

    def _reading(self, value: PrintedValue, notation: NotationName) -> Mapping[str, str]:
        """The reading of a print that the notation alone does not read as it is meant, such as "two six-sided dice"."""
        printed, meaning = plain(value.passage.text), _as_read(value.meaning, notation)
        try:
            read = read_value(notation, self._style.usual(printed), language=self._style.language)
        except NotationError:
            return {printed: meaning}
        return {} if read == read_value(notation, meaning) or _means(read, meaning) else {printed: meaning}


def _as_read(meaning: str, notation: NotationName) -> str:
    """A meaning as the notation reads it: success on "5+" is the number 5."""
    return meaning.rstrip("+") if notation == "number" else meaning


def _means(read: object, meaning: str) -> bool:
    """Whether a value that was read is what the print means."""
    if isinstance(read, DiceText):
        return read.expression.removeprefix("1d").removeprefix("d") == meaning.removeprefix("d")
    if isinstance(read, Interval):
        return meaning.startswith(str(read.low))
    return isinstance(read, Number) and str(read.value) == meaning


def _style_of(language: str) -> NotationStyle:
    return DocumentSettings(language=language).style
