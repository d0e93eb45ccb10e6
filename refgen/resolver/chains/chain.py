"""The functions of formulas that ask chains and tracks.

In: a ruleset. Out: functions: the mean number of steps of a chain, the chance to have ended, and what comes of a
formula after some steps or at the end.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from refgen.notation.formula_tree import Call
from refgen.resolver.chains.model import ChainModel
from refgen.resolver.chains.moves import whole_state
from refgen.resolver.chains.spec import ChainsSpec
from refgen.resolver.chains.tracks import AllTracks
from refgen.resolver.formula.compiler import Compiler
from refgen.resolver.formula.functions import NAMED, Build
from refgen.resolver.formula.scope import Evaluate
from refgen.resolver.lookup import named
from refgen.rules.model import Ruleset


@dataclass(eq=False)
class ChainFunctions:
    """The functions of formulas that go through tracks and chains, for all tables of a ruleset.

    What they are made of is kept: chains, tracks and shared formulas go by printed tables alone.
    """

    ruleset: Ruleset[ChainsSpec]
    _models: dict[str, ChainModel] = field(default_factory=dict)

    @cached_property
    def all(self) -> Mapping[str, Build]:
        """Every function of formulas."""
        return {
            **self._of_steps,
            "steps": self._steps,
            "within": self._within,
            "after": self._after,
            "finally": self._finally,
        }

    @cached_property
    def _tracks(self) -> AllTracks:
        return AllTracks(self.ruleset)

    @cached_property
    def _of_steps(self) -> Mapping[str, Build]:
        """The functions that formulas of a chain may call: all but those that ask chains."""
        return {**NAMED, "box": self._tracks.box}

    def _model(self, compiler: Compiler, chain_id: str) -> ChainModel:
        if chain_id not in self._models:
            spec = named(self.ruleset.spec.chains, chain_id, "chain")
            self._models[chain_id] = ChainModel(self.ruleset, spec, self._of_steps, self._tracks)
        self._models[chain_id].check(compiler.names)
        return self._models[chain_id]

    def _steps(self, compiler: Compiler, call: Call) -> Evaluate:
        return self._model(compiler, call.table).asked(lambda run, start, _scope: run.chain.steps(start))

    def _within(self, compiler: Compiler, call: Call) -> Evaluate:
        number = compiler.number(call.arguments[0])
        model = self._model(compiler, call.table)
        return model.asked(lambda run, start, scope: run.chain.within(start, whole_state(number(scope))))

    def _after(self, compiler: Compiler, call: Call) -> Evaluate:
        steps, formula = call.arguments
        number, model = compiler.number(steps), self._model(compiler, call.table)
        values = model.valued(formula, compiler.names)
        return model.asked(
            lambda run, start, scope: run.chain.after(start, whole_state(number(scope)), values(run, scope)), formula
        )

    def _finally(self, compiler: Compiler, call: Call) -> Evaluate:
        (formula,) = call.arguments
        model = self._model(compiler, call.table)
        values = model.valued(formula, compiler.names)
        return model.asked(lambda run, start, scope: run.chain.at_end(start, values(run, scope)), formula)


def chain_functions(ruleset: Ruleset[ChainsSpec]) -> ChainFunctions:
    """The functions of a ruleset; the same ones for all its tables."""
    known = ruleset.kept.get("chains")
    if not isinstance(known, ChainFunctions):
        printed = replace(ruleset, tables={table.id: table for table in ruleset.printed_tables})
        known = ruleset.kept["chains"] = ChainFunctions(printed)
    return known
