"""Changes that need not be caught, each with its reason; docs/checks.md prints this list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tests.checks.mutation.change import Change


@dataclass(frozen=True, slots=True)
class Exempt:
    """A figure of a game by the name of its token, the changes of it that pass ("" for any), and why."""

    game: str
    name: str
    new: str
    reason: str


EXCEPTIONS: Sequence[Exempt] = ()


def reason(game: str, change: Change) -> str:
    """Why a change need not be caught; "" when it must."""
    names = change.name.split(" … ")
    for one in EXCEPTIONS:
        if one.game == game and one.name in names and one.new in ("", change.new):
            return one.reason
    return ""
