"""The reference booklet of a game: all tables by subject, ladders, rolls and facts, and the findings of the checks.

In: a game. Out: a Booklet: chapters of tables, each with the tables from which it was computed. A booklet has no
settings file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from refgen.aids.reference_lists import ELSEWHERE, SectionIndex, glossary_facts, glossary_ladders, glossary_rolls
from refgen.blocks.table_block import TableBlock, show_table
from refgen.blocks.table_cells import ShownCell, ShownColumn
from refgen.blocks.typesetting import typeset
from refgen.checks.finding import CheckReport, Finding
from refgen.game import GameModel
from refgen.rules.model import RuleTable
from refgen.span import Span

WORDS = "Words and numbers"
FINDINGS = "Findings"
_LADDERS, _ROLLS, _FACTS, _FINDINGS = "words-ladder", "words-rolls", "words-facts", "findings"


@dataclass(frozen=True, slots=True)
class CrossReference:
    """A reference to a place of the booklet, by title and anchor."""

    title: str
    anchor: str


@dataclass(frozen=True, slots=True)
class BookletTable:
    """A table of the booklet.

    ``notes`` are printed under the table. ``follows_from`` refers to the tables from which it was computed, ``differs``
    to the findings about it. ``place`` is the file and line where the document prints the table.
    """

    anchor: str
    block: TableBlock
    notes: tuple[str, ...] = ()
    place: str = ""
    follows_from: tuple[CrossReference, ...] = ()
    differs: tuple[CrossReference, ...] = ()


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter: a subject of the rules, the words of the game, or the findings."""

    title: str
    anchor: str
    tables: tuple[BookletTable, ...]


@dataclass(frozen=True, slots=True)
class Booklet:
    """A booklet: the sentences ``about`` the game on the cover, and the chapters."""

    about: tuple[str, ...]
    chapters: tuple[Chapter, ...]


def make_booklet(game: GameModel) -> Booklet:
    """The booklet of a game."""
    groups = SectionIndex(game).grouped(game.tables)
    tables = {table.id: table for group in groups.values() for table in group}
    report = game.check()
    chapters = [
        Chapter(
            typeset(title if title != ELSEWHERE or len(groups) > 1 else "Tables"),
            f"chapter-{number}",
            tuple(_table(game, table, tables, report) for table in group),
        )
        for number, (title, group) in enumerate(groups.items(), start=1)
    ]
    chapters.append(Chapter(WORDS, "words", tuple(_glossary_tables(game))))
    if report.findings:
        chapters.append(Chapter(FINDINGS, "findings-chapter", (_findings_table(report.findings),)))
    return Booklet(tuple(_about(game, report)), tuple(chapter for chapter in chapters if chapter.tables))


def _about(game: GameModel, report: CheckReport) -> Iterator[str]:
    printed, computed = len(game.printed), len(game.computed)
    yield f"{_count_of(printed, 'table')} as printed, {_count_of(computed, 'table')} computed from the rules."
    yield (
        f"{_count_of(report.compared, 'printed number')} compared with the rules: {report.agreeing} agree, "
        f"{report.rounding} are off by rounding alone; {_count_of(len(report.accepted), 'finding')} accepted, "
        f"{len(report.open)} open."
    )


def _count_of(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _table(game: GameModel, table: RuleTable, tables: Mapping[str, RuleTable], report: CheckReport) -> BookletTable:
    block = show_table(table, marks={} if table.computed else game.marks, words=game.words)
    found = any(finding.table == table.id for finding in report.findings)
    return BookletTable(
        _anchor(table.id),
        replace(block, note=""),
        tuple(filter(None, (typeset(table.explained), block.note))),
        block.source,
        tuple(_sources(table, tables.values())),
        (CrossReference(FINDINGS, _FINDINGS),) if found else (),
    )


def _anchor(table_id: str) -> str:
    return f"table-{table_id}"


def _sources(table: RuleTable, others: Iterable[RuleTable]) -> Iterator[CrossReference]:
    """References to the printed tables from which a computed table follows, in the order of the booklet."""
    if not table.computed:
        return
    files: dict[str, set[int]] = {}
    for span in {span for row in table.rows for cell in row for span in cell.sources}:
        files.setdefault(span.file, set()).add(span.start)
    for other in others:
        if other.span and any(other.span.start <= start < other.span.end for start in files.get(other.span.file, ())):
            yield CrossReference(other.title, _anchor(other.id))


def _glossary_tables(game: GameModel) -> Iterator[BookletTable]:
    """The tables of the ladders, of the rolls and of the numbers in prose."""
    for number, ladder in enumerate(glossary_ladders(game), start=1):
        rows = [(name, value) for value, name in ladder.levels]
        yield _text_table(f"{_LADDERS}-{number}", f"Ladder: {ladder.id}", {"Level": "start", "Number": "end"}, rows)
    rolls = [(one.title, one.expression, one.mean, one.deviation) for one, _ in glossary_rolls(game)]
    if rolls:
        heads = {"Roll": "start", "What is rolled": "start", "Mean": "end", "Standard deviation": "end"}
        yield _text_table(_ROLLS, "Rolls", heads, rolls)
    facts = [(one.title, f"{one.figure} {one.unit}".strip(), _place_in_game(one.span)) for one in glossary_facts(game)]
    if facts:
        heads = {"What": "start", "Figure": "start", "Stated at": "end"}
        yield _text_table(_FACTS, "Numbers in the text", heads, facts)


def _findings_table(findings: Sequence[Finding]) -> BookletTable:
    rows = [
        (
            " ".join(filter(None, (one.title or one.table, one.row, one.column))),
            typeset(one.printed),
            typeset(one.computed),
            typeset(f"Accepted: {one.accepted.reason}" if one.accepted else f"{one.severity.capitalize()}: {one.rule}"),
            _place_in_game(one.span),
        )
        for one in findings
    ]
    heads = dict.fromkeys(("Where", "Printed", "By the rules", "Verdict"), "start") | {"Stands at": "end"}
    return _text_table(_FINDINGS, "Numbers that differ from the rules", heads, rows)


def _place_in_game(span: Span) -> str:
    """File and line, without the folder of the game, which is the same throughout a booklet."""
    return f"{span.file.partition('/')[2] or span.file}:{span.line}"


def _text_table(anchor: str, title: str, heads: Mapping[str, str], rows: Iterable[Sequence[str]]) -> BookletTable:
    """A table of plain texts; ``heads`` has the head of each column and its alignment."""
    columns = tuple(ShownColumn(head, "", align) for head, align in heads.items())
    shown = tuple(
        tuple(
            ShownCell(text, column.align, header=not number)
            for number, (text, column) in enumerate(zip(row, columns, strict=True))
        )
        for row in rows
    )
    return BookletTable(anchor, TableBlock(title, columns, shown))
