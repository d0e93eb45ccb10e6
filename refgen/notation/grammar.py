"""Texts with a grammar: formulas, conditions; and how the names in them are written.

In: a text that goes wrong, and where. Out: the error, which names the column.
"""

from __future__ import annotations

from dataclasses import dataclass

from refgen.errors import NotationError

MAX_LENGTH = 400
"""Longer than anything of the kind that a person writes down; bounds the parser's work and the depth of its tree."""


LETTER = r"[^\x00-,./:-`{-\u00bf×÷\u2000-\u2bff\u3000-\u3003\u3008-\u3020\s-]"
"""A letter or figure of a name, for regular expressions of Python, Rust and JavaScript alike.

They share no class of all letters with their marks: this one leaves out blanks, signs and the capitals of ASCII.
"""

NAME = rf"{LETTER}+(?:-{LETTER}+)*"
"""A name in small letters of any script: words joined by hyphens."""

PATH = rf"{LETTER}+(?:[-.]{LETTER}+)*"
"""Names joined by dots: "{wounds.penalty}"."""


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
