"""The traits of rolls: the ladder, the range and the dice that a document gives them.

In: a GameDraft, its TextClues, and the Outcomes of one mechanic. Out: the ladder of its traits, their lowest and
highest number, and the dice by which traits are made. Each is there only where the prose ties the traits to the roll.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from refgen.proposals.draft import GameDraft, Proposal
from refgen.proposals.mechanic_tables import OddsTable
from refgen.proposals.outcomes import Outcome
from refgen.proposals.phrases import Clue, Phrases, faces
from refgen.proposals.prose import PrintedValue, Prose
from refgen.proposals.tables import ladder_of
from refgen.proposals.text_clues import TextClues
from refgen.rules.pattern import fold_text
from refgen.rules.schema import LadderSpec
from refgen.source import plain_text

_WIDEST = 20
"""How far apart the lowest and the highest trait are, at most."""

_MARK = re.compile(r"[,.;:!?\n]")
_NEXT = 30
"""The letters behind a rule, up to a mark, that may name its trait: "the value | of the attribute"."""

_STEM = 3
"""The letters that a word for a trait shares with its other forms."""

_OF_ONE_ROLL: Sequence[Clue] = ("base-roll", "under")
"""The clues whose words name the trait of a roll."""

_NO_TRAITS: Sequence[Clue] = ("difficulty", "special")


@dataclass
class RollTraits:
    """The traits of the rolls that some outcomes tell of."""

    draft: GameDraft
    clues: TextClues
    outcomes: Sequence[Outcome]

    @property
    def phrases(self) -> Phrases:
        """The phrases of the language of the document."""
        return self.clues.phrases

    def ladder(self) -> OddsTable | None:
        """The only ladder of the game, where its words are the levels of traits, and the roll adds one trait."""
        found = [(proposal, ladder) for proposal in self.draft.usable_tables() if (ladder := ladder_of(proposal))]
        if len(found) != 1 or not self._stems or self._adds_several:
            return None
        (proposal, ladder), *_ = found
        if not self._is_of_levels(proposal, ladder):
            return None
        return OddsTable(proposal.id, ladder.level, ladder.value or "", proposal.place, is_ladder=True)

    def difficulties_on(self, ladder: OddsTable) -> OddsTable | None:
        """The ladder of the traits as difficulties, where the rule of a roll with signed dice says so."""
        is_signed = faces(self.outcomes[0].dice.meaning)[1] == 1
        says_so = any(self.phrases.has("on-ladder", outcome.prose.text) for outcome in self.outcomes)
        return ladder if is_signed and says_so else None

    def ends(self) -> tuple[PrintedValue, PrintedValue] | None:
        """The lowest and highest number of traits, where all sentences name the same."""
        if self._adds_several:
            return None
        found = list(self._ranges())
        if len({(low.meaning, high.meaning) for low, high in found}) != 1:
            return None
        low, high = found[0]
        return found[0] if int(low.meaning) < int(high.meaning) <= int(low.meaning) + _WIDEST else None

    def dice(self) -> PrintedValue | None:
        """The dice by which traits are made, where all sentences name the same and no dice are dropped."""
        found = list(self.clues.values("attributes", "dice"))
        values = [value for value, sentence in found if not self.phrases.has("special", sentence)]
        if any(self.phrases.has("keep", sentence) for _, sentence in found):
            return None
        return values[0] if len({value.meaning for value in values}) == 1 else None

    def _is_of_levels(self, proposal: Proposal, ladder: LadderSpec) -> bool:
        """Whether the words of a ladder are levels of traits: a sentence says so, or their head and their section."""
        has, spec = self.phrases.has, proposal.spec
        heads = {column.id: fold_text(head) for column, head in zip(spec.columns, spec.header, strict=False)}
        level, value, title = heads.get(ladder.level, ""), heads.get(ladder.value or "", ""), fold_text(spec.title)
        is_other = any(
            has("special", head) or (has("difficulty-table", head) and not has("level-head", head))
            for head in (title, *heads.values())
        )
        if is_other or (value and not (has("trait", value) or has("level-head", value))):
            return False
        if any(has("trait-level", prose.text) for prose in self.clues.proses):
            return True
        is_head = has("level-head", level) and (" " not in level.strip() or has("trait", level))
        return is_head and (has("trait", level) or self._names_the_trait(spec.section or ""))

    def _names_the_trait(self, title: str) -> bool:
        """Whether a section names the trait of the roll, in its title or its prose."""
        texts = [fold_text(title)]
        texts += [prose.text for prose in self.clues.proses if plain_text(prose.section.title) == plain_text(title)]
        return any(self._stems & self._stems_in(text) for text in texts)

    def _ranges(self) -> Iterator[tuple[PrintedValue, PrintedValue]]:
        """The ranges of numbers that sentences give the traits of the roll."""
        clues: Sequence[Clue] = ("range", "range-behind")
        for prose in self.clues.proses:
            for clue in clues:
                for match in self.clues.matches(prose, clue):
                    number = prose.sentence_at(match.start)
                    first = prose.sentences[max(number - (clue == "range-behind"), 0)][0]
                    if self._tells_of_traits(prose, prose.text[first : prose.sentences[number][1]]):
                        yield self.clues.value(prose, match, "low"), self.clues.value(prose, match, "high")

    def _tells_of_traits(self, prose: Prose, text: str) -> bool:
        """Whether a text with a range adds a trait to a roll, or is about the trait that a roll adds."""
        if self.phrases.has("base-roll", text):
            return True
        is_other = any(self.phrases.has(clue, text) for clue in _NO_TRAITS) or any(self.phrases.dice(text))
        if self._stems:
            is_named = bool(self._stems & self._stems_in(text))
        else:
            is_named = self.phrases.has("trait", prose.section.title) or self.phrases.has("test", prose.section.title)
        return not is_other and is_named

    @property
    def _rules(self) -> Iterator[tuple[Prose, int, int]]:
        """The places of the words by which the rule of the roll names its trait."""
        for clue in _OF_ONE_ROLL:
            for outcome in self.outcomes:
                matches = self.clues.matches(outcome.prose, clue)
                yield from ((outcome.prose, match.start, match.end) for match in matches)

    @cached_property
    def _stems(self) -> frozenset[str]:
        """How the words for the trait begin that the rule of the roll names."""
        texts = (
            prose.text[start:end] + _MARK.split(prose.text[end : end + _NEXT])[0] for prose, start, end in self._rules
        )
        return frozenset().union(*map(self._stems_in, texts))

    @cached_property
    def _adds_several(self) -> bool:
        """Whether the rule of the roll adds more than one trait."""
        return any(
            self.phrases.has("several-traits", self.clues.sentence(prose, start)) for prose, start, _ in self._rules
        )

    def _stems_in(self, text: str) -> frozenset[str]:
        return frozenset(text[match.start : match.end].casefold()[:_STEM] for match in self.phrases.find("trait", text))
