"""Words with figures in them.

In: a game or another scope, and a text that names facts in braces ("Roll {dice}."). Out: the text with the figures in
place, set for print, and the footnotes of those that a check has something to say about.
"""

from __future__ import annotations

import re

from refgen.blocks.footnotes import Footnotes, footnotes
from refgen.blocks.scope import Scope, Stated
from refgen.blocks.typeset import typeset
from refgen.notation.values import Number

_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


def figure(scope: Scope, fact_id: str, notes: Footnotes | None = None) -> str:
    """A fact's figure, set for print, with its sign; a number that the document writes as a word is in digits."""
    fact = scope.facts[fact_id]
    if notes is not None and (sign := notes.sign(fact.span)):
        return typeset(notes.text(fact.span, fact.text), fact.value) + sign
    if fact.text.isalpha() and isinstance(fact.value, Number) and fact.value.value.denominator == 1:
        return str(fact.value.value)
    return typeset(fact.text, fact.value)


def words(scope: Scope, text: str, notes: Footnotes | None = None) -> str:
    """A text with its ``{fact}`` places filled. Raises UnknownNameError for a fact that is not there."""
    return _PLACEHOLDER.sub(lambda match: figure(scope, match[1], notes), text)


def footnotes_of(scope: Scope, *texts: str) -> Footnotes:
    """The footnotes of the facts that stand in some texts."""
    names = (name for text in texts for name in _PLACEHOLDER.findall(text))
    return footnotes((scope.facts[name].span for name in names), scope.marks)


def named(scope: Scope, text: str) -> list[Stated]:
    """What a text names, in order."""
    return [scope.facts[name] for name in _PLACEHOLDER.findall(text)]


def says_something(scope: Scope, text: str) -> bool:
    """Whether a text has anything to say: not where all that it names is blank."""
    said = named(scope, text)
    return bool(text) and (not said or any(each.text for each in said))
