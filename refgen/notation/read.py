"""Which notation a column promises, by the name that system.toml gives it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from refgen.errors import NotationError
from refgen.notation.condition import read_condition
from refgen.notation.level import Ladder, read_level, read_track_change
from refgen.notation.number import read_interval, read_modifier, read_number, read_percent, read_score, read_weighted
from refgen.notation.quantity import read_dice, read_quantity
from refgen.notation.style import NotationStyle
from refgen.notation.values import Text, Value

NotationName = Literal[
    "text",
    "number",
    "percent",
    "weighted",
    "score",
    "quantity",
    "interval",
    "modifier",
    "dice",
    "level",
    "track-change",
    "condition",
]

FIGURES: frozenset[NotationName] = frozenset(
    ("number", "percent", "weighted", "score", "quantity", "interval", "modifier")
)
"""The notations in which a dash alone says that there is nothing."""

_DASHES = {"-", "–", "—", "−", "--", "---"}

MAX_LENGTH = 400
"""Characters; whatever is longer is no figure, and numbers of that many digits would only cost time."""

_READERS: dict[str, Callable[[str], Value]] = {
    "text": Text,
    "number": read_number,
    "percent": read_percent,
    "weighted": read_weighted,
    "score": read_score,
    "quantity": read_quantity,
    "interval": read_interval,
    "modifier": read_modifier,
    "dice": read_dice,
    "track-change": read_track_change,
}

_READERS_ON_A_LADDER: dict[str, Callable[[str, Ladder], Value]] = {"level": read_level, "condition": read_condition}


WITH_DECIMALS = FIGURES - {"interval", "modifier"}
"""The notations in which a number may have decimals."""


def in_usual_style(notation: NotationName, text: str, style: NotationStyle) -> str:
    """A printed text as the readers of its notation take it: words and whole numbers in a list stay as they are."""
    return style.usual(text) if notation in WITH_DECIMALS or notation == "dice" else text


def read_value(notation: NotationName, text: str, ladder: Ladder | None = None) -> Value:
    """The value that ``text`` has in a notation; "level" and "condition" need the ladder. Raises NotationError."""
    if notation != "text" and len(text) > MAX_LENGTH:
        raise NotationError(f"a cell of {len(text)} characters is too long for a {notation}", hint="Is it words?")
    if notation not in _READERS_ON_A_LADDER:
        return _READERS[notation](text)
    if ladder is None:
        raise NotationError(f"a {notation} needs a ladder", hint='Name it in system.toml: ladder = "…".')
    return _READERS_ON_A_LADDER[notation](text, ladder)


def is_blank(notation: NotationName, text: str) -> bool:
    """Whether a cell says nothing: it is empty, or a dash alone in a column of figures."""
    return not text or (notation in FIGURES and text in _DASHES)
