"""The figures of docs/checks.md: what became of all changes of each document, and what need not be caught.

In: judged changes. Out: the part of docs/checks.md between two marks. Documents that were not tried keep their rows.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from tests.checks.mutation.exceptions import EXCEPTIONS, SAME_MEANING
from tests.checks.mutation.front_door import OURS, documents, system
from tests.checks.mutation.mutations import Size
from tests.checks.mutation.run import Judged
from tests.checks.mutation.tokens import Standing
from tests.checks.mutation.verdict import Verdict
from tests.figures import ROOT, commit, in_block, with_block

DOCS = ROOT / "docs" / "checks.md"
BLOCK = "changes of numbers"
TOTAL = "all"
GOAL = 0.99
"""So many of the mutations by one unit of compared numbers must be caught at their place."""

Row = Sequence[int]


@dataclass(frozen=True, slots=True)
class Figures:
    """A table of figures: its heads, and what it counts of the changes of a document."""

    title: str
    heads: Sequence[str]
    count: Callable[[Sequence[Judged]], Row]

    def lines(self, rows: Mapping[str, Row]) -> list[str]:
        total = [sum(column) for column in zip(*rows.values(), strict=True)]
        marks = "|".join("--:" for _ in self.heads)
        shown = [*rows.items(), (TOTAL, total)]
        return [
            f"{self.title}:",
            "",
            f"| document | {' | '.join(self.heads)} |",
            f"|---|{marks}|",
            *(f"| {name} | {' | '.join(map(str, row))} |" for name, row in shown),
            "",
        ]


VERDICTS = tuple(Verdict)
AT_PLACE = tuple(verdict for verdict in Verdict if verdict.is_at_place)


def _of_unit(judged: Sequence[Judged]) -> Row:
    wanted = [one for one in judged if one.size is Size.UNIT and one.standing.is_derivable]
    found = Counter(one.verdict for one in wanted if not one.exception)
    return [len(wanted), *(found[verdict] for verdict in VERDICTS), sum(bool(one.exception) for one in wanted)]


def _of_others(judged: Sequence[Judged]) -> Row:
    row: list[int] = []
    for size, standing in ((Size.LOT, Standing.COMPARED), (Size.SWAP, Standing.COMPARED), (Size.UNIT, Standing.SOURCE)):
        wanted = [one for one in judged if one.size is size and one.standing is standing and not one.exception]
        row += [len(wanted), sum(one.verdict.is_caught for one in wanted)]
    return row


def _of_edits(judged: Sequence[Judged]) -> Row:
    edits = [one for one in judged if one.size is None]
    silent = [one for one in edits if one.verdict is Verdict.SILENT]
    noted = sum(one.verdict is Verdict.MASKED for one in edits)
    caught = sum(one.verdict.is_caught for one in edits)
    hidden = sum(one.is_hidden for one in silent)
    same = sum(not one.differs for one in silent)
    elsewhere = len(edits) - caught - noted - len(silent)
    return [len(edits), caught, elsewhere, noted, same, len(silent) - same - hidden, hidden]


TABLES = (
    Figures(
        "Compared numbers, words for numbers, levels and dice, each changed by one unit up and down",
        ["changes", *map(str, VERDICTS), "excepted"],
        _of_unit,
    ),
    Figures(
        "The same by a lot, or swapped with the next one or with the cell below; and what they rest on, by one unit",
        ["a lot", "caught", "swapped", "caught", "sources", "caught"],
        _of_others,
    ),
    Figures(
        "What authors do by accident, of rows, columns, cells, signs, decimals, digits, levels and ranges",
        [
            "edits",
            "caught there",
            "reported elsewhere",
            "by a note",
            "nothing shown differs",
            "excepted",
            "in silence",
        ],
        _of_edits,
    ),
)


def name_of(document: str) -> str:
    """What the tables call a document."""
    one = documents()[document]
    _, spec, _, _ = system(one.game)
    return spec.title if one.edition == OURS else f"{spec.title}, the original"


def rows_in(text: str) -> Mapping[str, Mapping[str, Row]]:
    """The rows of each table in a text, by the table's title and the document."""
    found: dict[str, dict[str, Row]] = {}
    for table in TABLES:
        part = text.partition(f"{table.title}:\n")[2]
        lines = re.findall(r"^\| ([^|]+) \| ([\d |]+) \|$", part.partition(f"| {TOTAL} |")[0], re.MULTILINE)
        found[table.title] = {name: [int(cell) for cell in cells.split("|")] for name, cells in lines}
    return found


def updated(text: str, judged: Mapping[str, Sequence[Judged]]) -> str:
    """docs/checks.md with the figures of some documents again."""
    rows = rows_in(in_block(text, BLOCK))
    names = list(map(name_of, documents()))
    lines: list[str] = []
    for table in TABLES:
        tried = {name_of(document): table.count(some) for document, some in judged.items()}
        known = tried | dict(rows[table.title]) | {name: row for name, row in tried.items() if any(row)}
        lines += table.lines({name: known[name] for name in names if name in known})
    measured = f"Measured on {datetime.now(UTC).date()} at {commit()}."
    return with_block(text, BLOCK, "\n" + "\n".join([measured, "", *lines, *exception_lines(), ""]))


def exception_lines() -> list[str]:
    """The changes that need not be caught, each kind with its reason."""
    lines = ["Excepted, since nothing could tell:", ""]
    lines.append(f"- {SAME_MEANING}: `+4,+3` made `+3,+4`, and wherever no fact and no row is another.")
    reasons = dict.fromkeys(one.reason for one in EXCEPTIONS)
    for reason in reasons:
        of_reason = [one for one in EXCEPTIONS if one.reason == reason]
        names = ", ".join(f"`{one.game}/{one.name}`" + (f" made {one.new}" if one.new else "") for one in of_reason)
        lines.append(f"- {reason}: {names}.")
    return lines


def faults(text: str) -> list[str]:
    """What the figures in docs/checks.md do not reach."""
    unit, _, edits = (rows_in(in_block(text, BLOCK))[table.title] for table in TABLES)
    made, *verdicts, excepted = (sum(column) for column in zip(*unit.values(), strict=True))
    by_verdict = dict(zip(VERDICTS, verdicts, strict=True))
    caught = sum(by_verdict[verdict] for verdict in AT_PLACE)
    wrong = []
    if caught < GOAL * (made - excepted):
        wrong.append(f"{caught} of {made - excepted} mutations by one unit are caught at their place")
    wrong += [f"{by_verdict[one]} are {one}" for one in (Verdict.CRASHED, Verdict.MASKED) if by_verdict[one]]
    hidden = sum(row[-1] for row in edits.values())
    return [*wrong, f"{hidden} edits are shown in silence"] if hidden else wrong
