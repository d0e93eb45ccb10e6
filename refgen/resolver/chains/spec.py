"""Chains as system.toml describes them: a state, a step with its throws, an end."""

from __future__ import annotations

from refgen.resolver.chains.policy import Best
from refgen.resolver.chains.tracks import TracksSpec
from refgen.resolver.formula.shared import BoundSpec, FormulasSpec
from refgen.rules.schema import FormulaText, Identifier
from refgen.rules.toml import Strict


class MoveSpec(Strict):
    """What a step makes of the state: ``next`` are numbers, ``marks`` places (or numbers) of boxes that are marked."""

    next: dict[Identifier, FormulaText] = {}
    marks: dict[Identifier, FormulaText] = {}


class ChoiceSpec(MoveSpec):
    """What a player may do instead once the throws are known, where ``when`` is not 0."""

    when: FormulaText = "1"


class ChainSpec(BoundSpec, MoveSpec):
    """A chain of steps. ``state`` has whole numbers with their values at the start, ``tracks`` whose tracks.

    Nothing is marked at the start; the level of a track that is the same for all is "". The chain ends where ``end`` is
    not 0. ``choices`` are made so that there are as many steps as can be, or as few.
    """

    title: str
    state: dict[Identifier, FormulaText] = {}
    tracks: dict[Identifier, FormulaText] = {}
    end: FormulaText
    choices: dict[Identifier, ChoiceSpec] = {}
    best: Best = "most-steps"


class ChainsSpec(TracksSpec, FormulasSpec):
    """A system.toml with chains."""

    chains: dict[Identifier, ChainSpec] = {}
