"""The shapes of the JSON that is not tables, for their JSON Schemas.

In: nothing. Out: pydantic models that describe exactly what the checks, the odds, the conditions, the reader and a
build write; a test holds each to its maker. They stand apart from their makers, so that a quick command need not load
pydantic.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from refgen.checks.finding import FindingKind, Print, Severity
from refgen.readers.document import Format
from refgen.render.shapes import Exact, Line, Place, Shape


class CheckSummary(Shape):
    """How many printed numbers of a system were compared, and what came of it."""

    system: str
    compared: int
    agree: int
    rounding: int
    accepted: int
    open: int


class AcceptedShape(Shape):
    """Why a finding is accepted, and what play aids print in its place."""

    reason: str
    print: Print


class FindingShape(Shape):
    """A printed number that does not agree with a rule."""

    id: str
    kind: FindingKind
    system: str
    table: str
    title: str
    row: str
    column: str
    printed: str
    computed: str
    exact: Exact | Literal[""]
    decimal: str
    rule: str
    severity: Severity
    message: str
    span: Place
    rests_on: list[Place]
    accepted: AcceptedShape | None


class CheckShape(Shape):
    """What ``refgen check --format json`` prints, and ``check.json`` of a build."""

    version: Literal["refgen/check/1"] = Field(alias="schema")
    summary: list[CheckSummary]
    findings: list[FindingShape]


Percentage = Annotated[float, Field(ge=0, le=100)]


class OutcomeChance(Shape):
    """The chance of one outcome."""

    outcome: int
    exact: Exact
    percent: Percentage


class ReachChance(Shape):
    """The chance of ``n`` or more."""

    n: int
    exact: Exact
    percent: Percentage


class OddsShape(Shape):
    """What ``refgen odds --format json`` prints; ``residue`` is the chance that was not followed further."""

    version: Literal["refgen/odds/1"] = Field(alias="schema")
    dice: str
    against: str | None
    pmf: list[OutcomeChance]
    at_least: list[ReachChance]
    mean: Exact
    sd: Annotated[float, Field(ge=0)]
    residue: Exact


class Chance(Shape):
    """A chance."""

    exact: Exact
    percent: Percentage


class ContestShape(Shape):
    """The chances of an opposed action."""

    win: Chance
    draw: Chance
    lose: Chance


class NamedOutcomeChance(OutcomeChance):
    """The chance of one outcome, and the level it stands for ("" in a game without a ladder)."""

    level: str


class AskedAction(Shape):
    """The odds of one way to act; ``success`` and ``contest`` where they were asked for."""

    id: str
    title: str
    roll: str
    success: Chance | None
    contest: ContestShape | None
    pmf: list[NamedOutcomeChance]
    at_least: list[ReachChance]
    mean: Exact
    sd: Annotated[float, Field(ge=0)]
    residue: Exact


class ActionOddsShape(Shape):
    """What ``refgen odds --system … --format json`` prints."""

    version: Literal["refgen/action-odds/1"] = Field(alias="schema")
    system: str
    trait: str
    modifier: int
    difficulty: str | None
    against: str | None
    minimum: str | None
    actions: list[AskedAction]


class MadeFile(Shape):
    """A file of a build, and the part of the build that makes it."""

    path: str
    part: str


class ManifestShape(Shape):
    """``manifest.json`` of a build: every file that refgen made."""

    version: Literal["refgen/manifest/1"] = Field(alias="schema")
    made: list[MadeFile]


class ReadText(Shape):
    """A printed text and where it stands."""

    text: str
    line: Line
    column: Line


class ReadTable(Shape):
    """A table as the reader sees it; ``header_rows`` of its rows are its head."""

    id: str
    caption: str
    header_rows: Annotated[int, Field(ge=0)]
    rows: list[list[ReadText]]


class ReadSection(Shape):
    """A heading and what stands under it, up to the next heading."""

    title: str
    level: Annotated[int, Field(ge=0)]
    line: Line
    tables: list[ReadTable]
    lists: list[list[ReadText]]


class ReadFault(Shape):
    """Something in a document that its format would mend in silence."""

    message: str
    span: Place
    hint: str


class ReadShape(Shape):
    """What ``refgen read --format json`` prints."""

    version: Literal["refgen/read/1"] = Field(alias="schema")
    file: str
    format: Format
    sections: list[ReadSection]
    faults: list[ReadFault]


class SocietyTrait(Shape):
    """A trait of a society; ``level`` is empty where its number is no level of the ladder."""

    trait: str
    level: str
    value: int


class AnsweredCondition(Shape):
    """A printed condition, and whether the society meets it; ``missing`` are the traits still needed to know."""

    table: str
    label: str
    test: str
    in_words: str
    answer: Literal["holds", "does not hold", "unknown", "no test"]
    missing: list[str]
    source: Place


class ConditionsShape(Shape):
    """What ``refgen conditions --format json`` prints."""

    version: Literal["refgen/conditions/1"] = Field(alias="schema")
    system: str
    society: list[SocietyTrait]
    conditions: list[AnsweredCondition]
