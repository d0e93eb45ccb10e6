"""A whole system.toml: what each stage reads of it, put together, with every kind of computed table and of check."""

from __future__ import annotations

from typing import Annotated

from refgen.checks.comparison import CheckSpec, ChecksSpec
from refgen.checks.results import CHECK_KINDS, RENAMED_CHECK_KINDS
from refgen.resolver.cells import ComputedSpec
from refgen.resolver.computed import RENAMED_TABLE_KINDS, TABLE_KINDS
from refgen.rules.field_types import Identifier
from refgen.rules.model import Ruleset
from refgen.rules.toml import AnyOf, renamed_values, usual_kind

AnyTable = Annotated[
    ComputedSpec, AnyOf(tuple(TABLE_KINDS)), renamed_values("kind", RENAMED_TABLE_KINDS), usual_kind("grid")
]
AnyCheck = Annotated[CheckSpec, AnyOf(tuple(CHECK_KINDS)), renamed_values("kind", RENAMED_CHECK_KINDS)]


class SystemSpec(ChecksSpec):
    """A whole system.toml."""

    derived: dict[Identifier, AnyTable] = {}
    checks: dict[Identifier, AnyCheck] = {}


GameRules = Ruleset[SystemSpec]
"""The rules of a game, with its whole system.toml."""
