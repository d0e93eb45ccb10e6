"""The names of fields, which are also the keys of files of characters.

In: what a field is called. Out: its key: "Wind & weather" is "wind-weather".
"""

from __future__ import annotations

import unicodedata


def slug(text: str) -> str:
    """A text as a part of a field's name: lower-case words joined by hyphens, letters without their accents."""
    plain = "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))
    words = "".join(character if character.isalnum() else " " for character in plain.lower()).split()
    return "-".join(words)
