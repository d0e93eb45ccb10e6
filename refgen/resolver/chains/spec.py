"""Chains as system.toml describes them: a state, a step with its throws, an end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from pydantic import Discriminator, Tag

from refgen.resolver.chains.markov import Best
from refgen.resolver.chains.tracks import TracksSpec
from refgen.resolver.formula.names import BoundSpec, FormulasSpec
from refgen.rules.field_types import FormulaText, Identifier
from refgen.rules.toml import Strict, text_or_table


class MoveSpec(Strict):
    """A step's changes to the state: ``next`` are numbers, ``marks`` places (or numbers) of boxes that are marked."""

    next: dict[Identifier, FormulaText] = {}
    marks: dict[Identifier, FormulaText] = {}


class ChoiceSpec(MoveSpec):
    """A move that a player may make in place of the step once the throws are known, where ``when`` is not 0."""

    when: FormulaText = "1"


class OwnTrack(Strict):
    """The track ``of`` an entry of ``[tracks.*]``, of the ``level`` that a formula gives; "" where it has no levels."""

    of: Identifier
    level: FormulaText = ""


Whose = Annotated[Annotated[FormulaText, Tag("text")] | Annotated[OwnTrack, Tag("table")], Discriminator(text_or_table)]
"""Whose track is marked: the level of the track of that name, or a track by another name."""


class ChainSpec(BoundSpec, MoveSpec):
    """A chain of steps. ``state`` has whole numbers with their values at the start, ``tracks`` whose tracks.

    Where two have the same track, each has a name of its own: ``{ own = { of = "wounds", level = "{health}" } }``.
    Nothing is marked at the start; the level of a track that is the same for all is "". The chain ends where ``end`` is
    not 0. ``choices`` are made so that there are as many steps as can be, or as few.
    """

    title: str
    state: dict[Identifier, FormulaText] = {}
    tracks: dict[Identifier, Whose] = {}
    end: FormulaText
    choices: dict[Identifier, ChoiceSpec] = {}
    best: Best = "most-steps"

    @property
    def tracks_of(self) -> Mapping[str, OwnTrack]:
        """By the names that formulas have for them, whose tracks are marked."""
        written = self.tracks.items()
        return {name: OwnTrack(of=name, level=whose) if isinstance(whose, str) else whose for name, whose in written}


class ChainsSpec(TracksSpec, FormulasSpec):
    """A system.toml with chains."""

    chains: dict[Identifier, ChainSpec] = {}
