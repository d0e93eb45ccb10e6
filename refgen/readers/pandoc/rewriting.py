"""Markup written in another way: what pandoc loses or misreads, so that pandoc reads the same words.

In: the passage of a text, and RewritingRules. Out: a RewrittenText, whose passage says the same in other markup; each
character keeps its place. ``latex_markup`` and ``wiki_markup`` have the rules.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from refgen.readers.document import LEFT_OUT, Note
from refgen.source import Passage


@dataclass(frozen=True, slots=True)
class RewrittenText:
    """A text in other markup, notes on words that are left out of it, and where tables with several rows of head stand.

    ``heads`` has, by the offsets between which a table stands, the number of the rows of its head.
    """

    text: Passage
    notes: Sequence[Note] = ()
    heads: Mapping[tuple[int, int], int] = field(default_factory=dict)

    def head_rows(self, start: int, otherwise: int) -> int:
        """The rows of the head of the table around an offset; ``otherwise`` where nothing is known."""
        return next((rows for (first, last), rows in self.heads.items() if first <= start < last), otherwise)


Pieces = Sequence[Passage]
"""The passages that stand in place of markup."""


@dataclass(frozen=True, slots=True)
class RewritingRule:
    """Markup that is rewritten: ``sign`` stands in every text that ``pattern`` matches.

    ``reason`` says why the group "words" is left out.
    """

    sign: str
    pattern: re.Pattern[str]
    pieces: Callable[[Passage, re.Match[str]], Pieces]
    reason: str = ""


def literal(place: Passage, text: str) -> Passage:
    """A text of ours at the start of a place."""
    return place[:0].replaced(text)


def fraction(text: Passage, match: re.Match[str]) -> Pieces:
    """The groups "above" and "below" of a match with a slash between."""
    above, below = (text.group(match, name).strip("{}") for name in ("above", "below"))
    return [above, literal(below, "/"), below]


def markup_around(command: str) -> Callable[[Passage, re.Match[str]], Pieces]:
    """Markup around the group "words" of a match, in which the word ``words`` stands for the group."""
    before, _, behind = command.partition("words")

    def pieces(text: Passage, match: re.Match[str]) -> Pieces:
        words = text.group(match, "words")
        return [literal(words, before), words, literal(words[len(words) :], behind)]

    return pieces


def no_pieces(_text: Passage, _match: re.Match[str]) -> Pieces:
    """Nothing in place of a match."""
    return ()


def rewrite(text: Passage, pattern: re.Pattern[str], pieces: Callable[[Passage, re.Match[str]], Pieces]) -> Passage:
    """A text with pieces in place of each match of a pattern."""
    made, position = [text[:0]], 0
    for match in pattern.finditer(text.text):
        made += [text[position : match.start()], *pieces(text, match)]
        position = match.end()
    if not position:
        return text
    whole = Passage.joined([*made, text[position:]])
    return whole if whole.text != text.text else text  # a passage of one stretch takes no memory


def follow_rules(rules: Sequence[RewritingRule], text: Passage, notes: list[Note]) -> Passage:
    """A text rewritten by one rule after the other; words that a rule leaves out are added to ``notes``."""
    for rule in rules:
        if rule.sign not in text.text:
            continue
        if rule.reason:
            found = (text.group(match, "words").strip("{}") for match in rule.pattern.finditer(text.text))
            notes.extend(Note(rule.reason, words.span, LEFT_OUT) for words in found)
        text = rewrite(text, rule.pattern, rule.pieces)
    return text
