"""Texts with a grammar: formulas, conditions.

In: a Language and a text. Out: what is built of its tree; a fault names the column where the text goes wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from refgen.errors import NotationError

if TYPE_CHECKING:
    from lark import Lark

MAX_LENGTH = 400
"""Longer than anything of the kind that a person writes down; bounds the parser's work and the depth of its tree."""

_Built = TypeVar("_Built")


@dataclass(frozen=True, slots=True)
class Language:
    """What messages call a text of some notation, and how to write one."""

    name: str
    hint: str

    def refused(self, text: str, column: int, reason: str, hint: str = "") -> NotationError:
        """The error for a text that goes wrong at a column."""
        message = f'cannot read the {self.name} "{text}" at column {column}: {reason}'
        return NotationError(message, hint=hint or self.hint)

    def check_length(self, text: str) -> None:
        """Refuse a text that nobody wrote by hand."""
        if len(text) > MAX_LENGTH:
            raise NotationError(f"the {self.name} of {len(text)} characters is too long (at most {MAX_LENGTH})")


def parse(language: Language, grammar: str, text: str, build: Callable[[Any], _Built]) -> _Built:
    """Parse a text by a grammar in lark's notation, and build something of its tree.

    Raises NotationError, whose message names the column.
    """
    from lark.exceptions import UnexpectedInput

    language.check_length(text)
    try:
        return build(_parser(grammar).parse(text))
    except UnexpectedInput as error:
        at_end = error.column < 1 or getattr(getattr(error, "token", None), "type", "") == "$END"
        column = len(text) + 1 if at_end else error.column
        reason = "it ends too early" if at_end else "this is not expected here"
        raise language.refused(text, column, reason) from error


@cache
def _parser(grammar: str) -> Lark:
    from lark import Lark  # only commands that meet such texts pay for its import

    return Lark(grammar, parser="lalr", maybe_placeholders=False)
