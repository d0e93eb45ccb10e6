"""All targets of fuzzing, by name: documents, notations, the files of a game, a look and a project, requests."""

from __future__ import annotations

from collections.abc import Mapping

from tests.fuzz import characters, documents, games, looks, notations, requests
from tests.fuzz.target import Target

TARGETS: Mapping[str, Target] = {
    name: target
    for module in (documents, notations, games, characters, looks, requests)
    for name, target in module.TARGETS.items()
}
