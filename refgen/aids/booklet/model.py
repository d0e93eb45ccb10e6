"""The reference booklet of a game: all tables by subject, ladders, rolls and facts, and the findings of the checks.

In: a game. Out: a Booklet: chapters of tables, each with the tables from which it was computed. A booklet has no
settings file.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from refgen.aids.reference_lists import SectionIndex, glossary_facts, glossary_ladders, glossary_rolls, path_in_game
from refgen.blocks.letters import SettableWords
from refgen.blocks.table_block import TableBlock, show_table, text_table
from refgen.blocks.table_cells import ShownColumn
from refgen.blocks.typesetting import typeset
from refgen.checks.finding import CheckReport, Finding
from refgen.game import GameModel
from refgen.rules.model import RuleTable
from refgen.words import Words

_LADDERS, _ROLLS, _FACTS, _FINDINGS = "words-ladder", "words-rolls", "words-facts", "findings"


@dataclass(frozen=True, slots=True)
class LinkedText:
    """Some words, such as the title of a table, and the anchor that they link to; "" for words without a link."""

    text: str
    anchor: str = ""


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
    follows_from: tuple[LinkedText, ...] = ()
    differs: tuple[LinkedText, ...] = ()

    def settable(self, block: TableBlock, kept: Collection[str], words: SettableWords) -> BookletTable:
        """The table with a ``block`` that can be set, which refers to tables that are ``kept`` alone."""
        references = (
            tuple(replace(each, text=words.title(each.text)) for each in texts if each.anchor in kept)
            for texts in (self.follows_from, self.differs)
        )
        follows_from, differs = references
        notes, place = tuple(map(words.title, self.notes)), words.title(self.place)
        return BookletTable(self.anchor, block, notes, place, follows_from, differs)


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

    def settable(self, words: SettableWords) -> Booklet:
        """The booklet without the tables and the letters that no font has."""
        blocks = {table.anchor: words.block(table.block, table.block.title) for table in self._tables}
        kept = {anchor for anchor, block in blocks.items() if block is not None}
        chapters = [
            replace(
                chapter,
                title=words.title(chapter.title),
                tables=tuple(
                    table.settable(block, kept, words)
                    for table in chapter.tables
                    if (block := blocks[table.anchor]) is not None
                ),
            )
            for chapter in self.chapters
            if any(table.anchor in kept for table in chapter.tables)
        ]
        return Booklet(tuple(map(words.title, self.about)), tuple(chapters))

    @property
    def _tables(self) -> Iterator[BookletTable]:
        return (table for chapter in self.chapters for table in chapter.tables)

    @property
    def is_computed(self) -> bool:
        """Whether a table of the booklet is computed."""
        return any(table.block.tag for table in self._tables)


def make_booklet(game: GameModel) -> Booklet:
    """The booklet of a game."""
    groups = SectionIndex(game).grouped(game.tables)
    tables = {table.id: table for group in groups.values() for table in group}
    report, words = game.check(), game.words
    elsewhere = words("other-tables")
    chapters = [
        Chapter(
            typeset(title if title != elsewhere or len(groups) > 1 else words("tables")),
            f"chapter-{number}",
            tuple(_table(game, table, tables, report) for table in group),
        )
        for number, (title, group) in enumerate(groups.items(), start=1)
    ]
    chapters.append(Chapter(words("words-and-numbers"), "words", tuple(_glossary_tables(game))))
    if report.findings:
        chapters.append(Chapter(words("findings"), "findings-chapter", (_findings_table(report.findings, words),)))
    return Booklet(tuple(_about_texts(game, report)), tuple(chapter for chapter in chapters if chapter.tables))


def _about_texts(game: GameModel, report: CheckReport) -> Iterator[str]:
    printed, computed = len(game.printed), len(game.computed)
    words = game.words
    tables = (words("tables-printed", count=printed), words("tables-computed", count=computed))
    yield words("booklet-tables", printed=tables[0], computed=tables[1])
    yield words(
        "booklet-numbers",
        compared=words("numbers-compared", count=report.compared),
        agreeing=report.agreeing,
        rounding=report.rounding,
        accepted=words("findings-accepted", count=len(report.accepted)),
        open=len(report.open),
    )


def _table(game: GameModel, table: RuleTable, tables: Mapping[str, RuleTable], report: CheckReport) -> BookletTable:
    block = show_table(table, marks={} if table.computed else game.marks, words=game.words)
    found = any(finding.table == table.id for finding in report.findings)
    return BookletTable(
        _anchor(table.id),
        replace(block, note=""),
        tuple(filter(None, (typeset(table.explained_in(game.words)), block.note))),
        path_in_game(block.source),
        tuple(_sources(table, tables.values())),
        (LinkedText(game.words("findings"), _FINDINGS),) if found else (),
    )


def _anchor(table_id: str) -> str:
    return f"table-{table_id}"


def _sources(table: RuleTable, others: Iterable[RuleTable]) -> Iterator[LinkedText]:
    """References to the printed tables from which a computed table follows, in the order of the booklet."""
    if not table.computed:
        return
    files: dict[str, set[int]] = {}
    for span in {span for row in table.rows for cell in row for span in cell.sources}:
        files.setdefault(span.file, set()).add(span.start)
    for other in others:
        if other.span and any(other.span.start <= start < other.span.end for start in files.get(other.span.file, ())):
            yield LinkedText(other.title, _anchor(other.id))


def _glossary_tables(game: GameModel) -> Iterator[BookletTable]:
    """The tables of the ladders, of the rolls and of the numbers in prose."""
    words = game.words
    for number, ladder in enumerate(glossary_ladders(game), start=1):
        rows = [(name, value) for value, name in ladder.levels]
        heads = {words("level"): "start", words("number"): "end"}
        yield _text_table(f"{_LADDERS}-{number}", words("ladder-named", name=ladder.id), heads, rows)
    rolls = [(one.title, one.expression, one.mean, one.deviation) for one, _ in glossary_rolls(game)]
    if rolls:
        starts, ends = ("roll", "what-is-rolled"), ("mean", "standard-deviation")
        heads = {**_heads(words, starts, "start"), **_heads(words, ends, "end")}
        yield _text_table(_ROLLS, words("rolls"), heads, rolls)
    facts = [(one.title, f"{one.figure} {one.unit}".strip(), path_in_game(one.place)) for one in glossary_facts(game)]
    if facts:
        heads = {**_heads(words, ("fact", "figure"), "start"), words("stated-at"): "end"}
        yield _text_table(_FACTS, words("numbers-in-text"), heads, facts)


def _heads(words: Words, names: Iterable[str], align: str) -> Mapping[str, str]:
    """The heads of columns by their ids, with their alignment."""
    return dict.fromkeys(map(words, names), align)


def _findings_table(findings: Sequence[Finding], words: Words) -> BookletTable:
    rows = [
        (
            " ".join(filter(None, (one.title or one.table, one.row, one.column))),
            typeset(one.printed),
            typeset(words.figure(one.computed)),
            typeset(_verdict(one, words)),
            path_in_game(one.span.short),
        )
        for one in (finding.in_words(words) for finding in findings)
    ]
    starts = ("where", "printed", "by-the-rules", "verdict")
    heads = {**_heads(words, starts, "start"), words("stands-at"): "end"}
    return _text_table(_FINDINGS, words("numbers-that-differ"), heads, rows)


def _verdict(finding: Finding, words: Words) -> str:
    """The reason why a finding is accepted, or how grave the finding is, and the rule."""
    if finding.accepted:
        return words("booklet-accepted", reason=finding.accepted.reason)
    return f"{words(f'booklet-{finding.severity}')}: {finding.rule}"


def _text_table(anchor: str, title: str, heads: Mapping[str, str], rows: Iterable[Sequence[str]]) -> BookletTable:
    """A table of plain texts; ``heads`` has the head of each column and its alignment."""
    columns = [ShownColumn(head, "", align) for head, align in heads.items()]
    return BookletTable(anchor, text_table(title, columns, rows))
