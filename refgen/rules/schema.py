"""The schema of system.toml: what the tables of a rule document mean.

Numbers of the rules do not stand here: they are cells and facts of the document. This file says where to
find them, in which notation they are printed, and which computed tables and checks rest on them.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StringConstraints

from refgen.notation.read import NotationName
from refgen.notation.rounding import Rounding
from refgen.readers.document import Format
from refgen.rules.toml import Strict

Identifier = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
"""Lower-case words joined by hyphens; part of file names, addresses and finding ids."""

Color = Annotated[str, StringConstraints(pattern=r"^#[0-9a-f]{6}$")]


def _compiles(pattern: str) -> str:
    try:
        re.compile(pattern)
    except re.error as error:
        raise ValueError(f"not a pattern: {error}") from error
    return pattern


Pattern = Annotated[str, AfterValidator(_compiles)]
"""A regular expression in Python's notation."""

Readings = dict[str, str]
"""Printed text to the text that is read in its place: how an odd or damaged print is to be understood."""


class ColumnSpec(Strict):
    """One column: how its cells are printed, and its heading where the document's own will not do.

    ``blank`` says what a blank cell means: nothing; or, in a column of chances to reach a result, best result first,
    that it is never reached (above the printed chances) or always (below them).
    """

    id: Identifier
    title: str = ""
    type: NotationName = "text"
    ladder: Identifier | None = None
    read: Readings = {}
    blank: Literal["nothing", "never-then-always"] = "nothing"
    unit: str = ""


class TableSpec(Strict):
    """One table, and how to find it in the document.

    grid: a table the reader recognises, found by its head. ragged: words in a row, found by the words of the head
    (any of several phrasings), each row matched by ``row``. list: the n-th list of a section. paragraphs: the
    paragraphs of a section from the one that starts with ``first`` to the one that starts with ``last``.
    prose: rows inside running text; ``within`` (any of several phrasings) finds the text whose first group holds them.
    ``nth`` (from 1) picks one of several grids or ragged tables with the same head, or one list of a section.
    """

    title: str
    layout: Literal["grid", "ragged", "list", "paragraphs", "prose"] = "grid"
    section: str | None = None
    header: list[str] = []
    head: list[str] = []
    row: Pattern = ""
    ignore: Pattern = ""
    nth: int | None = None
    first: str = ""
    last: str = ""
    within: list[Pattern] = []
    transpose: bool = False
    columns: list[ColumnSpec]
    note: str = ""


class FactSpec(Strict):
    """A number stated in prose: the phrasings that find it (its first group is the value) and its notation."""

    title: str
    find: list[Pattern]
    section: str | None = None
    type: NotationName = "number"
    ladder: Identifier | None = None
    read: Readings = {}
    unit: str = ""


class DamageSpec(Strict):
    """Damage of the document: what is wrong, the patterns that show it, the table it spoils, and how it is read.

    Patterns are matched against the raw text, where a line break is not a blank.
    A document in which no phrasing is found is not damaged there.
    """

    title: str
    find: list[Pattern]
    repair: str
    section: str | None = None
    table: Identifier | None = None


class LadderSpec(Strict):
    """A ladder of levels, taken from a table: numbered by a column, or by counting from the level called ``zero``."""

    table: Identifier
    level: Identifier
    value: Identifier | None = None
    zero: str = ""
    aliases: dict[str, str] = {}


class _Derived(Strict):
    title: str
    note: str = ""
    places: int = Field(0, ge=0, le=6)
    rounding: Rounding = Rounding.HALF_UP


class OddsSpec(_Derived):
    """For each level of a ladder (or each outcome): the chance to roll exactly that, and at least that."""

    kind: Literal["odds"]
    dice: str
    ladder: Identifier | None = None


class MatrixSpec(_Derived):
    """The chance of trait + dice to reach each difficulty, for every trait level."""

    kind: Literal["matrix"]
    dice: str
    traits: Identifier
    difficulties: Identifier
    from_trait: str = ""
    to_trait: str = ""
    from_difficulty: str = ""
    to_difficulty: str = ""


class DiceColumn(Strict):
    """One way to roll, as a column of a comparison."""

    id: Identifier
    title: str
    dice: str


class AtLeastSpec(_Derived):
    """Several ways to roll side by side: the chance to reach each number of a printed column.

    With ``shift`` the number is added to the roll and the sum must reach 0 (a difficulty that helps).
    """

    kind: Literal["at-least"]
    rows: str
    rolls: list[DiceColumn]
    shift: bool = False


class StepDiceSpec(_Derived):
    """Traits that are dice: the chance of each trait's die (as ``roll`` treats it) to reach each level's number."""

    kind: Literal["step-dice"]
    table: Identifier
    level: Identifier
    die: Identifier
    roll: str = "{die}"
    targets: Identifier


class BandsSpec(_Derived):
    """Degrees of success: the chance of each band of a table, for each net value of trait against difficulty."""

    kind: Literal["bands"]
    dice: str
    table: Identifier
    range: Identifier
    label: Identifier
    ladder: Identifier


class OpposedSpec(_Derived):
    """Two sides roll: the chance that the first wins, draws and loses, for each difference of their values."""

    kind: Literal["opposed"]
    dice: str
    ladder: Identifier


class ArmiesSpec(_Derived):
    """Army sizes: population times share, and the sizes some steps up and down the ladder of sizes."""

    kind: Literal["armies"]
    table: Identifier
    size: Identifier
    population: Identifier
    share: Identifier
    steps: dict[Identifier, str]


class WoundChartSpec(_Derived):
    """The full wound chart of every level, from a table of changes and the facts of the default chart."""

    kind: Literal["wound-chart"]
    head: str
    table: Identifier
    level: Identifier
    change: Identifier
    levels: Identifier
    statuses: Identifier
    default: Identifier
    first_boxes: Identifier
    other_boxes: Identifier
    first_damage: Identifier
    width: Identifier


DerivedSpec = Annotated[
    OddsSpec | MatrixSpec | AtLeastSpec | StepDiceSpec | BandsSpec | OpposedSpec | ArmiesSpec | WoundChartSpec,
    Field(discriminator="kind"),
]


class CompareSpec(Strict):
    """Printed against computed: the columns of a table and those of a computed table, row by row by their key.

    The key column goes by the same name in both tables unless ``computed_key`` says otherwise.
    """

    kind: Literal["compare"]
    printed: Identifier
    computed: Identifier
    key: Identifier
    computed_key: Identifier | None = None
    columns: dict[Identifier, Identifier]
    rule: str


class SumSpec(Strict):
    """A column of chances that must add up to 100%, give or take the rounding of its cells."""

    kind: Literal["sum"]
    table: Identifier
    column: Identifier


class CoverSpec(Strict):
    """A column of ranges that must cover every outcome of the dice once."""

    kind: Literal["cover"]
    table: Identifier
    column: Identifier
    dice: str


class StatedSpec(Strict):
    """A fact that quotes a table: the cell of ``column`` in the row whose ``key`` is the number of the fact ``at``."""

    kind: Literal["stated"]
    fact: Identifier
    table: Identifier
    key: Identifier
    at: Identifier
    column: Identifier


class RangeSpec(Strict):
    """A fact that states the range of some dice."""

    kind: Literal["range"]
    fact: Identifier
    dice: str


CheckSpec = Annotated[CompareSpec | SumSpec | CoverSpec | StatedSpec | RangeSpec, Field(discriminator="kind")]


class SystemSpec(Strict):
    """A whole system.toml."""

    title: str
    about: str
    document: str
    format: Format | None = None
    accent: Color
    source: str
    ladders: dict[Identifier, LadderSpec] = {}
    tables: dict[Identifier, TableSpec]
    facts: dict[Identifier, FactSpec] = {}
    damage: dict[Identifier, DamageSpec] = {}
    derived: dict[Identifier, DerivedSpec] = {}
    checks: dict[Identifier, CheckSpec] = {}
