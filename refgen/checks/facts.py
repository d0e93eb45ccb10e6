"""Numbers in prose against tables and dice.

In: a fact, and the cell or the dice that must agree with it. Out: a Comparison.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Literal, Self

from pydantic import model_validator

from refgen.checks.comparison import CheckSpec, Comparison, precision_of, printed_number
from refgen.checks.formulas import come_up_alike, fact_of, subject_of
from refgen.notation.values import DiceText, Interval, Value, as_number
from refgen.resolver.lookup import column_of, dice_of, sources_of_dice, table_of, words_of
from refgen.resolver.rolls import roll_of
from refgen.rules.field_types import Identifier, RolledText
from refgen.rules.model import Ruleset

RESTATED = "restated"
"""The check of what a document says once more, in words that ``[restated]`` of proof.toml has."""


def check_restated(ruleset: Ruleset) -> Iterator[Comparison]:
    """A number that the document states again must equal the first statement."""
    count: Counter[str] = Counter()
    facts = dict(ruleset.facts)
    for once_more in (said for said in ruleset.restated if said.id in facts):  # else it is told as an error
        fact = facts[once_more.id]
        count[once_more.id] += 1
        number = f"/{count[once_more.id]}" if count[once_more.id] > 1 else ""
        yield Comparison(
            subject_of(f"{RESTATED}/{once_more.id}{number}", once_more),
            computed=fact.text,
            rule=f"it is {fact.text} at {fact.span}",
            number=printed_number(once_more.value),
            exact=printed_number(fact.value),
            precision=precision_of(once_more.text, once_more.value),
            same=once_more.value == fact.value or _rolls_the_same(ruleset, once_more.value, fact.value),
            sources=(fact.span,),
        )


def _rolls_the_same(ruleset: Ruleset, one: Value, other: Value) -> bool:
    """Whether two values are dice that come up alike: d6 and 1d6."""
    if not (isinstance(one, DiceText) and isinstance(other, DiceText) and one.expression and other.expression):
        return False
    return come_up_alike(roll_of(ruleset, one.expression), roll_of(ruleset, other.expression))


class QuotesSpec(CheckSpec):
    """A fact that quotes a table: the cell of ``column`` in the row whose ``key`` is the number of the fact ``at``.

    With ``row`` in place of ``at`` it is the row whose ``key`` prints those words.
    """

    kind: Literal["quotes"]
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


def check_quotes(ruleset: Ruleset, check_id: str, spec: QuotesSpec) -> Iterator[Comparison]:
    """A sentence about a table gives the same figure as the row of the table that the sentence names."""
    fact, table = fact_of(ruleset, spec.fact), table_of(ruleset, spec.table)
    at = fact_of(ruleset, spec.at) if spec.at is not None else None
    wanted = as_number(at.value) if at is not None else spec.row
    pairs = zip(column_of(table, spec.key), column_of(table, spec.column), strict=True)
    found = [(key, cell) for key, cell in pairs if wanted == (as_number(key.value) if at is not None else key.text)]
    named = at.text if at is not None else spec.row
    rule = f'the table "{table.title}" has it in the row {named}'
    if len(found) != 1:
        rule += f", and {len(found)} rows are that one" if found else ", and there is no such row"
        places = [span for span in (at.span if at is not None else None, table.span) if span is not None]
        yield Comparison(subject_of(check_id, fact), "nothing", rule, inferred=spec.inferred, sources=tuple(places))
        return
    ((key, printed),) = found
    spans = (at.span if at is not None else None, key.span, printed.span)
    yield Comparison(
        subject_of(check_id, fact),
        computed=printed.text,
        rule=rule,
        number=printed_number(fact.value),
        exact=printed_number(printed.value),
        precision=precision_of(fact.text, fact.value),
        same=fact.value == printed.value,
        inferred=spec.inferred,
        sources=tuple(span for span in spans if span is not None),
    )


class RangeSpec(CheckSpec):
    """A fact that states the range of some dice."""

    kind: Literal["range"]
    fact: Identifier
    dice: RolledText


def check_range(ruleset: Ruleset, check_id: str, spec: RangeSpec) -> Iterator[Comparison]:
    """The range of results that a sentence states is the range of the dice."""
    fact = fact_of(ruleset, spec.fact)
    outcomes = roll_of(ruleset, spec.dice).outcomes
    yield Comparison(
        subject_of(check_id, fact),
        computed=f"{outcomes[0]} to {outcomes[-1]}",
        rule=f"the lowest and highest result of {dice_of(ruleset, spec.dice)}",
        same=fact.value == Interval(outcomes[0], outcomes[-1]),
        inferred=spec.inferred,
        sources=sources_of_dice(ruleset, spec.dice),
    )


class SameDistributionSpec(CheckSpec):
    """A fact with dice that come up exactly like other dice."""

    kind: Literal["same-distribution"]
    fact: Identifier
    dice: RolledText
    rule: str = ""


def check_same_distribution(ruleset: Ruleset, check_id: str, spec: SameDistributionSpec) -> Iterator[Comparison]:
    """The dice of a fact come up exactly as other dice do."""
    fact = fact_of(ruleset, spec.fact)
    rolled, other = roll_of(ruleset, f"{{{fact.id}}}"), roll_of(ruleset, spec.dice)
    dice = dice_of(ruleset, spec.dice)
    yield Comparison(
        subject_of(check_id, fact),
        computed=f"dice that come up like {dice}",
        rule=words_of(ruleset, spec.rule) or f"the dice have the same results as {dice}, each as often",
        same=come_up_alike(rolled, other),
        inferred=spec.inferred,
        sources=sources_of_dice(ruleset, spec.dice),
    )
