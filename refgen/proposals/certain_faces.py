"""The faces that succeed or fail whatever the trait: "a 20 always succeeds", "96-00 is a fumble".

In: the TextClues of a document and the Outcomes of one mechanic. Out: CertainFaces: the printed faces, notes about
faces that hold for some rolls alone, and doubts where the words do not agree or are not one end of the dice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from refgen.proposals.outcomes import Outcome, faces
from refgen.proposals.phrases import Clue
from refgen.proposals.prose import PrintedValue, Prose
from refgen.proposals.text_clues import CERTAIN, TextClues

_TOLD: Mapping[Clue, str] = {"always": "always a success", "never": "never a success"}


@dataclass(frozen=True, slots=True)
class CertainFaces:
    """The printed faces that "always" or "never" succeed, by these words; notes and doubts about further faces."""

    values: Mapping[str, PrintedValue]
    notes: Sequence[str]
    doubts: Sequence[str]


def certain_faces(clues: TextClues, outcomes: Sequence[Outcome], *, low_succeeds: bool) -> CertainFaces:
    """The faces that decide the rolls of some outcomes, of which low or high results succeed."""
    finder = _FaceFinder(clues, outcomes, low_succeeds)
    for clue in CERTAIN:
        for value, sentence in clues.values(clue, "face"):
            finder.take(clue, value, sentence)
    return CertainFaces(finder.values, finder.notes, [*finder.doubts, *finder.further_doubts()])


@dataclass
class _FaceFinder:
    """Finds the faces that always succeed or fail, clue by clue of one document."""

    clues: TextClues
    outcomes: Sequence[Outcome]
    low_succeeds: bool
    values: dict[str, PrintedValue] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._proses = [outcome.prose for outcome in self.outcomes]
        self._is_denied = any(self.clues.phrases.has("no-certain-faces", prose.text) for prose in self.clues.rolls)

    def take(self, clue: Clue, value: PrintedValue, sentence: str) -> None:
        """Take a face that always succeeds, or never does. Of faces within each other, the most count."""
        words, dice = f"{_TOLD[clue]}: {value.words}", self.outcomes[0].dice.meaning
        known = _numbers(self.values[clue]) if clue in self.values else frozenset()
        if self._is_denied or self._is_of_attacks(value.prose, sentence):
            self.notes.append(f"Not of every roll, {words}.")
        elif _numbers(value) <= known:
            return
        elif not _is_at_end(value.meaning, dice, highest=(clue == "always") is not self.low_succeeds):
            self.doubts.append(f"No end of {dice} is {words}.")
        elif not (self._is_of_every_roll(value.prose) and known <= _numbers(value)):
            self.doubts.append(f"Elsewhere, {words}.")
        else:
            self.values[clue] = value

    def further_doubts(self) -> Sequence[str]:
        """The doubt that the document words automatic results in a way that no phrase reads, if it does."""
        proses = [prose for prose in self.clues.rolls if self._is_of_every_roll(prose)]
        if self._is_denied or not any(map(self.clues.has_other_certain_results, proses)):
            return ()
        return ["Some results always succeed or fail, and no single face stands for them."]

    def _is_of_every_roll(self, prose: Prose) -> bool:
        return prose in self._proses or self.clues.is_of_every_roll(prose)

    def _is_of_attacks(self, prose: Prose, sentence: str) -> bool:
        """Whether a sentence is about attacks, and the outcomes are not."""
        has = self.clues.phrases.has
        if has("of-attacks", sentence) and not self.outcomes[0].of_attacks:
            return True
        return has("attack", sentence) and prose not in self._proses


def _numbers(value: PrintedValue) -> frozenset[int]:
    """The faces in a value such as "1", "3-4" or "96-100"."""
    ends = [int(number) for number in value.meaning.split("-")]
    return frozenset(range(min(ends), max(ends) + 1))


def _is_at_end(face: str, dice: str, *, highest: bool) -> bool:
    """Whether a face, or a range of results such as "96-100", is the highest or the lowest end of dice."""
    count, sides = faces(dice)
    numbers = [int(number) for number in face.split("-")]
    end = (max(numbers), count * sides) if highest and sides else (min(numbers), count)
    return sides is not None and len(numbers) <= 2 and end[0] == end[1]
