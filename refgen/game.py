"""The model of a game (rules, computed tables, checks), and the schema of system.toml.

In: the folder of a game, and perhaps another document to read in place of its own. Out: a GameModel, each part of which
is made once, when it is first asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from refgen.catalog import Catalog, JoinedMapping, LazyMapping, counted
from refgen.checks.comparison import CheckSpec, ChecksSpec
from refgen.checks.finding import CheckReport, Extent, Mark, marks
from refgen.checks.results import CHECK_KINDS, RENAMED_CHECK_KINDS
from refgen.languages import base
from refgen.look.colours import token_colour
from refgen.look.find import find_look
from refgen.look.look import USUAL, Look
from refgen.notation.figures import USUAL_ROUNDING
from refgen.notation.levels import Ladder
from refgen.readers.document import Section
from refgen.resolver.computed import RENAMED_TABLE_KINDS, TABLE_KINDS, ComputedTables, Explorer, make_explorer
from refgen.resolver.lookup import ComputedSpec
from refgen.resolver.tables.grid_spec import expand_grid
from refgen.rules.field_types import Identifier
from refgen.rules.load import load_ruleset
from refgen.rules.model import Fact, Ruleset, RuleTable
from refgen.rules.schema import DocumentSettings
from refgen.rules.toml import AnyOf, Strict, renamed_values, usual_kind
from refgen.span import Span
from refgen.words import COMPUTED, ENGLISH, Words

if TYPE_CHECKING:
    from refgen.checks.coverage import NumberCoverage
    from refgen.checks.rolled_tables import TableRoll
    from refgen.resolver.action import Action
    from refgen.resolver.rolls import NamedRoll


class GameModel:
    """The rules of a game as its documents state them, the tables that follow from the rules, and their checks.

    Printed and computed tables are one mapping, ``tables``; a computed table is worked out when it is first asked for.
    Tables, facts and other parts are found by id or title, as people write names.
    """

    def __init__(self, ruleset: GameRules, folder: Path | None = None, project: Path | None = None) -> None:
        """``folder`` is where the game lies, with its errata, ``project`` the folder of its project."""
        self.ruleset = ruleset
        self.folder = folder
        self.project = project

    def __repr__(self) -> str:
        parts = ((self.tables, "table"), (self.facts, "fact"), (self.actions, "action"))
        return f"<Game {self.id}: {', '.join(counted(len(some), noun) for some, noun in parts)}>"

    @property
    def id(self) -> str:
        """The name of its folder."""
        return self.ruleset.id

    @property
    def title(self) -> str:
        """The name of the game."""
        return self.ruleset.title

    @cached_property
    def look(self) -> Look:
        """The look of the game: that of its look.toml, and of its project's. Raises RefgenError for a look at fault."""
        return find_look(self.project, self.folder)

    @cached_property
    def words(self) -> Words:
        """The words that refgen prints in the aids and on the pages of the game."""
        return self.ruleset.words

    @property
    def printed(self) -> Mapping[str, RuleTable]:
        """The tables that the document prints."""
        return self.ruleset.tables

    @cached_property
    def computed(self) -> Mapping[str, RuleTable]:
        """The tables that follow from the rules; asking for one that cannot be worked out raises ResolverError."""
        return ComputedTables(self.ruleset)

    @cached_property
    def tables(self) -> Catalog[RuleTable]:
        """Printed and computed tables, in this order."""
        spec = self.ruleset.spec
        titles = {name: table.title for name, table in spec.tables.items()}
        titles |= {name: table.title for name, table in spec.derived.items()}
        return Catalog("table", JoinedMapping(self.printed, self.computed), titles)

    @cached_property
    def facts(self) -> Catalog[Fact]:
        """The numbers that stand in prose."""
        return Catalog("fact", self.ruleset.facts, {fact.id: fact.title for fact in self.ruleset.facts.values()})

    @cached_property
    def ladders(self) -> Catalog[Ladder]:
        """The ladders of levels."""
        return Catalog("ladder", self.ruleset.ladders)

    @property
    def sections(self) -> Sequence[Section]:
        """The sections of its documents, as printed."""
        return self.ruleset.sections

    @cached_property
    def actions(self) -> Catalog[Action]:
        """The ways to act, which answer with chances."""
        from refgen.resolver.action_reader import action_of  # a sheet is filled without any action

        specs = self.ruleset.spec.actions
        made = LazyMapping(specs, lambda name: action_of(self.ruleset, name))
        return Catalog("action", made, {name: spec.title for name, spec in specs.items()})

    @cached_property
    def explorers(self) -> Catalog[Explorer]:
        """The explorers by id; an explorer that cannot be worked out raises ResolverError when it is asked for."""
        specs = self.ruleset.spec.explorers
        ruleset = replace(self.ruleset, tables=JoinedMapping(self.printed, self.computed))
        return Catalog("explorer", LazyMapping(specs, lambda name: make_explorer(ruleset, name)))

    @cached_property
    def named_rolls(self) -> Catalog[NamedRoll]:
        """The named rolls."""
        from refgen.resolver.rolls import named_roll

        specs = self.ruleset.spec.rolls
        made = LazyMapping(specs, lambda name: named_roll(self.ruleset, name))
        return Catalog("roll", made, {name: spec.title for name, spec in specs.items()})

    def grid_of(self, table: str) -> Mapping[str, Any]:
        """A computed table as the grid that it is, as it would stand in system.toml.

        Raises UnknownNameError for no computed table, ResolverError for one that is no grid.
        """
        specs = self.ruleset.spec.derived
        table_id = Catalog("computed table", specs, {name: spec.title for name, spec in specs.items()}).id_of(table)
        spec = expand_grid(self.ruleset, table_id, specs[table_id])
        return spec.model_dump(mode="json", exclude_unset=True)

    def table_roll(self, table: RuleTable) -> TableRoll | None:
        """The dice of a random table; None for a table whose rows are not exactly the results of some dice."""
        from refgen.checks.rolled_tables import table_roll  # few tables are rolled on, and few pages ask

        return table_roll(self.ruleset, table)

    def check(self) -> CheckReport:
        """Compare every printed number with the rules. Errors of the files are in the ``errors`` of the report."""
        return self._report

    @cached_property
    def extent(self) -> Extent:
        """How many of all numbers of the documents are compared."""
        from refgen.checks.coverage import extent_of  # it looks at documents in a way that nothing else needs

        return extent_of(self.ruleset, self._report)

    def coverage(self) -> NumberCoverage:
        """The coverage of the documents: whether each number is compared, quoted or open."""
        from refgen.checks.coverage import coverage  # it looks at documents in a way that nothing else needs

        return coverage(self.ruleset, self._report)

    @cached_property
    def _report(self) -> CheckReport:
        from refgen.checks.run import check  # a sheet is filled without any check
        from refgen.resolver.action_reader import tried_action

        actions = LazyMapping(self.actions, lambda name: tried_action(self.ruleset, name))
        return check(self.ruleset, self.computed, self.folder, (self.explorers, actions, self.named_rolls))

    @cached_property
    def marks(self) -> Mapping[Span, Mark]:
        """The marks of printed numbers that differ from the rules, by their places."""
        return marks(self._report.findings, self.words)


def load_game(folder: Path, document: Path | None = None, settings: DocumentSettings | None = None) -> GameModel:
    """The game in ``folder``, read from its own document or from ``document``; ``settings`` are those of the project.

    Raises RefgenError with every place that cannot be read.
    """
    return GameModel(load_ruleset(folder, SystemSpec, document, settings), folder)


AnyTable = Annotated[
    ComputedSpec, AnyOf(tuple(TABLE_KINDS)), renamed_values("kind", RENAMED_TABLE_KINDS), usual_kind("grid")
]
AnyCheck = Annotated[CheckSpec, AnyOf(CHECK_KINDS), renamed_values("kind", RENAMED_CHECK_KINDS)]


class AidsSpec(Strict):
    """The play aids of a game: ``cards = false`` leaves the cards out."""

    screen: bool = True
    sheet: bool = True
    cards: bool = True
    booklet: bool = True
    session: bool = True


class SystemSpec(ChecksSpec):
    """A whole system.toml. ``aids`` leaves some kinds of play aids out."""

    derived: dict[Identifier, AnyTable] = {}
    checks: dict[Identifier, AnyCheck] = {}
    aids: AidsSpec = AidsSpec()


GameRules = Ruleset[SystemSpec]
"""The rules of a game, with its whole system.toml."""


@dataclass(frozen=True, slots=True)
class SystemInfo:
    """The few words about a game that every page carries; they travel to worker processes in place of the whole game.

    ``id`` is the name of the game's folder, ``source`` the line that names the document, ``accent`` a CSS colour.
    ``look`` is how its pages look. ``language`` is that of its documents, if the words are in another; else "".
    """

    id: str
    title: str
    about: str
    accent: str
    source: str
    words: Words = ENGLISH
    look: Look = USUAL
    language: str = ""

    @property
    def rounding(self) -> str:
        """The sentence of a page with computed figures; a table that is rounded otherwise has a note of its own."""
        return f"{COMPUTED} " + self.words.rounded("rounding", USUAL_ROUNDING)

    def foot(self, *, is_computed: bool) -> str:
        """The line below a page: its source; below a page with a computed block also how figures are rounded."""
        return f"{self.source}. {self.rounding}" if is_computed else f"{self.source}."

    @property
    def brief_rounding(self) -> str:
        """How computed figures are rounded, in few words for a card."""
        return f"{COMPUTED} " + self.words.rounded("rounding-on-card", USUAL_ROUNDING)

    @classmethod
    def of(cls, game: GameModel) -> SystemInfo:
        """The SystemInfo of a game."""
        spec, look = game.ruleset.spec, game.look
        accent = look.accent_for(spec.accent or token_colour("accent-light"))
        source = ". ".join(filter(None, (spec.source, look.licence.rstrip("."))))
        document = spec.document.language or "en"
        language = "" if base(document) == base(game.words.language) else document
        return cls(game.id, spec.title, spec.about, accent, source, game.words, look, language)
