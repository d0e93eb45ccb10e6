"""Checks of the names of rows: characters that nobody sees, letters of other scripts, and names that stand twice.

In: the printed tables of a ruleset, or the rows of any table. Out: findings on the first columns and key columns, each
at its cell; or NameFaults. A warning for a character within a name; a question for a word that may be written in
letters of another script, and for a name that stands twice where nothing needs a name once (where a row is found by its
name, the checks of tables have an error).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from refgen.catalog import fold_look
from refgen.checks.comparison import ChecksSpec, CheckSubject, comparison_id
from refgen.checks.finding import Finding, FindingKind, Severity
from refgen.checks.subheads import PlacedCell, is_one_row, parts_of_table
from refgen.checks.table_structure import Key, keys_of
from refgen.look_alikes import (
    SOFT_HYPHEN,
    code_points,
    foreign_letters,
    foreign_words,
    main_script,
    mended,
    reads_right_to_left,
    scripts_at_home,
    show_name,
    unseen_characters,
    with_code_points,
)
from refgen.rules.model import Ruleset, RuleTable
from refgen.span import Span
from refgen.words import Phrase, chain_texts

OF_NAMES = ("text", "level")
"""The types of columns with names."""


@dataclass(frozen=True, slots=True)
class NameFault:
    """A fault of a ``name`` at a row: the name as it is shown, the text that would fit, and the reason.

    ``what`` is the first part of the id of its finding. ``beside`` is the row that has the same name, None without one.
    """

    what: str
    row: int
    name: str
    printed: str
    expected: str
    rule: str
    severity: Severity
    beside: int | None = None

    def finding(self, subject: CheckSubject, system: str, sources: Sequence[Span] = ()) -> Finding:
        """The finding of the fault, about a printed name."""
        kind, severity = FindingKind.NAME, self.severity
        return Finding.about(
            subject, kind, severity, system=system, rule=self.rule, computed=self.expected, sources=sources
        )


def odd_name_faults(names: Sequence[str], *, are_keys: bool = False) -> Iterator[NameFault]:
    """The names of a column with characters that nobody sees, or with letters that look like those of most names.

    A soft hyphen is typesetting, unless the names are keys: a row is not found by a name without it.
    """
    if all(name.isascii() and name.isprintable() for name in names):
        return
    script, at_home, is_right_to_left = main_script(names), scripts_at_home(names), reads_right_to_left(names)
    for row, name in enumerate(names):
        hyphens = {at: "" for at, letter in enumerate(name) if are_keys and letter == SOFT_HYPHEN}
        unseen = {**unseen_characters(name, is_right_to_left=is_right_to_left), **hyphens}
        letters, words = foreign_letters(name, script), foreign_words(name, script, at_home)
        if odd := {**unseen, **letters, **words}:
            of_characters = {"check-unseen": unseen, "check-foreign": letters}
            rules = [
                Phrase(rule, characters=_code_points_at(name, found)) for rule, found in of_characters.items() if found
            ]
            rule = chain_texts("check-rules", [*rules, *([Phrase("check-whole-foreign")] if words else [])])
            severity = Severity.WARNING if rules else Severity.QUESTION
            meant = mended(name, odd)
            yield NameFault("characters", row, meant, with_code_points(name, odd), meant, rule, severity)


def _code_points_at(name: str, positions: Collection[int]) -> str:
    return code_points(name[at] for at in positions)


def doubled_name_faults(rows: Sequence[Sequence[PlacedCell]], parts: Sequence[int | None]) -> Iterator[NameFault]:
    """The rows whose first cell is a name that an upper row has in the same part of the table; None is no part.

    Equal rows are found as rows. Where half of the rows have the name of an upper row, names are of groups of rows.
    """
    first: dict[tuple[int, str], int] = {}
    doubled = []
    for row, part in enumerate(parts):
        name, *rest = (cell.text for cell in rows[row])
        if part is not None and sum(map(str.isalpha, name)) > 1:
            upper = first.setdefault((part, fold_look(name)), row)
            if rest != [cell.text for cell in rows[upper][1:]] and not is_one_row(rows[row][:1], rows[upper][:1]):
                doubled.append((row, upper))
    for row, upper in doubled if len(doubled) < len(first) else ():
        name, other = (show_name(rows[at][0].text) for at in (row, upper))
        once, rule = Phrase("check-text-once", text=other), Phrase("check-named-twice")
        yield NameFault("names", row, name, name, once, rule, Severity.QUESTION, upper)


def check_row_names(ruleset: Ruleset[ChecksSpec]) -> Iterator[Finding]:
    """The findings on the names of the rows of all printed tables."""
    keys = keys_of(ruleset.spec)
    for table in ruleset.printed_tables:
        count: Counter[str] = Counter()
        for at, fault in _faults(ruleset, table, keys):
            name = comparison_id(fault.what, table.id, table.columns[at].id, fault.name)
            count[name] += 1
            yield from _findings(ruleset.id, table, at, fault, f"{name}/{count[name]}" if count[name] > 1 else name)


def _faults(ruleset: Ruleset[ChecksSpec], table: RuleTable, keys: Collection[Key]) -> Iterator[tuple[int, NameFault]]:
    """The faults of names in the columns of a table, each with the position of the column."""
    for at, column in enumerate(table.columns):
        is_key = (table.id, column.id) in keys
        if at == 0 or is_key:
            names = [row[at].text for row in table.rows]
            yield from ((at, fault) for fault in odd_name_faults(names, are_keys=is_key))
    is_named = ruleset.spec.tables[table.id].columns[0].type in OF_NAMES and len(table.columns) > 1
    if is_named and (table.id, table.columns[0].id) not in keys:
        parts = parts_of_table(table.rows, [column.head for column in table.columns])
        yield from ((0, fault) for fault in doubled_name_faults(table.rows, parts))


def _findings(system: str, table: RuleTable, column: int, fault: NameFault, name: str) -> Iterator[Finding]:
    """The finding of a fault, unless nobody knows where the name is printed."""
    spans = [None if row is None else table.rows[row][column].span for row in (fault.row, fault.beside)]
    if span := spans[0] or table.span:
        title = table.columns[column].title
        about = CheckSubject(name, fault.printed, span, table.id, table.title, fault.printed, title)
        yield fault.finding(about, system, [other for other in spans[1:] if other is not None])
