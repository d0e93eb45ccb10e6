"""Everything about a system that needs no layout: its rules, computed tables, checks, and aids as data.

In: the folder of a system. Out: a Prepared system, with the aids that could be made and the errors of the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from refgen.aids import card_deck, character_sheet, gm_screen
from refgen.aids.blocks import Shelf
from refgen.checks.finding import CheckReport
from refgen.checks.marks import marks
from refgen.checks.run import check
from refgen.errors import RefgenError
from refgen.pipeline.project import Project
from refgen.resolver.derived import derive
from refgen.rules.load import load_ruleset
from refgen.rules.model import Ruleset, Table

Aid = gm_screen.GmScreen | character_sheet.CharacterSheet | card_deck.CardDeck


class Kind(StrEnum):
    """What a build makes."""

    SCREEN = "screen"
    SHEET = "sheet"
    CARD = "card"
    SITE = "site"
    DATA = "data"


MAKERS: Mapping[Kind, tuple[str, Callable[[Path, Shelf], Aid]]] = {
    Kind.SCREEN: (gm_screen.SPEC_NAME, gm_screen.make_screen),
    Kind.SHEET: (character_sheet.SPEC_NAME, character_sheet.make_sheet),
    Kind.CARD: (card_deck.SPEC_NAME, card_deck.make_deck),
}
"""The file that describes each kind of aid, and what makes the aid of it. A system without the file has no such aid."""


@dataclass(frozen=True)
class Prepared:
    """A system that is ready to be rendered."""

    ruleset: Ruleset
    derived: Mapping[str, Table]
    report: CheckReport
    aids: Mapping[Kind, Aid]
    errors: Mapping[Kind, RefgenError]


def load_checked(project: Project, system: str) -> tuple[Ruleset, Mapping[str, Table], CheckReport]:
    """The rules of a system, its computed tables and what the checks found."""
    ruleset = load_ruleset(project.systems[system], project.documents.get(system))
    derived = derive(ruleset)
    return ruleset, derived, check(ruleset, derived, project.systems[system])


def prepare(project: Project, system: str, kinds: frozenset[Kind]) -> Prepared:
    """Prepare a system. Raises RefgenError when its rules cannot be loaded; an aid that fails is only left out."""
    ruleset, derived, report = load_checked(project, system)
    shelf = Shelf(ruleset, derived, marks(report))
    aids: dict[Kind, Aid] = {}
    errors: dict[Kind, RefgenError] = {}
    folder = project.systems[system]
    for kind, (spec_name, maker) in MAKERS.items():
        if kind not in kinds or not (folder / spec_name).exists():
            continue
        try:
            aids[kind] = maker(folder, shelf)
        except RefgenError as error:
            errors[kind] = error
    return Prepared(ruleset, derived, report, aids, errors)
