"""Everything about a system that needs no layout: its rules, computed tables, checks, and aids as data.

In: the folder of a system. Out: a Prepared system, with the aids that could be made and the errors of the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from refgen.aids import card_deck, character_sheet, gm_screen
from refgen.aids.blocks import Shelf
from refgen.aids.gm_screen import ShelfOf
from refgen.checks.finding import CheckReport
from refgen.checks.marks import marks
from refgen.checks.run import check
from refgen.errors import RefgenError
from refgen.game.spec import SystemSpec
from refgen.pipeline.project import Project
from refgen.resolver.computed import ComputedTables
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


MAKERS: Mapping[Kind, tuple[str, Callable[[Path, Shelf, ShelfOf], Aid]]] = {
    Kind.SCREEN: (gm_screen.SPEC_NAME, gm_screen.screen_of_system),
    Kind.SHEET: (character_sheet.SPEC_NAME, lambda folder, own, _: character_sheet.make_sheet(folder, own)),
    Kind.CARD: (card_deck.SPEC_NAME, lambda folder, own, _: card_deck.make_deck(folder, own)),
}
"""The file that describes each kind of aid, and what makes the aid of it. A system without the file has no such aid."""


@dataclass(frozen=True)
class Prepared:
    """A system that is ready to be rendered."""

    ruleset: Ruleset
    derived: Mapping[str, Table]
    report: CheckReport
    aids: Mapping[Kind, Aid]
    errors: Sequence[RefgenError]


def load_checked(project: Project, system: str) -> tuple[Ruleset, Mapping[str, Table], CheckReport]:
    """The rules of a system, its computed tables and what the checks found."""
    ruleset = load_ruleset(project.systems[system], SystemSpec, project.documents.get(system))
    derived = dict(ComputedTables(ruleset))
    return ruleset, derived, check(ruleset, derived, project.systems[system])


@dataclass
class Shelves:
    """The shelf of each system of a project, made when it is first asked for: an aid may take from all of them."""

    project: Project
    known: dict[str, Shelf] = field(default_factory=dict)

    def __call__(self, system: str) -> Shelf:
        """The shelf of a system. Raises RefgenError for one that is not there, or whose rules cannot be loaded."""
        self.project.select([system])
        if system not in self.known:
            self.put(*load_checked(self.project, system))
        return self.known[system]

    def put(self, ruleset: Ruleset, derived: Mapping[str, Table], report: CheckReport) -> Shelf:
        """Make the shelf of a system that is loaded already."""
        self.known[ruleset.id] = Shelf(ruleset, derived, marks(report))
        return self.known[ruleset.id]


def prepare(project: Project, system: str, kinds: frozenset[Kind], shelves: Shelves | None = None) -> Prepared:
    """Prepare a system. Raises RefgenError when its rules cannot be loaded; an aid that fails is only left out."""
    ruleset, derived, report = load_checked(project, system)
    shelves = shelves or Shelves(project)
    shelf = shelves.put(ruleset, derived, report)
    aids: dict[Kind, Aid] = {}
    errors: list[RefgenError] = []
    folder = project.systems[system]
    for kind, (spec_name, maker) in MAKERS.items():
        if kind not in kinds or not (folder / spec_name).exists():
            continue
        try:
            aids[kind] = maker(folder, shelf, shelves)
        except RefgenError as error:
            errors.append(error)
        else:
            errors += getattr(aids[kind], "faults", ())
    return Prepared(ruleset, derived, report, aids, errors)
