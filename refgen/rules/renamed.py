"""The keys of files that people write by the names they had before: an old one is refused, with the new one named.

In: a model of such a file, or of a part of one. Out: its old keys, each with what it is called now.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

RENAMED: Mapping[str, Mapping[str, str]] = {
    "AxisSpec": {"bare": "short_ids", "none": "zero_title", "under": "head_number"},
    "BindingsSpec": {"with": "throws"},
    "CardSpec": {"rows": "row_range"},
    "ColumnSpec": {"decreed": "[pinned] in proof.toml"},
    "DefectSpec": {"find": "text"},
    "FactPlace": {"find": "text"},
    "FactSpec": {"decreed": "[pinned] in proof.toml", "stated": "inferred (of the opposite meaning) in proof.toml"},
    "CheckSpec": {"stated": "inferred (of the opposite meaning)"},
    "FormulaColumn": {"given": "assume"},
    "GridSpec": {"given": "assume"},
    "PanelSpec": {"edge": "edge_scale"},
    "PartSpec": {"choices": "ladder"},
    "PhrasingSpec": {"again": "restated", "unread": "ignored"},
    "RulesSpec": {
        "damage": "defects",
        "again": "[restated] in proof.toml",
        "unread": "[ignored] in proof.toml",
    },
    "ScreenSettings": {"form": "imposition"},
    "ScreenSpec": {"edge": "edge_scale"},
    "SheetSpec": {"roster": "order"},
    "TableKeys": {"rows": "row_range"},
    "TableSpec": {"decreed": "[pinned] in proof.toml", "rows": "[row_counts] in proof.toml"},
}
"""The old keys of each model by its name. What stands behind the first word of a new one says more of it."""


@cache
def renamed_keys(model: type) -> Mapping[str, str]:
    """The old keys of a model, those of the models it is made from among them."""
    return {old: new for base in reversed(model.__mro__) for old, new in RENAMED.get(base.__name__, {}).items()}
