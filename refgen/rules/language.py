"""Languages of documents, by their tags (BCP 47): "de", "pt-BR".

In: a tag. Out: whether there is such a language, and how it writes numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from refgen.notation.printed_numbers import Numbers

if TYPE_CHECKING:
    from babel import Locale


def check_language(tag: str) -> None:
    """Raises ValueError for a tag that is none."""
    _locale(tag)


def numbers_in_language(tag: str) -> Numbers:
    """How one and a half is written in a language; "" where that is neither with a comma nor with a point."""
    mark = _locale(tag).number_symbols.get("latn", {}).get("decimal") if tag else ""
    return "1,5" if mark == "," else "1.5" if mark == "." else ""


def _locale(tag: str) -> Locale:
    from babel import Locale, UnknownLocaleError  # takes a tenth of a second, and few documents name a language

    try:
        return Locale.parse(tag, sep="-")
    except (UnknownLocaleError, ValueError) as error:
        raise ValueError(f'"{tag}" is no language; write a tag such as "de" or "pt-BR"') from error
