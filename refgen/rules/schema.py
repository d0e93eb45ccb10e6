"""The schema of system.toml: what the tables of a rule document mean.

Numbers of the rules do not stand here: they are cells and facts of the document. This file says where to
find them, in which notation they are printed, and which computed tables and checks rest on them.
"""

from __future__ import annotations

import re
from typing import Annotated, ClassVar, Literal, Self

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from refgen.errors import NotationError
from refgen.notation.formula import parse_formula
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


def _parses(text: str) -> str:
    if text:
        try:
            parse_formula(text)
        except NotationError as error:
            raise ValueError(error.message) from error
    return text


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


class DefectSpec(Strict):
    """A defect of the document: what is wrong, the patterns that show it, the table it spoils, and how it is read.

    Patterns are matched against the raw text, where a line break is not a blank.
    A document in which no phrasing is found does not have it.
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
    """The chance of an action to reach each difficulty, for every trait, with a modifier where one is given."""

    kind: Literal["matrix"]
    action: Identifier
    modifier: Formula = ""
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
    """Traits that are dice: the chance of each trait's die to reach each level's number.

    ``roll`` is a formula of {die}, such as "explode({die})".
    """

    kind: Literal["step-dice"]
    table: Identifier
    level: Identifier
    die: Identifier
    roll: Formula = "{die}"
    targets: Identifier


class BandsSpec(_Derived):
    """Degrees of success: the chance of each band of a table, for every trait of an action."""

    kind: Literal["bands"]
    action: Identifier
    table: Identifier
    range: Identifier
    label: Identifier


class OpposedSpec(_Derived):
    """Two sides roll: the chance that the first wins, draws and loses, for each difference of their values."""

    kind: Literal["opposed"]
    dice: str
    ladder: Identifier


Formula = Annotated[str, AfterValidator(_parses)]
"""A formula in refgen's notation (refgen/notation/formula.py)."""

Name = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+([-.][a-z0-9]+)*$")]
"""A name that formulas use."""


class AxisSpec(Strict):
    """What goes down the rows or across the columns of a grid; formulas call it by ``id``.

    of: each row of a printed table, shown by one of its columns ("table.column"); formulas may name its other columns
    too ("{id.column}"). ladder: each level, best first, or worst first with ``reverse``. numbers: those listed.
    low and high: each whole number from one to the other. facts: each fact, with the words that show it.
    """

    id: Identifier
    title: str = ""
    of: str = ""
    facts: dict[Identifier, str] = {}
    ladder: Identifier | None = None
    first: str = ""
    last: str = ""
    reverse: bool = False
    numbers: list[int] = []
    low: Formula = ""
    high: Formula = ""
    signed: bool = False
    unit: str = ""

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        from_to = bool(self.low and self.high)
        if sum((bool(self.of), self.ladder is not None, bool(self.numbers), bool(self.facts), from_to)) != 1:
            raise ValueError("an axis is one of: of, ladder, numbers, facts, low and high")
        return self


Shown = Literal["percent", "number", "signed", "level", "times"]
"""How a number is shown: a chance, a plain or a signed number, a level of a ladder, or one to so many ("1:3")."""


class FormulaColumn(Strict):
    """A column that a formula fills. ``places`` are those of the table unless given.

    A number that is no level of the ladder is told by its distance from the nearest ("Superb +1").
    """

    id: Identifier
    title: str
    formula: Formula
    show: Shown = "percent"
    ladder: Identifier | None = None
    places: int | None = Field(None, ge=0, le=6)
    unit: str = ""


class GridSpec(_Derived):
    """A table that formulas fill: a row for each combination of the axes in ``rows``.

    ``columns`` are filled one by one; ``across`` adds a column for each of its values, filled by ``cell``.
    ``let`` names formulas that others use; one may use those before it. ``where`` keeps the rows for which it is not 0.
    ``rule`` says in words how the numbers follow; facts stand in it in braces.
    """

    kind: Literal["grid"]
    rows: list[AxisSpec] = Field(min_length=1, max_length=4)
    let: dict[Identifier, Formula] = {}
    where: Formula = ""
    columns: list[FormulaColumn] = []
    across: AxisSpec | None = None
    cell: Formula = ""
    show: Shown = "percent"
    ladder: Identifier | None = None
    rule: str

    @model_validator(mode="after")
    def _filled(self) -> Self:
        if (self.across is None) != (not self.cell):
            raise ValueError("`across` and `cell` belong together")
        if self.across is None and not self.columns:
            raise ValueError("a grid needs `columns`, or `across` and `cell`")
        return self


class ActionSpec(Strict):
    """A way to act: what is rolled for a trait, and what it must reach.

    ``roll`` is the rolled degree as a formula of {trait} and {modifier}; it succeeds when it reaches the difficulty,
    or 0 in a game without difficulties (a roll-under game rolls "{trait} + {modifier} - d20").
    """

    title: str
    roll: Formula
    trait: AxisSpec
    difficulty: AxisSpec | None = None


class LawColumn(Strict):
    """A law of chance; its constants are facts. ``points`` of difficulty make success ``factor`` times as likely.

    ratio: so it is below the even chance; above it failure gets rarer by the same measure, or by ``easier_factor`` for
    ``easier_points``. odds-ratio: so the odds of success to failure change, below and above.
    """

    id: Identifier
    title: str
    shape: Literal["ratio", "odds-ratio"]
    factor: Identifier
    points: Identifier
    easier_factor: Identifier | None = None
    easier_points: Identifier | None = None


class LawSpec(_Derived):
    """Laws of chance side by side: what each gives for every number of a printed column ("table.column").

    ``even`` is the fact with the chance at the difficulty that the fact ``even_at`` states.
    """

    kind: Literal["law"]
    rows: str
    even: Identifier
    even_at: Identifier
    laws: list[LawColumn] = Field(min_length=1)


class FitCandidate(Strict):
    """What may explain printed chances: a computed table whose entry stands above, or a family of dice (``{die}``).

    ``key`` and ``columns`` (printed to computed) name the computed table's own where they differ.
    ``best`` is how many of the family are shown.
    """

    title: str
    computed: Identifier | None = None
    key: Identifier | None = None
    columns: dict[Identifier, Identifier] = {}
    dice: str = ""
    die: list[str] = Field([], max_length=20)
    best: int = Field(1, ge=1)

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        if (self.computed is None) == (not self.dice):
            raise ValueError("a candidate is either `computed` or `dice`")
        return self


class FitSpec(_Derived):
    """How well candidates explain printed columns of chances: errors, and how many cells agree.

    Dice are the chance to reach the key; with ``shift`` the key is added to the roll and the sum must reach 0.
    """

    kind: Literal["fit"]
    printed: Identifier
    key: Identifier
    columns: list[Identifier] = Field(min_length=1)
    shift: bool = False
    candidates: list[FitCandidate] = Field(min_length=1)

    @model_validator(mode="after")
    def _of_these_columns(self) -> Self:
        for candidate in self.candidates:
            if unknown := set(candidate.columns) - set(self.columns):
                raise ValueError(f'"{candidate.title}" names {", ".join(sorted(unknown))}, which is not in `columns`')
        return self


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


class ConditionsSpec(_Derived):
    """The conditions of some tables: for each level of the first trait, the levels of the other that bring them."""

    kind: Literal["conditions"]
    tables: list[Identifier] = Field(min_length=1)


class BlowSpec(Strict):
    """How an attack hits, what it does, and where its wounds are marked; several computed tables share it by its id.

    ``dice`` and ``luck`` are rolls. ``chart`` is the computed wound chart; the column ``penalty`` of the table
    ``wounds`` has the change to all actions by ``status``. The others are facts: the lowest result that hits, what a
    target without an avoidance counts as, the degree, most points and worst status of a graze, and the status that
    mere wounds of the lightest kind never pass.
    """

    ladder: Identifier
    dice: str
    luck: str
    minimum: Identifier
    uncontested: Identifier
    graze_degree: Identifier
    graze_points: Identifier
    graze_status: Identifier
    chart: Identifier
    wounds: Identifier
    status: Identifier
    penalty: Identifier
    scratch_limit: Identifier


Side = Literal["attack", "avoid", "basic", "health"]
"""What may go down the rows of a table of blows: a level of the ladder for each row."""


class BlowTable(_Derived):
    """Both sides of a blow. Each is the name of a level, or a fact in braces; "" for the one that the rows vary.

    Without ``avoid`` the target makes no avoidance; ``avoidances`` is a fact with the number of rolls of which the best
    counts. ``basic`` is the basic damage less armour.
    """

    blow: Identifier
    attack: str = ""
    avoid: str = ""
    avoidances: Identifier | None = None
    basic: str = ""
    health: str = ""


class BlowPointsSpec(BlowTable):
    """Points of damage that get through (rows) for each basic damage less armour (columns).

    Each row has the chance of exactly so many; with ``or_more`` of so many or more.
    """

    kind: Literal["blow-points"]
    or_more: bool = False


class BlowWoundsSpec(BlowTable):
    """The chance that one blow on somebody unhurt leads to each wound status, row by row."""

    kind: Literal["blow-wounds"]
    rows: Side


class ScalesSpec(BlowTable):
    """What each difference in Scale does to a blow; ``scales`` are facts, their differences are the rows."""

    kind: Literal["scales"]
    scales: list[Identifier] = Field(min_length=2)


class Sparing(Strict):
    """What a point does that weakens a blow: ``share`` is the fact with the part of its wound levels that remains.

    Levels count from the lightest status as 1; ``rounding`` settles parts of a level. ``points`` is the fact with the
    most points there are to spend.
    """

    points: Identifier
    share: Identifier
    rounding: Rounding


class FightSpec(BlowTable):
    """How many blows bring somebody to the status ``goal``: the expected number, and the chance for each number.

    ``rounds`` is how many are shown; ``mean_places`` the decimals of the expected number. With ``sparing`` it is also
    told for each number of points that may weaken a blow each.
    """

    kind: Literal["fight"]
    rows: Side
    goal: str
    rounds: int = Field(ge=1, le=12)
    mean_places: int = Field(1, ge=0, le=6)
    sparing: Sparing | None = None


class SparedWoundsSpec(BlowTable):
    """What each wound status becomes when a point weakens the blow, and how likely each is without and with it."""

    kind: Literal["spared-wounds"]
    sparing: Sparing


class SweepSpec(BlowTable):
    """One sweep at several opponents: the chance to hit the first, the first two, …; the first miss ends it.

    ``first`` and ``second`` are facts with the changes to the first two attacks; the next go on by the same step.
    """

    kind: Literal["sweep"]
    rows: Literal["attack", "avoid"]
    first: Identifier
    second: Identifier
    opponents: int = Field(ge=2, le=12)


class FlurrySpec(BlowTable):
    """Several attacks on one target in a round: the chance of each number of hits.

    ``attacks`` and ``later`` are facts: how many attacks, and the change to all but the first. ``avoided`` is the fact
    with the number of attacks, counted from the first, that the target can avoid.
    """

    kind: Literal["flurry"]
    rows: Literal["attack", "avoid"]
    attacks: Identifier
    later: Identifier
    avoided: Identifier


DerivedSpec = Annotated[
    OddsSpec
    | MatrixSpec
    | AtLeastSpec
    | StepDiceSpec
    | BandsSpec
    | OpposedSpec
    | GridSpec
    | WoundChartSpec
    | LawSpec
    | FitSpec
    | ConditionsSpec
    | BlowPointsSpec
    | BlowWoundsSpec
    | ScalesSpec
    | FightSpec
    | SparedWoundsSpec
    | SweepSpec
    | FlurrySpec,
    Field(discriminator="kind"),
]


class _Check(Strict):
    """``stated``: whether the document states the rule. What only a pattern of its tables says is never an error."""

    stated: bool = True


class CompareSpec(_Check):
    """Printed against computed: the columns of a table and those of a computed table, row by row by their key.

    ``computed`` may be another printed table, which then must agree wherever neither has a blank.
    The key column goes by the same name in both tables unless ``computed_key`` says otherwise.
    """

    kind: Literal["compare"]
    printed: Identifier
    computed: Identifier
    key: Identifier
    computed_key: Identifier | None = None
    columns: dict[Identifier, Identifier]
    rule: str


class FormulaSpec(_Check):
    """A printed number that follows from others by a formula: a fact, or every cell of a column.

    In a column, {row} is the cell itself and {row.other} another cell of its row; blank cells are left out, and
    ``where`` keeps the rows for which it is not 0. Of a range the formula is the low end, and ``high`` the high one;
    ``part`` compares one end alone (of "±2" as well), or how many numbers the range has.
    """

    kind: Literal["formula"]
    fact: Identifier | None = None
    table: Identifier | None = None
    column: Identifier | None = None
    where: Formula = ""
    formula: Formula
    high: Formula = ""
    part: Literal["", "low", "high", "width"] = ""
    rule: str

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if self.high and self.part:
            raise ValueError("`part` compares one number, so there is no `high`")
        if (self.fact is None) == (self.table is None) or (self.table is None) != (self.column is None):
            raise ValueError("a formula checks a fact, or a table and its column")
        return self


class SumSpec(_Check):
    """A column of chances that must add up to 100%, give or take the rounding of its cells."""

    kind: Literal["sum"]
    table: Identifier
    column: Identifier


class CoverSpec(_Check):
    """A column of ranges or numbers that must cover every outcome of the dice once, or a fact's range."""

    kind: Literal["cover"]
    table: Identifier
    column: Identifier
    dice: str = ""
    range: Identifier | None = None

    @model_validator(mode="after")
    def _something(self) -> Self:
        if bool(self.dice) == (self.range is not None):
            raise ValueError("ranges cover either `dice` or the `range` of a fact")
        return self


class StatedSpec(_Check):
    """A fact that quotes a table: the cell of ``column`` in the row whose ``key`` is the number of the fact ``at``.

    With ``row`` in place of ``at`` it is the row whose ``key`` prints those words.
    """

    kind: Literal["stated"]
    fact: Identifier
    table: Identifier
    key: Identifier
    at: Identifier | None = None
    row: str = ""
    column: Identifier

    @model_validator(mode="after")
    def _one_row(self) -> Self:
        if (self.at is None) == (not self.row):
            raise ValueError("a row is found by either `at` or `row`")
        return self


class RangeSpec(_Check):
    """A fact that states the range of some dice."""

    kind: Literal["range"]
    fact: Identifier
    dice: str


class AlikeSpec(_Check):
    """A fact with dice that come up exactly like other dice."""

    kind: Literal["alike"]
    fact: Identifier
    dice: str


class StepsSpec(_Check):
    """A column of numbers that go up or down by one from row to row, or of ranges that go on without a gap."""

    kind: Literal["steps"]
    table: Identifier
    column: Identifier


class MirrorSpec(_Check):
    """Chances that mirror each other: those of a number and of its opposite add up to 100%."""

    kind: Literal["mirror"]
    table: Identifier
    key: Identifier
    column: Identifier
    stated: bool = False


class MonotoneSpec(_Check):
    """A column of numbers in which each is more than the one above it, or each is less."""

    kind: Literal["monotone"]
    table: Identifier
    column: Identifier
    direction: Literal["rising", "falling"]
    stated: bool = False


CheckSpec = Annotated[
    CompareSpec
    | FormulaSpec
    | SumSpec
    | CoverSpec
    | StatedSpec
    | RangeSpec
    | AlikeSpec
    | StepsSpec
    | MirrorSpec
    | MonotoneSpec,
    Field(discriminator="kind"),
]


class SystemSpec(Strict):
    """A whole system.toml."""

    renamed: ClassVar = {"damage": "defects"}

    title: str
    about: str
    document: str
    format: Format | None = None
    accent: Color
    source: str
    ladders: dict[Identifier, LadderSpec] = {}
    tables: dict[Identifier, TableSpec]
    facts: dict[Identifier, FactSpec] = {}
    actions: dict[Identifier, ActionSpec] = {}
    defects: dict[Identifier, DefectSpec] = {}
    blows: dict[Identifier, BlowSpec] = {}
    derived: dict[Identifier, DerivedSpec] = {}
    checks: dict[Identifier, CheckSpec] = {}
