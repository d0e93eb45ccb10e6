"""How aids, sheets and pages are written: ``[output]`` of refgen.toml and of system.toml.

In: the table as data. Out: OutputSettings, and from these the Words of a game. ``[document]`` says how the rules are
read, and is apart from this.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Discriminator, Tag

from refgen.languages import Numbers, base
from refgen.rules.field_types import Language
from refgen.rules.toml import Strict, text_or_table
from refgen.words import OwnText, Text, Words, check_own_text, known_id, words_for

WrittenText = Annotated[
    Annotated[str, Tag("text")] | Annotated[dict[str, str], Tag("table")], Discriminator(text_or_table)
]
"""A text, or its forms by plural category."""


def _with_known_values(texts: dict[str, Text]) -> dict[str, Text]:
    for name, text in texts.items():
        check_own_text(name, text)
    return texts


OwnTexts = Annotated[dict[Annotated[str, AfterValidator(known_id)], WrittenText], AfterValidator(_with_known_values)]
"""Texts by the ids of those that they replace."""


class OutputSettings(Strict):
    """The language of the words that refgen prints, how one and a half is written, and ``words`` of one's own, by id.

    The language is that of the document, if refgen has its words, else English; numbers are written as in the language.
    Aids are made on the ``paper`` alone; without one, on the usual papers.
    """

    language: Language = ""
    numbers: Numbers = ""
    paper: Literal["", "a4", "letter"] = ""
    words: OwnTexts = {}

    def over(self, other: OutputSettings) -> OutputSettings:
        """The settings, completed by the settings of ``other``, but for its numbers and words of another language."""
        is_same = not self.language or base(self.language) == base(other.language)
        return OutputSettings(
            language=self.language or other.language,
            numbers=self.numbers or (other.numbers if is_same else ""),
            paper=self.paper or other.paper,
            words={**(other.words if is_same else {}), **self.words},
        )

    def words_of(self, document: str) -> Words:
        """The words of a game whose document is in a language ("" for one that nobody says)."""
        language = self.language or words_for(document).language
        return Words(language, self.numbers, tuple(_own_text(name, text) for name, text in sorted(self.words.items())))


def _own_text(name: str, text: Text) -> OwnText:
    return name, text if isinstance(text, str) else tuple(sorted(text.items()))
