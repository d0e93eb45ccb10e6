"""Words with figures in them.

In: a game, and a text that names facts in braces ("Roll {dice}."). Out: the text with the figures in place, set for
print, and the footnotes of those that a check has something to say about.
"""

from __future__ import annotations

import re

from refgen.aids.footnotes import Footnotes, footnotes
from refgen.aids.typeset import typeset
from refgen.game.game import Game
from refgen.notation.values import Number

_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


def figure(game: Game, fact_id: str, notes: Footnotes | None = None) -> str:
    """A fact's figure, set for print, with its sign; a number that the document writes as a word is in digits."""
    fact = game.facts[fact_id]
    if notes is not None and (sign := notes.sign(fact.span)):
        return typeset(notes.text(fact.span, fact.text), fact.value) + sign
    if fact.text.isalpha() and isinstance(fact.value, Number) and fact.value.value.denominator == 1:
        return str(fact.value.value)
    return typeset(fact.text, fact.value)


def words(game: Game, text: str, notes: Footnotes | None = None) -> str:
    """A text with its ``{fact}`` places filled. Raises UnknownNameError for a fact that is not there."""
    return _PLACEHOLDER.sub(lambda match: figure(game, match[1], notes), text)


def footnotes_of(game: Game, *texts: str) -> Footnotes:
    """The footnotes of the facts that stand in some texts."""
    names = (name for text in texts for name in _PLACEHOLDER.findall(text))
    return footnotes((game.facts[name].span for name in names), game.marks)
