"""Texts with a grammar: dice, formulas, conditions.

In: a Language and a text. Out: what is built of its tree; a fault names the column where the text goes wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from refgen.errors import NotationError

if TYPE_CHECKING:
    from lark import Lark, Token

MAX_LENGTH = 400
"""Longer than anything of the kind that a person writes down; bounds the parser's work and the depth of its tree."""

_Built = TypeVar("_Built")


@dataclass(frozen=True, slots=True)
class Language:
    """A grammar in lark's notation; ``name`` is what messages call a text in it, ``hint`` how to write one."""

    name: str
    grammar: str
    hint: str

    def refused(self, text: str, column: int, reason: str, hint: str = "") -> NotationError:
        """The error for a text that goes wrong at a column."""
        message = f'cannot read the {self.name} "{text}" at column {column}: {reason}'
        return NotationError(message, hint=hint or self.hint)


class PartError(Exception):
    """What is wrong with a part of the text, and the column of that part."""

    def __init__(self, at: Token, reason: str, hint: str = "") -> None:
        self.column = at.column or 1
        self.reason = reason
        self.hint = hint


def parse(language: Language, text: str, build: Callable[[Any], _Built]) -> _Built:
    """Parse a text and build something of its tree. Raises NotationError, whose message names the column."""
    from lark.exceptions import UnexpectedInput

    if len(text) > MAX_LENGTH:
        raise NotationError(f"the {language.name} of {len(text)} characters is too long (at most {MAX_LENGTH})")
    try:
        return build(_parser(language).parse(text))
    except UnexpectedInput as error:
        at_end = error.column < 1 or getattr(getattr(error, "token", None), "type", "") == "$END"
        column = len(text) + 1 if at_end else error.column
        reason = "it ends too early" if at_end else "this is not expected here"
        raise language.refused(text, column, reason) from error
    except PartError as fault:
        raise language.refused(text, fault.column, fault.reason, fault.hint) from fault


@cache
def _parser(language: Language) -> Lark:
    from lark import Lark  # only commands that meet such texts pay for its import

    return Lark(language.grammar, parser="lalr", maybe_placeholders=False)
