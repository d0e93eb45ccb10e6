"""Texts are set with real minus signs and en dashes, and figures that checks have marked have footnotes."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from refgen.blocks.kinds import BlockSpec, make_block
from refgen.blocks.table_block import TableBlock, show_table
from refgen.blocks.text_blocks import FactsBlock, QuoteSpec, TextBlock
from refgen.blocks.typesetting import Footnote, footnotes, typeset
from refgen.checks.agreement import CompareSpec
from refgen.checks.finding import Acceptance, CheckReport, Mark, Print, marks
from refgen.checks.run import check
from refgen.game import GameModel
from refgen.notation.values import DiceText, Interval, LabelledDice, Number, NumberList, Quantity, Score, Text, Value
from tests.conftest import computed, ours


@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [
        ("-1", None, "−1"),
        ("7-18", Interval(7, 18), "7–18"),
        ("-4--2", Interval(-4, -2), "−4–−2"),
        ("+/-2", None, "±2"),
        ("Scope-1", None, "Scope−1"),
        ("Scratched[1-3]", Text("Scratched[1-3]"), "Scratched[1–3]"),
        ("d4-1", None, "d4−1"),
        ("d8-d6", DiceText("d8-d6"), "d8−d6"),
        ("all-out", Text("all-out"), "all-out"),
        ("6-", Interval(None, 6), "6−"),
        ("–4 – –1", Interval(-4, -1), "−4 – −1"),
        ("–½", Number(Fraction(-1, 2)), "−½"),
        ("–5 gp", Quantity(Fraction(-5), "gp"), "−5 gp"),
        ("16 (–1)", Score(Fraction(16), Fraction(-1)), "16 (−1)"),
        ("2d6-1 fire", LabelledDice("2d6-1", "fire"), "2d6−1 fire"),
        ("–", None, "–"),
        ("–5 gp", Text("–5 gp"), "–5 gp"),
        *((f"1{dash}3", Interval(1, 3), "1–3") for dash in "‐‑‒—―−"),
        *((f"{dash}2", Number(Fraction(-2)), "−2") for dash in "‐‑‒—―"),
        ("1 − 3", Interval(1, 3), "1 – 3"),
        ("1 - 3", Interval(1, 3), "1 – 3"),
        ("2〜3", Interval(2, 3), "2〜3"),
        ("Half‑Orc", Text("Half‑Orc"), "Half-Orc"),  # few fonts have the hyphen at which no line breaks
        ("2‑3 wolves", Text("2‑3 wolves"), "2–3 wolves"),
        ("1-2, 5-6", NumberList((1, 2, 5, 6)), "1–2, 5–6"),
        ("1-3", Text("1-3"), "1–3"),
    ],
)
def test_figures_are_typeset(text: str, value: Value | None, expected: str) -> None:
    assert typeset(text, value) == expected


SYSTEM = "interactive-history"


ROUNDED_ONE_BY_ONE = CompareSpec(
    kind="compare", printed="levels", computed="roll-odds", key="value", columns={"value": "exactly"}, rule="a chance"
)
"""A check by which five of the nine chances are odd: they are rounded otherwise."""


def report(prints: Print | None = None) -> CheckReport:
    """The findings of a system by that check, without its errata, or all accepted with one reason."""
    rules = ours(SYSTEM)
    spec = rules.spec.model_copy(update={"checks": {**rules.spec.checks, "roll-chances": ROUNDED_ONE_BY_ONE}})
    found = check(replace(rules, spec=spec, kept={}), computed(SYSTEM))
    if prints is None:
        return found
    accepted = Acceptance("The column is made to add up.", prints)
    return replace(found, findings=tuple(replace(finding, accepted=accepted) for finding in found.findings))


def chances(shown: TableBlock) -> list[str]:
    return [row[0].text + row[0].sign for row in shown.rows]


def levels(prints: Print | None) -> TableBlock:
    return show_table(ours(SYSTEM).tables["levels"], ["value"], marks=marks(report(prints).findings))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("prints", "cells", "note"),
    [
        (None, ["+2 (13%)*", "+1 (19%)*", "0 (24%)*"], "By the rules: 12%, 20%, 23%, 20%, 12%."),
        (
            Print.PRINTED,
            ["+2 (13%)*", "+1 (19%)*", "0 (24%)*"],
            "The column is made to add up. By the rules: 12%, 20%, 23%, 20%, 12%.",
        ),
        (
            Print.COMPUTED,
            ["+2 (12%)*", "+1 (20%)*", "0 (23%)*"],
            "The column is made to add up. Printed: +2 (13%), +1 (19%), 0 (24%), −1 (19%), −2 (13%).",
        ),
        (
            Print.BOTH,
            ["+2 (13%) / 12%*", "+1 (19%) / 20%*", "0 (24%) / 23%*"],
            "The column is made to add up.",
        ),
    ],
)
def test_a_cell_prints_what_its_erratum_says(prints: Print | None, cells: list[str], note: str) -> None:
    block = levels(prints)
    assert chances(block)[2:5] == cells
    assert block.footnotes == (Footnote("*", note),)


@pytest.mark.slow
def test_what_agrees_has_no_sign() -> None:
    assert chances(levels(None))[:2] == ["+4 (1%)", "+3 (5%)"]
    assert show_table(ours(SYSTEM).tables["orientations"], marks=marks(report().findings)).footnotes == ()


def test_different_reasons_have_different_signs() -> None:
    cells = [row[0] for row in ours(SYSTEM).tables["levels"].rows[:7]]
    spans = [cell.span for cell in cells if cell.span is not None]
    held = {
        span: Mark(cell.text, f"Reason {n}.", "", "") for n, (span, cell) in enumerate(zip(spans, cells, strict=True))
    }
    notes = footnotes(spans, held)
    assert [notes.sign(span) for span in spans] == ["*", "†", "‡", "§", "¶", "**", "††"]
    assert notes.notes[5] == Footnote("**", "Reason 5.")


def test_a_fact_in_a_text_or_a_list_of_facts_has_its_sign() -> None:
    marked = GameModel(ours(SYSTEM))
    marked.marks = {marked.facts["disaster-chance"].span: Mark("2%", "About.", "By the rules", "2.5%")}
    text = make_block(marked, BlockSpec(text="A disaster: {disaster-chance} a year, in {round} year."))
    assert isinstance(text, TextBlock)
    assert text.texts == ("A disaster: 2%* a year, in 1 year.",)
    assert text.footnotes == (Footnote("*", "About. By the rules: 2.5%."),)
    facts = make_block(marked, BlockSpec(facts=["disaster-chance", "round"]))
    assert isinstance(facts, FactsBlock)
    assert [figure for _, figure in facts.pairs] == ["2%*", "1"]
    assert facts.footnotes == text.footnotes


def test_a_figure_in_the_note_of_a_quotation_has_its_sign_and_its_footnote() -> None:
    marked = GameModel(ours(SYSTEM))
    marked.marks = {marked.facts["disaster-chance"].span: Mark("2%", "About.", "By the rules", "2.5%")}
    section = next(section for section in marked.sections if section.paragraphs)
    quote = make_block(marked, BlockSpec(quote=QuoteSpec(section=section.title), note="{disaster-chance} a year."))
    assert (quote.note, quote.footnotes) == ("2%* a year.", (Footnote("*", "About. By the rules: 2.5%."),))
