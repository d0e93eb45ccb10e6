"""refgen: rule documents in, checked play aids out.

docs/python.md shows each of the public names below. A name is loaded when it is first used, so that ``import refgen``
and the command line answer at once.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from refgen.api.game import Game as Game
    from refgen.api.game import Table as Table
    from refgen.api.project import Project as Project
    from refgen.api.project import load as load
    from refgen.api.project import project as project
    from refgen.api.project import propose as propose
    from refgen.api.schemas import json_schema as json_schema
    from refgen.api.settings import BuildSettings as BuildSettings
    from refgen.characters.character import Character as Character
    from refgen.errors import RefgenError as RefgenError
    from refgen.export.check import Report as Report
    from refgen.export.coverage import Coverage as Coverage
    from refgen.export.document import read as read
    from refgen.export.odds import Roll as Roll
    from refgen.export.odds import roll as roll
    from refgen.pipeline.result import BuildResult as BuildResult
    from refgen.readers.document import Document as Document
    from refgen.resolver.action import Action as Action
    from refgen.rules.model import Cell as Cell
    from refgen.rules.model import Fact as Fact

_HOMES = {
    "Action": "refgen.resolver.action",
    "BuildResult": "refgen.pipeline.result",
    "BuildSettings": "refgen.api.settings",
    "Cell": "refgen.rules.model",
    "Character": "refgen.characters.character",
    "Coverage": "refgen.export.coverage",
    "Document": "refgen.readers.document",
    "Fact": "refgen.rules.model",
    "Game": "refgen.api.game",
    "Project": "refgen.api.project",
    "RefgenError": "refgen.errors",
    "Report": "refgen.export.check",
    "Roll": "refgen.export.odds",
    "Table": "refgen.api.game",
    "json_schema": "refgen.api.schemas",
    "load": "refgen.api.project",
    "project": "refgen.api.project",
    "propose": "refgen.api.project",
    "read": "refgen.export.document",
    "roll": "refgen.export.odds",
}
"""The module of each name."""

__all__ = [*_HOMES]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'refgen' has no attribute '{name}'")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
