"""Printed odds, and the dice that explain them."""

from __future__ import annotations

from pathlib import Path

import pytest

from refgen.checks.comparison import Verdict
from refgen.files import bundled_folder
from refgen.proposals.printed_odds import odds_entries
from tests.conftest import ours
from tests.proposals.drafts import draft_of, foreign_draft, made_game, shown


def table(*rows: str, head: str = "Number | Success", title: str = "Odds") -> str:
    """A document with one table of a number and a chance a row: "7 58%"."""
    lines = "\n".join(f"| {row.replace(' ', ' | ')} |" for row in rows)
    return f"# Game\n\n## {title}\n\n| {head} |\n|{'--|' * (head.count('|') + 1)}\n{lines}\n"


TWO_DICE = ("2 100%", "3 97%", "4 92%", "5 83%", "6 72%", "7 58%", "8 42%", "9 28%", "10 17%", "11 8%", "12 3%")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "words"),
    [
        (table(*TWO_DICE), "11 of 11 chances from rules.md:7:7 on are those of 2d6 at least the number"),
        (
            table("1 17%", "2 31%", "3 42%", "4 52%", "5 60%", "6 67%", head="Dice | Success"),
            "6 of 6 chances from rules.md:7:7 on are those of at least one 6 with so many d6",
        ),
        (
            table("1 27.8%", "2 47.8%", "3 62.3%", "4 72.8%"),
            "4 of 4 chances from rules.md:7:7 on are those of at least one 6 with so many d6, those that show neither "
            "1 nor 6 rolled once more",
        ),
        (
            table("-2 17%", "-1 28%", "0 42%", "+1 58%", "+2 72%", "+3 83%", head="Modifier | Success"),
            "6 of 6 chances from rules.md:7:8 on are those of 2d6 and the number at least 8",
        ),
        (
            table("2 2.8%", "3-5 25%", "6-8 44.4%", "9-11 25%", "12 2.8%", head="Result | Odds"),
            "5 of 5 chances from rules.md:7:7 on are those of 2d6 within the range",
        ),
        (
            table("3 15%", "6 30%", "9 45%", "12 60%", "15 75%", head="Skill | Success"),
            "5 of 5 chances from rules.md:7:7 on are those of d20 at most the number",
        ),
    ],
)
def test_odds_that_dice_explain_agree_with_them(tmp_path: Path, text: str, words: str) -> None:
    draft = draft_of(text)
    (entry,) = odds_entries(draft)
    assert (entry.certain, *entry.evidence) == (True, words)
    verdicts = [judged.verdict for judged in made_game(tmp_path, draft, [entry]).check().judged]
    assert verdicts == [Verdict.AGREES] * len(draft.tables[0].found.rows)


@pytest.mark.slow
def test_odds_that_differ_are_reported_with_the_right_chance() -> None:
    wrong = [row.replace("8 42%", "8 52%") for row in TWO_DICE]
    entries = odds_entries(draft_of(table(*wrong)))
    assert [entry.is_likely for entry in entries] == [True]
    assert shown(entries) == [
        "[checks.odds-success-odds] 10 of 11 chances from rules.md:7:7 on are those of 2d6 at least the number "
        "52% at rules.md:13:7 is not: 42%"
    ]


def test_odds_beside_their_numbers_in_one_cell(tmp_path: Path) -> None:
    text = "| Roll |\n|--|\n" + "\n".join(
        f"| {cell} |" for cell in ("+2 (12%)", "+1 (20%)", "0 (23%)", "-1 (20%)", "-2 (12%)", "-3 (5%)")
    )
    draft = draft_of(f"# Odds\n\n{text}\n")
    (entry,) = odds_entries(draft)
    assert entry.evidence == ["6 of 6 chances from rules.md:5:3 on are those of 4dF exactly the number"]
    assert [judged.verdict for judged in made_game(tmp_path, draft, [entry]).check().judged] == [Verdict.AGREES] * 6


@pytest.mark.slow
def test_odds_are_read_in_the_language_of_the_document() -> None:
    rows = ("3 97,2%", "4 91,7%", "5 83,3%", "6 72,2%", "7 58,3%")
    (entry,) = odds_entries(draft_of(table(*rows, head="Wert | Chance"), "de"))
    assert entry.evidence == ["5 of 5 chances from rules.md:7:7 on are those of 2d6 at least the number"]


@pytest.mark.parametrize(
    "text",
    [
        table("1 5%", "2 10%", "3 15%", "4 20%", head="Level | Discount", title="Prices"),
        table("1 10%", "2 20%", "3 40%", "4 80%"),
        table("7 58%", "8 42%", "9 28%"),
        table("2 200%", "3 175%", "4 150%", "5 135%", "6 125%"),
        table("Low 10%", "Fair 20%", "High 30%", "Best 40%"),
    ],
)
def test_other_percentages_are_explained_by_no_dice(text: str) -> None:
    assert odds_entries(draft_of(text)) == []


@pytest.mark.slow
def test_the_odds_of_fudge_dice_in_interactive_history_are_open_ended_and_two_of_them_differ() -> None:
    path = bundled_folder("content") / "interactive-history" / ours("interactive-history").spec.document.file
    (entry,) = odds_entries(draft_of(path.read_text(encoding="utf-8")))
    assert entry.is_likely
    assert entry.evidence == [
        "7 of 9 chances from rules.md:55:1 on are those of open(4dF) exactly the number",
        "+1 (19%) at rules.md:58:1 is not: 20%",
        "-1 (19%) at rules.md:60:1 is not: 20%",
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["worlds.html", "vehicle-design.html", "trade-and-commerce.html"])
def test_the_percentages_of_cepheus_are_no_odds(name: str) -> None:
    assert odds_entries(foreign_draft(f"cepheus/{name}")) == []
