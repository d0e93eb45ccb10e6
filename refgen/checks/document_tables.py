"""Checks of the tables of a document without a system.toml.

In: a Document. Out: a CheckReport with a finding for each row number that stands twice or is missing, and for each name
of a row with odd characters; a note for each number that goes against the order of its column, each percentage that its
dice cannot give, and each name that stands twice. It says too how many of the tables with dice are checked: those with
dice over a column, or in the caption.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

from refgen.checks.averages import average_comparisons
from refgen.checks.comparison import CheckSubject, comparison_id, judge
from refgen.checks.dice import PrintedChance, chance_findings, dice_in, outcomes_of
from refgen.checks.finding import CheckReport, Counted, Extent, Finding, FindingKind, Severity
from refgen.checks.results import findings_of
from refgen.checks.row_cover import RowNumber, cover_faults, cover_of, go_on, row_numbers, without_step
from refgen.checks.row_names import doubled_name_faults, odd_name_faults
from refgen.checks.sequence import BROKEN_BY_ONE, LAST_DIGIT, fine_steps, with_ten
from refgen.checks.subheads import parts_of_table
from refgen.errors import NotationError
from refgen.languages.title_words import title_words, words_in
from refgen.notation.figures import Rounding
from refgen.notation.printed_cell import WITH_DECIMALS, in_usual_style, is_blank, read_value
from refgen.notation.printed_numbers import NotationStyle
from refgen.notation.values import as_number
from refgen.readers.document import Document, Grid, RawCell, Section
from refgen.readers.heads import is_die
from refgen.readers.read import paragraphs_in
from refgen.rules.guess import are_results, guess_notation, guess_style
from refgen.source import plain_text
from refgen.span import Span
from refgen.words import Phrase

FEWEST_ROWS = 4
"""Fewer row numbers show no order, unless the dice are named."""

FEWEST_RISING = 8
"""Fewer numbers may well rise by chance, except for one."""


@dataclass(frozen=True, slots=True)
class DocumentTable:
    """A printed table: the style of its document, title, words above the columns, and the rows with data.

    ``parts`` are the parts of the table, between subheads, to which the rows belong. A table that goes on behind the
    break of a page, with its head again, is one table of several ``grids``.
    """

    document: Document
    style: NotationStyle
    grids: tuple[Grid, ...]
    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[RawCell]]
    parts: Sequence[int]

    @classmethod
    def of(cls, document: Document, style: NotationStyle, section: Section, grid: Grid) -> DocumentTable | None:
        """The table of a grid; None if the rows have different lengths, or if no row has data."""
        if not grid.body or len({len(row) for row in grid.body}) != 1:
            return None
        title = grid.caption or plain_text(section.title) or "Table"
        header = [*grid.header, *[""] * len(grid.body[0])]  # as long as the rows, at least
        parts = parts_of_table(grid.body, header)
        rows = [row for row, part in zip(grid.body, parts, strict=True) if part is not None]
        held = [part for part in parts if part is not None]
        return cls(document, style, (grid,), title, header, rows, held) if rows else None

    def with_rows_of(self, other: DocumentTable) -> DocumentTable:
        """The table together with a table in which the rows go on."""
        parts = (*self.parts, *(self.parts[-1] + part for part in other.parts))
        return replace(self, grids=(*self.grids, *other.grids), rows=(*self.rows, *other.rows), parts=parts)

    @property
    def columns(self) -> Sequence[Sequence[RawCell]]:
        """The cells of each column, from top to bottom."""
        return list(zip(*self.rows, strict=True))

    @property
    def dice(self) -> str:
        """The only dice over the first column, "" where there are none, or several."""
        dice = dice_in(self.style.usual(self.header[0]))
        return dice[0] if len(dice) == 1 else ""

    def goes_on_in(self, other: DocumentTable) -> bool:
        """Whether another table has the same head, and row numbers that follow those of this table."""
        if not any(self.header) or [*map(str.casefold, self.header)] != [*map(str.casefold, other.header)]:
            return False
        held, following = (next(_numberings(table), ((), ""))[0] for table in (self, other))
        return go_on(held, following, is_rolled=bool(self.dice))

    def finding(self, cell: RawCell, at: int, expected: str, rule: str, severity: Severity) -> Finding:
        """A finding about a cell of the column at a position."""
        row = next((row[0].text for row in self.rows if any(held is cell for held in row)), "")
        subject = self.subject("structure", cell, at, cell.text, row)
        kind, system = FindingKind.STRUCTURE, self.document.name
        return Finding.about(subject, kind, severity, system=system, rule=rule, computed=expected)

    def subject(self, what: str, cell: RawCell, at: int, printed: str, row: str) -> CheckSubject:
        """A cell of the column at a position, in a row with a name, as what a finding is about."""
        name = comparison_id(what, f"{cell.span.line}:{cell.span.column}")
        return CheckSubject(name, printed, cell.span, self.grids[0].id, self.title, row, self.header[at])


def document_report(document: Document) -> CheckReport:
    """Check a document without a system.toml.

    Row numbers cover their die once, numbers that rise or fall from row to row do so everywhere, percentages are
    chances of their dice, averages are means of theirs, and names of rows are as they seem, each name once.
    """
    style = guess_style(document)
    _, judged = judge(average_comparisons(paragraphs_in(document), document.sections, style))
    findings = list(findings_of(document.name, Rounding.HALF_UP, judged))
    checked: set[Span] = set()
    for table in document_tables(document, style):
        chances = list(_chances(table))
        findings += [*_row_number_findings(table), *_order_findings(table), *chance_findings(document.name, chances)]
        findings += _name_findings(table)
        if any(printed.dice for printed in chances) or any(_covers_dice(*numbered) for numbered in _numberings(table)):
            checked |= {grid.span for grid in table.grids}
    named = {grid.span for section in document.sections for grid in section.grids if _dice_named(grid, style)}
    extent = Extent(Counted.TABLES_WITH_DICE, len(named & checked), len(named))
    return CheckReport(document.name, tuple(judged), tuple(findings), {}, (), extent)


def document_tables(document: Document, style: NotationStyle) -> Sequence[DocumentTable]:
    """The tables of a document whose rows all have the same length; a table that goes on in the next is one with it."""
    found: list[DocumentTable] = []
    for section in document.sections:
        for table in (DocumentTable.of(document, style, section, grid) for grid in section.grids):
            if table is not None and found and found[-1].goes_on_in(table):
                found[-1] = found[-1].with_rows_of(table)
            elif table is not None:
                found.append(table)
    return found


def _dice_named(grid: Grid, style: NotationStyle) -> str:
    """The only dice in the head of a table, else in its caption; "" where there are none, or several."""
    for texts in (grid.header, [grid.caption]):
        if dice := {found for text in texts for found in dice_in(style.usual(text))}:
            return dice.pop() if len(dice) == 1 else ""
    return ""


def _covers_dice(numbers: Sequence[RowNumber], dice: str) -> bool:
    """Whether most row numbers have an outcome of the dice that are named over them."""
    cover = cover_of(numbers, outcomes_of(dice)) if dice else None
    return cover is not None and cover.is_by_dice and not cover.is_of_some


def _row_number_findings(table: DocumentTable) -> Iterator[Finding]:
    """Findings on row numbers that do not cover their die once."""
    for numbers, dice in _numberings(table):
        rule = Phrase("check-row-for-each", dice=dice) if dice else Phrase("check-rows-go-on")
        wrong = _cover_breaks(table, numbers, dice) if dice else _sequence_breaks(numbers)
        for number, expected in wrong:
            yield table.finding(number.cell, number.at, expected, rule, Severity.WARNING)


def _cover_breaks(table: DocumentTable, numbers: Sequence[RowNumber], dice: str) -> Sequence[tuple[RowNumber, str]]:
    """The row numbers that do not cover their dice once; none beside chances, where some results may stand alone."""
    cover = cover_of(numbers, outcomes_of(dice))
    return cover_faults(cover) if cover.is_damaged or not _has_chances(table) else []


_CHANCE = re.compile(r"\d\s?%|\A\d+\s?(?:[/⁄]|[^\W\d]+)\s?\d+\Z")


def _has_chances(table: DocumentTable) -> bool:
    """Whether a column has the chances of the rows: "17%", "6/36", "6 in 36", or a head that says so."""
    words = title_words("").chances
    return any(not words.isdisjoint(words_in(head)) for head in table.header) or any(
        all(_CHANCE.search(cell.text) for cell in column) for column in table.columns[1:]
    )


def _numberings(table: DocumentTable) -> Iterator[tuple[Sequence[RowNumber], str]]:
    """The row numbers of a table (of all columns, if the table is folded), and the dice named above them."""
    numbered = {at: found for at in range(len(table.columns)) if (found := _row_numbers(table, at))}
    heads = {at: table.header[at] for at in numbered}
    if 0 not in numbered:
        return
    together = [at for at in numbered if plain_text(heads[at]).casefold() == plain_text(heads[0]).casefold()]
    folded = [number for at in together for number in numbered[at]]
    if len(together) > 1 and _goes_on(numbered[together[0]], numbered[together[1]]):
        yield folded, table.dice
        return
    for at in together:
        yield numbered[at], table.dice


def _row_numbers(table: DocumentTable, at: int) -> Sequence[RowNumber]:
    column = table.columns[at]
    under_die = is_die(table.header[at]) and are_results([cell.text for cell in column], table.style)
    return row_numbers(column, at, table.style, are_results=under_die)


def _goes_on(first: Sequence[RowNumber], second: Sequence[RowNumber]) -> bool:
    """Whether the numbers of the second column follow those of the first, give or take one."""
    end, start = first[-1].high, second[0].low
    return end is not None and start is not None and end <= start <= end + BROKEN_BY_ONE


def _sequence_breaks(numbers: Sequence[RowNumber]) -> Iterator[tuple[RowNumber, str]]:
    """The row number that breaks a sequence; or, in a folded table, the number after a lost row.

    A 0 at the end, behind a 9, is the 10 of a die with ten faces.
    """
    if len(numbers) > 1 and numbers[-1].is_zero and numbers[-2].high == LAST_DIGIT:
        numbers = numbers[:-1]
    steps = [_step(above, below) for above, below in pairwise(numbers)]
    fine = fine_steps(steps, 1)
    broken = [place for place, joined in enumerate(fine) if not joined]
    if _is_cut_off(numbers, broken):
        first = numbers[broken[0]]
        yield numbers[broken[0] + 1], Phrase("check-after", number=(first.high or 0) + 1, before=first.cell.text)
    if len(numbers) < FEWEST_ROWS or not 0 < len(broken) <= BROKEN_BY_ONE or broken[-1] - broken[0] > 1:
        return
    if steps.count(1) < max(2, len(steps) / 2) or (len(broken) == 1 and len(numbers) <= FEWEST_ROWS):
        return
    odd = numbers[broken[-1]] if len(broken) > 1 else numbers[broken[0] + 1 if broken[0] else 0]
    before = numbers[broken[0]].high
    yield (
        odd,
        Phrase("check-another-number")
        if before is None
        else Phrase("check-after", number=before + 1, before=numbers[broken[0]].cell.text),
    )


def _is_cut_off(numbers: Sequence[RowNumber], broken: Sequence[int]) -> bool:
    """Whether each column of a folded table lacks as many numbers at its end."""
    columns = [number.at for number in numbers]
    seams = [place for place, (one, two) in enumerate(pairwise(columns)) if one != two]
    steps = {_step(numbers[place], numbers[place + 1]) for place in broken}
    return len(seams) > 1 and list(broken) == seams and len(steps) == 1 and min(steps) > 1


def _step(above: RowNumber, below: RowNumber) -> int:
    """How far the start of a row number is from the end of the one above; 0 for an open end."""
    return 0 if above.high is None or below.low is None else below.low - above.high


def _order_findings(table: DocumentTable) -> Iterator[Finding]:
    """Notes on the only number of a column that does not rise, or does not fall, like all its numbers."""
    for at, column in enumerate(table.columns):
        cells = _numbers(without_step(column), table.style)
        numbers = with_ten([number for _, number in cells])
        held = [(cell, number) for (cell, _), number in zip(cells, numbers, strict=True)]
        for sign, way in ((1, "check-others-rise"), (-1, "check-others-fall")):
            steps = [sign * (below - above) for (_, above), (_, below) in pairwise(held)]
            breaks = [place for place, step in enumerate(steps) if step <= 0]
            if len(held) < FEWEST_RISING or len(breaks) != 1 or steps[breaks[0]] == 0:
                continue
            odd = _position_at_fault(held, breaks[0], sign)
            if odd is not None:
                expected = (
                    Phrase("check-more-than", number=held[odd - 1][0].text)
                    if odd and sign > 0
                    else Phrase("check-another-number")
                )
                rule = Phrase(way)
                yield table.finding(held[odd][0], at, expected, rule, Severity.QUESTION)


def _position_at_fault(held: Sequence[tuple[RawCell, Fraction]], place: int, sign: int) -> int | None:
    """The position of the neighbour without which the numbers keep their order; None if neither is at fault."""
    for odd in (place + 1, place):
        rest = [number for at, (_, number) in enumerate(held) if at != odd]
        if all(sign * (below - above) > 0 for above, below in pairwise(rest)):
            return odd
    return None


def _name_findings(table: DocumentTable) -> Iterator[Finding]:
    """Findings on the names of the rows: characters that nobody sees or that look alike, and names that stand twice."""
    names = [row[0].text for row in table.rows]
    doubled = doubled_name_faults(table.rows, table.parts) if len(table.columns) > 1 else ()
    for fault in (*odd_name_faults(names), *doubled):
        cells = [table.rows[row][0] for row in (fault.row, fault.beside) if row is not None]
        subject = table.subject(fault.what, cells[0], 0, fault.printed, fault.printed)
        yield fault.finding(subject, table.document.name, [cell.span for cell in cells[1:]])


def _chances(table: DocumentTable) -> Iterator[PrintedChance]:
    """The percentages of a table, each with the texts that may name its dice."""
    for at, column in enumerate(table.columns):
        head = table.header[at]
        for row, cell in zip(table.rows, column, strict=True):
            try:
                value = (
                    read_value("percent", in_usual_style("percent", cell.text, table.style))
                    if "%" in cell.text
                    else None
                )
            except NotationError:
                continue
            if value is not None:
                name = comparison_id("chance", row[0].text, head, f"{cell.span.line}:{cell.span.column}")
                about = CheckSubject(name, cell.text, cell.span, "", table.title, row[0].text, head)
                yield PrintedChance(
                    about, value, [table.style.usual(text) for text in (head, table.grids[0].caption, table.title)]
                )


def _numbers(column: Sequence[RawCell], style: NotationStyle) -> Sequence[tuple[RawCell, Fraction]]:
    """The cells of a column with their numbers; () where a cell has no single number."""
    texts = [cell.text for cell in column]
    notation = guess_notation(texts, style)
    if notation not in WITH_DECIMALS:
        return ()
    shown = style.of_column(texts)
    found = []
    for cell in column:
        if not is_blank(notation, cell.text):
            number = as_number(read_value(notation, shown.usual(cell.text), language=style.language))
            if number is None:
                return ()
            found.append((cell, number))
    return found
