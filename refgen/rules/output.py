"""How aids, sheets and pages are written: ``[output]`` of refgen.toml and of system.toml.

In: the table as data. Out: OutputSettings, and from these the Words of a game. ``[document]`` says how the rules are
read, and is apart from this.
"""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Discriminator, Tag, model_validator

from refgen.languages import Numbers
from refgen.rules.field_types import Language
from refgen.rules.toml import Strict, text_or_table
from refgen.words.words import KNOWN, OwnText, Text, Words, base, check_own_text

WrittenText = Annotated[
    Annotated[str, Tag("text")] | Annotated[dict[str, str], Tag("table")], Discriminator(text_or_table)
]
"""A text, or its forms by plural category."""


class OutputSettings(Strict):
    """The language of the words that refgen prints, how one and a half is written, and ``words`` of one's own, by id.

    The language is that of the document, if refgen has its words, else English; numbers are written as in the language.
    """

    language: Language = ""
    numbers: Numbers = ""
    words: dict[str, WrittenText] = {}

    @model_validator(mode="after")
    def _known_words(self) -> Self:
        for name, text in self.words.items():
            check_own_text(name, text, self.language or "en")
        return self

    def over(self, other: OutputSettings) -> OutputSettings:
        """The settings, completed by the settings of ``other``, but for its words of another language."""
        if self.language and base(self.language) != base(other.language):
            return self
        return OutputSettings(
            language=self.language or other.language,
            numbers=self.numbers or other.numbers,
            words={**other.words, **self.words},
        )

    def words_of(self, document: str) -> Words:
        """The words of a game whose document is in a language ("" for one that nobody says)."""
        language = self.language or (document if base(document) in KNOWN else "en")
        return Words(language, self.numbers, tuple(_own(name, text) for name, text in sorted(self.words.items())))


def _own(name: str, text: Text) -> OwnText:
    return name, text if isinstance(text, str) else tuple(sorted(text.items()))
